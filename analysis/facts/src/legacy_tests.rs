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
