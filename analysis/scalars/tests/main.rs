//! Comparison with recordings of Ruby and Puppet, one file per subject.

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

/// Compares answers with recorded ones. Each line consists of a question, its subject, and the answer.
/// `answer` may convert the recorded answer to our form.
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
