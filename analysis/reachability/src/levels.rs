//! Levels of hierarchies that no file matches, and data files that no level reads.

use hiera::DataFormat;
use hiera::config::{HieraConfig, HierarchyLevel, Locations};
use hir::Name;
use project::{Db, Environment, File, ModuleTree};
use syntax::TextRange;

use crate::items::{Item, ItemKind, ItemLocation};

/// Returns the levels and data files of an environment and its own modules that are not used.
pub(crate) fn unused(db: &dyn Db, environment: Environment, own: &[&Name]) -> Vec<Item> {
    let mut found = Vec::new();
    let trees = environment.modules(db).iter().filter(|(name, _)| own.contains(name));
    for (name, tree) in trees {
        let file = tree.files(db).get("hiera.yaml").copied();
        let Some((file, config)) = file.and_then(|it| Some((it, project::hiera_configuration(db, it)?)))
        else {
            continue;
        };
        if config.error().is_some() || config.version < 5 {
            continue;
        }
        found.extend(levels(db, *tree, file, &config, name));
        found.extend(unread_files(db, *tree, &config, name));
    }
    found
}

fn levels(db: &dyn Db, tree: ModuleTree, file: File, config: &HieraConfig, module: &Name) -> Vec<Item> {
    let is_unused = |level: &&HierarchyLevel| {
        let (Some(folder), Some(written)) = (data_folder(level), written(level)) else { return false };
        let has_data = tree.files(db).keys().any(|it| it.starts_with(&folder));
        has_data
            && !written.is_empty()
            && written.iter().all(|path| {
                let is_inside = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
                is_inside && !matches_any(db, tree, &project::path_pattern(level, path))
            })
    };
    let item = |level: &HierarchyLevel| Item {
        kind: ItemKind::Level,
        name: level.name.text.clone(),
        locations: vec![ItemLocation { file, range: level.name.range, full: level.range }],
        module: module.clone(),
        is_own: true,
    };
    config.levels().filter(is_unused).map(item).collect()
}

fn matches_any(db: &dyn Db, tree: ModuleTree, pattern: &str) -> bool {
    !hiera::glob::matching(pattern, tree.files(db).keys().map(|it| it.as_str())).is_empty()
}

/// Returns the paths of a level that reads files; `None` for any other level.
fn written(level: &HierarchyLevel) -> Option<Vec<&str>> {
    let reads_files = level.backend.file_format().is_some();
    match &level.locations {
        Locations::Paths(paths) | Locations::Globs(paths) if reads_files => {
            Some(paths.iter().map(|it| it.text.as_str()).collect())
        }
        Locations::Mapped([_, _, path]) if reads_files => Some(vec![path.text.as_str()]),
        _ => None,
    }
}

/// Returns the data folder of a level with a final `/`, if it is a folder below that of the configuration.
fn data_folder(level: &HierarchyLevel) -> Option<String> {
    let folder = level.datadir.trim_matches('/');
    let is_inside = !level.datadir.starts_with('/') && !folder.split('/').any(|part| part == "..");
    (is_inside && !folder.is_empty() && !folder.contains("%{")).then(|| format!("{folder}/"))
}

/// Returns the files in the data folders that no level reads.
fn unread_files(db: &dyn Db, tree: ModuleTree, config: &HieraConfig, module: &Name) -> Vec<Item> {
    // A function that is not built in may read any file.
    let folders: Option<Vec<String>> =
        config.levels().map(|level| written(level).and_then(|_| data_folder(level))).collect();
    let Some(folders) = folders else { return Vec::new() };
    let patterns: Vec<String> = config
        .levels()
        .flat_map(|level| {
            written(level).unwrap_or_default().into_iter().map(|it| project::path_pattern(level, it))
        })
        .collect();
    let is_unread = |path: &str| {
        let is_below = folders.iter().any(|folder| path.starts_with(folder.as_str()));
        let extension = path.rsplit('.').next().unwrap_or_default();
        let is_data = DataFormat::of_path(path).is_some() && extension != "conf";
        let name = path.rsplit('/').next().unwrap_or_default();
        is_below
            && is_data
            && !name.starts_with('.')
            && !patterns.iter().any(|it| !hiera::glob::matching(it, std::iter::once(path)).is_empty())
    };
    let files = tree.files(db).iter().filter(|(path, _)| is_unread(path));
    let item = |(path, file): (&smol_str::SmolStr, &File)| Item {
        kind: ItemKind::DataFile,
        name: path.clone(),
        locations: vec![ItemLocation { file: *file, range: TextRange::empty(0), full: TextRange::empty(0) }],
        module: module.clone(),
        is_own: true,
    };
    files.map(item).collect()
}
