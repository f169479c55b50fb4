//! Table of checks.

use codes::Code;

use crate::Level::{self, Error, Warning};
use crate::checks::*;
use crate::manifest::Manifest;
use crate::report::CheckReport;

/// Check of puppet-lint or of a plugin.
pub struct StyleCheck {
    /// Rule of the check; if [`StyleCheck::is_own_rule`] is false, a rule of another crate that covers it.
    pub code: Code,
    /// Program or plugin that defines the check.
    pub origin: CheckOrigin,
    /// Name in puppet-lint or its plugin.
    pub name: &'static str,
    pub level: Level,
    /// True if the check is on by default.
    pub is_default: bool,
    /// Effect of the fixes.
    pub fix: Fix,
    pub(crate) run: fn(&Manifest, &mut CheckReport),
}

/// Returns true if the fixes of a rule only change formatting.
pub fn is_formatting_fix(code: Code) -> bool {
    CHECKS.iter().any(|it| it.code == code && it.fix == Fix::Formatting)
}

impl Fix {
    /// Returns true if the fix does not change the meaning of the code.
    pub fn is_safe(self) -> bool {
        matches!(self, Fix::Formatting | Fix::Safe)
    }
}

impl StyleCheck {
    /// Returns true if the check has a separate rule. Otherwise another rule of `check` covers it with more
    /// precision.
    pub fn is_own_rule(&self) -> bool {
        self.code.is_style()
    }
}

/// Origin of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckOrigin {
    /// puppet-lint.
    PuppetLint,
    /// Plugins in Vox Pupuli's collection.
    VoxPupuli,
    /// Another plugin.
    Plugin,
    /// This project.
    Own,
}

/// Effect of the fix of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fix {
    /// No fix.
    None,
    /// Fix that only changes formatting.
    Formatting,
    /// Fix without effect on the catalog.
    Safe,
    /// Fix that may change the catalog, or require changes in other code.
    Unsafe,
}

const ON: bool = true;
const OFF: bool = false;
const CORE: CheckOrigin = CheckOrigin::PuppetLint;
const VOX: CheckOrigin = CheckOrigin::VoxPupuli;
const OTHER: CheckOrigin = CheckOrigin::Plugin;
const OWN: CheckOrigin = CheckOrigin::Own;

const fn row(
    code: Code,
    origin: CheckOrigin,
    name: &'static str,
    level: Level,
    is_default: bool,
    fix: Fix,
    run: fn(&Manifest, &mut CheckReport),
) -> StyleCheck {
    StyleCheck { code, origin, name, level, is_default, fix, run }
}

/// All checks, in the order of puppet-lint and its plugins.
#[rustfmt::skip]
pub static CHECKS: &[StyleCheck] = &[
    row(Code::ArrowOnRightOperandLine, CORE, "arrow_on_right_operand_line", Warning, ON, Fix::Formatting, arrow_on_right_operand_line::check),
    row(Code::IllegalDefinitionLocation, CORE, "autoloader_layout", Error, ON, Fix::None, autoloader_layout::check),
    row(Code::ClassInheritsFromParamsClass, CORE, "class_inherits_from_params_class", Warning, OFF, Fix::None, class_inherits_from_params_class::check),
    row(Code::CodeOnTopScope, CORE, "code_on_top_scope", Warning, OFF, Fix::None, code_on_top_scope::check),
    row(Code::InheritsAcrossNamespaces, CORE, "inherits_across_namespaces", Warning, ON, Fix::None, inherits_across_namespaces::check),
    row(Code::IllegalDefinitionName, CORE, "names_containing_dash", Error, ON, Fix::None, names_containing_dash::check),
    row(Code::NamesContainingUppercase, CORE, "names_containing_uppercase", Error, ON, Fix::Unsafe, names_containing_uppercase::check),
    row(Code::NestedClassesOrDefines, CORE, "nested_classes_or_defines", Warning, ON, Fix::None, nested_classes_or_defines::check),
    row(Code::ParameterOrder, CORE, "parameter_order", Warning, ON, Fix::None, parameter_order::check),
    row(Code::RightToLeftRelationship, CORE, "right_to_left_relationship", Warning, ON, Fix::None, right_to_left_relationship::check),
    row(Code::UnknownVariable, CORE, "variable_scope", Warning, ON, Fix::None, variable_scope::check),
    row(Code::SlashComments, CORE, "slash_comments", Warning, ON, Fix::Safe, slash_comments::check),
    row(Code::StarComments, CORE, "star_comments", Warning, ON, Fix::Formatting, star_comments::check),
    row(Code::CaseWithoutDefault, CORE, "case_without_default", Warning, ON, Fix::None, case_without_default::check),
    row(Code::SelectorInsideResource, CORE, "selector_inside_resource", Warning, ON, Fix::None, selector_inside_resource::check),
    row(Code::Documentation, CORE, "documentation", Warning, ON, Fix::None, documentation::check),
    row(Code::UnquotedNodeName, CORE, "unquoted_node_name", Warning, ON, Fix::Safe, unquoted_node_name::check),
    row(Code::DuplicateAttribute, CORE, "duplicate_params", Error, ON, Fix::None, duplicate_params::check),
    row(Code::EnsureFirstParam, CORE, "ensure_first_param", Warning, ON, Fix::Safe, ensure_first_param::check),
    row(Code::EnsureNotSymlinkTarget, CORE, "ensure_not_symlink_target", Warning, ON, Fix::Safe, ensure_not_symlink_target::check),
    row(Code::FileMode, CORE, "file_mode", Warning, ON, Fix::Safe, file_mode::check),
    row(Code::UnquotedFileMode, CORE, "unquoted_file_mode", Warning, ON, Fix::Safe, unquoted_file_mode::check),
    row(Code::UnquotedResourceTitle, CORE, "unquoted_resource_title", Warning, ON, Fix::Safe, unquoted_resource_title::check),
    row(Code::DoubleQuotedStrings, CORE, "double_quoted_strings", Warning, ON, Fix::Formatting, double_quoted_strings::check),
    row(Code::OnlyVariableString, CORE, "only_variable_string", Warning, ON, Fix::Unsafe, only_variable_string::check),
    row(Code::PuppetUrlWithoutModules, CORE, "puppet_url_without_modules", Warning, ON, Fix::Unsafe, puppet_url_without_modules::check),
    row(Code::QuotedBooleans, CORE, "quoted_booleans", Warning, OFF, Fix::Unsafe, quoted_booleans::check),
    row(Code::SingleQuoteStringWithVariables, CORE, "single_quote_string_with_variables", Error, ON, Fix::None, single_quote_string_with_variables::check),
    row(Code::VariablesNotEnclosed, CORE, "variables_not_enclosed", Warning, ON, Fix::Safe, variables_not_enclosed::check),
    row(Code::VariableContainsDash, CORE, "variable_contains_dash", Warning, ON, Fix::None, variable_contains_dash::check),
    row(Code::VariableIsLowercase, CORE, "variable_is_lowercase", Warning, ON, Fix::None, variable_is_lowercase::check),
    row(Code::Chars140, CORE, "140chars", Warning, ON, Fix::None, line_length::of_140),
    row(Code::Chars80, CORE, "80chars", Warning, OFF, Fix::None, line_length::of_80),
    row(Code::SoftTabs, CORE, "2sp_soft_tabs", Error, ON, Fix::None, spaces::two_spaces),
    row(Code::ArrowAlignment, CORE, "arrow_alignment", Warning, ON, Fix::Formatting, arrow_alignment::check),
    row(Code::HashArrowAlignment, OWN, "hash_arrow_alignment", Warning, OFF, Fix::Formatting, hash_arrow_alignment::check),
    row(Code::HardTabs, CORE, "hard_tabs", Error, ON, Fix::Formatting, spaces::hard_tabs),
    row(Code::SpaceBeforeArrow, CORE, "space_before_arrow", Warning, ON, Fix::Formatting, arrows::before),
    row(Code::TrailingWhitespace, CORE, "trailing_whitespace", Error, ON, Fix::Formatting, spaces::trailing),
    row(Code::LegacyFact, CORE, "legacy_facts", Warning, ON, Fix::Unsafe, legacy_facts::check),
    row(Code::TopScopeFacts, CORE, "top_scope_facts", Warning, ON, Fix::Unsafe, top_scope_facts::check),
    row(Code::RelativeClassnameInclusion, VOX, "relative_classname_inclusion", Warning, ON, Fix::Safe, class_names::included),
    row(Code::RelativeClassnameReference, VOX, "relative_classname_reference", Warning, ON, Fix::Safe, class_names::referred),
    row(Code::AnchorResource, VOX, "anchor_resource", Warning, ON, Fix::None, anchor_resource::check),
    row(Code::ExecIdempotency, VOX, "exec_idempotency", Warning, ON, Fix::None, exec_idempotency::check),
    row(Code::FileEnsure, VOX, "file_ensure", Warning, ON, Fix::Unsafe, file_ensure::check),
    row(Code::LeadingZero, VOX, "leading_zero", Warning, ON, Fix::Unsafe, leading_zero::check),
    row(Code::LookupInParameter, VOX, "lookup_in_parameter", Warning, ON, Fix::None, lookup_in_parameter::check),
    row(Code::ManifestWhitespaceArrowsSingleSpaceAfter, VOX, "manifest_whitespace_arrows_single_space_after", Error, ON, Fix::Formatting, arrows::after),
    row(Code::ManifestWhitespaceInheritsNameSingleSpaceBefore, VOX, "manifest_whitespace_inherits_name_single_space_before", Error, ON, Fix::Formatting, names::before_inherited),
    row(Code::ManifestWhitespaceClassNameSingleSpaceBefore, VOX, "manifest_whitespace_class_name_single_space_before", Error, ON, Fix::Formatting, names::before),
    row(Code::ManifestWhitespaceClassNameSingleSpaceAfter, VOX, "manifest_whitespace_class_name_single_space_after", Error, ON, Fix::Formatting, names::after),
    row(Code::ManifestWhitespaceOpeningBraceBefore, VOX, "manifest_whitespace_opening_brace_before", Error, ON, Fix::Formatting, braces::before_opening),
    row(Code::ManifestWhitespaceOpeningBraceAfter, VOX, "manifest_whitespace_opening_brace_after", Error, ON, Fix::Formatting, braces::after_opening),
    row(Code::ManifestWhitespaceClosingBraceBefore, VOX, "manifest_whitespace_closing_brace_before", Error, ON, Fix::Formatting, braces::before_closing),
    row(Code::ManifestWhitespaceClosingBraceAfter, VOX, "manifest_whitespace_closing_brace_after", Error, ON, Fix::Formatting, braces::after_closing),
    row(Code::ManifestWhitespaceOpeningBracketBefore, VOX, "manifest_whitespace_opening_bracket_before", Error, ON, Fix::Formatting, brackets::before_opening),
    row(Code::ManifestWhitespaceOpeningBracketAfter, VOX, "manifest_whitespace_opening_bracket_after", Error, ON, Fix::Formatting, brackets::after_opening),
    row(Code::ManifestWhitespaceClosingBracketBefore, VOX, "manifest_whitespace_closing_bracket_before", Error, ON, Fix::Formatting, brackets::before_closing),
    row(Code::ManifestWhitespaceClosingBracketAfter, VOX, "manifest_whitespace_closing_bracket_after", Error, ON, Fix::Formatting, braces::after_closing_bracket),
    row(Code::ManifestWhitespaceTwoEmptyLines, VOX, "manifest_whitespace_two_empty_lines", Error, ON, Fix::Formatting, line_breaks::two_empty),
    row(Code::ManifestWhitespaceNewlineBeginningOfFile, VOX, "manifest_whitespace_newline_beginning_of_file", Error, ON, Fix::Formatting, line_breaks::at_beginning),
    row(Code::ManifestWhitespaceMissingNewlineEndOfFile, VOX, "manifest_whitespace_missing_newline_end_of_file", Error, ON, Fix::Formatting, line_breaks::missing_at_end),
    row(Code::ManifestWhitespaceDoubleNewlineEndOfFile, VOX, "manifest_whitespace_double_newline_end_of_file", Error, ON, Fix::Formatting, line_breaks::double_at_end),
    row(Code::OptionalDefault, VOX, "optional_default", Warning, ON, Fix::None, optional_default::check),
    row(Code::PackageEnsure, VOX, "package_ensure", Warning, ON, Fix::Unsafe, package_ensure::check),
    row(Code::UndocumentedParameter, VOX, "parameter_documentation", Warning, ON, Fix::None, parameter_documentation::check),
    row(Code::ParamsEmptyStringAssignment, VOX, "params_empty_string_assignment", Warning, ON, Fix::None, params_empty_string_assignment::check),
    row(Code::DefaultMismatch, VOX, "params_not_optional_with_undef", Warning, ON, Fix::None, params_not_optional_with_undef::check),
    row(Code::ParameterTypes, VOX, "parameter_types", Warning, ON, Fix::None, parameter_types::check),
    row(Code::ResourceReferenceWithoutTitleCapital, VOX, "resource_reference_without_title_capital", Error, ON, Fix::None, references::without_title_capital),
    row(Code::ResourceReferenceWithUnquotedTitle, VOX, "resource_reference_with_unquoted_title", Error, ON, Fix::Safe, references::with_unquoted_title),
    row(Code::SyntaxError, VOX, "resource_reference_without_whitespace", Error, ON, Fix::None, references::without_whitespace),
    row(Code::IllegalRelationshipOperandType, VOX, "resource_reference_chain_without_whitespace", Error, ON, Fix::None, references::chain_without_whitespace),
    row(Code::StrictIndent, VOX, "strict_indent", Warning, ON, Fix::Formatting, strict_indent::check),
    row(Code::TopscopeVariable, VOX, "topscope_variable", Warning, ON, Fix::Safe, topscope_variable::check),
    row(Code::TrailingComma, VOX, "trailing_comma", Warning, ON, Fix::Formatting, trailing_comma::check),
    row(Code::UnquotedStringInCase, VOX, "unquoted_string_in_case", Warning, ON, Fix::Safe, unquoted_string::in_case),
    row(Code::UnquotedStringInSelector, VOX, "unquoted_string_in_selector", Warning, ON, Fix::Safe, unquoted_string::in_selector),
    row(Code::VariableContainsUpcase, VOX, "variable_contains_upcase", Warning, ON, Fix::Unsafe, variable_contains_upcase::check),
    row(Code::VersionComparison, VOX, "version_comparison", Warning, ON, Fix::Unsafe, version_comparison::check),
    row(Code::CheckUnsafeInterpolations, OTHER, "check_unsafe_interpolations", Warning, ON, Fix::None, check_unsafe_interpolations::check),
];
