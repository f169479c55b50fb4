#![doc = include_str!("../../pages/unused-parameter.md")]

use crate::Rule;
use crate::rule::documented_rule;

pub(super) const RULE: Rule = documented_rule!("unused-parameter", Hint, []);
