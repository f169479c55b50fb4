//! Documentation in Ruby comments and indented strings.

use smol_str::SmolStr;

/// Removes the indentation common to all lines, and empty lines at both ends. A first line that begins right
/// after the quote does not count.
pub fn dedent(text: &str) -> SmolStr {
    let first_is_flush = text.starts_with(|character: char| !character.is_whitespace());
    let indentation = text
        .lines()
        .skip(usize::from(first_is_flush))
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let mut result = String::with_capacity(text.len());
    for (index, line) in text.lines().enumerate() {
        let cut = if index == 0 && first_is_flush { 0 } else { indentation };
        result.push_str(line.get(cut..).unwrap_or("").trim_end());
        result.push('\n');
    }
    SmolStr::new(trim_empty_lines(&result))
}

/// Removes empty lines at the start and whitespace at the end.
fn trim_empty_lines(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some((line, rest)) = text.split_once('\n') {
        if !line.trim().is_empty() {
            break;
        }
        text = rest;
    }
    text
}

/// Returns the comment before `offset` without comment markers. One empty line may separate the two.
pub fn comment_before(text: &str, offset: u32) -> SmolStr {
    let Some(before) = text.get(..offset as usize) else { return SmolStr::default() };
    let before = &before[..before.rfind('\n').map_or(0, |newline| newline + 1)];
    let mut lines = Vec::new();
    let mut empty_lines = 0;
    for line in before.lines().rev() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            if !is_tool_directive(comment) {
                lines.push(comment);
            }
        } else if line.is_empty() && lines.is_empty() && empty_lines == 0 {
            empty_lines += 1;
        } else {
            break;
        }
    }
    lines.reverse();
    // The space after the comment marker is removed as common indentation.
    let comment: Vec<String> = lines.iter().map(|line| format!(" {line}")).collect();
    dedent(&comment.join("\n"))
}

/// Returns true for comments that address Ruby, an editor or a linter.
fn is_tool_directive(comment: &str) -> bool {
    let comment = comment.trim_start();
    let starts = ["frozen_string_literal:", "rubocop:", "encoding:", "coding:", "vim:", "-*-", "!", "kate:"];
    starts.iter().any(|start| comment.starts_with(start))
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
