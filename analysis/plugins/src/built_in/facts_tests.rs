use super::*;

#[test]
fn the_data_is_well_formed_and_documented() {
    for file in [FACTS_FILE, VARIABLES_FILE] {
        let facts = read_facts(file).expect("the data file is well-formed");
        facts.iter().for_each(check);
        assert!(facts.windows(2).all(|pair| pair[0].name != pair[1].name), "fact names are unique");
    }
}

fn check(fact: &Fact) {
    assert!(!fact.type_text.is_empty(), "{} has no type", fact.name);
    assert!(!fact.documentation.is_empty() || fact.name == "*", "{} has no documentation", fact.name);
    assert!(fact.parts.is_empty() || fact.type_text.contains("Hash["), "{}", fact.name);
    fact.parts.iter().for_each(check);
}

#[test]
fn patterns_of_legacy_facts() {
    for (pattern, name, expected) in [
        ("osfamily", "osfamily", Some("")),
        ("osfamily", "osfamil", None),
        ("mtu_*", "mtu_eth0", Some("eth0")),
        ("mtu_*", "mtu_", None),
        ("network_*", "network_eth0", Some("eth0")),
        ("network_*", "network_lo", Some("lo")),
        ("network_*", "network_Ethernet", Some("Ethernet")),
        ("network_*", "network_zone", None),
        ("blockdevice_*_size", "blockdevice_vda_size", Some("vda")),
        ("processor#", "processor12", Some("12")),
        ("processor#", "processors", None),
    ] {
        assert_eq!(match_name(pattern, name), expected, "{pattern} {name}");
    }
}
