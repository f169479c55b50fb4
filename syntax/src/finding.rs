//! What the parser and the static rules have to say about a text.

use codes::{Code, DowngradeReason, Severity};

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

    /// DowngradeReason than its row, for a reason that the row names.
    pub fn downgraded(self, reason: DowngradeReason, severity: Severity) -> TextFinding {
        TextFinding { severity: self.code.downgraded(reason, severity), ..self }
    }

    /// Adds a related place.
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> TextFinding {
        self.related.push((range, message.into()));
        self
    }
}
