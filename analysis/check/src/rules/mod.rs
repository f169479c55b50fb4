//! Rules, one file each, with a page of documentation in `pages/` for every code.
//!
//! A rule is a row in the table of `codes` and a function in this module that takes a [`RuleContext`]. A test
//! enforces the form of the documentation and runs its examples.

mod call_arguments;
mod cycle;
mod documentation_tags;
mod documented_parameters;
mod double_negation;
mod duplicate_declaration;
mod duplicate_definition;
mod failing_class;
mod failing_node;
mod failures;
mod function_rewrites;
mod incomplete_module_data;
pub(crate) mod legacy_fact;
mod mentions;
mod missing_parameter;
mod parameter_like_metaparameter;
mod parameter_order;
mod private_class;
mod reach;
mod redacted_text;
pub(crate) mod removed_function;
mod resource_value;
mod security;
mod sensitive_default;
mod template_mentions;
mod undeclared_dependency;
mod unknown;
mod unknown_attribute;
mod unknown_class;
pub(crate) mod unknown_fact;
mod unknown_file;
mod unknown_function;
mod unknown_reference;
mod unknown_resource_type;
mod unknown_task;
pub(crate) mod unknown_template_variable;
mod unknown_type;
mod unknown_variable;
mod unmatched_selector;
mod unreachable;
mod unused;
mod value_mismatch;

use crate::context::RuleContext;
pub(crate) use mentions::is_named_in_code;

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn project::Db, files: usize) {
    mentions::set_lru_capacities(db, files);
    template_mentions::set_lru_capacities(db, files);
    missing_parameter::set_lru_capacities(db, files);
    unused::set_lru_capacities(db, files);
}

/// Function that checks a file or a part of one and reports its findings.
pub(crate) type Check = fn(&mut RuleContext<'_>);

/// Rules of [`crate::Tier::Names`].
pub(crate) const NAME_CHECKS: &[Check] = &[
    cycle::check,
    documentation_tags::check,
    documented_parameters::check,
    duplicate_declaration::check,
    duplicate_definition::check,
    incomplete_module_data::check,
    parameter_order::check,
    double_negation::check,
    sensitive_default::check,
    private_class::check,
    removed_function::check,
    undeclared_dependency::check,
    unreachable::check,
    unknown_file::check,
    unused::check,
    missing_parameter::check,
    parameter_like_metaparameter::check,
    unknown_attribute::check,
    unknown_class::check,
    unknown_fact::check,
    unknown_function::check,
    unknown_reference::check,
    unknown_resource_type::check,
    unknown_task::check,
    unknown_type::check,
    unknown_variable::check,
];

/// Rules of [`crate::Tier::Evaluation`].
pub(crate) const VALUE_CHECKS: &[Check] = &[
    value_mismatch::check,
    call_arguments::check,
    redacted_text::check,
    resource_value::check,
    unmatched_selector::check,
    security::check,
];

pub(crate) use duplicate_definition::MAX_DUPLICATE_DEFINITIONS;
pub(crate) use failing_class::{failing_classes, is_role};
pub(crate) use failing_node::failing_nodes;
pub(crate) use failures::is_of_project;
