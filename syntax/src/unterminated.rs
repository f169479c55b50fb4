//! Recovery of unterminated strings and interpolations. One of them swaps code and strings in the rest of the
//! file, so the parser also tries the reading in which it ends with its line.

use std::sync::Arc;

use crate::lexer::{self, Lexed, Suspect};
use crate::{Language, LineMap, Severity, TextFinding, keep_causes, mistakes};

/// Maximum number of times a text with errors is parsed again.
const MAX_ATTEMPTS: usize = 6;

/// Returns the suspects near an error. Strings and code that are swapped do not parse for long.
pub(crate) fn suspects_near_errors(
    lines: &Arc<LineMap>,
    suspects: &[Suspect],
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
    suspects.iter().filter(is_near).take(MAX_ATTEMPTS).copied().collect()
}

/// Returns true if the tokens of the text, lexed with a suspect ending with its line, rule out a better
/// reading than one with `mistakes_before` mistakes on `lines_before` lines. The grammar can only add to the
/// errors of the lexer.
pub(crate) fn is_refuted(text: &str, lexed: &Lexed, mistakes_before: usize, lines_before: usize) -> bool {
    let mut errors = lexed.errors.clone();
    let lines = keep_causes(text, &mut errors);
    mistakes_before <= 1 && mistakes(&errors) > 0 && lines > lines_before
}

/// Returns true if no suspect of a text with these errors is better explained as unterminated.
pub(crate) fn are_all_refuted(
    lines: &Arc<LineMap>,
    text: &str,
    language: Language,
    suspects: &[Suspect],
    errors: &[TextFinding],
) -> bool {
    if suspects.is_empty() || mistakes(errors) == 0 {
        return true;
    }
    let mut causes = errors.to_vec();
    let broken_lines = keep_causes(text, &mut causes);
    let mistakes = mistakes(&causes);
    suspects_near_errors(lines, suspects, errors).into_iter().all(|suspect| {
        mistakes <= 1 && is_refuted(text, &lexer::lex(text, language, Some(suspect)), mistakes, broken_lines)
    })
}
