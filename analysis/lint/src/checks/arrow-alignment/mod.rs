//! `arrow_alignment`: arrows of a resource's attributes that are not in the same column.

use crate::manifest::{Manifest, ResourceSpan};
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources() {
        let is_arrow = |it: &usize| tokens.kind(*it) == TokenKind::FatArrow;
        let first = resource.tokens().find(is_arrow);
        let last = resource.tokens().rev().find(is_arrow);
        if first.map(|it| tokens.line(it)) != last.map(|it| tokens.line(it)) {
            check_resource(manifest, resource, report);
        }
    }
}

/// Arrows between two braces that have been read so far.
#[derive(Default)]
struct ArrowGroup {
    /// Target column of all arrows.
    column: u32,
    /// Column of the first key.
    key_column: Option<u32>,
    arrows: Vec<usize>,
}

fn check_resource(manifest: &Manifest, resource: &ResourceSpan, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let mut groups = vec![ArrowGroup::default()];
    for at in resource.tokens() {
        match tokens.kind(at) {
            TokenKind::FatArrow => {
                if let Some(group) = groups.last_mut() {
                    group.add(manifest, at);
                }
            }
            TokenKind::LeftBrace => groups.push(ArrowGroup::default()),
            TokenKind::RightBrace | TokenKind::Semicolon => {
                let Some(group) = groups.pop() else { return };
                group.check(manifest, report);
            }
            _ => {}
        }
    }
}

/// Returns the column and the width in characters of a key.
fn extent(manifest: &Manifest, key: usize) -> (u32, u32) {
    let tokens = &manifest.tokens;
    let mut first = key;
    if tokens.kind(key) == TokenKind::StringEnd {
        first = (0..key).rev().find(|&it| tokens.kind(it) == TokenKind::StringStart).unwrap_or(key);
    }
    (tokens.get(first).column, (first..=key).map(|it| tokens.width(it)).sum())
}

impl ArrowGroup {
    fn add(&mut self, manifest: &Manifest, arrow: usize) {
        let tokens = &manifest.tokens;
        let Some(key) = tokens.previous_code(arrow) else { return };
        let (key_column, width) = extent(manifest, key);
        let group_column = *self.key_column.get_or_insert(key_column);
        let is_second_on_line = self.arrows.last().is_some_and(|&it| tokens.line(it) == tokens.line(arrow));
        let column = if is_second_on_line {
            group_column + width + 1
        } else {
            tokens.get(key).column + tokens.width(key) + 1
        };
        self.column = self.column.max(column);
        self.arrows.push(arrow);
    }

    fn check(&self, manifest: &Manifest, report: &mut CheckReport) {
        let tokens = &manifest.tokens;
        let line = |it: &usize| tokens.line(*it);
        if self.arrows.first().map(line) == self.arrows.last().map(line) {
            return;
        }
        for (index, &arrow) in self.arrows.iter().enumerate() {
            let found = tokens.get(arrow).column;
            if found == self.column {
                continue;
            }
            let is_first_on_line = index == 0 || line(&self.arrows[index - 1]) != line(&arrow);
            let edits =
                if is_first_on_line { self.align(manifest, arrow) } else { self.own_line(manifest, arrow) };
            let message = format!("arrow in column {found}, expected column {}", self.column);
            report.at(arrow, message).fix(edits.into_iter().flatten());
        }
    }

    /// Returns the edits that move the arrow to the target column.
    fn align(&self, manifest: &Manifest, arrow: usize) -> Option<Vec<Edit>> {
        let tokens = &manifest.tokens;
        let token = *tokens.get(arrow);
        let before = *tokens.get(arrow - 1);
        let (start, width) = match before.kind {
            TokenKind::Whitespace => (before.start, tokens.width(arrow - 1)),
            _ => (token.start, 0),
        };
        let wanted = (width + self.column).checked_sub(token.column)?;
        Some(vec![Edit::replace(start, token.start, " ".repeat(wanted as usize))])
    }

    /// Returns the edits that move the key of the arrow to a separate line. It is not the first key on its
    /// line.
    fn own_line(&self, manifest: &Manifest, arrow: usize) -> Option<Vec<Edit>> {
        let tokens = &manifest.tokens;
        let key = tokens.previous_code(arrow)?;
        let blank = *tokens.get(key.checked_sub(1)?);
        let start = if blank.kind == TokenKind::Whitespace { blank.start } else { blank.end };
        let indent = self.key_column? - 1;
        let key = *tokens.get(key);
        let width = manifest.text[key.start as usize..key.end as usize].chars().count() as u32;
        let wanted = self.column.checked_sub(indent + width + 1)?;
        Some(vec![
            Edit::replace(start, key.start, format!("\n{}", " ".repeat(indent as usize))),
            Edit::replace(key.end, tokens.get(arrow).start, " ".repeat(wanted as usize)),
        ])
    }
}
