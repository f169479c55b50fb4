//! Checks for variables.

pub(crate) mod topscope_variable;
pub(crate) mod variable_contains_dash;
pub(crate) mod variable_contains_upcase;
pub(crate) mod variable_is_lowercase;
pub(crate) mod variable_scope;
pub(crate) mod version_comparison;
