//! Our messages for programs that Puppet warns about, next to its warnings: `warnings.md`, whose
//! `=7` and `=8` lines are recorded by `warnings.rb`.

use conformance::messages::{RecordedMessage, our_warnings, recorded};

const TABLE: &str = include_str!("../warnings.md");
const FENCE: &str = "```warning ";

/// Returns the reason why the recorded lines do not show that we warn as Puppet does.
fn find_complaint(program: &RecordedMessage) -> Option<&'static str> {
    let has = |mark: &str| program.outcomes.iter().any(|it| it.starts_with(mark));
    let warns = |mark: &str| {
        has(mark) && !program.outcomes.iter().any(|it| it.starts_with(mark) && it.ends_with("- nothing"))
    };
    match () {
        () if !has("=7 ") || !has("=8 ") => Some("no line of Puppet; run: ruby warnings.rb"),
        () if has("=~ ") => None,
        () if (warns("=7 ") || warns("=8 ")) && !has("=> ") && !has("=? ") => {
            Some("we report nothing; explain in a `=~` line why that is as good")
        }
        () if !warns("=7 ") && !warns("=8 ") && has("=> ") => Some("Puppet reports nothing"),
        () => None,
    }
}

#[test]
fn every_puppet_warning_is_reported() {
    let programs = recorded(TABLE, FENCE);
    assert!(programs.len() >= 50, "only {} programs", programs.len());
    let complaints: Vec<String> = programs
        .iter()
        .filter_map(|it| Some(format!("{}: {}\n{}", it.name, find_complaint(it)?, it.outcomes.join("\n"))))
        .collect();
    assert!(complaints.is_empty(), "{}\n{} complaints", complaints.join("\n\n"), complaints.len());
}

#[test]
fn warnings_match_table() {
    crate::messages::compare_with_table(TABLE, FENCE, "warnings.md", our_warnings);
}
