//! Checks for class names that begin with `::`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

/// Maximum number of tokens in a list of classes.
const MAX_EXAMINED_TOKENS: usize = 1024;

/// `relative_classname_inclusion`
pub(crate) fn included(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for at in tokens.indexes() {
        match tokens.kind(at) {
            TokenKind::Name | TokenKind::FunctionName
                if matches!(tokens.value(at), "include" | "contain" | "require") =>
            {
                statement(manifest, at, report);
            }
            TokenKind::Class if tokens.next_code_kind(at) == Some(TokenKind::LeftBrace) => {
                let end = (at..tokens.len())
                    .take(MAX_EXAMINED_TOKENS)
                    .find(|&it| tokens.kind(it) == TokenKind::Colon)
                    .unwrap_or(at);
                (at..end).for_each(|it| absolute(manifest, it, report));
            }
            TokenKind::Inherits => {
                if let Some(parent) = tokens.next_code(at).filter(|&it| tokens.kind(it) == TokenKind::Name) {
                    absolute(manifest, parent, report);
                }
            }
            _ => {}
        }
    }
}

/// Checks the tokens after `include` up to the end of the line, except for arguments of functions.
fn statement(manifest: &Manifest, keyword: usize, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let Some(first) = tokens.next_code(keyword).filter(|&it| tokens.kind(it) != TokenKind::FatArrow) else {
        return;
    };
    let mut functions = 0;
    for at in (first..tokens.len())
        .take(MAX_EXAMINED_TOKENS)
        .take_while(|&it| tokens.kind(it) != TokenKind::Newline)
    {
        if !matches!(tokens.kind(at), TokenKind::Name | TokenKind::FunctionName | TokenKind::SingleQuoted) {
            continue;
        }
        match tokens.next_code_kind(at) {
            Some(TokenKind::LeftParen) => functions += 1,
            Some(TokenKind::RightParen) if functions > 0 => functions -= 1,
            _ if functions == 0 => absolute(manifest, at, report),
            _ => {}
        }
    }
}

/// `relative_classname_reference`
pub(crate) fn referred(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for class in tokens.of(TokenKind::Type).filter(|&it| tokens.value(it) == "Class") {
        if tokens.next_code_kind(class) != Some(TokenKind::LeftBracket) {
            continue;
        }
        let title = (class..tokens.len())
            .take(MAX_EXAMINED_TOKENS)
            .take_while(|&it| tokens.kind(it) != TokenKind::RightBracket);
        title.for_each(|it| absolute(manifest, it, report));
    }
}

fn absolute(manifest: &Manifest, name: usize, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let is_name =
        matches!(tokens.kind(name), TokenKind::Name | TokenKind::SingleQuoted | TokenKind::FunctionName);
    if is_name && tokens.value(name).starts_with("::") {
        let start = tokens.get(name).value_start;
        report
            .at(name, format!("absolute class name; use `{}`", &tokens.value(name)[2..]))
            .fix([Edit::remove(start, start + 2)]);
    }
}
