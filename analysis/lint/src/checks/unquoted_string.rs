//! Checks for bare words as options of `case` statements and selectors.

use std::collections::HashSet;

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::quoted;
use crate::token::TokenKind;

/// `unquoted_string_in_case`
pub(crate) fn in_case(manifest: &Manifest, report: &mut CheckReport) {
    words_before(manifest, TokenKind::Case, TokenKind::Colon, "unquoted string in `case` option", report);
}

/// `unquoted_string_in_selector`
pub(crate) fn in_selector(manifest: &Manifest, report: &mut CheckReport) {
    words_before(manifest, TokenKind::Question, TokenKind::FatArrow, "unquoted string in selector", report);
}

/// Maximum number of tokens before a separator that are examined.
const MAX_EXAMINED_TOKENS: usize = 256;

fn words_before(
    manifest: &Manifest,
    begin: TokenKind,
    separator: TokenKind,
    message: &str,
    report: &mut CheckReport,
) {
    let tokens = &manifest.tokens;
    let blocks: HashSet<usize> = tokens.of(begin).filter_map(|it| Some(tokens.block_after(it)?.0)).collect();
    let mut open = Vec::new();
    for at in tokens.indexes() {
        match tokens.kind(at) {
            TokenKind::LeftBrace => open.push(at),
            TokenKind::RightBrace => {
                open.pop();
            }
            kind if kind == separator && open.last().is_some_and(|it| blocks.contains(it)) => {
                let before = (0..at)
                    .rev()
                    .take_while(|&it| !matches!(tokens.kind(it), TokenKind::Newline | TokenKind::LeftBrace));
                for word in before.take(MAX_EXAMINED_TOKENS).filter(|&it| is_bare_word(manifest, it)) {
                    report.at(word, message).fix(quoted(manifest, word));
                }
            }
            _ => {}
        }
    }
}

fn is_bare_word(manifest: &Manifest, token: usize) -> bool {
    match manifest.tokens.kind(token) {
        TokenKind::Name => true,
        TokenKind::ClassRef => !manifest.tokens.value(token).contains("::"),
        _ => false,
    }
}
