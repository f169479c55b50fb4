//! Files and folders on disk: which are read, watched, and trusted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::config::{self, RepositorySettings};
use disk::installed;
use disk::{IndexUpdate, NotRead, StopFlag, TrustedFolders};
use fleet::nodes::{MAX_NODES, NodeFiles};
use ide::{DiskState, FilePath};
use lsp_types::{FileChangeType, MessageType};
use rustc_hash::FxHashSet;

use super::context::LoopContext;
use super::documents::Documents;
use super::events::{Work, Write};
use super::jobs::Threads;
use super::progress::{CancelButton, Progress};
use super::watch::FolderWatcher;
use crate::documents::Document;
use crate::outbox::Outbox;

/// Title of the action that allows reading a folder.
const TRUST: &str = "Trust this folder";

/// Maximum number of times in a row that scanned files are delayed by latency-sensitive requests.
const MAX_DELAYS: u32 = 50;

/// Folders that are read, and the files that are still to be applied.
#[derive(Default)]
pub(super) struct Scan {
    /// Workspace folders, with the flags that stop their scans.
    roots: BTreeMap<FilePath, StopFlag>,
    /// Module folders outside of the workspace that have been read.
    module_folders: BTreeMap<FilePath, StopFlag>,
    /// Folders that may be read from disk.
    pub(super) trusted: TrustedFolders,
    /// Module folders that exist but may not be read.
    unread_folders: Vec<FilePath>,
    /// All folders that were ever refused; the user has been asked about them.
    refused_folders: FxHashSet<FilePath>,
    /// Fact files that have been read.
    fact_files: FxHashSet<FilePath>,
    /// Setting for which the nodes have been read.
    nodes: Option<String>,
    /// Setting for which the files of an installed Puppet have been read.
    installed_puppet: Option<Option<String>>,
    /// Watcher for folders that the client does not watch.
    watcher: Option<FolderWatcher>,
    /// Scanned files, held back while latency-sensitive requests are being handled.
    scanned: Vec<(FilePath, DiskState)>,
    /// Number of times that they have been held back in a row.
    delays: u32,
}

/// Scanned files.
impl Scan {
    pub(super) fn add_scanned(&mut self, files: Vec<(FilePath, DiskState)>) {
        self.scanned.extend(files);
    }

    /// Applies scanned files, unless this would cancel a latency-sensitive request.
    pub(super) fn apply_scanned(&mut self, ctx: &mut LoopContext) {
        let would_cancel = ctx.jobs.is_latency_sensitive() && !self.scanned.is_empty();
        if would_cancel && self.delays < MAX_DELAYS {
            self.delays += 1;
        } else {
            self.apply_all_scanned(ctx);
        }
    }

    pub(super) fn apply_all_scanned(&mut self, ctx: &mut LoopContext) {
        self.delays = 0;
        ctx.changes.add_scanned(&mut self.scanned);
    }
}

/// Folders.
impl Scan {
    pub(super) fn has_roots(&self) -> bool {
        !self.roots.is_empty()
    }

    pub(super) fn is_root(&self, folder: &FilePath) -> bool {
        self.roots.contains_key(folder)
    }

    /// Adds workspace folders. Returns those that are new.
    pub(super) fn add_roots(&mut self, folders: Vec<FilePath>) -> Vec<FilePath> {
        let new = folders.into_iter().filter(|it| !it.is_opaque() && !self.is_root(it));
        let new: Vec<FilePath> = new.collect();
        self.roots.extend(new.iter().map(|root| (root.clone(), StopFlag::default())));
        new
    }

    /// Removes a workspace folder and its files. Returns false if it is not one.
    pub(super) fn remove_root(&mut self, root: &FilePath, ctx: &mut LoopContext) -> bool {
        let Some(scan) = self.roots.remove(root) else { return false };
        scan.stop();
        if let Some(watcher) = &self.watcher {
            watcher.unwatch(&PathBuf::from(root.to_native()));
        }
        self.apply_all_scanned(ctx);
        let mut files = ctx.host.paths_below(root);
        files.retain(|path| !self.roots.keys().any(|other| path.strip_prefix(other).is_some()));
        ctx.changes.add_disk(files.into_iter().map(|path| (path, DiskState::Missing)));
        true
    }

    /// Sets the workspace folders of the analysis.
    pub(super) fn apply_roots(&self, ctx: &mut LoopContext) {
        ctx.changes.set_roots(self.roots.keys().map(FilePath::to_native).collect());
    }

    /// Updates the set of folders that may be read: the workspace folders, and those that the user has named.
    pub(super) fn trust<'n>(&mut self, named: impl Iterator<Item = &'n String>) {
        let named: Vec<&String> = named.filter(|it| Path::new(it).is_absolute()).collect();
        let named = named.into_iter().cloned();
        self.trusted = TrustedFolders::new(self.roots.keys().map(FilePath::to_native), named);
    }

    /// Returns whether changes of a path are relevant.
    pub(super) fn is_relevant(&self, path: &FilePath) -> bool {
        self.fact_files.contains(path) || self.is_read(path) || self.is_of_nodes(path)
    }

    /// Returns whether a path is in a folder that is read completely.
    fn is_read(&self, path: &FilePath) -> bool {
        self.roots.keys().chain(self.module_folders.keys()).any(|it| path.starts_with(it))
    }

    /// Stops all scans.
    pub(super) fn stop(&self) {
        self.roots.values().chain(self.module_folders.values()).for_each(StopFlag::stop);
    }

    /// Watches a folder for changes if the client does not.
    pub(super) fn watch(&mut self, root: &FilePath, ctx: &mut LoopContext) {
        if ctx.client.features.registers_file_watchers {
            return;
        }
        if self.watcher.is_none() {
            self.watcher = FolderWatcher::start(ctx.jobs.events.clone(), ctx.client.outbox.clone());
        }
        let Some(watcher) = self.watcher.clone() else { return };
        let folder = PathBuf::from(root.to_native());
        ctx.jobs.run(Threads::Background, Work::Other, move |_| {
            if folder.is_dir() {
                watcher.watch(&folder);
            }
        });
    }

    /// Rereads what has changed on disk.
    pub(super) fn watched(&mut self, mut changes: Vec<(FilePath, FileChangeType)>, ctx: &mut LoopContext) {
        let all = changes.len();
        changes.retain(|(path, _)| !self.is_of_nodes(path));
        if changes.len() < all {
            self.read_nodes_again(ctx);
        }
        let mut paths = Vec::new();
        for (path, kind) in changes {
            if !self.is_relevant(&path) {
                continue;
            }
            if path.file_name() == config::FILE_NAME || config::PUPPET_LINT_FILES.contains(&path.file_name())
            {
                // A file may apply to workspace folders below it, and others may extend it.
                self.roots.keys().for_each(|root| read_root_settings(root.clone(), ctx));
            } else if kind == FileChangeType::Deleted {
                // The path may have been a folder.
                let deleted = ctx.host.paths_below(&path);
                if !deleted.is_empty() {
                    self.apply_all_scanned(ctx);
                    ctx.changes.add_disk(deleted.into_iter().map(|it| (it, DiskState::Missing)));
                }
            } else if kind == FileChangeType::Created
                || ide::is_interesting(&path)
                || self.fact_files.contains(&path)
            {
                paths.push(path);
            }
        }
        self.read_from_disk(paths, ctx);
    }
}

/// Reading in the background.
impl Scan {
    /// Rereads files, and folders recursively. Files that are not relevant to Puppet code or nodes are
    /// skipped.
    pub(super) fn read_from_disk(&self, paths: Vec<FilePath>, ctx: &mut LoopContext) {
        let files = paths.into_iter().filter(|it| !it.is_opaque());
        let files: Vec<_> = files.map(|it| (PathBuf::from(it.to_native()), it)).collect();
        if files.is_empty() {
            return;
        }
        let (settings, fact_files) = (ctx.config.scan_settings(&self.trusted), self.fact_files.clone());
        let outbox = ctx.client.outbox.clone();
        ctx.jobs.run(Threads::Background, Work::Other, move |events| {
            let mut states = Vec::new();
            for (native, path) in files {
                if native.is_dir() {
                    let not_read =
                        disk::scan(&path, &settings, &StopFlag::default(), |files| states.extend(files));
                    log_skipped(&not_read, &outbox);
                } else if fact_files.contains(&path) {
                    states.push((path, disk::read_text(&native, &settings.trusted)));
                } else if ide::is_interesting(&path) {
                    let state = disk::read_file(&path, &native, &settings.trusted);
                    states.push((path, state));
                }
            }
            if !states.is_empty() {
                events.write(Write::Disk(states));
            }
        });
    }

    /// Reads a workspace folder: first its settings, and what open files need.
    pub(super) fn read_root(&self, root: &FilePath, documents: &Documents, ctx: &mut LoopContext) {
        read_root_settings(root.clone(), ctx);
        let stop = self.roots.get(root).cloned().unwrap_or_default();
        self.read_folder(root.clone(), stop, ctx);
        for (path, document) in documents.iter().filter(|(path, _)| path.starts_with(root)) {
            self.read_first(path, document, ctx);
        }
    }

    /// Reads the files that an open file needs first, while folders are still being read.
    pub(super) fn read_first(&self, path: &FilePath, document: &Arc<Document>, ctx: &mut LoopContext) {
        let is_reading = ctx.jobs.is_reading();
        let root = self.roots.keys().rfind(|root| is_reading && path.starts_with(root));
        let Some(root) = root.cloned() else { return };
        let settings = ctx.config.scan_settings(&self.trusted);
        let (path, document) = (path.clone(), document.clone());
        // The background thread is busy reading the folder.
        ctx.jobs.run(Threads::Interactive, Work::Reading, move |events| {
            let files = disk::read_first(&root, &settings, &path, &document.text);
            events.write(Write::Scanned(files));
        });
    }

    /// Looks for the project around a file that is outside of all folders.
    pub(super) fn find_project_around(&self, path: &FilePath, ctx: &mut LoopContext) {
        if path.is_opaque() || self.is_read(path) {
            return;
        }
        let native = PathBuf::from(path.to_native());
        ctx.jobs.run(Threads::Background, Work::Reading, move |events| {
            let root = disk::project_around(&native);
            let root = root.as_deref().and_then(|it| it.to_str()).and_then(FilePath::from_native);
            if let Some(root) = root {
                events.write(Write::ProjectFound(root));
            }
        });
    }

    /// Looks for module folders outside of the workspace, and determines which of them may be read.
    pub(super) fn find_module_folders(&self, ctx: &mut LoopContext) {
        let mut folders = ctx.host.module_folders();
        folders.retain(|it| !self.is_read(it));
        if folders.is_empty() && self.unread_folders.is_empty() {
            return;
        }
        let trusted = self.trusted.clone();
        ctx.jobs.run(Threads::Background, Work::Other, move |events| {
            let (readable, outside): (Vec<FilePath>, Vec<FilePath>) =
                folders.into_iter().partition(|it| trusted.admit(&PathBuf::from(it.to_native())).is_ok());
            let outside = outside.into_iter().filter(|it| PathBuf::from(it.to_native()).is_dir()).collect();
            events.write(Write::ModuleFolders { readable, outside });
        });
    }

    /// Reads module folders, each once.
    pub(super) fn read_module_folders(&mut self, folders: Vec<FilePath>, ctx: &mut LoopContext) {
        for folder in folders {
            if !self.is_read(&folder) {
                let stop = StopFlag::default();
                self.module_folders.insert(folder.clone(), stop.clone());
                self.read_folder(folder, stop, ctx);
            }
        }
    }

    /// Records the module folders outside of the workspace that are not read. Asks whether to trust them, once
    /// per folder.
    pub(super) fn refuse(&mut self, folders: Vec<FilePath>, ctx: &mut LoopContext) {
        if folders != self.unread_folders {
            self.unread_folders.clone_from(&folders);
            ctx.changes.set_unread_folders(folders.clone());
        }
        for folder in folders {
            if self.refused_folders.insert(folder.clone()) {
                let message = format!(
                    "The module path of an environment contains {}, which is outside of the workspace and is not analyzed.",
                    output::visible(&folder.to_native())
                );
                ctx.client.offer(message, TRUST, ctx.jobs.events.clone(), Write::FolderTrusted(folder));
            }
        }
    }

    /// Reads the fact files, each once; editors and watchers report later changes.
    pub(super) fn read_fact_files(&mut self, ctx: &mut LoopContext) {
        let paths = ctx.host.fact_file_paths().into_iter();
        let new: Vec<FilePath> = paths.filter(|path| self.fact_files.insert(path.clone())).collect();
        self.read_from_disk(new, ctx);
    }

    /// Reads the nodes of the setting `nodes`, once per setting.
    pub(super) fn read_nodes(&mut self, ctx: &mut LoopContext) {
        if self.nodes != ctx.config.nodes {
            self.nodes = ctx.config.nodes.clone();
            self.read_nodes_again(ctx);
        }
    }

    fn read_nodes_again(&self, ctx: &mut LoopContext) {
        let (nodes, trusted) = (self.nodes.clone(), self.trusted.clone());
        ctx.jobs.run(Threads::Background, Work::Other, move |events| {
            let read = |path: &Path| {
                trusted.admit(path)?;
                NodeFiles::read(path, MAX_NODES)
            };
            let found = nodes.map_or_else(|| Ok(NodeFiles::default()), |path| read(Path::new(&path)));
            events.write(Write::Nodes(found.map_err(|error| format!("{error:#}"))));
        });
    }

    /// Adds files with the facts of nodes, which are not on disk. Returns their paths.
    pub(super) fn add_node_files(
        &mut self,
        files: Vec<(PathBuf, String)>,
        ctx: &mut LoopContext,
    ) -> Vec<String> {
        let files = files.into_iter().filter_map(|(path, text)| {
            Some((FilePath::from_native(path.to_str()?)?, DiskState::Text(text.into())))
        });
        let files: Vec<(FilePath, DiskState)> = files.collect();
        let paths = files.iter().map(|(path, _)| path.to_native()).collect();
        self.fact_files.extend(files.iter().map(|(path, _)| path.clone()));
        ctx.changes.add_disk(files);
        paths
    }

    /// Returns whether a path is that of the nodes, or in their folder.
    fn is_of_nodes(&self, path: &FilePath) -> bool {
        let nodes = self.nodes.as_deref().and_then(FilePath::from_native);
        nodes.is_some_and(|nodes| path.starts_with(&nodes))
    }

    /// Reads the Ruby files of an installed Puppet, once per setting.
    pub(super) fn read_installed(&mut self, ctx: &mut LoopContext) {
        if self.installed_puppet.as_ref() == Some(&ctx.config.installed_puppet) {
            return;
        }
        let setting = ctx.config.installed_puppet.clone();
        self.installed_puppet = Some(setting.clone());
        ctx.jobs.run(Threads::Background, Work::Other, move |events| {
            events.write(Write::Installed(installed::read(setting.as_deref())));
        });
    }

    fn read_folder(&self, folder: FilePath, stop: StopFlag, ctx: &mut LoopContext) {
        let settings = ctx.config.scan_settings(&self.trusted);
        let (client, cache) = (ctx.client.clone(), ctx.last_work.folder());
        let (events, finished) = (ctx.jobs.events.clone(), ctx.jobs.start(Work::Reading));
        ctx.jobs.spawn(Threads::Background, move || {
            if !PathBuf::from(folder.to_native()).is_dir() {
                return drop(finished);
            }
            let progress = Progress::start(&client, "Reading Puppet files", CancelButton::Hidden);
            let mut files = 0;
            let hand_over = |batch: Vec<_>| {
                files += batch.len();
                // A folder that was removed during the scan must not come back.
                if !stop.is_stopped() {
                    events.write(Write::Scanned(batch));
                    progress.report(format!("{files} files"));
                }
            };
            let (not_read, to_keep) = match &cache {
                Some(cache) => disk::scan_with_index(&folder, &settings, cache, &stop, hand_over),
                None => (disk::scan(&folder, &settings, &stop, hand_over), None),
            };
            log_skipped(&not_read, &client.outbox);
            if !stop.is_stopped() {
                events.write(Write::ScanFinished { root: folder, files });
            }
            drop(finished);
            to_keep.into_iter().for_each(IndexUpdate::write);
        });
    }
}

/// Reads the settings files that apply to a workspace folder.
fn read_root_settings(root: FilePath, ctx: &mut LoopContext) {
    ctx.jobs.run(Threads::Background, Work::Other, move |events| {
        let folder = PathBuf::from(root.to_native());
        let files = match config::settings_folder(&folder) {
            Some(folder) => RepositorySettings::read(&folder.join(config::FILE_NAME)),
            None => RepositorySettings::default(),
        };
        let lint_folder = config::puppet_lint_folder(&folder);
        let puppet_lint = Box::new(config::read_puppet_lint(&lint_folder));
        events.write(Write::RootSettings { root, files, puppet_lint });
    });
}

/// Logs the paths that a scan has skipped.
fn log_skipped(not_read: &[NotRead], outbox: &Outbox) {
    for NotRead { path, reason } in not_read {
        outbox.log(
            MessageType::Warning,
            format!("skipped {}: {reason}", output::visible(&path.to_string_lossy())),
        );
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
