//! How names must be written.

use codes::Code;
use syntax::ast::{AstNode, CallExpr, Expr};
use syntax::{SyntaxKind::*, SyntaxNode, SyntaxToken};

use super::walk::Walk;

/// The name in a variable's token, without the `$`.
pub(super) fn variable_name(token: &SyntaxToken) -> &str {
    token.text().strip_prefix('$').unwrap_or(token.text())
}

pub(super) fn check_variable(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(token) = node.first_token().filter(|it| it.kind() == VARIABLE) else { return };
    let name = variable_name(&token);
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        if !is_match_variable(name) {
            let message =
                format!("`${name}` is no variable: a number here is decimal, without leading zeros.");
            walk.error(Code::IllegalNumericVarName, node.text_range(), message);
        }
    } else if name.is_empty() {
        walk.error(Code::IllegalVarName, node.text_range(), "Write the name of a variable behind `$`.");
    } else if !is_variable_name(name) {
        let message = format!(
            "`${name}` is no variable name: each part begins with a lower-case letter (the last may begin with `_`)."
        );
        walk.error(Code::IllegalVarName, node.text_range(), message);
    }
}

pub(super) fn check_reserved_word(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let word = node.first_token().map(|it| it.text().to_owned()).unwrap_or_default();
    let message = format!("`{word}` is reserved. Put it in quotes if a string is meant.");
    walk.error(Code::ReservedWord, node.text_range(), message);
}

/// What is called must be a name or a type.
pub(super) fn check_function_name(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(functor) = CallExpr::cast(node.clone()).and_then(|it| it.functor()) else { return };
    match &functor {
        Expr::QualifiedName(_) | Expr::QualifiedReference(_) => {}
        Expr::AccessExpr(access) if matches!(access.lhs(), Some(Expr::QualifiedReference(_))) => {}
        Expr::RenderString(_) => {
            let message =
                "Parameters of a template go between `|` and `|`, in a tag that comes before all text.";
            walk.error(Code::IllegalEppParameters, node.text_range(), message);
        }
        _ => {
            let message =
                "This cannot be called: write the name of a function, or a type, before the parentheses.";
            walk.error(Code::IllegalExpression, functor.syntax().text_range(), message);
        }
    }
}

/// `0`, or digits that do not begin with `0`.
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

/// A name for a parameter: no parts, begins with a lower-case letter or `_`.
pub(super) fn is_parameter_name(name: &str) -> bool {
    is_word(name, |b| b.is_ascii_lowercase() || b == b'_')
}

/// A name for a class, defined type, function or plan: parts that begin with lower-case letters, no leading `::`.
pub(super) fn is_definition_name(name: &str) -> bool {
    name.split("::").all(|it| is_word(it, |b| b.is_ascii_lowercase()))
}

/// A name for a type: parts that begin with upper-case letters, no leading `::`.
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

/// Is this the name of one of Puppet's own types, in lower case?
pub(super) fn is_reserved_type_name(name: &str) -> bool {
    RESERVED_TYPE_NAMES.binary_search(&name).is_ok()
}
