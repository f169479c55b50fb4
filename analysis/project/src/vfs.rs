//! The only owner of paths, and the only writer of inputs. Disk, unsaved buffers and settings merge here, in batches.

mod path;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};

use crate::{Contents, Environment, File, FilePlace, ProjectDatabase, Settings};

pub use path::FilePath;

/// What is on disk at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiskState {
    Text(Arc<str>),
    NotUtf8,
    /// Why it cannot be read.
    Unreadable(String),
    Missing,
}

/// Everything that changed at once. It becomes one revision.
#[derive(Clone, Default, Debug)]
pub struct ChangeBatch {
    pub settings: Option<Settings>,
    /// The workspace folders: normalised absolute paths.
    pub roots: Option<Vec<String>>,
    pub disk: Vec<(FilePath, DiskState)>,
    /// Texts of open files; `None` for one that was closed: the disk counts again.
    pub buffers: Vec<(FilePath, Option<Arc<str>>)>,
}

/// The files there are. A clone is cheap and stays as it is.
#[derive(Clone, Default, Debug)]
pub struct FileTable {
    by_path: Arc<BTreeMap<FilePath, File>>,
}

impl FileTable {
    /// The manifests and templates that exist or are open, by path.
    pub fn files(&self) -> impl Iterator<Item = File> + '_ {
        self.by_path.values().copied()
    }

    pub fn file(&self, path: &FilePath) -> Option<File> {
        self.by_path.get(path).copied()
    }
}

#[derive(Debug)]
struct Entry {
    disk: DiskState,
    buffer: Option<Arc<str>>,
    /// For manifests and templates only.
    file: Option<File>,
}

/// Merges what comes in and writes what differs.
#[derive(Default, Debug)]
pub struct Vfs {
    entries: FxHashMap<FilePath, Entry>,
    table: FileTable,
    settings: Settings,
    roots: Vec<FilePath>,
    workspace: Option<Environment>,
}

impl Vfs {
    /// The files there are now.
    pub fn table(&self) -> &FileTable {
        &self.table
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Writes a batch into the database; only inputs whose value differs are touched.
    pub fn apply(&mut self, db: &mut ProjectDatabase, batch: ChangeBatch) {
        if let Some(settings) = batch.settings {
            self.settings = settings;
        }
        if let Some(roots) = batch.roots {
            self.roots = roots.iter().filter_map(|root| FilePath::from_native(root)).collect();
        }
        let mut changed = Vec::new();
        for (path, disk) in batch.disk {
            self.entry(&path).disk = disk;
            changed.push(path);
        }
        for (path, buffer) in batch.buffers {
            self.entry(&path).buffer = buffer;
            changed.push(path);
        }
        for path in changed {
            self.write_contents(db, path);
        }
    }

    fn entry(&mut self, path: &FilePath) -> &mut Entry {
        self.entries.entry(path.clone()).or_insert_with(|| Entry {
            disk: DiskState::Missing,
            buffer: None,
            file: None,
        })
    }

    fn write_contents(&mut self, db: &mut ProjectDatabase, path: FilePath) {
        let strict = self.settings.strict();
        let workspace = *self.workspace.get_or_insert_with(|| {
            Environment::new(
                db,
                None,
                Arc::default(),
                Arc::new([]),
                self.settings.puppet_version,
                strict,
                self.settings.tasks,
            )
        });
        let limit = self.settings.large_file_limit;
        let Some(entry) = self.entries.get_mut(&path) else { return };
        let contents = match (&entry.buffer, &entry.disk) {
            (Some(text), _) | (None, DiskState::Text(text)) => Contents::Text(text.clone()),
            (None, DiskState::NotUtf8) => Contents::NotUtf8,
            (None, DiskState::Unreadable(why)) => Contents::Unreadable(why.as_str().into()),
            (None, DiskState::Missing) => Contents::Missing,
        };
        let is_open = entry.buffer.is_some();
        let is_large = contents.text().is_some_and(|text| text.len() > limit);
        let exists = contents != Contents::Missing;
        let durability = if is_open { Durability::LOW } else { Durability::MEDIUM };
        let file = match entry.file {
            Some(file) => {
                if *file.contents(db) != contents {
                    file.set_contents(db).with_durability(durability).to(contents);
                }
                if file.is_open(db) != is_open {
                    file.set_is_open(db).with_durability(Durability::MEDIUM).to(is_open);
                }
                if file.is_large(db) != is_large {
                    file.set_is_large(db).with_durability(Durability::MEDIUM).to(is_large);
                }
                file
            }
            None => {
                let file = File::builder(
                    path.clone(),
                    contents,
                    is_open,
                    is_large,
                    FilePlace::Loose,
                    Arc::new([workspace]),
                )
                .durability(Durability::MEDIUM)
                .contents_durability(durability)
                .new(db);
                *entry.file.insert(file)
            }
        };
        let table = Arc::make_mut(&mut self.table.by_path);
        if exists {
            table.insert(path, file);
        } else {
            table.remove(&path);
        }
    }
}
