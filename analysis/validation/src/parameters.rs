//! Rules on parameters of definitions, lambdas and templates.

use codes::{Code, with_help};
use rustc_hash::FxHashMap;

use syntax::ast::{AccessExpr, AstNode, Expr, Parameter, ParameterList};
use syntax::{SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::context::{Walk, parameter_list};
use super::names;

/// Checks a parameter of any definition, lambda or template.
pub(super) fn check(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(token) = node.token(VARIABLE) else { return };
    let name = names::variable_name(&token);
    let range = token.text_range();
    if is_number(name) {
        let message = with_help(
            format!("match variable `${name}` cannot be a parameter"),
            "use a name that begins with a lowercase letter",
        );
        walk.error(Code::IllegalNumericParameter, range, message);
    } else if name.is_empty() {
        walk.error(Code::IllegalParamName, range, "expected a parameter name after `$`");
    } else if !names::is_parameter_name(name) {
        let message = with_help(
            format!("invalid parameter name `${name}`"),
            "begin the name with a lowercase letter or `_`, and remove `::`",
        );
        walk.error(Code::IllegalParamName, range, message);
    }
}

/// Reports `*` before any but the last parameter of a lambda.
pub(super) fn check_lambda(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(list) = parameter_list(node) else { return };
    let mut parameters = list.parameters().peekable();
    while let Some(parameter) = parameters.next() {
        if parameters.peek().is_some()
            && let Some(range) = splat_range(&parameter)
        {
            let message = with_help(
                "only the last parameter can capture the remaining arguments",
                "move it to the end, or remove the `*`",
            );
            walk.error(Code::CapturesRestNotLast, range, message);
        }
    }
}

/// Reports `*` before a parameter: arguments of classes, defined types and templates are given by name.
pub(super) fn check_no_splat(walk: &mut Walk<'_>, list: &ParameterList) {
    for range in list.parameters().filter_map(|it| splat_range(&it)) {
        let message =
            with_help("only functions and lambdas can capture the remaining arguments", "remove the `*`");
        walk.error(Code::CapturesRestNotSupported, range, message);
    }
}

pub(super) fn check_unique(walk: &mut Walk<'_>, list: &ParameterList) {
    let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
    for token in list.parameters().filter_map(|it| it.variable()) {
        let name = names::variable_name(&token);
        match seen.get(name) {
            Some(&first) => {
                let message =
                    with_help(format!("duplicate parameter `${name}`"), "rename or remove one of them");
                let finding = TextFinding::new(Code::DuplicateParameter, token.text_range(), message);
                walk.findings.report(finding.with_related(first, "first declared here"));
            }
            None => {
                seen.insert(name.to_owned(), token.text_range());
            }
        }
    }
}

/// Reports `$name` and `$title`, which Puppet sets in classes and defined types.
pub(super) fn check_reserved(walk: &mut Walk<'_>, list: &ParameterList) {
    for token in list.parameters().filter_map(|it| it.variable()) {
        let name = names::variable_name(&token);
        if matches!(name, "name" | "title") {
            let message = with_help(
                format!("parameter name `${name}` is reserved in classes and defined types"),
                "choose another name",
            );
            walk.error(Code::ReservedParameter, token.text_range(), message);
        }
    }
}

/// Reports parameter types of a class that are not literal, about which Puppet 8 warns.
pub(super) fn check_literal_types(walk: &mut Walk<'_>, list: &ParameterList) {
    for parameter in list.parameters() {
        let Some(ty) = parameter.type_expr().filter(|ty| !is_literal(ty.syntax())) else { continue };
        let message =
            with_help("type of a class parameter is not literal", "write its arguments as literals");
        walk.error(Code::NonLiteralParameterType, ty.syntax().text_range(), message);
    }
}

/// Returns true if a type is literal. Only the contents of the brackets count.
fn is_literal(node: &SyntaxNode) -> bool {
    match node.kind() {
        LITERAL_NUMBER | LITERAL_STRING | LITERAL_BOOLEAN | LITERAL_UNDEF | LITERAL_DEFAULT
        | LITERAL_REGEX | QUALIFIED_NAME | QUALIFIED_REFERENCE => true,
        UNARY_EXPR => node.token(MINUS).is_some() && node.children().all(|it| is_literal(&it)),
        ARRAY_EXPR | HASH_EXPR | KEYED_ENTRY => node.children().all(|it| is_literal(&it)),
        ACCESS_EXPR => AccessExpr::cast(node.clone()).and_then(|it| it.keys()).is_some_and(|keys| {
            let keys: Vec<SyntaxNode> = keys.syntax().children().collect();
            // Puppet does not treat a sole array literal in the brackets as literal: `Optional[[String]]`.
            !matches!(&keys[..], [only] if only.kind() == ARRAY_EXPR) && keys.iter().all(is_literal)
        }),
        // Nodes with syntax errors.
        kind => !Expr::can_cast(kind),
    }
}

/// Checks the parameters of an EPP template.
pub(super) fn check_template(walk: &mut Walk<'_>, root: &SyntaxNode) {
    if let Some(list) = parameter_list(root) {
        check_no_splat(walk, &list);
        check_unique(walk, &list);
    }
}

fn splat_range(parameter: &Parameter) -> Option<TextRange> {
    let splat = parameter.splat()?.text_range();
    Some(parameter.variable().map_or(splat, |it| splat.cover(it.text_range())))
}

/// Returns true for digits, and for `0x` followed by digits.
fn is_number(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}
