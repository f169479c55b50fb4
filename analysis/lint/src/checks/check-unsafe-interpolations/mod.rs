//! `check_unsafe_interpolations`: a variable in a command, which a shell may split.

use crate::manifest::{Manifest, ResourceSpan};
use crate::report::CheckReport;
use crate::token::TokenKind;

/// Maximum number of tokens in a title or on a line.
const MAX_EXAMINED_TOKENS: usize = 1024;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for at in tokens.indexes().filter(|&it| tokens.value(it) == "exec") {
        check_title(manifest, at, report);
    }
    for resource in manifest.resources().iter().filter(|it| tokens.value(it.type_name) == "exec") {
        let has_command = resource.attributes.iter().any(|&it| is_command(tokens.value(it)));
        if has_command {
            check_resource(manifest, resource, report);
        }
    }
}

fn is_command(name: &str) -> bool {
    matches!(name, "command" | "onlyif" | "unless")
}

fn check_title(manifest: &Manifest, exec: usize, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let Some(title) = tokens.next_code(exec).and_then(|it| tokens.next_code(it)) else { return };
    let end = match tokens.kind(title) {
        TokenKind::LeftBracket => tokens.partner(title),
        TokenKind::StringStart => {
            (title..tokens.len()).take(MAX_EXAMINED_TOKENS).find(|&it| tokens.value(it) == ":")
        }
        _ => None,
    };
    for at in title..end.unwrap_or(title) {
        check_part(manifest, at, report);
    }
}

fn check_resource(manifest: &Manifest, resource: &ResourceSpan, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for name in resource.tokens() {
        let is_name = matches!(tokens.kind(name), TokenKind::Name | TokenKind::Unless)
            && is_command(tokens.value(name));
        if !is_name {
            continue;
        }
        let line = || {
            (name..tokens.len())
                .take(MAX_EXAMINED_TOKENS)
                .take_while(|&it| tokens.kind(it) != TokenKind::Newline)
        };
        let is_list = line().any(|it| {
            tokens.kind(it) == TokenKind::FatArrow
                && tokens.kind_of(tokens.next(it + 1)) == Some(TokenKind::LeftBracket)
        });
        if !is_list {
            line().for_each(|it| check_part(manifest, it, report));
        }
    }
}

fn check_part(manifest: &Manifest, at: usize, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    if !matches!(tokens.kind(at), TokenKind::StringStart | TokenKind::StringMiddle) {
        return;
    }
    if let Some(variable) = tokens.next_code(at)
        && !is_escaped(manifest, variable)
    {
        let name = tokens.value(variable);
        report.at(variable, format!("unsafe interpolation of `{name}` in a command"));
    }
}

/// Returns true if the interpolation that begins with `first` is a single call of `shell_escape`: as a function
/// (`shell_escape($x)`) or as a method (`$x.stdlib::shell_escape`).
fn is_escaped(manifest: &Manifest, first: usize) -> bool {
    let tokens = &manifest.tokens;
    let after_arguments = |function: usize| {
        let next = tokens.next_code(function)?;
        match tokens.kind(next) {
            TokenKind::LeftParen => tokens.next_code(tokens.partner(next)?),
            _ => Some(next),
        }
    };
    let is_function = |at: usize| {
        matches!(tokens.kind(at), TokenKind::Name | TokenKind::FunctionName)
            && matches!(tokens.value(at), "shell_escape" | "stdlib::shell_escape")
    };
    let method = || {
        let mut dot = tokens.next_code(first)?;
        if tokens.kind(dot) == TokenKind::LeftBracket {
            dot = tokens.next_code(tokens.partner(dot)?)?;
        }
        let name = tokens.next_code(dot).filter(|_| tokens.kind(dot) == TokenKind::Dot)?;
        is_function(name).then_some(name)
    };
    let function = match tokens.kind(first) {
        TokenKind::Variable => method(),
        _ => Some(first).filter(|&it| tokens.kind(it) == TokenKind::FunctionName && is_function(it)),
    };
    let end = function.and_then(after_arguments);
    matches!(tokens.kind_of(end), Some(TokenKind::StringMiddle | TokenKind::StringEnd))
}
