//! Findings in the metadata of a Bolt task (`tasks/*.json`): what Puppet and Bolt reject or ignore.

use codes::{Code, DowngradeReason, Severity};
use hiera::data::{Content, DataEntry, DataFindingKind, DataNode};
use hiera::{DataFormat, HieraData};
use project::{Db, File, FileRole, ModuleTree};
use syntax::TextRange;
use types::Value;

use crate::metadata_rules::quality::{INVALID_ESCAPE, invalid_escapes};

use crate::bolt_rules::yaml_plan::has_type_of_bolt;
use crate::metadata_rules::similar::is_similar;
use crate::{Diagnostic, FixData};

/// Kind of value that a key requires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Text,
    Boolean,
    Integer,
    /// Array of strings.
    Texts,
    /// Array of objects.
    Objects,
    Object,
    InputMethod,
    Any,
}

/// Keys of the file.
const KEYS: &[(&str, Shape)] = &[
    ("description", Shape::Text),
    ("extensions", Shape::Object),
    ("files", Shape::Texts),
    ("implementations", Shape::Objects),
    ("input_method", Shape::InputMethod),
    ("parameters", Shape::Object),
    ("private", Shape::Boolean),
    ("puppet_task_version", Shape::Integer),
    ("remote", Shape::Boolean),
    ("supports_noop", Shape::Boolean),
];

const PARAMETER_KEYS: &[(&str, Shape)] = &[
    ("default", Shape::Any),
    ("description", Shape::Text),
    ("sensitive", Shape::Boolean),
    ("type", Shape::Text),
];

const IMPLEMENTATION_KEYS: &[(&str, Shape)] = &[
    ("files", Shape::Texts),
    ("input_method", Shape::InputMethod),
    ("name", Shape::Text),
    ("remote", Shape::Boolean),
    ("requirements", Shape::Texts),
];

const NAME_RULE: &str =
    "it must begin with a lowercase letter and contain only lowercase letters, digits and `_`";

/// Folders of a module with files that a task can need.
const MOUNTS: [&str; 4] = ["files", "lib", "scripts", "tasks"];

const INPUT_METHODS: [&str; 4] = ["both", "environment", "powershell", "stdin"];

/// Returns the findings in the metadata of a task.
pub(crate) fn task_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let Some(text) = project::text(db, file).filter(|_| !file.is_large(db)) else { return Vec::new() };
    // Elsewhere, the file belongs to something else.
    let Some(task) = TaskFolder::of(db, file) else { return Vec::new() };
    let data = hiera::data::read(DataFormat::Json, &text);
    let mut found = Vec::new();
    task.name(&mut found);
    // Puppet treats an empty file like an empty object.
    if text.trim().is_empty() {
        return found;
    }
    syntax(&data, &mut found);
    let is_whole = found.iter().all(|it| it.code != Code::TaskMetadata || it.severity() != Severity::Error);
    let Some(root) = &data.root else { return found };
    if !matches!(root.content, Content::Mapping(_)) {
        if is_whole {
            found.push(error(root.range, "expected a JSON object"));
        }
        return found;
    }
    keys(root, KEYS, &mut found);
    if let Some(parameters) = root.entry("parameters") {
        parameters.value.entries().iter().for_each(|it| parameter(db, file, it, &mut found));
    }
    if let Some(implementations) = root.entry("implementations") {
        implementations.value.elements().iter().for_each(|it| keys(it, IMPLEMENTATION_KEYS, &mut found));
    }
    found.extend(invalid_escapes(&text).into_iter().map(|it| warning(it, INVALID_ESCAPE)));
    if is_whole {
        task.executables(root, &mut found);
        task.extra_files(root, &mut found);
    }
    found.sort_by_key(|it| (it.range.start, it.range.end));
    found
}

fn error(range: TextRange, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::TaskMetadata, range, message)
}

/// Returns a finding about something that Bolt ignores.
fn warning(range: TextRange, message: impl Into<String>) -> Diagnostic {
    error(range, message).downgraded(DowngradeReason::Tolerated, Severity::Warning)
}

fn syntax(data: &HieraData, found: &mut Vec<Diagnostic>) {
    // Further errors may be results of the first one.
    if let Some(finding) = data.findings.iter().find(|it| it.kind.is_fatal()) {
        found.push(error(finding.range, &*finding.message));
    }
    let duplicates = data.findings.iter().filter(|it| it.kind == DataFindingKind::DuplicateKey);
    found.extend(duplicates.map(|it| warning(it.range, &*it.message)));
}

/// Reports unknown keys, and values of the wrong kind.
fn keys(node: &DataNode, known: &[(&str, Shape)], found: &mut Vec<Diagnostic>) {
    for DataEntry { key, value } in node.entries() {
        let Some(name) = key.value.as_str() else { continue };
        match known.iter().find(|(known, _)| *known == name) {
            Some((_, shape)) => found.extend(shape_finding(name, value, *shape)),
            None => found.push(unknown_key(name, key.range, known)),
        }
    }
}

fn unknown_key(name: &str, range: TextRange, known: &[(&str, Shape)]) -> Diagnostic {
    let problem = format!("unknown key `{name}`");
    match known.iter().find(|(known, _)| is_similar(name, known)) {
        Some((known, _)) => {
            let fix = FixData::ReplaceWith { range, text: format!("\"{known}\"").into() };
            warning(range, codes::with_help(problem, format!("did you mean `{known}`?"))).with_data(fix)
        }
        None => warning(range, problem),
    }
}

fn shape_finding(name: &str, value: &DataNode, shape: Shape) -> Option<Diagnostic> {
    let elements_are = |is: fn(&DataNode) -> bool| {
        matches!(value.content, Content::Sequence(_)) && value.elements().iter().all(is)
    };
    let (is_right, expected) = match shape {
        Shape::Any => return None,
        Shape::Text => (matches!(value.value, Value::String(_)), "a string"),
        Shape::Boolean => (matches!(value.value, Value::Boolean(_)), "`true` or `false`"),
        Shape::Integer => (matches!(value.value, Value::Integer(_)), "an integer"),
        Shape::Object => (matches!(value.content, Content::Mapping(_)), "an object"),
        Shape::Texts => (elements_are(|it| matches!(it.value, Value::String(_))), "an array of strings"),
        Shape::Objects => {
            (elements_are(|it| matches!(it.content, Content::Mapping(_))), "an array of objects")
        }
        Shape::InputMethod => (
            value.value.as_str().is_some_and(|it| INPUT_METHODS.contains(&it)),
            "`both`, `environment`, `powershell` or `stdin`",
        ),
    };
    if is_right {
        return None;
    }
    let message = format!("`{name}` must be {expected}");
    // Puppet refuses the task.
    let is_fatal = matches!(name, "files" | "implementations" | "requirements" | "parameters");
    Some(if is_fatal { error(value.range, message) } else { warning(value.range, message) })
}

fn parameter(db: &dyn Db, file: File, entry: &DataEntry, found: &mut Vec<Diagnostic>) {
    let Some(name) = entry.key.value.as_str() else { return };
    if !is_name(name) {
        let message = format!("invalid parameter name `{name}`; {NAME_RULE}");
        found.push(warning(entry.key.range, message));
    }
    if !matches!(entry.value.content, Content::Mapping(_)) {
        found.push(error(entry.value.range, "each parameter must be an object"));
        return;
    }
    keys(&entry.value, PARAMETER_KEYS, found);
    let Some(ty) = entry.value.entry("type") else { return };
    let Some(text) = ty.value.value.as_str() else { return };
    let checked = compile::with_world_of_file(db, file, |world| {
        let Some(known) = compile::known_type(text, world)? else { return Err("unknown type".to_owned()) };
        let Some(default) = entry.value.entry("default") else { return Ok(None) };
        let fits = types::assign::fits(&known, &default.value.value, world);
        let expected = types::mismatch::expected_text(&known, world);
        Ok((fits == types::assign::Fit::Never).then_some((default.value.range, expected)))
    });
    match checked {
        None | Some(Ok(None)) => {}
        // A module that is not installed may define a type with a namespace.
        Some(Err(_)) if text.contains("::") || has_type_of_bolt(text) => {}
        Some(Err(problem)) => found.push(error(ty.value.range, format!("invalid type `{text}`: {problem}"))),
        Some(Ok(Some((range, expected)))) => {
            found.push(warning(range, format!("the default of parameter `{name}` must be `{expected}`")));
        }
    }
}

/// Returns true for a valid name of a task or a parameter.
fn is_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
}

/// Reports files in the `tasks` folder of a module that Puppet ignores because of their names; `range` is in
/// the metadata of the module.
pub(crate) fn misnamed_tasks(db: &dyn Db, module: ModuleTree, range: TextRange, found: &mut Vec<Diagnostic>) {
    let files = module.files(db);
    let tasks = files.iter().filter_map(|(path, file)| Some((path.strip_prefix("tasks/")?, file)));
    for (name, file) in tasks.filter(|(it, _)| !it.contains('/') && !it.starts_with('.')) {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        // A task with metadata is reported in their file.
        let has_metadata = files.contains_key(format!("tasks/{stem}.json").as_str());
        if is_name(stem) || has_metadata || matches!(extension, "json" | "conf" | "md") {
            continue;
        }
        let diagnostic = warning(range, format!("`tasks/{name}` is not a task: {NAME_RULE}"));
        let path = file.path(db).clone();
        found.push(diagnostic.with_related_in(path, TextRange::empty(0), "rename this file"));
    }
}

/// TaskFolder with its folder.
struct TaskFolder<'a> {
    db: &'a dyn Db,
    file: File,
    module: ModuleTree,
    /// Name of the file without its extension.
    name: &'a str,
}

impl<'a> TaskFolder<'a> {
    fn of(db: &'a dyn Db, file: File) -> Option<TaskFolder<'a>> {
        let FileRole::Module { module, relative } = file.role(db) else { return None };
        let name = relative.strip_prefix("tasks/")?.strip_suffix(".json")?;
        Some(TaskFolder { db, file, module: *module, name })
    }

    /// Reports an invalid name of a task, which Puppet does not list.
    fn name(&self, found: &mut Vec<Diagnostic>) {
        if !is_name(self.name) {
            let message = format!("invalid task name `{}`; {NAME_RULE}", self.name);
            found.push(error(TextRange::empty(0), message));
        }
    }

    /// Returns the names of the files in the folder that can be executed.
    fn files(&self) -> Vec<&'a str> {
        let files = self.module.files(self.db).keys().filter_map(|it| it.strip_prefix("tasks/"));
        let is_executable = |name: &&str| {
            let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
            !name.contains('/') && is_name(stem) && !matches!(extension, "json" | "conf" | "md")
        };
        files.filter(is_executable).collect()
    }

    /// Checks that what the task executes exists, and is unambiguous.
    fn executables(&self, root: &DataNode, found: &mut Vec<Diagnostic>) {
        let files = self.files();
        if let Some(implementations) = root.entry("implementations") {
            if matches!(&implementations.value.content, Content::Sequence(all) if all.is_empty()) {
                found.push(error(implementations.value.range, "`implementations` must not be empty"));
            }
            let elements = implementations.value.elements().iter();
            for implementation in elements.filter(|it| matches!(it.content, Content::Mapping(_))) {
                let Some(name) = implementation.entry("name") else {
                    let start = TextRange::new(implementation.range.start, implementation.range.start + 1);
                    found.push(error(start, "missing key `name`"));
                    continue;
                };
                let Some(text) = name.value.value.as_str() else { continue };
                if !files.contains(&text) {
                    let message = format!("implementation `{text}` does not exist in the folder of the task");
                    found.push(error(name.value.range, message));
                }
            }
            return;
        }
        let own = files.iter().filter(|it| it.rsplit_once('.').map_or(**it, |(stem, _)| stem) == self.name);
        let own: Vec<&str> = own.copied().collect();
        let start = TextRange::new(root.range.start, root.range.start + 1);
        match own.as_slice() {
            [] => found.push(error(start, format!("task `{}` has no file to execute", self.name))),
            [_] => {}
            [first, second, ..] => {
                let message = codes::with_help(
                    format!("task `{}` has several files to execute: `{first}` and `{second}`", self.name),
                    "list them in `implementations`",
                );
                found.push(error(start, message));
            }
        }
    }

    /// Checks the further files that the task and its implementations need.
    fn extra_files(&self, root: &DataNode, found: &mut Vec<Diagnostic>) {
        let implementations = root.entry("implementations").map_or(&[][..], |it| it.value.elements());
        let owners = std::iter::once(root).chain(implementations);
        for path in owners.filter_map(|it| it.entry("files")).flat_map(|it| it.value.elements()) {
            let Some(text) = path.value.as_str() else { continue };
            found.extend(self.problem_of_file(text).map(|it| error(path.range, it)));
        }
    }

    /// Returns the problem of a path `module/folder/...`.
    fn problem_of_file(&self, path: &str) -> Option<String> {
        let mut parts = path.splitn(3, '/');
        let (module, mount) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if module.is_empty() || !MOUNTS.contains(&mount) {
            return Some(format!("`{path}` is not in `files`, `lib`, `scripts`, or `tasks` of a module"));
        }
        let rest = parts.next().unwrap_or_default();
        if rest.split('/').any(|it| matches!(it, "." | "..")) {
            return Some(format!("`{path}` is a relative path"));
        }
        // Not all files of other folders are known.
        if !matches!(mount, "files" | "tasks") {
            return None;
        }
        let owner = project::module_named(self.db, self.file, module)?;
        let relative = format!("{mount}/{}", rest.trim_end_matches('/'));
        if project::closed_folder(self.db, owner, &format!("{relative}/")).is_some() {
            return None;
        }
        let files = owner.files(self.db);
        let is_file = files.contains_key(relative.as_str());
        let folder = format!("{}/", relative.trim_end_matches('/'));
        let is_folder = files.keys().any(|it| it.starts_with(&folder));
        match (is_file, is_folder, path.ends_with('/')) {
            (true, _, true) => Some(format!("`{path}` is a file, so it must not end with `/`")),
            (false, true, false) => Some(format!("`{path}` is a folder, so it must end with `/`")),
            (false, false, _) => Some(format!("`{path}` does not exist")),
            _ => None,
        }
    }
}
