//! Checks for parameters of classes and defined types.

pub(crate) mod lookup_in_parameter;
pub(crate) mod optional_default;
pub(crate) mod parameter_types;
pub(crate) mod params_empty_string_assignment;
pub(crate) mod params_not_optional_with_undef;
