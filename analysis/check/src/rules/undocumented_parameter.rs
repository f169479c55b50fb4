#![doc = include_str!("../../pages/undocumented-parameter.md")]

use super::documented_rule;
use crate::Rule;

pub(super) const RULE: Rule = documented_rule!("undocumented-parameter", Off, ["parameter_documentation"]);
