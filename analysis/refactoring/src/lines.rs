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

/// Returns the range to remove for some code: its lines, if nothing else is on them, and one of two empty lines
/// around it.
pub(crate) fn removed_lines(text: &str, range: TextRange) -> TextRange {
    let before = text.get(..range.start as usize).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let after = text.get(range.end as usize..).unwrap_or_default();
    let line_end = after.find('\n').map_or(after.len(), |at| at + 1);
    let is_alone = before[line_start..].trim().is_empty() && after[..line_end].trim().is_empty();
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
    let mut end = range.end as usize + line_end;
    let above = before[..line_start].trim_end_matches([' ', '\t']);
    let has_edge_above = above.ends_with("\n\n") || above.ends_with("{\n") || above.is_empty();
    let next = &text[end..];
    let next_length = next.find('\n').map_or(next.len(), |at| at + 1);
    if has_edge_above && next_length > 0 && next[..next_length].trim().is_empty() {
        end += next_length;
    }
    TextRange::new(line_start as u32, end as u32)
}
