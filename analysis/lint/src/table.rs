//! All checks, a row each.

use crate::Level::{self, Error, Warning};
use crate::checks::{classes, comments, conditionals, documentation, facts, nodes, parameters, resources, strings, variables, whitespace};
use crate::manifest::Manifest;
use crate::report::Report;

/// A check.
pub struct Check {
    /// Its name, as puppet-lint and its plugins have it.
    pub name: &'static str,
    /// How bad its findings are.
    pub level: Level,
    /// Whether puppet-lint looks for it unless it is told not to.
    pub is_default: bool,
    /// What its edits do.
    pub fix: Fix,
    pub(crate) run: fn(&Manifest, &mut Report),
}

/// What the edits of a check do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fix {
    /// It has none.
    None,
    /// The catalog stays the same.
    Safe,
    /// They may change what Puppet does, or what others have to write.
    Unsafe,
}

const ON: bool = true;
const OFF: bool = false;

const fn row(name: &'static str, level: Level, is_default: bool, fix: Fix, run: fn(&Manifest, &mut Report)) -> Check {
    Check { name, level, is_default, fix, run }
}

/// In the order in which puppet-lint and its plugins bring them.
#[rustfmt::skip]
pub static CHECKS: &[Check] = &[
    row("arrow_on_right_operand_line", Warning, ON, Fix::Safe, classes::arrow_on_right_operand_line::check),
    row("autoloader_layout", Error, ON, Fix::None, classes::autoloader_layout::check),
    row("class_inherits_from_params_class", Warning, OFF, Fix::None, classes::class_inherits_from_params_class::check),
    row("code_on_top_scope", Warning, OFF, Fix::None, classes::code_on_top_scope::check),
    row("inherits_across_namespaces", Warning, ON, Fix::None, classes::inherits_across_namespaces::check),
    row("names_containing_dash", Error, ON, Fix::None, classes::names_containing_dash::check),
    row("names_containing_uppercase", Error, ON, Fix::Unsafe, classes::names_containing_uppercase::check),
    row("nested_classes_or_defines", Warning, ON, Fix::None, classes::nested_classes_or_defines::check),
    row("parameter_order", Warning, ON, Fix::None, classes::parameter_order::check),
    row("right_to_left_relationship", Warning, ON, Fix::None, classes::right_to_left_relationship::check),
    row("variable_scope", Warning, ON, Fix::None, variables::variable_scope::check),
    row("slash_comments", Warning, ON, Fix::Safe, comments::slash_comments::check),
    row("star_comments", Warning, ON, Fix::Safe, comments::star_comments::check),
    row("case_without_default", Warning, ON, Fix::None, conditionals::case_without_default::check),
    row("selector_inside_resource", Warning, ON, Fix::None, conditionals::selector_inside_resource::check),
    row("documentation", Warning, ON, Fix::None, documentation::documentation::check),
    row("unquoted_node_name", Warning, ON, Fix::Safe, nodes::unquoted_node_name::check),
    row("duplicate_params", Error, ON, Fix::None, resources::duplicate_params::check),
    row("ensure_first_param", Warning, ON, Fix::Safe, resources::ensure_first_param::check),
    row("ensure_not_symlink_target", Warning, ON, Fix::Safe, resources::ensure_not_symlink_target::check),
    row("file_mode", Warning, ON, Fix::Safe, resources::file_mode::check),
    row("unquoted_file_mode", Warning, ON, Fix::Safe, resources::unquoted_file_mode::check),
    row("unquoted_resource_title", Warning, ON, Fix::Safe, resources::unquoted_resource_title::check),
    row("double_quoted_strings", Warning, ON, Fix::Safe, strings::double_quoted_strings::check),
    row("only_variable_string", Warning, ON, Fix::Unsafe, strings::only_variable_string::check),
    row("puppet_url_without_modules", Warning, ON, Fix::Unsafe, strings::puppet_url_without_modules::check),
    row("quoted_booleans", Warning, OFF, Fix::Unsafe, strings::quoted_booleans::check),
    row("single_quote_string_with_variables", Error, ON, Fix::None, strings::single_quote_string_with_variables::check),
    row("variables_not_enclosed", Warning, ON, Fix::Safe, strings::variables_not_enclosed::check),
    row("variable_contains_dash", Warning, ON, Fix::None, variables::variable_contains_dash::check),
    row("variable_is_lowercase", Warning, ON, Fix::None, variables::variable_is_lowercase::check),
    row("140chars", Warning, ON, Fix::None, whitespace::line_length::of_140),
    row("80chars", Warning, OFF, Fix::None, whitespace::line_length::of_80),
    row("2sp_soft_tabs", Error, ON, Fix::None, whitespace::blanks::two_spaces),
    row("arrow_alignment", Warning, ON, Fix::Safe, whitespace::arrow_alignment::check),
    row("hard_tabs", Error, ON, Fix::Safe, whitespace::blanks::hard_tabs),
    row("space_before_arrow", Warning, ON, Fix::Safe, whitespace::arrows::before),
    row("trailing_whitespace", Error, ON, Fix::Safe, whitespace::blanks::trailing),
    row("legacy_facts", Warning, ON, Fix::Unsafe, facts::legacy_facts::check),
    row("top_scope_facts", Warning, ON, Fix::Unsafe, facts::top_scope_facts::check),
    row("relative_classname_inclusion", Warning, ON, Fix::Safe, classes::class_names::included),
    row("relative_classname_reference", Warning, ON, Fix::Safe, classes::class_names::referred),
    row("anchor_resource", Warning, ON, Fix::None, resources::anchor_resource::check),
    row("exec_idempotency", Warning, ON, Fix::None, resources::exec_idempotency::check),
    row("file_ensure", Warning, ON, Fix::Unsafe, resources::file_ensure::check),
    row("leading_zero", Warning, ON, Fix::Unsafe, strings::leading_zero::check),
    row("lookup_in_parameter", Warning, ON, Fix::None, parameters::lookup_in_parameter::check),
    row("manifest_whitespace_arrows_single_space_after", Error, ON, Fix::Safe, whitespace::arrows::after),
    row("manifest_whitespace_inherits_name_single_space_before", Error, ON, Fix::Safe, whitespace::names::before_inherited),
    row("manifest_whitespace_class_name_single_space_before", Error, ON, Fix::Safe, whitespace::names::before),
    row("manifest_whitespace_class_name_single_space_after", Error, ON, Fix::Safe, whitespace::names::after),
    row("manifest_whitespace_opening_brace_before", Error, ON, Fix::Safe, whitespace::braces::before_opening),
    row("manifest_whitespace_opening_brace_after", Error, ON, Fix::Safe, whitespace::braces::after_opening),
    row("manifest_whitespace_closing_brace_before", Error, ON, Fix::Safe, whitespace::braces::before_closing),
    row("manifest_whitespace_closing_brace_after", Error, ON, Fix::Safe, whitespace::braces::after_closing),
    row("manifest_whitespace_opening_bracket_before", Error, ON, Fix::Safe, whitespace::brackets::before_opening),
    row("manifest_whitespace_opening_bracket_after", Error, ON, Fix::Safe, whitespace::brackets::after_opening),
    row("manifest_whitespace_closing_bracket_before", Error, ON, Fix::Safe, whitespace::brackets::before_closing),
    row("manifest_whitespace_closing_bracket_after", Error, ON, Fix::Safe, whitespace::braces::after_closing_bracket),
    row("manifest_whitespace_two_empty_lines", Error, ON, Fix::Safe, whitespace::line_breaks::two_empty),
    row("manifest_whitespace_newline_beginning_of_file", Error, ON, Fix::Safe, whitespace::line_breaks::at_beginning),
    row("manifest_whitespace_missing_newline_end_of_file", Error, ON, Fix::Safe, whitespace::line_breaks::missing_at_end),
    row("manifest_whitespace_double_newline_end_of_file", Error, ON, Fix::Safe, whitespace::line_breaks::double_at_end),
    row("optional_default", Warning, ON, Fix::None, parameters::optional_default::check),
    row("package_ensure", Warning, ON, Fix::Unsafe, resources::package_ensure::check),
    row("parameter_documentation", Warning, ON, Fix::None, documentation::parameter_documentation::check),
    row("params_empty_string_assignment", Warning, ON, Fix::None, parameters::params_empty_string_assignment::check),
    row("params_not_optional_with_undef", Warning, ON, Fix::None, parameters::params_not_optional_with_undef::check),
    row("parameter_types", Warning, ON, Fix::None, parameters::parameter_types::check),
    row("resource_reference_without_title_capital", Error, ON, Fix::None, resources::references::without_title_capital),
    row("resource_reference_with_unquoted_title", Error, ON, Fix::Safe, resources::references::with_unquoted_title),
    row("resource_reference_without_whitespace", Error, ON, Fix::None, resources::references::without_whitespace),
    row("resource_reference_chain_without_whitespace", Error, ON, Fix::None, resources::references::chain_without_whitespace),
    row("strict_indent", Warning, ON, Fix::Safe, whitespace::strict_indent::check),
    row("topscope_variable", Warning, ON, Fix::Safe, variables::topscope_variable::check),
    row("trailing_comma", Warning, ON, Fix::Safe, resources::trailing_comma::check),
    row("unquoted_string_in_case", Warning, ON, Fix::Safe, strings::unquoted_string::in_case),
    row("unquoted_string_in_selector", Warning, ON, Fix::Safe, strings::unquoted_string::in_selector),
    row("variable_contains_upcase", Warning, ON, Fix::Unsafe, variables::variable_contains_upcase::check),
    row("version_comparison", Warning, ON, Fix::Unsafe, variables::version_comparison::check),
    row("check_unsafe_interpolations", Warning, ON, Fix::None, resources::check_unsafe_interpolations::check),
];
