//! Timespans compared with Puppet (`tests/record/timespan.rb`).

use scalars::timespan::Timespan;
use serde_json::{Value, json};

fn timespan(nanoseconds: &Value) -> Timespan {
    let nanoseconds = nanoseconds.as_str().and_then(|it| it.parse().ok());
    Timespan { nanoseconds: nanoseconds.expect("nanoseconds") }
}

/// Returns the nonzero parts, largest first.
fn parts(timespan: Timespan) -> Value {
    let mut parts: Vec<Value> = timespan
        .fields()
        .into_iter()
        .filter(|part| part.1 != 0)
        .map(|(name, value)| json!([name, value as i64]))
        .collect();
    if timespan.nanoseconds < 0 {
        parts.push(json!(["negative", true]));
    }
    parts.into()
}

/// Sorts the parts in the order of [`parts`].
fn in_order(parts: &Value) -> Value {
    let order =
        ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds", "negative"];
    let mut parts = parts.as_array().cloned().unwrap_or_default();
    parts.sort_by_key(|part| order.iter().position(|name| part[0] == *name));
    parts.into()
}

fn answer(question: &str, subject: &Value, expected: &mut Value) -> Value {
    match question {
        "text" => {
            let timespan = timespan(subject);
            *expected = json!([expected[0], expected[1], expected[2], in_order(&expected[9])]);
            json!([
                timespan.to_string(),
                timespan.to_integer().to_string(),
                format!("{:016x}", timespan.to_float().to_bits()),
                parts(timespan),
            ])
        }
        "format" => json!(timespan(&subject[0]).format(subject[1].as_str().expect("a format")).ok()),
        "parse" => {
            let formats: Option<Vec<&str>> =
                subject[1].as_array().map(|it| it.iter().filter_map(Value::as_str).collect());
            let parsed = Timespan::parse(subject[0].as_str().expect("a string"), formats.as_deref());
            json!(parsed.ok().map(|it| it.nanoseconds.to_string()))
        }
        other => panic!("what is {other}?"),
    }
}

#[test]
fn matches_puppet() {
    crate::compare_recorded(include_str!("recorded/timespan.jsonl"), answer);
}

#[test]
fn hostile_formats_terminate() {
    let timespan = Timespan { nanoseconds: i128::MAX };
    assert!(timespan.format("%99999999999999999999H").is_err());
    assert!(timespan.format("%D %H %M %S %L %N").is_ok());
    assert!(Timespan { nanoseconds: i128::MIN }.format("%N").is_ok());
    assert!(Timespan::parse(&"9".repeat(10_000), Some(&["%D"])).is_ok_and(|it| it.nanoseconds > 0));
    assert!(Timespan::parse("1", Some(&[&"%999H".repeat(5000)])).is_err());
}
