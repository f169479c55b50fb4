//! The findings of a file made of those of its sections, and what an environment lacks, told once.

use codes::{Code, DowngradeReason};
use std::sync::Arc;

use hir::{Name, NameUse, NameUseKind};
use project::{Db, Environment, File, FileRole};
use rustc_hash::FxHashSet;
use syntax::{Severity, TextRange};

use crate::context::Section;
use crate::findings::{NotedModule, SectionFindings, sort};
use crate::rules::MAX_DUPLICATE_DEFINITIONS;
use crate::sections::section_findings;
use crate::{Diagnostic, FixData};

/// The findings of a file, by position, of those of its sections, each with where the section begins.
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

/// The first place of each module, where something can be said there.
fn first_places<'a>(noted: impl Iterator<Item = (u32, &'a NotedModule)>) -> Vec<(&'a Name, TextRange)> {
    let mut noted: Vec<_> = noted.collect();
    noted.sort_by_key(|(start, it)| (it.rule, start + it.range.start));
    let mut seen = FxHashSet::default();
    let first = noted.into_iter().filter(|(_, it)| seen.insert(&it.module));
    let told = first.filter(|(_, it)| !it.is_hidden);
    told.map(|(start, it)| (&it.module, it.range.shifted(start))).collect()
}

/// One hint for each module that is not there, in the first file of the environment that names it.
fn missing_modules(db: &dyn Db, file: File, sections: &[(u32, Arc<SectionFindings>)]) -> Vec<Diagnostic> {
    let noted = sections.iter().flat_map(|(start, it)| it.missing_modules.iter().map(|it| (*start, it)));
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let first = first_places(noted).into_iter();
    let told = first.filter(|(module, _)| {
        first_to_miss(db, environment, (*module).clone()).is_none_or(|first| first == file)
    });
    let told = told.map(|(module, range)| {
        let folders = project::module_folders_setting(db, environment)
            .map(|it| format!(" (environment.conf: {it})"))
            .unwrap_or_default();
        let advice = advice_on_missing_module(db, file, module);
        let message = format!("the module '{module}' is not on the module path{folders}; {advice}");
        Diagnostic::new(Code::MissingModule, range, message)
    });
    told.collect()
}

/// The first file of an environment that uses a module which is not there.
#[salsa::tracked(returns(copy))]
fn first_to_miss(db: &dyn Db, environment: Environment, module: Name) -> Option<File> {
    let _span = tracing::info_span!("first_to_miss").entered();
    let is_it = |file: &File| {
        may_miss(db, *file, &module) && modules_missed_in(db, *file).binary_search(&module).is_ok()
    };
    // The functions of stdlib do not say whose they are.
    match module == "stdlib" {
        true => project::sources(db, environment).find(is_it),
        false => project::first_source_with(db, environment, std::slice::from_ref(&module), is_it),
    }
}

/// Does a file take something from a module, by the names in it? Most texts with the word mean something else by it, which
/// is known without looking for what is wrong there.
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

/// The modules that a file uses and that are not there, sorted.
#[salsa::tracked(returns(clone), lru = 0)]
fn modules_missed_in(db: &dyn Db, file: File) -> Arc<[Name]> {
    let _span = tracing::info_span!("modules_missed_in").entered();
    let sections: Vec<_> =
        Section::of_file(db, file).into_iter().map(|it| section_findings(db, it)).collect();
    let noted = sections.iter().flat_map(|it| it.missing_modules.iter().map(|it| (0, it)));
    let mut names: Vec<Name> = first_places(noted).into_iter().map(|(module, _)| module.clone()).collect();
    names.sort_unstable();
    names.into()
}

/// Lets go of what was worked out of more than so many files.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    modules_missed_in::set_lru_capacity(db, files);
}

/// One hint for an environment that looks into Hiera and has no configuration of it, where it first does.
fn missing_configuration(db: &dyn Db, file: File) -> Option<Diagnostic> {
    let environment = file.environments(db).first().copied()?;
    // A module alone has the data of whoever uses it.
    let tree = environment.modules(db).get("environment")?;
    if tree.files(db).contains_key("hiera.yaml") || first_to_look_up(db, environment) != Some(file) {
        return None;
    }
    let range = first_lookup(db, file)?;
    let message = "there is no hiera.yaml in this environment: what Hiera finds is not known here, as the server's own \
                   configuration decides it";
    Some(
        Diagnostic::new(Code::HieraConfiguration, range, message)
            .downgraded(DowngradeReason::Tolerated, Severity::Hint),
    )
}

/// The first file of an environment that looks into Hiera.
#[salsa::tracked(returns(copy))]
fn first_to_look_up(db: &dyn Db, environment: Environment) -> Option<File> {
    let functions: Vec<Name> = hir::naming_functions().filter(|it| looks_up(it)).map(Name::new).collect();
    project::first_source_with(db, environment, &functions, |file| first_lookup(db, *file).is_some())
}

/// Does a function look into Hiera?
fn looks_up(function: &str) -> bool {
    hir::kind_of_argument(function, 0) == Some(NameUseKind::HieraKey)
}

fn first_lookup(db: &dyn Db, file: File) -> Option<TextRange> {
    let uses = project::name_uses(db, file);
    let is_lookup = |it: &&NameUse| it.kind == NameUseKind::Function && looks_up(&it.name);
    uses.iter().find(is_lookup).map(|it| it.range)
}

fn advice_on_missing_module(db: &dyn Db, file: File, module: &Name) -> &'static str {
    let environment = file.environments(db).first();
    let is_submodule = environment.is_some_and(|it| project::submodules(db, *it).contains(module));
    let is_expected = environment.is_some_and(|it| project::expected_modules(db, *it).contains(module));
    let is_for_tests = || match file.place(db) {
        FileRole::Module { module: own, .. } => project::fixture_modules(db, *own).contains(module),
        _ => false,
    };
    if is_submodule {
        ".gitmodules names it: fetch it (`git submodule update --init`)"
    } else if is_expected {
        "the Puppetfile names it: install the modules (`r10k puppetfile install`)"
    } else if is_for_tests() {
        ".fixtures.yml names it: fetch what the tests need (`rake spec_prep`)"
    } else {
        "what this file takes from it is not checked"
    }
}

fn undeclared_modules(sections: &[(u32, Arc<SectionFindings>)]) -> Vec<Diagnostic> {
    let noted = sections.iter().flat_map(|(start, it)| it.undeclared_modules.iter().map(|it| (*start, it)));
    let told = first_places(noted).into_iter().map(|(module, range)| {
        let message =
            format!("this module uses the module '{module}', but its metadata.json does not say so");
        let data = FixData::MissingDependency { module: module.clone() };
        Diagnostic::new(Code::UndeclaredDependency, range, message).with_data(data)
    });
    told.collect()
}
