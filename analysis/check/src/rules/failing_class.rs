#![doc = include_str!("../../pages/failing-class.md")]

use codes::{Code, DowngradeReason};
use compile::{CompileFinding, ExprLocation, Nearby, PlatformFinding};
use project::{Db, Environment, File, FileRole, ModuleTree};
use syntax::{Severity, TextRange};

use super::failing_node::is_of_project;
use crate::{Breadth, Diagnostic};

/// More platforms than this are counted, not named.
const MAX_NAMES: usize = 6;

/// The modules of roles: classes that are all that a node has.
const ROLE_MODULES: [&str; 2] = ["role", "roles"];

/// The failures whose innermost useful place lies in a file of a module: those of the module's own classes, and those of
/// roles wherever the project's own code leads to them. Nothing where a text has a syntax error.
pub(crate) fn failing_classes(db: &dyn Db, file: File, breadth: Breadth) -> Vec<Diagnostic> {
    let FileRole::Module { module, .. } = file.place(db) else { return Vec::new() };
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let module_of = |place: &ExprLocation| match place.definition.file(db).place(db) {
        FileRole::Module { module, .. } => Some(*module),
        _ => None,
    };
    let is_role = is_role(db, file);
    let mut diagnostics = Vec::new();
    if !is_role {
        // The innermost place that the module's own people can change.
        let is_own = |place: &ExprLocation| module_of(place) == Some(*module);
        let findings = compile::module_findings(db, environment, *module);
        diagnostics = diagnostics_of(db, &findings, file, is_own);
    }
    if is_role || is_of_project(db, environment, file) {
        let is_own = |place: &ExprLocation| {
            let file = place.definition.file(db);
            is_of_project(db, environment, file)
                || module_of(place).is_some_and(|it| ROLE_MODULES.contains(&it.name(db).as_str()))
        };
        let findings = role_findings(db, environment, file, breadth, &is_own);
        for found in diagnostics_of(db, &findings, file, is_own) {
            if !diagnostics.iter().any(|known| known.range == found.range) {
                diagnostics.push(found);
            }
        }
    }
    diagnostics
}

/// Is it a file of a module of roles?
pub(crate) fn is_role(db: &dyn Db, file: File) -> bool {
    match file.place(db) {
        FileRole::Module { module, .. } => ROLE_MODULES.contains(&module.name(db).as_str()),
        _ => false,
    }
}

/// How roles fail, as far as a file can be concerned.
fn role_findings(
    db: &dyn Db,
    environment: Environment,
    file: File,
    breadth: Breadth,
    is_own: &dyn Fn(&ExprLocation) -> bool,
) -> Vec<PlatformFinding> {
    let modules = ROLE_MODULES.iter().filter_map(|name| environment.modules(db).get(name).copied());
    match breadth {
        Breadth::Module => Vec::new(),
        Breadth::All => {
            modules.flat_map(|module| compile::module_findings(db, environment, module).to_vec()).collect()
        }
        Breadth::Nearby => {
            let Nearby { roles, .. } = compile::nearby_of_file(db, environment, file);
            let concerns = |finding: &CompileFinding| {
                told_places(finding, is_own).any(|place| place.definition.file(db) == file)
            };
            let of_module = |module: ModuleTree| {
                let is_in = |file: File| matches!(file.place(db), FileRole::Module { module: it, .. } if *it == module);
                let classes: Vec<_> = roles.iter().copied().filter(|class| is_in(class.file(db))).collect();
                compile::findings_of_classes(db, environment, module, &classes, &concerns)
            };
            modules.flat_map(of_module).collect()
        }
    }
}

/// What failures of classes say of a file: those whose innermost own place lies there.
fn diagnostics_of(
    db: &dyn Db,
    findings: &[PlatformFinding],
    file: File,
    is_own: impl Fn(&ExprLocation) -> bool,
) -> Vec<Diagnostic> {
    let at = |finding: &PlatformFinding| {
        let mut found =
            diagnostics_at(db, file, Code::FailingClass, &message_of(finding), &finding.finding, &is_own);
        // Who includes it may do so elsewhere only.
        if finding.is_inner && !finding.is_everywhere && finding.finding.is_duplicate() {
            found = found
                .into_iter()
                .map(|it| it.downgraded(DowngradeReason::Uncertain, Severity::Warning))
                .collect();
        }
        found
    };
    findings.iter().flat_map(at).collect()
}

/// A failed compile at the innermost place that is the user's own, resources that wait for each other at each of the
/// statements that make them do so, and a resource that is declared twice at both declarations: as far as that lies in a
/// file, and no rule that needs no compile has told it.
pub(super) fn diagnostics_at(
    db: &dyn Db,
    file: File,
    code: Code,
    message: &str,
    finding: &CompileFinding,
    is_own: impl Fn(&ExprLocation) -> bool,
) -> Vec<Diagnostic> {
    let here = told_places(finding, &is_own).filter(|place| place.definition.file(db) == file);
    here.filter_map(|place| diagnostic_at(db, file, code, message, finding, place)).collect()
}

/// Where a failed compile is told.
fn told_places<'f>(
    finding: &'f CompileFinding,
    is_own: &dyn Fn(&ExprLocation) -> bool,
) -> impl Iterator<Item = &'f ExprLocation> {
    let most = if finding.is_circle() { usize::MAX } else { 1 };
    let own = finding.places.iter().filter(move |place| is_own(place)).take(most);
    let earlier = finding.is_duplicate().then_some(&finding.earlier).into_iter().flatten();
    own.chain(earlier.filter(move |place| is_own(place)).take(1))
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
    // What shows without a compile is told already.
    let is_told = |it: &Diagnostic| {
        it.severity() <= Severity::Warning && it.range.start < range.end && range.start < it.range.end
    };
    let (known, named) = (crate::evaluation_diagnostics(db, file), crate::semantic_diagnostics(db, file));
    if known.iter().chain(named.iter()).any(is_told) {
        return None;
    }
    let mut diagnostic = match finding.may_be_meant() {
        true => {
            Diagnostic::new(code, range, message).downgraded(DowngradeReason::Uncertain, Severity::Warning)
        }
        false => Diagnostic::new(code, range, message),
    };
    // What begins at the same place is told once.
    let mut told = vec![(file, range.start)];
    for other in finding.places.iter().chain(finding.earlier.first()) {
        let Some(range) = range_of(db, other) else { continue };
        let file_of_other = other.definition.file(db);
        if told.contains(&(file_of_other, range.start)) {
            continue;
        }
        told.push((file_of_other, range.start));
        let text = match Some(other) == finding.places.first() {
            _ if finding.is_circle() => "this is part of the circle",
            _ if Some(other) == finding.earlier.first() => finding.code.text_of_earlier(),
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

fn range_of(db: &dyn Db, place: &ExprLocation) -> Option<TextRange> {
    Some(project::body_source_map(db, place.definition).node(place.expr)?.range)
}

fn message_of(finding: &PlatformFinding) -> String {
    let classes = match finding.classes.as_slice() {
        [only] => format!("the class {only} cannot be compiled"),
        [first, rest @ ..] => format!("{first} and {} more classes cannot be compiled", rest.len()),
        [] => String::from("this cannot be compiled"),
    };
    let platforms = match finding.platforms.as_slice() {
        _ if finding.is_everywhere => String::new(),
        few if few.len() <= MAX_NAMES => format!(" on {}", few.join(", ")),
        many => {
            format!(" on {} and {} more platforms", many[..MAX_NAMES].join(", "), many.len() - MAX_NAMES)
        }
    };
    format!("{classes}{platforms}: {}", finding.finding.message)
}
