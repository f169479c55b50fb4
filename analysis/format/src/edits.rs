//! Edits of a text.

/// Replacement of the text between two offsets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatEdit {
    /// Start of the replaced range.
    pub start: u32,
    /// Exclusive end of the replaced range.
    pub end: u32,
    /// Replacement text.
    pub text: String,
}

/// Applies edits, which must be sorted and must not touch each other.
pub fn apply(text: &str, edits: &[FormatEdit]) -> String {
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

/// Returns an edit of whole lines that turns `old` into `new` and keeps their common first and last lines.
pub(crate) fn minimal(old: &str, new: &str) -> Vec<FormatEdit> {
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
    vec![FormatEdit { start: start as u32, end: end as u32, text }]
}
