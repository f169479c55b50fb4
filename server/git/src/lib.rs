//! Read-only access to Git repositories. Everything is read in this process, as data: no program is run,
//! nothing is fetched and nothing is written, whatever a repository contains.
//!
//! Supported: the formats of objects (loose, packed, alternates; SHA-1 and SHA-256), references, the index
//! and the configuration, as described by `gitformat-*`, `gitrepository-layout` and `git-config`. Not
//! supported: reftable, which is rejected with an error, and replaced objects, which Git itself only uses for
//! viewing history.
//!
//! Also computes line diffs (`lines`) and writes edits as unified diffs (`unified`).
//!
//! All commands access Git through this crate. A repository is the nearest folder with a `.git`, never a bare
//! one. Unknown formats are rejected by name, and missing objects are errors. `server/tests/git_programs.rs`
//! verifies that no program named in a setting, attribute or hook is run. See `docs/decisions/git.md`.

mod attributes;
mod config;
mod index;
mod inflate;
mod last_change;
pub mod lines;
mod merge_base;
mod object;
mod objects;
mod pack;
mod references;
mod revision;
mod small_file;
mod tree;
pub mod unified;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use self::config::GitConfig;
use self::object::ObjectKind;
use self::objects::Objects;

pub use self::attributes::{CheckoutAttributes, FileAttributes, identified};
pub use self::index::{Index, IndexEntry};
pub use self::object::ObjectContents;
pub use self::tree::{EntryKind, RevisionTree, TreeEntry};

/// Repository extensions that are supported or do not affect reading.
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

/// Name of an object: its checksum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName {
    bytes: [u8; 32],
    length: u8,
}

/// An open repository.
pub struct Repository {
    /// Top folder of the work tree, which contains `.git`.
    top: PathBuf,
    /// Git directory of this work tree.
    own: PathBuf,
    /// Common Git directory of all work trees.
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

    /// Returns the abbreviated name.
    pub fn short(&self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

/// Parses two hexadecimal digits.
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
    /// Opens the repository that contains a folder: that of the nearest parent with a `.git`, or `None`.
    /// **Bare repositories are not recognized**: one that is part of a commit is treated as ordinary files.
    ///
    /// # Errors
    /// Fails if there is a repository but it cannot be read.
    pub fn around(folder: &Path) -> anyhow::Result<Option<Repository>> {
        let folder = folder.canonicalize().with_context(|| format!("cannot read `{}`", folder.display()))?;
        folder.ancestors().find(|it| is_top(it)).map(Repository::at).transpose()
    }

    /// Opens the repository whose `.git` is in `top`.
    ///
    /// # Errors
    /// Fails if the repository cannot be read or has an unsupported format.
    pub fn at(top: &Path) -> anyhow::Result<Repository> {
        Repository::open(top).with_context(|| format!("cannot read Git repository `{}`", top.display()))
    }

    fn open(top: &Path) -> anyhow::Result<Repository> {
        let own = own_folder(&top.join(".git"))?;
        let common = match small_file::read_optional_text(&own.join("commondir"))? {
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

    /// Returns the top folder of the work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns true for a shallow clone, which lacks older revisions.
    pub fn is_shallow(&self) -> bool {
        self.common.join("shallow").metadata().is_ok_and(|it| it.len() > 0)
    }

    /// Returns true for a partial clone, whose missing objects Git would fetch on demand.
    pub fn is_partial(&self) -> bool {
        let is_filter = |key: &str| {
            key.starts_with("remote.") && (key.ends_with(".promisor") || key.ends_with(".partialclonefilter"))
        };
        self.config.keys().any(|key| key == "extensions.partialclone" || is_filter(key))
    }

    /// Returns true if a checkout may convert line endings, according to the settings of the repository, the
    /// user and the system.
    pub fn converts_lines(&self) -> bool {
        let users = config::user_config();
        let setting = |key: &str| self.config.get(key).or_else(|| users.get(key)).unwrap_or_default();
        let is = |key: &str, value: &str| setting(key).eq_ignore_ascii_case(value);
        // Git for Windows sets this for the whole system.
        let is_automatic = match setting("core.autocrlf") {
            "" => cfg!(windows),
            value => config::is_true(value),
        };
        is_automatic || is("core.eol", "crlf")
    }

    /// Returns the contents of `info/attributes`, which takes precedence over all `.gitattributes`.
    pub fn own_attributes(&self) -> Option<String> {
        small_file::read_optional_text(&self.common.join("info/attributes")).ok().flatten()
    }

    /// Returns true if the repository has replaced objects (`git replace`) or grafts. Both are ignored here.
    pub fn replaces_objects(&self) -> bool {
        let has_entries =
            |path: &str| self.common.join(path).read_dir().is_ok_and(|mut entries| entries.next().is_some());
        let is_packed = || {
            let packed = small_file::read_optional_text(&self.common.join("packed-refs")).ok().flatten();
            packed.is_some_and(|text| text.contains(" refs/replace/"))
        };
        let grafts = self.common.join("info/grafts");
        has_entries("refs/replace") || grafts.metadata().is_ok_and(|it| it.len() > 0) || is_packed()
    }

    /// Reads a blob of at most `limit` bytes.
    ///
    /// # Errors
    /// Fails if the object is missing, is not a blob, or cannot be read.
    pub fn read(&self, name: ObjectName, limit: u64) -> anyhow::Result<ObjectContents> {
        let found = self.objects.read(&name, limit)?;
        let (kind, contents) = found.with_context(|| self.missing_object(&name))?;
        anyhow::ensure!(kind == ObjectKind::Blob, "object {} is not a file", name.short());
        Ok(contents)
    }

    /// Reads an object of the given kind.
    fn object(&self, name: &ObjectName, kind: ObjectKind) -> anyhow::Result<Vec<u8>> {
        match self.any_object(name)? {
            (found, bytes) if found == kind => Ok(bytes),
            (found, _) => anyhow::bail!("object {} is a {found}, not a {kind}", name.short()),
        }
    }

    fn any_object(&self, name: &ObjectName) -> anyhow::Result<(ObjectKind, Vec<u8>)> {
        match self.objects.read(name, u64::MAX)?.with_context(|| self.missing_object(name))? {
            (kind, ObjectContents::Bytes(bytes)) => Ok((kind, bytes)),
            (_, ObjectContents::TooLarge(size)) => {
                anyhow::bail!("object {} is too large ({size} bytes)", name.short())
            }
        }
    }

    /// Returns the error message for a missing object.
    fn missing_object(&self, name: &ObjectName) -> String {
        let cause = match (self.is_partial(), self.is_shallow()) {
            (true, _) => {
                " because the clone is partial\nhelp: run `git fetch --refetch` to fetch all objects"
            }
            (_, true) => {
                " because the clone is shallow\nhelp: run `git fetch --unshallow` to fetch its history"
            }
            _ => "",
        };
        format!("object {} is missing{cause}", name.short())
    }
}

/// Returns true if a folder has a `.git` that is a repository or refers to one. Like in Git, an empty one
/// does not count.
fn is_top(folder: &Path) -> bool {
    let git = folder.join(".git");
    git.is_file() || git.join("HEAD").symlink_metadata().is_ok()
}

/// Resolves `.git`, which is the Git directory or a file that names it.
fn own_folder(git: &Path) -> anyhow::Result<PathBuf> {
    if !git.is_file() {
        return Ok(git.to_owned());
    }
    let text = small_file::read_text(git)?;
    let target = text.strip_prefix("gitdir:").context("invalid `.git` file")?.trim();
    let folder = git.with_file_name(target);
    anyhow::ensure!(folder.is_dir(), "folder `{target}` named by its `.git` file not found");
    Ok(folder)
}

/// Checks the format of a repository and returns the length of object names in bytes.
///
/// # Errors
/// Fails for formats that are not supported, with their name.
fn check_format(config: &GitConfig, common: &Path) -> anyhow::Result<usize> {
    let version = config.get("core.repositoryformatversion").unwrap_or("0").to_owned();
    anyhow::ensure!(matches!(version.as_str(), "0" | "1"), "unsupported repository format version {version}");
    // Version 0 ignores extensions, so unknown names are allowed there.
    for key in config.keys().filter(|_| version == "1") {
        if let Some(name) = key.strip_prefix("extensions.") {
            anyhow::ensure!(KNOWN_EXTENSIONS.contains(&name), "unsupported repository extension `{name}`");
        }
    }
    let storage = config.get("extensions.refstorage").unwrap_or("files");
    let has_tables = common.join("reftable").is_dir();
    anyhow::ensure!(
        storage.eq_ignore_ascii_case("files") && !has_tables,
        "unsupported reference storage `{}`\nhelp: run `git refs migrate --ref-format=files`",
        if has_tables { "reftable" } else { storage }
    );
    match config.get("extensions.objectformat").unwrap_or("sha1") {
        format if format.eq_ignore_ascii_case("sha1") => Ok(20),
        format if format.eq_ignore_ascii_case("sha256") => Ok(32),
        format => anyhow::bail!("unsupported object format `{format}`"),
    }
}

#[cfg(test)]
mod tests;
