//! Comments that mention defects.

/// Words that mark unfinished or defective code.
const MARKERS: [&str; 10] =
    ["todo", "to-do", "fixme", "hack", "hacks", "hacky", "xxx", "bug", "bugs", "kludge"];

/// Word of a comment.
pub struct DefectMarker<'a> {
    /// Offset in the text.
    pub start: usize,
    pub word: &'a str,
}

fn line_around(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    text[start..].lines().next().unwrap_or_default()
}

/// Returns true for a bug that has an entry in a tracker, as in `Bug 12345` and `bug report`, which only explains code.
fn is_reference(word: &str, line: &str, after: &str) -> bool {
    const NEXT: [&str; 10] = [
        "list",
        "report",
        "reports",
        "tracker",
        "id",
        "number",
        "work-around",
        "work-arounds",
        "fix",
        "fixes",
    ];
    let is_bug = word.eq_ignore_ascii_case("bug") || word.eq_ignore_ascii_case("bugs");
    let next = after.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let has_number = line.split(|c: char| !c.is_ascii_digit()).any(|it| it.len() > 2);
    is_bug && (has_number || line.contains("://") || NEXT.contains(&next.trim_end_matches([':', '.'])))
}

/// Returns the first marker in a text. Parts of paths and host names, such as `bugs.debian.org`, and quoted words are
/// none.
pub fn marker(text: &str) -> Option<DefectMarker<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
    let mut at = 0;
    while let Some(start) = text[at..].find(is_part).map(|it| at + it) {
        let end = text[start..].find(|c: char| !is_part(c)).map_or(text.len(), |it| start + it);
        let word = &text[start..end];
        let is_in_name = text[end..].starts_with('.')
            && text[end + 1..].starts_with(|c: char| c.is_alphanumeric())
            || text[..start].ends_with(['.', '$', '%', '\'', '"', '`', '<']);
        let is_placeholder = word == "xxx";
        let is_marker =
            !is_in_name && !is_placeholder && MARKERS.contains(&word.to_ascii_lowercase().as_str());
        if is_marker && !is_reference(word, line_around(text, start), &text[end..]) {
            return Some(DefectMarker { start, word });
        }
        at = end;
    }
    None
}
