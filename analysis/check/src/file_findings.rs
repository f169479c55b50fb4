//! Merges the findings of a file's sections, and reports what an environment lacks once.

use std::collections::BTreeSet;
use std::sync::Arc;

use codes::{Code, DowngradeReason};

use hir::{Name, NameUse, NameUseKind};
use project::{Db, Environment, File, FileRole, ModuleTree};
use rustc_hash::FxHashSet;
use syntax::{Severity, TextRange};

use crate::context::Section;
use crate::findings::{NotedModule, SectionFindings, sort};
use crate::rules::MAX_DUPLICATE_DEFINITIONS;
use crate::sections::section_findings;
use crate::{Diagnostic, FixData};

/// Merges the findings of sections, each given with the offset of its section, and sorts them by position.
pub(crate) fn of_sections(
    db: &dyn Db,
    file: File,
    sections: &[(u32, Arc<SectionFindings>)],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (start, findings) in sections {
        found.extend(findings.diagnostics.iter().map(|it| it.shifted(*start)));
    }
    found.extend(missing_modules(db, file, sections));
    found.extend(missing_configuration(db, file));
    found.extend(undeclared_modules(sections));
    sort(&mut found);
    let mut duplicates = 0;
    found.retain(|it| {
        duplicates += usize::from(it.code == Code::DuplicateDefinition);
        it.code != Code::DuplicateDefinition || duplicates <= MAX_DUPLICATE_DEFINITIONS
    });
    found
}

/// Returns the first use of each module, except those in statements with a syntax error.
fn first_uses<'a>(noted: impl Iterator<Item = (u32, &'a NotedModule)>) -> Vec<(&'a Name, TextRange)> {
    let mut noted: Vec<_> = noted.collect();
    noted.sort_by_key(|(start, it)| (it.rule, start + it.range.start));
    let mut seen = FxHashSet::default();
    let first = noted.into_iter().filter(|(_, it)| seen.insert(&it.module));
    let visible = first.filter(|(_, it)| !it.is_hidden);
    visible.map(|(start, it)| (&it.module, it.range.shifted(start))).collect()
}

/// Reports each module that is not installed, in the first file of the environment that uses it.
fn missing_modules(db: &dyn Db, file: File, sections: &[(u32, Arc<SectionFindings>)]) -> Vec<Diagnostic> {
    let noted = sections.iter().flat_map(|(start, it)| it.missing_modules.iter().map(|it| (*start, it)));
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let first = first_uses(noted).into_iter();
    let reported = first.filter(|(module, _)| {
        first_to_miss(db, environment, (*module).clone()).is_none_or(|first| first == file)
    });
    let reported = reported.map(|(module, range)| {
        let folders = project::module_folders_setting(db, environment)
            .filter(|it| !it.is_empty())
            .map(|it| format!(" on the module path `{it}`"))
            .unwrap_or_default();
        let problem = format!("module `{module}` not found{folders}");
        let message = codes::with_help(problem, help_for_missing_module(db, file, module));
        Diagnostic::new(Code::MissingModule, range, message)
    });
    reported.collect()
}

/// Returns the first file of an environment that uses the module, which is not installed.
#[salsa::tracked(returns(copy))]
fn first_to_miss(db: &dyn Db, environment: Environment, module: Name) -> Option<File> {
    let _span = tracing::info_span!("first_to_miss").entered();
    let is_it = |file: &File| {
        may_miss(db, *file, &module) && modules_missed_in(db, *file).binary_search(&module).is_ok()
    };
    // Functions of stdlib have no namespace, so the name of the module need not occur in the file.
    if module == "stdlib" {
        project::sources(db, environment).find(is_it)
    } else {
        project::first_source_with(db, environment, std::slice::from_ref(&module), is_it)
    }
}

/// Returns the modules that the code of an environment uses and that are not installed, sorted. Checks files
/// that have not been checked yet.
pub fn modules_missed_by_code(db: &dyn Db, environment: Environment) -> Vec<Name> {
    let sources = project::sources(db, environment);
    let missed: BTreeSet<Name> = sources.flat_map(|file| modules_missed_in(db, file).to_vec()).collect();
    missed.into_iter().collect()
}

/// Returns true if a name in the file may refer to the module.
///
/// This cheap test rules out most files that merely contain the word.
fn may_miss(db: &dyn Db, file: File, module: &Name) -> bool {
    project::name_uses(db, file).iter().any(|it| match it.kind {
        NameUseKind::Function if module == "stdlib" && functions::of_stdlib(&it.name).is_some() => true,
        NameUseKind::Class
        | NameUseKind::ResourceType
        | NameUseKind::Type
        | NameUseKind::ClassOrResourceType
        | NameUseKind::Function => it.name.split("::").next() == Some(module),
        NameUseKind::EppTemplate | NameUseKind::ErbTemplate => it.name.split('/').next() == Some(module),
        _ => false,
    })
}

/// Returns the modules that a file uses and that are not installed, sorted.
#[salsa::tracked(returns(clone), lru = 0)]
fn modules_missed_in(db: &dyn Db, file: File) -> Arc<[Name]> {
    let _span = tracing::info_span!("modules_missed_in").entered();
    let sections: Vec<_> =
        Section::of_file(db, file).into_iter().map(|it| section_findings(db, it)).collect();
    let noted = sections.iter().flat_map(|it| it.missing_modules.iter().map(|it| (0, it)));
    let mut names: Vec<Name> = first_uses(noted).into_iter().map(|(module, _)| module.clone()).collect();
    names.sort_unstable();
    names.into()
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    modules_missed_in::set_lru_capacity(db, files);
}

/// Reports a missing `hiera.yaml` at the first lookup of the environment.
fn missing_configuration(db: &dyn Db, file: File) -> Option<Diagnostic> {
    let environment = file.environments(db).first().copied()?;
    // A single module gets its data from the environments that install it.
    let tree = environment.modules(db).get("environment")?;
    if tree.files(db).contains_key("hiera.yaml") || first_to_look_up(db, environment) != Some(file) {
        return None;
    }
    let range = first_lookup(db, file)?;
    let message = "no `hiera.yaml` in this environment; lookups depend on the configuration of the server";
    Some(
        Diagnostic::new(Code::HieraConfiguration, range, message)
            .downgraded(DowngradeReason::Tolerated, Severity::Hint),
    )
}

/// Returns the first file of an environment with a Hiera lookup.
#[salsa::tracked(returns(copy))]
fn first_to_look_up(db: &dyn Db, environment: Environment) -> Option<File> {
    let functions: Vec<Name> = hir::naming_functions().filter(|it| looks_up(it)).map(Name::new).collect();
    project::first_source_with(db, environment, &functions, |file| first_lookup(db, *file).is_some())
}

/// Returns true if the function performs a Hiera lookup.
fn looks_up(function: &str) -> bool {
    hir::kind_of_argument(function, 0) == Some(NameUseKind::HieraKey)
}

fn first_lookup(db: &dyn Db, file: File) -> Option<TextRange> {
    let uses = project::name_uses(db, file);
    let is_lookup = |it: &&NameUse| it.kind == NameUseKind::Function && looks_up(&it.name);
    uses.iter().find(is_lookup).map(|it| it.range)
}

/// Help for a missing module that nothing in the project installs.
pub const INSTALL_MODULE: &str = "install the module to check the code that uses it";

fn help_for_missing_module(db: &dyn Db, file: File, module: &Name) -> &'static str {
    let own = match file.role(db) {
        FileRole::Module { module: own, .. } => Some(*own),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    installation_help(db, file.environments(db).first().copied(), own.as_slice(), module)
}

/// Returns how to install a module that an environment lacks: the help of its first use. `users` are the
/// modules that use it.
pub fn installation_help(
    db: &dyn Db,
    environment: Option<Environment>,
    users: &[ModuleTree],
    module: &Name,
) -> &'static str {
    let is_submodule = environment.is_some_and(|it| project::submodules(db, it).contains(module));
    let is_expected = environment.is_some_and(|it| project::expected_modules(db, it).contains(module));
    let is_for_tests = || users.iter().any(|it| project::fixture_modules(db, *it).contains(module));
    if is_submodule {
        "run `git submodule update --init` to fetch the submodule"
    } else if is_expected {
        "run `r10k puppetfile install` to install the modules of the Puppetfile"
    } else if is_for_tests() {
        "run `rake spec_prep` to fetch the modules of `.fixtures.yml`"
    } else {
        INSTALL_MODULE
    }
}

fn undeclared_modules(sections: &[(u32, Arc<SectionFindings>)]) -> Vec<Diagnostic> {
    let noted = sections.iter().flat_map(|(start, it)| it.undeclared_modules.iter().map(|it| (*start, it)));
    let reported = first_uses(noted).into_iter().map(|(module, range)| {
        let message = codes::with_help(
            format!("undeclared dependency on module `{module}`"),
            "add the module to `dependencies` in `metadata.json`",
        );
        let data = FixData::MissingDependency { module: module.clone() };
        Diagnostic::new(Code::UndeclaredDependency, range, message).with_data(data)
    });
    reported.collect()
}
