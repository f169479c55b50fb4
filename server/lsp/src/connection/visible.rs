//! The one way out: in what people read of a message nothing steers what shows it, whatever the words of a repository are. What
//! is written into files (edits) and what comes back to us (data of items) stays as it is.

use std::borrow::Cow;

use serde_json::Value;

/// Members whose texts are shown on one line.
const LINES: [&str; 7] = ["title", "label", "detail", "description", "name", "containerName", "tooltip"];

/// Members whose texts are shown, with their line breaks.
const TEXTS: [&str; 4] = ["message", "value", "contents", "documentation"];

/// Members that nobody reads.
const UNSEEN: [&str; 8] = [
    "edit",
    "changes",
    "documentChanges",
    "textEdit",
    "additionalTextEdits",
    "data",
    "arguments",
    "settings",
];

/// A message with escapes for what would steer what shows it.
pub(super) fn visible_message(body: Vec<u8>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&body) else { return body };
    if !may_steer(text) {
        return body;
    }
    let Ok(mut message) = serde_json::from_str::<Value>(text) else { return body };
    walk(&mut message, "");
    match serde_json::to_string(&message) {
        Ok(json) => output::escaped_json(&json).into_owned().into_bytes(),
        Err(_) => body,
    }
}

/// Is there anything in a message that steers, but line breaks and tabs? In JSON most of it is an escape.
fn may_steer(json: &str) -> bool {
    let bytes = json.as_bytes();
    let has_escape = memchr::memchr(b'\\', bytes).is_some_and(|first| {
        let json = &json[first..];
        json.contains("\\u00") || json.contains("\\r") || json.contains("\\b") || json.contains("\\f")
    });
    let is_hidden = |c: char| !c.is_ascii() && output::is_hidden(c);
    has_escape || memchr::memchr(0x7f, bytes).is_some() || (!json.is_ascii() && json.chars().any(is_hidden))
}

fn walk(value: &mut Value, name: &str) {
    match value {
        Value::String(text) => {
            let shown = match name {
                name if LINES.contains(&name) => output::visible(text),
                name if TEXTS.contains(&name) => output::visible_message(text),
                _ => Cow::Borrowed(text.as_str()),
            };
            if let Cow::Owned(shown) = shown {
                *text = shown;
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| walk(element, name)),
        Value::Object(members) => {
            for (name, value) in members.iter_mut().filter(|(name, _)| !UNSEEN.contains(&name.as_str())) {
                walk(value, name);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "visible_tests.rs"]
mod tests;
