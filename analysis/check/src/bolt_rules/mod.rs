//! Findings in files of Bolt: `bolt-project.yaml`, `inventory.yaml`, and plans in YAML. Bolt refuses a file with
//! an invalid value, and ignores unknown options of the first two.

pub(crate) mod findings;
mod inventory;
mod schema;
pub(crate) mod yaml_plan;

use codes::{Code, DowngradeReason, Severity};
use hiera::DataFormat;
use hiera::data::{Content, DataFindingKind, DataNode, HieraData};
use project::{Contents, Db, File, FileKind, FileRole};
use scalars::semver::VersionRange;
use syntax::TextRange;

use self::findings::{error, first_line};
use crate::Diagnostic;

/// File that Bolt reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoltFile {
    Project,
    Inventory,
    Plan,
}

/// Modules that are part of Bolt; a project cannot have their names.
const MODULES: [&str; 8] = ["boltlib", "ctrl", "dir", "file", "log", "out", "prompt", "system"];

impl BoltFile {
    /// Returns the purpose of a file; `None` if Bolt does not read it.
    pub(crate) fn of(db: &dyn Db, file: File) -> Option<BoltFile> {
        if project::file_kind(db, file) == FileKind::BoltProject {
            return Some(BoltFile::Project);
        }
        let FileRole::Module { module, relative } = file.role(db) else { return None };
        match relative.as_str() {
            "inventory.yaml" if module.files(db).contains_key("bolt-project.yaml") => {
                Some(BoltFile::Inventory)
            }
            path if path.starts_with("plans/") && path.ends_with(".yaml") => Some(BoltFile::Plan),
            _ => None,
        }
    }

    fn code(self) -> Code {
        match self {
            BoltFile::Project | BoltFile::Inventory => Code::BoltConfiguration,
            BoltFile::Plan => Code::YamlPlan,
        }
    }
}

/// Returns the findings in a file that Bolt reads, by position.
pub(crate) fn bolt_diagnostics(db: &dyn Db, file: File, kind: BoltFile) -> Vec<Diagnostic> {
    if let Contents::NotUtf8(mark) = file.contents(db) {
        let problem = match mark {
            Some(mark) => format!("file is {}", mark.description()),
            None => "file is not valid UTF-8".to_owned(),
        };
        let message = codes::with_help(problem, "save the file as UTF-8");
        return vec![Diagnostic::new(Code::NotUtf8, TextRange::empty(0), message)];
    }
    let Some(text) = project::text(db, file).filter(|_| !file.is_large(db)) else { return Vec::new() };
    let data = hiera::data::read(DataFormat::Yaml, &text);
    let mut found = Vec::new();
    syntax(&data, kind.code(), &mut found);
    let is_whole = !found.iter().any(|it| it.severity() == Severity::Error);
    let Some(root) = data.root.as_ref().filter(|_| is_whole) else { return found };
    // An empty file has no options.
    if matches!(root.value, types::Value::Undef) && kind != BoltFile::Plan {
        return found;
    }
    if !matches!(root.content, Content::Mapping(_)) {
        found.push(Diagnostic::new(
            kind.code(),
            first_line(root.range, &text),
            "file does not contain a hash",
        ));
        return found;
    }
    match kind {
        BoltFile::Project => {
            schema::check("bolt-project.yaml", root, &mut found);
            project_name(root, &mut found);
            modules(root, &mut found);
        }
        BoltFile::Inventory => inventory::check(root, &mut found),
        BoltFile::Plan => yaml_plan::check(db, file, &text, root, &mut found),
    }
    found.sort_by_key(|it| (it.range.start, it.range.end, it.code));
    found
}

fn syntax(data: &HieraData, code: Code, found: &mut Vec<Diagnostic>) {
    // Further errors may be results of the first one.
    if let Some(finding) = data.findings.iter().find(|it| it.kind == DataFindingKind::Syntax) {
        found.push(Diagnostic::new(code, finding.range, &*finding.message));
    }
    let duplicates = data.findings.iter().filter(|it| it.kind == DataFindingKind::DuplicateKey);
    found.extend(duplicates.map(|it| {
        Diagnostic::new(code, it.range, &*it.message)
            .downgraded(DowngradeReason::Tolerated, Severity::Warning)
    }));
}

fn is_module_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
}

fn project_name(root: &DataNode, found: &mut Vec<Diagnostic>) {
    let Some(name) = root.entry("name") else { return };
    let Some(text) = name.value.value.as_str() else { return };
    let message = if !is_module_name(text) {
        format!(
            "invalid project name `{text}`; it must begin with a lowercase letter and contain only lowercase letters, \
             digits and `_`"
        )
    } else if MODULES.contains(&text) {
        format!("project name `{text}` is that of a module of Bolt")
    } else {
        return;
    };
    found.push(error(name.value.range, message));
}

/// Checks the modules that Bolt installs.
fn modules(root: &DataNode, found: &mut Vec<Diagnostic>) {
    let modules = root.entry("modules").map_or(&[][..], |it| it.value.elements());
    let mut seen: Vec<(&str, TextRange)> = Vec::new();
    for module in modules.iter().filter(|it| !schema::is_plugin_reference(it)) {
        let is_mapping = matches!(module.content, Content::Mapping(_));
        let name = if is_mapping { module.entry("name").map(|it| &it.value) } else { Some(module) };
        let is_git = module.entry("git").is_some();
        if is_mapping && name.is_none() && !is_git {
            let start = TextRange::new(module.range.start, module.range.start + 1);
            found.push(error(start, "missing `name` or `git` of a module"));
        }
        if is_git && module.entry("ref").is_none() {
            let start = TextRange::new(module.range.start, module.range.start + 1);
            found.push(error(start, "missing `ref` of a module from Git"));
        }
        if let Some(requirement) = module.entry("version_requirement")
            && let Some(text) = requirement.value.value.as_str()
            && let Err(problem) = VersionRange::parse(text)
        {
            found.push(error(requirement.value.range, problem.to_string()));
        }
        let Some((name, text)) = name.and_then(|it| Some((it, it.value.as_str()?))) else { continue };
        let (author, short) = text.split_once(['-', '/']).unwrap_or(("", text));
        let is_author = !author.is_empty() && author.bytes().all(|it| it.is_ascii_alphanumeric());
        if !is_module_name(short) || !(is_author || is_git && author.is_empty()) {
            found.push(error(name.range, format!("invalid module name `{text}`; expected `AUTHOR-MODULE`")));
            continue;
        }
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == short) {
            let finding = error(name.range, format!("duplicate module `{short}`"));
            found.push(finding.with_related(*first, "first declared here"));
        }
        seen.push((short, name.range));
    }
}
