//! The only door to Git: its data are read in this process, as data. No program is run, nothing is fetched, nothing is
//! written, whatever a repository says: there is nothing here that could.
//!
//! What is read: the formats of objects (loose, packed, by alternates; SHA-1 and SHA-256), references, the index and the
//! configuration that `gitformat-*`, `gitrepository-layout` and `git-config` describe. What is not: reftable, which is
//! refused by name, and replacements of objects, which Git itself only has for looking at history.

mod config;
mod index;
mod inflate;
mod objects;
mod pack;
mod references;
mod revision;
mod small_file;
mod tree;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use self::config::GitConfig;
use self::objects::{ObjectKind, Objects};

pub use self::index::{Index, IndexEntry};
pub use self::objects::ObjectContents;
pub use self::tree::{EntryKind, RevisionTree, TreeEntry};

/// The extensions of the format that change nothing of what is read here, or that are read.
const KNOWN_EXTENSIONS: [&str; 8] = [
    "noop",
    "noop-v1",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "refstorage",
    "relativeworktrees",
    "worktreeconfig",
];

/// The name of an object: a checksum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName {
    bytes: [u8; 32],
    length: u8,
}

/// A repository that a folder lies in.
pub struct Repository {
    /// The folder with the `.git`.
    top: PathBuf,
    /// What belongs to this checkout alone.
    own: PathBuf,
    /// What all checkouts share.
    common: PathBuf,
    config: GitConfig,
    objects: Objects,
}

impl ObjectName {
    fn from_bytes(found: &[u8]) -> Option<ObjectName> {
        let mut bytes = [0; 32];
        bytes.get_mut(..found.len())?.copy_from_slice(found);
        matches!(found.len(), 20 | 32).then_some(ObjectName { bytes, length: found.len() as u8 })
    }

    fn from_hex(text: &str) -> Option<ObjectName> {
        let digits = text.as_bytes().chunks_exact(2);
        let is_whole = digits.remainder().is_empty();
        let bytes: Option<Vec<u8>> = digits.map(hex_byte).collect();
        ObjectName::from_bytes(&bytes.filter(|_| is_whole)?)
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The first digits, as people write it.
    pub fn short(&self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

/// A byte of two digits.
fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(*digits.first()?)? * 16 + digit(*digits.get(1)?)?) as u8)
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string())
    }
}

impl Repository {
    /// The repository around a folder: that of the nearest folder around it with a `.git`, `None` without one. **A bare
    /// repository is none**: those that a commit brought are files like others.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    pub fn around(folder: &Path) -> anyhow::Result<Option<Repository>> {
        let folder = folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
        folder.ancestors().find(|it| is_top(it)).map(Repository::at).transpose()
    }

    /// The repository with its `.git` in a folder.
    ///
    /// # Errors
    /// When it cannot be read, or has a format that is not known here.
    pub fn at(top: &Path) -> anyhow::Result<Repository> {
        Repository::open(top).with_context(|| format!("cannot read the repository {}", top.display()))
    }

    fn open(top: &Path) -> anyhow::Result<Repository> {
        let own = own_folder(&top.join(".git"))?;
        let common = match small_file::text_if_there(&own.join("commondir"))? {
            Some(text) => own.join(text.trim_end()),
            None => own.clone(),
        };
        let mut config = GitConfig::read(&common.join("config"))?;
        let name_length = check_format(&config, &common)?;
        if config.is_true("extensions.worktreeconfig") {
            config.add(GitConfig::read(&own.join("config.worktree"))?);
        }
        let objects = Objects::open(&common.join("objects"), name_length)?;
        Ok(Repository { top: top.to_owned(), own, common, config, objects })
    }

    /// The folder with the `.git`.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Is the history cut off somewhere, so that older revisions are not here?
    pub fn is_shallow(&self) -> bool {
        self.common.join("shallow").metadata().is_ok_and(|it| it.len() > 0)
    }

    /// Were objects left out that Git would fetch when it needs them?
    pub fn is_partial(&self) -> bool {
        let is_filter = |key: &str| {
            key.starts_with("remote.") && (key.ends_with(".promisor") || key.ends_with(".partialclonefilter"))
        };
        self.config.keys().any(|key| key == "extensions.partialclone" || is_filter(key))
    }

    /// May a checkout write the ends of lines in another way than they are stored? As the settings of the repository, the
    /// user and the machine say.
    pub fn converts_lines(&self) -> bool {
        let users = config::of_user();
        let setting = |key: &str| self.config.get(key).or_else(|| users.get(key)).unwrap_or_default();
        let is = |key: &str, value: &str| setting(key).eq_ignore_ascii_case(value);
        // Git for Windows sets it for the whole machine.
        let is_automatic = match setting("core.autocrlf") {
            "" => cfg!(windows),
            value => config::is_true(value),
        };
        is_automatic || is("core.eol", "crlf")
    }

    /// What `info/attributes` says, which goes before all `.gitattributes`.
    pub fn own_attributes(&self) -> Option<String> {
        small_file::text_if_there(&self.common.join("info/attributes")).ok().flatten()
    }

    /// Does Git show other objects in the place of some (`git replace`), or other parents (grafts)? Here they are read as they
    /// are.
    pub fn replaces_objects(&self) -> bool {
        let has_entries =
            |path: &str| self.common.join(path).read_dir().is_ok_and(|mut entries| entries.next().is_some());
        let is_packed = || {
            let packed = small_file::text_if_there(&self.common.join("packed-refs")).ok().flatten();
            packed.is_some_and(|text| text.contains(" refs/replace/"))
        };
        let grafts = self.common.join("info/grafts");
        has_entries("refs/replace") || grafts.metadata().is_ok_and(|it| it.len() > 0) || is_packed()
    }

    /// What a file of the repository holds, if it has at most so many bytes.
    ///
    /// # Errors
    /// When the object is not here, is no file, or cannot be read.
    pub fn read(&self, name: ObjectName, most: u64) -> anyhow::Result<ObjectContents> {
        let found = self.objects.read(&name, most)?;
        let (kind, contents) = found.with_context(|| self.absent(&name))?;
        anyhow::ensure!(kind == ObjectKind::Blob, "the object {} is no file", name.short());
        Ok(contents)
    }

    /// An object that must be of a kind.
    fn object(&self, name: &ObjectName, kind: ObjectKind) -> anyhow::Result<Vec<u8>> {
        match self.any_object(name)? {
            (found, bytes) if found == kind => Ok(bytes),
            (found, _) => anyhow::bail!("the object {} is a {found}, not a {kind}", name.short()),
        }
    }

    fn any_object(&self, name: &ObjectName) -> anyhow::Result<(ObjectKind, Vec<u8>)> {
        match self.objects.read(name, u64::MAX)?.with_context(|| self.absent(name))? {
            (kind, ObjectContents::Bytes(bytes)) => Ok((kind, bytes)),
            (_, ObjectContents::TooLarge(size)) => {
                anyhow::bail!("the object {} has {size} bytes, which is too large", name.short())
            }
        }
    }

    /// That an object is missing, and why that may be.
    fn absent(&self, name: &ObjectName) -> String {
        let why = match (self.is_partial(), self.is_shallow()) {
            (true, _) => {
                ": the clone is partial, and nothing is fetched here (`git fetch --refetch` brings everything)"
            }
            (_, true) => ": the clone is shallow (`git fetch --unshallow` brings the rest)",
            _ => "",
        };
        format!("the object {} is not in the repository{why}", name.short())
    }
}

/// Does a folder have a `.git` that is a repository, or says where it is? As for Git, an empty one is none.
fn is_top(folder: &Path) -> bool {
    let git = folder.join(".git");
    git.is_file() || git.join("HEAD").symlink_metadata().is_ok()
}

/// The folder that a `.git` is, or names.
fn own_folder(git: &Path) -> anyhow::Result<PathBuf> {
    if !git.is_file() {
        return Ok(git.to_owned());
    }
    let text = small_file::text(git)?;
    let target = text.strip_prefix("gitdir:").context("its file `.git` names no folder")?.trim();
    let folder = git.with_file_name(target);
    anyhow::ensure!(folder.is_dir(), "its file `.git` names {target}, which is not there");
    Ok(folder)
}

/// How many bytes the names of objects have.
///
/// # Errors
/// When the repository is of a format that would be misread, by name.
fn check_format(config: &GitConfig, common: &Path) -> anyhow::Result<usize> {
    let version = config.get("core.repositoryformatversion").unwrap_or("0").to_owned();
    anyhow::ensure!(
        matches!(version.as_str(), "0" | "1"),
        "its format has the version {version}, which is not known"
    );
    // Without a version extensions are not heard, so names that came later may be there by chance.
    for key in config.keys().filter(|_| version == "1") {
        if let Some(name) = key.strip_prefix("extensions.") {
            anyhow::ensure!(
                KNOWN_EXTENSIONS.contains(&name),
                "it uses the extension `{name}`, which is not known"
            );
        }
    }
    let storage = config.get("extensions.refstorage").unwrap_or("files");
    let has_tables = common.join("reftable").is_dir();
    anyhow::ensure!(
        storage.eq_ignore_ascii_case("files") && !has_tables,
        "it keeps its references as `{}`, which cannot be read here (`git refs migrate --ref-format=files` converts them)",
        if has_tables { "reftable" } else { storage }
    );
    match config.get("extensions.objectformat").unwrap_or("sha1") {
        format if format.eq_ignore_ascii_case("sha1") => Ok(20),
        format if format.eq_ignore_ascii_case("sha256") => Ok(32),
        format => anyhow::bail!("its objects are named by `{format}`, which is not known"),
    }
}

#[cfg(test)]
mod tests;
