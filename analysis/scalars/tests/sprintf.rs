//! Formats compared with Ruby (`tests/record/sprintf.rb`).

use scalars::sprintf::{Argument, SprintfError, SprintfErrorKind, format, format_named};
use serde_json::{Map, Value, json};

/// Converts a value of the table. `inspected` is its `%p` form.
fn argument<'a>(value: &'a Value, inspected: &'a str) -> Argument<'a> {
    let number = |key: &str| value[key].as_str();
    match value {
        Value::Null => Argument::Nil,
        Value::Bool(value) => Argument::Boolean(*value),
        Value::String(text) => Argument::Text { text, inspect: inspected, is_string: true },
        _ if number("integer").is_some() => {
            Argument::Integer(number("integer").and_then(|it| it.parse().ok()).expect("an integer"))
        }
        _ => match number("float").expect("a number") {
            "Infinity" => Argument::Float(f64::INFINITY),
            "-Infinity" => Argument::Float(f64::NEG_INFINITY),
            text => Argument::Float(text.parse().expect("a float")),
        },
    }
}

fn answer(row: &Value) -> Result<String, SprintfError> {
    let text = row[0].as_str().expect("a format");
    let values = row[1].as_array().expect("arguments");
    let inspected: Vec<String> = values.iter().map(Value::to_string).collect();
    if let [Value::Object(object)] = &values[..]
        && let Some(named) = object.get("named").and_then(Value::as_object)
    {
        return with_names(text, named);
    }
    let arguments: Vec<_> =
        values.iter().zip(&inspected).map(|(value, inspected)| argument(value, inspected)).collect();
    format(text, &arguments)
}

fn with_names(text: &str, named: &Map<String, Value>) -> Result<String, SprintfError> {
    let inspected: Map<String, Value> =
        named.iter().map(|(name, value)| (name.clone(), json!(value.to_string()))).collect();
    format_named(text, Argument::Nil, &|name| {
        Some(argument(named.get(name)?, inspected.get(name)?.as_str()?))
    })
}

#[test]
fn matches_ruby() {
    let mut wrong = Vec::new();
    for line in include_str!("recorded/sprintf.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a recorded row");
        let found = match answer(&row) {
            Ok(text) => json!(text),
            Err(error) => json!({ "error": match error.kind {
                SprintfErrorKind::Argument => "ArgumentError",
                SprintfErrorKind::Type => "TypeError",
                SprintfErrorKind::Key => "KeyError",
                SprintfErrorKind::FloatDomain => "FloatDomainError",
                SprintfErrorKind::Range => "RangeError",
                SprintfErrorKind::TooLarge => "too large",
            } }),
        };
        if found != row[2] {
            wrong.push(format!("{line}\n  {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn large_results_are_rejected() {
    let kind =
        |text: &str| format(text, &[Argument::Integer(1), Argument::Integer(1)]).map_err(|error| error.kind);
    assert_eq!(kind("%1048577d"), Err(SprintfErrorKind::TooLarge));
    assert_eq!(kind("%.1048577f"), Err(SprintfErrorKind::TooLarge));
    assert_eq!(kind("%1000000d%1000000d"), Err(SprintfErrorKind::TooLarge));
    assert_eq!(kind("%1000000d").map(|it| it.len()), Ok(1_000_000));
    assert_eq!(kind("%.1000000e").map(|it| it.len()), Ok(1_000_006));
    assert_eq!(kind("%.1000000g"), Ok("1".to_owned()));
    assert_eq!(kind("%.1000000x").map(|it| it.len()), Ok(1_000_000));
    assert_eq!(kind("%.1000000a").map(|it| it.len()), Ok(1_000_007));
}
