//! Levels of a hierarchy: reports paths that no file matches.

use codes::{Code, DowngradeReason};
use hiera::config::{Backend, HieraConfig, HierarchyLevel, Locations, Written};
use hiera::data::{DataEntry, DataNode, HieraData};
use project::{Absence, Db, File, FileRole, ModuleTree, NameKind};
use smol_str::SmolStr;
use syntax::{Severity, TextRange};

use crate::metadata_rules::similar::is_similar;
use crate::{Diagnostic, FixData};

/// Extensions of the data files that are known in a workspace.
const EXTENSIONS: [&str; 4] = ["yaml", "yml", "eyaml", "json"];

pub(super) fn check(db: &dyn Db, file: File, config: &HieraConfig, text: &str, found: &mut Vec<Diagnostic>) {
    let FileRole::Module { module, relative } = file.role(db) else { return };
    if relative != "hiera.yaml" {
        return;
    }
    let folder = LevelFolder { db, tree: *module, config };
    for level in config.levels() {
        let (Locations::Paths(written) | Locations::Globs(written)) = &level.locations else { continue };
        // The files of other levels are not known, or not in the workspace.
        let is_in_workspace = !level.datadir.starts_with(['/', '~']) && !level.datadir.contains("..");
        if matches!(level.backend, Backend::Hiera3(_)) || !is_in_workspace || !folder.has_data(level) {
            continue;
        }
        found.extend(written.iter().filter_map(|path| folder.problem(level, path, text)));
    }
}

/// Keys of a configuration whose value is the name of a function.
const FUNCTIONS: [&str; 3] = ["data_dig", "data_hash", "lookup_key"];

/// Reports a function of an installed module that does not exist, for which every lookup fails.
pub(super) fn check_functions(db: &dyn Db, file: File, data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(root) = &data.root else { return };
    root.walk(&mut |node: &DataNode| {
        for DataEntry { key, value } in node.entries() {
            let is_function = key.value.as_str().is_some_and(|it| FUNCTIONS.contains(&it));
            let Some(name) = value.value.as_str().filter(|it| is_function && it.contains("::")) else {
                continue;
            };
            let is_missing = project::resolve_function(db, file, name).is_none()
                && project::absence(db, file, NameKind::Function, name) == Absence::NameMissing;
            if is_missing {
                let message = format!("unknown function `{name}`");
                found.push(Diagnostic::new(Code::HieraConfiguration, value.range, message));
            }
        }
    });
}

/// Folder of the configuration.
struct LevelFolder<'a> {
    db: &'a dyn Db,
    tree: ModuleTree,
    config: &'a HieraConfig,
}

impl LevelFolder<'_> {
    fn paths(&self) -> impl Iterator<Item = &SmolStr> + Clone {
        self.tree.files(self.db).keys()
    }

    fn matches(&self, pattern: &str) -> bool {
        !hiera::glob::matching(pattern, self.paths().map(SmolStr::as_str)).is_empty()
    }

    /// Returns true if a level has the path, so that another one is not meant as it.
    fn has_path(&self, path: &str) -> bool {
        self.config.levels().any(|it| it.locations.written().iter().any(|written| written.text == path))
    }

    /// Returns true if the folder of a level has data. It may be the one of another repository.
    fn has_data(&self, level: &HierarchyLevel) -> bool {
        let pattern = project::path_pattern(level, "");
        let datadir = pattern.trim_end_matches('/');
        if datadir.is_empty() || datadir.contains('*') {
            return false;
        }
        let is_data = |path: &str| path.rsplit_once('.').is_some_and(|(_, it)| EXTENSIONS.contains(&it));
        self.paths().any(|path| {
            let rest = path.strip_prefix(datadir).and_then(|it| it.strip_prefix('/'));
            rest.is_some_and(is_data)
        })
    }

    /// Returns the finding for a path that no file matches.
    fn problem(&self, level: &HierarchyLevel, path: &Written, text: &str) -> Option<Diagnostic> {
        let written = path.text.as_str();
        let pattern = project::path_pattern(level, written);
        let extension = written.rsplit('/').next()?.rsplit_once('.').map(|(_, extension)| extension);
        let is_known = extension.is_none_or(|it| EXTENSIONS.contains(&it) || it.contains(['}', '*']));
        let is_unreadable = project::closed_folder(self.db, self.tree, &pattern).is_some();
        if !is_known || is_unreadable || written.is_empty() || self.matches(&pattern) {
            return None;
        }
        let similar = self.similar(level, written);
        let problem = format!("no file matches `{written}`");
        let Some(similar) = similar else {
            // The file may be ignored by Git, or nodes with their own data may follow.
            let diagnostic = Diagnostic::new(Code::HieraPath, path.range, problem);
            return Some(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Hint));
        };
        let message = codes::with_help(problem, format!("did you mean `{similar}`?"));
        let fix = FixData::ReplaceWith { range: without_quotes(path.range, text), text: similar.into() };
        Some(Diagnostic::new(Code::HieraPath, path.range, message).with_data(fix))
    }

    /// Returns the path with another extension, capitalization, or folder that files match.
    fn similar(&self, level: &HierarchyLevel, written: &str) -> Option<String> {
        let is_match = |it: &String| !self.has_path(it) && self.matches(&project::path_pattern(level, it));
        let stem = EXTENSIONS.iter().find_map(|it| written.strip_suffix(it)?.strip_suffix('.'));
        let mut others = EXTENSIONS.iter().map(|it| format!("{}.{it}", stem.unwrap_or(written)));
        if let Some(other) = others.find(is_match) {
            return Some(other);
        }
        let (folder, rest) = written.split_once('/').unwrap_or(("", written));
        let datadir = project::path_pattern(level, "");
        let entry = |path: &SmolStr| {
            let rest = path.strip_prefix(datadir.trim_end_matches('/'))?.strip_prefix('/')?;
            Some(rest.split('/').next().unwrap_or(rest).to_owned())
        };
        let mut entries: Vec<String> = self.paths().filter_map(entry).collect();
        entries.dedup();
        let other = |name: &String| match folder {
            "" => {
                (!rest.contains("%{") && is_similar(rest, &name.to_ascii_lowercase())).then(|| name.clone())
            }
            folder if folder.contains(['%', '*']) || name == folder => None,
            folder => is_similar(folder, &name.to_ascii_lowercase()).then(|| format!("{name}/{rest}")),
        };
        entries.iter().filter_map(other).find(is_match)
    }
}

fn without_quotes(range: TextRange, text: &str) -> TextRange {
    let is_quoted = text.get(range.as_range()).is_some_and(|it| it.starts_with(['"', '\'']) && it.len() > 1);
    let quote = u32::from(is_quoted);
    TextRange::new(range.start + quote, range.end - quote)
}
