//! Virtual file system: the only owner of paths, and the only writer of inputs. Merges the disk, unsaved
//! buffers and settings in batches.

mod copy;
mod encoding;
mod environment_conf;
mod freeze;
mod layout;
pub(crate) mod memory;
mod modules;
mod packed_text;
mod path;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher;
use std::sync::Arc;

use hir::{DefinitionKind, Name};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use salsa::{Durability, Setter};
use syntax::{TextRange, common_ends};

use crate::{
    Contents, Environment, File, FileKind, FileRole, InstalledPuppet, ModuleTree, ProjectDatabase, Settings,
};
use layout::{LayoutInput, RoleLayout, WorkspaceLayout};

pub use encoding::ByteOrderMark;
pub use environment_conf::environment_conf_warnings;
pub use layout::{AUTOLOAD_FOLDERS, MODULE_FOLDERS};
pub use modules::ModuleMap;
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

/// Hash of a text. Stable across runs of one build.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TextDigest(pub u64);

impl TextDigest {
    pub fn of(text: &str) -> TextDigest {
        TextDigest(line_pairs(text, 0, text.len()))
    }

    /// Returns the digest of `new`, which results from replacing `range` of `old` with `inserted` bytes; `self`
    /// is that of `old`. The text is hashed on each keystroke, so this only looks at the lines of the edit.
    #[must_use]
    pub fn edited(self, old: &str, range: TextRange, new: &str, inserted: u32) -> TextDigest {
        let start = old[..range.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end = end_of_line(old, range.end as usize);
        let new_end = end - range.end as usize + (range.start + inserted) as usize;
        let unchanged = self.0.wrapping_sub(line_pairs(old, start, end));
        TextDigest(unchanged.wrapping_add(line_pairs(new, start, new_end)))
    }
}

impl TextDigest {
    /// Returns the digest of `new`, given that of `old`. Only compares the parts that the texts have in common.
    fn of_newer(self, old: &str, new: &str) -> TextDigest {
        let (mut start, same_at_end) = common_ends(old.as_bytes(), new.as_bytes());
        let mut end = old.len() - same_at_end;
        // The texts may share a part of a character.
        while !old.is_char_boundary(start) {
            start -= 1;
        }
        while !old.is_char_boundary(end) {
            end += 1;
        }
        let inserted = new.len() - (old.len() - end) - start;
        self.edited(old, TextRange::new(start as u32, end as u32), new, inserted as u32)
    }
}

fn end_of_line(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at + 1)
}

/// Returns the sum of the hashes of each line between two starts of lines, and of the line at `end`, each
/// combined with the hash of the line before it.
fn line_pairs(text: &str, start: usize, end: usize) -> u64 {
    fn hash(line: &str) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write(line.as_bytes());
        hasher.finish()
    }
    let mut before = match text[..start].strip_suffix('\n') {
        Some(lines) => hash(&text[lines.rfind('\n').map_or(0, |at| at + 1)..start]),
        None => 0,
    };
    let following = &text[end..end_of_line(text, end)];
    let lines = text[start..end].split_inclusive('\n').chain((!following.is_empty()).then_some(following));
    lines.fold(0, |sum: u64, line| {
        let mut pair = FxHasher::default();
        pair.write_u64(std::mem::replace(&mut before, hash(line)));
        pair.write_u64(before);
        sum.wrapping_add(pair.finish())
    })
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

    /// Replaces the installed Puppet. No long-lived result depends on it.
    fn write_installed(&mut self, db: &mut ProjectDatabase, folders: &[InstalledFolder]) {
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

    /// Updates one file; returns true if it has appeared or vanished.
    fn write_contents(&mut self, db: &mut ProjectDatabase, path: &FilePath) -> bool {
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
    fn write_layout(&mut self, db: &mut ProjectDatabase) {
        let layout = self.detect_layout();
        let old = std::mem::replace(&mut self.layout, layout);
        self.write_modules(db, &old);
        self.write_environments(db, &old);
        self.write_roles(db);
        // The files store their role now, and the next detection computes it again.
        self.layout.roles = FxHashMap::default();
    }

    /// Detects the roles of folders.
    fn detect_layout(&self) -> WorkspaceLayout {
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
        let empty = layout::ModuleLayout::default();
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
        let empty = layout::EnvironmentLayout::default();
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
    fn modules_of(&self, db: &ProjectDatabase, environment: &layout::EnvironmentLayout) -> ModuleMap {
        let own = environment.modules.iter();
        let own = own.filter_map(|(name, root)| Some((name.clone(), *self.modules.get(root)?))).collect();
        let around = environment.around.as_ref().and_then(|root| self.environments.get(root));
        ModuleMap::new(own, around.map(|it| it.modules(db).clone()))
    }

    /// Returns true if folders on the module path cannot be read, or folders of its modules whose code others
    /// may use.
    fn lacks_modules(&self, environment: &layout::EnvironmentLayout) -> bool {
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
    fn role_of(&self, path: &FilePath) -> FileRole {
        match self.layout.roles.get(path) {
            None => FileRole::Loose,
            Some(RoleLayout::MainManifest { .. }) => FileRole::MainManifest,
            Some(RoleLayout::Module { root, relative }) => match self.modules.get(root) {
                Some(module) => FileRole::Module { module: *module, relative: relative.clone() },
                None => FileRole::Loose,
            },
        }
    }

    /// Returns the environments of a file. Many files have the same ones, so they are interned in `lists`.
    fn environments_of(
        &self,
        path: &FilePath,
        lists: &mut FxHashSet<Arc<[Environment]>>,
    ) -> Arc<[Environment]> {
        let roots = self.layout.environments_of(path);
        let found: Arc<[Environment]> =
            roots.iter().filter_map(|root| self.environments.get(root).copied()).collect();
        let known = lists.get(&found).cloned();
        known.unwrap_or_else(|| {
            lists.insert(found.clone());
            found
        })
    }

    /// Returns the handle of an environment; creates it from the current settings if necessary.
    fn environment_handle(&mut self, db: &ProjectDatabase, root: Option<&FilePath>) -> Environment {
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

    fn write_settings(&mut self, db: &mut ProjectDatabase) {
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

#[cfg(test)]
#[path = "vfs/digest_tests.rs"]
mod digest_tests;
