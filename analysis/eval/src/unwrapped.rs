//! The texts that code has taken out of what is `Sensitive`: what is said of a compile does not repeat them.

use smol_str::SmolStr;
use types::Value;

use crate::error::{EvaluationError, Finding, LogEntry};
use crate::evaluator::Evaluator;

/// What stands for such a text.
const REDACTED: &str = "[value redacted]";

/// A text of so many letters is taken for a secret wherever it stands; a shorter one only where it is all that is quoted.
const LONG: usize = 6;

/// So many texts are remembered.
const MOST: usize = 1000;

/// Texts that were unwrapped.
#[derive(Default)]
pub(crate) struct UnwrappedTexts {
    texts: Vec<SmolStr>,
}

impl UnwrappedTexts {
    fn note(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.note_text(text.clone()),
            Value::Integer(number) => self.note_text(SmolStr::from(number.to_string())),
            Value::Array(elements) => elements.iter().for_each(|it| self.note(it)),
            Value::Hash(entries) => entries.iter().for_each(|(_, it)| self.note(it)),
            _ => {}
        }
    }

    fn note_text(&mut self, text: SmolStr) {
        if !text.trim().is_empty() && self.texts.len() < MOST && !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    fn mask(&self, message: &mut String) {
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

impl Evaluator<'_> {
    /// Remembers what was inside of something that is `Sensitive`.
    pub fn note_unwrapped(&mut self, inside: &Value) {
        self.unwrapped.note(inside);
    }

    /// Takes what was unwrapped out of all that is told, and of the catalog as far as it came.
    pub fn mask_unwrapped(&mut self, error: Option<&mut EvaluationError>) {
        let unwrapped = std::mem::take(&mut self.unwrapped);
        if !unwrapped.texts.is_empty() {
            self.catalog.mark_sensitive(|value| unwrapped.are_in(value));
            error.into_iter().for_each(|it| unwrapped.mask(&mut it.message));
            self.logs.iter_mut().for_each(|LogEntry { message, .. }| unwrapped.mask(message));
            self.findings.iter_mut().for_each(|Finding { error, .. }| unwrapped.mask(&mut error.message));
        }
        self.unwrapped = unwrapped;
    }
}
