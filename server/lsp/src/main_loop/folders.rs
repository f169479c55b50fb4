//! Folders and files on disk: which are read, and when.

use std::collections::BTreeMap;
use std::path::PathBuf;

use disk::StopFlag;
use disk::config;
use disk::installed;
use ide::{DiskState, FilePath};

use super::progress::Progress;
use super::watch::FolderWatcher;
use super::{MainLoop, Write};

impl MainLoop {
    /// Reads files again, and all of what is a folder. Files that say nothing about Puppet code or nodes are left out.
    pub(super) fn read_from_disk(&mut self, paths: Vec<FilePath>) {
        let files = paths.into_iter().filter(|it| !it.is_opaque());
        let files: Vec<_> = files.map(|it| (PathBuf::from(it.to_native()), it)).collect();
        if files.is_empty() {
            return;
        }
        let (settings, fact_files) = (self.config.scan_settings(), self.fact_files.clone());
        let (events, finished) = (self.events.clone(), self.start());
        self.background.run(move || {
            let mut states = Vec::new();
            for (native, path) in files {
                if native.is_dir() {
                    disk::scan(&path, &settings, &StopFlag::default(), |files| states.extend(files));
                } else if fact_files.contains(&path) {
                    states.push((path, disk::read_text(&native)));
                } else if ide::is_interesting(&path) {
                    let state = disk::read_file(&path, &native);
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
                    watcher.forget(&PathBuf::from(root.to_native()));
                }
                self.forget_folder(&root);
            }
        }
        for root in added.into_iter().filter(|it| !it.is_opaque()) {
            if !self.roots.contains_key(&root) {
                self.roots.insert(root.clone(), StopFlag::default());
                self.watch(&root);
                self.scan(root);
            }
        }
        self.batch.roots = Some(self.roots.keys().map(FilePath::to_native).collect());
        self.has_changes = true;
        self.due.everything = true;
    }

    /// Notices what changes in a folder, where the client does not tell.
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

    /// The files of a folder that is no part of the workspace any more are as good as absent.
    pub(super) fn forget_folder(&mut self, root: &FilePath) {
        self.take_in_all_scanned();
        for path in self.host.paths_below(root) {
            if !self.roots.keys().any(|other| path.strip_prefix(other).is_some()) {
                self.batch.disk.push((path, DiskState::Missing));
            }
        }
        self.layers.set_root(root, None);
        self.settings_changed();
    }

    pub(super) fn scan(&mut self, root: FilePath) {
        self.read_root_settings(root.clone());
        let stop = self.roots.get(&root).cloned().unwrap_or_default();
        self.read_folder(root, stop);
    }

    /// Reads the folders outside of the workspace in which environments look for modules, each once.
    pub(super) fn read_module_folders(&mut self) {
        for folder in self.host.module_folders() {
            let is_read =
                |folders: &BTreeMap<FilePath, StopFlag>| folders.keys().any(|it| folder.starts_with(it));
            if is_read(&self.roots) || is_read(&self.module_folders) {
                continue;
            }
            let stop = StopFlag::default();
            self.module_folders.insert(folder.clone(), stop.clone());
            self.read_folder(folder, stop);
        }
    }

    /// Reads the files of facts, each once; editors and watchers tell when they change.
    pub(super) fn read_fact_files(&mut self) {
        let paths = self.host.fact_file_paths().into_iter();
        let new: Vec<FilePath> = paths.filter(|path| self.fact_files.insert(path.clone())).collect();
        self.read_from_disk(new);
    }

    /// Reads the Ruby files of an installed Puppet, when something is open or read and nothing else is to do.
    pub(super) fn read_installed_when_idle(&mut self) {
        let is_used = !self.roots.is_empty() || !self.documents.is_empty();
        let is_read = self.read_installed_puppet.as_ref() == Some(&self.config.installed_puppet);
        if self.under_way > 0 || is_read || !is_used {
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
        let settings = self.config.scan_settings();
        let (outbox, features) = (self.outbox.clone(), self.features.clone());
        let (events, finished) = (self.events.clone(), self.start_reading());
        self.background.run(move || {
            if !PathBuf::from(folder.to_native()).is_dir() {
                return drop(finished);
            }
            let progress = Progress::start(&outbox, &features, "Reading Puppet files");
            let mut files = 0;
            disk::scan(&folder, &settings, &stop, |batch| {
                files += batch.len();
                // A folder that was removed while it was read must not come back.
                if !stop.is_stopped() {
                    events.write(Write::Scanned(batch));
                    progress.report(format!("{files} files"));
                }
            });
            if !stop.is_stopped() {
                events.write(Write::ScanFinished { root: folder, files });
            }
            drop(finished);
        });
    }

    pub(super) fn read_root_settings(&mut self, root: FilePath) {
        let (events, finished) = (self.events.clone(), self.start());
        self.background.run(move || {
            let file = PathBuf::from(root.to_native()).join(config::FILE_NAME);
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => Some(text),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => {
                    tracing::warn!("cannot read {}: {error}", file.display());
                    None
                }
            };
            events.write(Write::RootSettings { root, text });
            drop(finished);
        });
    }
}
