//! Timestamps compared with Puppet (`tests/record/timestamp.rb`).

use scalars::timestamp::Timestamp;
use serde_json::{Value, json};

fn timestamp(nanoseconds: &Value) -> Timestamp {
    let nanoseconds = nanoseconds.as_str().and_then(|it| it.parse().ok());
    Timestamp { nanoseconds: nanoseconds.expect("nanoseconds") }
}

fn answer(question: &str, subject: &Value) -> Value {
    match question {
        "text" => {
            let timestamp = timestamp(subject);
            let bits = format!("{:016x}", timestamp.to_float().to_bits());
            json!([timestamp.to_string(), timestamp.to_integer().to_string(), bits])
        }
        "format" => {
            let format = subject[1].as_str().expect("a format");
            json!(timestamp(&subject[0]).format(format, subject[2].as_str()).ok())
        }
        "parse" => {
            let formats: Option<Vec<&str>> =
                subject[1].as_array().map(|it| it.iter().filter_map(Value::as_str).collect());
            let is_single = formats.as_ref().is_some_and(|it| it.len() == 1);
            let text = subject[0].as_str().expect("a string");
            let parsed = Timestamp::parse(text, formats.as_deref(), is_single, subject[2].as_str());
            json!(parsed.ok().map(|it| it.nanoseconds.to_string()))
        }
        other => panic!("what is {other}?"),
    }
}

#[test]
fn matches_puppet() {
    crate::compare_recorded(include_str!("recorded/timestamp.jsonl"), |question, subject, _| {
        answer(question, subject)
    });
}

#[test]
fn hostile_inputs_terminate() {
    let far = Timestamp { nanoseconds: i128::MAX };
    let near = Timestamp { nanoseconds: i128::MIN };
    for format in ["%c %s %N %U %V %G %j", "%9999999999Y", &"%1000Y".repeat(20_000)] {
        for (time, zone) in [(far, "+23:59"), (near, "-23:59")] {
            let written = time.format(format, Some(zone)).map(|text| text.len()).ok();
            assert_eq!(written.is_some(), !format.contains("%9"), "{format:.20}");
            assert!(written.is_none_or(|length| length <= 20_000_000));
        }
    }
    let digits = "9".repeat(10_000);
    for format in ["%Y", "%s", "%Q", "%N", "%Y %N", "%F", "%j"] {
        assert!(Timestamp::parse(&digits, Some(&[format]), true, None).is_err(), "{format}");
    }
}
