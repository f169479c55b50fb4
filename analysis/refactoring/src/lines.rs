//! Lines and indentation of source text.

use syntax::TextRange;

/// Returns the indentation of the line that contains `offset`.
pub(crate) fn indentation(text: &str, offset: u32) -> &str {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// Replaces the indentation `from` of all lines after the first with `to`.
pub(crate) fn reindented(text: &str, from: &str, to: &str) -> String {
    let mut lines = text.split('\n');
    let mut result = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        result.push('\n');
        match line.strip_prefix(from) {
            Some(rest) if !rest.trim().is_empty() => result.extend([to, rest]),
            _ => result.push_str(line),
        }
    }
    result
}

/// Returns the range to remove for some code: its lines, if nothing but a comment is on them too, and one of two
/// empty lines around it.
pub(crate) fn removed_lines(text: &str, range: TextRange) -> TextRange {
    let before = text.get(..range.start as usize).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let after = text.get(range.end as usize..).unwrap_or_default();
    let line_end = after.find('\n').map_or(after.len(), |at| at + 1);
    let after_code = after[..line_end].trim();
    // The comment of removed code goes too; in a template, the end of the tag is not part of it.
    let is_comment = after_code.starts_with('#') && !after_code.contains("%>");
    let is_alone = before[line_start..].trim().is_empty() && (after_code.is_empty() || is_comment);
    if !is_alone {
        // One of the spaces around it goes too.
        let spaces = after.len() - after.trim_start_matches([' ', '\t']).len();
        let ends_line = after[spaces..].is_empty() || after[spaces..].starts_with(['\n', '\r']);
        let kept = before.trim_end_matches([' ', '\t']).len();
        return match (before.ends_with([' ', '\t']), ends_line) {
            (true, true) if kept > line_start => TextRange::new(kept as u32, range.end),
            (true, false) if kept > line_start => TextRange::new(range.start, range.end + spaces as u32),
            _ => range,
        };
    }
    let mut start = line_start;
    let mut end = range.end as usize + line_end;
    let above = &before[..line_start];
    let line_above = above.lines().next_back().map(str::trim);
    let has_edge_above = line_above.is_none_or(|it| it.is_empty() || it.ends_with(['{', '(', '[']));
    let next = &text[end..];
    let next_length = next.find('\n').map_or(next.len(), |at| at + 1);
    if has_edge_above && next_length > 0 && next[..next_length].trim().is_empty() {
        end += next_length;
    } else if line_above == Some("") && (next.is_empty() || next.trim_start().starts_with(['}', ')', ']'])) {
        let line_break = above.strip_suffix('\n').unwrap_or(above);
        start = line_break.rfind('\n').map_or(0, |at| at + 1);
    }
    TextRange::new(start as u32, end as u32)
}

/// Returns the indentation of one level in a file: a tab if the first indented line begins with one.
pub(crate) fn indentation_step(text: &str) -> &'static str {
    let first = text.lines().find(|it| it.starts_with([' ', '\t']) && !it.trim().is_empty());
    if first.is_some_and(|it| it.starts_with('\t')) { "\t" } else { "  " }
}

/// Returns a text with the line breaks of a file.
pub(crate) fn with_line_breaks_of(file: &str, text: &str) -> Option<String> {
    let is_needed = text.contains('\n') && file.contains("\r\n");
    is_needed.then(|| text.replace("\r\n", "\n").replace('\n', "\r\n"))
}

/// Returns the offset at which lines can be added after an entry of a list, and whether a comma is missing: after
/// the comma and the comment of the entry. `None` if other code follows on the line.
pub(crate) fn after_entry(text: &str, end: u32) -> Option<(u32, bool)> {
    let rest = text.get(end as usize..)?;
    let line = &rest[..rest.find(['\r', '\n'])?];
    let (after, lacks_comma) = match line.trim_start().strip_prefix(',') {
        Some(after) => (after, false),
        None => (line, true),
    };
    let after = after.trim();
    let is_free = after.is_empty() || after.starts_with('#');
    is_free.then(|| (end + line.trim_end().len() as u32, lacks_comma))
}
