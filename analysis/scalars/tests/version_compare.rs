//! Package versions compared with Puppet (`tests/record/version_compare.rb`).

use scalars::version_compare::version_compare;
use serde_json::Value;

#[test]
fn matches_puppet() {
    let mut wrong = Vec::new();
    for line in include_str!("recorded/version_compare.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a recorded row");
        let text = |index: usize| row[index].as_str().expect("a version");
        for (index, ignore_trailing_zeroes) in [(2, false), (3, true)] {
            let Some(expected) = row[index].as_i64() else { continue };
            let found = version_compare(text(0), text(1), ignore_trailing_zeroes) as i64;
            if found != expected {
                wrong.push(format!("{line}\n  {found}, ignore_trailing_zeroes = {ignore_trailing_zeroes}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
