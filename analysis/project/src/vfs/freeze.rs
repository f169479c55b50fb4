//! Frozen workspaces, which are read once: everything is collected first, written at once, and immutable from
//! then on, except for the definitions that are left out of compilation. Salsa then skips recording
//! dependencies, which are half of the memory of results.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Durability;
use salsa::Setter;

use super::{ChangeBatch, Vfs};
use crate::{Contents, Environment, File, ModuleTree, ProjectDatabase};

impl Vfs {
    /// Merges a batch without writing to the database. The layout is up to date afterwards, but files have no
    /// handles.
    pub fn collect(&mut self, batch: ChangeBatch) {
        let _span = tracing::info_span!("collect_changes").entered();
        let merged = self.merge(batch);
        if merged.layout_changed || !merged.changed.is_empty() {
            self.layout = self.detect_layout();
        }
    }

    /// Writes all collected changes to an empty database. No batch may follow.
    pub fn freeze(&mut self, db: &mut ProjectDatabase) {
        let _span = tracing::info_span!("freeze").entered();
        if self.layout.environments.is_empty() {
            self.layout = self.detect_layout();
        }
        self.freeze_modules(db);
        self.freeze_environments(db);
        self.freeze_files(db);
        self.fill_modules(db);
        self.fill_environments(db);
        // The files store these now.
        self.layout.roles = FxHashMap::default();
        self.layout.modules = BTreeMap::new();
    }

    fn freeze_modules(&mut self, db: &ProjectDatabase) {
        for (root, module) in &self.layout.modules {
            let files = Arc::default();
            let tree = ModuleTree::builder(root.clone(), module.name.clone(), module.name_is_certain, files)
                .durability(Durability::NEVER_CHANGE)
                .files_durability(Durability::HIGH)
                .new(db);
            self.modules.insert(root.clone(), tree);
        }
    }

    fn freeze_environments(&mut self, db: &ProjectDatabase) {
        for (root, layout) in &self.layout.environments {
            let environment = Environment::builder(
                root.clone(),
                Arc::new(self.modules_of(db, layout)),
                Arc::new([]),
                self.settings.puppet_version,
                self.settings.strict(),
                self.settings.tasks,
                self.settings.lint_levels.clone(),
                self.settings.rule_options.clone(),
                Arc::new([]),
                self.lacks_modules(layout),
                layout.shadowed.iter().filter_map(|root| self.modules.get(root).copied()).collect(),
            )
            .prepares_upgrade(self.settings.prepares_upgrade)
            .durability(Durability::NEVER_CHANGE)
            .main_manifests_durability(Durability::HIGH)
            .fact_files_durability(Durability::HIGH)
            .excluded_definitions_durability(Durability::HIGH)
            .new(db);
            self.environments.insert(root.clone(), environment);
        }
    }

    fn freeze_files(&mut self, db: &ProjectDatabase) {
        let limit = self.settings.large_file_limit;
        let mut files = Vec::new();
        let mut lists = FxHashSet::default();
        for (path, entry) in &self.entries {
            let contents = self.contents(path, entry);
            if contents == Contents::Missing {
                continue;
            }
            let (role, environments) = (self.role_of(path), self.environments_of(path, &mut lists));
            let is_large = contents.length() > limit;
            let file = File::builder(path.clone(), contents, false, is_large, role, environments)
                .durability(Durability::NEVER_CHANGE)
                .new(db);
            files.push((path.clone(), file));
        }
        for (path, file) in &files {
            if let Some(entry) = self.entries.get_mut(path) {
                entry.file = Some(*file);
            }
        }
        self.table.by_path = Arc::new(files.into_iter().collect());
    }

    fn fill_modules(&self, db: &mut ProjectDatabase) {
        for (root, module) in &self.layout.modules {
            let Some(tree) = self.modules.get(root) else { continue };
            let files = module.files.iter();
            let files = files.filter_map(|(relative, path)| Some((relative.clone(), self.table.file(path)?)));
            tree.set_files(db).with_durability(Durability::NEVER_CHANGE).to(Arc::new(files.collect()));
        }
    }

    fn fill_environments(&self, db: &mut ProjectDatabase) {
        let fact_files: Arc<[File]> =
            self.fact_file_paths().filter_map(|path| self.table.file(&path)).collect();
        for (root, layout) in &self.layout.environments {
            let Some(environment) = self.environments.get(root) else { continue };
            let manifests = layout.main_manifests.iter().filter_map(|path| self.table.file(path)).collect();
            environment.set_main_manifests(db).with_durability(Durability::NEVER_CHANGE).to(manifests);
            environment.set_fact_files(db).with_durability(Durability::NEVER_CHANGE).to(fact_files.clone());
        }
    }
}
