#![doc = include_str!("../../pages/failing-class.md")]

use codes::{Code, Milder};
use compile::{CompileFinding, Located, PlatformFinding};
use project::{Db, Environment, File, FilePlace, ModuleTree};
use syntax::{Severity, TextRange};

use super::failing_node::is_of_project;
use crate::Diagnostic;

/// More platforms than this are counted, not named.
const MOST_NAMES: usize = 6;

/// The modules of roles: classes that are all that a node has.
const ROLE_MODULES: [&str; 2] = ["role", "roles"];

/// The failures whose innermost useful place lies in a file of a module: those of the module's own classes, and those of
/// roles wherever the project's own code leads to them. Nothing where a text has a syntax error.
pub(crate) fn failing_classes(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let FilePlace::Module { module, .. } = file.place(db) else { return Vec::new() };
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let module_of = |place: &Located| match place.definition.file(db).place(db) {
        FilePlace::Module { module, .. } => Some(*module),
        _ => None,
    };
    let is_role = ROLE_MODULES.contains(&module.name(db).as_str());
    let mut diagnostics = Vec::new();
    if !is_role {
        // The innermost place that the module's own people can change.
        let is_own = |place: &Located| module_of(place) == Some(*module);
        diagnostics = findings_at(db, environment, *module, file, is_own);
    }
    if is_role || is_of_project(db, environment, file) {
        let modules = environment.modules(db);
        let is_own = |place: &Located| {
            let file = place.definition.file(db);
            is_of_project(db, environment, file)
                || module_of(place).is_some_and(|it| ROLE_MODULES.contains(&it.name(db).as_str()))
        };
        for roles in ROLE_MODULES.iter().filter_map(|name| modules.get(*name)) {
            for found in findings_at(db, environment, *roles, file, is_own) {
                if !diagnostics.iter().any(|known| known.range == found.range) {
                    diagnostics.push(found);
                }
            }
        }
    }
    diagnostics
}

/// The files whose compiles the failures in a file are found with: itself, one of each module of roles, one of the main manifest.
pub(crate) fn files_compiled_for(db: &dyn Db, file: File) -> Vec<File> {
    let mut files = vec![file];
    let Some(environment) = file.environments(db).first().copied() else { return files };
    if is_of_project(db, environment, file) {
        let roles = ROLE_MODULES.iter().filter_map(|name| environment.modules(db).get(*name));
        files.extend(roles.filter_map(|module| module.files(db).values().next()));
        files.extend(environment.main_manifests(db).first());
    }
    files
}

/// The failures of a module's classes whose innermost own place lies in a file.
fn findings_at(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    file: File,
    is_own: impl Fn(&Located) -> bool,
) -> Vec<Diagnostic> {
    let findings = compile::module_findings(db, environment, module);
    let at = |finding: &PlatformFinding| {
        let mut found =
            diagnostics_at(db, file, Code::FailingClass, &message_of(finding), &finding.finding, &is_own);
        // Who includes it may do so elsewhere only.
        if finding.is_inner && !finding.is_everywhere && finding.finding.is_duplicate() {
            found = found.into_iter().map(|it| it.milder(Milder::Uncertain, Severity::Warning)).collect();
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
    is_own: impl Fn(&Located) -> bool,
) -> Vec<Diagnostic> {
    let most = if finding.is_circle() { usize::MAX } else { 1 };
    let own = finding.places.iter().filter(|place| is_own(place)).take(most);
    let earlier = finding.earlier.iter().find(|place| is_own(place));
    let here = own.chain(earlier).filter(|place| place.definition.file(db) == file);
    here.filter_map(|place| diagnostic_at(db, file, code, message, finding, place)).collect()
}

fn diagnostic_at(
    db: &dyn Db,
    file: File,
    code: Code,
    message: &str,
    finding: &CompileFinding,
    place: &Located,
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
        true => Diagnostic::new(code, range, message).milder(Milder::Uncertain, Severity::Warning),
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
            _ if Some(other) == finding.earlier.first() => "it is declared first here",
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

fn message_of(finding: &PlatformFinding) -> String {
    let classes = match finding.classes.as_slice() {
        [only] => format!("the class {only} cannot be compiled"),
        [first, rest @ ..] => format!("{first} and {} more classes cannot be compiled", rest.len()),
        [] => String::from("this cannot be compiled"),
    };
    let platforms = match finding.platforms.as_slice() {
        _ if finding.is_everywhere => String::new(),
        few if few.len() <= MOST_NAMES => format!(" on {}", few.join(", ")),
        many => {
            format!(" on {} and {} more platforms", many[..MOST_NAMES].join(", "), many.len() - MOST_NAMES)
        }
    };
    format!("{classes}{platforms}: {}", finding.finding.message)
}
