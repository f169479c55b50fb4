#![doc = include_str!("../../pages/unknown-param-tag.md")]

use super::documented_rule;
use crate::Rule;

pub(super) const RULE: Rule = documented_rule!("unknown-param-tag", Warning, ["parameter_documentation"]);
