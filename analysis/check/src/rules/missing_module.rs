#![doc = include_str!("../../pages/missing-module.md")]

use super::documented_rule;
use crate::Rule;

// The rules on names note what they miss; `crate::findings` tells it.
pub(crate) const RULE: Rule = documented_rule!("missing-module", Hint, []);
