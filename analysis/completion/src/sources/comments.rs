//! Comments that tools interpret: checks to turn off, and documentation tags.

use syntax::ast;
use syntax::{AstNode, SyntaxNode};

use crate::CompletionRequest;
use crate::context::CommentPart;
use crate::item::{CompletionItem, CompletionKind};

pub(crate) fn items(request: &CompletionRequest<'_>, comment_part: &CommentPart) -> Vec<CompletionItem> {
    match comment_part {
        CommentPart::LintCheck => LINT_CHECKS
            .iter()
            .map(|(name, about)| CompletionItem::new(CompletionKind::LintCheck, *name).detail(*about))
            .chain(own_rules())
            .collect(),
        CommentPart::LintControl => vec![
            CompletionItem::new(CompletionKind::LintCheck, "lint:ignore:")
                .detail("from here, or on this line"),
            CompletionItem::new(CompletionKind::LintCheck, "lint:endignore").detail("up to here"),
        ],
        CommentPart::Tag => TAGS
            .iter()
            .map(|(tag, about)| {
                let snippet = (*tag == "@example").then(|| "@example ${1:title}\n  $0".to_owned());
                CompletionItem::new(CompletionKind::DocumentationTag, *tag).snippet(snippet).detail(*about)
            })
            .collect(),
        CommentPart::Parameter => parameters(request),
    }
}

/// Returns the rules of `check` that comments can suppress and that have no name in puppet-lint.
fn own_rules() -> impl Iterator<Item = CompletionItem> {
    let is_known = |code: &str| LINT_CHECKS.iter().any(|(name, _)| *name == code);
    // Style rules have the name of the puppet-lint check.
    let name = |code: check::Code| match code.puppet_lint_names().first() {
        Some(name) if code.is_style() => *name,
        _ => code.as_str(),
    };
    let own = check::rule_table().iter().filter(move |it| !it.code.is_fixed() && !is_known(name(it.code)));
    own.map(move |rule| {
        let about = rule.title();
        CompletionItem::new(CompletionKind::LintCheck, name(rule.code)).detail(about).tier(2)
    })
}

/// Returns the undocumented parameters of the definition after the comment.
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

/// Returns the names after `@param` on the other lines of the comment.
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
    let mut after = own.next_token();
    while let Some(token) = after.filter(|it| it.kind().is_trivia()) {
        read(token.text());
        after = token.next_token();
    }
    names
}

const TAGS: &[(&str, &str)] = &[
    ("@summary", "purpose in one sentence"),
    ("@param", "parameter"),
    ("@option", "key of a hash parameter"),
    ("@example", "usage example"),
    ("@return", "return value"),
    ("@see", "related documentation"),
    ("@note", "important note"),
    ("@api", "visibility: private or public"),
    ("@raise", "error condition"),
    ("@author", "author"),
    ("@since", "first version with it"),
    ("@todo", "open task"),
    ("@enum", "allowed value of a parameter"),
    ("@overload", "one of several signatures"),
];

/// Checks of puppet-lint and its most common plugins.
const LINT_CHECKS: &[(&str, &str)] = &[
    ("140chars", "long lines"),
    ("2sp_soft_tabs", "indentation"),
    ("80chars", "long lines"),
    ("anchor_resource", "anchor resources"),
    ("arrow_alignment", "alignment of arrows"),
    ("arrow_on_right_operand_line", "position of chaining arrows"),
    ("autoloader_layout", "names that do not match paths"),
    ("case_without_default", "case without default"),
    ("class_inherits_from_params_class", "inheritance from params classes"),
    ("class_reference_syntax", "class references"),
    ("code_on_top_scope", "code outside of definitions"),
    ("double_quoted_strings", "unnecessary double quotes"),
    ("documentation", "missing documentation"),
    ("duplicate_params", "duplicate attributes"),
    ("empty_string_assignment", "empty strings instead of undef"),
    ("ensure_first_param", "ensure as the first attribute"),
    ("ensure_not_symlink_target", "symbolic links"),
    ("file_ensure", "ensure => present for files"),
    ("file_mode", "file modes"),
    ("hard_tabs", "tabs"),
    ("inherits_across_namespaces", "inherits from another module"),
    ("leading_zero", "numbers with a leading zero"),
    ("legacy_facts", "legacy facts"),
    ("lookup_in_parameter", "lookup() in defaults"),
    ("manifest_whitespace_closing_brace_before", "whitespace before a brace"),
    ("manifest_whitespace_opening_brace_before", "whitespace before a brace"),
    ("names_containing_dash", "dashes in names"),
    ("names_containing_uppercase", "uppercase letters in names"),
    ("nested_classes_or_defines", "definitions inside of classes"),
    ("only_variable_string", "strings with a single variable"),
    ("optional_default", "Optional without undef"),
    ("parameter_documentation", "parameters without documentation"),
    ("parameter_order", "order of parameters"),
    ("parameter_types", "parameters without a type"),
    ("params_empty_string_assignment", "empty strings as defaults"),
    ("puppet_url_without_modules", "puppet:/// without modules"),
    ("quoted_booleans", "booleans in quotes"),
    ("relative", "relative class names"),
    ("relative_classname_inclusion", "relative class names"),
    ("resource_reference_syntax", "resource references"),
    ("resource_reference_without_title_capital", "resource references"),
    ("resource_reference_without_whitespace", "resource references"),
    ("right_to_left_relationship", "right-to-left arrows"),
    ("selector_inside_resource", "selectors as attribute values"),
    ("single_quote_string_with_variables", "variables in single-quoted strings"),
    ("slash_comments", "// comments"),
    ("space_before_arrow", "whitespace before an arrow"),
    ("star_comments", "/* */ comments"),
    ("strict_indent", "indentation"),
    ("summary_comment", "missing @summary"),
    ("template_file_extension", "file extensions of templates"),
    ("top_scope_facts", "$::fact"),
    ("topscope_variable", "$::class::variable"),
    ("trailing_comma", "missing trailing commas"),
    ("trailing_newline", "missing line break at the end of the file"),
    ("trailing_whitespace", "trailing whitespace"),
    ("undef_in_function", "undef as an argument"),
    ("unquoted_file_mode", "unquoted file modes"),
    ("unquoted_node_name", "unquoted node names"),
    ("unquoted_resource_title", "unquoted resource titles"),
    ("unquoted_string_in_case", "unquoted options"),
    ("unquoted_string_in_selector", "unquoted options"),
    ("url_without_modules", "puppet:/// without modules"),
    ("variable_contains_dash", "dashes in variables"),
    ("variable_is_lowercase", "uppercase letters in variables"),
    ("variable_scope", "undefined variables"),
    ("variables_not_enclosed", "variables without braces"),
    ("version_comparison", "version comparisons"),
    ("worldwritable_files", "world-writable files"),
];
