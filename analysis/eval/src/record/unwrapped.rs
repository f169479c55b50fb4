//! The texts that code has taken out of what is `Sensitive`: what is said of a compile does not repeat them.

use smol_str::SmolStr;
use types::Value;

/// What stands for such a text.
const REDACTED: &str = "[value redacted]";

/// A text of so many letters is taken for a secret wherever it stands; a shorter one only where it is all that is quoted.
const LONG: usize = 6;

/// So many texts are remembered.
const MAX_COUNT: usize = 1000;

/// Texts that were unwrapped.
#[derive(Default)]
pub(crate) struct UnwrappedTexts {
    texts: Vec<SmolStr>,
}

impl UnwrappedTexts {
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub(crate) fn note(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.note_text(text.clone()),
            Value::Integer(number) => self.note_text(SmolStr::from(number.to_string())),
            Value::Array(elements) => elements.iter().for_each(|it| self.note(it)),
            Value::Hash(entries) => entries.iter().for_each(|(_, it)| self.note(it)),
            _ => {}
        }
    }

    fn note_text(&mut self, text: SmolStr) {
        if !text.trim().is_empty() && self.texts.len() < MAX_COUNT && !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    pub(crate) fn mask(&self, message: &mut String) {
        for text in &self.texts {
            if text.chars().count() >= LONG {
                *message = message.replace(text.as_str(), REDACTED);
                continue;
            }
            for quote in ['\'', '"'] {
                *message =
                    message.replace(&format!("{quote}{text}{quote}"), &format!("{quote}{REDACTED}{quote}"));
            }
        }
    }

    /// Is such a text in a value?
    pub(crate) fn are_in(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self
                .texts
                .iter()
                .any(|it| text == it || it.chars().count() >= LONG && text.contains(it.as_str())),
            Value::Array(elements) => elements.iter().any(|it| self.are_in(it)),
            Value::Hash(entries) => entries.iter().any(|(key, it)| self.are_in(key) || self.are_in(it)),
            _ => false,
        }
    }
}
