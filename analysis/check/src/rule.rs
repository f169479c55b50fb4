//! Rules: a code with its documentation.

use codes::{Code, Severity};
use project::LintLevel;

/// Code with its documentation.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub code: Code,
    /// Documentation in Markdown. The first line summarizes the rule.
    pub documentation: &'static str,
    /// Path of the documentation, relative to the root of the repository.
    pub page: &'static str,
}

impl Rule {
    /// Returns the default level. Findings that are not certain may have a lower severity.
    pub fn level(&self) -> LintLevel {
        match self.code.severity() {
            _ if self.code.is_off() => LintLevel::Off,
            Severity::Error => LintLevel::Error,
            Severity::Warning | Severity::Deprecation => LintLevel::Warning,
            Severity::Hint => LintLevel::Hint,
        }
    }

    /// Returns the summary: the first line below the first heading of the page.
    pub fn title(&self) -> &'static str {
        self.documentation.lines().skip(1).find(|it| !it.is_empty()).unwrap_or_default()
    }

    /// Returns the URL of the documentation.
    pub fn url(&self) -> String {
        format!("{}/blob/main/{}", env!("CARGO_PKG_REPOSITORY"), self.page)
    }
}
