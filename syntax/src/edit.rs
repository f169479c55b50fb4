//! Parsing again after an edit: the smallest run of statements around it that stands alone is read, and the rest of the green
//! tree is taken over.
//!
//! What comes out is equal to what [`crate::parse`] makes of the new text; where that is not certain, nothing comes out, and the
//! whole text is read. A run of statements stands alone where the tokens in front of it and behind it stay what they were: it is
//! lexed from the start of a statement up to the start of one behind the edit, and parsed plainly with the next tokens in sight.

mod change;
mod container;
mod laid_out;
mod run;
mod surroundings;

use codes::Code;
use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData, GreenToken, NodeOrToken};

use crate::lexer::Suspect;
use crate::lost_end;
use crate::tree::{Tree, kind_of};
use crate::{Language, LineMap, Parse, Severity, SyntaxKind, TextFinding, TextRange};

use change::Change;
use container::{containers, token_around};
pub(crate) use laid_out::KnownLayout;
use run::{Reading, StatementRun};
use surroundings::{is_local, stand_apart};

/// Below that many nodes runs are tried; nothing there comes near the limits of depth.
const MAX_DEPTH: usize = 60;
/// So many runs are tried, from the inside out, none larger than this.
const MAX_TRIES: usize = 4;
const MAX_RUN: u32 = 256 * 1024;

/// The tree of `text`, made of that of an older text, and how many tokens were read for it; `None` where it has to be made anew.
pub(crate) fn edited(old: &Parse, text: &Arc<str>) -> Option<(Parse, usize)> {
    if old.language == Language::Epp
        || text.len() >= u32::MAX as usize
        || text.starts_with('\u{feff}')
        || old.all_errors.iter().any(concerns_the_rest)
        || old.has_ended_one
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
    // What was broken is read again, too.
    let broken = old.all_errors.iter().filter(|error| error.severity() == Severity::Error);
    let touched = broken.fold(change.old, |touched, error| touched.cover(error.range));
    let containers = containers(old.tree.green(), touched);
    for depth in (0..containers.len()).rev().take(MAX_TRIES) {
        let container = &containers[depth];
        let Some(run) = StatementRun::around(container, touched, old.tree.text()) else { continue };
        if run.old.len() > MAX_RUN {
            return None;
        }
        let Some(mut lexed) = run.lex(text, old.language, &change) else { continue };
        let read = match run.read(text, &mut lexed, None) {
            // What was broken may have kept apart what the plain grammar takes together.
            Reading::Fits(_) if old.has_errors() && !stand_apart(&containers[..=depth], &run) => continue,
            Reading::Fits(read) => read,
            Reading::Refused
                if is_local(old, &change, (text, &mut layout), (&run, &lexed), &containers[..=depth]) =>
            {
                match run.read(text, &mut lexed, Some(container)) {
                    Reading::Fits(read) => read,
                    _ => continue,
                }
            }
            _ => continue,
        };
        let mut recovering_and = change.moved_suspects(&old.recovering_and, run.old);
        recovering_and.extend(lexed.recovering_and);
        Suspect::sort(&mut recovering_and);
        let mut errors = change.moved_errors(&old.all_errors, run.old);
        errors.extend(lexed.errors);
        errors.extend(read.errors);
        let mut node = container.node.splice_children(run.first..run.end, read.elements);
        node = with_parents(node, &container.path);
        let tree = Tree::new(node, text.clone()).with_lines(lines);
        if !lost_end::are_all_refuted(tree.lines(), text, old.language, &recovering_and, &errors) {
            return None;
        }
        return Some((Parse::of_edited(tree, errors, recovering_and, layout, old.language), lexed.own));
    }
    None
}

/// The tree of a text in which only the words of a comment, behind its `#`, are other ones than in the old text: no token but the
/// comment differs.
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
    let place = token_around(old.tree.green(), change.old)?;
    if kind_of(place.token.kind()) != SyntaxKind::COMMENT {
        return None;
    }
    let comment = TextRange::new(place.start, place.start + u32::from(place.token.text_len()));
    let words = &text[comment.start as usize..change.moved(comment.end) as usize];
    // What was within the line may be half of its break now.
    if words.ends_with('\r') {
        return None;
    }
    let token = NodeOrToken::Token(GreenToken::new(place.token.kind(), words));
    let (parent, index) = place.path.last()?;
    let node = with_parents(parent.replace_child(*index, token), &place.path[..place.path.len() - 1]);
    let errors = change.moved_errors(&old.all_errors, comment);
    let recovering_and = change.moved_suspects(&old.recovering_and, comment);
    let tree = Tree::new(node, text.clone()).with_lines(lines.cloned());
    let layout = old.layout.edited(text, change.old, change.new);
    Some(Parse::of_edited(tree, errors, recovering_and, layout, old.language))
}

/// A node in place of the one that a path from the root leads to, with all above it.
fn with_parents(node: GreenNode, path: &[(&GreenNodeData, usize)]) -> GreenNode {
    path.iter()
        .rev()
        .fold(node, |node, (parent, index)| parent.replace_child(*index, NodeOrToken::Node(node)))
}

/// Is this about something that never ends or a limit, so that it concerns all that follows?
fn concerns_the_rest(error: &TextFinding) -> bool {
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
