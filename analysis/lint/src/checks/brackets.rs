//! Checks for whitespace around `[` and before `]`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

/// `manifest_whitespace_opening_bracket_before`
pub(crate) fn before_opening(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for bracket in tokens.of(TokenKind::LeftBracket) {
        let Some(solid) = tokens.previous_solid(bracket) else { continue };
        if is_fine_before(manifest, bracket, solid) {
            continue;
        }
        let opens = matches!(
            tokens.kind(solid),
            TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace
        );
        let edit =
            Edit::replace(tokens.get(solid).end, tokens.get(bracket).start, if opens { "" } else { " " });
        report.at(bracket, "expected a single space before `[`").fix([edit]);
    }
}

fn is_fine_before(manifest: &Manifest, bracket: usize, solid: usize) -> bool {
    let tokens = &manifest.tokens;
    let previous = tokens.kind(bracket - 1);
    let on_own_line = matches!(previous, TokenKind::Indent | TokenKind::Newline);
    let has_single_space = solid + 2 == bracket && tokens.is_single_space(bracket - 1);
    let kind = tokens.kind(solid);
    if matches!(previous, TokenKind::ClassRef | TokenKind::Variable | TokenKind::Name)
        || kind == TokenKind::Comment
        || on_own_line
            && matches!(
                kind,
                TokenKind::Semicolon
                    | TokenKind::Comma
                    | TokenKind::Colon
                    | TokenKind::Name
                    | TokenKind::RightBracket
                    | TokenKind::RightBrace
            )
    {
        return true;
    }
    match kind {
        TokenKind::RightBracket
        | TokenKind::RightBrace
        | TokenKind::RightParen
        | TokenKind::LeftParen
        | TokenKind::LeftBracket
        | TokenKind::LeftBrace
        | TokenKind::Type
            if solid + 1 == bracket || on_own_line =>
        {
            return true;
        }
        TokenKind::RightBracket
        | TokenKind::RightBrace
        | TokenKind::RightParen
        | TokenKind::LeftParen
        | TokenKind::LeftBracket => {}
        TokenKind::Type | TokenKind::ClassRef | TokenKind::Variable => {}
        TokenKind::LeftBrace => {
            let opener = tokens.previous_solid(solid).map(|it| tokens.kind(it));
            return opener.is_none()
                || has_single_space && matches!(opener, Some(TokenKind::Name | TokenKind::Pipe));
        }
        _ if has_single_space => return true,
        _ => {}
    }
    false
}

/// `manifest_whitespace_opening_bracket_after`
pub(crate) fn after_opening(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for bracket in tokens.of(TokenKind::LeftBracket) {
        let Some(mut next) = tokens.next(bracket).filter(|&it| tokens.kind(it).is_blank()) else { continue };
        if tokens.kind(next) == TokenKind::Newline {
            match tokens.next(next).filter(|&it| tokens.kind(it) == TokenKind::Newline) {
                Some(second) => next = second,
                None => continue,
            }
        }
        let end = if tokens.kind(next) == TokenKind::Whitespace {
            tokens.get(next).end
        } else {
            end_of_empty(manifest, next)
        };
        let edit = Edit::remove(tokens.get(next).start, end);
        report.at(next, "expected no whitespace or a single line break after `[`").fix([edit]);
    }
}

/// Returns the end of the empty lines that begin with a line break. The last break before an indentation is
/// removed as well.
fn end_of_empty(manifest: &Manifest, first: usize) -> u32 {
    let tokens = &manifest.tokens;
    let mut at = first;
    while let Some(next) = tokens.next(at) {
        let goes_on = match tokens.kind(next) {
            TokenKind::Newline => true,
            TokenKind::Indent => tokens.kind_of(tokens.next(next)) != Some(TokenKind::Newline),
            _ => false,
        };
        if !goes_on {
            break;
        }
        at = next;
    }
    tokens.get(at).start
}

/// `manifest_whitespace_closing_bracket_before`
pub(crate) fn before_closing(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for bracket in tokens.of(TokenKind::RightBracket) {
        let Some(solid) = tokens.previous_solid(bracket).filter(|&it| it + 1 < bracket) else { continue };
        let previous = tokens.kind(bracket - 1);
        let is_fine = previous == TokenKind::Indent && solid + 3 == bracket
            || previous == TokenKind::Newline && solid + 2 == bracket;
        if is_fine {
            continue;
        }
        let first = *tokens.get(solid + 1);
        let edit = if first.kind == TokenKind::Whitespace {
            Edit::remove(first.start, first.end)
        } else {
            let last = if previous == TokenKind::Indent { bracket - 1 } else { bracket };
            Edit::remove(first.end, tokens.get(last).start)
        };
        report.at(solid + 1, "expected no whitespace or a single line break before `]`").fix([edit]);
    }
}
