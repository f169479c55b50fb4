//! Virtual file system: the only owner of paths, and the only writer of inputs. Merges the disk, unsaved
//! buffers and settings in batches.

mod copy;
mod digest;
mod encoding;
mod environment_conf;
mod freeze;
mod inputs;
pub(crate) mod layout;
pub(crate) mod memory;
mod packed_text;
mod path;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hir::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::TextEdit;

use crate::{Contents, Environment, File, FileKind, ModuleTree, ProjectDatabase, Settings};
use layout::WorkspaceLayout;

pub use digest::TextDigest;

pub use environment_conf::environment_conf_warnings;

pub use crate::byte_order_mark::ByteOrderMark;
pub use crate::inputs::ModuleMap;
pub use layout::input::{AUTOLOAD_FOLDERS, MODULE_FOLDERS};
pub use packed_text::{ByteStore, PackedText, TextOnDisk};
pub use path::FilePath;

/// State of a path on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiskState {
    Text(Arc<str>),
    Packed(PackedText),
    /// With the byte order mark of the file, if it has one.
    NotUtf8(Option<ByteOrderMark>),
    /// With the reason why it cannot be read.
    Unreadable(String),
    /// Exists, but its text is not needed: see [`needs_text`].
    Unread,
    Missing,
}

/// Set of simultaneous changes. It becomes one revision.
#[derive(Clone, Default, Debug)]
pub struct ChangeBatch {
    pub settings: Option<Settings>,
    /// Workspace folders as normalized absolute paths.
    pub roots: Option<Vec<String>>,
    /// Ignores paths that are not [`is_interesting`], except for unreadable folders.
    pub disk: Vec<(FilePath, DiskState)>,
    /// Folders of modules that exist but must not be read.
    pub unread_folders: Option<Vec<FilePath>>,
    /// Ruby files of an installed Puppet, once they are known.
    pub installed: Option<Vec<InstalledFolder>>,
    /// Texts of open files; `None` for a file that was closed, so that its contents on disk apply again.
    pub buffers: Vec<(FilePath, Option<Arc<str>>)>,
    /// The only edit of some of the open files, so that parsing does not have to search for it.
    pub edits: Vec<(FilePath, Arc<TextEdit>)>,
}

/// Folder of an installed Puppet with the structure of a module's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledFolder {
    pub root: FilePath,
    /// Each with the path that it would have in a module (`lib/puppet/type/file.rb`).
    pub files: Vec<(Name, FilePath, Arc<str>)>,
}

/// Maximum size in bytes of data files that are read.
const MAX_DATA_FILE_SIZE: u64 = 1 << 20;

/// Returns true for files that are relevant to Puppet code ([`FileKind`]): those that a scan of a folder
/// should report.
pub fn is_interesting(path: &FilePath) -> bool {
    FileKind::of_path(path).is_some()
}

/// Returns true if the text of a file of this size should be read. For other files, only their existence
/// matters ([`DiskState::Unread`]).
pub fn needs_text(path: &FilePath, bytes: u64) -> bool {
    match FileKind::of_path(path) {
        None | Some(FileKind::Asset) => false,
        Some(FileKind::Data | FileKind::ExternalFact) => bytes <= MAX_DATA_FILE_SIZE,
        Some(_) => bytes <= MAX_TEXT_LENGTH as u64,
    }
}

/// Returns true if the text of a file is read lazily. Tests are a quarter of all files, and are seldom
/// needed.
pub fn is_read_lazily(path: &FilePath) -> bool {
    FileKind::of_path(path) == Some(FileKind::Spec)
}

/// Returns true if the text may be copied elsewhere on the machine. Data must not be, since it contains
/// secrets.
pub fn may_be_copied(path: &FilePath) -> bool {
    !matches!(FileKind::of_path(path), Some(FileKind::Data | FileKind::ExternalFact))
}

/// Returns true for manifests and templates; documents without a file and an extension count as manifests.
fn is_source(path: &FilePath) -> bool {
    match path.extension() {
        Some(extension) => matches!(extension, "pp" | "epp"),
        None => path.is_opaque(),
    }
}

fn determines_layout(path: &FilePath) -> bool {
    !path.is_opaque() && FileKind::of_path(path).is_some_and(FileKind::determines_layout)
}

/// Immutable snapshot of the existing files. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub struct FileTable {
    by_path: Arc<BTreeMap<FilePath, File>>,
}

impl FileTable {
    /// Returns the manifests and EPP templates that exist or are open, by path.
    pub fn files(&self) -> impl Iterator<Item = File> + '_ {
        self.by_path.iter().filter(|(path, _)| is_source(path)).map(|(_, file)| *file)
    }

    /// Returns the files of all kinds, by path.
    pub fn all_files(&self) -> impl Iterator<Item = File> + '_ {
        self.by_path.values().copied()
    }

    pub fn file(&self, path: &FilePath) -> Option<File> {
        self.by_path.get(path).copied()
    }

    /// Returns the files of a module by path, which is the order of both tables.
    fn files_of_module<'t>(
        &'t self,
        root: &FilePath,
        module: &'t layout::ModuleLayout,
    ) -> impl Iterator<Item = (Name, File)> + 't {
        let mut files = self.by_path.range::<FilePath, _>(root..).peekable();
        module.files.iter().filter_map(move |(relative, path)| {
            while files.next_if(|(other, _)| *other < path).is_some() {}
            files.next_if(|(other, _)| *other == path).map(|(_, file)| (relative.clone(), *file))
        })
    }
}

#[derive(Debug)]
struct VfsEntry {
    disk: DiskState,
    buffer: Option<Arc<str>>,
    /// Digest of the buffer, if it is known.
    digest: Option<TextDigest>,
    /// Handle, once the file has existed.
    file: Option<File>,
}

impl VfsEntry {
    /// Returns true if the file is on disk or open.
    fn exists(&self) -> bool {
        self.buffer.is_some() || self.disk != DiskState::Missing
    }

    fn contents(&self, is_excluded: bool) -> Contents {
        match (&self.buffer, &self.disk) {
            (Some(text), _) => Contents::Text(text.clone()),
            (None, _) if is_excluded => Contents::Missing,
            (None, DiskState::Text(text)) => Contents::Text(text.clone()),
            (None, DiskState::Packed(packed)) => Contents::Packed(packed.clone()),
            (None, DiskState::NotUtf8(mark)) => Contents::NotUtf8(*mark),
            (None, DiskState::Unreadable(why)) => Contents::Unreadable(why.as_str().into()),
            (None, DiskState::Unread) => Contents::Unread,
            (None, DiskState::Missing) => Contents::Missing,
        }
    }
}

/// The virtual file system. Merges changes and writes the differences to the database.
#[derive(Default, Debug)]
pub struct Vfs {
    entries: BTreeMap<FilePath, VfsEntry>,
    table: FileTable,
    settings: Settings,
    /// Texts that are not analyzed.
    skipped: FxHashSet<TextDigest>,
    roots: Vec<FilePath>,
    unread_folders: BTreeSet<FilePath>,
    /// Folders that are or were unreadable. Each has an entry as if it were a file.
    closed_folders: BTreeSet<FilePath>,
    layout: WorkspaceLayout,
    modules: FxHashMap<FilePath, ModuleTree>,
    environments: FxHashMap<Option<FilePath>, Environment>,
}

/// Changes of a batch that has been merged.
struct MergedBatch {
    /// Changed files, sorted.
    changed: Vec<FilePath>,
    /// True if the roles of folders may have changed.
    layout_changed: bool,
    settings_changed: bool,
    installed: Option<Vec<InstalledFolder>>,
}

/// Maximum length in bytes of texts that are analyzed: trees of longer ones would take hundreds of megabytes.
pub const MAX_TEXT_LENGTH: usize = 10 << 20;

/// Reason why a text is not analyzed.
const SKIP_REASON: &str = "the server crashed while analyzing this text; it is skipped until it changes";

impl Vfs {
    /// Excludes texts from analysis, independently of their file.
    pub fn skip(&mut self, texts: impl IntoIterator<Item = TextDigest>) {
        self.skipped.extend(texts);
    }

    /// Reverts [`Vfs::skip`] for a text.
    pub fn unskip(&mut self, text: TextDigest) {
        self.skipped.remove(&text);
    }

    /// Returns the current files.
    pub fn table(&self) -> &FileTable {
        &self.table
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the workspace folders.
    pub fn roots(&self) -> &[FilePath] {
        &self.roots
    }

    /// Returns all paths known to exist at or below a folder, including files that determine the layout.
    pub fn paths_below<'a>(&'a self, folder: &'a FilePath) -> impl Iterator<Item = &'a FilePath> {
        let from = self.entries.range::<FilePath, _>(folder..);
        let below = from
            .take_while(|(path, _)| path.as_str().starts_with(folder.as_str()))
            .filter(|(path, _)| path.starts_with(folder));
        below.filter(|(_, entry)| entry.disk != DiskState::Missing).map(|(path, _)| path)
    }

    /// Returns the folders in which environments look for modules.
    pub fn module_folders(&self) -> impl Iterator<Item = &FilePath> {
        self.layout.module_folders.iter()
    }

    /// Returns the folders of an environment whose modules are used although Puppet would not look there, and
    /// whether that is because a setting (`environment.conf`, the command line) defines the module path.
    pub fn further_folders(&self, environment: &FilePath) -> (BTreeSet<FilePath>, bool) {
        self.layout.further_folders(environment)
    }

    /// Returns the configured main manifest of an environment if it does not exist.
    pub fn absent_manifest(&self, environment: &FilePath) -> Option<&FilePath> {
        self.layout.absent_manifest(environment)
    }

    /// Returns the paths of the user's fact files, existing or not.
    pub fn fact_file_paths(&self) -> impl Iterator<Item = FilePath> {
        self.settings.fact_files.iter().flat_map(|file| match FilePath::from_native(file) {
            Some(path) => vec![path],
            None => self.roots.iter().map(|root| root.join(&file.replace('\\', "/"))).collect(),
        })
    }

    /// Returns true if the path is known to exist on disk.
    pub fn is_on_disk(&self, path: &FilePath) -> bool {
        self.entries.get(path).is_some_and(|entry| entry.disk != DiskState::Missing)
    }

    /// Returns the environment of a folder; for `None`, that of files that are in no other environment.
    pub fn environment(&self, root: Option<&FilePath>) -> Option<Environment> {
        self.environments.get(&root.cloned()).copied()
    }

    /// Returns the environments by folder. The environment of files that are in no other one comes first.
    pub fn environments(&self) -> Vec<Environment> {
        self.layout.environments.keys().filter_map(|root| self.environments.get(root).copied()).collect()
    }

    /// Replaces the settings; returns true if that changes the layout.
    fn replace_settings(&mut self, settings: Settings, changed: &mut Vec<FilePath>) -> bool {
        let old = std::mem::replace(&mut self.settings, settings);
        let new = &self.settings;
        let exclusion_changed = old.excluded_paths != new.excluded_paths;
        if exclusion_changed || old.large_file_limit != new.large_file_limit {
            changed.extend(self.entries.keys().cloned());
        }
        exclusion_changed
            || old.module_path != new.module_path
            || old.module_path_is_whole != new.module_path_is_whole
            || old.base_module_path != new.base_module_path
            || old.fact_files != new.fact_files
    }

    /// Writes a batch to the database. Only inputs whose value differs are updated.
    pub fn apply(&mut self, db: &mut ProjectDatabase, batch: ChangeBatch) {
        let _span = tracing::info_span!("apply_changes").entered();
        let is_first = self.environments.is_empty();
        for (path, edit) in &batch.edits {
            if let Some(file) = self.table.file(path) {
                file.last_trees(db).set_edit(edit.clone());
            }
        }
        let MergedBatch { changed, mut layout_changed, settings_changed, installed } = self.merge(batch);
        if settings_changed {
            self.write_settings(db);
        }
        // New files need an environment to belong to.
        self.environment_handle(db, None);
        for path in changed {
            layout_changed |= self.write_contents(db, &path);
        }
        if layout_changed || is_first {
            self.write_layout(db);
        }
        if let Some(folders) = installed {
            self.write_installed(db, &folders);
        }
    }

    /// Merges a batch without writing to the database.
    fn merge(&mut self, batch: ChangeBatch) -> MergedBatch {
        let mut layout_changed = false;
        let mut changed: Vec<FilePath> = Vec::new();
        let settings = batch.settings.filter(|settings| *settings != self.settings);
        let settings_changed = settings.is_some();
        if let Some(settings) = settings {
            layout_changed |= self.replace_settings(settings, &mut changed);
        }
        if let Some(folders) = batch.unread_folders {
            let folders = BTreeSet::from_iter(folders);
            layout_changed |= folders != self.unread_folders;
            self.unread_folders = folders;
        }
        if let Some(roots) = batch.roots {
            let roots: Vec<_> = roots.iter().filter_map(|root| FilePath::from_normalised(root)).collect();
            if roots != self.roots {
                self.roots = roots;
                layout_changed = true;
                if !self.settings.excluded_paths.is_empty() {
                    changed.extend(self.entries.keys().cloned());
                }
            }
        }
        for (path, disk) in batch.disk {
            let is_closed = matches!(disk, DiskState::Unreadable(_)) && !is_interesting(&path);
            if is_closed && !path.is_opaque() {
                layout_changed |= self.closed_folders.insert(path.clone());
                self.entry(&path);
            }
            if self.replace(&path, |entry| &mut entry.disk, disk) {
                layout_changed |= determines_layout(&path);
                changed.push(path);
            }
        }
        for (path, buffer) in batch.buffers {
            let digest = self.digest_of_buffer(&path, buffer.as_deref());
            if self.replace(&path, |entry| &mut entry.buffer, buffer) {
                self.entry(&path).digest = digest;
                layout_changed |= determines_layout(&path);
                changed.push(path);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        MergedBatch { changed, layout_changed, settings_changed, installed: batch.installed }
    }

    /// Replaces the disk state or the buffer of a file; returns false if it is irrelevant or unchanged.
    fn replace<T: PartialEq>(
        &mut self,
        path: &FilePath,
        part: impl FnOnce(&mut VfsEntry) -> &mut T,
        new: T,
    ) -> bool {
        if !is_interesting(path) && !self.entries.contains_key(path) {
            return false;
        }
        let part = part(self.entry(path));
        let is_new = *part != new;
        *part = new;
        is_new
    }

    /// Returns the digest of a new buffer, based on that of the previous one; `None` if no text is skipped, so that
    /// digests do not matter.
    fn digest_of_buffer(&self, path: &FilePath, buffer: Option<&str>) -> Option<TextDigest> {
        let new = buffer.filter(|_| !self.skipped.is_empty())?;
        let entry = self.entries.get(path);
        match entry.and_then(|entry| Some((entry.buffer.as_deref()?, entry.digest?))) {
            Some((old, digest)) => Some(digest.of_newer(old, new)),
            None => Some(TextDigest::of(new)),
        }
    }

    fn entry(&mut self, path: &FilePath) -> &mut VfsEntry {
        let new = || VfsEntry { disk: DiskState::Missing, buffer: None, digest: None, file: None };
        self.entries.entry(path.clone()).or_insert_with(new)
    }

    fn is_excluded(&self, path: &FilePath) -> bool {
        self.settings.excluded_paths.iter().any(|excluded| match FilePath::from_native(excluded) {
            Some(folder) => path.starts_with(&folder),
            None => self.roots.iter().any(|root| path.starts_with(&root.join(&excluded.replace('\\', "/")))),
        })
    }

    /// Returns the contents of a file as seen by queries.
    fn contents(&self, path: &FilePath, entry: &VfsEntry) -> Contents {
        let contents = entry.contents(self.is_excluded(path));
        if contents.length() > MAX_TEXT_LENGTH {
            return Contents::Unread;
        }
        let digest = || match entry.buffer {
            Some(_) if entry.digest.is_some() => entry.digest,
            _ => contents.text().map(|text| TextDigest::of(&text)),
        };
        if !self.skipped.is_empty() && digest().is_some_and(|digest| self.skipped.contains(&digest)) {
            return Contents::Unreadable(SKIP_REASON.into());
        }
        contents
    }
}
