//! `star_comments`: a comment between `/*` and `*/`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for comment in tokens.of(TokenKind::BlockComment) {
        let token = *tokens.get(comment);
        // Whitespace at the beginning of the file is not an indent token.
        let begins_line = |it: &usize| {
            tokens.kind(*it) == TokenKind::Indent
                || tokens.kind(*it) == TokenKind::Whitespace && tokens.previous(*it).is_none()
        };
        let indent = tokens.previous(comment).filter(begins_line).map_or("", |it| tokens.source(it));
        let text = with_hashes(tokens.source(comment), indent);
        let finding = report.at(comment, "`/* */` comment");
        // Code after the comment on its line would become part of it.
        let ends_line = tokens.next(comment).is_none_or(|it| tokens.kind(it) == TokenKind::Newline);
        // Puppet may read a following bracket differently, and the bracket may move to the line of the
        // comment.
        let next = tokens.next_code_kind(comment);
        let is_before_bracket =
            matches!(next, Some(TokenKind::LeftBracket | TokenKind::LeftParen | TokenKind::LeftBrace));
        if ends_line && !is_before_bracket {
            finding.fix([Edit::replace(token.start, token.end, text)]);
        }
    }
}

/// Returns the comment with `#` at the beginning of each line.
fn with_hashes(source: &str, indent: &str) -> String {
    let inner = source.strip_prefix("/*").unwrap_or(source);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let without_star = |line: &str| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim().to_owned()
    };
    let text: Vec<String> = inner.lines().map(without_star).collect();
    let text = text.join("\n");
    let lines: Vec<String> = text.trim().split('\n').map(|it| format!("# {it}")).collect();
    lines.join(&format!("\n{indent}"))
}
