//! Incremental reparsing after an edit: parses the smallest independent run of statements around the edit and
//! reuses the rest of the green tree.
//!
//! The result equals that of [`crate::parse`] for the new text. If that is not certain, there is no result,
//! and the whole text is parsed. A run of statements is independent if the tokens before and after it keep
//! their kinds: it is lexed from the start of a statement to the start of one after the edit, and parsed with
//! the plain grammar and the following tokens as lookahead.

mod change;
mod container;
mod known_layout;
mod run;
mod surroundings;

use codes::Code;
use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData, GreenToken, NodeOrToken};

use crate::lexer::Suspect;
use crate::tree::{Tree, kind_of};
use crate::unterminated;
use crate::{Language, LineMap, Parse, Severity, SyntaxKind, TextFinding, TextRange};

use change::Change;
use container::{containers, token_around};
pub(crate) use known_layout::KnownLayout;
use run::{Reading, StatementRun};
use surroundings::{are_separate, is_local};

/// Maximum depth at which runs are tried, well below the depth limits of the parser.
const MAX_DEPTH: usize = 60;
/// Maximum number of runs tried, from the inside out, and maximum length of a run in bytes.
const MAX_TRIES: usize = 4;
const MAX_RUN_BYTES: u32 = 256 * 1024;

/// Reparses `text` based on an older version. Returns the result and the number of tokens lexed for it, or
/// `None` if the whole text must be parsed.
pub(crate) fn edited(old: &Parse, text: &Arc<str>) -> Option<(Parse, usize)> {
    if old.language == Language::Epp
        || text.len() >= u32::MAX as usize
        || text.starts_with('\u{feff}')
        || old.all_errors.iter().any(affects_rest)
        || old.ended_suspect
    {
        return None;
    }
    let change = Change::between(old.tree.text(), text)?;
    let lines =
        old.tree.known_lines().map(|lines| Arc::new(lines.edited(text, change.old, change.new.len())));
    if let Some(parse) = edited_in_comment(old, &change, text, lines.as_ref()) {
        return Some((parse, 1));
    }
    let mut layout = old.layout.edited(text, change.old, change.new);
    // Statements with errors are parsed again, too.
    let broken = old.all_errors.iter().filter(|error| error.severity() == Severity::Error);
    let touched = broken.fold(change.old, |touched, error| touched.cover(error.range));
    let containers = containers(old.tree.green(), touched);
    for depth in (0..containers.len()).rev().take(MAX_TRIES) {
        let container = &containers[depth];
        let Some(run) = StatementRun::around(container, touched, old.tree.text()) else { continue };
        if run.old.len() > MAX_RUN_BYTES {
            return None;
        }
        let Some(mut lexed) = run.lex(text, old.language, &change) else { continue };
        let read = match run.read(text, &mut lexed, None) {
            // Errors may have separated statements that the plain grammar joins.
            Reading::Fits(_) if old.has_errors() && !are_separate(&containers[..=depth], &run) => continue,
            Reading::Fits(read) => read,
            Reading::Rejected
                if is_local(old, &change, (text, &mut layout), (&run, &lexed), &containers[..=depth]) =>
            {
                match run.read(text, &mut lexed, Some(container)) {
                    Reading::Fits(read) => read,
                    _ => continue,
                }
            }
            _ => continue,
        };
        let mut suspects = change.moved_suspects(&old.suspects, run.old);
        suspects.extend(lexed.suspects);
        Suspect::sort(&mut suspects);
        let mut errors = change.moved_errors(&old.all_errors, run.old);
        errors.extend(lexed.errors);
        errors.extend(read.errors);
        let mut node = container.node.splice_children(run.first..run.end, read.elements);
        node = with_parents(node, &container.path);
        let tree = Tree::new(node, text.clone()).with_lines(lines);
        if !unterminated::are_all_refuted(tree.lines(), text, old.language, &suspects, &errors) {
            return None;
        }
        return Some((Parse::of_edited(tree, errors, suspects, layout, old.language), lexed.own));
    }
    None
}

/// Reparses a text in which only the words of a comment after its `#` changed. No other token differs.
fn edited_in_comment(
    old: &Parse,
    change: &Change,
    text: &Arc<str>,
    lines: Option<&Arc<LineMap>>,
) -> Option<Parse> {
    let has_line_break = |text: &str| text.contains(['\n', '\r']);
    if old.has_errors()
        || has_line_break(&text[change.new.as_range()])
        || has_line_break(&old.tree.text()[change.old.as_range()])
    {
        return None;
    }
    let location = token_around(old.tree.green(), change.old)?;
    if kind_of(location.token.kind()) != SyntaxKind::COMMENT {
        return None;
    }
    let comment = TextRange::new(location.start, location.start + u32::from(location.token.text_len()));
    let words = &text[comment.start as usize..change.moved(comment.end) as usize];
    // A character inside the line may have become half of its line break.
    if words.ends_with('\r') {
        return None;
    }
    let token = NodeOrToken::Token(GreenToken::new(location.token.kind(), words));
    let (parent, index) = location.path.last()?;
    let node = with_parents(parent.replace_child(*index, token), &location.path[..location.path.len() - 1]);
    let errors = change.moved_errors(&old.all_errors, comment);
    let suspects = change.moved_suspects(&old.suspects, comment);
    let tree = Tree::new(node, text.clone()).with_lines(lines.cloned());
    let layout = old.layout.edited(text, change.old, change.new);
    Some(Parse::of_edited(tree, errors, suspects, layout, old.language))
}

/// Replaces the node at the end of a path from the root, and returns the new root.
fn with_parents(node: GreenNode, path: &[(&GreenNodeData, usize)]) -> GreenNode {
    path.iter()
        .rev()
        .fold(node, |node, (parent, index)| parent.replace_child(*index, NodeOrToken::Node(node)))
}

/// Returns true if the error affects all following text: something unterminated, or a limit.
fn affects_rest(error: &TextFinding) -> bool {
    let is_about_an_end = matches!(
        error.code,
        Code::EppUnclosedComment
            | Code::EppUnclosedTag
            | Code::HeredocEmptyTag
            | Code::HeredocEscape
            | Code::HeredocSyntax
            | Code::HeredocUnclosedParenthesis
            | Code::HeredocWithoutText
    ) || error.code.is_unclosed();
    matches!(error.code, Code::HeredocInString | Code::ByteOrderMark | Code::NestingTooDeep)
        || (error.severity() == Severity::Error && is_about_an_end)
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
