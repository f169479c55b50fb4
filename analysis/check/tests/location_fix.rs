//! Fix for definitions whose name does not match their path.

use check::{FixData, Tier, diagnostics};
use project::testing::TestWorkspace;

#[track_caller]
fn check(text: &str, expected: &[(&str, Option<&str>)]) {
    let metadata = "//- /a/metadata.json\n{ \"name\": \"me-a\" }\n";
    let workspace = TestWorkspace::new(&format!("{metadata}//- /a/manifests/b/c.pp\n{text}"));
    let found = diagnostics(&workspace.db, workspace.file("/a/manifests/b/c.pp"), Tier::Syntax);
    let found: Vec<_> = found
        .iter()
        .map(|it| match &it.data {
            Some(FixData::ReplaceWith { range, text: right }) => {
                (&text[range.as_range()], Some(right.as_str()))
            }
            _ => (&text[it.range.as_range()], None),
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn the_fix_is_the_name_that_the_path_requires() {
    check("class a::b::c { }\n", &[]);
    check("class a::c { }\n", &[("a::c", Some("a::b::c"))]);
    check("define other() { }\n", &[("other", Some("a::b::c"))]);
    check("class a::x { }\nclass a::y { }\n", &[("a::x", Some("a::b::c")), ("a::y", None)]);
    check("class a::b::c { }\nclass a::y { }\n", &[("a::y", None)]);
}
