#![doc = include_str!("../../pages/failing-class.md")]

use codes::{Code, DowngradeReason};
use compile::{CompileFinding, ExprLocation, Nearby, PlatformFinding};
use hir::Name;
use project::{Db, Environment, File, FileRole, ModuleTree};
use syntax::{Severity, TextRange};

use super::failing_node::is_of_project;
use crate::{Breadth, Diagnostic};

/// Maximum number of platforms named in a message; the others are counted.
const MAX_NAMED_PLATFORMS: usize = 6;

/// Maximum number of classes or nodes named in a message; the others are counted.
const MAX_NAMED_ENTRIES: usize = 6;

/// Modules of roles, which are the only class of a node.
const ROLE_MODULES: [&str; 2] = ["role", "roles"];

/// Returns the failures whose innermost actionable location is in a file of a module: those of the module's
/// own classes, and those of roles if the file belongs to the project itself. There are none if a file has a
/// syntax error.
pub(crate) fn failing_classes(db: &dyn Db, file: File, breadth: Breadth) -> Vec<Diagnostic> {
    let FileRole::Module { module, .. } = file.role(db) else { return Vec::new() };
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let module_of = |place: &ExprLocation| match place.definition.file(db).role(db) {
        FileRole::Module { module, .. } => Some(*module),
        _ => None,
    };
    let is_role = is_role(db, file);
    let mut diagnostics = Vec::new();
    if !is_role {
        // The innermost location that the maintainers of the module can change.
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

/// Returns true if the file is in a module of roles.
pub(crate) fn is_role(db: &dyn Db, file: File) -> bool {
    match file.role(db) {
        FileRole::Module { module, .. } => ROLE_MODULES.contains(&module.name(db).as_str()),
        _ => false,
    }
}

/// Returns the failures of roles that may concern a file.
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
                reported_location(finding, is_own).is_some_and(|place| place.definition.file(db) == file)
            };
            let of_module = |module: ModuleTree| {
                let is_in = |file: File| matches!(file.role(db), FileRole::Module { module: it, .. } if *it == module);
                let classes: Vec<_> = roles.iter().copied().filter(|class| is_in(class.file(db))).collect();
                compile::findings_of_classes(db, environment, module, &classes, &concerns)
            };
            modules.flat_map(of_module).collect()
        }
    }
}

/// Returns the diagnostics for failures whose innermost actionable location is in the file.
fn diagnostics_of(
    db: &dyn Db,
    findings: &[PlatformFinding],
    file: File,
    is_own: impl Fn(&ExprLocation) -> bool,
) -> Vec<Diagnostic> {
    let at = |finding: &PlatformFinding| {
        let mut found = diagnostics_at(
            db,
            file,
            code_of(&finding.finding, Code::FailingClass),
            &message_of(finding),
            &finding.finding,
            &is_own,
        );
        // A class that declares it may only be included on other platforms.
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
fn reported_location<'f>(
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
    let mut diagnostic = match finding.may_be_intended() {
        true => {
            Diagnostic::new(code, range, message).downgraded(DowngradeReason::Uncertain, Severity::Warning)
        }
        false => Diagnostic::new(code, range, message),
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
        let text = match Some(other) == finding.places.first() {
            _ if finding.is_cycle() => "part of the cycle",
            _ if Some(other) == finding.earlier.first() => finding.code.earlier_label(),
            true => "fails here",
            false => "reached from here",
        };
        diagnostic = match file_of_other == file {
            true => diagnostic.with_related(range, text),
            false => diagnostic.with_related_in(file_of_other.path(db).clone(), range, text),
        };
    }
    Some(diagnostic)
}

/// Returns the code of a failed compile: `otherwise`, unless the catalog compiles but is refused by agents.
pub(super) fn code_of(finding: &CompileFinding, otherwise: Code) -> Code {
    match finding.is_refusal() {
        true => finding.code,
        false => otherwise,
    }
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

fn message_of(finding: &PlatformFinding) -> String {
    let classes = format!("{} cannot be compiled", entries("class", "classes", &finding.classes));
    let platforms = match finding.platforms.as_slice() {
        _ if finding.is_everywhere => String::new(),
        few if few.len() <= MAX_NAMED_PLATFORMS => format!(" on {}", few.join(", ")),
        many => {
            format!(
                " on {} and {} more platforms",
                many[..MAX_NAMED_PLATFORMS].join(", "),
                many.len() - MAX_NAMED_PLATFORMS
            )
        }
    };
    match finding.finding.is_refusal() {
        true => {
            let mut message = finding.finding.message.clone();
            codes::append_to_problem(&mut message, &platforms);
            message
        }
        false => format!("{classes}{platforms}: {}", finding.finding.message),
    }
}
