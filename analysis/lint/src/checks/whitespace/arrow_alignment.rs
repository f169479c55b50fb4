//! `arrow_alignment`: the arrows of a resource's attributes in different columns.

use crate::manifest::{Manifest, Resource};
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources() {
        let is_arrow = |it: &usize| tokens.kind(*it) == Kind::FatArrow;
        let first = resource.tokens().find(is_arrow);
        let last = resource.tokens().rev().find(is_arrow);
        if first.map(|it| tokens.line(it)) != last.map(|it| tokens.line(it)) {
            check_resource(manifest, resource, report);
        }
    }
}

/// The arrows between two braces, as far as they have been read.
#[derive(Default)]
struct Group {
    /// The column that all must be in.
    column: u32,
    /// Where the first key begins.
    key_column: Option<u32>,
    arrows: Vec<usize>,
}

fn check_resource(manifest: &Manifest, resource: &Resource, report: &mut Report) {
    let tokens = &manifest.tokens;
    let mut groups = vec![Group::default()];
    for at in resource.tokens() {
        match tokens.kind(at) {
            Kind::FatArrow => {
                if let Some(group) = groups.last_mut() {
                    group.add(manifest, at);
                }
            }
            Kind::LeftBrace => groups.push(Group::default()),
            Kind::RightBrace | Kind::Semicolon => {
                let Some(group) = groups.pop() else { return };
                group.check(manifest, report);
            }
            _ => {}
        }
    }
}

/// The column in which a key begins and how many characters it takes.
fn extent(manifest: &Manifest, key: usize) -> (u32, u32) {
    let tokens = &manifest.tokens;
    let mut first = key;
    if tokens.kind(key) == Kind::StringEnd {
        first = (0..key).rev().find(|&it| tokens.kind(it) == Kind::StringStart).unwrap_or(key);
    }
    (tokens.get(first).column, (first..=key).map(|it| tokens.width(it)).sum())
}

impl Group {
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

    fn check(&self, manifest: &Manifest, report: &mut Report) {
        let tokens = &manifest.tokens;
        let line = |it: &usize| tokens.line(*it);
        if self.arrows.first().map(line) == self.arrows.last().map(line) {
            return;
        }
        for (place, &arrow) in self.arrows.iter().enumerate() {
            let found = tokens.get(arrow).column;
            if found == self.column {
                continue;
            }
            let is_first_on_line = place == 0 || line(&self.arrows[place - 1]) != line(&arrow);
            let edits =
                if is_first_on_line { self.align(manifest, arrow) } else { self.own_line(manifest, arrow) };
            let message = format!("the arrow is in column {found} and belongs in column {}", self.column);
            report.at(arrow, message).fix(edits.into_iter().flatten());
        }
    }

    /// The arrow goes to its column.
    fn align(&self, manifest: &Manifest, arrow: usize) -> Option<Vec<Edit>> {
        let tokens = &manifest.tokens;
        let token = *tokens.get(arrow);
        let before = *tokens.get(arrow - 1);
        let (start, width) = match before.kind {
            Kind::Whitespace => (before.start, tokens.width(arrow - 1)),
            _ => (token.start, 0),
        };
        let wanted = (width + self.column).checked_sub(token.column)?;
        Some(vec![Edit::replace(start, token.start, " ".repeat(wanted as usize))])
    }

    /// The key of the arrow, which is not the first on its line, gets a line of its own.
    fn own_line(&self, manifest: &Manifest, arrow: usize) -> Option<Vec<Edit>> {
        let tokens = &manifest.tokens;
        let key = tokens.previous_code(arrow)?;
        let blank = *tokens.get(key.checked_sub(1)?);
        let start = if blank.kind == Kind::Whitespace { blank.start } else { blank.end };
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
