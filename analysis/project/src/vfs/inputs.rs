//! Inputs of the database: writes the files, settings, and layout that differ from those of the last batch.

use std::collections::BTreeMap;
use std::sync::Arc;

use hir::{DefinitionKind, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::{Durability, Setter};

use super::layout::{EnvironmentLayout, ModuleLayout, RoleLayout, WorkspaceLayout};
use super::{
    AUTOLOAD_FOLDERS, DiskState, FilePath, InstalledFolder, ModuleMap, Vfs, determines_layout, layout,
};
use crate::vfs::layout::input::LayoutInput;
use crate::{Contents, Environment, File, FileRole, InstalledPuppet, ModuleTree, ProjectDatabase, Settings};

impl Vfs {
    /// Replaces the installed Puppet. No long-lived result depends on it.
    pub(super) fn write_installed(&mut self, db: &mut ProjectDatabase, folders: &[InstalledFolder]) {
        let environments = Arc::new([self.environment_handle(db, None)]);
        let mut trees = Vec::new();
        for folder in folders {
            let tree = ModuleTree::builder(folder.root.clone(), "puppet".into(), false, Arc::default())
                .durability(Durability::HIGH)
                .files_durability(Durability::LOW)
                .new(db);
            let file = |(relative, path, text): &(Name, FilePath, Arc<str>)| {
                let role = FileRole::Module { module: tree, relative: relative.clone() };
                let contents = Contents::Text(text.clone());
                let file = File::builder(path.clone(), contents, false, false, role, environments.clone());
                (relative.clone(), file.durability(Durability::HIGH).new(db))
            };
            let files: BTreeMap<_, _> = folder.files.iter().map(file).collect();
            tree.set_files(db).with_durability(Durability::LOW).to(Arc::new(files));
            trees.push(tree);
        }
        match InstalledPuppet::try_get(db) {
            Some(installed) => {
                installed.set_trees(db).with_durability(Durability::LOW).to(trees.into());
            }
            None => {
                // A singleton: read by its type.
                let _ = InstalledPuppet::builder(trees.into()).durability(Durability::LOW).new(db);
            }
        }
    }

    /// Updates one file; returns true if it has appeared or vanished.
    pub(super) fn write_contents(&mut self, db: &mut ProjectDatabase, path: &FilePath) -> bool {
        let workspace = self.environment_handle(db, None);
        let Some(contents) = self.entries.get(path).map(|entry| self.contents(path, entry)) else {
            return false;
        };
        let limit = self.settings.large_file_limit;
        let Some(entry) = self.entries.get_mut(path) else { return false };
        let exists = contents != Contents::Missing;
        let is_open = entry.buffer.is_some();
        let is_large = contents.length() > limit;
        // Open files change often, others seldom.
        let durability = if is_open { Durability::LOW } else { Durability::MEDIUM };
        let file = match entry.file {
            Some(file) => {
                if *file.contents(db) != contents {
                    file.set_contents(db).with_durability(durability).to(contents);
                }
                if file.is_open_in_editor(db) != is_open {
                    file.set_is_open_in_editor(db).with_durability(Durability::MEDIUM).to(is_open);
                    file.last_trees(db).set_open(is_open);
                }
                if file.is_large(db) != is_large {
                    file.set_is_large(db).with_durability(Durability::MEDIUM).to(is_large);
                }
                file
            }
            None if !exists => return false,
            None => {
                let environments = Arc::new([workspace]);
                let file =
                    File::builder(path.clone(), contents, is_open, is_large, FileRole::Loose, environments)
                        .durability(Durability::HIGH)
                        .path_durability(Durability::NEVER_CHANGE)
                        .last_trees_durability(Durability::NEVER_CHANGE)
                        .contents_durability(durability)
                        .is_open_in_editor_durability(Durability::MEDIUM)
                        .is_large_durability(Durability::MEDIUM)
                        .new(db);
                file.last_trees(db).set_open(is_open);
                *entry.file.insert(file)
            }
        };
        let existed = self.table.by_path.contains_key(path);
        if exists != existed {
            let table = Arc::make_mut(&mut self.table.by_path);
            if exists {
                table.insert(path.clone(), file)
            } else {
                table.remove(path)
            };
        }
        exists != existed
    }

    /// Detects the layout again and writes the differences.
    pub(super) fn write_layout(&mut self, db: &mut ProjectDatabase) {
        let layout = self.detect_layout();
        let old = std::mem::replace(&mut self.layout, layout);
        self.write_modules(db, &old);
        self.write_environments(db, &old);
        self.write_roles(db);
        // The files store their role now, and the next detection computes it again.
        self.layout.roles = FxHashMap::default();
    }

    /// Detects the roles of folders.
    pub(super) fn detect_layout(&self) -> WorkspaceLayout {
        let _span = tracing::info_span!("detect_layout").entered();
        let mut paths = Vec::new();
        let mut texts = FxHashMap::default();
        let limit = self.settings.large_file_limit;
        for (path, entry) in &self.entries {
            if path.is_opaque() || !entry.exists() || entry.buffer.is_none() && self.is_excluded(path) {
                continue;
            }
            paths.push(path);
            let disk = match &entry.disk {
                DiskState::Text(text) => Some(text),
                _ => None,
            };
            let text =
                entry.buffer.as_ref().or(disk).filter(|it| it.len() <= limit && determines_layout(path));
            texts.extend(text.map(|text| (path.clone(), &**text)));
        }
        let Settings { module_path, module_path_is_whole, base_module_path, .. } = &self.settings;
        let input = LayoutInput {
            paths: &paths,
            texts: &texts,
            roots: &self.roots,
            module_path,
            module_path_is_whole: *module_path_is_whole,
            base_module_path,
        };
        layout::detect(&input)
    }

    fn write_modules(&mut self, db: &mut ProjectDatabase, old: &WorkspaceLayout) {
        let mut roots: Vec<&FilePath> = self.layout.modules.keys().chain(old.modules.keys()).collect();
        roots.sort_unstable();
        roots.dedup();
        let empty = ModuleLayout::default();
        for root in roots {
            let (new, old) = (self.layout.modules.get(root), old.modules.get(root));
            if new == old {
                continue;
            }
            let new = new.unwrap_or(&empty);
            let files: Arc<BTreeMap<_, _>> = Arc::new(self.table.files_of_module(root, new).collect());
            let Some(tree) = self.modules.get(root).copied() else {
                let tree = ModuleTree::builder(root.clone(), new.name.clone(), new.name_is_certain, files)
                    .durability(Durability::HIGH)
                    .root_durability(Durability::NEVER_CHANGE)
                    .files_durability(Durability::MEDIUM)
                    .new(db);
                self.modules.insert(root.clone(), tree);
                continue;
            };
            if *tree.name(db) != new.name && !new.name.is_empty() {
                tree.set_name(db).with_durability(Durability::HIGH).to(new.name.clone());
            }
            if tree.name_is_certain(db) != new.name_is_certain {
                tree.set_name_is_certain(db).with_durability(Durability::HIGH).to(new.name_is_certain);
            }
            if *tree.files(db) != files {
                tree.set_files(db).with_durability(Durability::MEDIUM).to(files);
            }
        }
    }

    fn write_environments(&mut self, db: &mut ProjectDatabase, old: &WorkspaceLayout) {
        let mut roots: Vec<_> =
            self.layout.environments.keys().chain(old.environments.keys()).cloned().collect();
        roots.sort_unstable();
        roots.dedup();
        let empty = EnvironmentLayout::default();
        let fact_files: Arc<[File]> =
            self.fact_file_paths().filter_map(|path| self.table.file(&path)).collect();
        for root in roots {
            let environment = self.environment_handle(db, root.as_ref());
            let new = self.layout.environments.get(&root).unwrap_or(&empty);
            let modules = self.modules_of(db, new);
            if **environment.modules(db) != modules {
                environment.set_modules(db).with_durability(Durability::HIGH).to(Arc::new(modules));
            }
            let shadowed: Arc<[ModuleTree]> =
                new.shadowed.iter().filter_map(|root| self.modules.get(root).copied()).collect();
            if *environment.shadowed(db) != shadowed {
                environment.set_shadowed(db).with_durability(Durability::HIGH).to(shadowed);
            }
            let manifests: Arc<[File]> =
                new.main_manifests.iter().filter_map(|path| self.table.file(path)).collect();
            if *environment.main_manifests(db) != manifests {
                environment.set_main_manifests(db).with_durability(Durability::HIGH).to(manifests);
            }
            let lacks_modules = self.lacks_modules(new);
            if environment.lacks_modules(db) != lacks_modules {
                environment.set_lacks_modules(db).with_durability(Durability::HIGH).to(lacks_modules);
            }
            if *environment.fact_files(db) != fact_files {
                environment.set_fact_files(db).with_durability(Durability::HIGH).to(fact_files.clone());
            }
        }
    }

    /// Returns the modules of an environment. Those of the surrounding environment have been written already:
    /// its folder sorts first.
    pub(super) fn modules_of(&self, db: &ProjectDatabase, environment: &EnvironmentLayout) -> ModuleMap {
        let own = environment.modules.iter();
        let own = own.filter_map(|(name, root)| Some((name.clone(), *self.modules.get(root)?))).collect();
        let around = environment.around.as_ref().and_then(|root| self.environments.get(root));
        ModuleMap::new(own, around.map(|it| it.modules(db).clone()))
    }

    /// Returns true if folders on the module path cannot be read, or folders of its modules whose code others
    /// may use.
    pub(super) fn lacks_modules(&self, environment: &EnvironmentLayout) -> bool {
        let is_closed = |it: &&FilePath| {
            self.entries.get(*it).is_some_and(|entry| matches!(entry.disk, DiskState::Unreadable(_)))
        };
        let roots = || environment.modules.values().chain(&environment.shadowed);
        let holds_code = |below: &str| {
            let first = below.split('/').next().unwrap_or_default();
            first == "lib" || AUTOLOAD_FOLDERS.contains(&first)
        };
        let is_relevant = |it: &FilePath| {
            let is_module = it.parent().is_some_and(|parent| environment.module_path.contains(&parent));
            is_module
                || environment.module_path.contains(it)
                || roots().any(|root| it.strip_prefix(root).is_some_and(holds_code))
        };
        let around = || self.layout.environments.get(environment.around.as_ref()?);
        environment.module_path.iter().any(|it| self.unread_folders.contains(it))
            || self.closed_folders.iter().filter(is_closed).any(is_relevant)
            || around().is_some_and(|around| self.lacks_modules(around))
    }

    fn write_roles(&mut self, db: &mut ProjectDatabase) {
        let mut lists = FxHashSet::default();
        let mut last: Option<(String, Option<ModuleTree>, Arc<[Environment]>)> = None;
        for (path, file) in self.table.by_path.iter() {
            let role = self.role_of(path);
            let module = match &role {
                FileRole::Module { module, .. } => Some(*module),
                _ => None,
            };
            // Files with the same folder and module share their environments.
            let known = last.take().filter(|it| path.folder() == Some(&it.0) && it.1 == module);
            let (folder, _, environments) = known.unwrap_or_else(|| {
                let folder = path.folder().unwrap_or_default().to_owned();
                (folder, module, self.environments_of(path, &mut lists))
            });
            if *file.role(db) != role {
                file.set_role(db).with_durability(Durability::HIGH).to(role);
            }
            if *file.environments(db) != environments {
                file.set_environments(db).with_durability(Durability::HIGH).to(environments.clone());
            }
            last = Some((folder, module, environments));
        }
    }

    /// Returns the role of a file in the layout.
    pub(super) fn role_of(&self, path: &FilePath) -> FileRole {
        match self.layout.roles.get(path) {
            None => FileRole::Loose,
            Some(RoleLayout::MainManifest { .. }) => FileRole::MainManifest,
            Some(RoleLayout::Module { root, relative }) => match self.modules.get(root) {
                Some(module) => FileRole::Module { module: *module, relative: relative.clone() },
                None => FileRole::Loose,
            },
        }
    }

    /// Returns the environments of a file. Many files have the same ones, so they are interned in `lists`. A document
    /// without a file has those of the first workspace folder.
    pub(super) fn environments_of(
        &self,
        path: &FilePath,
        lists: &mut FxHashSet<Arc<[Environment]>>,
    ) -> Arc<[Environment]> {
        let in_workspace = self.roots.first().filter(|_| path.is_opaque()).map(|it| it.join("untitled.pp"));
        let roots = self.layout.environments_of(in_workspace.as_ref().unwrap_or(path));
        let found: Arc<[Environment]> =
            roots.iter().filter_map(|root| self.environments.get(root).copied()).collect();
        let known = lists.get(&found).cloned();
        known.unwrap_or_else(|| {
            lists.insert(found.clone());
            found
        })
    }

    /// Returns the handle of an environment; creates it from the current settings if necessary.
    pub(super) fn environment_handle(
        &mut self,
        db: &ProjectDatabase,
        root: Option<&FilePath>,
    ) -> Environment {
        let settings = &self.settings;
        *self.environments.entry(root.cloned()).or_insert_with(|| {
            let (version, strict) = (settings.puppet_version, settings.strict());
            let (tasks, lint_levels) = (settings.tasks, settings.lint_levels.clone());
            let rule_options = settings.rule_options.clone();
            let (modules, manifests) = (Arc::default(), Arc::new([]));
            Environment::builder(
                root.cloned(),
                modules,
                manifests,
                version,
                strict,
                tasks,
                lint_levels,
                rule_options,
                Arc::new([]),
                false,
                Arc::new([]),
            )
            .prepares_upgrade(settings.prepares_upgrade)
            .durability(Durability::HIGH)
            .new(db)
        })
    }

    /// Excludes classes and nodes of an environment from compilation.
    pub fn exclude_definitions(
        &mut self,
        db: &mut ProjectDatabase,
        environment: Environment,
        names: FxHashSet<(DefinitionKind, Name)>,
    ) {
        environment.set_excluded_definitions(db).to(Arc::new(names));
    }

    pub(super) fn write_settings(&mut self, db: &mut ProjectDatabase) {
        let (version, strict, tasks) =
            (self.settings.puppet_version, self.settings.strict(), self.settings.tasks);
        for environment in self.environments.values().copied() {
            if environment.puppet_version(db) != version {
                environment.set_puppet_version(db).with_durability(Durability::HIGH).to(version);
            }
            let prepares_upgrade = self.settings.prepares_upgrade;
            if environment.prepares_upgrade(db) != prepares_upgrade {
                environment.set_prepares_upgrade(db).with_durability(Durability::HIGH).to(prepares_upgrade);
            }
            if environment.strict(db) != strict {
                environment.set_strict(db).with_durability(Durability::HIGH).to(strict);
            }
            if environment.tasks(db) != tasks {
                environment.set_tasks(db).with_durability(Durability::HIGH).to(tasks);
            }
            if *environment.lint_levels(db) != self.settings.lint_levels {
                let lint_levels = self.settings.lint_levels.clone();
                environment.set_lint_levels(db).with_durability(Durability::HIGH).to(lint_levels);
            }
            if *environment.rule_options(db) != self.settings.rule_options {
                let rule_options = self.settings.rule_options.clone();
                environment.set_rule_options(db).with_durability(Durability::HIGH).to(rule_options);
            }
        }
    }
}
