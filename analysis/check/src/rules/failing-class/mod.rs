#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use compile::{CompileFinding, ExprLocation, Nearby, PlatformFinding};
use project::{Db, Environment, File, FileRole, ModuleTree};
use syntax::Severity;

use super::failures::{code_of, diagnostics_at, entries, is_of_project, reported_location};
use crate::{Breadth, Diagnostic};

/// Maximum number of platforms named in a message; the others are counted.
const MAX_NAMED_PLATFORMS: usize = 6;

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
    if finding.finding.is_refusal() {
        let mut message = finding.finding.message.clone();
        codes::append_to_problem(&mut message, &platforms);
        message
    } else {
        format!("{classes}{platforms}: {}", finding.finding.message)
    }
}
