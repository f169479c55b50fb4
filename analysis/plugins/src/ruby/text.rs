//! Texts as Ruby programmers write documentation: in comments, and in indented strings.

use smol_str::SmolStr;

/// The text without the indentation that all its lines share, and without empty lines at its ends. What stands on the
/// first line right behind the quote has no indentation of its own.
pub(super) fn dedent(text: &str) -> SmolStr {
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

/// Without empty lines at the start and white space at the end.
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

/// The comment in front of what starts at `offset`: its lines without comment signs. One empty line may stand between.
pub(super) fn comment_in_front(text: &str, offset: u32) -> SmolStr {
    let Some(before) = text.get(..offset as usize) else { return SmolStr::default() };
    let before = &before[..before.rfind('\n').map_or(0, |newline| newline + 1)];
    let mut lines = Vec::new();
    let mut empty_lines = 0;
    for line in before.lines().rev() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            if !is_for_tools(comment) {
                lines.push(comment);
            }
        } else if line.is_empty() && lines.is_empty() && empty_lines == 0 {
            empty_lines += 1;
        } else {
            break;
        }
    }
    lines.reverse();
    // A space behind the sign is shared by all lines: indentation like any other.
    let comment: Vec<String> = lines.iter().map(|line| format!(" {line}")).collect();
    dedent(&comment.join("\n"))
}

/// Is it meant for Ruby, an editor or a linter?
fn is_for_tools(comment: &str) -> bool {
    let comment = comment.trim_start();
    let starts = ["frozen_string_literal:", "rubocop:", "encoding:", "coding:", "vim:", "-*-", "!", "kate:"];
    starts.iter().any(|start| comment.starts_with(start))
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
