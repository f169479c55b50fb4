//! Tests of the syntax of queries.

use fleet::query::{Entity, FieldKind, Filter, PuppetDbQuery};

#[test]
fn queries_of_modules_are_parsed() {
    let queries = [
        "nodes[certname] {}",
        "nodes { }",
        "inventory[certname, facts.ssh.rsa.key] { facts.ganeti_cluster = \"a\" }",
        "inventory[facts] { resources { type = \"Class\" and title = \"Hpc::Compute\" } }",
        "facts[certname, name, value] { name in [\"a\",\"b\"] and certname ~ '^web[0-9]+\\.x$' }",
        "resources[parameters, title] { type = 'Sshkey' and exported = true and parameters.ensure = 'present' order by title }",
        "resources[certname] { type = 'Class' and nodes { deactivated is null and expired is null } order by certname desc, title }",
        "resources[title] { type = \"A\" and certname in resources[certname] { type = \"Class\" and title = \"B\" } group by title }",
        "nodes[certname] { resources { tag = 'a' } and ! (certname = 'b' or certname != 'c') limit 3 offset 1 }",
        "inventory { facts.count >= 3 and facts.flag = false and trusted.extensions.pp_role is not null }",
        r#"["from","resources",["extract",["certname","parameters"],["and",["=","type","Class"],["or",["=",["parameter","sync"],true],["=",["parameter","sync"],"automatic"]],["=",["node","active"],true]]],["order_by",[["certname","asc"],["title","desc"]]]]"#,
        r#"["from","resources",["and",["=","type","Sshkey"],["=","exported",true]]]"#,
        r#"["from","nodes",["in","certname",["extract","certname",["select_resources",["=","type","A"]]]]]"#,
        r#"["from","nodes",["in","certname",["array",["a","b"]]],["limit",2]]"#,
        r#"["from","inventory",["extract",["certname"],["~","facts.os.family","Deb.*"],["group_by","certname"]]]"#,
    ];
    for query in queries {
        let query = query.replace("\\", if query.starts_with('[') { "\\" } else { "" });
        assert!(PuppetDbQuery::parse(&query).is_ok(), "{query}: {:?}", PuppetDbQuery::parse(&query));
    }
}

#[test]
fn everything_else_is_refused() {
    let queries = [
        "",
        "nodes",
        "nodes {",
        "nodes { } nodes { }",
        "reports { }",
        "nodes[count()] { }",
        "nodes { cername = 'a' }",
        "nodes { certname = 'a }",
        "nodes { certname = 'a' or }",
        "nodes { certname = 'a\\'' }",
        "nodes { certname ~> ['a'] }",
        "nodes { certname > 'a' }",
        "nodes { certname = [1] }",
        "nodes { certname = null }",
        "nodes { facts.kernel = 'Linux' }",
        "nodes { certname ~ '(?i)a' }",
        "nodes { certname ~ '[[:alpha:]]' }",
        "inventory { facts.\"a b\".c = 'x' }",
        "inventory { facts.a[0] = 'x' }",
        "resources { parameters.a.b = 'x' }",
        "resources[certname, title] { type = 'A' group by certname }",
        "resources[certname] { title in resources[title] { type = 'A' } }",
        "resources[certname] { nodes[certname] { } }",
        "fact_contents { path = ['a'] }",
        "[]",
        "[1]",
        r#"["=","certname","a"]"#,
        r#"["from"]"#,
        r#"["from","nodes",["extract",[["function","count"]]]]"#,
        r#"["from","nodes",["=","certname"]]"#,
        r#"["from","nodes",["and"]]"#,
        r#"["from","nodes",["in","certname",["extract","certname",["select_reports",["=","a","b"]]]]]"#,
        r#"["from","nodes",["order_by",[["certname","up"]]]]"#,
    ];
    for query in queries {
        assert!(PuppetDbQuery::parse(query).is_err(), "{query}: {:?}", PuppetDbQuery::parse(query));
    }
    let deep = format!("nodes {{ {} certname = 'a' {} }}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(PuppetDbQuery::parse(&deep).is_err());
    let deep = format!("[\"from\",\"nodes\",{}1{}]", "[\"not\",".repeat(100), "]".repeat(100));
    assert!(PuppetDbQuery::parse(&deep).is_err());
}

#[test]
fn both_forms_of_a_query_are_equal() {
    let text = "resources[certname] { type = 'A' and parameters.x = true and tag = 't' order by title desc limit 2 }";
    let json = r#"["from","resources",["extract",["certname"],["and",["=","type","A"],["=",["parameter","x"],true],["=","tag","t"]]],["order_by",[["title","desc"]]],["limit",2]]"#;
    let (text, json) =
        (PuppetDbQuery::parse(text).expect("a query"), PuppetDbQuery::parse(json).expect("a query"));
    assert_eq!((text.entity, &text.columns, &text.order), (json.entity, &json.columns, &json.order));
    assert_eq!((text.entity, text.limit), (Entity::Resources, Some(2)));
    let Filter::All(filters) = &text.filter else { panic!("{text:?}") };
    assert_eq!(json.filter, Filter::All(vec![Filter::All(filters.clone())]));
    assert!(matches!(&filters[0], Filter::Equal(field, _) if field.kind == FieldKind::Type));
}
