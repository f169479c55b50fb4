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
mod parameter;
mod run;
mod surroundings;

use codes::Code;
use std::sync::Arc;

use rowan::{GreenToken, NodeOrToken};

use crate::lexer::Suspect;
use crate::tree::{Tree, TreeSplice, raw};
use crate::unterminated;
use crate::{Language, LineMap, Parse, Severity, SyntaxKind, SyntaxToken, TextEdit, TextFinding};

use change::Change;
use container::{containers, path_to, token_around};
pub(crate) use known_layout::KnownLayout;
use parameter::edited_in_parameter;
use run::{Reading, StatementRun};
use surroundings::{RunSurroundings, are_separate};

/// Maximum depth at which runs are tried, well below the depth limits of the parser.
const MAX_DEPTH: usize = 60;
/// Maximum number of runs tried, from the inside out, and maximum length of a run in bytes.
const MAX_TRIES: usize = 4;
const MAX_RUN_BYTES: u32 = 256 * 1024;

/// Reparses `text` based on an older version. Returns the result and the number of tokens lexed for it, or
/// `None` if the whole text must be parsed. The texts are not compared if `edit` is the one between them.
pub(crate) fn edited(old: &Parse, edit: Option<&TextEdit>, text: &Arc<str>) -> Option<(Parse, usize)> {
    if old.language == Language::Epp
        || text.len() >= u32::MAX as usize
        || text.starts_with('\u{feff}')
        || old.all_errors.iter().any(affects_rest)
        || old.ended_suspect
    {
        return None;
    }
    let change = Change::between(edit, old.tree.text(), text)?;
    let lines = edit.and_then(|it| it.lines_of(text)).or_else(|| {
        let lines = old.tree.known_lines()?;
        Some(Arc::new(lines.edited(text, change.old, change.new.len())))
    });
    let lines = lines.as_ref();
    edited_in_token(old, &change, text, lines)
        .map(|parse| (parse, 1))
        .or_else(|| edited_in_parameter(old, &change, text, lines))
        .or_else(|| edited_in_run(old, &change, text, lines))
}

/// Reparses the smallest independent run of statements around the change. Returns the result and the number of tokens
/// lexed for it.
fn edited_in_run(
    old: &Parse,
    change: &Change,
    text: &Arc<str>,
    lines: Option<&Arc<LineMap>>,
) -> Option<(Parse, usize)> {
    let mut layout = old.layout.edited(text, change.old, change.new);
    // Statements with errors are parsed again, too.
    let broken = old.all_errors.iter().filter(|error| error.severity() == Severity::Error);
    let touched = broken.fold(change.old, |touched, error| touched.cover(error.range));
    let containers = containers(&old.tree, touched);
    for depth in (0..containers.len()).rev().take(MAX_TRIES) {
        let container = &containers[depth];
        let Some(run) = StatementRun::around(container, touched, old.tree.text()) else { continue };
        if run.old.len() > MAX_RUN_BYTES {
            return None;
        }
        let Some(mut lexed) = run.lex(text, old.language, change) else { continue };
        let read = match run.read(text, &mut lexed, None) {
            // Errors may have separated statements that the plain grammar joins.
            Reading::Fits(_) if old.has_errors() && !are_separate(&containers[..=depth], &run) => continue,
            Reading::Fits(read) => read,
            Reading::Rejected => {
                let (run, tokens) = (&run, &lexed);
                let around =
                    RunSurroundings { old, change, text, run, tokens, containers: &containers[..=depth] };
                if !around.are_independent(&mut layout) {
                    continue;
                }
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
        let splice = container.splice(&old.tree, run.first..run.end, read.elements);
        let tree = Tree::spliced(splice, text.clone()).with_lines(lines.cloned());
        if !unterminated::are_all_refuted(tree.lines(), text, old.language, &suspects, &errors) {
            return None;
        }
        return Some((Parse::of_edited(tree, errors, suspects, layout, old.language), lexed.own));
    }
    None
}

/// Reparses a text in which only the words of a comment after its `#`, a name of a variable after its `$`, or the
/// text of a single-quoted string changed. No other token differs, and the parser knows these by their kind alone.
fn edited_in_token(
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
    let location = token_around(&old.tree, change.old)?;
    let token = location.text_range();
    let words = text.get(token.start as usize..change.moved(token.end) as usize)?;
    let following = &text[token.start as usize + words.len()..];
    let is_reported = old.all_errors.iter().any(|it| it.range.intersects_or_touches(token));
    if is_reported || !keeps_its_kind(&location, words, following) {
        return None;
    }
    let replacement = NodeOrToken::Token(GreenToken::new(raw(location.kind()), words));
    let mut path = path_to(&location);
    let index = path.pop()?;
    let splice = TreeSplice {
        root: old.tree.green().clone(),
        path,
        replaced: index..index + 1,
        elements: vec![replacement],
    };
    let errors = change.moved_errors(&old.all_errors, token);
    let suspects = change.moved_suspects(&old.suspects, token);
    let tree = Tree::spliced(splice, text.clone()).with_lines(lines.cloned());
    let layout = old.layout.edited(text, change.old, change.new);
    Some(Parse::of_edited(tree, errors, suspects, layout, old.language))
}

/// Returns true if a token is lexed as one of the same kind with another text, and does not affect the tokens after it.
fn keeps_its_kind(token: &SyntaxToken, words: &str, following: &str) -> bool {
    let old = token.text();
    let kind = token.kind();
    if kind == SyntaxKind::COMMENT {
        // A character inside the line may have become half of its line break.
        return words.starts_with('#') && !words.ends_with('\r');
    }
    let is_in_string = token.ancestors().any(|node| {
        let strings = [SyntaxKind::INTERPOLATED_STRING, SyntaxKind::INTERPOLATION, SyntaxKind::HEREDOC_BODY];
        strings.contains(&node.kind())
    });
    // A longer name would include it, and a string before it may have lost its quote.
    let is_continued = following.starts_with(is_word) || following.starts_with("::");
    if is_in_string || is_continued {
        return false;
    }
    match kind {
        SyntaxKind::VARIABLE => is_simple_variable(old) && is_simple_variable(words),
        SyntaxKind::SQ_STRING => is_simple_string(old) && is_simple_string(words),
        _ => false,
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Returns true for a variable with an ordinary name in one segment.
fn is_simple_variable(text: &str) -> bool {
    let Some(name) = text.strip_prefix('$') else { return false };
    name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_') && name.chars().all(is_word)
}

/// Returns true for a single-quoted string on one line without escapes.
fn is_simple_string(text: &str) -> bool {
    let inner = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    inner.is_some_and(|it| !it.contains(['\'', '\\', '\n', '\r']))
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
