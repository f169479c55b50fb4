//! All checks, a row each.

use crate::Level::{self, Error, Warning};
use crate::checks::{
    classes, comments, conditionals, documentation, facts, nodes, parameters, resources, strings, variables,
    whitespace,
};
use crate::manifest::Manifest;
use crate::report::Report;

/// A check.
pub struct Check {
    /// Its name, as puppet-lint and its plugins have it.
    pub name: &'static str,
    /// What it finds, in a sentence.
    pub summary: &'static str,
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

const fn row(
    name: &'static str,
    summary: &'static str,
    level: Level,
    is_default: bool,
    fix: Fix,
    run: fn(&Manifest, &mut Report),
) -> Check {
    Check { name, summary, level, is_default, fix, run }
}

/// In the order in which puppet-lint and its plugins bring them.
#[rustfmt::skip]
pub static CHECKS: &[Check] = &[
    row("arrow_on_right_operand_line", "The arrow of a chain stands at the end of a line; it belongs on the line of its right operand.", Warning, ON, Fix::Safe, classes::arrow_on_right_operand_line::check),
    row("autoloader_layout", "A class or defined type is in a file where Puppet does not look for it.", Error, ON, Fix::None, classes::autoloader_layout::check),
    row("class_inherits_from_params_class", "A class inherits its defaults from a class `params`; data in the module do the same.", Warning, OFF, Fix::None, classes::class_inherits_from_params_class::check),
    row("code_on_top_scope", "Code stands outside of classes and defined types.", Warning, OFF, Fix::None, classes::code_on_top_scope::check),
    row("inherits_across_namespaces", "A class inherits one of another module.", Warning, ON, Fix::None, classes::inherits_across_namespaces::check),
    row("names_containing_dash", "The name of a class or defined type has a dash.", Error, ON, Fix::None, classes::names_containing_dash::check),
    row("names_containing_uppercase", "The name of a class or defined type has a capital letter.", Error, ON, Fix::Unsafe, classes::names_containing_uppercase::check),
    row("nested_classes_or_defines", "A class or defined type is defined within a class.", Warning, ON, Fix::None, classes::nested_classes_or_defines::check),
    row("parameter_order", "A parameter that must be given stands behind one that need not.", Warning, ON, Fix::None, classes::parameter_order::check),
    row("right_to_left_relationship", "A chain reads from right to left.", Warning, ON, Fix::None, classes::right_to_left_relationship::check),
    row("variable_scope", "A class or defined type uses a variable that it does not set, without its namespace.", Warning, ON, Fix::None, variables::variable_scope::check),
    row("slash_comments", "A comment begins with `//`, which Puppet takes for an empty regular expression.", Warning, ON, Fix::Safe, comments::slash_comments::check),
    row("star_comments", "A comment stands between `/*` and `*/`.", Warning, ON, Fix::Safe, comments::star_comments::check),
    row("case_without_default", "A `case` says nothing of all other values.", Warning, ON, Fix::None, conditionals::case_without_default::check),
    row("selector_inside_resource", "The value of an attribute is a selector.", Warning, ON, Fix::None, conditionals::selector_inside_resource::check),
    row("documentation", "A class or defined type has no comment directly above it.", Warning, ON, Fix::None, documentation::documentation::check),
    row("unquoted_node_name", "The name of a node has no quotes.", Warning, ON, Fix::Safe, nodes::unquoted_node_name::check),
    row("duplicate_params", "A resource has an attribute twice.", Error, ON, Fix::None, resources::duplicate_params::check),
    row("ensure_first_param", "`ensure` is not the first attribute of a resource.", Warning, ON, Fix::Safe, resources::ensure_first_param::check),
    row("ensure_not_symlink_target", "The value of a file's `ensure` is the target of a link.", Warning, ON, Fix::Safe, resources::ensure_not_symlink_target::check),
    row("file_mode", "A mode has neither four octal digits nor letters.", Warning, ON, Fix::Safe, resources::file_mode::check),
    row("unquoted_file_mode", "A mode has no quotes.", Warning, ON, Fix::Safe, resources::unquoted_file_mode::check),
    row("unquoted_resource_title", "The title of a resource has no quotes.", Warning, ON, Fix::Safe, resources::unquoted_resource_title::check),
    row("double_quoted_strings", "A string has double quotes, and nothing in it needs them.", Warning, ON, Fix::Safe, strings::double_quoted_strings::check),
    row("only_variable_string", "A string is nothing but a variable.", Warning, ON, Fix::Unsafe, strings::only_variable_string::check),
    row("puppet_url_without_modules", "The path of a `puppet:` URL does not begin with `modules/`.", Warning, ON, Fix::Unsafe, strings::puppet_url_without_modules::check),
    row("quoted_booleans", "`true` or `false` is a string.", Warning, OFF, Fix::Unsafe, strings::quoted_booleans::check),
    row("single_quote_string_with_variables", "A string in single quotes has `${`, and nothing is interpolated there.", Error, ON, Fix::None, strings::single_quote_string_with_variables::check),
    row("variables_not_enclosed", "A variable in a string has no braces.", Warning, ON, Fix::Safe, strings::variables_not_enclosed::check),
    row("variable_contains_dash", "A dash follows a variable directly; it is none of its name.", Warning, ON, Fix::None, variables::variable_contains_dash::check),
    row("variable_is_lowercase", "A variable has a capital letter.", Warning, ON, Fix::None, variables::variable_is_lowercase::check),
    row("140chars", "A line has more than 140 characters; one with a URL or a call of `template` may.", Warning, ON, Fix::None, whitespace::line_length::of_140),
    row("80chars", "A line has more than 80 characters; one with a URL or a call of `template` may.", Warning, OFF, Fix::None, whitespace::line_length::of_80),
    row("2sp_soft_tabs", "A line is indented by an odd number of blanks.", Error, ON, Fix::None, whitespace::blanks::two_spaces),
    row("arrow_alignment", "The arrows of a resource's attributes stand in different columns.", Warning, ON, Fix::Safe, whitespace::arrow_alignment::check),
    row("hard_tabs", "There is a tab in the indentation or between words.", Error, ON, Fix::Safe, whitespace::blanks::hard_tabs),
    row("space_before_arrow", "A resource on one line has not one blank before an arrow.", Warning, ON, Fix::Safe, whitespace::arrows::before),
    row("trailing_whitespace", "There are blanks at the end of a line.", Error, ON, Fix::Safe, whitespace::blanks::trailing),
    row("legacy_facts", "A fact is read that Puppet 8 does not send any more. Data of Hiera are looked at, too.", Warning, ON, Fix::Unsafe, facts::legacy_facts::check),
    row("top_scope_facts", "A fact is read as a variable of the top scope, `$::name`, and not as `$facts['name']`.", Warning, ON, Fix::Unsafe, facts::top_scope_facts::check),
    row("relative_classname_inclusion", "The name of an included or inherited class begins with `::`.", Warning, ON, Fix::Safe, classes::class_names::included),
    row("relative_classname_reference", "The name in a reference to a class begins with `::`.", Warning, ON, Fix::Safe, classes::class_names::referred),
    row("anchor_resource", "There is a resource of the type `anchor`; `contain` does what it is for.", Warning, ON, Fix::None, resources::anchor_resource::check),
    row("exec_idempotency", "A command runs every time: it has none of `onlyif`, `unless`, `creates`, `refreshonly`.", Warning, ON, Fix::None, resources::exec_idempotency::check),
    row("file_ensure", "`ensure => present` leaves open what a file is.", Warning, ON, Fix::Unsafe, resources::file_ensure::check),
    row("leading_zero", "A number begins with a zero, and is octal.", Warning, ON, Fix::Unsafe, strings::leading_zero::check),
    row("lookup_in_parameter", "The default of a parameter is looked up in data.", Warning, ON, Fix::None, parameters::lookup_in_parameter::check),
    row("manifest_whitespace_arrows_single_space_after", "There is not one blank behind `=>`.", Error, ON, Fix::Safe, whitespace::arrows::after),
    row("manifest_whitespace_inherits_name_single_space_before", "There is not one blank between `inherits` and the class.", Error, ON, Fix::Safe, whitespace::names::before_inherited),
    row("manifest_whitespace_class_name_single_space_before", "There is not one blank before the name of a class or defined type.", Error, ON, Fix::Safe, whitespace::names::before),
    row("manifest_whitespace_class_name_single_space_after", "There is not one blank behind the name of a class or defined type.", Error, ON, Fix::Safe, whitespace::names::after),
    row("manifest_whitespace_opening_brace_before", "There is not one blank before `{`.", Error, ON, Fix::Safe, whitespace::braces::before_opening),
    row("manifest_whitespace_opening_brace_after", "There is neither one blank nor one line break behind `{`.", Error, ON, Fix::Safe, whitespace::braces::after_opening),
    row("manifest_whitespace_closing_brace_before", "There is neither one blank nor one line break before `}`.", Error, ON, Fix::Safe, whitespace::braces::before_closing),
    row("manifest_whitespace_closing_brace_after", "There is a blank, or a word, behind `}` where none belongs.", Error, ON, Fix::Safe, whitespace::braces::after_closing),
    row("manifest_whitespace_opening_bracket_before", "There is not one blank before the `[` of a list.", Error, ON, Fix::Safe, whitespace::brackets::before_opening),
    row("manifest_whitespace_opening_bracket_after", "There are blanks, or empty lines, behind `[`.", Error, ON, Fix::Safe, whitespace::brackets::after_opening),
    row("manifest_whitespace_closing_bracket_before", "There are blanks, or empty lines, before `]`.", Error, ON, Fix::Safe, whitespace::brackets::before_closing),
    row("manifest_whitespace_closing_bracket_after", "There is a blank, or a word, behind `]` where none belongs.", Error, ON, Fix::Safe, whitespace::braces::after_closing_bracket),
    row("manifest_whitespace_two_empty_lines", "There are two empty lines in a row.", Error, ON, Fix::Safe, whitespace::line_breaks::two_empty),
    row("manifest_whitespace_newline_beginning_of_file", "The file begins with an empty line.", Error, ON, Fix::Safe, whitespace::line_breaks::at_beginning),
    row("manifest_whitespace_missing_newline_end_of_file", "The last line has no end.", Error, ON, Fix::Safe, whitespace::line_breaks::missing_at_end),
    row("manifest_whitespace_double_newline_end_of_file", "The file ends with an empty line.", Error, ON, Fix::Safe, whitespace::line_breaks::double_at_end),
    row("optional_default", "An `Optional` parameter has a default that is not `undef`, or a defined type has one without a default.", Warning, ON, Fix::None, parameters::optional_default::check),
    row("package_ensure", "`ensure => latest` lets a package change whenever there is a new version.", Warning, ON, Fix::Unsafe, resources::package_ensure::check),
    row("parameter_documentation", "A parameter is not documented, or documented and not there.", Warning, ON, Fix::None, documentation::parameter_documentation::check),
    row("params_empty_string_assignment", "The default of a string is the empty string.", Warning, ON, Fix::None, parameters::params_empty_string_assignment::check),
    row("params_not_optional_with_undef", "The default is `undef`, and the parameter is not `Optional`.", Warning, ON, Fix::None, parameters::params_not_optional_with_undef::check),
    row("parameter_types", "A parameter has no data type.", Warning, ON, Fix::None, parameters::parameter_types::check),
    row("resource_reference_without_title_capital", "The title in a reference begins with a capital letter.", Error, ON, Fix::None, resources::references::without_title_capital),
    row("resource_reference_with_unquoted_title", "The title in a reference has no quotes.", Error, ON, Fix::Safe, resources::references::with_unquoted_title),
    row("resource_reference_without_whitespace", "There is a blank between the type of a reference and `[`.", Error, ON, Fix::None, resources::references::without_whitespace),
    row("resource_reference_chain_without_whitespace", "There is a blank between a type of Puppet's own and `[`.", Error, ON, Fix::None, resources::references::chain_without_whitespace),
    row("strict_indent", "A line is not indented by what is open before it.", Warning, ON, Fix::Safe, whitespace::strict_indent::check),
    row("topscope_variable", "A variable is written as `$::module::name`; `$module::name` is the same.", Warning, ON, Fix::Safe, variables::topscope_variable::check),
    row("trailing_comma", "The last attribute, element or entry has no comma, and the closing bracket is on another line.", Warning, ON, Fix::Safe, resources::trailing_comma::check),
    row("unquoted_string_in_case", "The option of a `case` has no quotes.", Warning, ON, Fix::Safe, strings::unquoted_string::in_case),
    row("unquoted_string_in_selector", "The option of a selector has no quotes.", Warning, ON, Fix::Safe, strings::unquoted_string::in_selector),
    row("variable_contains_upcase", "The name of a variable has a capital letter.", Warning, ON, Fix::Unsafe, variables::variable_contains_upcase::check),
    row("version_comparison", "A version is compared as a number.", Warning, ON, Fix::Unsafe, variables::version_comparison::check),
    row("check_unsafe_interpolations", "A variable is put into the text of a command as it is; a shell may take it apart.", Warning, ON, Fix::None, resources::check_unsafe_interpolations::check),
];
