//! EPP templates: whitespace inside of tags. Text, line breaks, comments and indentation stay unchanged.

use std::collections::HashMap;

use syntax::SyntaxKind::*;
use syntax::{Parse, SyntaxElement, SyntaxToken, TextRange};

use crate::document::Part;
use crate::edits::FormatEdit;

/// Separator within a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagSeparator {
    /// Number of spaces.
    Spaces(u32),
    /// Spaces as in the source, at least one: the column of an arrow.
    Column,
}

impl TagSeparator {
    /// Returns the separator with more spaces.
    fn padded(self, count: u32) -> TagSeparator {
        match self {
            TagSeparator::Spaces(spaces) => TagSeparator::Spaces(spaces + count),
            TagSeparator::Column => TagSeparator::Column,
        }
    }
}

/// Returns the edits for the whitespace in the code of a template. `document` is the document of the same
/// code without the text.
pub(crate) fn edits(parse: &Parse, document: &[Part]) -> Vec<FormatEdit> {
    let separators = separators(document);
    let tokens = parse.syntax().descendants_with_tokens().filter_map(SyntaxElement::into_token);
    let mut edits: Vec<FormatEdit> = Vec::new();
    let mut before: Option<SyntaxToken> = None;
    for token in tokens.filter(|it| it.kind() != WHITESPACE) {
        let range = token.text_range();
        if let Some(before) = &before {
            let gap = TextRange::new(before.text_range().end, range.start);
            let found = &parse.text()[gap.as_range()];
            let is_code = !is_outside(before)
                && !is_outside(&token)
                && !matches!(before.kind(), EPP_CLOSE | EPP_CLOSE_EXPR);
            // Several spaces after the start of a tag show the nesting of its statement.
            let is_indented = matches!(before.kind(), EPP_OPEN) && found.len() > 1;
            let wanted = space_in_tag(before, &token)
                .filter(|_| !is_indented)
                .or_else(|| separators.get(&(gap.start, gap.end)).copied().filter(|_| !is_indented));
            // The text of a heredoc ends with its line.
            let breaks = found.contains(['\n', '\r']) || before.text().ends_with('\n');
            let wanted = wanted.and_then(|it| match it {
                TagSeparator::Spaces(count) => Some(" ".repeat(count as usize)),
                TagSeparator::Column => found.is_empty().then(|| " ".to_owned()),
            });
            if let Some(wanted) = wanted.filter(|it| is_code && !breaks && found != *it) {
                edits.push(FormatEdit { start: gap.start, end: gap.end, text: wanted });
            }
        }
        before = Some(token);
    }
    for part in document {
        if let Part::Requoted(range) = part {
            let quote = |start| FormatEdit { start, end: start + 1, text: "'".to_owned() };
            edits.extend([quote(range.start), quote(range.end - 1)]);
        }
    }
    edits.sort_by_key(|it| it.start);
    edits
}

/// Returns the separators between the pieces of a document without line breaks, keyed by the offsets that
/// they separate.
fn separators(document: &[Part]) -> HashMap<(u32, u32), TagSeparator> {
    let mut separators = HashMap::new();
    let mut before: Option<u32> = None;
    let mut separator = Some(TagSeparator::Spaces(0));
    for part in document {
        match part {
            Part::Source(range) | Part::Requoted(range) => {
                if let (Some(end), Some(separator)) = (before, separator) {
                    separators.insert((end, range.start), separator);
                }
                (before, separator) = (Some(range.end), Some(TagSeparator::Spaces(0)));
            }
            Part::Space | Part::Break { .. } | Part::Line { is_space: true, .. } => {
                separator = separator.map(|it| it.padded(1));
            }
            Part::Padding(count) | Part::FlatPadding(count) => {
                separator = separator.map(|it| it.padded(*count));
            }
            Part::BrokenPadding(1..) | Part::Column(_) => {
                separator = separator.map(|_| TagSeparator::Column);
            }
            Part::Literal(_) => separator = None,
            Part::Lines(_) | Part::Heredoc(_) => (before, separator) = (None, None),
            Part::IfBroken(_) | Part::BrokenPadding(0) | Part::Line { .. } | Part::Indent { .. } => {}
            Part::Dedent | Part::Start(_) | Part::End => {}
        }
    }
    separators
}

/// Returns the space after the start and before the end of a tag, and around the parameters of the template.
fn space_in_tag(before: &SyntaxToken, next: &SyntaxToken) -> Option<TagSeparator> {
    let opens = matches!(before.kind(), EPP_OPEN | EPP_OPEN_EXPR) || is_pipe_of_template(before);
    let closes = matches!(next.kind(), EPP_CLOSE | EPP_CLOSE_EXPR) || is_pipe_of_template(next);
    (opens || closes).then_some(TagSeparator::Spaces(1))
}

/// Returns true for template text and comment tags.
fn is_outside(token: &SyntaxToken) -> bool {
    matches!(token.kind(), EPP_TEXT | EPP_EMPTY_TEXT | EPP_TRIMMED | EPP_COMMENT)
}

fn is_pipe_of_template(token: &SyntaxToken) -> bool {
    let list = token.parent();
    token.kind() == PIPE && list.and_then(|it| it.parent()).is_some_and(|it| it.kind() == SOURCE_FILE)
}
