#![doc = include_str!("../../pages/missing-module.md")]

use crate::Rule;
use crate::rule::documented_rule;

// The rules on names note what they miss; `crate::findings` tells it.
pub(crate) const RULE: Rule = documented_rule!("missing-module", Hint, []);
