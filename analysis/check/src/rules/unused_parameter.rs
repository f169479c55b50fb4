#![doc = include_str!("unused_parameter.md")]

use super::documented_rule;
use crate::Rule;

pub(super) const RULE: Rule = documented_rule!("unused-parameter", "unused_parameter", Hint, []);
