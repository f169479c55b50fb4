//! Base revision of a comparison, read from Git without touching the work tree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use compile::{FileRead, FileReader, ParsedData};
use disk::ignored::{IgnoreFiles, IgnoreRules};
use disk::{Disk, Folders, Links, TrustedFolders};
use git::{
    CheckoutAttributes, EntryKind, FileAttributes, Index, ObjectContents, ObjectName, Repository,
    RevisionTree, identified,
};
use ide::{Analysis, DiskState, EnvironmentId, FilePath};
use sha2::{Digest, Sha256};

use catalog_view::text::plural;

/// Maximum number of files reached through links to folders.
const MAX_LINKED_FILES: usize = 200_000;

/// First bytes of a Git LFS pointer file.
const LFS_MARK: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Maximum size of a pointer file in bytes.
const MAX_POINTER_LENGTH: usize = 1024;

/// First bytes of a file encrypted by git-crypt.
const CRYPT_MARK: &[u8] = b"\0GITCRYPT\0";

/// A revision of the repository that contains a folder.
pub struct BaseRevision {
    /// The repository and its submodules.
    repositories: Mutex<Vec<Repository>>,
    commit: ObjectName,
    top: PathBuf,
    top_path: FilePath,
    files: BTreeMap<String, BaseFile>,
    /// Files that exist now but not in the revision.
    added: BTreeSet<String>,
    /// Modules that were replaced by other versions, with the folders of those.
    installed: Vec<(FilePath, PathBuf)>,
    installed_disk: Disk,
    /// Files of modules in other folders than now, which may differ.
    moved: BTreeSet<FilePath>,
    /// Reader for unchanged files.
    disk: Disk,
    parsed: ParsedData,
    converts_lines: bool,
    attributes: CheckoutAttributes,
    /// Descriptions of what is unknown about the revision.
    gaps: Mutex<BTreeSet<String>>,
}

/// Modules of one side.
pub struct InstalledModules<'m> {
    /// Names with folders.
    pub roots: Vec<(String, FilePath)>,
    /// Returns the files below a folder.
    pub paths_below: &'m dyn Fn(&FilePath) -> Vec<FilePath>,
}

/// A file of the revision.
#[derive(Clone, Copy, Debug)]
struct BaseFile {
    /// Index of its repository.
    repository: usize,
    object: ObjectName,
    /// True if the file on disk equals a checkout of the revision.
    is_unchanged: bool,
}

/// Contents of a file in the revision.
enum BaseContents {
    /// Same as on disk now.
    Unchanged,
    Bytes(Vec<u8>),
    TooLarge,
}

impl BaseRevision {
    /// Reads the file list of a revision.
    pub fn read(folder: &Path, revision: &str, disk: Disk) -> anyhow::Result<BaseRevision> {
        let repository = Repository::around(folder)?;
        let repository =
            repository.with_context(|| format!("`{}` is not in a Git repository", folder.display()))?;
        let top = repository.top().to_owned();
        let commit = repository.commit(revision)?;
        let mut base = BaseRevision {
            commit,
            repositories: Mutex::default(),
            top_path: top_as_written(folder, &top)?,
            converts_lines: repository.converts_lines(),
            top: top.clone(),
            attributes: CheckoutAttributes::default(),
            files: BTreeMap::new(),
            added: BTreeSet::new(),
            installed: Vec::new(),
            installed_disk: Disk::new(TrustedFolders::new(Vec::<&Path>::new(), Vec::new())),
            moved: BTreeSet::new(),
            disk,
            parsed: ParsedData::default(),
            gaps: Mutex::default(),
        };
        if repository.replaces_objects() {
            base.note("replaced objects and grafts of the Git repository are ignored".to_owned());
        }
        base.take_repository("", repository, commit)?;
        base.add_untracked();
        let prefix = base.below(folder);
        let is_there = prefix.is_empty() || base.files.keys().any(|path| path.starts_with(&prefix));
        if !is_there {
            base.note(format!("`{}` not found in `{revision}`", prefix.trim_end_matches('/')));
        }
        Ok(base)
    }

    /// Returns the commit.
    pub fn commit(&self) -> ObjectName {
        self.commit
    }

    /// Returns descriptions of what is unknown about the revision.
    pub fn gaps(&self) -> Vec<String> {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub fn note(&self, gap: String) {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner).insert(codes::single_line(&gap));
    }

    /// Returns the path of a folder relative to the top folder, with a trailing `/`; empty for the top
    /// folder.
    fn below(&self, folder: &Path) -> String {
        let folder = folder.canonicalize().unwrap_or_default();
        let below = folder.strip_prefix(&self.top).ok().and_then(Path::to_str).unwrap_or_default();
        if below.is_empty() { String::new() } else { below.replace('\\', "/") + "/" }
    }

    /// Adds the files of a commit and its submodules, and the currently tracked files.
    fn take_repository(
        &mut self,
        prefix: &str,
        repository: Repository,
        commit: ObjectName,
    ) -> anyhow::Result<()> {
        let tree = repository.tree(commit)?;
        let index = repository.index().unwrap_or_else(|error| {
            self.note(format!("cannot read the Git index: {error:#}"));
            Index::default()
        });
        let is_there = |path: &str| self.top.join(format!("{prefix}{path}")).symlink_metadata().is_ok();
        let left_out: BTreeSet<&String> = index
            .entries
            .iter()
            .filter(|(path, it)| it.is_sparse && !is_there(path))
            .map(|(path, _)| path)
            .collect();
        // Files missing from a sparse checkout are not compared.
        let is_left_out = |path: &String| {
            left_out.contains(path) || index.sparse_folders.iter().any(|folder| path.starts_with(folder))
        };
        let count = tree.entries.keys().filter(|path| is_left_out(path)).count();
        if count > 0 {
            let files = plural(count, "tracked file is", "tracked files are");
            self.note(format!("{files} not on disk: the checkout is sparse"));
        }
        self.attributes.take(prefix, &repository, &tree);
        let links = links(&repository, &tree);
        let repositories = self.repositories.get_mut().unwrap_or_else(PoisonError::into_inner);
        let number = repositories.len();
        repositories.push(repository);
        for (path, entry) in tree.entries.iter().filter(|(path, _)| !is_left_out(path)) {
            let known = index.entries.get(path);
            let is_unchanged = known.is_some_and(|it| it.is_as_checked_out && it.object == entry.object);
            let file = BaseFile { repository: number, object: entry.object, is_unchanged };
            match entry.kind {
                EntryKind::File => drop(self.files.insert(format!("{prefix}{path}"), file)),
                EntryKind::Submodule => self.take_submodule(&format!("{prefix}{path}"), entry.object),
                EntryKind::Link => {}
            }
        }
        for (path, object) in links {
            let file = BaseFile { repository: number, object, is_unchanged: false };
            self.files.insert(format!("{prefix}{path}"), file);
        }
        for (path, entry) in &index.entries {
            let whole = format!("{prefix}{path}");
            match entry.kind {
                EntryKind::Submodule if !tree.entries.contains_key(path) => self.add_submodule(&whole),
                EntryKind::Submodule => {}
                EntryKind::File | EntryKind::Link => self.add(whole),
            }
        }
        Ok(())
    }

    /// Adds a commit of a submodule.
    fn take_submodule(&mut self, path: &str, commit: ObjectName) {
        let folder = self.top.join(path);
        // A commit cannot contain a `.git`. Without one, the surrounding repository would be opened instead.
        let taken = if folder.join(".git").exists() {
            Repository::at(&folder)
                .and_then(|nested| self.take_repository(&format!("{path}/"), nested, commit))
        } else {
            Err(anyhow::anyhow!("not checked out; run `git submodule update --init`"))
        };
        if let Err(error) = taken {
            self.note(format!("submodule `{path}` at {}: {error:#}", commit.short()));
        }
    }

    /// Adds a submodule that is not in the revision: all of its files are new.
    fn add_submodule(&mut self, path: &str) {
        let folder = self.top.join(path);
        let index = Repository::at(&folder).and_then(|nested| nested.index());
        for below in index.unwrap_or_default().entries.into_keys() {
            self.add(format!("{path}/{below}"));
        }
    }

    /// Records a file that exists now.
    fn add(&mut self, path: String) {
        if self.files.contains_key(&path) {
            return;
        }
        let there = self.top.join(&path);
        // Files reached through a new link are new.
        if there.is_symlink() && there.is_dir() && self.disk.trusted().admit(&there).is_ok() {
            let room = MAX_LINKED_FILES.saturating_sub(self.added.len());
            for path in files_below(&there, room) {
                let relative = path.strip_prefix(&self.top).ok().and_then(Path::to_str);
                let new = relative.map(|it| it.replace('\\', "/")).filter(|it| !self.files.contains_key(it));
                self.added.extend(new);
            }
        }
        self.added.insert(path);
    }

    /// Records untracked files that are not ignored; they are new unless the revision contains them.
    fn add_untracked(&mut self) {
        let top = self.top.clone();
        let rules = IgnoreRules { reads_plain: false, from_parents: false, requires_git: false };
        let ignored = IgnoreFiles::below(&top, rules);
        let folders = Folders::default();
        let mut walk = folders.walk(&top, Links::Kept);
        while let Some(next) = walk.next() {
            let Ok(entry) = next else { continue };
            // Nested repositories are not part of this one.
            let is_nested = entry.is_folder() && entry.path().join(".git").exists();
            if entry.file_name() == ".git" || is_nested || ignored.is_entry_ignored(&entry) {
                continue;
            }
            if entry.is_folder() {
                walk.enter(&entry);
            } else if let Some(path) = entry.path().strip_prefix(&top).ok().and_then(Path::to_str) {
                self.add(path.replace('\\', "/"));
            }
        }
        for (path, failure) in ignored.not_read() {
            self.note(format!("cannot read ignore file `{}`: {failure}", path.display()));
        }
    }

    /// Uses the modules below a folder as those installed at the revision.
    pub fn install(
        &mut self,
        folder: &Path,
        now: &Analysis,
        environment: EnvironmentId,
    ) -> anyhow::Result<()> {
        let shown = folder.display();
        self.installed_disk = Disk::new(TrustedFolders::new([], [folder]));
        let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read `{shown}`"))?;
        let roots: BTreeMap<String, FilePath> = now.modules(environment).into_iter().collect();
        let environment_root = now.environment_root(environment);
        for entry in entries {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|it| it.to_str()).filter(|_| path.is_dir()) else {
                continue;
            };
            let usual = || Some(environment_root.as_ref()?.join("modules").join(name));
            if let Some(root) = roots.get(name).cloned().or_else(usual) {
                self.installed.push((root, std::path::absolute(&path)?));
            }
        }
        Ok(())
    }

    /// Uses a folder of modules: as it was in the revision, or as it is if Git does not track it.
    ///
    /// # Errors
    /// Fails if the folder exists neither in the revision nor on disk.
    pub fn use_modules(&mut self, folder: &Path) -> anyhow::Result<()> {
        let absolute = std::path::absolute(folder)?;
        let path = absolute.to_str().and_then(FilePath::from_native);
        let path = path.context("the path of the folder is not UTF-8")?;
        let below = path.strip_prefix(&self.top_path).map(|below| format!("{below}/"));
        let is_tracked = below.as_ref().is_some_and(|below| self.has_files(below));
        anyhow::ensure!(is_tracked || absolute.is_dir(), "folder `{}` not found", folder.display());
        if let Some(below) = below.filter(|_| !is_tracked) {
            self.added.retain(|it| !it.starts_with(&below));
        }
        Ok(())
    }

    fn has_files(&self, below: &str) -> bool {
        self.files.range(below.to_owned()..).next().is_some_and(|(it, _)| it.starts_with(below))
    }

    /// Records the files that differ in modules that are in other folders now.
    pub fn compare_modules(&mut self, was: &InstalledModules<'_>, is: &InstalledModules<'_>, disk: &Disk) {
        let by_name = |modules: &'_ InstalledModules<'_>| -> BTreeMap<String, FilePath> {
            modules.roots.iter().cloned().collect()
        };
        let (then, now) = (by_name(was), by_name(is));
        let names: BTreeSet<&String> = now.keys().chain(then.keys()).collect();
        let roots = names.into_iter().map(|name| (then.get(name), now.get(name)));
        let mut moved = BTreeSet::new();
        for (then, now) in roots.filter(|(then, now)| then != now) {
            let below = |root: Option<&FilePath>, modules: &InstalledModules<'_>| -> BTreeSet<String> {
                let paths = root.map(|root| (modules.paths_below)(root)).unwrap_or_default();
                paths.iter().filter_map(|it| Some(it.strip_prefix(root?)?.to_owned())).collect()
            };
            for relative in below(then, was).union(&below(now, is)) {
                let at = |root: Option<&FilePath>| root.map(|root| root.join(relative));
                let (then, now) = (at(then), at(now));
                let read = |path: &Option<FilePath>, reader: &dyn FileReader| match path {
                    Some(path) => reader.read(path.as_str()),
                    None => FileRead::Missing,
                };
                let (before, after) = (read(&then, self), read(&now, disk));
                let is_same =
                    matches!((before, after), (FileRead::Content(a), FileRead::Content(b)) if a == b);
                if !is_same {
                    moved.extend(then.into_iter().chain(now));
                }
            }
        }
        self.moved = moved;
    }

    /// Returns true if the previous contents of a folder are known.
    pub fn knows_below(&self, folder: &FilePath) -> bool {
        let is_installed = self.installed.iter().any(|(root, _)| root == folder);
        let tracked = folder.strip_prefix(&self.top_path).map(|below| format!("{below}/"));
        is_installed || tracked.is_some_and(|below| self.has_files(&below))
    }

    /// Returns the files of the modules installed at the revision, and removes the current ones.
    pub fn installed_states(&self) -> Vec<(FilePath, DiskState)> {
        let mut states = Vec::new();
        for (root, folder) in &self.installed {
            let now = PathBuf::from(root.to_native());
            for (below, is_before) in [(&now, false), (folder, true)] {
                for path in files_below(below, usize::MAX) {
                    let Some(relative) = path.strip_prefix(below).ok().and_then(Path::to_str) else {
                        continue;
                    };
                    let placed = root.join(&relative.replace('\\', "/"));
                    if ide::is_interesting(&placed) {
                        let state = if is_before {
                            disk::read_file(&placed, &path, self.installed_disk.trusted())
                        } else {
                            DiskState::Missing
                        };
                        states.push((placed, state));
                    }
                }
            }
        }
        states
    }

    /// Returns true if a file that modules may serve to nodes may differ from the revision.
    pub fn changes_served_files(&self) -> bool {
        self.changes(|path| path.starts_with("files/") || path.contains("/files/"))
    }

    /// Returns true if a file that Ruby code may read when it computes values may differ from the revision.
    pub fn changes_read_files(&self) -> bool {
        self.changes(|path| {
            let is_of_tests = path.starts_with('.') || path.starts_with("spec/") || path.contains("/spec/");
            !is_of_tests && ![".pp", ".rb", ".md"].iter().any(|extension| path.ends_with(extension))
        })
    }

    /// Returns the Ruby files that may compute values of catalogs, and may differ from the revision in more than
    /// comments and whitespace.
    pub fn changed_ruby(&self) -> BTreeSet<FilePath> {
        let is_meant = |path: &str| {
            let is_library = path.starts_with("lib/") || path.contains("/lib/");
            let runs_on_agent = path.contains("/puppet/type/") || path.contains("/puppet/provider/");
            path.ends_with(".rb") && is_library && !runs_on_agent
        };
        let changed = self.files.iter().filter(|(_, file)| !file.is_unchanged).map(|(path, _)| path);
        let tracked = changed.chain(&self.added).filter(|path| is_meant(path));
        let installed = self.installed_states().into_iter().map(|(path, _)| path);
        let installed = installed.filter(|path| is_meant(path.as_str()));
        let candidates = tracked.map(|path| self.top_path.join(path)).chain(installed);
        let moved = self.moved.iter().filter(|path| is_meant(path.as_str())).cloned();
        candidates.filter(|path| !self.has_same_code(path)).chain(moved).collect()
    }

    /// Returns true if the Ruby code of a file is the same in the revision and now.
    fn has_same_code(&self, path: &FilePath) -> bool {
        let text = |read: FileRead| match read {
            FileRead::Content(bytes) => String::from_utf8(bytes.to_vec()).ok(),
            FileRead::Missing | FileRead::Unknown => None,
        };
        let (before, now) = (text(self.read(path.as_str())), text(self.disk.read(path.as_str())));
        matches!((before, now), (Some(before), Some(now)) if plugins::code::is_same_code(&before, &now))
    }

    fn changes(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let mut changed = self.files.iter().filter(|(_, file)| !file.is_unchanged).map(|(path, _)| path);
        !self.installed.is_empty()
            || self.moved.iter().any(|it| is_meant(it.as_str()))
            || changed.any(|it| is_meant(it))
            || self.added.iter().any(|it| is_meant(it))
    }

    /// Returns the files that differed, with their contents. Only files relevant to Puppet are read.
    pub fn states(&self) -> anyhow::Result<Vec<(FilePath, DiskState)>> {
        let mut states: Vec<(FilePath, DiskState)> =
            self.added.iter().map(|path| (self.top_path.join(path), DiskState::Missing)).collect();
        for (path, file) in self.files.iter().filter(|(_, file)| !file.is_unchanged) {
            let placed = self.top_path.join(path);
            if !ide::is_interesting(&placed) {
                continue;
            }
            // A file whose text is never needed only has to exist.
            let state = if ide::needs_text(&placed, 0) {
                match self.contents(path, file).with_context(|| format!("cannot read `{path}`"))? {
                    BaseContents::Unchanged => continue,
                    BaseContents::TooLarge => DiskState::Unread,
                    BaseContents::Bytes(bytes) => match DiskState::of_bytes(bytes) {
                        DiskState::Text(text) if is_data(path) && hiera::data::is_encrypted(&text) => {
                            self.note_encrypted(path, &text);
                            DiskState::Text(text)
                        }
                        DiskState::Text(text) if !ide::needs_text(&placed, text.len() as u64) => {
                            DiskState::Unread
                        }
                        state => state,
                    },
                }
            } else {
                DiskState::Unread
            };
            states.push((placed, state));
        }
        states.extend(self.installed_states());
        Ok(states)
    }

    /// Reads the current contents of a file, if allowed.
    fn current_bytes(&self, path: &str) -> Vec<u8> {
        match self.disk.read(self.top_path.join(path).as_str()) {
            FileRead::Content(bytes) => bytes.to_vec(),
            FileRead::Missing | FileRead::Unknown => Vec::new(),
        }
    }

    /// Notes encrypted values that have changed.
    fn note_encrypted(&self, path: &str, text: &str) {
        let now = String::from_utf8_lossy(&self.current_bytes(path)).into_owned();
        let now: BTreeMap<&str, Vec<&str>> = lines_by_top_level_key(&now).into_iter().collect();
        for (key, lines) in lines_by_top_level_key(text) {
            let is_other = now.get(key).is_some_and(|now| *now != lines);
            if is_other && hiera::data::is_encrypted(&lines.concat()) {
                self.note(format!("encrypted value `{key}` in `{path}` changed; its contents are unknown"));
            }
        }
    }

    /// Returns the contents of a file as a checkout would have written it.
    fn contents(&self, path: &str, file: &BaseFile) -> anyhow::Result<BaseContents> {
        let repositories = self.repositories.lock().unwrap_or_else(PoisonError::into_inner);
        let repository = repositories.get(file.repository).context("unknown repository")?;
        let ObjectContents::Bytes(bytes) = repository.read(file.object, u64::MAX)? else {
            return Ok(BaseContents::TooLarge);
        };
        drop(repositories);
        let attributes = self.attributes.of(path);
        let is_converted = self.converts_lines || attributes != FileAttributes::default();
        if !is_converted && !is_placeholder(&bytes) {
            return Ok(BaseContents::Bytes(bytes));
        }
        let now = self.current_bytes(path);
        if let Some(conversion) = attributes.conversion.filter(|_| !is_placeholder(&bytes)) {
            self.note(format!("`{path}` may have changed; Git applies {conversion} on checkout"));
            return Ok(BaseContents::Unchanged);
        }
        if is_placeholder(&bytes) {
            if has_pointer_checksum(&bytes, &now) {
                return Ok(BaseContents::Unchanged);
            }
            if !is_placeholder(&now) {
                let keeper = if bytes.starts_with(LFS_MARK) { "Git LFS" } else { "git-crypt" };
                self.note(format!(
                    "`{path}` changed; its previous contents are stored by {keeper} and unknown"
                ));
            }
        }
        let bytes =
            if attributes.is_identified { identified(&bytes, &file.object.to_string()) } else { bytes };
        let is_text = !bytes.contains(&b'\r') && !bytes.contains(&0);
        let is_converted_text =
            is_text && (attributes.has_crlf || self.converts_lines && has_only_crlf(&now));
        Ok(BaseContents::Bytes(if is_converted_text { with_crlf(&bytes) } else { bytes }))
    }
}

/// Reads files of the revision, and current files outside of the repository.
impl FileReader for BaseRevision {
    fn read(&self, path: &str) -> FileRead {
        let Some(file) = FilePath::from_normalised(path) else { return FileRead::Unknown };
        let installed =
            self.installed.iter().find_map(|(root, folder)| Some((file.strip_prefix(root)?, folder)));
        if let Some((below, folder)) = installed {
            let there = folder.join(below);
            let there = there.to_str().and_then(FilePath::from_native);
            return there.map_or(FileRead::Unknown, |it| self.installed_disk.read(it.as_str()));
        }
        let Some(below) = file.strip_prefix(&self.top_path) else { return self.disk.read(path) };
        match self.files.get(below) {
            Some(file) if !file.is_unchanged => match self.contents(below, file) {
                Ok(BaseContents::Bytes(bytes)) => FileRead::Content(bytes.into()),
                Ok(BaseContents::Unchanged) => self.disk.read(path),
                Ok(BaseContents::TooLarge) => {
                    self.note(format!("`{below}` is too large"));
                    FileRead::Unknown
                }
                Err(error) => {
                    self.note(format!("`{below}`: {error:#}"));
                    FileRead::Unknown
                }
            },
            None if self.added.contains(below) => FileRead::Missing,
            Some(_) | None => self.disk.read(path),
        }
    }

    fn parsed_data(&self) -> Option<&ParsedData> {
        Some(&self.parsed)
    }
}

/// Returns at most `limit` files below a folder, following links.
fn files_below(folder: &Path, limit: usize) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let folders = Folders::default();
    let mut walk = folders.walk(folder, Links::Followed);
    while let Some(next) = walk.next().filter(|_| files.len() < limit) {
        match next {
            Ok(entry) if entry.is_folder() => walk.enter(&entry),
            Ok(entry) if entry.file_type().is_file() => files.push(entry.into_path()),
            _ => {}
        }
    }
    files
}

/// Returns the path of the top folder as the user wrote it, with links kept, because the analysis knows files
/// by these paths.
fn top_as_written(folder: &Path, top: &Path) -> anyhow::Result<FilePath> {
    let real = folder.canonicalize()?;
    let depth = real.strip_prefix(top).map_or(0, |below| below.components().count());
    let absolute = std::path::absolute(folder)?;
    let mut written =
        absolute.to_str().and_then(FilePath::from_native).context("the path of the folder is not UTF-8")?;
    for _ in 0..depth {
        written = written.parent().context("the repository has no folder")?;
    }
    Ok(written)
}

/// Resolves the links of a revision to paths and the objects of the files that they lead to.
fn links(repository: &Repository, tree: &RevisionTree) -> Vec<(String, ObjectName)> {
    let mut found = Vec::new();
    for (path, entry) in tree.entries.iter().filter(|(_, entry)| entry.kind == EntryKind::Link) {
        const MAX_LENGTH: u64 = 4096;
        let Ok(ObjectContents::Bytes(target)) = repository.read(entry.object, MAX_LENGTH) else { continue };
        let Some(target) = std::str::from_utf8(&target).ok().and_then(|it| joined(path, it)) else {
            continue;
        };
        match tree.entries.get(&target) {
            Some(file) if file.kind == EntryKind::File => found.push((path.clone(), file.object)),
            Some(_) => {}
            None => {
                let folder = if target.is_empty() { target } else { target + "/" };
                let below =
                    tree.entries.range(folder.clone()..).take_while(|(it, _)| it.starts_with(&folder));
                let files = below.filter(|(_, it)| it.kind == EntryKind::File);
                let room = MAX_LINKED_FILES - found.len().min(MAX_LINKED_FILES);
                found.extend(
                    files
                        .take(room)
                        .map(|(it, file)| (format!("{path}/{}", &it[folder.len()..]), file.object)),
                );
            }
        }
    }
    found
}

/// Resolves a relative link at a path; `None` if it leads outside of the repository.
fn joined(path: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn is_data(path: &str) -> bool {
    [".yaml", ".yml", ".eyaml"].iter().any(|ending| path.ends_with(ending))
}

/// Groups the lines of a data file by top-level key.
fn lines_by_top_level_key(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        let is_top = !line.starts_with([' ', '\t', '#', '-', '}', ']']);
        let entry = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")));
        match entry.filter(|_| is_top) {
            Some((key, rest)) => found.push((key.trim_matches(['"', '\'']), vec![rest])),
            None => found.iter_mut().next_back().into_iter().for_each(|(_, lines)| lines.push(line)),
        }
    }
    found
}

/// Returns true for the placeholder of a file that is stored elsewhere or encrypted.
fn is_placeholder(bytes: &[u8]) -> bool {
    bytes.starts_with(CRYPT_MARK) || bytes.len() <= MAX_POINTER_LENGTH && bytes.starts_with(LFS_MARK)
}

/// Returns true if the checksum in a Git LFS pointer is that of the file.
fn has_pointer_checksum(pointer: &[u8], file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(pointer);
    let wanted = text.lines().find_map(|line| line.strip_prefix("oid sha256:"));
    wanted.is_some_and(|wanted| {
        let found = Sha256::digest(file);
        wanted.trim() == found.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    })
}

/// Returns true if a text has line breaks, all of which are CR LF.
fn has_only_crlf(text: &[u8]) -> bool {
    let mut ends = (0..text.len()).filter(|at| text[*at] == b'\n').peekable();
    ends.peek().is_some() && ends.all(|at| at > 0 && text[at - 1] == b'\r')
}

fn with_crlf(text: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len() + text.len() / 16);
    for byte in text {
        if *byte == b'\n' {
            written.push(b'\r');
        }
        written.push(*byte);
    }
    written
}
