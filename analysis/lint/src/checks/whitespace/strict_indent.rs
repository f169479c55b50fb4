//! `strict_indent`: lines that are not indented by what is open before them.

use std::collections::HashSet;

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let mut state = Indentation { open: 0, colon_line: None };
    for newline in tokens.of(Kind::Newline) {
        let Some(first) = tokens.next(newline) else { break };
        let before = state.line_before(manifest, newline);
        let after = state.line_after(manifest, first);
        if state.open < 0 {
            report.at(first, "more is closed than was open: the indentation cannot be told");
            break;
        }
        let wanted = (state.open + before + after).max(0) * i64::from(manifest.options.chars_per_indent);
        let found = i64::from(found(manifest, first));
        if wanted == found || matches!(tokens.kind(first), Kind::Comment | Kind::Newline) {
            continue;
        }
        report
            .at(first, format!("the line is indented by {found}, not by {wanted}"))
            .fix(indent(manifest, first, wanted, found));
    }
}

struct Indentation {
    /// How many levels are open.
    open: i64,
    /// The line of a title whose attributes are indented once more.
    colon_line: Option<u32>,
}

impl Indentation {
    /// What the line that ends at `newline` opens; what it gives to the next line alone is the answer.
    fn line_before(&mut self, manifest: &Manifest, newline: usize) -> i64 {
        let tokens = &manifest.tokens;
        let mut only_next = 0;
        let mut opened = 0;
        let mut closed_on = HashSet::new();
        for at in (0..newline).rev().take_while(|&it| tokens.kind(it) != Kind::Newline) {
            match tokens.kind(at) {
                Kind::HeredocOpen => only_next += 1,
                Kind::LeftBrace | Kind::LeftBracket | Kind::LeftParen => {
                    match tokens.partner(at).map(|it| tokens.line(it)) {
                        None => opened += 1,
                        Some(line) if line > tokens.line(at) => opened += i64::from(closed_on.insert(line)),
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
        self.open += opened;
        let is_passed = |it: &usize| matches!(tokens.kind(*it), Kind::Whitespace | Kind::Comment);
        let last = (0..newline).rev().find(|it| !is_passed(it));
        match last.map(|it| tokens.kind(it)) {
            Some(Kind::Colon) if opened == 0 && self.colon_line.is_none() => {
                self.colon_line = last.map(|it| tokens.line(it));
                self.open += 1;
            }
            Some(Kind::Semicolon) if self.colon_line.take().is_some() => self.open -= 1,
            Some(Kind::Equal | Kind::FatArrow) => only_next += 1,
            _ => {}
        }
        only_next
    }

    /// What the line that begins with `first` closes; what concerns this line alone is the answer.
    fn line_after(&mut self, manifest: &Manifest, first: usize) -> i64 {
        let tokens = &manifest.tokens;
        let mut only_this = 0;
        let mut opened_on = HashSet::new();
        for at in (first..tokens.len()).take_while(|&it| tokens.kind(it) != Kind::Newline) {
            match tokens.kind(at) {
                Kind::RightBrace | Kind::RightBracket | Kind::RightParen => {
                    let Some(line) = tokens.partner(at).map(|it| tokens.line(it)) else { continue };
                    if line < tokens.line(at) {
                        self.open -= i64::from(opened_on.insert(line));
                    }
                    let ends_title =
                        tokens.kind(at) == Kind::RightBrace && self.colon_line.is_some_and(|it| line < it);
                    if ends_title {
                        self.open -= 1;
                        self.colon_line = None;
                    }
                }
                Kind::Semicolon if self.colon_line.is_some() => {
                    let stands_alone = matches!(tokens.kind(at - 1), Kind::Indent | Kind::Newline)
                        && tokens.next(at).is_none_or(|it| tokens.kind(it) == Kind::Newline);
                    only_this -= i64::from(stands_alone);
                }
                _ => {}
            }
        }
        only_this
    }
}

/// How far the line that begins with `first` is indented; a heredoc's as far as its end.
fn found(manifest: &Manifest, first: usize) -> u32 {
    let tokens = &manifest.tokens;
    let last_line = |value: &str| match value.ends_with('\n') {
        true => 0,
        false => value.rsplit('\n').next().unwrap_or_default().chars().count() as u32,
    };
    match tokens.kind(first) {
        Kind::Indent => tokens.width(first),
        Kind::Heredoc => last_line(tokens.value(first)),
        Kind::HeredocStart => end_of_heredoc(manifest, first).map_or(0, |it| {
            let value = tokens.value(it);
            value.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default().chars().count() as u32
        }),
        _ => 0,
    }
}

/// The last part of the heredoc that begins with `first`, where nothing in it breaks the line.
fn end_of_heredoc(manifest: &Manifest, first: usize) -> Option<usize> {
    let tokens = &manifest.tokens;
    let at = (first..tokens.len()).find(|&it| matches!(tokens.kind(it), Kind::Newline | Kind::HeredocEnd))?;
    (tokens.kind(at) == Kind::HeredocEnd).then_some(at)
}

fn indent(manifest: &Manifest, first: usize, wanted: i64, found: i64) -> Vec<Edit> {
    let token = *manifest.tokens.get(first);
    let blanks = |count: i64| " ".repeat(count.clamp(0, 1 << 16) as usize);
    match token.kind {
        Kind::Indent => vec![Edit::replace(token.start, token.end, blanks(wanted))],
        Kind::Heredoc | Kind::HeredocStart => {
            let last =
                if token.kind == Kind::Heredoc { Some(first) } else { end_of_heredoc(manifest, first) };
            let end = last.map_or(token.end, |it| manifest.tokens.get(it).end);
            shift(&manifest.text[token.start as usize..end as usize], token.start, wanted - found)
        }
        _ => vec![Edit::insert(token.start, blanks(wanted))],
    }
}

/// Moves all lines of a heredoc by `by`, or none where one has too few blanks.
fn shift(text: &str, start: u32, by: i64) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = start;
    for line in text.split('\n') {
        if !line.is_empty() {
            let removed = (-by).max(0) as usize;
            if !line.bytes().take(removed).all(|it| it == b' ') || line.len() < removed {
                return Vec::new();
            }
            edits.push(Edit::replace(at, at + removed as u32, " ".repeat(by.clamp(0, 1 << 16) as usize)));
        }
        at += line.len() as u32 + 1;
    }
    edits
}
