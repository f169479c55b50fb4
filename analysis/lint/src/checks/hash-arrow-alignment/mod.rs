//! `hash_arrow_alignment`: arrows of a hash, a selector, defaults or an override that are not in the same
//! column.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut resources = manifest.resources().iter().peekable();
    for at in tokens.indexes() {
        while resources.next_if(|it| it.end < at).is_some() {}
        match tokens.kind(at) {
            TokenKind::LeftBrace | TokenKind::LeftBracket | TokenKind::LeftParen => groups.push(Vec::new()),
            // Arrows of resources are checked by `arrow_alignment`.
            TokenKind::FatArrow if !resources.peek().is_some_and(|it| it.tokens().contains(&at)) => {
                if let Some(group) = groups.last_mut() {
                    group.push(at);
                }
            }
            TokenKind::RightBrace => check_group(manifest, &groups.pop().unwrap_or_default(), report),
            TokenKind::RightBracket | TokenKind::RightParen => drop(groups.pop()),
            _ => {}
        }
    }
}

fn check_group(manifest: &Manifest, arrows: &[usize], report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    if arrows.windows(2).any(|pair| tokens.line(pair[0]) == tokens.line(pair[1])) {
        return;
    }
    // The arrow after a key of several lines is not aligned.
    let after_key = |arrow: usize| {
        let key = tokens.previous_code(arrow)?;
        let is_on_line = |it: usize| tokens.line(it) == tokens.line(arrow);
        let is_one_line = is_on_line(key) && tokens.partner(key).is_none_or(is_on_line);
        is_one_line.then(|| tokens.get(key).column + tokens.width(key))
    };
    let keys: Vec<(usize, u32)> =
        arrows.iter().filter_map(|&arrow| Some((arrow, after_key(arrow)?))).collect();
    let Some(column) = keys.iter().map(|(_, end)| end + 1).max().filter(|_| keys.len() > 1) else { return };
    for (arrow, end) in keys {
        let token = tokens.get(arrow);
        if token.column == column {
            continue;
        }
        let before = tokens.get(arrow - 1);
        let start = if before.kind == TokenKind::Whitespace { before.start } else { token.start };
        let message = format!("arrow in column {}, expected column {column}", token.column);
        let edit = Edit::replace(start, token.start, " ".repeat((column - end) as usize));
        report.at(arrow, message).fix([edit]);
    }
}
