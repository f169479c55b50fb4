//! Paths in `hiera.yaml` to data that is moved.

use hiera::data::DataNode;
use project::vfs::FilePath;
use project::{Db, File, FileKind, FileRole};
use syntax::TextRange;

use super::edits::Edits;

/// `datadir` of levels without one.
const DEFAULT_DATADIR: &str = "data";
/// Keys of a level with paths of data files, relative to its `datadir`.
const PATH_KEYS: [&str; 4] = ["path", "paths", "glob", "globs"];

/// Adds the edits of the `hiera.yaml` that reads a moved folder or file. Returns false if a level may read it by a path
/// that cannot be changed.
pub(super) fn edit(
    db: &dyn Db,
    moved: &[(File, FilePath)],
    from: &FilePath,
    to: &FilePath,
    edits: &mut Edits,
) -> bool {
    let is_data = |file: File| project::file_kind(db, file) == FileKind::Data;
    let inside = moved.iter().map(|(file, _)| *file);
    let data: Vec<File> = inside.filter(|it| it.path(db).starts_with(from) && is_data(*it)).collect();
    let Some(FileRole::Module { module, .. }) = data.first().map(|it| it.role(db)) else { return true };
    let Some(configuration) = module.files(db).get("hiera.yaml").copied() else { return true };
    let root = module.root(db);
    let Some(old) = from.strip_prefix(root).filter(|it| !it.is_empty()) else { return true };
    let files: Vec<&str> = data.iter().filter_map(|it| it.path(db).strip_prefix(root)).collect();
    let parsed = project::hiera_data(db, configuration);
    let Some(top) = parsed.root.as_ref() else { return true };
    let text = project::text(db, configuration).unwrap_or_default();
    let change = MovedData { text: &text, old, new: to.strip_prefix(root), files };
    let defaults = top.entry("defaults").and_then(|it| it.value.entry("datadir")).map(|it| &it.value);
    let mut changed = Vec::new();
    for key in ["hierarchy", "default_hierarchy", "plan_hierarchy"] {
        let levels = top.entry(key).map(|it| it.value.elements()).unwrap_or_default();
        for level in levels {
            let datadir = level.entry("datadir").map(|it| &it.value).or(defaults);
            match change.of_level(level, datadir) {
                Some(of_level) => changed.extend(of_level),
                None => return false,
            }
        }
    }
    for (range, text) in changed {
        edits.add(db, configuration, range, text);
    }
    true
}

/// Paths relative to the folder of a `hiera.yaml`.
struct MovedData<'t> {
    /// Text of the `hiera.yaml`.
    text: &'t str,
    old: &'t str,
    /// New path; `None` elsewhere.
    new: Option<&'t str>,
    /// Data files that are moved.
    files: Vec<&'t str>,
}

impl MovedData<'_> {
    /// Returns the edits of a level; `None` if it may read the data by a path that cannot be changed.
    fn of_level(&self, level: &DataNode, datadir: Option<&DataNode>) -> Option<Vec<(TextRange, String)>> {
        let written = datadir.map_or(Some(DEFAULT_DATADIR), |it| it.value.as_str())?;
        let folder = written.trim_end_matches('/').trim_start_matches("./");
        if is_pattern(folder) {
            return None;
        }
        if let Some(rest) = below(folder, self.old) {
            // All data of the level is moved.
            let new = self.new?;
            return Some(vec![self.replaced(datadir?, &format!("{new}{rest}"))?]);
        }
        let Some(old) = below(self.old, folder).and_then(|it| it.strip_prefix('/')) else {
            return Some(Vec::new());
        };
        let new = self.new.and_then(|it| below(it, folder)).and_then(|it| it.strip_prefix('/'));
        let files: Vec<&str> =
            self.files.iter().filter_map(|it| below(it, folder)?.strip_prefix('/')).collect();
        let mut edits = Vec::new();
        for node in paths(level) {
            let path = node.value.as_str()?;
            match below(path, old) {
                Some(rest) => edits.push(self.replaced(node, &format!("{}{rest}", new?))?),
                None if files.iter().any(|file| may_match(path, file)) => return None,
                None => {}
            }
        }
        Some(edits)
    }

    /// Returns the edit that changes a scalar; `None` if it has escapes.
    fn replaced(&self, node: &DataNode, new: &str) -> Option<(TextRange, String)> {
        let old = node.value.as_str()?;
        let at = node.range.start + self.text.get(node.range.as_range())?.find(old)? as u32;
        Some((TextRange::new(at, at + old.len() as u32), new.to_owned()))
    }
}

/// Returns the scalars with paths of a level.
fn paths(level: &DataNode) -> Vec<&DataNode> {
    let mut found = Vec::new();
    for key in PATH_KEYS {
        let Some(value) = level.entry(key).map(|it| &it.value) else { continue };
        if value.elements().is_empty() {
            found.push(value);
        }
        found.extend(value.elements());
    }
    // A variable, a name for its elements, and the path.
    found.extend(level.entry("mapped_paths").and_then(|it| it.value.elements().get(2)));
    found
}

/// Returns the rest of a path at or below a folder: empty, or beginning with `/`.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns true for text with interpolations or wildcards.
fn is_pattern(text: &str) -> bool {
    text.contains("%{") || text.contains(['*', '?', '[', '{'])
}

/// Returns true if a path of a level may mean a file: each of its segments is equal or a pattern.
fn may_match(path: &str, file: &str) -> bool {
    let (path, file): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), file.split('/').collect());
    path.contains(&"**")
        || path.len() == file.len() && path.iter().zip(&file).all(|(a, b)| a == b || is_pattern(a))
}
