#![doc = include_str!("unused_variable.md")]

use super::documented_rule;
use crate::Rule;

pub(super) const RULE: Rule = documented_rule!("unused-variable", "unused_variable", Hint, []);
