//! Strings and interpolations that may have lost their end. One that did turns the rest of the file inside out: it is tried what
//! comes out if it ends with its line.

use std::sync::Arc;

use crate::lexer::{self, Lexed, Suspect};
use crate::{Language, LineMap, Severity, TextFinding, keep_causes, mistakes};

/// How often a text with errors is read again, at most.
const MAX_ATTEMPTS: usize = 6;

/// The recovering_and that may have lost their end, as there are errors near by. What is turned inside out does not read as code for
/// long.
pub(crate) fn blamed(
    lines: &Arc<LineMap>,
    recovering_and: &[Suspect],
    errors: &[TextFinding],
) -> Vec<Suspect> {
    const NEAR: u32 = 200;
    let errors = errors.iter().filter(|error| error.severity() == Severity::Error);
    let around = |error: &TextFinding| {
        let line = lines.line(error.range.start);
        (lines.line_start(line.saturating_sub(NEAR)), lines.line_start(line + NEAR + 1))
    };
    let mut near: Vec<(u32, u32)> = errors.map(around).collect();
    near.sort_unstable();
    let is_near = |suspect: &&Suspect| {
        let first = near.partition_point(|(_, end)| *end <= suspect.offset());
        near.get(first).is_some_and(|(start, _)| *start <= suspect.offset())
    };
    recovering_and.iter().filter(is_near).take(MAX_ATTEMPTS).copied().collect()
}

/// Do the tokens that a text has, once a suspect ends with its line, tell that no better reading comes of them than one with so many
/// mistakes on so many lines? Grammar can only add to the errors of the lexer.
pub(crate) fn is_refuted(text: &str, lexed: &Lexed, mistakes_before: usize, lines_before: usize) -> bool {
    let mut errors = lexed.errors.clone();
    let lines = keep_causes(text, &mut errors);
    mistakes_before <= 1 && mistakes(&errors) > 0 && lines > lines_before
}

/// Is it certain that no suspect of a text with these errors is better read as one that lost its end?
pub(crate) fn are_all_refuted(
    lines: &Arc<LineMap>,
    text: &str,
    language: Language,
    recovering_and: &[Suspect],
    errors: &[TextFinding],
) -> bool {
    if recovering_and.is_empty() || mistakes(errors) == 0 {
        return true;
    }
    let mut causes = errors.to_vec();
    let broken_lines = keep_causes(text, &mut causes);
    let mistakes = mistakes(&causes);
    blamed(lines, recovering_and, errors).into_iter().all(|suspect| {
        mistakes <= 1 && is_refuted(text, &lexer::lex(text, language, Some(suspect)), mistakes, broken_lines)
    })
}
