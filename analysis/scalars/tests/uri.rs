//! URIs compared with Ruby (`tests/record/uri.rb`).

use scalars::uri::Uri;
use serde_json::{Value, json};

fn shown(uri: Option<Uri>) -> Value {
    let Some(uri) = uri else { return Value::Null };
    json!([
        uri.to_string(),
        uri.scheme(),
        uri.userinfo(),
        uri.host(),
        uri.port(),
        uri.path(),
        uri.query(),
        uri.fragment(),
        uri.opaque(),
    ])
}

fn parse(text: &Value) -> Option<Uri> {
    Uri::parse(text.as_str().expect("a string")).ok()
}

fn answer(question: &str, subject: &Value) -> Value {
    let both = || parse(&subject[0]).zip(parse(&subject[1]));
    match question {
        "parse" => shown(parse(subject)),
        "merge" => shown(both().and_then(|(base, other)| base.merge(&other).ok())),
        "equal" => json!(both().is_some_and(|(a, b)| a == b)),
        "build" => shown(
            Uri::build(|component| match &subject[component] {
                Value::Null => None,
                Value::String(text) => Some(text.clone()),
                number => Some(number.to_string()),
            })
            .ok(),
        ),
        other => panic!("what is {other}?"),
    }
}

#[test]
fn matches_ruby() {
    crate::compare_recorded(include_str!("recorded/uri.jsonl"), |question, subject, _| {
        answer(question, subject)
    });
}
