//! Changes of a text.

/// What stands in the text between two offsets becomes something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutEdit {
    /// The first byte that goes.
    pub start: u32,
    /// The byte behind the last one that goes.
    pub end: u32,
    /// What stands there instead.
    pub text: String,
}

/// The text after the edits, which stand from front to back and do not touch each other.
pub fn apply(text: &str, edits: &[LayoutEdit]) -> String {
    let mut out = String::with_capacity(text.len() + edits.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.start as usize]);
        out.push_str(&edit.text);
        at = edit.end as usize;
    }
    out.push_str(&text[at..]);
    out
}

/// Edits of whole lines that make one text the other: lines that both begin or end with stay.
pub(crate) fn minimal(old: &str, new: &str) -> Vec<LayoutEdit> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let same = |(a, b): &(&&str, &&str)| a == b;
    let front = old_lines.iter().zip(&new_lines).take_while(same).count();
    let (old_rest, new_rest) = (&old_lines[front..], &new_lines[front..]);
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let length = |lines: &[&str]| lines.iter().map(|it| it.len()).sum::<usize>();
    let start = length(&old_lines[..front]);
    let end = old.len() - length(&old_rest[old_rest.len() - back..]);
    let text = new_rest[..new_rest.len() - back].concat();
    if start == end && text.is_empty() {
        return Vec::new();
    }
    vec![LayoutEdit { start: start as u32, end: end as u32, text }]
}
