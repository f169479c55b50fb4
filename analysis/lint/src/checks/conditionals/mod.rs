//! Checks for `case` and selectors.

pub(crate) mod case_without_default;
pub(crate) mod selector_inside_resource;
