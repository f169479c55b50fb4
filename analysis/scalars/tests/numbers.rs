//! String forms of numbers compared with Ruby and Puppet (`tests/record/numbers.rb`).

use scalars::numbers::{Number, float_from_text, float_text, integer_from_text, number_from_text};
use serde_json::{Value, json};

fn bits(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

fn answer(question: &str, subject: &Value) -> Value {
    let text = subject.as_str().or_else(|| subject[0].as_str()).expect("the subject is a string");
    let radix = subject[1].as_u64().map(|it| it as u32);
    match question {
        "float_text" => {
            let bits = u64::from_str_radix(text, 16).expect("bits");
            json!(float_text(f64::from_bits(bits)))
        }
        "integer" => json!(integer_from_text(text, radix).ok().map(|it| it.to_string())),
        "float" => json!(float_from_text(text).ok().map(bits)),
        "number" => match number_from_text(text) {
            Some((Number::Integer(value), radix)) => json!([value.to_string(), radix]),
            Some((Number::Float(value), radix)) => json!([format!("float {}", bits(value)), radix]),
            None => Value::Null,
        },
        other => panic!("what is {other}?"),
    }
}

#[test]
fn matches_ruby_and_puppet() {
    crate::compare_recorded(include_str!("recorded/numbers.jsonl"), |question, subject, _| {
        answer(question, subject)
    });
}

#[test]
fn large_numbers_saturate() {
    assert_eq!(integer_from_text(&"9".repeat(60), None), Ok(i128::MAX));
    assert_eq!(integer_from_text(&format!("-{}", "9".repeat(60)), None), Ok(-i128::MAX));
    assert!(integer_from_text(&"9".repeat(100_000), None).is_err());
    assert_eq!(number_from_text(&"9".repeat(100_000)), None);
}
