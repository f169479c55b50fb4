//! Strings that code has unwrapped from `Sensitive`; the output of a compile is redacted with them.

use smol_str::SmolStr;
use types::Value;

/// Replacement for a redacted string.
const REDACTED: &str = "[value redacted]";

/// Minimum length, in characters, of a string that is redacted anywhere; a shorter one only if it is the
/// whole quotation.
const MIN_REDACTED_LENGTH: usize = 6;

/// Maximum number of recorded strings.
const MAX_STRINGS: usize = 1000;

/// Unwrapped strings.
#[derive(Default)]
pub(crate) struct UnwrappedStrings {
    strings: Vec<SmolStr>,
}

impl UnwrappedStrings {
    pub(crate) fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    pub(crate) fn note(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.note_string(text.clone()),
            Value::Integer(number) => self.note_string(SmolStr::from(number.to_string())),
            Value::Array(elements) => elements.iter().for_each(|it| self.note(it)),
            Value::Hash(entries) => entries.iter().for_each(|(_, it)| self.note(it)),
            _ => {}
        }
    }

    fn note_string(&mut self, text: SmolStr) {
        if !text.trim().is_empty() && self.strings.len() < MAX_STRINGS && !self.strings.contains(&text) {
            self.strings.push(text);
        }
    }

    pub(crate) fn mask(&self, message: &mut String) {
        for text in &self.strings {
            if text.chars().count() >= MIN_REDACTED_LENGTH {
                *message = message.replace(text.as_str(), REDACTED);
                continue;
            }
            for quote in ['\'', '"'] {
                *message =
                    message.replace(&format!("{quote}{text}{quote}"), &format!("{quote}{REDACTED}{quote}"));
            }
        }
    }

    /// Returns true if a value contains one of the strings.
    pub(crate) fn occur_in(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.strings.iter().any(|it| {
                text == it || it.chars().count() >= MIN_REDACTED_LENGTH && text.contains(it.as_str())
            }),
            Value::Array(elements) => elements.iter().any(|it| self.occur_in(it)),
            Value::Hash(entries) => entries.iter().any(|(key, it)| self.occur_in(key) || self.occur_in(it)),
            _ => false,
        }
    }
}
