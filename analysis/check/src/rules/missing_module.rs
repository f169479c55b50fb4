#![doc = include_str!("missing_module.md")]

use super::documented_rule;
use crate::Rule;
use crate::context::Context;

pub(super) const RULE: Rule = documented_rule!("missing-module", "missing_module", Hint, []);

/// Runs behind the rules on names, which note what they miss.
pub(super) fn check(context: &mut Context<'_>) {
    super::unknown::report_missing_modules(context);
}
