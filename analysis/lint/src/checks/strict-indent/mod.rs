//! `strict_indent`: lines whose indentation does not match the nesting depth.

use std::collections::HashSet;

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let mut state = OpenLevels { open: 0, colon_line: None };
    for newline in tokens.of(TokenKind::Newline) {
        let Some(first) = tokens.next(newline) else { break };
        let before = state.line_before(manifest, newline);
        let after = state.line_after(manifest, first);
        if state.open < 0 {
            report.at(first, "unbalanced brackets; indentation is not checked");
            break;
        }
        let expected = (state.open + before + after).max(0) * i64::from(manifest.options.chars_per_indent);
        let found = i64::from(found(manifest, first));
        // Version 3 of the plugin measures heredocs in another way.
        let is_heredoc = matches!(tokens.kind(first), TokenKind::Heredoc | TokenKind::HeredocStart);
        let is_passed = matches!(tokens.kind(first), TokenKind::Comment | TokenKind::Newline)
            || is_heredoc && manifest.options.indents_each_bracket;
        if expected == found || is_passed {
            continue;
        }
        report
            .at(first, format!("indented by {found} spaces, expected {expected}"))
            .fix(indent(manifest, first, expected, found));
    }
}

struct OpenLevels {
    /// Number of open levels.
    open: i64,
    /// Line of a title whose attributes are indented by one more level.
    colon_line: Option<u32>,
}

impl OpenLevels {
    /// Opens the levels of the line that ends at `newline`. Returns the number of levels that only affect the
    /// next line.
    fn line_before(&mut self, manifest: &Manifest, newline: usize) -> i64 {
        let tokens = &manifest.tokens;
        let mut only_next = 0;
        let mut opened = 0;
        let mut closed_on = HashSet::new();
        for at in (0..newline).rev().take_while(|&it| tokens.kind(it) != TokenKind::Newline) {
            match tokens.kind(at) {
                TokenKind::HeredocOpen => only_next += 1,
                TokenKind::LeftBrace | TokenKind::LeftBracket | TokenKind::LeftParen => {
                    match tokens.partner(at).map(|it| tokens.line(it)) {
                        None => opened += 1,
                        Some(line) if line > tokens.line(at) => {
                            opened +=
                                i64::from(closed_on.insert(line) || manifest.options.indents_each_bracket);
                        }
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
        self.open += opened;
        let is_passed = |it: &usize| matches!(tokens.kind(*it), TokenKind::Whitespace | TokenKind::Comment);
        let last = (0..newline).rev().find(|it| !is_passed(it));
        match last.map(|it| tokens.kind(it)) {
            Some(TokenKind::Colon) if opened == 0 && self.colon_line.is_none() => {
                self.colon_line = last.map(|it| tokens.line(it));
                self.open += 1;
            }
            Some(TokenKind::Semicolon) if self.colon_line.take().is_some() => self.open -= 1,
            Some(TokenKind::Equal | TokenKind::FatArrow) => only_next += 1,
            _ => {}
        }
        only_next
    }

    /// Closes the levels of the line that begins with `first`. Returns the number of levels that only affect
    /// this line.
    fn line_after(&mut self, manifest: &Manifest, first: usize) -> i64 {
        let tokens = &manifest.tokens;
        let mut only_this = 0;
        let mut opened_on = HashSet::new();
        for at in (first..tokens.len()).take_while(|&it| tokens.kind(it) != TokenKind::Newline) {
            match tokens.kind(at) {
                TokenKind::RightBrace | TokenKind::RightBracket | TokenKind::RightParen => {
                    let Some(line) = tokens.partner(at).map(|it| tokens.line(it)) else { continue };
                    if line < tokens.line(at) {
                        self.open -=
                            i64::from(opened_on.insert(line) || manifest.options.indents_each_bracket);
                    }
                    let ends_title = tokens.kind(at) == TokenKind::RightBrace
                        && self.colon_line.is_some_and(|it| line < it);
                    if ends_title {
                        self.open -= 1;
                        self.colon_line = None;
                    }
                }
                TokenKind::Semicolon
                    if self.colon_line.is_some() && !manifest.options.indents_each_bracket =>
                {
                    let stands_alone = matches!(tokens.kind(at - 1), TokenKind::Indent | TokenKind::Newline)
                        && tokens.next(at).is_none_or(|it| tokens.kind(it) == TokenKind::Newline);
                    only_this -= i64::from(stands_alone);
                }
                _ => {}
            }
        }
        only_this
    }
}

/// Returns the indentation of the line that begins with `first`; for a heredoc, that of its end.
fn found(manifest: &Manifest, first: usize) -> u32 {
    let tokens = &manifest.tokens;
    let last_line = |value: &str| {
        if value.ends_with('\n') {
            0
        } else {
            value.rsplit('\n').next().unwrap_or_default().chars().count() as u32
        }
    };
    match tokens.kind(first) {
        TokenKind::Indent => tokens.width(first),
        TokenKind::Heredoc => last_line(tokens.value(first)),
        TokenKind::HeredocStart => end_of_heredoc(manifest, first).map_or(0, |it| {
            let value = tokens.value(it);
            value.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default().chars().count() as u32
        }),
        _ => 0,
    }
}

/// Returns the last part of the heredoc that begins with `first`, unless an interpolation in it contains a
/// line break.
fn end_of_heredoc(manifest: &Manifest, first: usize) -> Option<usize> {
    let tokens = &manifest.tokens;
    let at = (first..tokens.len())
        .find(|&it| matches!(tokens.kind(it), TokenKind::Newline | TokenKind::HeredocEnd))?;
    (tokens.kind(at) == TokenKind::HeredocEnd).then_some(at)
}

fn indent(manifest: &Manifest, first: usize, expected: i64, found: i64) -> Vec<Edit> {
    let token = *manifest.tokens.get(first);
    let spaces = |count: i64| " ".repeat(count.clamp(0, 1 << 16) as usize);
    match token.kind {
        TokenKind::Indent => vec![Edit::replace(token.start, token.end, spaces(expected))],
        TokenKind::Heredoc | TokenKind::HeredocStart => {
            let last =
                if token.kind == TokenKind::Heredoc { Some(first) } else { end_of_heredoc(manifest, first) };
            let end = last.map_or(token.end, |it| manifest.tokens.get(it).end);
            shift(&manifest.text[token.start as usize..end as usize], token.start, expected - found)
        }
        _ => vec![Edit::insert(token.start, spaces(expected))],
    }
}

/// Returns the edits that shift all lines of a heredoc; none if a line has too few spaces.
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
