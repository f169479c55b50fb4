//! Fixes of defaults: of parameters that do not match their type, and missing ones of `case` and selectors.

use check::Code;
use syntax::SyntaxKind::{CASE_EXPR, PARAMETER, SELECTOR_EXPR};
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::subject::FixSubject;
use crate::CodeAction;
use crate::lines::indentation;

pub(super) fn fixes(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let code = subject.diagnostic.code;
    if !matches!(code, Code::CaseWithoutDefault | Code::UnmatchedSelector | Code::DefaultMismatch) {
        return Vec::new();
    }
    let root = project::parse(subject.db, subject.file).syntax();
    let token = root.tokens_at(subject.diagnostic.range.start).last();
    let around = |kind: SyntaxKind| token.as_ref().and_then(|it| it.ancestors().find(|it| it.kind() == kind));
    match code {
        Code::CaseWithoutDefault => around(CASE_EXPR).and_then(|it| case(subject, &it)).into_iter().collect(),
        Code::UnmatchedSelector => {
            around(SELECTOR_EXPR).and_then(|it| selector(subject, &it)).into_iter().collect()
        }
        _ => around(PARAMETER)
            .and_then(ast::Parameter::cast)
            .map(|it| parameter(subject, &it))
            .unwrap_or_default(),
    }
}

/// Adds `default` as the last option.
fn case(subject: &FixSubject<'_>, node: &SyntaxNode) -> Option<CodeAction> {
    let last = node.children().filter_map(ast::CaseOption::cast).last()?;
    added(subject, last.syntax(), "default: { }", "")
}

/// Adds `default` as the last entry.
fn selector(subject: &FixSubject<'_>, node: &SyntaxNode) -> Option<CodeAction> {
    let last = ast::SelectorExpr::cast(node.clone())?.entries().last()?;
    added(subject, last.syntax(), "default => undef", ",")
}

/// Adds an element after the last one of a list, on a separate line if the last one begins a line.
fn added(subject: &FixSubject<'_>, last: &SyntaxNode, text: &str, separator: &str) -> Option<CodeAction> {
    let range = last.text_range();
    let before = subject.text.get(..range.start as usize)?;
    let starts_line = before.trim_end_matches([' ', '\t']).ends_with('\n');
    let indent = indentation(subject.text, range.start);
    let break_before = if starts_line { format!("\n{indent}") } else { " ".to_owned() };
    let rest = subject.text.get(range.end as usize..)?;
    let has_separator = !separator.is_empty() && rest.trim_start().starts_with(separator);
    let (at, text) = if has_separator {
        // The list ends with a comma, and so does the new element.

        let comma = rest.find(separator)? as u32 + 1;
        (range.end + comma, format!("{break_before}{text}{separator}"))
    } else {
        (range.end, format!("{separator}{break_before}{text}"))
    };
    Some(subject.edit("Add `default`", TextRange::empty(at), text))
}

/// Returns fixes of the default or of the type of a parameter.
fn parameter(subject: &FixSubject<'_>, parameter: &ast::Parameter) -> Vec<CodeAction> {
    let (Some(ty), Some(default)) = (parameter.type_expr(), parameter.default()) else { return Vec::new() };
    let (range, text) = (default.syntax().text_range(), default.syntax().text());
    let declared = ty.syntax().text();
    let head = declared.split(['[', ' ']).next().unwrap_or_default();
    let mut fixes = Vec::new();
    let mut replace = |text: String| fixes.push(subject.edit(format!("Replace with `{text}`"), range, text));
    match (&default, head) {
        (Expr::LiteralString(string), "Integer" | "Numeric") if string.value().parse::<i64>().is_ok() => {
            replace(string.value());
        }
        (Expr::LiteralString(string), "Float" | "Numeric") if string.value().parse::<f64>().is_ok() => {
            replace(string.value());
        }
        (Expr::LiteralString(string), "Boolean") if matches!(string.value().as_str(), "true" | "false") => {
            replace(string.value());
        }
        (Expr::LiteralNumber(_) | Expr::LiteralBoolean(_), "String") => replace(format!("'{text}'")),
        (_, "Array")
            if !matches!(default, Expr::ArrayExpr(_) | Expr::LiteralUndef(_) | Expr::HashExpr(_)) =>
        {
            replace(format!("[{text}]"));
        }
        _ => {}
    }
    let new_type = match default {
        Expr::LiteralUndef(_) => format!("Optional[{declared}]"),
        Expr::LiteralString(_) => variant(declared, "String"),
        Expr::LiteralNumber(_) => variant(declared, if text.contains('.') { "Float" } else { "Integer" }),
        Expr::LiteralBoolean(_) => variant(declared, "Boolean"),
        Expr::ArrayExpr(_) => variant(declared, "Array"),
        Expr::HashExpr(_) => variant(declared, "Hash"),
        _ => return fixes,
    };
    let title = format!("Change the type to `{new_type}`");
    fixes.push(subject.edit(title, ty.syntax().text_range(), new_type));
    fixes
}

/// Returns a type that also accepts `added`.
fn variant(declared: &str, added: &str) -> String {
    let head = declared.split(['[', ' ']).next().unwrap_or_default();
    if head == added {
        // Only the arguments of the type do not match.
        added.to_owned()
    } else {
        format!("Variant[{declared}, {added}]")
    }
}
