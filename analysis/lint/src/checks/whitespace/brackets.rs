//! The blanks around `[` and before `]`.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

/// `manifest_whitespace_opening_bracket_before`
pub(crate) fn before_opening(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for bracket in tokens.of(Kind::LeftBracket) {
        let Some(solid) = tokens.previous_solid(bracket) else { continue };
        if is_fine_before(manifest, bracket, solid) {
            continue;
        }
        let opens = matches!(tokens.kind(solid), Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace);
        let edit =
            Edit::replace(tokens.get(solid).end, tokens.get(bracket).start, if opens { "" } else { " " });
        report.at(bracket, "there is not one blank before `[`").fix([edit]);
    }
}

fn is_fine_before(manifest: &Manifest, bracket: usize, solid: usize) -> bool {
    let tokens = &manifest.tokens;
    let previous = tokens.kind(bracket - 1);
    let on_own_line = matches!(previous, Kind::Indent | Kind::Newline);
    let has_single_space = solid + 2 == bracket && tokens.is_single_space(bracket - 1);
    let kind = tokens.kind(solid);
    if matches!(previous, Kind::ClassRef | Kind::Variable | Kind::Name)
        || kind == Kind::Comment
        || on_own_line
            && matches!(
                kind,
                Kind::Semicolon
                    | Kind::Comma
                    | Kind::Colon
                    | Kind::Name
                    | Kind::RightBracket
                    | Kind::RightBrace
            )
    {
        return true;
    }
    match kind {
        Kind::RightBracket
        | Kind::RightBrace
        | Kind::RightParen
        | Kind::LeftParen
        | Kind::LeftBracket
        | Kind::LeftBrace
        | Kind::Type
            if solid + 1 == bracket || on_own_line =>
        {
            return true;
        }
        Kind::RightBracket | Kind::RightBrace | Kind::RightParen | Kind::LeftParen | Kind::LeftBracket => {}
        Kind::Type | Kind::ClassRef | Kind::Variable => {}
        Kind::LeftBrace => {
            let opener = tokens.previous_solid(solid).map(|it| tokens.kind(it));
            return opener.is_none() || has_single_space && matches!(opener, Some(Kind::Name | Kind::Pipe));
        }
        _ if has_single_space => return true,
        _ => {}
    }
    false
}

/// `manifest_whitespace_opening_bracket_after`
pub(crate) fn after_opening(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for bracket in tokens.of(Kind::LeftBracket) {
        let Some(mut next) = tokens.next(bracket).filter(|&it| tokens.kind(it).is_blank()) else { continue };
        if tokens.kind(next) == Kind::Newline {
            match tokens.next(next).filter(|&it| tokens.kind(it) == Kind::Newline) {
                Some(second) => next = second,
                None => continue,
            }
        }
        let end = if tokens.kind(next) == Kind::Whitespace {
            tokens.get(next).end
        } else {
            end_of_empty(manifest, next)
        };
        let edit = Edit::remove(tokens.get(next).start, end);
        report.at(next, "there is neither nothing nor one line break behind `[`").fix([edit]);
    }
}

/// Where the empty lines end that begin with a line break; the last break before an indentation goes too.
fn end_of_empty(manifest: &Manifest, first: usize) -> u32 {
    let tokens = &manifest.tokens;
    let mut at = first;
    while let Some(next) = tokens.next(at) {
        let goes_on = match tokens.kind(next) {
            Kind::Newline => true,
            Kind::Indent => tokens.kind_of(tokens.next(next)) != Some(Kind::Newline),
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
pub(crate) fn before_closing(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for bracket in tokens.of(Kind::RightBracket) {
        let Some(solid) = tokens.previous_solid(bracket).filter(|&it| it + 1 < bracket) else { continue };
        let previous = tokens.kind(bracket - 1);
        let is_fine = previous == Kind::Indent && solid + 3 == bracket
            || previous == Kind::Newline && solid + 2 == bracket;
        if is_fine {
            continue;
        }
        let first = *tokens.get(solid + 1);
        let edit = if first.kind == Kind::Whitespace {
            Edit::remove(first.start, first.end)
        } else {
            let last = if previous == Kind::Indent { bracket - 1 } else { bracket };
            Edit::remove(first.end, tokens.get(last).start)
        };
        report.at(solid + 1, "there is neither nothing nor one line break before `]`").fix([edit]);
    }
}
