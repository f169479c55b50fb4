//! Forms of catalog files: of a Puppet server, of PuppetDB, and of Puppet 3.

use comparison::catalog_file::{CatalogFile, read};

const RESOURCE: &str = r#"{"type": "Notify", "title": "a", "parameters": {}}"#;

/// Returns the name of the node, the number of resources, and whether the catalog is from PuppetDB.
fn summary(catalog: &CatalogFile) -> (&str, usize, bool) {
    (&catalog.node, catalog.resources.len(), catalog.is_stored)
}

#[test]
fn catalogs_of_all_sources_are_read() {
    let cases = [
        (format!(r#"{{"name": "n1", "resources": [{RESOURCE}]}}"#), ("n1", 1, false)),
        (format!(r#"{{"catalog": {{"name": "n1", "resources": [{RESOURCE}]}}}}"#), ("n1", 1, false)),
        (
            r#"{"document_type": "Catalog", "data": {"name": "n1", "resources": []}}"#.to_owned(),
            ("n1", 0, false),
        ),
        (
            format!(r#"{{"certname": "n1", "resources": {{"data": [{RESOURCE}], "href": "/x"}}}}"#),
            ("n1", 1, true),
        ),
        (format!(r#"[{{"certname": "n1", "resources": [{RESOURCE}]}}]"#), ("n1", 1, true)),
        (format!(r#"{{"resources": [{RESOURCE}]}}"#), ("", 1, false)),
    ];
    for (text, expected) in cases {
        let catalogs = read(&text).expect("a catalog");
        assert_eq!(catalogs.iter().map(summary).collect::<Vec<_>>(), [expected], "{text}");
    }
}

#[test]
fn malformed_catalogs_are_refused_with_the_reason() {
    let cases = [
        ("{", "malformed JSON"),
        ("[]", "it has no catalog"),
        ("[1]", "a catalog is not an object"),
        (r#"{"name": "n1"}"#, "a catalog has no resources"),
        (
            r#"{"certname": "n1", "resources": {"href": "/x"}}"#,
            "the catalog of `n1` only has a link to its resources",
        ),
        (r#"{"resources": [{"title": "a"}]}"#, "a resource has no type"),
        (r#"{"resources": [{"type": "Notify"}]}"#, "a resource of type `Notify` has no title"),
        (
            r#"[{"name": "n1", "resources": []}, {"name": "n1", "resources": []}]"#,
            "it has several catalogs of the node `n1`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text).expect_err(text).to_string(), expected, "{text}");
    }
}

#[test]
fn unknown_titles_and_noted_parts_are_open() {
    let text = r#"{"name": "n1", "resources": [{"type": "File", "title": null}], "open": ["module `x` is missing"]}"#;
    let catalogs = read(text).expect("a catalog");
    assert_eq!(
        catalogs[0].open,
        ["module `x` is missing", "the title of a resource of type `File` is unknown"]
    );
}

/// A class may have several containers, any other resource has one.
#[test]
fn containers_are_those_of_resources() {
    let text = r#"{"name": "n1", "resources": [], "edges": [
        {"source": "Stage[main]", "target": "Class[A]"},
        {"source": "Class[A]", "target": "File[/a]"},
        {"source": {"type": "Class", "title": "B"}, "target": {"type": "File", "title": "/b"}, "relationship": "contains"},
        {"source": "File[/a]", "target": "File[/c]", "relationship": "before"}
    ]}"#;
    let catalogs = read(text).expect("a catalog");
    let containers: Vec<(&str, &str)> =
        catalogs[0].containers.iter().map(|(target, source)| (target.as_str(), source.as_str())).collect();
    assert_eq!(containers, [("File[/a]", "Class[A]"), ("File[/b]", "Class[B]")]);
}
