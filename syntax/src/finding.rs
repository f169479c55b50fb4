//! What the parser and the static rules have to say about a text.

use codes::{Code, Milder, Severity};

use crate::TextRange;

/// One finding in one text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TextFinding {
    pub code: Code,
    severity: Severity,
    pub range: TextRange,
    /// What is wrong and what to do.
    pub message: String,
    /// Other places that belong to it ("opened here").
    pub related: Vec<(TextRange, String)>,
}

impl TextFinding {
    /// As severe as the row of the code says.
    pub fn new(code: Code, range: TextRange, message: impl Into<String>) -> TextFinding {
        TextFinding { code, severity: code.severity(), range, message: message.into(), related: Vec::new() }
    }

    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Milder than its row, for a reason that the row names.
    pub fn milder(self, reason: Milder, severity: Severity) -> TextFinding {
        TextFinding { severity: self.code.milder(reason, severity), ..self }
    }

    /// Adds a related place.
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> TextFinding {
        self.related.push((range, message.into()));
        self
    }
}
