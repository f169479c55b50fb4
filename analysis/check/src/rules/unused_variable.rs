#![doc = include_str!("../../pages/unused-variable.md")]

use crate::Rule;
use crate::rule::documented_rule;

pub(super) const RULE: Rule = documented_rule!("unused-variable", Hint, []);
