//! Checks for whitespace around `{` and `}`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

/// `manifest_whitespace_opening_brace_before`
pub(crate) fn before_opening(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for brace in tokens.of(TokenKind::LeftBrace) {
        let Some(solid) = tokens.previous_solid(brace) else { continue };
        let solid_kind = tokens.kind(solid);
        let breaks_line = (solid..brace).any(|it| tokens.kind(it) == TokenKind::Newline);
        let has_single_space = solid + 2 == brace && tokens.is_single_space(brace - 1);
        let is_fine = match solid_kind {
            TokenKind::Comma if matches!(tokens.kind(brace - 1), TokenKind::Indent | TokenKind::Newline) => {
                true
            }
            TokenKind::Comment | TokenKind::Colon => true,
            TokenKind::LeftParen | TokenKind::LeftBracket => solid + 1 == brace || breaks_line,
            TokenKind::LeftBrace => breaks_line || has_single_space,
            _ => has_single_space,
        };
        if is_fine {
            continue;
        }
        let text = if matches!(solid_kind, TokenKind::LeftParen | TokenKind::LeftBracket) { "" } else { " " };
        let edit = Edit::replace(tokens.get(solid).end, tokens.get(brace).start, text);
        report.at(brace, "expected a single space before `{`").fix([edit]);
    }
}

/// `manifest_whitespace_opening_brace_after`
pub(crate) fn after_opening(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for brace in tokens.of(TokenKind::LeftBrace) {
        let Some(mut next) = tokens.next(brace).filter(|&it| !tokens.is_single_space(it)) else { continue };
        if matches!(tokens.kind(next), TokenKind::RightBrace | TokenKind::LeftBracket | TokenKind::LeftBrace)
        {
            continue;
        }
        if tokens.kind(next) == TokenKind::Newline {
            match tokens.next(next).filter(|&it| tokens.kind(it) == TokenKind::Newline) {
                Some(second) => next = second,
                None => continue,
            }
        }
        let edit = match tokens.kind(next) {
            TokenKind::Whitespace => Edit::replace(tokens.get(next).start, tokens.get(next).end, " "),
            TokenKind::Newline => {
                let last = (next..tokens.len())
                    .take_while(|&it| tokens.kind(it) == TokenKind::Newline)
                    .last()
                    .unwrap_or(next);
                Edit::remove(tokens.get(next).start, tokens.get(last).end)
            }
            _ => Edit::insert(tokens.get(next).start, " "),
        };
        report.at(next, "expected a single space or line break after `{`").fix([edit]);
    }
}

/// `manifest_whitespace_closing_brace_before`
pub(crate) fn before_closing(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for brace in tokens.of(TokenKind::RightBrace) {
        let Some(solid) = tokens.previous_solid(brace) else { continue };
        let previous = tokens.kind(brace - 1);
        let begins = tokens.kind(solid) == TokenKind::LeftBrace;
        let is_fine = previous == TokenKind::LeftBrace
            || !begins && tokens.is_single_space(brace - 1) && solid + 2 == brace
            || previous == TokenKind::Indent && solid + 3 == brace
            || previous == TokenKind::Newline && solid + 2 == brace;
        if is_fine {
            continue;
        }
        // A final line break is kept, with the indentation after it.
        let last_break = match previous {
            TokenKind::Newline => Some(brace - 1),
            TokenKind::Indent => Some(brace - 2),
            _ => None,
        };
        let start = tokens.get(solid).end;
        let edit = match last_break {
            Some(line_break) => Edit::remove(start, tokens.get(line_break).start),
            None => Edit::replace(start, tokens.get(brace).start, if begins { "" } else { " " }),
        };
        report.at(solid + 1, "expected a single space or line break before `}`").fix([edit]);
    }
}

/// `manifest_whitespace_closing_brace_after`
pub(crate) fn after_closing(manifest: &Manifest, report: &mut CheckReport) {
    after(manifest, TokenKind::RightBrace, "`}`", report);
}

/// `manifest_whitespace_closing_bracket_after`
pub(crate) fn after_closing_bracket(manifest: &Manifest, report: &mut CheckReport) {
    after(manifest, TokenKind::RightBracket, "`]`", report);
}

fn after(manifest: &Manifest, closing: TokenKind, name: &str, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for close in tokens.of(closing) {
        let Some(next) = tokens.next(close) else { continue };
        if may_follow(tokens.kind(next)) {
            continue;
        }
        let is_blank = tokens.kind(next) == TokenKind::Whitespace;
        if is_blank && !tokens.next_solid(close).is_some_and(|it| may_follow(tokens.kind(it))) {
            continue;
        }
        let token = *tokens.get(next);
        if is_blank {
            let finding = report.at(next, format!("unexpected whitespace after {name}"));
            finding.fix([Edit::remove(token.start, token.end)]);
        } else {
            report.at(next, format!("expected whitespace after {name}"));
        }
    }
}

/// Returns true for tokens that may directly follow a closing bracket without a space.
fn may_follow(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::RightBracket
            | TokenKind::RightParen
            | TokenKind::Semicolon
            | TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::Dot
            | TokenKind::Newline
            | TokenKind::StringMiddle
            | TokenKind::StringEnd
            | TokenKind::LeftBracket
            | TokenKind::HeredocMiddle
            | TokenKind::HeredocEnd
    )
}
