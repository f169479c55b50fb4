//! `arrow_on_right_operand_line`: the arrow of a chain at the end of a line.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let arrows =
        tokens.indexes().filter(|&it| matches!(tokens.kind(it), TokenKind::Before | TokenKind::Notify));
    for arrow in arrows {
        let Some(right) = tokens.next_code(arrow).filter(|&it| tokens.line(it) != tokens.line(arrow)) else {
            continue;
        };
        let finding = report.at(arrow, "arrow should be on the line of its right operand");
        let token = tokens.get(arrow);
        let mut removed = token.start..token.end;
        let before = tokens.previous_code(arrow).map_or(0, |it| tokens.get(it).end);
        let whitespace = before..token.start;
        let is_blank = manifest.text[whitespace.start as usize..whitespace.end as usize]
            .chars()
            .all(|it| it == ' ' || it == '\t');
        let then_blank = tokens
            .next(arrow)
            .is_some_and(|it| matches!(tokens.kind(it), TokenKind::Newline | TokenKind::Whitespace));
        if is_blank && then_blank {
            removed.start = before;
        }
        finding.fix([
            Edit::remove(removed.start, removed.end),
            Edit::insert(tokens.get(right).start, format!("{} ", tokens.source(arrow))),
        ]);
    }
}
