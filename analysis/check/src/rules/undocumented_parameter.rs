#![doc = include_str!("undocumented_parameter.md")]

use super::documented_rule;
use crate::Rule;

pub(super) const RULE: Rule =
    documented_rule!("undocumented-parameter", "undocumented_parameter", Off, ["parameter_documentation"]);
