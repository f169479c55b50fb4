//! Table of rules, one for each code.

use codes::Code;
use lint::{CHECKS, CheckOrigin, StyleCheck};
use project::{Db, Environment, LintLevel};
use std::sync::LazyLock;

use crate::rule::Rule;

/// Returns all rules, sorted by the names of their codes.
pub fn rule_table() -> &'static [Rule] {
    static SORTED: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let mut rules = RULES.to_vec();
        rules.sort_by_key(|rule| rule.code);
        rules
    });
    &SORTED
}

/// Returns the rule of a code.
pub fn rule(code: Code) -> &'static Rule {
    &RULES[code as usize]
}

/// Returns the rule with this name: a code, with `-` or `_`, or the name of a puppet-lint check.
pub fn rule_by_any_name(name: &str) -> Option<&'static Rule> {
    let by_code = rule_table().iter().find(|rule| same_name(rule.code.as_str(), name));
    by_code.or_else(|| rule_table().iter().find(|rule| is_name_of(rule.code, name)))
}

/// Names of rule groups that settings accept in place of a rule.
pub const GROUPS: [&str; 5] = ["puppet-lint", "vox-pupuli", "style", "security", "pedantic"];

/// Returns the codes that a name in settings selects: those of a group, or all codes with this name; none if
/// the name is unknown.
pub fn rules_named(name: &str) -> Vec<Code> {
    let checks = |wanted: fn(&StyleCheck) -> bool| -> Vec<Code> {
        CHECKS.iter().filter(|it| it.is_own_rule() && wanted(it)).map(|it| it.code).collect()
    };
    match name {
        "puppet-lint" => checks(|it| it.is_default && it.origin == CheckOrigin::PuppetLint),
        "vox-pupuli" => checks(|it| it.is_default && it.origin == CheckOrigin::VoxPupuli),
        "style" => checks(|it| it.is_default && it.origin != CheckOrigin::Plugin),
        "security" => Code::ALL.iter().copied().filter(|it| it.is_security()).collect(),
        "pedantic" => Code::ALL.iter().copied().filter(|it| it.is_off() || it.is_style()).collect(),
        _ => Code::ALL.iter().copied().filter(|it| is_name_of(*it, name)).collect(),
    }
}

/// Returns true if comments and settings may refer to the code by this name.
pub(crate) fn is_name_of(code: Code, name: &str) -> bool {
    same_name(code.as_str(), name) || code.puppet_lint_names().iter().any(|known| same_name(known, name))
}

/// Compares names of rules; `-` and `_` are equal.
fn same_name(a: &str, b: &str) -> bool {
    let fold = |byte: u8| if byte == b'_' { b'-' } else { byte };
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(a, b)| fold(a) == fold(b))
}

/// Folder of the rules of a group of the table.
macro_rules! folder {
    (Style) => {
        "analysis/lint/src/checks/"
    };
    ($group:ident) => {
        "analysis/check/src/rules/"
    };
}

macro_rules! pages {
    ($($group:ident {
        $($name:ident
            $(= $text:literal, $severity:ident, [$($downgrades:ident),*], [$($lint:literal),*])?
            $(: $origin:ident $check:literal, $level:ident, $default:ident, $fix:ident, $run:path)?;)*
    })*) => {
        /// Rules, indexed by the discriminant of the code. A code without documentation does not compile.
        const RULES: &[Rule] = &[$($($(Rule {
            code: Code::$name,
            documentation: include_str!(concat!("../../../", folder!($group), $text, "/page.md")),
            page: concat!(folder!($group), $text, "/page.md"),
        },)?)*)*];
    };
}

codes::with_codes!(pages);

/// Returns the configured level of a rule, which may be set by its puppet-lint name too.
pub(crate) fn level(db: &dyn Db, environment: Environment, code: Code) -> Option<LintLevel> {
    let levels = environment.lint_levels(db);
    if levels.is_empty() {
        return None;
    }
    let by_code = levels.get(code.as_str());
    by_code
        .or_else(|| levels.iter().find(|(name, _)| is_name_of(code, name)).map(|(_, level)| level))
        .copied()
}
