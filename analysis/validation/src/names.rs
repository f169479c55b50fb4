//! Rules on the form of names.

use codes::{Code, with_help};
use syntax::ast::{AstNode, CallExpr, Expr};
use syntax::{SyntaxKind::*, SyntaxNode, SyntaxToken};

use super::context::Walk;

/// Returns the name in a variable token without the `$`.
pub(super) fn variable_name(token: &SyntaxToken) -> &str {
    token.text().strip_prefix('$').unwrap_or(token.text())
}

pub(super) fn check_variable(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(token) = node.first_token().filter(|it| it.kind() == VARIABLE) else { return };
    let name = variable_name(&token);
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        if !is_match_variable(name) {
            let message = with_help(
                format!("invalid match variable `${name}`"),
                "use a decimal number without leading zeros",
            );
            walk.error(Code::IllegalNumericVarName, node.text_range(), message);
        }
    } else if name.is_empty() {
        walk.error(Code::IllegalVarName, node.text_range(), "expected a variable name after `$`");
    } else if !is_variable_name(name) {
        let message = with_help(
            format!("invalid variable name `${name}`"),
            "begin each segment with a lowercase letter; the last one may begin with `_`",
        );
        walk.error(Code::IllegalVarName, node.text_range(), message);
    }
}

pub(super) fn check_reserved_word(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let word = node.first_token().map(|it| it.text().to_owned()).unwrap_or_default();
    let message = with_help(format!("`{word}` is a reserved word"), "quote it to use it as a string");
    walk.error(Code::ReservedWord, node.text_range(), message);
}

/// Checks that the callee is a name or a type.
pub(super) fn check_function_name(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(functor) = CallExpr::cast(node.clone()).and_then(|it| it.functor()) else { return };
    match &functor {
        Expr::QualifiedName(_) | Expr::QualifiedReference(_) => {}
        Expr::AccessExpr(access) if matches!(access.lhs(), Some(Expr::QualifiedReference(_))) => {}
        Expr::RenderString(_) => {
            let message = with_help(
                "template parameters after text",
                "declare the parameters between `|` and `|` in a tag before any text",
            );
            walk.error(Code::IllegalEppParameters, node.text_range(), message);
        }
        _ => {
            let message = with_help(
                "expression cannot be called",
                "write a function name or a type before the parentheses",
            );
            walk.error(Code::IllegalExpression, functor.syntax().text_range(), message);
        }
    }
}

/// Returns true for `0` and for digits that do not begin with `0`.
pub(super) fn is_match_variable(name: &str) -> bool {
    name == "0"
        || (name.starts_with(|c: char| matches!(c, '1'..='9')) && name.bytes().all(|b| b.is_ascii_digit()))
}

fn is_variable_name(name: &str) -> bool {
    if !name.contains(':') {
        return is_parameter_name(name);
    }
    let mut segments = name.strip_prefix("::").unwrap_or(name).split("::").peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        if !is_word(segment, |b| b.is_ascii_lowercase() || (is_last && b == b'_')) {
            return false;
        }
    }
    true
}

/// Returns true for a valid parameter name: a single segment that begins with a lower-case letter or `_`.
pub(super) fn is_parameter_name(name: &str) -> bool {
    is_word(name, |b| b.is_ascii_lowercase() || b == b'_')
}

/// Returns true for a valid name of a class, defined type, function or plan: segments that begin with
/// lower-case letters, without a leading `::`.
pub(super) fn is_definition_name(name: &str) -> bool {
    name.split("::").all(|it| is_word(it, |b| b.is_ascii_lowercase()))
}

/// Returns true for a valid type name: segments that begin with upper-case letters, without a leading `::`.
pub(super) fn is_type_name(name: &str) -> bool {
    name.split("::").all(|it| is_word(it, |b| b.is_ascii_uppercase()))
}

fn is_word(text: &str, first: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|&b| first(b)) && bytes.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_')
}

const RESERVED_TYPE_NAMES: [&str; 28] = [
    "any",
    "array",
    "boolean",
    "collection",
    "enum",
    "float",
    "hash",
    "init",
    "integer",
    "numeric",
    "object",
    "optional",
    "pattern",
    "regexp",
    "runtime",
    "scalar",
    "semver",
    "semverrange",
    "sensitive",
    "string",
    "struct",
    "timespan",
    "timestamp",
    "tuple",
    "type",
    "typeset",
    "unit",
    "variant",
];

/// Returns true for the lowercase name of one of Puppet's built-in types.
pub(super) fn is_reserved_type_name(name: &str) -> bool {
    RESERVED_TYPE_NAMES.binary_search(&name).is_ok()
}
