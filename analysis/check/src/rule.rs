//! A rule: a code with its page.

use codes::{Code, Severity};
use project::LintLevel;

/// What is to be said of a code.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub code: Code,
    /// In Markdown: a line that says what is found, then why, examples, and the fix.
    pub documentation: &'static str,
    /// The rule's page in the source tree, below the repository's root.
    pub page: &'static str,
}

impl Rule {
    /// The level without settings. A finding may be milder where something is not certain.
    pub fn level(&self) -> LintLevel {
        match self.code.severity() {
            _ if self.code.is_off() => LintLevel::Off,
            Severity::Error => LintLevel::Error,
            Severity::Warning | Severity::Deprecation => LintLevel::Warning,
            Severity::Hint => LintLevel::Hint,
        }
    }

    /// The first line of the documentation.
    pub fn title(&self) -> &'static str {
        self.documentation.lines().next().unwrap_or_default()
    }

    /// Where the documentation can be read in a browser.
    pub fn url(&self) -> String {
        format!("{}/blob/main/{}", env!("CARGO_PKG_REPOSITORY"), self.page)
    }
}
