//! The table of rules: everything a finding may be about, with what is to be said of it.

use std::sync::LazyLock;

use project::LintLevel;
use rustc_hash::FxHashMap;

use crate::rules;

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

/// All rules, by code.
pub fn rule_table() -> &'static [Rule] {
    &TABLE.rules
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    TABLE.by_code.get(code).map(|index| &TABLE.rules[*index])
}

/// The rule that a user means: by its code, with `-` or `_`, or by its name in puppet-lint.
pub fn rule_by_any_name(name: &str) -> Option<&'static Rule> {
    let by_code = rule_table().iter().find(|rule| same_name(rule.code, name));
    by_code.or_else(|| {
        rule_table().iter().find(|rule| rule.puppet_lint_names.iter().any(|known| same_name(known, name)))
    })
}

/// Names of rules are the same with `-` and with `_`.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    let fold = |byte: u8| if byte == b'_' { b'-' } else { byte };
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(a, b)| fold(a) == fold(b))
}

struct Table {
    rules: Vec<Rule>,
    by_code: FxHashMap<&'static str, usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut rules: Vec<Rule> = rules::all().collect();
    rules.sort_by_key(|rule| rule.code);
    let by_code = rules.iter().enumerate().map(|(index, rule)| (rule.code, index)).collect();
    Table { rules, by_code }
});
