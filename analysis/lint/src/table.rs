//! All checks, a row each.

use codes::Code;

use crate::Level::{self, Error, Warning};
use crate::checks::{
    classes, comments, conditionals, facts, nodes, parameters, resources, strings, variables, whitespace,
};
use crate::manifest::Manifest;
use crate::report::CheckReport;

/// A check.
pub struct StyleCheck {
    /// The rule of `check` that it is, or that says the same.
    pub code: Code,
    /// Who looks for it besides.
    pub origin: CheckOrigin,
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
    pub(crate) run: fn(&Manifest, &mut CheckReport),
}

/// Do the fixes of a rule leave what Puppet reads?
pub fn is_layout(code: Code) -> bool {
    CHECKS.iter().any(|it| it.code == code && it.fix == Fix::Layout)
}

impl Fix {
    /// Does it leave what the code does?
    pub fn is_safe(self) -> bool {
        matches!(self, Fix::Layout | Fix::Safe)
    }
}

impl StyleCheck {
    /// Is the code a rule of its own? If not, another rule of `check` says the same, and better.
    pub fn is_own_rule(&self) -> bool {
        self.code.is_style()
    }
}

/// Who brings a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckOrigin {
    /// puppet-lint itself.
    PuppetLint,
    /// The plugins that Vox Pupuli puts together.
    VoxPupuli,
    /// A plugin of its own.
    Plugin,
    /// This tool alone.
    Own,
}

/// What the edits of a check do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fix {
    /// It has none.
    None,
    /// Puppet reads the same.
    Layout,
    /// The catalog stays the same.
    Safe,
    /// They may change what Puppet does, or what others have to write.
    Unsafe,
}

const ON: bool = true;
const OFF: bool = false;
const CORE: CheckOrigin = CheckOrigin::PuppetLint;
const VOX: CheckOrigin = CheckOrigin::VoxPupuli;
const OTHER: CheckOrigin = CheckOrigin::Plugin;
const OWN: CheckOrigin = CheckOrigin::Own;

const fn row(
    (code, origin): (Code, CheckOrigin),
    name: &'static str,
    summary: &'static str,
    level: Level,
    is_default: bool,
    fix: Fix,
    run: fn(&Manifest, &mut CheckReport),
) -> StyleCheck {
    StyleCheck { code, origin, name, summary, level, is_default, fix, run }
}

/// In the order in which puppet-lint and its plugins bring them.
#[rustfmt::skip]
pub static CHECKS: &[StyleCheck] = &[
    row((Code::ArrowOnRightOperandLine, CORE), "arrow_on_right_operand_line", "The arrow of a chain stands at the end of a line; it belongs on the line of its right operand.", Warning, ON, Fix::Layout, classes::arrow_on_right_operand_line::check),
    row((Code::IllegalDefinitionLocation, CORE), "autoloader_layout", "A class or defined type is in a file where Puppet does not look for it.", Error, ON, Fix::None, classes::autoloader_layout::check),
    row((Code::ClassInheritsFromParamsClass, CORE), "class_inherits_from_params_class", "A class inherits its defaults from a class `params`; data in the module do the same.", Warning, OFF, Fix::None, classes::class_inherits_from_params_class::check),
    row((Code::CodeOnTopScope, CORE), "code_on_top_scope", "Code stands outside of classes and defined types.", Warning, OFF, Fix::None, classes::code_on_top_scope::check),
    row((Code::InheritsAcrossNamespaces, CORE), "inherits_across_namespaces", "A class inherits one of another module.", Warning, ON, Fix::None, classes::inherits_across_namespaces::check),
    row((Code::IllegalDefinitionName, CORE), "names_containing_dash", "The name of a class or defined type has a dash.", Error, ON, Fix::None, classes::names_containing_dash::check),
    row((Code::NamesContainingUppercase, CORE), "names_containing_uppercase", "The name of a class or defined type has a capital letter.", Error, ON, Fix::Unsafe, classes::names_containing_uppercase::check),
    row((Code::NestedClassesOrDefines, CORE), "nested_classes_or_defines", "A class or defined type is defined within a class.", Warning, ON, Fix::None, classes::nested_classes_or_defines::check),
    row((Code::ParameterOrder, CORE), "parameter_order", "A parameter that must be given stands behind one that need not.", Warning, ON, Fix::None, classes::parameter_order::check),
    row((Code::RightToLeftRelationship, CORE), "right_to_left_relationship", "A chain reads from right to left.", Warning, ON, Fix::None, classes::right_to_left_relationship::check),
    row((Code::UnknownVariable, CORE), "variable_scope", "A class or defined type uses a variable that it does not set, without its namespace.", Warning, ON, Fix::None, variables::variable_scope::check),
    row((Code::SlashComments, CORE), "slash_comments", "A comment begins with `//`, which Puppet takes for an empty regular expression.", Warning, ON, Fix::Safe, comments::slash_comments::check),
    row((Code::StarComments, CORE), "star_comments", "A comment stands between `/*` and `*/`.", Warning, ON, Fix::Layout, comments::star_comments::check),
    row((Code::CaseWithoutDefault, CORE), "case_without_default", "A `case` says nothing of all other values.", Warning, ON, Fix::None, conditionals::case_without_default::check),
    row((Code::SelectorInsideResource, CORE), "selector_inside_resource", "The value of an attribute is a selector.", Warning, ON, Fix::None, conditionals::selector_inside_resource::check),
    row((Code::Documentation, CORE), "documentation", "A class or defined type has no comment directly above it.", Warning, ON, Fix::None, comments::documentation::check),
    row((Code::UnquotedNodeName, CORE), "unquoted_node_name", "The name of a node has no quotes.", Warning, ON, Fix::Safe, nodes::unquoted_node_name::check),
    row((Code::DuplicateAttribute, CORE), "duplicate_params", "A resource has an attribute twice.", Error, ON, Fix::None, resources::duplicate_params::check),
    row((Code::EnsureFirstParam, CORE), "ensure_first_param", "`ensure` is not the first attribute of a resource.", Warning, ON, Fix::Safe, resources::ensure_first_param::check),
    row((Code::EnsureNotSymlinkTarget, CORE), "ensure_not_symlink_target", "The value of a file's `ensure` is the target of a link.", Warning, ON, Fix::Safe, resources::ensure_not_symlink_target::check),
    row((Code::FileMode, CORE), "file_mode", "A mode has neither four octal digits nor letters.", Warning, ON, Fix::Safe, resources::file_mode::check),
    row((Code::UnquotedFileMode, CORE), "unquoted_file_mode", "A mode has no quotes.", Warning, ON, Fix::Safe, resources::unquoted_file_mode::check),
    row((Code::UnquotedResourceTitle, CORE), "unquoted_resource_title", "The title of a resource has no quotes.", Warning, ON, Fix::Safe, resources::unquoted_resource_title::check),
    row((Code::DoubleQuotedStrings, CORE), "double_quoted_strings", "A string has double quotes, and nothing in it needs them.", Warning, ON, Fix::Layout, strings::double_quoted_strings::check),
    row((Code::OnlyVariableString, CORE), "only_variable_string", "A string is nothing but a variable.", Warning, ON, Fix::Unsafe, strings::only_variable_string::check),
    row((Code::PuppetUrlWithoutModules, CORE), "puppet_url_without_modules", "The path of a `puppet:` URL does not begin with `modules/`.", Warning, ON, Fix::Unsafe, strings::puppet_url_without_modules::check),
    row((Code::QuotedBooleans, CORE), "quoted_booleans", "`true` or `false` is a string.", Warning, OFF, Fix::Unsafe, strings::quoted_booleans::check),
    row((Code::SingleQuoteStringWithVariables, CORE), "single_quote_string_with_variables", "A string in single quotes has `${`, and nothing is interpolated there.", Error, ON, Fix::None, strings::single_quote_string_with_variables::check),
    row((Code::VariablesNotEnclosed, CORE), "variables_not_enclosed", "A variable in a string has no braces.", Warning, ON, Fix::Safe, strings::variables_not_enclosed::check),
    row((Code::VariableContainsDash, CORE), "variable_contains_dash", "A dash follows a variable directly; it is none of its name.", Warning, ON, Fix::None, variables::variable_contains_dash::check),
    row((Code::VariableIsLowercase, CORE), "variable_is_lowercase", "A variable has a capital letter.", Warning, ON, Fix::None, variables::variable_is_lowercase::check),
    row((Code::Chars140, CORE), "140chars", "A line has more than 140 characters; one with a URL or a call of `template` may.", Warning, ON, Fix::None, whitespace::line_length::of_140),
    row((Code::Chars80, CORE), "80chars", "A line has more than 80 characters; one with a URL or a call of `template` may.", Warning, OFF, Fix::None, whitespace::line_length::of_80),
    row((Code::SoftTabs, CORE), "2sp_soft_tabs", "A line is indented by an odd number of blanks.", Error, ON, Fix::None, whitespace::blanks::two_spaces),
    row((Code::ArrowAlignment, CORE), "arrow_alignment", "The arrows of a resource's attributes stand in different columns.", Warning, ON, Fix::Layout, whitespace::arrow_alignment::check),
    row((Code::HashArrowAlignment, OWN), "hash_arrow_alignment", "The arrows of a hash, a selector, defaults or an override stand in different columns.", Warning, OFF, Fix::Layout, whitespace::hash_arrow_alignment::check),
    row((Code::HardTabs, CORE), "hard_tabs", "There is a tab in the indentation or between words.", Error, ON, Fix::Layout, whitespace::blanks::hard_tabs),
    row((Code::SpaceBeforeArrow, CORE), "space_before_arrow", "A resource on one line has not one blank before an arrow.", Warning, ON, Fix::Layout, whitespace::arrows::before),
    row((Code::TrailingWhitespace, CORE), "trailing_whitespace", "There are blanks at the end of a line.", Error, ON, Fix::Layout, whitespace::blanks::trailing),
    row((Code::LegacyFact, CORE), "legacy_facts", "A fact is read that Puppet 8 does not send any more. Data of Hiera are looked at, too.", Warning, ON, Fix::Unsafe, facts::legacy_facts::check),
    row((Code::TopScopeFacts, CORE), "top_scope_facts", "A fact is read as a variable of the top scope, `$::name`, and not as `$facts['name']`.", Warning, ON, Fix::Unsafe, facts::top_scope_facts::check),
    row((Code::RelativeClassnameInclusion, VOX), "relative_classname_inclusion", "The name of an included or inherited class begins with `::`.", Warning, ON, Fix::Safe, classes::class_names::included),
    row((Code::RelativeClassnameReference, VOX), "relative_classname_reference", "The name in a reference to a class begins with `::`.", Warning, ON, Fix::Safe, classes::class_names::referred),
    row((Code::AnchorResource, VOX), "anchor_resource", "There is a resource of the type `anchor`; `contain` does what it is for.", Warning, ON, Fix::None, resources::anchor_resource::check),
    row((Code::ExecIdempotency, VOX), "exec_idempotency", "A command runs every time: it has none of `onlyif`, `unless`, `creates`, `refreshonly`.", Warning, ON, Fix::None, resources::exec_idempotency::check),
    row((Code::FileEnsure, VOX), "file_ensure", "`ensure => present` leaves open what a file is.", Warning, ON, Fix::Unsafe, resources::file_ensure::check),
    row((Code::LeadingZero, VOX), "leading_zero", "A number begins with a zero, and is octal.", Warning, ON, Fix::Unsafe, strings::leading_zero::check),
    row((Code::LookupInParameter, VOX), "lookup_in_parameter", "The default of a parameter is looked up in data.", Warning, ON, Fix::None, parameters::lookup_in_parameter::check),
    row((Code::ManifestWhitespaceArrowsSingleSpaceAfter, VOX), "manifest_whitespace_arrows_single_space_after", "There is not one blank behind `=>`.", Error, ON, Fix::Layout, whitespace::arrows::after),
    row((Code::ManifestWhitespaceInheritsNameSingleSpaceBefore, VOX), "manifest_whitespace_inherits_name_single_space_before", "There is not one blank between `inherits` and the class.", Error, ON, Fix::Layout, whitespace::names::before_inherited),
    row((Code::ManifestWhitespaceClassNameSingleSpaceBefore, VOX), "manifest_whitespace_class_name_single_space_before", "There is not one blank before the name of a class or defined type.", Error, ON, Fix::Layout, whitespace::names::before),
    row((Code::ManifestWhitespaceClassNameSingleSpaceAfter, VOX), "manifest_whitespace_class_name_single_space_after", "There is not one blank behind the name of a class or defined type.", Error, ON, Fix::Layout, whitespace::names::after),
    row((Code::ManifestWhitespaceOpeningBraceBefore, VOX), "manifest_whitespace_opening_brace_before", "There is not one blank before `{`.", Error, ON, Fix::Layout, whitespace::braces::before_opening),
    row((Code::ManifestWhitespaceOpeningBraceAfter, VOX), "manifest_whitespace_opening_brace_after", "There is neither one blank nor one line break behind `{`.", Error, ON, Fix::Layout, whitespace::braces::after_opening),
    row((Code::ManifestWhitespaceClosingBraceBefore, VOX), "manifest_whitespace_closing_brace_before", "There is neither one blank nor one line break before `}`.", Error, ON, Fix::Layout, whitespace::braces::before_closing),
    row((Code::ManifestWhitespaceClosingBraceAfter, VOX), "manifest_whitespace_closing_brace_after", "There is a blank, or a word, behind `}` where none belongs.", Error, ON, Fix::Layout, whitespace::braces::after_closing),
    row((Code::ManifestWhitespaceOpeningBracketBefore, VOX), "manifest_whitespace_opening_bracket_before", "There is not one blank before the `[` of a list.", Error, ON, Fix::Layout, whitespace::brackets::before_opening),
    row((Code::ManifestWhitespaceOpeningBracketAfter, VOX), "manifest_whitespace_opening_bracket_after", "There are blanks, or empty lines, behind `[`.", Error, ON, Fix::Layout, whitespace::brackets::after_opening),
    row((Code::ManifestWhitespaceClosingBracketBefore, VOX), "manifest_whitespace_closing_bracket_before", "There are blanks, or empty lines, before `]`.", Error, ON, Fix::Layout, whitespace::brackets::before_closing),
    row((Code::ManifestWhitespaceClosingBracketAfter, VOX), "manifest_whitespace_closing_bracket_after", "There is a blank, or a word, behind `]` where none belongs.", Error, ON, Fix::Layout, whitespace::braces::after_closing_bracket),
    row((Code::ManifestWhitespaceTwoEmptyLines, VOX), "manifest_whitespace_two_empty_lines", "There are two empty lines in a row.", Error, ON, Fix::Layout, whitespace::line_breaks::two_empty),
    row((Code::ManifestWhitespaceNewlineBeginningOfFile, VOX), "manifest_whitespace_newline_beginning_of_file", "The file begins with an empty line.", Error, ON, Fix::Layout, whitespace::line_breaks::at_beginning),
    row((Code::ManifestWhitespaceMissingNewlineEndOfFile, VOX), "manifest_whitespace_missing_newline_end_of_file", "The last line has no end.", Error, ON, Fix::Layout, whitespace::line_breaks::missing_at_end),
    row((Code::ManifestWhitespaceDoubleNewlineEndOfFile, VOX), "manifest_whitespace_double_newline_end_of_file", "The file ends with an empty line.", Error, ON, Fix::Layout, whitespace::line_breaks::double_at_end),
    row((Code::OptionalDefault, VOX), "optional_default", "An `Optional` parameter has a default that is not `undef`, or a defined type has one without a default.", Warning, ON, Fix::None, parameters::optional_default::check),
    row((Code::PackageEnsure, VOX), "package_ensure", "`ensure => latest` lets a package change whenever there is a new version.", Warning, ON, Fix::Unsafe, resources::package_ensure::check),
    row((Code::UndocumentedParameter, VOX), "parameter_documentation", "A parameter is not documented, or documented and not there.", Warning, ON, Fix::None, comments::parameter_documentation::check),
    row((Code::ParamsEmptyStringAssignment, VOX), "params_empty_string_assignment", "The default of a string is the empty string.", Warning, ON, Fix::None, parameters::params_empty_string_assignment::check),
    row((Code::DefaultMismatch, VOX), "params_not_optional_with_undef", "The default is `undef`, and the parameter is not `Optional`.", Warning, ON, Fix::None, parameters::params_not_optional_with_undef::check),
    row((Code::ParameterTypes, VOX), "parameter_types", "A parameter has no data type.", Warning, ON, Fix::None, parameters::parameter_types::check),
    row((Code::ResourceReferenceWithoutTitleCapital, VOX), "resource_reference_without_title_capital", "The title in a reference begins with a capital letter.", Error, ON, Fix::None, resources::references::without_title_capital),
    row((Code::ResourceReferenceWithUnquotedTitle, VOX), "resource_reference_with_unquoted_title", "The title in a reference has no quotes.", Error, ON, Fix::Safe, resources::references::with_unquoted_title),
    row((Code::SyntaxError, VOX), "resource_reference_without_whitespace", "There is a blank between the type of a reference and `[`.", Error, ON, Fix::None, resources::references::without_whitespace),
    row((Code::IllegalRelationshipOperandType, VOX), "resource_reference_chain_without_whitespace", "There is a blank between a type of Puppet's own and `[`.", Error, ON, Fix::None, resources::references::chain_without_whitespace),
    row((Code::StrictIndent, VOX), "strict_indent", "A line is not indented by what is open before it.", Warning, ON, Fix::Layout, whitespace::strict_indent::check),
    row((Code::TopscopeVariable, VOX), "topscope_variable", "A variable is written as `$::module::name`; `$module::name` is the same.", Warning, ON, Fix::Safe, variables::topscope_variable::check),
    row((Code::TrailingComma, VOX), "trailing_comma", "The last attribute, element or entry has no comma, and the closing bracket is on another line.", Warning, ON, Fix::Layout, resources::trailing_comma::check),
    row((Code::UnquotedStringInCase, VOX), "unquoted_string_in_case", "The option of a `case` has no quotes.", Warning, ON, Fix::Safe, strings::unquoted_string::in_case),
    row((Code::UnquotedStringInSelector, VOX), "unquoted_string_in_selector", "The option of a selector has no quotes.", Warning, ON, Fix::Safe, strings::unquoted_string::in_selector),
    row((Code::VariableContainsUpcase, VOX), "variable_contains_upcase", "The name of a variable has a capital letter.", Warning, ON, Fix::Unsafe, variables::variable_contains_upcase::check),
    row((Code::VersionComparison, VOX), "version_comparison", "A version is compared as a number.", Warning, ON, Fix::Unsafe, variables::version_comparison::check),
    row((Code::CheckUnsafeInterpolations, OTHER), "check_unsafe_interpolations", "A variable is put into the text of a command as it is; a shell may take it apart.", Warning, ON, Fix::None, resources::check_unsafe_interpolations::check),
];
