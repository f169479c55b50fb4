//! Checks for classes and defined types: names, file locations, order, chains.

pub(crate) mod arrow_on_right_operand_line;
pub(crate) mod autoloader_layout;
pub(crate) mod class_inherits_from_params_class;
pub(crate) mod class_names;
pub(crate) mod code_on_top_scope;
pub(crate) mod inherits_across_namespaces;
pub(crate) mod names_containing_dash;
pub(crate) mod names_containing_uppercase;
pub(crate) mod nested_classes_or_defines;
pub(crate) mod parameter_order;
pub(crate) mod right_to_left_relationship;
