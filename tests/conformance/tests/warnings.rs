//! What we say of programs that Puppet warns of, beside its warnings: `warnings.md`, its lines `=7` and `=8` recorded by `warnings.rb`.

use conformance::messages::{RecordedMessage, our_warnings, recorded};

const TABLE: &str = include_str!("../warnings.md");
const FENCE: &str = "```warning ";

/// Why the recorded lines do not show that we warn as Puppet does.
fn complaint(program: &RecordedMessage) -> Option<&'static str> {
    let has = |mark: &str| program.outcomes.iter().any(|it| it.starts_with(mark));
    let warns = |mark: &str| {
        has(mark) && !program.outcomes.iter().any(|it| it.starts_with(mark) && it.ends_with("- nothing"))
    };
    match () {
        () if !has("=7 ") || !has("=8 ") => Some("Puppet was not asked: ruby warnings.rb"),
        () if has("=~ ") => None,
        () if (warns("=7 ") || warns("=8 ")) && !has("=> ") && !has("=? ") => {
            Some("we say nothing: a line `=~` says why that is as good")
        }
        () if !warns("=7 ") && !warns("=8 ") && has("=> ") => Some("Puppet says nothing"),
        () => None,
    }
}

#[test]
fn every_warning_of_puppet_is_told() {
    let programs = recorded(TABLE, FENCE);
    assert!(programs.len() >= 50, "only {} programs", programs.len());
    let complaints: Vec<String> = programs
        .iter()
        .filter_map(|it| Some(format!("{}: {}\n{}", it.name, complaint(it)?, it.outcomes.join("\n"))))
        .collect();
    assert!(complaints.is_empty(), "{}\n{} complaints", complaints.join("\n\n"), complaints.len());
}

#[test]
fn warnings_are_as_recorded() {
    crate::messages::compare_with_table(TABLE, FENCE, "warnings.md", our_warnings);
}
