//! Changed lines of two strings, as `diff -U 0` prints them.

use std::fmt::Write;

use serde_json::Value as Json;

/// Maximum number of pairs of lines that are compared. Longer texts differ as a whole, except for their common
/// beginning and end.
const MAX_PAIRS: usize = 1 << 22;

const NO_NEWLINE: &str = "\\ No newline at end of file";

/// A line of the output of `diff`.
pub(super) struct ChangedLine {
    /// Sign and text without surrounding whitespace.
    pub(super) text: String,
    /// True for the note that the text has no line break at its end.
    pub(super) is_note: bool,
}

/// Returns the lines that differ: those of each run of changes before it, then those after it.
pub(super) fn changed_lines(old: &Json, new: &Json) -> Vec<ChangedLine> {
    let (old, new) = (printed(old), printed(new));
    let (old, new): (Vec<&str>, Vec<&str>) = (split(&old), split(&new));
    let mut lines = Vec::new();
    let mut add = |sign: char, line: &str| {
        let text = format!("{sign}{}", line.trim_end_matches('\n'));
        lines.push(ChangedLine { text: text.trim().to_owned(), is_note: false });
        if !line.ends_with('\n') {
            lines.push(ChangedLine { text: NO_NEWLINE.to_owned(), is_note: true });
        }
    };
    let (mut left, mut right) = (0, 0);
    for (common_left, common_right) in common(&old, &new) {
        old[left..common_left].iter().for_each(|line| add('-', line));
        new[right..common_right].iter().for_each(|line| add('+', line));
        (left, right) = (common_left + 1, common_right + 1);
    }
    old[left.min(old.len())..].iter().for_each(|line| add('-', line));
    new[right.min(new.len())..].iter().for_each(|line| add('+', line));
    lines
}

/// Splits a text after each line break.
fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns the common lines as pairs of indices.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let start = old.iter().zip(new).take_while(|(left, right)| left == right).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = end.take_while(|(left, right)| left == right).count();
    let (height, width) = (old.len() - start - end, new.len() - start - end);
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|it| (it, it)).collect();
    if height.saturating_mul(width) <= MAX_PAIRS {
        let mut lengths = vec![vec![0_u32; width + 1]; height + 1];
        for row in (0..height).rev() {
            for column in (0..width).rev() {
                lengths[row][column] = if old[start + row] == new[start + column] {
                    lengths[row + 1][column + 1] + 1
                } else {
                    lengths[row + 1][column].max(lengths[row][column + 1])
                };
            }
        }
        let (mut row, mut column) = (0, 0);
        while row < height && column < width {
            if old[start + row] == new[start + column] {
                pairs.push((start + row, start + column));
                (row, column) = (row + 1, column + 1);
            } else if lengths[row + 1][column] >= lengths[row][column + 1] {
                row += 1;
            } else {
                column += 1;
            }
        }
    }
    pairs.extend((0..end).map(|it| (start + height + it, start + width + it)));
    pairs
}

/// Returns a value as Ruby prints it.
fn printed(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        value => inspected(value),
    }
}

fn inspected(value: &Json) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Json::Null => "nil".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => super::json::number_text(number),
        Json::String(text) => super::json::text_of(&Json::String(text.clone())),
        Json::Array(elements) => format!("[{}]", joined(elements.iter().map(inspected).collect())),
        Json::Object(entries) => {
            let entry = |(key, value): (&String, &Json)| {
                let mut entry = super::json::text_of(&Json::String(key.clone()));
                let _ = write!(entry, "=>{}", inspected(value));
                entry
            };
            format!("{{{}}}", joined(entries.iter().map(entry).collect()))
        }
    }
}
