//! The rules: one file each, its documentation beside it.
//!
//! A rule is a constant `RULE` and a function that looks at a [`Context`]. The documentation has a fixed form, which a
//! test holds it to: a line that says what is found, `## Why`, `## Bad` and `## Good` with examples that the test runs,
//! and `## Fix`.

mod evaluator_codes;
mod mentions;
mod metadata_codes;
mod parser_codes;
mod static_codes;
mod unused;
mod unused_parameter;
mod unused_variable;

use project::LintLevel;

use crate::Rule;
use crate::context::Context;

/// Looks at a file and reports what it finds.
pub(crate) type Check = fn(&mut Context<'_>);

/// The rules of the tier of names.
pub(crate) const NAME_CHECKS: &[Check] = &[unused::check];

const OWN_RULES: &[Rule] = &[unused_parameter::RULE, unused_variable::RULE];

/// Everything a finding may be about.
pub(crate) fn all() -> impl Iterator<Item = Rule> {
    let table = |codes: &'static [CodeRow], is_fixed: bool| {
        codes.iter().map(move |(code, level, documentation)| Rule {
            code,
            level: *level,
            is_fixed,
            puppet_lint_names: &[],
            documentation,
            page: None,
        })
    };
    let parser = table(parser_codes::CODES, true);
    let others = table(static_codes::CODES, false).chain(table(evaluator_codes::CODES, false));
    let others = others.chain(table(metadata_codes::CODES, false));
    parser.chain(others).chain(OWN_RULES.iter().copied())
}

/// Is this the code of a text that cannot be read as Puppet code?
pub(crate) fn is_syntax_error(code: &str) -> bool {
    parser_codes::CODES.iter().any(|(known, ..)| *known == code)
}

/// Code, level, and what it says, in a line.
type CodeRow = (&'static str, LintLevel, &'static str);

/// A rule whose documentation lies beside its file.
macro_rules! documented_rule {
    ($code:literal, $file:literal, $level:ident, [$($name:literal),*]) => {
        crate::Rule {
            code: $code,
            level: project::LintLevel::$level,
            is_fixed: false,
            puppet_lint_names: &[$($name),*],
            documentation: include_str!(concat!($file, ".md")),
            page: Some(concat!("analysis/check/src/rules/", $file, ".md")),
        }
    };
}
pub(crate) use documented_rule;
