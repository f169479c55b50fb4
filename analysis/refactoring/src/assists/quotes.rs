//! Conversion between single and double quotes, of one string or of all in a file.

use syntax::SyntaxKind::{DQ_STRING, HEREDOC_BODY, INTERPOLATED_STRING, SQ_STRING};
use syntax::ast::LiteralString;
use syntax::{AstNode, Language, SyntaxNode, SyntaxToken};

use super::context::AssistContext;
use super::expressions;
use crate::SourceEdit;
use crate::code_action::{CodeAction, CodeActionKind};

pub(super) fn rewrites(ctx: &AssistContext<'_>) -> Vec<CodeAction> {
    let Some(token) = ctx.token() else { return Vec::new() };
    let Some(edit) = converted(&token) else { return Vec::new() };
    let style = if token.kind() == DQ_STRING { "single" } else { "double" };
    let kind = CodeActionKind::RefactorRewrite;
    let mut actions = Vec::new();
    actions.extend(ctx.action(kind, format!("Use {style} quotes"), vec![edit]));
    let all: Vec<SourceEdit> =
        strings(&ctx.root).filter(|it| it.kind() == token.kind()).filter_map(|it| converted(&it)).collect();
    if all.len() > 1 {
        actions.extend(ctx.action(kind, format!("Use {style} quotes in the whole file"), all));
    }
    actions
}

fn strings(root: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    root.descendants().filter_map(LiteralString::cast).filter_map(|it| it.token())
}

/// Returns the edit that changes the quotes of a string without changing its value.
fn converted(token: &SyntaxToken) -> Option<SourceEdit> {
    let parent = token.parent()?;
    let string = LiteralString::cast(parent.clone())?;
    let value = string.value();
    let text = match token.kind() {
        // Interpolations of heredocs have their own margins.
        _ if expressions::is_inside(&parent, &[HEREDOC_BODY]) => return None,
        DQ_STRING if has_plain_escapes(token.text()) => single_quoted(&value),
        SQ_STRING if !expressions::is_inside(&parent, &[INTERPOLATED_STRING]) => double_quoted(&value),
        _ => return None,
    };
    (value_of(&text)? == value).then(|| SourceEdit { range: token.text_range(), text })
}

/// Returns true if each escape of a double-quoted string yields the character after the backslash.
fn has_plain_escapes(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && !chars.next().is_some_and(|it| matches!(it, '\\' | '"' | '\'' | '$')) {
            return false;
        }
    }
    true
}

/// Returns a string in single quotes, in which only quotes and some backslashes are escaped.
pub(crate) fn single_quoted(value: &str) -> String {
    let mut text = String::from("'");
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let is_escape = c == '\\' && matches!(chars.peek(), Some('\\' | '\'') | None);
        if c == '\'' || is_escape {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('\'');
    text
}

/// Returns a string in double quotes without interpolation.
fn double_quoted(value: &str) -> String {
    format!("\"{}\"", escaped(value))
}

/// Escapes a value for a double-quoted string.
pub(super) fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars() {
        if matches!(c, '\\' | '"' | '$') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// Returns the value of a string literal.
fn value_of(text: &str) -> Option<String> {
    let parse = syntax::parse(text, Language::Manifest);
    let mut literals = parse.syntax().children().filter_map(LiteralString::cast).collect::<Vec<_>>();
    let literal = literals.pop()?;
    (literals.is_empty() && literal.syntax().text() == text).then(|| literal.value())
}
