#![doc = include_str!("../../pages/unused-variable.md")]

use super::documented_rule;
use crate::Rule;

pub(super) const RULE: Rule = documented_rule!("unused-variable", Hint, []);
