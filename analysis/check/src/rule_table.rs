//! The table of rules: everything a finding may be about.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::rule::Rule;
use crate::{codes, rules};

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
    let mut rules: Vec<Rule> = codes::all().chain(rules::RULES.iter().copied()).collect();
    rules.sort_by_key(|rule| rule.code);
    let by_code = rules.iter().enumerate().map(|(index, rule)| (rule.code, index)).collect();
    Table { rules, by_code }
});
