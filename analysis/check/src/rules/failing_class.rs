#![doc = include_str!("failing_class.md")]

use eval::{CompileFailure, Located, PlatformFailure};
use project::{Db, File, FilePlace};
use syntax::{Severity, TextRange};

use super::documented_rule;
use crate::{Diagnostic, Rule};

pub(super) const RULE: Rule = documented_rule!("failing-class", "failing_class", Error, []);

/// More platforms than this are counted, not named.
const MOST_NAMES: usize = 6;

/// The failures whose innermost useful place lies in a file of a module. Nothing where a text has a syntax error.
pub(crate) fn failing_classes(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let FilePlace::Module { module, .. } = file.place(db) else { return Vec::new() };
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let mut diagnostics = Vec::new();
    for failure in eval::module_failures(db, environment, *module).iter() {
        // The innermost place that the module's own people can change.
        let is_own = |place: &Located| matches!(place.definition.file(db).place(db), FilePlace::Module { module: other, .. } if other == module);
        let message = message_of(failure);
        let severity = if failure.is_deliberate { Severity::Warning } else { Severity::Error };
        let found = diagnostic_at(db, file, RULE.code, message, &failure.failure, is_own);
        diagnostics.extend(found.map(|it| Diagnostic { severity, ..it }));
    }
    diagnostics
}

/// A failed compile at the innermost place that is the user's own, if that lies in a file and no rule that needs no compile
/// has told it.
pub(super) fn diagnostic_at(
    db: &dyn Db,
    file: File,
    code: &'static str,
    message: String,
    failure: &CompileFailure,
    is_own: impl Fn(&Located) -> bool,
) -> Option<Diagnostic> {
    let place = failure.places.iter().find(|place| is_own(place))?;
    if place.definition.file(db) != file {
        return None;
    }
    let range = range_of(db, place)?;
    // What shows without a compile is told already.
    let is_told = |it: &Diagnostic| {
        it.severity <= Severity::Warning && it.range.start < range.end && range.start < it.range.end
    };
    let (known, named) = (crate::evaluation_diagnostics(db, file), crate::semantic_diagnostics(db, file));
    if known.iter().chain(named.iter()).any(is_told) {
        return None;
    }
    let mut diagnostic = Diagnostic::error(code, range, message);
    for other in failure.places.iter().filter(|other| *other != place) {
        let Some(range) = range_of(db, other) else { continue };
        let file_of_other = other.definition.file(db);
        let text = match Some(other) == failure.places.first() {
            true => "it fails here",
            false => "the way there",
        };
        diagnostic = match file_of_other == file {
            true => diagnostic.with_related(range, text),
            false => diagnostic.with_related_in(file_of_other.path(db).clone(), range, text),
        };
    }
    Some(diagnostic)
}

fn range_of(db: &dyn Db, place: &Located) -> Option<TextRange> {
    Some(project::body_source_map(db, place.definition).node(place.expr)?.range)
}

fn message_of(failure: &PlatformFailure) -> String {
    let classes = match failure.classes.as_slice() {
        [only] => format!("the class {only} cannot be compiled"),
        [first, rest @ ..] => format!("{first} and {} more classes cannot be compiled", rest.len()),
        [] => String::from("this cannot be compiled"),
    };
    let platforms = match failure.platforms.as_slice() {
        _ if failure.is_everywhere => String::new(),
        few if few.len() <= MOST_NAMES => format!(" on {}", few.join(", ")),
        many => {
            format!(" on {} and {} more platforms", many[..MOST_NAMES].join(", "), many.len() - MOST_NAMES)
        }
    };
    format!("{classes}{platforms}: {}", failure.failure.message)
}
