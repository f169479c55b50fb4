//! Escapes control characters in outgoing messages, so that contents of a repository cannot manipulate the
//! display. Edits that are written to files and data that is sent back to us stay unchanged.

use std::borrow::Cow;

use serde_json::Value;

/// Members shown on a single line.
const SINGLE_LINE_MEMBERS: [&str; 7] =
    ["title", "label", "detail", "description", "name", "containerName", "tooltip"];

/// Members shown with their line breaks.
const MULTILINE_MEMBERS: [&str; 4] = ["message", "value", "contents", "documentation"];

/// Members that are not displayed.
const HIDDEN_MEMBERS: [&str; 8] = [
    "edit",
    "changes",
    "documentChanges",
    "textEdit",
    "additionalTextEdits",
    "data",
    "arguments",
    "settings",
];

/// Returns the message with control characters in displayed strings escaped.
pub(super) fn visible_message(body: Vec<u8>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&body) else { return body };
    if !may_have_control_characters(text) {
        return body;
    }
    let Ok(mut message) = serde_json::from_str::<Value>(text) else { return body };
    walk(&mut message, "");
    match serde_json::to_string(&message) {
        Ok(json) => output::escaped_json(&json).into_owned().into_bytes(),
        Err(_) => body,
    }
}

/// Returns whether a message may contain control characters other than line breaks and tabs. In JSON most of
/// them are escape sequences.
fn may_have_control_characters(json: &str) -> bool {
    let bytes = json.as_bytes();
    let is_hidden = |c: char| !c.is_ascii() && output::is_hidden(c);
    has_control_escape(bytes)
        || memchr::memchr(0x7f, bytes).is_some()
        || (!json.is_ascii() && json.chars().any(is_hidden))
}

/// Returns whether JSON has an escape sequence of a control character. Looks at each `\` once: diagnostics of
/// long files have thousands.
fn has_control_escape(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        rest = &rest[at + 1..];
        match rest {
            [b'r' | b'b' | b'f', ..] | [b'u', b'0', b'0', ..] => return true,
            [_, after @ ..] => rest = after,
            [] => {}
        }
    }
    false
}

fn walk(value: &mut Value, name: &str) {
    match value {
        Value::String(text) => {
            let shown = match name {
                name if SINGLE_LINE_MEMBERS.contains(&name) => output::visible(text),
                name if MULTILINE_MEMBERS.contains(&name) => output::visible_message(text),
                _ => Cow::Borrowed(text.as_str()),
            };
            if let Cow::Owned(shown) = shown {
                *text = shown;
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| walk(element, name)),
        Value::Object(members) => {
            for (name, value) in
                members.iter_mut().filter(|(name, _)| !HIDDEN_MEMBERS.contains(&name.as_str()))
            {
                walk(value, name);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "visible_tests.rs"]
mod tests;
