//! Comments of Ruby files, joined as YARD joins them.

use super::source::line_at;
use ruby_prism::Comments as ParsedComments;
use rustc_hash::{FxHashMap, FxHashSet};

/// Comments by the line on which they end.
pub(super) struct Comments {
    by_last_line: FxHashMap<u32, String>,
    /// Lines that contain code.
    code_lines: FxHashSet<u32>,
}

impl Comments {
    pub(super) fn new(text: &str, parsed: ParsedComments<'_>) -> Comments {
        let mut by_last_line: FxHashMap<u32, String> = FxHashMap::default();
        let (mut last_column, mut has_code, mut is_joined) = (None, false, true);
        let mut code_lines: FxHashSet<u32> =
            (1..).zip(text.lines()).filter(|(_, line)| is_code(line)).map(|(number, _)| number).collect();
        for comment in parsed {
            let location = comment.location();
            let Some(content) = text.get(location.start() as usize..location.end() as usize) else {
                continue;
            };
            let line = line_at(text, location.start() as usize);
            let line_start = text[..location.start() as usize].rfind('\n').map_or(0, |it| it + 1);
            let column = location.start() as usize - line_start;
            let starts_line = text[line_start..location.start() as usize].trim().is_empty();
            has_code |= !starts_line || code_lines.iter().any(|it| *it < line);
            if let Some(block) = content.strip_prefix("=begin") {
                let block = block.split_once('\n').map_or("", |(_, rest)| rest);
                let block = block.rsplit_once("=end").map_or(block, |(content, _)| content);
                let last = line_at(text, (location.end() as usize).saturating_sub(1));
                (line..=last).for_each(|line| _ = code_lines.remove(&line));
                by_last_line.insert(last, block.to_owned());
                last_column = None;
                continue;
            }
            if !has_code && is_magic(content) {
                continue;
            }
            let content = content.trim_start_matches('#');
            let content = content.strip_prefix(char::is_whitespace).unwrap_or(content).to_owned();
            let has_comment_above = by_last_line.contains_key(&(line - 1));
            if !has_comment_above || last_column != Some(column) {
                // YARD does not join comments without indentation that directly follow a line of code.
                is_joined = column > 0 || has_comment_above || !code_lines.contains(&(line - 1));
            }
            let continues = starts_line && is_joined && last_column == Some(column);
            let above = if continues { by_last_line.remove(&(line - 1)) } else { None };
            let joined = above.map(|above| format!("{above}\n{content}")).unwrap_or(content);
            by_last_line.insert(line, joined);
            last_column = Some(column);
        }
        Comments { by_last_line, code_lines }
    }

    /// Returns the comment of a statement that begins on a line: that above it, or after a blank line above
    /// it, or on the line itself. Empty without one.
    pub(super) fn of_statement(&self, line: u32) -> &str {
        let own = |line: u32| {
            let comment = self.by_last_line.get(&line).filter(|it| !it.is_empty())?;
            Some(comment.as_str())
        };
        let is_code = |line: &u32| self.code_lines.contains(line);
        let above = line.checked_sub(1).filter(|it| !is_code(it));
        let further = above.and_then(|it| it.checked_sub(1)).filter(|it| !is_code(it));
        above.and_then(own).or_else(|| further.and_then(own)).or_else(|| own(line)).unwrap_or_default()
    }
}

fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// Returns true for comments that Ruby reads: encoding, frozen strings, and the interpreter.
fn is_magic(comment: &str) -> bool {
    let text = comment.trim_start_matches('#').trim_start();
    comment.starts_with("#!")
        || text.starts_with("frozen_string_literal:")
        || text.starts_with("frozen-string-literal:")
        || text.starts_with("encoding:")
        || text.starts_with("coding:")
        || text.contains("-*- coding")
        || text.contains("-*- encoding")
        || text.starts_with("vim: ") && text.contains("coding")
}
