//! The only owner of paths, and the only writer of inputs. Disk, unsaved buffers and settings merge here, in batches.

mod encoding;
mod environment_conf;
mod layout;
pub(crate) mod memory;
mod modules;
mod packed_text;
mod path;
mod settle;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hir::{DefinitionKind, Name};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use salsa::{Durability, Setter};

use crate::{
    Contents, Environment, File, FileKind, FileRole, InstalledPuppet, ModuleTree, ProjectDatabase, Settings,
};
use layout::{LayoutInput, PlaceLayout, WorkspaceLayout};

pub use encoding::ByteOrderMark;
pub use environment_conf::environment_conf_warnings;
pub(crate) use layout::AUTOLOAD_FOLDERS;
pub use modules::ModuleMap;
pub use packed_text::{ByteStore, PackedText, TextOnDisk};
pub use path::FilePath;

/// What is on disk at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiskState {
    Text(Arc<str>),
    Packed(PackedText),
    /// With what the file says of itself.
    NotUtf8(Option<ByteOrderMark>),
    /// Why it cannot be read.
    Unreadable(String),
    /// It exists, and its text is not wanted: see [`wants_text`].
    Unread,
    Missing,
}

/// Everything that changed at once. It becomes one revision.
#[derive(Clone, Default, Debug)]
pub struct ChangeBatch {
    pub settings: Option<Settings>,
    /// The workspace folders: normalised absolute paths.
    pub roots: Option<Vec<String>>,
    /// Only paths that [`is_interesting`] count, and folders that are there and cannot be read.
    pub disk: Vec<(FilePath, DiskState)>,
    /// Folders of modules that are there, but may not be read.
    pub unread_folders: Option<Vec<FilePath>>,
    /// The Ruby files of an installed Puppet, if they are known now.
    pub installed: Option<Vec<InstalledFolder>>,
    /// Texts of open files; `None` for one that was closed: the disk counts again.
    pub buffers: Vec<(FilePath, Option<Arc<str>>)>,
}

/// A folder of an installed Puppet that is laid out as the folder of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledFolder {
    pub root: FilePath,
    /// Each with the path that it would have below a module's folder (`lib/puppet/type/file.rb`).
    pub files: Vec<(Name, FilePath, Arc<str>)>,
}

/// Data files with more bytes are not read.
const MAX_DATA_FILE_SIZE: u64 = 1 << 20;

/// Files that say something about Puppet code ([`FileKind`]): what a scan of a folder should hand over.
pub fn is_interesting(path: &FilePath) -> bool {
    FileKind::of_path(path).is_some()
}

/// Should the text of a file with so many bytes be read? Of others it only matters that they exist
/// ([`DiskState::Unread`]).
pub fn wants_text(path: &FilePath, bytes: u64) -> bool {
    match FileKind::of_path(path) {
        None | Some(FileKind::Asset) => false,
        Some(FileKind::Data | FileKind::ExternalFact) => bytes <= MAX_DATA_FILE_SIZE,
        Some(_) => bytes <= MAX_TEXT_LENGTH as u64,
    }
}

/// Is the text of a file read only when somebody asks for it? Tests are a quarter of all files, and seldom asked for.
pub fn is_read_late(path: &FilePath) -> bool {
    FileKind::of_path(path) == Some(FileKind::Spec)
}

/// May a copy of the text stand elsewhere on the machine? Not of data: it is where secrets are.
pub fn may_be_copied(path: &FilePath) -> bool {
    !matches!(FileKind::of_path(path), Some(FileKind::Data | FileKind::ExternalFact))
}

/// Manifests and templates; documents that are no files and have no extension count as manifests.
fn is_source(path: &FilePath) -> bool {
    match path.extension() {
        Some(extension) => matches!(extension, "pp" | "epp"),
        None => path.is_opaque(),
    }
}

fn tells_layout(path: &FilePath) -> bool {
    !path.is_opaque() && FileKind::of_path(path).is_some_and(FileKind::tells_layout)
}

/// The files there are. A clone is cheap and stays as it is.
#[derive(Clone, Default, Debug)]
pub struct FileTable {
    by_path: Arc<BTreeMap<FilePath, File>>,
}

impl FileTable {
    /// The manifests and EPP templates that exist or are open, by path.
    pub fn files(&self) -> impl Iterator<Item = File> + '_ {
        self.by_path.iter().filter(|(path, _)| is_source(path)).map(|(_, file)| *file)
    }

    /// The files of all kinds, by path.
    pub fn all_files(&self) -> impl Iterator<Item = File> + '_ {
        self.by_path.values().copied()
    }

    pub fn file(&self, path: &FilePath) -> Option<File> {
        self.by_path.get(path).copied()
    }

    /// The files of a module in the order of their paths, which both tables have.
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
    /// The handle, once the file has existed.
    file: Option<File>,
}

impl VfsEntry {
    /// Is there something on disk, or is it open?
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

/// What two texts have in common that are equal; others, hardly ever. The same in every run of one build.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TextDigest(pub u64);

impl TextDigest {
    pub fn of(text: &str) -> TextDigest {
        use std::hash::Hasher;
        // The text is read for each keystroke.
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        TextDigest(hasher.finish())
    }
}

/// Merges what comes in and writes what differs.
#[derive(Default, Debug)]
pub struct Vfs {
    entries: BTreeMap<FilePath, VfsEntry>,
    table: FileTable,
    settings: Settings,
    /// Texts that are not looked at.
    skipped: FxHashSet<TextDigest>,
    roots: Vec<FilePath>,
    unread_folders: BTreeSet<FilePath>,
    /// Folders that cannot be read or could not once, each of them an entry as if it was a file.
    closed_folders: BTreeSet<FilePath>,
    layout: WorkspaceLayout,
    modules: FxHashMap<FilePath, ModuleTree>,
    environments: FxHashMap<Option<FilePath>, Environment>,
}

/// What a batch has changed that was taken in.
struct TakenBatch {
    /// Files, sorted.
    changed: Vec<FilePath>,
    /// May folders be something else now?
    layout_changed: bool,
    settings_changed: bool,
    installed: Option<Vec<InstalledFolder>>,
}

/// Longer texts are not looked at: their trees would take hundreds of megabytes.
pub const MAX_TEXT_LENGTH: usize = 10 << 20;

/// Why a text is not looked at.
const SKIPPED: &str =
    "the server ended without a word while it looked at this text, so the text is skipped until it changes";

impl Vfs {
    /// From now on these texts are not looked at, whichever files they are of.
    pub fn skip(&mut self, texts: impl IntoIterator<Item = TextDigest>) {
        self.skipped.extend(texts);
    }

    /// From now on this text is looked at.
    pub fn look_at_again(&mut self, text: TextDigest) {
        self.skipped.remove(&text);
    }

    /// The files there are now.
    pub fn table(&self) -> &FileTable {
        &self.table
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The workspace folders.
    pub fn roots(&self) -> &[FilePath] {
        &self.roots
    }

    /// Everything that is known to exist at a path or below it, files that tell the layout included.
    pub fn paths_below<'a>(&'a self, folder: &'a FilePath) -> impl Iterator<Item = &'a FilePath> {
        let from = self.entries.range::<FilePath, _>(folder..);
        let below = from
            .take_while(|(path, _)| path.as_str().starts_with(folder.as_str()))
            .filter(|(path, _)| path.starts_with(folder));
        below.filter(|(_, entry)| entry.disk != DiskState::Missing).map(|(path, _)| path)
    }

    /// The folders in which environments look for modules.
    pub fn module_folders(&self) -> impl Iterator<Item = &FilePath> {
        self.layout.module_folders.iter()
    }

    /// The folders below an environment's own that modules are taken from although Puppet would not look there, and whether that
    /// is so because a setting (`environment.conf`, the command line) says what the module path is.
    pub fn further_folders(&self, environment: &FilePath) -> (BTreeSet<FilePath>, bool) {
        self.layout.further_folders(environment)
    }

    /// Where a setting of an environment says that its main manifest is, if nothing is there.
    pub fn absent_manifest(&self, environment: &FilePath) -> Option<&FilePath> {
        self.layout.absent_manifest(environment)
    }

    /// Where the files of facts that the user names lie, whether they are there or not.
    pub fn fact_file_paths(&self) -> impl Iterator<Item = FilePath> {
        self.settings.fact_files.iter().flat_map(|file| match FilePath::from_native(file) {
            Some(path) => vec![path],
            None => self.roots.iter().map(|root| root.join(&file.replace('\\', "/"))).collect(),
        })
    }

    /// Is it known what is on disk at a path, and is it something?
    pub fn is_on_disk(&self, path: &FilePath) -> bool {
        self.entries.get(path).is_some_and(|entry| entry.disk != DiskState::Missing)
    }

    /// The environment of a folder, or with `None` that of all that lies in no other.
    pub fn environment(&self, root: Option<&FilePath>) -> Option<Environment> {
        self.environments.get(&root.cloned()).copied()
    }

    /// The environments there are, by folder, that of all that lies in no other first.
    pub fn environments(&self) -> Vec<Environment> {
        self.layout.environments.keys().filter_map(|root| self.environments.get(root).copied()).collect()
    }

    /// Takes settings in. Do they change what is found where?
    fn take_settings(&mut self, settings: Settings, changed: &mut Vec<FilePath>) -> bool {
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

    /// Writes a batch into the database; only inputs whose value differs are touched.
    pub fn apply(&mut self, db: &mut ProjectDatabase, batch: ChangeBatch) {
        let _span = tracing::info_span!("apply_changes").entered();
        let is_first = self.environments.is_empty();
        let TakenBatch { changed, mut layout_changed, settings_changed, installed } = self.take_in(batch);
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

    /// Takes a batch in, and writes nothing yet.
    fn take_in(&mut self, batch: ChangeBatch) -> TakenBatch {
        let mut layout_changed = false;
        let mut changed: Vec<FilePath> = Vec::new();
        let settings = batch.settings.filter(|settings| *settings != self.settings);
        let settings_changed = settings.is_some();
        if let Some(settings) = settings {
            layout_changed |= self.take_settings(settings, &mut changed);
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
                layout_changed |= tells_layout(&path);
                changed.push(path);
            }
        }
        for (path, buffer) in batch.buffers {
            if self.replace(&path, |entry| &mut entry.buffer, buffer) {
                layout_changed |= tells_layout(&path);
                changed.push(path);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        TakenBatch { changed, layout_changed, settings_changed, installed: batch.installed }
    }

    /// Takes the place of what was installed before. Nothing that is kept for long depends on it.
    fn write_installed(&mut self, db: &mut ProjectDatabase, folders: &[InstalledFolder]) {
        let environments = Arc::new([self.environment_handle(db, None)]);
        let mut trees = Vec::new();
        for folder in folders {
            let tree = ModuleTree::builder(folder.root.clone(), "puppet".into(), false, Arc::default())
                .durability(Durability::HIGH)
                .files_durability(Durability::LOW)
                .new(db);
            let file = |(relative, path, text): &(Name, FilePath, Arc<str>)| {
                let place = FileRole::Module { module: tree, relative: relative.clone() };
                let contents = Contents::Text(text.clone());
                let file = File::builder(path.clone(), contents, false, false, place, environments.clone());
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
                // A singleton: asked for by its type.
                let _ = InstalledPuppet::builder(trees.into()).durability(Durability::LOW).new(db);
            }
        }
    }

    /// Puts in place what was read of a file or written into its buffer; false where nobody asks for it, or it is the same.
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

    fn entry(&mut self, path: &FilePath) -> &mut VfsEntry {
        let new = || VfsEntry { disk: DiskState::Missing, buffer: None, file: None };
        self.entries.entry(path.clone()).or_insert_with(new)
    }

    fn is_excluded(&self, path: &FilePath) -> bool {
        self.settings.excluded_paths.iter().any(|excluded| match FilePath::from_native(excluded) {
            Some(folder) => path.starts_with(&folder),
            None => self.roots.iter().any(|root| path.starts_with(&root.join(&excluded.replace('\\', "/")))),
        })
    }

    /// What a file holds for all who ask.
    fn contents(&self, path: &FilePath, entry: &VfsEntry) -> Contents {
        let contents = entry.contents(self.is_excluded(path));
        if contents.length() > MAX_TEXT_LENGTH {
            return Contents::Unread;
        }
        let is_skipped = |text: Arc<str>| self.skipped.contains(&TextDigest::of(&text));
        if !self.skipped.is_empty() && contents.text().is_some_and(is_skipped) {
            return Contents::Unreadable(SKIPPED.into());
        }
        contents
    }

    /// Brings one file up to date; true when a file has appeared or vanished.
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
        // What is being typed in changes often, the rest seldom.
        let durability = if is_open { Durability::LOW } else { Durability::MEDIUM };
        let file = match entry.file {
            Some(file) => {
                if *file.contents(db) != contents {
                    file.set_contents(db).with_durability(durability).to(contents);
                }
                if file.is_open(db) != is_open {
                    file.set_is_open(db).with_durability(Durability::MEDIUM).to(is_open);
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
                        .is_open_durability(Durability::MEDIUM)
                        .is_large_durability(Durability::MEDIUM)
                        .new(db);
                file.last_trees(db).set_open(is_open);
                *entry.file.insert(file)
            }
        };
        let existed = self.table.by_path.contains_key(path);
        if exists != existed {
            let table = Arc::make_mut(&mut self.table.by_path);
            match exists {
                true => table.insert(path.clone(), file),
                false => table.remove(path),
            };
        }
        exists != existed
    }

    /// Finds out again what the folders are, and writes the difference.
    fn write_layout(&mut self, db: &mut ProjectDatabase) {
        let layout = self.detect_layout();
        let old = std::mem::replace(&mut self.layout, layout);
        self.write_modules(db, &old);
        self.write_environments(db, &old);
        self.write_places(db);
        // The files have it from now on, and the next layout says it anew.
        self.layout.places = FxHashMap::default();
    }

    /// What the folders are.
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
            let text = entry.buffer.as_ref().or(disk).filter(|it| it.len() <= limit && tells_layout(path));
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

    /// The modules of an environment. Those of the environment around it are written before: its folder comes first.
    fn modules_of(&self, db: &ProjectDatabase, environment: &layout::EnvironmentLayout) -> ModuleMap {
        let own = environment.modules.iter();
        let own = own.filter_map(|(name, root)| Some((name.clone(), *self.modules.get(root)?))).collect();
        let around = environment.around.as_ref().and_then(|root| self.environments.get(root));
        ModuleMap::new(own, around.map(|it| it.modules(db).clone()))
    }

    /// Are there folders that cannot be read where an environment looks for modules, or in which these have what others may use?
    fn lacks_modules(&self, environment: &layout::EnvironmentLayout) -> bool {
        let is_closed = |it: &&FilePath| {
            self.entries.get(*it).is_some_and(|entry| matches!(entry.disk, DiskState::Unreadable(_)))
        };
        let roots = || environment.modules.values().chain(&environment.shadowed);
        let holds_code = |below: &str| {
            let first = below.split('/').next().unwrap_or_default();
            first == "lib" || AUTOLOAD_FOLDERS.contains(&first)
        };
        let matters = |it: &FilePath| {
            let is_module = it.parent().is_some_and(|parent| environment.module_path.contains(&parent));
            is_module
                || environment.module_path.contains(it)
                || roots().any(|root| it.strip_prefix(root).is_some_and(holds_code))
        };
        let around = || self.layout.environments.get(environment.around.as_ref()?);
        environment.module_path.iter().any(|it| self.unread_folders.contains(it))
            || self.closed_folders.iter().filter(is_closed).any(matters)
            || around().is_some_and(|around| self.lacks_modules(around))
    }

    fn write_places(&mut self, db: &mut ProjectDatabase) {
        let mut lists = FxHashSet::default();
        let mut last: Option<(String, Option<ModuleTree>, Arc<[Environment]>)> = None;
        for (path, file) in self.table.by_path.iter() {
            let place = self.place_of(path);
            let module = match &place {
                FileRole::Module { module, .. } => Some(*module),
                _ => None,
            };
            // The files of one folder and module have the same ones.
            let known = last.take().filter(|it| path.folder() == Some(&it.0) && it.1 == module);
            let (folder, _, environments) = known.unwrap_or_else(|| {
                let folder = path.folder().unwrap_or_default().to_owned();
                (folder, module, self.environments_of(path, &mut lists))
            });
            if *file.place(db) != place {
                file.set_place(db).with_durability(Durability::HIGH).to(place);
            }
            if *file.environments(db) != environments {
                file.set_environments(db).with_durability(Durability::HIGH).to(environments.clone());
            }
            last = Some((folder, module, environments));
        }
    }

    /// Where the layout has a file.
    fn place_of(&self, path: &FilePath) -> FileRole {
        match self.layout.places.get(path) {
            None => FileRole::Loose,
            Some(PlaceLayout::MainManifest { .. }) => FileRole::MainManifest,
            Some(PlaceLayout::Module { root, relative }) => match self.modules.get(root) {
                Some(module) => FileRole::Module { module: *module, relative: relative.clone() },
                None => FileRole::Loose,
            },
        }
    }

    /// The environments of a file. Many files have the same ones: `lists` are those of the files before.
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

    /// The handle of an environment, made with the settings as they are where there is none.
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
            .durability(Durability::HIGH)
            .new(db)
        })
    }

    /// From now on these classes and nodes of an environment are not compiled.
    pub fn leave_out(
        &mut self,
        db: &mut ProjectDatabase,
        environment: Environment,
        names: FxHashSet<(DefinitionKind, Name)>,
    ) {
        environment.set_left_out(db).to(Arc::new(names));
    }

    fn write_settings(&mut self, db: &mut ProjectDatabase) {
        let (version, strict, tasks) =
            (self.settings.puppet_version, self.settings.strict(), self.settings.tasks);
        for environment in self.environments.values().copied() {
            if environment.puppet_version(db) != version {
                environment.set_puppet_version(db).with_durability(Durability::HIGH).to(version);
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
