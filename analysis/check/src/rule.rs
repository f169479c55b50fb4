//! A rule: what a finding may be about, with what is to be said of it.

use project::LintLevel;

/// One rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Stable, kebab-case: what settings, comments and findings call it.
    pub code: &'static str,
    /// The level without settings. A finding may be milder where something is not certain.
    pub level: LintLevel,
    /// Does Puppet refuse to read such a text? Then neither settings nor comments hide it.
    pub is_fixed: bool,
    /// What puppet-lint and its plug-ins call the same; these names work in comments and settings too.
    pub puppet_lint_names: &'static [&'static str],
    /// In Markdown: a line that says what is found, then why, examples, and the fix.
    pub documentation: &'static str,
    /// The rule's page in the source tree, below the repository's root.
    pub page: &'static str,
}

impl Rule {
    /// The first line of the documentation.
    pub fn title(&self) -> &'static str {
        self.documentation.lines().next().unwrap_or_default()
    }

    /// Where the documentation can be read in a browser.
    pub fn url(&self) -> String {
        format!("{}/blob/main/{}", env!("CARGO_PKG_REPOSITORY"), self.page)
    }
}

/// A code that others find, with its page.
pub(crate) struct CodeRow {
    pub(crate) code: &'static str,
    pub(crate) level: LintLevel,
    pub(crate) documentation: &'static str,
    pub(crate) page: &'static str,
}

impl CodeRow {
    /// As a rule; one that `is_fixed` cannot be hidden.
    pub(crate) fn rule(&self, is_fixed: bool) -> Rule {
        let CodeRow { code, level, documentation, page } = *self;
        Rule { code, level, is_fixed, puppet_lint_names: &[], documentation, page }
    }
}

/// A row of a table of codes.
macro_rules! row {
    ($code:literal, $level:ident) => {
        crate::rule::CodeRow {
            code: $code,
            level: project::LintLevel::$level,
            documentation: include_str!(concat!("../../pages/", $code, ".md")),
            page: concat!("analysis/check/pages/", $code, ".md"),
        }
    };
}
pub(crate) use row;

/// A rule of this crate's own.
macro_rules! documented_rule {
    ($code:literal, $level:ident, [$($name:literal),*]) => {
        crate::Rule {
            code: $code,
            level: project::LintLevel::$level,
            is_fixed: false,
            puppet_lint_names: &[$($name),*],
            documentation: include_str!(concat!("../../pages/", $code, ".md")),
            page: concat!("analysis/check/pages/", $code, ".md"),
        }
    };
}
pub(crate) use documented_rule;
