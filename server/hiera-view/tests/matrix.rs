//! Values of a key on several nodes, as text and JSON.

use cli_common::CommandOutcome;
use hiera_view::lookup::LookupOutcome;
use hiera_view::matrix::{NodeAnswer, json_matrix, text_matrix, text_origins, worst};
use serde_json::json;
use types::{Type, Value};

fn answer(node: &str, platform: Option<&str>, outcome: LookupOutcome) -> NodeAnswer {
    NodeAnswer {
        node: node.to_owned(),
        platform: platform.map(str::to_owned),
        outcome,
        origins: vec![("data/common.yaml".to_owned(), Some(3))],
        open: vec!["module `x` is missing".to_owned()],
    }
}

fn text(value: &str) -> LookupOutcome {
    LookupOutcome::Value(Value::string(value))
}

#[test]
fn nodes_are_grouped_by_value_the_most_frequent_first() {
    let answers = [
        answer("a1", None, text("ntp")),
        answer("b1", None, LookupOutcome::Perhaps(Type::STRING)),
        answer("b2", None, text("chrony")),
        answer("b3", None, text("chrony")),
    ];
    let expected = "\
ntp::package on 4 nodes

'chrony' (data/common.yaml:3)
  b2
  b3

'ntp' (data/common.yaml:3)
  a1

unknown (data/common.yaml:3)
  b1
  open: module `x` is missing
";
    assert_eq!(text_matrix("ntp::package", &answers), expected);
}

/// A platform is only named if the value is not that of all platforms of the node.
#[test]
fn platforms_are_named_where_they_differ() {
    let answers = [
        answer("a1", Some("debian-12"), text("chrony")),
        answer("a1", Some("centos-7"), text("ntp")),
        answer("a2", Some("debian-12"), text("chrony")),
        answer("a2", Some("centos-7"), text("chrony")),
    ];
    let found = text_matrix("k", &answers);
    assert!(found.contains("  a1 on debian-12\n  a2\n"), "{found}");
    assert!(found.contains("  a1 on centos-7\n"), "{found}");
    assert!(found.starts_with("k on 2 nodes\n"), "{found}");
}

#[test]
fn the_worst_outcome_decides_the_exit_code() {
    let failure = || LookupOutcome::Failure("x".to_owned());
    let unknown = || LookupOutcome::Perhaps(Type::Any);
    let cases = [
        (vec![], CommandOutcome::Clean),
        (vec![text("a")], CommandOutcome::Clean),
        (vec![text("a"), LookupOutcome::Nothing], CommandOutcome::Findings),
        (vec![LookupOutcome::Nothing, unknown()], CommandOutcome::Inconclusive),
        (vec![failure(), unknown(), text("a")], CommandOutcome::Failure),
    ];
    for (outcomes, expected) in cases {
        assert!(worst(outcomes.iter()) == expected);
    }
}

#[test]
fn json_has_the_outcome_of_each_node() {
    let answers = [
        answer("a1", None, text("ntp")),
        answer("a2", None, LookupOutcome::Nothing),
        answer("a3", Some("debian-12"), LookupOutcome::Failure("cannot read `x`".to_owned())),
    ];
    let found = json_matrix("k", &answers);
    assert_eq!(found["key"], "k");
    let fields = |name: &str| -> Vec<_> { (0..3).map(|at| found["nodes"][at][name].clone()).collect() };
    assert_eq!(fields("node"), ["a1", "a2", "a3"]);
    assert_eq!(fields("found"), [true, false, false]);
    assert_eq!(fields("value"), [json!("ntp"), json!(null), json!(null)]);
    assert_eq!(fields("error"), [json!(null), json!(null), json!("cannot read `x`")]);
    assert_eq!(found["nodes"][0]["origins"], json!([{"path": "data/common.yaml", "line": 3}]));
}

#[test]
fn control_characters_of_paths_are_escaped() {
    let origins = [("data/\u{1b}[31m.yaml".to_owned(), None), ("b.yaml".to_owned(), Some(2))];
    let found = text_origins(&origins);
    assert!(!found.contains('\u{1b}') && found.ends_with(", b.yaml:2"), "{found}");
}
