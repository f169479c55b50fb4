//! The only writer of the database: applies changes and creates snapshots.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use project::vfs::{ChangeBatch, FilePath, TextDigest, Vfs};
use project::{MemoryPart, ProjectDatabase, Settings};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Analysis, EnvironmentId, NeededPart};

/// LRU capacity of per-file queries once the workspace is frozen.
const FILE_LRU_CAPACITY: usize = 256;

/// The only writer; owned by a single thread.
#[derive(Default)]
pub struct AnalysisHost {
    db: ProjectDatabase,
    vfs: Vfs,
    stage: HostStage,
    /// True if a read met a query that a cancelled read left unfinished.
    saw_cancelled_query: Arc<AtomicBool>,
}

/// Handling of changes by a host.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum HostStage {
    /// Changes are applied at once.
    #[default]
    Open,
    /// Changes are collected until [`AnalysisHost::freeze`].
    Collecting,
    /// Changes are no longer accepted.
    Frozen,
}

impl AnalysisHost {
    pub fn new() -> AnalysisHost {
        AnalysisHost::default()
    }

    /// Creates a host for a workspace that is loaded once: changes are collected until
    /// [`AnalysisHost::freeze`], and no file exists before that.
    pub fn collecting() -> AnalysisHost {
        AnalysisHost { stage: HostStage::Collecting, ..AnalysisHost::default() }
    }

    /// Applies the collected changes and freezes the workspace. Afterwards nothing changes, and callers free
    /// the memory of files that they have finished with by [`AnalysisHost::trigger_eviction`].
    pub fn freeze(&mut self) {
        if self.stage == HostStage::Collecting {
            self.vfs.freeze(&mut self.db);
            check::set_lru_capacities(&mut self.db, FILE_LRU_CAPACITY);
            self.stage = HostStage::Frozen;
        }
    }

    /// Returns a host with the same files and other settings, which shares nothing but the texts.
    pub fn copy_with(&self, settings: Settings) -> AnalysisHost {
        let mut copy = AnalysisHost::new();
        copy.skip(self.vfs.skipped());
        copy.apply(ChangeBatch { settings: Some(settings), ..self.vfs.all_changes() });
        copy
    }

    /// Excludes texts from analysis, in whichever files they occur; a diagnostic reports that.
    pub fn skip(&mut self, texts: impl IntoIterator<Item = TextDigest>) {
        self.vfs.skip(texts);
    }

    /// Reverts [`AnalysisHost::skip`] for a text.
    pub fn unskip(&mut self, text: TextDigest) {
        self.vfs.unskip(text);
    }

    /// Applies all changes as one revision. Cancels all reads and blocks until the snapshots are dropped. A
    /// frozen host ignores changes.
    pub fn apply(&mut self, batch: ChangeBatch) {
        match self.stage {
            HostStage::Open => self.vfs.apply(&mut self.db, batch),
            HostStage::Collecting => self.vfs.collect(batch),
            HostStage::Frozen => debug_assert!(false, "change after the workspace was frozen"),
        }
    }

    /// Excludes parts from compilation; their results are inconclusive from now on. They replace the excluded parts of
    /// their environments.
    pub fn exclude_parts(&mut self, parts: &[NeededPart]) {
        let mut of_environments: FxHashMap<EnvironmentId, FxHashSet<_>> = FxHashMap::default();
        for NeededPart { environment, part } in parts {
            of_environments.entry(*environment).or_default().insert(part.name(&self.db));
        }
        for (environment, names) in of_environments {
            self.vfs.exclude_definitions(&mut self.db, environment.0, names);
        }
    }

    /// Returns a snapshot of the current state.
    pub fn analysis(&self) -> Analysis {
        let (files, roots) = (self.vfs.table().clone(), self.vfs.roots().into());
        let environments = self.vfs.environments().into_iter().map(EnvironmentId).collect();
        let saw_cancelled_query = self.saw_cancelled_query.clone();
        Analysis {
            db: self.db.clone(),
            files,
            roots,
            environments,
            is_cancelled: Arc::default(),
            saw_cancelled_query,
        }
    }

    /// Lets the next reads recompute queries that a cancelled read left unfinished, if a read has met one
    /// since the last call; that read ended with [`crate::Cancelled::PendingWrite`]. Blocks as
    /// [`AnalysisHost::apply`] does.
    pub fn reset_cancelled(&mut self) {
        if self.saw_cancelled_query.swap(false, Ordering::Relaxed) {
            salsa::Database::trigger_cancellation(&mut self.db);
        }
    }

    /// Evicts cached values above the LRU capacities, for instance after a load. Blocks as
    /// [`AnalysisHost::apply`] does.
    pub fn trigger_eviction(&mut self) {
        let _span = tracing::info_span!("evict").entered();
        salsa::Database::trigger_lru_eviction(&mut self.db);
    }

    /// Returns the memory in use by kind, the largest part first. Blocks as [`AnalysisHost::apply`] does.
    pub fn memory_parts(&mut self) -> Vec<MemoryPart> {
        project::memory_parts(&mut self.db, &self.vfs)
    }

    /// Returns the paths at and below a folder that exist on disk.
    pub fn paths_below(&self, folder: &FilePath) -> Vec<FilePath> {
        self.vfs.paths_below(folder).cloned().collect()
    }

    /// Returns the paths of the configured fact files, existing or not.
    pub fn fact_file_paths(&self) -> Vec<FilePath> {
        self.vfs.fact_file_paths().collect()
    }

    /// Returns the folders in which environments search for modules, existing or not.
    pub fn module_folders(&self) -> Vec<FilePath> {
        self.vfs.module_folders().cloned().collect()
    }

    /// Returns the folders below an environment's root that modules are loaded from although Puppet would not
    /// search there, sorted, and whether they come from a configured module path.
    pub fn further_folders(&self, environment: &FilePath) -> (BTreeSet<FilePath>, bool) {
        self.vfs.further_folders(environment)
    }

    /// Returns the path of the configured main manifest of an environment if nothing exists there.
    pub fn absent_manifest(&self, environment: &FilePath) -> Option<&FilePath> {
        self.vfs.absent_manifest(environment)
    }

    /// Returns whether a path is known to exist on disk.
    pub fn is_on_disk(&self, path: &FilePath) -> bool {
        self.vfs.is_on_disk(path)
    }

    /// Returns the effective settings.
    pub fn settings(&self) -> &Settings {
        self.vfs.settings()
    }
}
