//! Items of a control repository that no node can reach.

use std::sync::Arc;

use codes::Code;
use project::{Db, Environment, File, FileRole, LintLevel};
use reachability::{Item, ItemKind, ItemLocation, UseVerdict};
use rustc_hash::FxHashMap;
use syntax::TextRange;

use crate::rule_table::level;
use crate::{Diagnostic, DiagnosticTag};

/// Codes of items that no node of a control repository can reach.
pub const UNUSED_ITEMS: [Code; 9] = [
    Code::UnreachableLevel,
    Code::UnusedClass,
    Code::UnusedDefine,
    Code::UnusedFile,
    Code::UnusedFunction,
    Code::UnusedHieraKey,
    Code::UnusedModule,
    Code::UnusedTemplate,
    Code::UnusedType,
];

/// Returns the unused items in a file, by position; none outside of control repositories. Reads all files of the
/// environment, unless all of these rules are off.
pub(crate) fn unused_items(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let is_off = |code: &Code| level(db, environment, *code) == Some(LintLevel::Off);
    if !reachability::is_control_repository(db, environment) || UNUSED_ITEMS.iter().all(is_off) {
        return Vec::new();
    }
    unused_by_file(db, environment).get(&file).cloned().unwrap_or_default()
}

#[salsa::tracked(returns(clone))]
fn unused_by_file(db: &dyn Db, environment: Environment) -> Arc<FxHashMap<File, Vec<Diagnostic>>> {
    let found = reachability::unused_items(db, environment);
    let mut by_file: FxHashMap<File, Vec<Diagnostic>> = FxHashMap::default();
    for (item, verdict) in &found.items {
        let UseVerdict::Unused { only_tests } = verdict else { continue };
        for location in &item.locations {
            let (file, range) = shown_at(db, environment, item, location);
            let mut diagnostic = Diagnostic::new(code(item.kind), range, message(item, *only_tests));
            diagnostic.tag = Some(DiagnosticTag::Unnecessary);
            by_file.entry(file).or_default().push(diagnostic);
        }
    }
    for found in by_file.values_mut() {
        found.sort_by_key(|it| (it.range.start, it.range.end, it.code));
    }
    Arc::new(by_file)
}

/// Returns the location to report; for a file that is not text of the project, the first manifest of its module.
fn shown_at(db: &dyn Db, environment: Environment, item: &Item, at: &ItemLocation) -> (File, TextRange) {
    let FileRole::Module { module, .. } = at.file.role(db) else { return (at.file, at.range) };
    let is_text =
        project::file_kind(db, at.file) != project::FileKind::Asset && at.file.contents(db).has_text();
    if is_text || environment.modules(db).get(&item.module) != Some(module) {
        return (at.file, at.range);
    }
    let files = module.files(db);
    let manifests = || files.iter().find(|(path, _)| path.starts_with("manifests/")).map(|(_, file)| file);
    let shown = files.get("manifests/init.pp").or_else(manifests);
    (shown.copied().unwrap_or(at.file), TextRange::empty(0))
}

fn code(kind: ItemKind) -> Code {
    match kind {
        ItemKind::Module => Code::UnusedModule,
        ItemKind::Class => Code::UnusedClass,
        ItemKind::DefinedType => Code::UnusedDefine,
        ItemKind::Function => Code::UnusedFunction,
        ItemKind::DataType => Code::UnusedType,
        ItemKind::Template => Code::UnusedTemplate,
        ItemKind::File | ItemKind::DataFile => Code::UnusedFile,
        ItemKind::Level => Code::UnreachableLevel,
        ItemKind::HieraKey => Code::UnusedHieraKey,
    }
}

fn message(item: &Item, only_tests: bool) -> String {
    let name = &item.name;
    let what = match item.kind {
        ItemKind::Module => format!("module `{name}`"),
        ItemKind::Class => format!("class `{name}`"),
        ItemKind::DefinedType => format!("defined type `{name}`"),
        ItemKind::Function => format!("function `{name}`"),
        ItemKind::DataType => format!("data type `{}`", hir::capitalized(name)),
        ItemKind::Template => format!("template `{name}`"),
        ItemKind::File => format!("file `{name}`"),
        ItemKind::DataFile => return format!("no level of the hierarchy reads `{name}`"),
        ItemKind::Level => return format!("no data file matches the paths of level `{name}`"),
        ItemKind::HieraKey if !only_tests => return format!("key `{name}` is not looked up by any node"),
        ItemKind::HieraKey => format!("key `{name}`"),
    };
    if only_tests {
        format!("{what} is only used by tests")
    } else {
        format!("{what} is not used by any node")
    }
}
