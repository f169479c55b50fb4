//! Diagnostics of failed compiles, shared by the rules on classes and nodes.

use codes::{Code, DowngradeReason};
use compile::{CompileFinding, ExprLocation};
use hir::Name;
use project::{Db, Environment, File, FileRole};
use syntax::{Severity, TextRange};

use crate::Diagnostic;

/// Maximum number of classes or nodes named in a message; the others are counted.
const MAX_NAMED_ENTRIES: usize = 6;

/// Returns true for files of the main manifest, and for modules in the environment that the `Puppetfile` does
/// not install.
pub(crate) fn is_of_project(db: &dyn Db, environment: Environment, file: File) -> bool {
    match file.role(db) {
        FileRole::MainManifest => true,
        FileRole::Module { module, .. } => {
            let is_inside =
                environment.root(db).as_ref().is_some_and(|root| module.root(db).starts_with(root));
            is_inside && !project::expected_modules(db, environment).contains(module.name(db))
        }
        FileRole::Loose => false,
    }
}

/// Returns the diagnostics of a failed compile in a file.
///
/// A failure is reported once, at the innermost location for which `is_own` is true, a duplicate declaration
/// at the later one if possible; never where a rule that needs no compile reports something.
pub(super) fn diagnostics_at(
    db: &dyn Db,
    file: File,
    code: Code,
    message: &str,
    finding: &CompileFinding,
    is_own: impl Fn(&ExprLocation) -> bool,
) -> Vec<Diagnostic> {
    let here = reported_location(finding, &is_own).filter(|place| place.definition.file(db) == file);
    here.and_then(|place| diagnostic_at(db, file, code, message, finding, place)).into_iter().collect()
}

/// Returns the location at which a failed compile is reported.
pub(super) fn reported_location<'f>(
    finding: &'f CompileFinding,
    is_own: &dyn Fn(&ExprLocation) -> bool,
) -> Option<&'f ExprLocation> {
    let earlier = finding.is_duplicate().then_some(&finding.earlier).into_iter().flatten();
    finding.places.iter().chain(earlier).find(|place| is_own(place))
}

fn diagnostic_at(
    db: &dyn Db,
    file: File,
    code: Code,
    message: &str,
    finding: &CompileFinding,
    place: &ExprLocation,
) -> Option<Diagnostic> {
    let range = range_of(db, place)?;
    // Reported without a compile. That a legacy fact may be missing is only a warning.
    let least = match finding.code {
        Code::UnknownVariable => Severity::Error,
        _ => Severity::Warning,
    };
    let is_reported =
        |it: &Diagnostic| it.severity() <= least && it.range.start < range.end && range.start < it.range.end;
    let (known, named) = (crate::evaluation_diagnostics(db, file), crate::semantic_diagnostics(db, file));
    if known.iter().chain(named.iter()).any(is_reported) {
        return None;
    }
    let mut diagnostic = if finding.may_be_intended() {
        Diagnostic::new(code, range, message).downgraded(DowngradeReason::Uncertain, Severity::Warning)
    } else {
        Diagnostic::new(code, range, message)
    };
    // Locations with the same start are labeled once.
    let mut labeled = vec![(file, range.start)];
    for other in finding.places.iter().chain(finding.earlier.first()) {
        let Some(range) = range_of(db, other) else { continue };
        let file_of_other = other.definition.file(db);
        if labeled.contains(&(file_of_other, range.start)) {
            continue;
        }
        labeled.push((file_of_other, range.start));
        let text = if finding.is_cycle() {
            "part of the cycle"
        } else if Some(other) == finding.earlier.first() {
            finding.code.earlier_label()
        } else if Some(other) == finding.places.first() {
            "fails here"
        } else {
            "reached from here"
        };
        diagnostic = if file_of_other == file {
            diagnostic.with_related(range, text)
        } else {
            diagnostic.with_related_in(file_of_other.path(db).clone(), range, text)
        };
    }
    Some(diagnostic)
}

/// Returns the code of a failed compile: `otherwise`, unless the catalog compiles but is refused by agents.
pub(super) fn code_of(finding: &CompileFinding, otherwise: Code) -> Code {
    if finding.is_refusal() { finding.code } else { otherwise }
}

fn range_of(db: &dyn Db, place: &ExprLocation) -> Option<TextRange> {
    Some(project::body_source_map(db, place.definition).node(place.expr)?.range)
}

/// Formats the names of the entries that share a failure.
pub(super) fn entries(one: &str, many: &str, names: &[Name]) -> String {
    let quoted = |names: &[Name]| names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    match names {
        [only] => format!("{one} `{only}`"),
        [few @ .., last] if few.len() < MAX_NAMED_ENTRIES => format!("{many} {} and `{last}`", quoted(few)),
        _ => {
            let (listed, rest) = names.split_at(names.len().min(MAX_NAMED_ENTRIES));
            format!("{many} {} and {} more", quoted(listed), rest.len())
        }
    }
}

/// Set of compiles whose failures are reported in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Breadth {
    /// Compiles of the classes of the file's module. Used for files that are not open in an editor.
    Module,
    /// Also a limited number of roles and nodes that lead to the file, judged by names. Used in an editor.
    Nearby,
    /// Also all roles and nodes.
    All,
}
