//! Facts read from files.

use facts::{complete, newest_of_each, read};

#[test]
fn fact_files() {
    const OS: &str = r#""os": {"name": "Debian", "release": {"major": "12"}}"#;
    for (path, text, expected) in [
        ("facts/web01.json", format!("{{{OS}, \"a\": 1}}"), "web01 Debian 12: os a"),
        ("debian-12-x86_64.facts", format!("{{{OS}}}"), "debian-12-x86_64 Debian 12: os"),
        (
            "web01.yaml",
            "---\nos:\n  name: Debian\n  release:\n    major: '12'\n".to_owned(),
            "web01 Debian 12: os",
        ),
        ("web01", format!("\u{feff} {{{OS}}}"), "web01 Debian 12: os"),
        ("web01", "kernel: Linux\n".to_owned(), "web01 -: kernel"),
        (
            "C:\\facts\\a.b.json",
            "{\"operatingsystem\": \"Alpine\"}".to_owned(),
            "a.b Alpine: operatingsystem",
        ),
        (
            "node.yaml",
            "--- !ruby/object:Puppet::Node::Facts\nname: node1\nvalues:\n  kernel: Linux\n".to_owned(),
            "node -: kernel",
        ),
        (
            "node.json",
            "{\"name\": \"node1\", \"values\": {\"kernel\": \"Linux\"}}".to_owned(),
            "node -: kernel",
        ),
        ("os.json", "{\"os\": 7, \"operatingsystem\": []}".to_owned(), "os -: os operatingsystem"),
        ("a.json", "{\"a\": 1,\n\n \"b\" 2}".to_owned(), "line 3: "),
        ("a.yaml", "a: 1\nb: [1,\n".to_owned(), "line "),
        ("a.json", "[1]".to_owned(), "not a hash of facts; expected the output of `facter --json`"),
        ("a.json", "{}".to_owned(), "file contains no facts"),
        ("a.json", " \n".to_owned(), "file is empty; expected the output of `facter --json`"),
        ("a.yaml", "1: 2\n".to_owned(), "name of a fact must be a string, got Integer"),
    ] {
        let found = match read(path, &text) {
            Ok(set) => {
                let names: Vec<_> = set.facts.keys().filter_map(|it| it.as_str()).collect();
                format!("{} {}: {}", set.name, set.platform.as_deref().unwrap_or("-"), names.join(" "))
            }
            Err(error) => error.to_string(),
        };
        let is_as_expected =
            found == expected || expected.starts_with("line ") && found.starts_with(expected);
        assert!(is_as_expected, "{path}: {found}");
    }
}

#[test]
fn facts_added_by_the_agent() {
    let text =
        r#"{"networking": {"fqdn": "a.example.com"}, "os": {"family": "Debian"}, "osfamily": "Other"}"#;
    let set = read("a.json", text).expect("facts");
    for (version, expected) in [
        (
            7,
            "clientcert=a.example.com clientversion=7.34.0 fqdn=a.example.com osfamily=Other puppetversion=7.34.0",
        ),
        (8, "clientcert=a.example.com clientversion=8.10.0 fqdn=- osfamily=Other puppetversion=8.10.0"),
    ] {
        let facts = complete(set.facts.clone(), version);
        for pair in expected.split(' ') {
            let (name, value) = pair.split_once('=').expect("name=value");
            assert_eq!(
                facts.get_text(name).and_then(|it| it.as_str()).unwrap_or("-"),
                value,
                "{version}: {name}"
            );
        }
    }
}

#[test]
fn facterdb_folders() {
    let paths = [
        "facts/3.14/debian-11.facts",
        "facts/4.2/debian-11.facts",
        "facts/4.10/sles-15.facts",
        "facts/4.2/sles-15.facts",
        "facts/README.md",
        "own.facts",
    ];
    assert_eq!(newest_of_each(paths), ["facts/4.2/debian-11.facts", "own.facts", "facts/4.10/sles-15.facts"]);
}
