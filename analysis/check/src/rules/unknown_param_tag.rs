#![doc = include_str!("unknown_param_tag.md")]

use super::documented_rule;
use crate::Rule;

pub(super) const RULE: Rule =
    documented_rule!("unknown-param-tag", "unknown_param_tag", Warning, ["parameter_documentation"]);
