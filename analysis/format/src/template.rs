//! EPP templates: the blanks inside of tags. Texts, line breaks, comments and the indentation of lines stay.

use std::collections::HashMap;

use syntax::SyntaxKind::*;
use syntax::{Parse, SyntaxElement, SyntaxToken, TextRange};

use crate::document::Part;
use crate::edits::LayoutEdit;

/// The changes that give the code of a template its blanks; `document` is what the same code would be without the texts.
pub(crate) fn edits(parse: &Parse, document: &[Part]) -> Vec<LayoutEdit> {
    let separators = separators(document);
    let tokens = parse.syntax().descendants_with_tokens().filter_map(SyntaxElement::into_token);
    let mut edits: Vec<LayoutEdit> = Vec::new();
    let mut before: Option<SyntaxToken> = None;
    for token in tokens.filter(|it| it.kind() != WHITESPACE) {
        let range = token.text_range();
        if let Some(before) = &before {
            let gap = TextRange::new(before.text_range().end, range.start);
            let found = &parse.text()[gap.as_range()];
            let is_code = !is_outside(before) && !is_outside(&token);
            let wanted =
                blank_of_tag(before, &token).or_else(|| separators.get(&(gap.start, gap.end)).copied());
            // The text of a heredoc ends with its line.
            let breaks = found.contains(['\n', '\r']) || before.text().ends_with('\n');
            if let Some(wanted) = wanted.filter(|it| is_code && !breaks && found != *it) {
                edits.push(LayoutEdit { start: gap.start, end: gap.end, text: wanted.to_owned() });
            }
        }
        before = Some(token);
    }
    for part in document {
        if let Part::Requoted(range) = part {
            let quote = |start| LayoutEdit { start, end: start + 1, text: "'".to_owned() };
            edits.extend([quote(range.start), quote(range.end - 1)]);
        }
    }
    edits.sort_by_key(|it| it.start);
    edits
}

/// What stands between the pieces of a document where no line is broken, by the offsets between which it stands.
fn separators(document: &[Part]) -> HashMap<(u32, u32), &'static str> {
    let mut separators = HashMap::new();
    let mut before: Option<u32> = None;
    let mut separator = Some("");
    for part in document {
        match part {
            Part::Source(range) | Part::Requoted(range) => {
                if let (Some(end), Some(separator)) = (before, separator) {
                    separators.insert((end, range.start), separator);
                }
                (before, separator) = (Some(range.end), Some(""));
            }
            Part::Space | Part::Break { .. } | Part::Line { is_blank: true, .. } => {
                separator = separator.map(|_| " ");
            }
            Part::Blanks(0) | Part::FlatPad(0) => {}
            // What is in a column stays there.
            Part::Blanks(_) | Part::FlatPad(_) | Part::Literal(_) => separator = None,
            Part::Lines(_) | Part::Heredoc(_) => (before, separator) = (None, None),
            Part::IfBroken(_) | Part::Pad(_) | Part::Line { .. } | Part::Indent { .. } => {}
            Part::Dedent | Part::Start { .. } | Part::End => {}
        }
    }
    separators
}

/// A blank behind the beginning and before the end of a tag, and of the parameters of the template; nothing in an empty tag.
fn blank_of_tag(before: &SyntaxToken, next: &SyntaxToken) -> Option<&'static str> {
    let opens = matches!(before.kind(), EPP_OPEN | EPP_OPEN_EXPR) || is_pipe_of_template(before);
    let closes = matches!(next.kind(), EPP_CLOSE | EPP_CLOSE_EXPR) || is_pipe_of_template(next);
    (opens || closes).then_some(" ")
}

/// Is it a text, or a comment of its own?
fn is_outside(token: &SyntaxToken) -> bool {
    matches!(token.kind(), EPP_TEXT | EPP_EMPTY_TEXT | EPP_TRIMMED | EPP_COMMENT)
}

fn is_pipe_of_template(token: &SyntaxToken) -> bool {
    let list = token.parent();
    token.kind() == PIPE && list.and_then(|it| it.parent()).is_some_and(|it| it.kind() == SOURCE_FILE)
}
