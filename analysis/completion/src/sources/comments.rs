//! What tools read in comments: checks to turn off, and the tags of documentation.

use syntax::ast;
use syntax::{AstNode, SyntaxNode};

use crate::CompletionRequest;
use crate::context::Remark;
use crate::item::{CompletionItem, CompletionKind};

pub(crate) fn items(request: &CompletionRequest<'_>, remark: &Remark) -> Vec<CompletionItem> {
    match remark {
        Remark::LintCheck => LINT_CHECKS
            .iter()
            .map(|(name, about)| CompletionItem::new(CompletionKind::LintCheck, *name).detail(*about))
            .chain(own_rules())
            .collect(),
        Remark::LintControl => vec![
            CompletionItem::new(CompletionKind::LintCheck, "lint:ignore:")
                .detail("from here, or on this line"),
            CompletionItem::new(CompletionKind::LintCheck, "lint:endignore").detail("up to here"),
        ],
        Remark::Tag => TAGS
            .iter()
            .map(|(tag, about)| {
                let snippet = (*tag == "@example").then(|| "@example ${1:title}\n  $0".to_owned());
                CompletionItem::new(CompletionKind::DocumentationTag, *tag).snippet(snippet).detail(*about)
            })
            .collect(),
        Remark::Parameter => parameters(request),
    }
}

/// The rules of `check` that comments can turn off, and that puppet-lint has no name for.
fn own_rules() -> impl Iterator<Item = CompletionItem> {
    let is_known = |code: &str| LINT_CHECKS.iter().any(|(name, _)| *name == code);
    // Those of style are called as puppet-lint has them.
    let name = |code: check::Code| match code.puppet_lint_names().first() {
        Some(name) if code.is_style() => *name,
        _ => code.as_str(),
    };
    let own = check::rule_table().iter().filter(move |it| !it.code.is_fixed() && !is_known(name(it.code)));
    own.map(move |rule| {
        let about = rule.documentation.lines().next().unwrap_or_default();
        CompletionItem::new(CompletionKind::LintCheck, name(rule.code)).detail(about).tier(2)
    })
}

/// The parameters of the definition behind the comment that have no documentation yet.
fn parameters(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let documented = documented(request.root, request.offset);
    let Some(definition) = definition_behind(request.root, request.offset) else { return Vec::new() };
    let list = definition.parameters();
    let parameters = list.iter().flat_map(ast::ParameterList::parameters);
    let left = parameters.filter_map(|it| Some((it.name()?, it)));
    left.filter(|(name, _)| !name.is_empty() && !documented.contains(name))
        .map(|(name, parameter)| {
            let ty = parameter.type_expr().map(|it| symbols::parameters::one_line(it.syntax().text()));
            CompletionItem::new(CompletionKind::Variable, name).detail(ty.unwrap_or_default()).tier(0)
        })
        .collect()
}

fn definition_behind(root: &SyntaxNode, offset: u32) -> Option<ast::Definition> {
    let mut token = root.tokens_at(offset).next()?;
    while token.kind().is_trivia() {
        token = token.next_token()?;
    }
    token.ancestors().find_map(ast::Definition::cast)
}

/// The names behind `@param` on the other lines of the comment.
fn documented(root: &SyntaxNode, offset: u32) -> Vec<String> {
    let mut names = Vec::new();
    let Some(own) = root.tokens_at(offset).next() else { return names };
    let mut read = |text: &str| {
        for line in text.lines() {
            let line = line.trim_start_matches('#').trim();
            if let Some(rest) = line.strip_prefix("@param") {
                let rest = rest.rsplit(']').next().unwrap_or(rest);
                names.extend(rest.split_whitespace().next().map(str::to_owned));
            }
        }
    };
    let mut before = own.prev_token();
    while let Some(token) = before.filter(|it| it.kind().is_trivia()) {
        read(token.text());
        before = token.prev_token();
    }
    let mut behind = own.next_token();
    while let Some(token) = behind.filter(|it| it.kind().is_trivia()) {
        read(token.text());
        behind = token.next_token();
    }
    names
}

const TAGS: &[(&str, &str)] = &[
    ("@summary", "what it is for, in a sentence"),
    ("@param", "a parameter"),
    ("@option", "a key of a parameter that is a hash"),
    ("@example", "how to use it"),
    ("@return", "what a function gives"),
    ("@see", "where to read more"),
    ("@note", "what to mind"),
    ("@api", "private or public"),
    ("@raise", "when it fails"),
    ("@author", "who wrote it"),
    ("@since", "the first version that has it"),
    ("@todo", "what is missing"),
    ("@enum", "a value of a parameter that takes some"),
    ("@overload", "one of several signatures"),
];

/// The checks of puppet-lint and of the plug-ins that most modules are checked with.
const LINT_CHECKS: &[(&str, &str)] = &[
    ("140chars", "long lines"),
    ("2sp_soft_tabs", "indentation"),
    ("80chars", "long lines"),
    ("anchor_resource", "anchors"),
    ("arrow_alignment", "arrows in one column"),
    ("arrow_on_right_operand_line", "where a chaining arrow stands"),
    ("autoloader_layout", "names and paths"),
    ("case_without_default", "case without default"),
    ("class_inherits_from_params_class", "inherits params"),
    ("class_reference_syntax", "references to classes"),
    ("code_on_top_scope", "code outside of definitions"),
    ("double_quoted_strings", "quotes without need"),
    ("documentation", "missing documentation"),
    ("duplicate_params", "attributes given twice"),
    ("empty_string_assignment", "empty strings for undef"),
    ("ensure_first_param", "ensure comes first"),
    ("ensure_not_symlink_target", "links"),
    ("file_ensure", "ensure => present for files"),
    ("file_mode", "modes with four digits"),
    ("hard_tabs", "tabs"),
    ("inherits_across_namespaces", "inherits from another module"),
    ("leading_zero", "numbers with a zero in front"),
    ("legacy_facts", "facts that are gone"),
    ("lookup_in_parameter", "lookup() in defaults"),
    ("manifest_whitespace_closing_brace_before", "blanks before a brace"),
    ("manifest_whitespace_opening_brace_before", "blanks before a brace"),
    ("names_containing_dash", "dashes in names"),
    ("names_containing_uppercase", "upper case in names"),
    ("nested_classes_or_defines", "definitions inside of classes"),
    ("only_variable_string", "strings that are one variable"),
    ("optional_default", "Optional without undef"),
    ("parameter_documentation", "parameters without documentation"),
    ("parameter_order", "required parameters come first"),
    ("parameter_types", "parameters without a type"),
    ("params_empty_string_assignment", "empty strings as defaults"),
    ("puppet_url_without_modules", "puppet:/// without modules"),
    ("quoted_booleans", "booleans in quotes"),
    ("relative", "class names from the top"),
    ("relative_classname_inclusion", "class names from the top"),
    ("resource_reference_syntax", "references"),
    ("resource_reference_without_title_capital", "references"),
    ("resource_reference_without_whitespace", "references"),
    ("right_to_left_relationship", "arrows to the left"),
    ("selector_inside_resource", "selectors as values"),
    ("single_quote_string_with_variables", "variables that are not interpolated"),
    ("slash_comments", "// comments"),
    ("space_before_arrow", "blanks before an arrow"),
    ("star_comments", "/* */ comments"),
    ("strict_indent", "indentation"),
    ("summary_comment", "missing @summary"),
    ("template_file_extension", "endings of templates"),
    ("top_scope_facts", "$::fact"),
    ("topscope_variable", "$::class::variable"),
    ("trailing_comma", "missing comma at the end"),
    ("trailing_newline", "missing line break at the end"),
    ("trailing_whitespace", "blanks at the end of a line"),
    ("undef_in_function", "undef as an argument"),
    ("unquoted_file_mode", "modes without quotes"),
    ("unquoted_node_name", "node names without quotes"),
    ("unquoted_resource_title", "titles without quotes"),
    ("unquoted_string_in_case", "options without quotes"),
    ("unquoted_string_in_selector", "options without quotes"),
    ("url_without_modules", "puppet:/// without modules"),
    ("variable_contains_dash", "dashes in variables"),
    ("variable_is_lowercase", "upper case in variables"),
    ("variable_scope", "variables of nowhere"),
    ("variables_not_enclosed", "variables without braces"),
    ("version_comparison", "versions compared as strings"),
    ("worldwritable_files", "files that all may write"),
];
