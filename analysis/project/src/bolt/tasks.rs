//! Metadata of Bolt tasks.

use hiera::DataFormat;
use hir::Name;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::resolve::closed_folder;
use crate::{Db, File, FileKind, ModuleTree, NameKind, absence, module_named};

/// Metadata of a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskMetadata {
    pub description: Option<SmolStr>,
    /// Parameters in source order; `None` if the metadata does not declare any, so that all names are
    /// accepted.
    pub parameters: Option<Box<[TaskParameter]>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskParameter {
    pub name: Name,
    /// Range of the name, without quotes.
    pub range: TextRange,
    /// Type in Puppet's notation, if declared.
    pub type_text: Option<SmolStr>,
    pub description: Option<SmolStr>,
    pub has_default: bool,
}

impl TaskParameter {
    /// Returns true if the parameter must certainly be given. A type alias of a module might accept `undef`.
    pub fn is_required(&self) -> bool {
        let head = self.type_text.as_deref().unwrap_or("Any").split('[').next().unwrap_or_default().trim();
        let takes_undef = matches!(head, "Any" | "Optional" | "Variant" | "Undef" | "Data" | "RichData");
        !self.has_default && !takes_undef && !head.contains("::")
    }
}

/// Returns the metadata in a file of a module's `tasks` folder; empty for a file without text, and for
/// invalid JSON.
#[salsa::tracked(returns(ref))]
pub fn task_metadata(db: &dyn Db, file: File) -> TaskMetadata {
    let text = file.contents(db).text();
    let data = hiera::data::read(DataFormat::Json, text.as_deref().unwrap_or_default());
    if data.findings.iter().any(|finding| finding.kind.is_fatal()) {
        return TaskMetadata::default();
    }
    let text_of = |node: &hiera::DataNode, key: &str| -> Option<SmolStr> {
        Some(node.entry(key)?.value.value.as_str()?.into())
    };
    let parameters = data.entry("parameters").map(|parameters| {
        let parameter = |entry: &hiera::DataEntry| {
            Some(TaskParameter {
                name: entry.key.value.as_str()?.into(),
                range: TextRange::new(entry.key.range.start + 1, entry.key.range.end.saturating_sub(1)),
                type_text: text_of(&entry.value, "type"),
                description: text_of(&entry.value, "description"),
                has_default: entry.value.entry("default").is_some(),
            })
        };
        parameters.value.entries().iter().filter_map(parameter).collect()
    });
    let description = data.root.as_ref().and_then(|root| text_of(root, "description"));
    TaskMetadata { description, parameters }
}

/// Returns the metadata file of the task `module` or `module::name`, as seen from code in a file.
pub fn task_file(db: &dyn Db, from: File, name: &str) -> Option<File> {
    let (module, task) = name.split_once("::").unwrap_or((name, "init"));
    let files = module_named(db, from, module)?.files(db);
    files.get(format!("tasks/{task}.json").as_str()).copied()
}

/// Returns true if the module of the task `module` or `module::name` is known and does not have it.
pub fn lacks_task(db: &dyn Db, from: File, name: &str) -> bool {
    let (module, task) = name.split_once("::").unwrap_or((name, "init"));
    let Some(module) = module_named(db, from, module) else { return false };
    !has_file(db, module, "tasks", task)
}

/// Returns true if the module of a plan is known and does not have it, not even as YAML.
pub fn lacks_plan(db: &dyn Db, from: File, name: &str) -> bool {
    let (module, plan) = name.split_once("::").unwrap_or((name, "init"));
    let Some(module) = module_named(db, from, module) else { return false };
    absence(db, from, NameKind::Plan, name) == crate::Absence::NameMissing
        && !has_file(db, module, "plans", &plan.replace("::", "/"))
}

/// Returns true if the folder of the module has a file with this name and any extension, or is unreadable.
fn has_file(db: &dyn Db, module: ModuleTree, folder: &str, name: &str) -> bool {
    let path = format!("{folder}/{name}");
    let mut paths = module.files(db).keys();
    closed_folder(db, module, &path).is_some()
        || paths.any(|it| {
            it.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

/// Returns the names of the tasks that code in a file can run, without duplicates.
pub fn task_names(db: &dyn Db, from: File) -> Vec<Name> {
    let mut names = Vec::new();
    for environment in from.environments(db).iter() {
        for (module, tree) in environment.modules(db).iter() {
            for path in tree.files(db).keys() {
                let Some(task) = path.strip_prefix("tasks/").filter(|it| !it.contains('/')) else { continue };
                let is_task =
                    matches!(FileKind::of_relative(path), Some(FileKind::TaskMetadata | FileKind::Asset));
                let task = task.split('.').next().unwrap_or_default();
                let name = match task {
                    "init" => module.clone(),
                    task => Name::from(format!("{module}::{task}")),
                };
                if is_task && !task.is_empty() && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}
