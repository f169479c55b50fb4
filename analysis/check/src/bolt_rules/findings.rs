//! Findings that the checks of several files of Bolt report.

use crate::metadata_rules::similar::is_similar;
use crate::{Diagnostic, FixData};
use codes::{Code, DowngradeReason, Severity};
use syntax::TextRange;

pub(crate) fn error(range: TextRange, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::BoltConfiguration, range, message)
}

/// Reports an option that Bolt ignores.
pub(crate) fn unknown_option<'k>(
    name: &str,
    range: TextRange,
    known: impl Iterator<Item = &'k str> + Clone,
) -> Diagnostic {
    let diagnostic = unknown_key(Code::BoltConfiguration, "option", name, range, known);
    diagnostic.downgraded(DowngradeReason::Tolerated, Severity::Warning)
}

pub(crate) fn unknown_key<'k>(
    code: Code,
    noun: &str,
    name: &str,
    range: TextRange,
    mut known: impl Iterator<Item = &'k str>,
) -> Diagnostic {
    let problem = format!("unknown {noun} `{name}`");
    match known.find(|it| is_similar(name, it)) {
        Some(similar) => {
            let message = codes::with_help(problem, format!("did you mean `{similar}`?"));
            Diagnostic::new(code, range, message)
                .with_data(FixData::ReplaceWith { range, text: similar.into() })
        }
        None => Diagnostic::new(code, range, problem),
    }
}

/// Returns the part of a range on its first line.
pub(crate) fn first_line(range: TextRange, text: &str) -> TextRange {
    let length = text.get(range.as_range()).and_then(|it| it.find('\n')).map_or(range.len(), |it| it as u32);
    TextRange::new(range.start, range.start + length)
}
