//! Markdown of hovers.

use output::markdown::code_block;

#[derive(Default)]
pub(super) struct Markdown {
    parts: Vec<String>,
}

impl Markdown {
    pub(super) fn code(&mut self, text: &str) {
        if !text.is_empty() {
            self.parts.push(code_block("puppet", text));
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.parts.push(text.to_owned());
    }

    pub(super) fn finish(self) -> String {
        self.parts.join("\n\n")
    }
}
