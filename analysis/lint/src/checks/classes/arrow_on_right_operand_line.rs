//! `arrow_on_right_operand_line`: the arrow of a chain at the end of a line.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let arrows = tokens.indexes().filter(|&it| matches!(tokens.kind(it), Kind::Before | Kind::Notify));
    for arrow in arrows {
        let Some(right) = tokens.next_code(arrow).filter(|&it| tokens.line(it) != tokens.line(arrow)) else {
            continue;
        };
        let finding = report.at(arrow, "the arrow belongs on the line of its right operand");
        let token = tokens.get(arrow);
        let mut removed = token.start..token.end;
        let before = tokens.previous_code(arrow).map_or(0, |it| tokens.get(it).end);
        let blanks = before..token.start;
        let is_blank = manifest.text[blanks.start as usize..blanks.end as usize]
            .chars()
            .all(|it| it == ' ' || it == '\t');
        let then_blank =
            tokens.next(arrow).is_some_and(|it| matches!(tokens.kind(it), Kind::Newline | Kind::Whitespace));
        if is_blank && then_blank {
            removed.start = before;
        }
        finding.fix([
            Edit::remove(removed.start, removed.end),
            Edit::insert(tokens.get(right).start, format!("{} ", tokens.source(arrow))),
        ]);
    }
}
