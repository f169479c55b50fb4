#![doc = include_str!("../../pages/undocumented-parameter.md")]

use crate::Rule;
use crate::rule::documented_rule;

pub(super) const RULE: Rule = documented_rule!("undocumented-parameter", Off, ["parameter_documentation"]);
