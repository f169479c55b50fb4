//! Formatting of values, as in `hiera_recorder.rb`.

use types::Value;

pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::Undef => "undef".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => float(value.0),
        Value::String(text) => quoted(text),
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        Value::Hash(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{} => {}", show(key), show(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Sensitive(inner) => format!("Sensitive({})", show(inner)),
        Value::Default => ":symbol".to_owned(),
        Value::Unknown(_) => "?".to_owned(),
        other => format!("?{other:?}"),
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("strings serialize to JSON")
}

fn float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let text = format!("{value:.17e}");
    let (mantissa, exponent) = text.split_once('e').expect("an exponent");
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}
