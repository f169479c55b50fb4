//! Answers to style questions contain only checks that puppet-lint has.

use serde_json::json;

#[test]
fn own_checks_are_not_compared_with_puppet_lint() {
    let source = "$a = {\n  'a' => 1,\n  'bbb' => 2,\n}\n";
    let answer = conformance::style::lint(&json!({ "file": "m/manifests/init.pp", "source": source }));
    let problems = answer["problems"].as_array().expect("a list");
    let checks: Vec<&str> = problems.iter().filter_map(|it| it[0].as_str()).collect();
    assert_eq!(checks, ["code_on_top_scope"; 12]);
}
