//! Workspaces built from fixtures, with a log of the queries that salsa executed. For tests of this crate and
//! of dependents.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use fixture::{Fixture, FixtureFile};
use salsa::Database;
use salsa::plumbing::FromId;

use crate::vfs::{ChangeBatch, DiskState, FilePath, InstalledFolder, Vfs};
use crate::{Environment, File, LintLevel, ProjectDatabase, Settings};
use validation::PuppetVersion;

/// Database filled from a fixture.
pub struct TestWorkspace {
    pub db: ProjectDatabase,
    pub vfs: Vfs,
    executed: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>>,
}

impl TestWorkspace {
    /// Creates the workspace that a fixture describes.
    pub fn new(fixture: &str) -> TestWorkspace {
        let mut workspace = TestWorkspace::empty();
        workspace.apply(fixture_batch(&Fixture::parse(fixture), true));
        workspace
    }

    /// Creates a frozen workspace that cannot be edited.
    pub fn frozen(fixture: &str) -> TestWorkspace {
        let mut workspace = TestWorkspace::empty();
        workspace.vfs.collect(fixture_batch(&Fixture::parse(fixture), true));
        workspace.vfs.freeze(&mut workspace.db);
        workspace
    }

    pub fn empty() -> TestWorkspace {
        let executed: Arc<Mutex<Vec<_>>> = Arc::default();
        let log = executed.clone();
        let db = ProjectDatabase::with_event_callback(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                log.lock().unwrap_or_else(PoisonError::into_inner).push(database_key);
            }
        });
        TestWorkspace { db, vfs: Vfs::default(), executed }
    }

    pub fn apply(&mut self, batch: ChangeBatch) {
        self.vfs.apply(&mut self.db, batch);
    }

    /// Changes the files that the fixture names, and the environment if it has a header; everything else
    /// stays.
    pub fn edit(&mut self, fixture: &str) {
        let has_header = fixture.lines().any(|line| line.starts_with("//- environment:"));
        self.apply(fixture_batch(&Fixture::parse(fixture), has_header));
    }

    /// Returns the file at a path of the fixture.
    ///
    /// # Panics
    ///
    /// Panics if the file does not exist.
    pub fn file(&self, path: &str) -> File {
        let file = FilePath::from_native(path).and_then(|path| self.vfs.table().file(&path));
        file.unwrap_or_else(|| panic!("no file {path}"))
    }

    /// Returns the environment of a folder; for `None`, that of files that are in no other environment.
    ///
    /// # Panics
    ///
    /// Panics if the environment does not exist.
    pub fn environment(&self, root: Option<&str>) -> Environment {
        let path = root.and_then(FilePath::from_native);
        self.vfs.environment(path.as_ref()).unwrap_or_else(|| panic!("no environment {root:?}"))
    }

    /// Returns all files, by path.
    pub fn files(&self) -> Vec<File> {
        self.vfs.table().files().collect()
    }

    /// Returns how often each query was executed since the last call.
    pub fn take_executed(&self) -> BTreeMap<String, usize> {
        let keys = std::mem::take(&mut *self.executed.lock().unwrap_or_else(PoisonError::into_inner));
        let mut counts = BTreeMap::new();
        for key in keys {
            *counts.entry(self.db.ingredient_debug_name(key.ingredient_index()).into_owned()).or_insert(0) +=
                1;
        }
        counts
    }
}

impl TestWorkspace {
    /// Returns the paths of the files for which a query keyed by a file was executed since the last `take_*`
    /// call.
    pub fn take_executed_files(&self, query: &str) -> Vec<String> {
        let keys = std::mem::take(&mut *self.executed.lock().unwrap_or_else(PoisonError::into_inner));
        let of_query =
            keys.iter().filter(|key| self.db.ingredient_debug_name(key.ingredient_index()) == query);
        let files = of_query.map(|key| File::from_id(key.key_index()).path(&self.db).to_string());
        let mut files: Vec<String> = files.collect();
        files.sort_unstable();
        files
    }
}

/// Runs `ask` on a workspace before and after an edit. Returns the queries that the second run executed, one
/// per line with their count.
pub fn check_incremental(before: &str, edit: &str, ask: impl Fn(&TestWorkspace)) -> String {
    let mut workspace = TestWorkspace::new(before);
    ask(&workspace);
    workspace.take_executed();
    workspace.edit(edit);
    ask(&workspace);
    let executed = workspace.take_executed();
    executed.iter().map(|(query, count)| format!("{query} {count}\n")).collect()
}

/// Converts a fixture to a change; the environment is only included if `with_environment` is set.
pub fn fixture_batch(fixture: &Fixture, with_environment: bool) -> ChangeBatch {
    let mut batch = ChangeBatch::default();
    if with_environment {
        batch.settings = Some(fixture_settings(fixture));
        batch.roots = Some(fixture.environment.roots.clone());
    }
    let installed = fixture.environment.installed_puppet.as_deref().and_then(FilePath::from_native);
    let mut installed_files = Vec::new();
    for file in &fixture.files {
        let Some(path) = FilePath::from_native(&file.path).or_else(|| FilePath::from_uri(&file.path)) else {
            panic!("not an absolute path: {}", file.path);
        };
        let FixtureFile { text, is_open, is_deleted, .. } = file;
        let text: Arc<str> = text.as_str().into();
        let below = installed.as_ref().and_then(|root| path.strip_prefix(root).map(|it| format!("lib/{it}")));
        if let Some(below) = below {
            installed_files.push((below.into(), path, text));
            continue;
        }
        batch.disk.push((
            path.clone(),
            if *is_deleted { DiskState::Missing } else { DiskState::Text(text.clone()) },
        ));
        batch.buffers.push((path, is_open.then_some(text)));
    }
    batch.installed = installed.map(|root| vec![InstalledFolder { root, files: installed_files }]);
    batch
}

fn lint_levels(levels: &[(String, String)]) -> BTreeMap<String, LintLevel> {
    let level = |name: &str| LintLevel::from_name(name).unwrap_or_else(|| panic!("unknown level {name:?}"));
    levels.iter().map(|(rule, name)| (rule.clone(), level(name))).collect()
}

fn fixture_settings(fixture: &Fixture) -> Settings {
    let header = &fixture.environment;
    let defaults = Settings::default();
    Settings {
        puppet_version: header.version.and_then(PuppetVersion::from_major).unwrap_or_default(),
        prepares_upgrade: header.upgrade,
        strict: header.strict,
        tasks: header.tasks,
        module_path: header.module_path.clone(),
        module_path_is_whole: false,
        fact_files: header.fact_files.clone(),
        base_module_path: header.base_module_path.clone(),
        excluded_paths: header.excluded_paths.clone(),
        large_file_limit: header.large_file_limit.unwrap_or(defaults.large_file_limit),
        lint_levels: Arc::new(lint_levels(&header.lint_levels)),
        rule_options: Arc::default(),
    }
}
