//! Differences between versions of Puppet: `versions.md`, recorded by `versions.rb`, next to our table of differences
//! and our own outcomes.

use conformance::messages::{RecordedMessage, our_outcomes, recorded};
use validation::{PuppetVersion, VersionDifference};

const TABLE: &str = include_str!("../versions.md");
const FENCE: &str = "```version ";
const FACTS: &str = include_str!("../catalogs/facts.json");

/// Returns the row of the table that a program is for.
fn row(program: &RecordedMessage) -> &str {
    program.name.split(' ').next().unwrap_or_default()
}

/// Returns the recorded lines of a version, without its number.
fn recorded_lines(program: &RecordedMessage, version: PuppetVersion) -> Vec<&str> {
    let mark = format!("={} ", version.major());
    program.outcomes.iter().filter_map(|it| it.strip_prefix(&mark)).collect()
}

fn is_explained(program: &RecordedMessage) -> bool {
    program.outcomes.iter().any(|it| it.starts_with("=~ "))
}

/// Returns the reason why a program does not show its row, if any.
fn find_complaint(program: &RecordedMessage, difference: VersionDifference) -> Option<&'static str> {
    let lines = |version| recorded_lines(program, version);
    let since = difference.since();
    if PuppetVersion::ALL.iter().any(|it| lines(*it).is_empty()) {
        return Some("no line of a version; run: ruby versions.rb");
    }
    let before = PuppetVersion::from_major(u32::from(since.major()) - 1).unwrap_or_default();
    (lines(before) == lines(since) && !is_explained(program))
        .then_some("the versions agree; explain in a `=~` line why")
}

#[test]
fn every_difference_is_recorded() {
    let programs = recorded(TABLE, FENCE);
    let mut complaints = Vec::new();
    for difference in VersionDifference::ALL {
        let name = format!("{difference:?}");
        let of_row: Vec<_> = programs.iter().filter(|it| row(it) == name).collect();
        if of_row.is_empty() {
            complaints.push(format!("{name}: no program"));
        }
        let found =
            of_row.iter().filter_map(|it| Some(format!("{name}: {}", find_complaint(it, *difference)?)));
        complaints.extend(found);
    }
    let is_row = |it: &&RecordedMessage| {
        VersionDifference::ALL.iter().any(|difference| format!("{difference:?}") == row(it))
    };
    complaints.extend(programs.iter().filter(|it| !is_row(it)).map(|it| format!("{}: no row", it.name)));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Returns what must agree: the notices, and whether something warns or ends the compilation.
fn essence(lines: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = lines
        .iter()
        .filter(|it| !it.starts_with("nothing"))
        .map(|it| match it.split_once(':') {
            Some(("notice", text)) => format!("notice:{text}"),
            Some((word, _)) => word.to_owned(),
            None => (*it).to_owned(),
        })
        .collect();
    found.dedup();
    found
}

#[test]
fn outcomes_agree_with_every_version() {
    let facts = serde_json::from_str(FACTS).expect("JSON");
    let is_compiled = |it: &RecordedMessage| !it.name.contains(' ') && !is_explained(it);
    let mut complaints = Vec::new();
    for program in recorded(TABLE, FENCE).iter().filter(|it| is_compiled(it)) {
        for version in PuppetVersion::ALL {
            let ours = our_outcomes(program, &facts, version);
            let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
            let theirs = recorded_lines(program, version);
            if essence(&ours) != essence(&theirs) {
                let product = version.product();
                complaints.push(format!("{}, {product}: {ours:?} instead of {theirs:?}", program.name));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
