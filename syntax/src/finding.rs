//! Findings of the parser and of the static rules.

use codes::{Code, DowngradeReason, Severity};

use crate::TextRange;

/// Single finding in a single text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TextFinding {
    pub code: Code,
    severity: Severity,
    pub range: TextRange,
    /// One-line statement of the problem, optionally followed by `help: ` lines.
    pub message: String,
    /// Labels for related locations ("opened here").
    pub related: Vec<(TextRange, String)>,
}

impl TextFinding {
    /// Creates a finding with the default severity of its code.
    pub fn new(code: Code, range: TextRange, message: impl Into<String>) -> TextFinding {
        TextFinding { code, severity: code.severity(), range, message: message.into(), related: Vec::new() }
    }

    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the finding with a lower severity, for a reason that the code permits.
    pub fn downgraded(self, reason: DowngradeReason, severity: Severity) -> TextFinding {
        TextFinding { severity: self.code.downgraded(reason, severity), ..self }
    }

    /// Adds a label for a related location.
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> TextFinding {
        self.related.push((range, message.into()));
        self
    }
}
