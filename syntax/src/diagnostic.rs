//! What the parser and the static rules have to say about a text.

use crate::TextRange;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// Accepted today, refused by a later version of Puppet.
    Deprecation,
    /// Worth a look, no more.
    Hint,
}

/// One finding in one text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// Stable, kebab-case: `syntax-error`, `unclosed-string`, `duplicate-parameter`.
    pub code: &'static str,
    pub severity: Severity,
    pub range: TextRange,
    /// What is wrong and what to do.
    pub message: String,
    /// Other places that belong to it ("opened here").
    pub related: Vec<(TextRange, String)>,
}

impl Diagnostic {
    pub fn error(code: &'static str, range: TextRange, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity: Severity::Error, range, message: message.into(), related: Vec::new() }
    }

    pub fn warning(code: &'static str, range: TextRange, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, range, message) }
    }

    /// Adds a related place.
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Diagnostic {
        self.related.push((range, message.into()));
        self
    }
}
