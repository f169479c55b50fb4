//! EPP templates: whitespace inside of tags. Text, line breaks, comments and indentation stay unchanged.

use std::collections::{HashMap, HashSet};

use syntax::SyntaxKind::*;
use syntax::{FlatElement, FlatToken, FlatTree, TextRange};

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
pub(crate) fn edits(tree: &FlatTree, document: &[Part]) -> Vec<FormatEdit> {
    let separators = separators(document);
    let tokens: Vec<FlatToken<'_>> = tree.elements().filter_map(FlatElement::into_token).collect();
    let braces = tight_braces(&tokens);
    let tight = tight_edges(&tokens, &braces);
    let mut edits: Vec<FormatEdit> = Vec::new();
    let mut before: Option<FlatToken<'_>> = None;
    for token in tokens {
        let range = token.text_range();
        if let Some(before) = &before {
            let gap = TextRange::new(before.text_range().end, range.start);
            let found = &tree.text()[gap.as_range()];
            let is_code = !is_outside(before)
                && !is_outside(&token)
                && !matches!(before.kind(), EPP_CLOSE | EPP_CLOSE_EXPR);
            // Several spaces after the start of a tag show the nesting of its statement.
            let is_indented = matches!(before.kind(), EPP_OPEN) && found.len() > 1;
            let is_tight = found.is_empty()
                && (edge(before, &token).is_some_and(|it| tight.contains(&it))
                    || braces.contains(&gap.start));
            let wanted = space_in_tag(before, &token)
                .or_else(|| separators.get(&(gap.start, gap.end)).copied())
                .filter(|_| !is_indented && !is_tight);
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
            Part::Source(range) | Part::SourceLines(range) | Part::Gap(range) | Part::Requoted(range) => {
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

/// Edge of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TagEdge {
    Start,
    StartBeforeBrace,
    ExpressionStart,
    /// End of a tag whose code ends with `{`.
    EndAfterBrace,
    /// End of a tag whose code ends with `}`.
    EndAfterClosedBrace,
    End,
    /// End of a tag without code.
    Empty,
}

/// Minimum number of tags without a space at an edge that show a choice of the author.
const TIGHT_TAGS: usize = 5;

/// Returns the edges at which most tags of the template have no space. The ends of `braces`, which have none at their
/// start either, show nothing about other tags.
fn tight_edges(tokens: &[FlatToken<'_>], braces: &HashSet<u32>) -> Vec<TagEdge> {
    let mut counts: HashMap<TagEdge, (usize, usize)> = HashMap::new();
    let ends_braces = |it: &FlatToken<'_>| it.kind() == R_BRACE && braces.contains(&it.text_range().end);
    for pair in tokens.windows(2).filter(|it| !ends_braces(&it[0])) {
        if let Some(edge) = edge(&pair[0], &pair[1]) {
            let (tight, all) = counts.entry(edge).or_default();
            *tight += usize::from(pair[0].text_range().end == pair[1].text_range().start);
            *all += 1;
        }
    }
    let is_tight = |(_, (tight, all)): &(TagEdge, (usize, usize))| *tight >= TIGHT_TAGS && tight * 2 > *all;
    counts.into_iter().filter(is_tight).map(|it| it.0).chain([TagEdge::Empty]).collect()
}

/// Returns the edges of the tags that consist of `}` without spaces.
fn tight_braces(tokens: &[FlatToken<'_>]) -> HashSet<u32> {
    let mut edges = HashSet::new();
    for tag in tokens.windows(3) {
        let [open, brace, close] = [&tag[0], &tag[1], &tag[2]];
        let (start, end) = (open.text_range().end, brace.text_range().end);
        let is_brace = open.kind() == EPP_OPEN && brace.kind() == R_BRACE && close.kind() == EPP_CLOSE;
        if is_brace && start == brace.text_range().start && end == close.text_range().start {
            edges.extend([start, end]);
        }
    }
    edges
}

/// Returns the edge of a tag between two tokens.
fn edge(before: &FlatToken<'_>, next: &FlatToken<'_>) -> Option<TagEdge> {
    let opens = matches!(before.kind(), EPP_OPEN | EPP_OPEN_EXPR);
    let closes = matches!(next.kind(), EPP_CLOSE | EPP_CLOSE_EXPR);
    match before.kind() {
        _ if opens && closes => Some(TagEdge::Empty),
        _ if is_pipe_of_template(before) || is_pipe_of_template(next) => None,
        EPP_OPEN if next.kind() == R_BRACE => Some(TagEdge::StartBeforeBrace),
        EPP_OPEN => Some(TagEdge::Start),
        EPP_OPEN_EXPR => Some(TagEdge::ExpressionStart),
        L_BRACE if closes => Some(TagEdge::EndAfterBrace),
        R_BRACE if closes => Some(TagEdge::EndAfterClosedBrace),
        _ if closes => Some(TagEdge::End),
        _ => None,
    }
}

/// Returns the space after the start and before the end of a tag, and around the parameters of the template.
fn space_in_tag(before: &FlatToken<'_>, next: &FlatToken<'_>) -> Option<TagSeparator> {
    let opens = matches!(before.kind(), EPP_OPEN | EPP_OPEN_EXPR) || is_pipe_of_template(before);
    let closes = matches!(next.kind(), EPP_CLOSE | EPP_CLOSE_EXPR) || is_pipe_of_template(next);
    (opens || closes).then_some(TagSeparator::Spaces(1))
}

/// Returns true for template text and comment tags.
fn is_outside(token: &FlatToken<'_>) -> bool {
    matches!(token.kind(), EPP_TEXT | EPP_EMPTY_TEXT | EPP_TRIMMED | EPP_COMMENT)
}

fn is_pipe_of_template(token: &FlatToken<'_>) -> bool {
    let list = token.parent();
    token.kind() == PIPE && list.parent().is_some_and(|it| it.kind() == SOURCE_FILE)
}
