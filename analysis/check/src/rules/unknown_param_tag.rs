#![doc = include_str!("../../pages/unknown-param-tag.md")]

use crate::Rule;
use crate::rule::documented_rule;

pub(super) const RULE: Rule = documented_rule!("unknown-param-tag", Warning, ["parameter_documentation"]);
