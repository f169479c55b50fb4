//! Ruby's rules against what Ruby says: a file for each subject.

mod json;
mod numbers;
mod pattern_example;
mod random;
mod regexp;
mod semver;
mod sprintf;
mod timespan;
mod timestamp;
mod uri;
mod version_compare;

use serde_json::Value;

/// Holds what we say to what is recorded: each line has a question, what it is about, and the answer. `answer` may bring the last into
/// the form that ours has.
fn compare_recorded(lines: &str, answer: impl Fn(&str, &Value, &mut Value) -> Value) {
    let mut wrong = Vec::new();
    for line in lines.lines() {
        let mut row: Value = serde_json::from_str(line).expect("a recorded row");
        let mut expected = row[2].take();
        let found = answer(row[0].as_str().expect("a question"), &row[1], &mut expected);
        if found != expected {
            wrong.push(format!("{line}\n  {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
