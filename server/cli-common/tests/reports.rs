//! Parts of reports: what could not be checked, and escaping for GitHub.

use cli_common::report::{
    ReportFormat, UnseenPart, github::escape_property, leaves_machine, open_lines, unsafe_fixes_message,
};

fn parts(count: usize) -> Vec<(String, Vec<String>)> {
    (0..count)
        .map(|at| (format!("reason {at}"), vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]))
        .collect()
}

#[test]
fn inconclusive_parts_name_the_first_of_the_affected_classes() {
    assert_eq!(open_lines(&parts(1), |_| None, false), ["open: reason 0; in a and 2 others"]);
    let of = |names: &[&str]| UnseenPart {
        what: "x".to_owned(),
        of: names.iter().map(|it| (*it).to_owned()).collect(),
    };
    assert_eq!(of(&[]).line(), "x");
    assert_eq!(of(&["a"]).line(), "open: x; in a");
    assert_eq!(of(&["a", "b"]).line(), "open: x; in a and 1 other");
}

#[test]
fn at_most_twelve_causes_are_listed_unless_verbose() {
    let found = open_lines(&parts(20), |_| None, false);
    assert_eq!(found.len(), 13);
    assert_eq!(found.last().map(String::as_str), Some("8 more causes; `--verbose` lists each part"));
    assert_eq!(open_lines(&parts(20), |_| None, true).len(), 20);
}

#[test]
fn control_characters_are_escaped() {
    let line = UnseenPart { what: "a\u{1b}[31m".to_owned(), of: Vec::new() }.line();
    assert!(!line.contains('\u{1b}'), "{line}");
    assert_eq!(escape_property("a: 100%, b\r\n"), "a%3A 100%25%2C b%0D%0A");
}

/// Formats that are uploaded mask secrets.
#[test]
fn reports_for_others_leave_the_machine() {
    let stays = [ReportFormat::Text, ReportFormat::Json];
    let leaves = [ReportFormat::Sarif, ReportFormat::Github, ReportFormat::Gitlab, ReportFormat::Junit];
    assert!(!stays.into_iter().any(leaves_machine) && leaves.into_iter().all(leaves_machine));
}

#[test]
fn unsafe_fixes_are_offered() {
    let message = unsafe_fixes_message("2 fixes");
    let expected =
        "2 fixes not applied: unsafe fixes may change behavior\nhelp: use `--unsafe-fixes` to apply them";
    assert_eq!(message, expected);
}
