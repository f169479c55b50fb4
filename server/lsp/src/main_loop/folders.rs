//! Reading of files and folders from disk.

use std::path::{Path, PathBuf};

use disk::config::{self, RepositorySettings};
use disk::installed;
use disk::{IndexUpdate, NotRead, StopFlag, TrustedFolders};
use ide::{DiskState, FilePath};
use lsp_types::{MessageActionItem, MessageType};

use super::progress::{CancelButton, Progress};
use super::watch::FolderWatcher;
use super::{MainLoop, Write};
use crate::outbox::Outbox;

/// Title of the action that allows reading a folder.
const TRUST: &str = "Trust this folder";

impl MainLoop {
    /// Rereads files, and folders recursively. Files that are not relevant to Puppet code or nodes are
    /// skipped.
    pub(super) fn read_from_disk(&mut self, paths: Vec<FilePath>) {
        let files = paths.into_iter().filter(|it| !it.is_opaque());
        let files: Vec<_> = files.map(|it| (PathBuf::from(it.to_native()), it)).collect();
        if files.is_empty() {
            return;
        }
        let (settings, fact_files) = (self.config.scan_settings(&self.trusted), self.fact_files.clone());
        let outbox = self.outbox.clone();
        let (events, finished) = (self.events.clone(), self.start());
        self.background.run(move || {
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
            drop(finished);
        });
    }

    pub(super) fn change_folders(&mut self, added: Vec<FilePath>, removed: Vec<FilePath>) {
        for root in removed {
            if let Some(scan) = self.roots.remove(&root) {
                scan.stop();
                if let Some(watcher) = &self.watcher {
                    watcher.unwatch(&PathBuf::from(root.to_native()));
                }
                self.remove_folder(&root);
            }
        }
        let added: Vec<FilePath> =
            added.into_iter().filter(|it| !it.is_opaque() && !self.roots.contains_key(it)).collect();
        self.roots.extend(added.iter().map(|root| (root.clone(), StopFlag::default())));
        self.find_trusted_folders();
        for root in added {
            self.watch(&root);
            self.scan(root);
        }
        self.batch.roots = Some(self.roots.keys().map(FilePath::to_native).collect());
        self.has_changes = true;
        self.due.everything = true;
    }

    /// Updates the set of folders that may be read.
    pub(super) fn find_trusted_folders(&mut self) {
        let named = self.layers.named_by_client().chain(&self.config.trusted_folders).cloned();
        let named: Vec<String> = named.filter(|it| Path::new(it).is_absolute()).collect();
        self.trusted = TrustedFolders::new(self.roots.keys().map(FilePath::to_native), named);
    }

    /// Allows a folder to be read, on behalf of the user.
    pub(super) fn trust(&mut self, folder: &FilePath) {
        self.layers.trust([folder.to_native()]);
        if let Err(error) = config::trust_permanently(&folder.to_native()) {
            let message = format!("{} is trusted for this session only: {error}", folder.as_str());
            self.outbox.log(MessageType::Warning, message);
        }
        self.settings_changed();
        self.due.everything = true;
    }

    /// Returns whether changes of a path are relevant.
    pub(super) fn is_relevant(&self, path: &FilePath) -> bool {
        self.fact_files.contains(path) || self.is_read(path)
    }

    /// Reports that a module folder outside of the workspace is not read, and asks whether to trust it; once
    /// per folder.
    fn ask_to_trust(&mut self, folder: FilePath) {
        if !self.refused_folders.insert(folder.clone()) {
            return;
        }
        let message = format!(
            "The module path of an environment contains {}, which is outside of the workspace and is not analyzed.",
            output::visible(&folder.to_native())
        );
        let events = self.events.clone();
        self.outbox.ask(move |client| async move {
            let actions = [TRUST, "Not now"]
                .map(|title| MessageActionItem { title: title.to_owned(), ..Default::default() });
            let answer =
                client.show_message_request(MessageType::Warning, message, Some(actions.into())).await;
            if answer.ok().flatten().is_some_and(|action| action.title == TRUST) {
                events.write(Write::FolderTrusted(folder));
            }
        });
    }

    /// Watches a folder for changes if the client does not.
    pub(super) fn watch(&mut self, root: &FilePath) {
        if self.features.registers_file_watchers {
            return;
        }
        if self.watcher.is_none() {
            self.watcher = FolderWatcher::start(self.events.clone(), self.outbox.clone());
        }
        let Some(watcher) = self.watcher.clone() else { return };
        let (folder, finished) = (PathBuf::from(root.to_native()), self.start());
        self.background.run(move || {
            if folder.is_dir() {
                watcher.watch(&folder);
            }
            drop(finished);
        });
    }

    /// Removes the files of a folder that is no longer part of the workspace.
    pub(super) fn remove_folder(&mut self, root: &FilePath) {
        self.apply_all_scanned();
        for path in self.host.paths_below(root) {
            if !self.roots.keys().any(|other| path.strip_prefix(other).is_some()) {
                self.batch.disk.push((path, DiskState::Missing));
            }
        }
        self.layers.remove_root(root);
        self.layers.set_puppet_lint(root, None);
        self.settings_changed();
    }

    pub(super) fn scan(&mut self, root: FilePath) {
        self.read_root_settings(root.clone());
        let stop = self.roots.get(&root).cloned().unwrap_or_default();
        let open: Vec<FilePath> = self.documents.keys().filter(|it| it.starts_with(&root)).cloned().collect();
        self.read_folder(root, stop);
        open.iter().for_each(|it| self.read_first(it));
    }

    /// Reads the files that an open file needs first, while folders are still being read.
    pub(super) fn read_first(&mut self, path: &FilePath) {
        let root = self.roots.keys().rfind(|root| self.active_scans > 0 && path.starts_with(root)).cloned();
        let (Some(root), Some(document)) = (root, self.documents.get(path).cloned()) else { return };
        let settings = self.config.scan_settings(&self.trusted);
        let (events, finished, path) = (self.events.clone(), self.start_reading(), path.clone());
        // The background thread is busy reading the folder.
        self.interactive.run(move || {
            let files = disk::read_first(&root, &settings, &path, &document.text);
            events.write(Write::Scanned(files));
            drop(finished);
        });
    }

    /// Looks for module folders outside of the workspace, and determines which of them may be read.
    pub(super) fn find_module_folders(&mut self) {
        let mut folders = self.host.module_folders();
        folders.retain(|it| !self.is_read(it));
        if folders.is_empty() && self.unread_folders.is_empty() {
            return;
        }
        let trusted = self.trusted.clone();
        let (events, finished) = (self.events.clone(), self.start());
        self.background.run(move || {
            let (readable, outside): (Vec<FilePath>, Vec<FilePath>) =
                folders.into_iter().partition(|it| trusted.admit(&PathBuf::from(it.to_native())).is_ok());
            let outside = outside.into_iter().filter(|it| PathBuf::from(it.to_native()).is_dir()).collect();
            events.write(Write::ModuleFolders { readable, outside });
            drop(finished);
        });
    }

    /// Reads module folders, each once, and asks about those that may not be read.
    pub(super) fn read_module_folders(&mut self, readable: Vec<FilePath>, outside: Vec<FilePath>) {
        for folder in readable {
            if !self.is_read(&folder) {
                let stop = StopFlag::default();
                self.module_folders.insert(folder.clone(), stop.clone());
                self.read_folder(folder, stop);
            }
        }
        if outside != self.unread_folders {
            self.unread_folders.clone_from(&outside);
            self.batch.unread_folders = Some(outside.clone());
            self.has_changes = true;
            self.due.everything = true;
        }
        outside.into_iter().for_each(|it| self.ask_to_trust(it));
    }

    /// Returns whether a path is in a folder that is read completely.
    fn is_read(&self, path: &FilePath) -> bool {
        self.roots.keys().chain(self.module_folders.keys()).any(|it| path.starts_with(it))
    }

    /// Reads the fact files, each once; editors and watchers report later changes.
    pub(super) fn read_fact_files(&mut self) {
        let paths = self.host.fact_file_paths().into_iter();
        let new: Vec<FilePath> = paths.filter(|path| self.fact_files.insert(path.clone())).collect();
        self.read_from_disk(new);
    }

    /// Reads the Ruby files of an installed Puppet when idle, if a folder or a document is open.
    pub(super) fn read_installed_when_idle(&mut self) {
        let is_used = !self.roots.is_empty() || !self.documents.is_empty();
        let is_read = self.read_installed_puppet.as_ref() == Some(&self.config.installed_puppet);
        if self.active_work > 0 || is_read || !is_used {
            return;
        }
        let setting = self.config.installed_puppet.clone();
        self.read_installed_puppet = Some(setting.clone());
        let (events, finished) = (self.events.clone(), self.start());
        self.background.run(move || {
            events.write(Write::Installed(installed::read(setting.as_deref())));
            drop(finished);
        });
    }

    fn read_folder(&mut self, folder: FilePath, stop: StopFlag) {
        let settings = self.config.scan_settings(&self.trusted);
        let (outbox, features) = (self.outbox.clone(), self.features.clone());
        let (events, finished) = (self.events.clone(), self.start_reading());
        let cache = self.last_work.folder();
        self.background.run(move || {
            if !PathBuf::from(folder.to_native()).is_dir() {
                return drop(finished);
            }
            let progress = Progress::start(&outbox, &features, "Reading Puppet files", CancelButton::Hidden);
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
            log_skipped(&not_read, &outbox);
            if !stop.is_stopped() {
                events.write(Write::ScanFinished { root: folder, files });
            }
            drop(finished);
            to_keep.into_iter().for_each(IndexUpdate::write);
        });
    }

    pub(super) fn read_root_settings(&mut self, root: FilePath) {
        let (events, finished) = (self.events.clone(), self.start());
        self.background.run(move || {
            let folder = PathBuf::from(root.to_native());
            let files = match config::settings_folder(&folder) {
                Some(folder) => RepositorySettings::read(&folder.join(config::FILE_NAME)),
                None => RepositorySettings::default(),
            };
            let lint_folder = config::puppet_lint_folder(&folder);
            let puppet_lint = Box::new(config::read_puppet_lint(&lint_folder));
            events.write(Write::RootSettings { root, files, puppet_lint });
            drop(finished);
        });
    }
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
