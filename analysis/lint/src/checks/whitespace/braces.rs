//! The blanks around `{` and `}`.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

/// `manifest_whitespace_opening_brace_before`
pub(crate) fn before_opening(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for brace in tokens.of(Kind::LeftBrace) {
        let Some(solid) = tokens.previous_solid(brace) else { continue };
        let solid_kind = tokens.kind(solid);
        let breaks_line = (solid..brace).any(|it| tokens.kind(it) == Kind::Newline);
        let has_single_space = solid + 2 == brace && tokens.is_single_space(brace - 1);
        let is_fine = match solid_kind {
            Kind::Comma if matches!(tokens.kind(brace - 1), Kind::Indent | Kind::Newline) => true,
            Kind::Comment | Kind::Colon => true,
            Kind::LeftParen | Kind::LeftBracket => solid + 1 == brace || breaks_line,
            Kind::LeftBrace => breaks_line || has_single_space,
            _ => has_single_space,
        };
        if is_fine {
            continue;
        }
        let text = if matches!(solid_kind, Kind::LeftParen | Kind::LeftBracket) { "" } else { " " };
        let edit = Edit::replace(tokens.get(solid).end, tokens.get(brace).start, text);
        report.at(brace, "there is not one blank before `{`").fix([edit]);
    }
}

/// `manifest_whitespace_opening_brace_after`
pub(crate) fn after_opening(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for brace in tokens.of(Kind::LeftBrace) {
        let Some(mut next) = tokens.next(brace).filter(|&it| !tokens.is_single_space(it)) else { continue };
        if matches!(tokens.kind(next), Kind::RightBrace | Kind::LeftBracket | Kind::LeftBrace) {
            continue;
        }
        if tokens.kind(next) == Kind::Newline {
            match tokens.next(next).filter(|&it| tokens.kind(it) == Kind::Newline) {
                Some(second) => next = second,
                None => continue,
            }
        }
        let edit = match tokens.kind(next) {
            Kind::Whitespace => Edit::replace(tokens.get(next).start, tokens.get(next).end, " "),
            Kind::Newline => {
                let last = (next..tokens.len())
                    .take_while(|&it| tokens.kind(it) == Kind::Newline)
                    .last()
                    .unwrap_or(next);
                Edit::remove(tokens.get(next).start, tokens.get(last).end)
            }
            _ => Edit::insert(tokens.get(next).start, " "),
        };
        report.at(next, "there is neither one blank nor one line break behind `{`").fix([edit]);
    }
}

/// `manifest_whitespace_closing_brace_before`
pub(crate) fn before_closing(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for brace in tokens.of(Kind::RightBrace) {
        let Some(solid) = tokens.previous_solid(brace) else { continue };
        let previous = tokens.kind(brace - 1);
        let begins = tokens.kind(solid) == Kind::LeftBrace;
        let is_fine = previous == Kind::LeftBrace
            || !begins && tokens.is_single_space(brace - 1) && solid + 2 == brace
            || previous == Kind::Indent && solid + 3 == brace
            || previous == Kind::Newline && solid + 2 == brace;
        if is_fine {
            continue;
        }
        // A line break that comes last stays, with the indentation behind it.
        let last_break = match previous {
            Kind::Newline => Some(brace - 1),
            Kind::Indent => Some(brace - 2),
            _ => None,
        };
        let start = tokens.get(solid).end;
        let edit = match last_break {
            Some(line_break) => Edit::remove(start, tokens.get(line_break).start),
            None => Edit::replace(start, tokens.get(brace).start, if begins { "" } else { " " }),
        };
        report.at(solid + 1, "there is neither one blank nor one line break before `}`").fix([edit]);
    }
}

/// `manifest_whitespace_closing_brace_after`
pub(crate) fn after_closing(manifest: &Manifest, report: &mut Report) {
    after(manifest, Kind::RightBrace, "`}`", report);
}

/// `manifest_whitespace_closing_bracket_after`
pub(crate) fn after_closing_bracket(manifest: &Manifest, report: &mut Report) {
    after(manifest, Kind::RightBracket, "`]`", report);
}

fn after(manifest: &Manifest, closing: Kind, name: &str, report: &mut Report) {
    let tokens = &manifest.tokens;
    for close in tokens.of(closing) {
        let Some(next) = tokens.next(close) else { continue };
        if may_follow(tokens.kind(next)) {
            continue;
        }
        let is_blank = tokens.kind(next) == Kind::Whitespace;
        if is_blank && !tokens.next_solid(close).is_some_and(|it| may_follow(tokens.kind(it))) {
            continue;
        }
        let token = *tokens.get(next);
        let finding = report.at(
            next,
            format!("there is something between {name} and what follows that does not belong there"),
        );
        if is_blank {
            finding.fix([Edit::remove(token.start, token.end)]);
        }
    }
}

/// What may stand directly behind a closing bracket, and has no blank before it.
fn may_follow(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::RightBracket
            | Kind::RightParen
            | Kind::Semicolon
            | Kind::Comma
            | Kind::Colon
            | Kind::Dot
            | Kind::Newline
            | Kind::StringMiddle
            | Kind::StringEnd
            | Kind::LeftBracket
            | Kind::HeredocMiddle
            | Kind::HeredocEnd
    )
}
