//! Tags of an ERB template, and the ones that trim the same whitespace in EPP.

use std::ops::Range;

use crate::RewriteRefusal;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TagKind {
    Code,
    Output,
    Comment,
}

/// A tag of a template, with offsets in its text.
#[derive(Clone, Debug)]
pub(super) struct ErbTagSpan {
    pub(super) kind: TagKind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) code: Range<usize>,
    /// True if the indentation before it is removed.
    trims_before: bool,
    /// True if the line end after it is removed.
    trims_after: bool,
}

impl ErbTagSpan {
    /// Returns the tag of an EPP template with other code.
    pub(super) fn with_code(&self, code: &str) -> String {
        let end = if self.trims_after { "-%>" } else { "%>" };
        let start = match self.kind {
            TagKind::Code if self.trims_before => "<%-",
            TagKind::Code => "<%",
            TagKind::Output => "<%=",
            TagKind::Comment => return self.comment(code),
        };
        format!("{start}{code}{end}")
    }

    /// Returns a comment. In EPP, a dash at its start removes the indentation before it.
    pub(super) fn comment(&self, text: &str) -> String {
        let end = if self.trims_after { "-%>" } else { "%>" };
        let dash = if self.trims_before { "-" } else { "" };
        let space = if text.starts_with('-') && dash.is_empty() || text.is_empty() { " " } else { "" };
        format!("<%#{dash}{space}{text}{end}")
    }
}

/// Finds the tags of a template, as ERB with trim mode `-` does.
pub(super) fn find(path: &str, text: &str) -> Result<Vec<ErbTagSpan>, RewriteRefusal> {
    let refused = |reason: &str, at: usize| Err(RewriteRefusal::at(reason, path, text, at as u32));
    for (special, reason) in [("\r", "carriage return"), ("<%%", "literal tag"), ("%%>", "literal tag")] {
        if let Some(at) = text.find(special) {
            return refused(&format!("the template contains a {reason}"), at);
        }
    }
    let mut tags: Vec<ErbTagSpan> = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("<%").map(|it| from + it) {
        let (kind, has_dash, length) = match text.as_bytes().get(start + 2) {
            Some(b'-') => (TagKind::Code, true, 3),
            Some(b'=') => (TagKind::Output, false, 3),
            Some(b'#') => (TagKind::Comment, false, 3),
            _ => (TagKind::Code, false, 2),
        };
        let code = start + length;
        let Some(close) = text[code..].find("%>").map(|it| code + it) else {
            return refused("a tag is not closed", start);
        };
        let closes_with_dash = close > code && text.as_bytes()[close - 1] == b'-';
        let (code_end, end) = (if closes_with_dash { close - 1 } else { close }, close + 2);
        let before = text[from..start].trim_end_matches([' ', '\t']);
        let is_first = before.is_empty() || before.ends_with('\n');
        let ends_line = text[end..].starts_with('\n') || end == text.len();
        tags.push(ErbTagSpan {
            kind,
            start,
            end,
            code: code..code_end,
            trims_before: has_dash && is_first,
            trims_after: closes_with_dash && ends_line,
        });
        from = end;
    }
    Ok(tags)
}

/// Returns the output between a tag and the one before it, or after the last tag.
pub(super) fn text_before<'t>(text: &'t str, tags: &[ErbTagSpan], at: usize) -> &'t str {
    let before = at.checked_sub(1).and_then(|it| tags.get(it));
    let start = before.map_or(0, |it| it.end);
    let end = tags.get(at).map_or(text.len(), |it| it.start);
    let mut between = &text[start..end];
    if before.is_some_and(|it| it.trims_after) {
        between = between.strip_prefix('\n').unwrap_or(between);
    }
    match tags.get(at) {
        Some(tag) if tag.trims_before => between.trim_end_matches([' ', '\t']),
        _ => between,
    }
}
