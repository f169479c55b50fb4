//! Embedded fact sets: they must have the structure of Facter's facts.

use std::collections::BTreeSet;

use facts::{Platform, platforms};
use plugins::built_in::{self, Fact};
use types::{HashValue, NoTypes, Value};

#[test]
fn every_fact_matches_a_core_fact() {
    for platform in platforms() {
        for version in [7, 8] {
            let facts = platform.facts(version);
            for (name, value) in facts.iter() {
                let name = name.as_str().expect("a name");
                let fact =
                    built_in::fact(name).unwrap_or_else(|| panic!("{}: no core fact {name}", platform.name));
                assert!(!fact.is_legacy || version == 7, "{}: {name} is a legacy fact", platform.name);
                check(platform, name, fact, value);
            }
            for fact in
                built_in::facts().iter().filter(|it| !it.type_text.starts_with("Optional") && !it.is_legacy)
            {
                assert!(facts.get_text(&fact.name).is_some(), "{}: no fact {}", platform.name, fact.name);
            }
        }
    }
}

fn check(platform: &Platform, path: &str, fact: &Fact, value: &Value) {
    let ty = types::parse::parse_type(&fact.type_text, &NoTypes).expect("a type");
    let is_instance = types::assign::is_assignable(&ty, &types::infer::infer_set(value, &NoTypes), &NoTypes);
    assert!(is_instance, "{}: {path} should be {}, but is {value:?}", platform.name, fact.type_text);
    let Value::Hash(entries) = value else { return };
    if fact.parts.is_empty() {
        return;
    }
    for (key, value) in entries.iter() {
        let key = key.as_str().expect("a name");
        let part = fact
            .parts
            .iter()
            .find(|it| it.name == key)
            .or_else(|| fact.parts.iter().find(|it| it.name == "*"));
        let part = part.unwrap_or_else(|| panic!("{}: {path} has no part {key}", platform.name));
        check(platform, &format!("{path}.{key}"), part, value);
    }
    for part in fact.parts.iter().filter(|it| !it.type_text.starts_with("Optional") && it.name != "*") {
        assert!(entries.get_text(&part.name).is_some(), "{}: {path} lacks {}", platform.name, part.name);
    }
}

#[test]
fn all_fields_in_layers_are_filled() {
    fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::String(text) => found.push(text),
            Value::Array(elements) => elements.iter().for_each(|it| texts(it, found)),
            Value::Hash(entries) => entries.iter().for_each(|(key, value)| {
                texts(key, found);
                texts(value, found);
            }),
            _ => {}
        }
    }
    for platform in platforms() {
        let mut found = Vec::new();
        let (core, modules) = (platform.facts(7), Value::Hash(platform.module_facts().clone()));
        core.values().chain([&modules]).for_each(|it| texts(it, &mut found));
        let open = found.iter().find(|it| it.contains(['{', '}']) || it.is_empty());
        assert!(open.is_none(), "{}: {open:?}", platform.name);
        for name in ["root_home", "service_provider"] {
            assert!(core.get_text(name).is_none(), "{name} is no core fact");
            let is_known = platform.module_facts().get_text(name).is_some();
            assert!(is_known, "{}: no {name}", platform.name);
        }
    }
}

/// Returns the value in `$facts` at a path like `os.release.major`, formatted for the expectations.
fn at(facts: &HashValue, path: &str) -> String {
    let mut parts = path.split('.');
    let mut value = parts.next().and_then(|it| facts.get_text(it));
    for part in parts {
        value = value.and_then(Value::as_hash).and_then(|it| it.get_text(part));
    }
    match value {
        None => "-".to_owned(),
        Some(Value::String(text)) => text.to_string(),
        Some(Value::Integer(it)) => it.to_string(),
        Some(Value::Boolean(it)) => it.to_string(),
        Some(Value::Float(it)) => it.0.to_string(),
        Some(other) => format!("{other:?}"),
    }
}

#[test]
fn platform_facts() {
    for (platform, expected) in [
        (
            "Debian 12",
            "os.family=Debian os.release.major=12 os.release.minor=12 os.distro.codename=bookworm kernelmajversion=6.1",
        ),
        (
            "Debian 12",
            "operatingsystem=Debian operatingsystemrelease=12.12 lsbdistcodename=bookworm lsbmajdistrelease=12",
        ),
        (
            "Debian 12",
            "ipaddress=192.0.2.10 ipaddress_lo=127.0.0.1 interfaces=eth0,lo mtu_lo=65536 netmask_eth0=255.255.255.0",
        ),
        (
            "Debian 12",
            "memorysize_mb=7987.2 processor3=Intel(R)␠Xeon(R)␠Processor␠@␠2.50GHz processor4=- selinux=false",
        ),
        (
            "Debian 12",
            "sshrsakey=AAAAB3NzaC1yc2EAAAADAQABAAAA sshfp_rsa=SSHFP␠1␠1␠0000000000000000000000000000000000000001␊SSHFP␠1␠2␠0000000000000000000000000000000000000000000000000000000000000001",
        ),
        (
            "Debian 12",
            "fqdn=node1.example.com clientcert=node1.example.com hardwaremodel=x86_64 architecture=amd64",
        ),
        (
            "Ubuntu 24.04",
            "os.release.major=24.04 os.release.minor=- lsbdistdescription=Ubuntu␠24.04.3␠LTS osfamily=Debian",
        ),
        (
            "RedHat 9",
            "os.selinux.enforced=true os.distro.id=RedHatEnterprise operatingsystemmajrelease=9 os.release.minor=6",
        ),
        ("CentOS Stream 9", "os.name=CentOS os.release.full=9 os.release.minor=- os.distro.codename=-"),
        ("SLES 15", "os.family=Suse os.name=SLES os.release.full=15.7 os.release.major=15"),
        (
            "Amazon 2023",
            "os.release.major=2023 os.selinux.enabled=false selinux=false os.selinux.config_mode=- kernelversion=6.1.150",
        ),
        (
            "FreeBSD 14",
            "os.release.full=14.3-RELEASE os.release.minor=3 kernelmajversion=14 identity.group=wheel os.distro=-",
        ),
        (
            "Windows Server 2022",
            "os.release.major=2022 os.name=windows kernelmajversion=10.0 identity.uid=- interfaces=Ethernet",
        ),
        (
            "Windows Server 2022",
            "os.windows.edition_id=ServerStandard system32=C:\\Windows\\system32 lsbdistid=-",
        ),
        (
            "macOS 15",
            "os.name=Darwin os.release.major=24 os.macosx.version.minor=7 macosx_productversion=15.7.2",
        ),
        (
            "Solaris 11",
            "zonename=global zones=1 zone_global_brand=solaris kernelrelease=5.11 os.release.minor=4",
        ),
        ("AIX 7.3", "os.release.major=7300 virtual=lpar dmi=-"),
    ] {
        let facts = facts::platform(platform).expect(platform).facts(7);
        for pair in expected.split(' ') {
            let (path, value) = pair.split_once('=').expect("path=value");
            assert_eq!(at(facts, path), value.replace('␠', " ").replace('␊', "\n"), "{platform}: {path}");
        }
    }
}

#[test]
fn versions_differ_in_legacy_facts_and_versions() {
    let platform = facts::platform("Debian 12").expect("a platform");
    let names =
        |version| platform.facts(version).keys().filter_map(|it| it.as_str()).collect::<BTreeSet<_>>();
    let only_in_7: Vec<_> = names(7).difference(&names(8)).copied().collect();
    assert!(only_in_7.contains(&"osfamily") && only_in_7.contains(&"uptime_days"), "{only_in_7:?}");
    assert_eq!(names(8).difference(&names(7)).count(), 0);
    assert_eq!(at(platform.facts(7), "puppetversion"), "7.34.0");
    assert_eq!(at(platform.facts(8), "puppetversion"), "8.10.0");
    assert_eq!(facts::without_legacy_facts(platform.facts(7).as_ref().clone()).len(), names(8).len());
}
