use super::*;

#[test]
fn every_replacement_is_supported() {
    for fact in built_in::facts() {
        let Some(replacement) = &fact.replacement else { continue };
        let (keys, function) = access(replacement).expect("an access to $facts");
        assert!(!keys.is_empty(), "{}", fact.name);
        let known = ["", ".keys.join(',')", ".length", " / 1048576.0"].contains(&function);
        assert!(known, "{}: {function}", fact.name);
    }
}

#[test]
fn platform_facts_use_the_node_name() {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let facts = crate::platform("debian12").expect("a known platform").facts(7);
    for (node, hostname, domain) in
        [("web2.example.org", "web2", Some("example.org")), ("web3", "web3", None)]
    {
        let facts = of_node(facts, node);
        let networking = facts.get_text("networking").and_then(Value::as_hash).expect("a hash");
        for facts in [&facts, networking] {
            assert_eq!(text(facts.get_text("fqdn")).as_deref(), Some(node));
            assert_eq!(text(facts.get_text("hostname")).as_deref(), Some(hostname));
            assert_eq!(text(facts.get_text("domain")).as_deref(), domain);
        }
        assert_eq!(text(facts.get_text("clientcert")).as_deref(), Some(node));
    }
}

/// Files are read as they are: agents add no legacy facts to them, and none are removed.
#[test]
fn legacy_facts_of_files_are_kept() {
    let names = |text: &str, version: u8| {
        let facts = crate::with_agent_facts(crate::read("f.json", text).expect("facts").facts, version);
        ["fqdn", "bios_version"].map(|name| facts.get_text(name).is_some())
    };
    let structured = r#"{ "dmi": { "bios": { "version": "1.2" } }, "networking": { "fqdn": "a.b" }"#;
    for version in [7, 8] {
        assert_eq!(names(&format!("{structured} }}"), version), [false, false]);
        assert_eq!(names(&format!(r#"{structured}, "fqdn": "a.b" }}"#), version), [true, false]);
    }
}

#[test]
fn fact_files_may_have_trusted_extensions() {
    let texts = [
        r#"{ "kernel": "Linux", "trusted": { "extensions": { "pp_role": "web" } } }"#,
        r#"{ "name": "a", "values": { "kernel": "Linux" }, "trusted": { "extensions": { "pp_role": "web" } } }"#,
    ];
    for text in texts {
        let set = crate::read("f.json", text).expect("facts");
        assert_eq!(set.trusted_extensions.get_text("pp_role").and_then(Value::as_str), Some("web"), "{text}");
        assert!(set.facts.get_text("trusted").is_none(), "{text}");
    }
    let set = crate::read("f.json", r#"{ "kernel": "Linux" }"#).expect("facts");
    assert!(set.trusted_extensions.is_empty());
}

#[test]
fn fact_files_may_name_their_node() {
    let stored = "--- !ruby/object:Puppet::Node::Facts\nname: web1\nvalues:\n  a: 1\ntimestamp: 2026-01-02 03:04:05.000000006 +00:00\nexpiration: 2026-01-02 03:34:05.000000006 +00:00\n";
    let inventory =
        r#"{"certname": "web1", "facts": {"a": 1}, "trusted": {"certname": "web1", "domain": "x"}}"#;
    let factset = r#"{"certname": "web1", "facts": {"href": "/x", "data": [{"name": "a", "value": 1}]}}"#;
    for (path, text) in [("x.yaml", stored), ("x.json", inventory), ("x.json", factset)] {
        let set = crate::read(path, text).expect("facts");
        assert_eq!(set.certname.as_deref(), Some("web1"), "{text}");
        assert_eq!(set.facts.get_text("a"), Some(&Value::Integer(1)), "{text}");
        assert_eq!(set.trusted.is_some(), text == inventory, "{text}");
    }
    let plain = crate::read("web2.json", r#"{"name": "x", "a": 1}"#).expect("facts");
    assert_eq!((plain.certname, plain.name.as_str()), (None, "web2"));
    assert!(
        crate::read("x.json", r#"{"name": "web1", "values": {}}"#).is_ok(),
        "a node without facts is known"
    );
}
