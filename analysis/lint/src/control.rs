//! Comments that turn off checks: `# lint:ignore:CHECK reason` up to `# lint:endignore`, and `#
//! lint:ignore-file:CHECK` for a whole file.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use crate::token::{TokenKind, Tokens};

/// Checks that are turned off on ranges of lines, with the reason.
#[derive(Default, Debug)]
pub(crate) struct Control<'t> {
    /// Ranges sorted by first line; each one extends to the maximum end of all that begin before it.
    lines: HashMap<&'t str, Vec<(RangeInclusive<u32>, String)>>,
    /// Messages about unmatched control comments, in puppet-lint's words.
    pub(crate) unmatched: Vec<String>,
}

/// Unterminated comment on a separate line.
struct Open<'t> {
    line: u32,
    reason: String,
    checks: Vec<&'t str>,
}

impl<'t> Control<'t> {
    pub(crate) fn new(tokens: &Tokens<'t>) -> Control<'t> {
        let mut control = Control::default();
        let mut open: Vec<Open> = Vec::new();
        for at in tokens.indexes().filter(|&it| tokens.kind(it).is_comment()) {
            let value = comment_text(tokens, at);
            if is_control(value) {
                control.comment(tokens, at, value, &mut open);
            }
        }
        for ranges in control.lines.values_mut() {
            ranges.sort_by_key(|it| *it.0.start());
            let mut last = 0;
            for (lines, _) in ranges {
                last = last.max(*lines.end());
                *lines = *lines.start()..=last;
            }
        }
        for it in open {
            let check = it.checks.first().copied().unwrap_or_default();
            let line = it.line;
            control.unmatched.push(format!(
                "lint:ignore:{check} comment on line {line} with no closing lint:endignore comment found"
            ));
        }
        control
    }

    fn comment(&mut self, tokens: &Tokens<'t>, at: usize, value: &'t str, open: &mut Vec<Open<'t>>) {
        let line = tokens.line(at);
        let words: Vec<&str> = value.split_whitespace().collect();
        let commands = words.iter().take_while(|it| is_command(it)).count();
        let reason = words[commands..].join(" ");
        let on_own_line = tokens
            .previous(at)
            .is_none_or(|it| matches!(tokens.kind(it), TokenKind::Newline | TokenKind::Indent));
        let mut opened = Vec::new();
        for command in &words[..commands] {
            let mut parts = command.split(':').skip(1);
            let command = parts.next();
            if command == Some("ignore-file") {
                let Some(check) = parts.next() else { continue };
                self.lines.entry(check).or_default().push((0..=u32::MAX, reason.clone()));
            } else if command == Some("ignore") {
                let Some(check) = parts.next() else { continue };
                if on_own_line {
                    opened.push(check);
                } else {
                    self.lines.entry(check).or_default().push((line..=line, reason.clone()));
                }
            } else {
                match open.pop() {
                    None => self.unmatched.push(format!(
                        "lint:endignore comment with no opening lint:ignore:<check> comment found on line {line}"
                    )),
                    Some(group) => self.ignore_lines(&group, line),
                }
            }
        }
        if !opened.is_empty() {
            open.push(Open { line, reason, checks: opened });
        }
    }

    fn ignore_lines(&mut self, group: &Open<'t>, last: u32) {
        for check in &group.checks {
            self.lines.entry(check).or_default().push((group.line..=last, group.reason.clone()));
        }
    }

    /// Returns the reason why a check is turned off on a line; `None` if it is not.
    pub(crate) fn reason(&self, check: &'static str, line: u32) -> Option<&str> {
        let ranges = self.lines.get(check)?;
        let opened = ranges.partition_point(|(lines, _)| *lines.start() <= line);
        let (lines, reason) = ranges.get(opened.checked_sub(1)?)?;
        lines.contains(&line).then_some(reason)
    }
}

/// Returns the text of a comment without its markers.
fn comment_text<'t>(tokens: &Tokens<'t>, at: usize) -> &'t str {
    let value = tokens.value(at);
    match tokens.kind(at) {
        TokenKind::BlockComment => {
            value.trim_start_matches("/*").trim_end_matches("*/").trim().trim_start_matches('*').trim()
        }
        _ => value.trim(),
    }
}

fn is_command(word: &str) -> bool {
    word.starts_with("lint:ignore") || word.starts_with("lint:endignore")
}

fn is_control(text: &str) -> bool {
    text.starts_with("lint:endignore")
        || text
            .strip_prefix("lint:ignore:")
            .or_else(|| text.strip_prefix("lint:ignore-file:"))
            .is_some_and(|it| it.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_'))
}
