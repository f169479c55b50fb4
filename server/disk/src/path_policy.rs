//! Access policy for the disk: which files may be read, and how many bytes of them.
//!
//! Paths that a repository names (`datadir`, `modulepath`, links, paths with `..`) are only read below the
//! workspace and below folders that the user named. Only regular files are read, and never more than the
//! limit, whatever size they claim.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Folders whose entries look like files but are provided by the kernel.
const SYSTEM_FOLDERS: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Folders that may be read. Creating a value does not access the disk; links are resolved when the first
/// file is read.
#[derive(Clone, Debug, Default)]
pub struct TrustedFolders {
    given: Arc<[GivenFolder]>,
    found: Arc<OnceLock<Vec<TrustedFolder>>>,
}

impl PartialEq for TrustedFolders {
    fn eq(&self, other: &TrustedFolders) -> bool {
        self.given == other.given
    }
}

impl Eq for TrustedFolders {}

#[derive(Debug, PartialEq, Eq)]
struct GivenFolder {
    /// Absolute path without `.` and `..`.
    path: PathBuf,
    is_named: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct TrustedFolder {
    /// Absolute path as it was named.
    path: PathBuf,
    /// Canonical path.
    target: PathBuf,
    /// True if the user named the folder: then links in it may lead anywhere.
    is_named: bool,
}

/// Reason why a file was not read.
#[derive(Debug)]
pub enum ReadFailure {
    Missing,
    /// The file is outside of the folders that may be read.
    Outside,
    /// A folder, pipe or device, with its description.
    NotRegular(&'static str),
    TooLarge,
    Io(io::Error),
}

impl std::fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadFailure::Missing => f.write_str("file not found"),
            ReadFailure::Outside => f.write_str("path is outside of the trusted folders"),
            ReadFailure::NotRegular(kind) => write!(f, "not a regular file ({kind})"),
            ReadFailure::TooLarge => f.write_str("file is too large"),
            ReadFailure::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadFailure {}

impl From<io::Error> for ReadFailure {
    fn from(error: io::Error) -> ReadFailure {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadFailure::Missing,
            _ => ReadFailure::Io(error),
        }
    }
}

impl TrustedFolders {
    /// Creates a policy. Links in the folders of `workspace` may lead to any folder that may be read. Links
    /// in the folders of `named`, which the user named for their modules, may lead anywhere.
    pub fn new<P: AsRef<Path>>(
        workspace: impl IntoIterator<Item = P>,
        named: impl IntoIterator<Item = P>,
    ) -> TrustedFolders {
        let workspace = workspace.into_iter().map(|path| (path, false));
        let all = workspace.chain(named.into_iter().map(|path| (path, true)));
        let given = all.map(|(path, is_named)| {
            let path = std::path::absolute(path.as_ref()).unwrap_or_else(|_| path.as_ref().to_owned());
            GivenFolder { path: without_dots(&path), is_named }
        });
        TrustedFolders { given: given.collect(), found: Arc::default() }
    }

    /// Formats the folders as they were given; equal for equal policies.
    pub(crate) fn as_given(&self) -> String {
        format!("{:?}", self.given)
    }

    fn folders(&self) -> &[TrustedFolder] {
        self.found.get_or_init(|| self.given.iter().flat_map(GivenFolder::resolve).collect())
    }

    /// Returns the canonical path if the target of `path` may be read.
    pub fn admit(&self, path: &Path) -> Result<PathBuf, ReadFailure> {
        let path = without_dots(path);
        let around =
            self.folders().iter().filter(|it| path.starts_with(&it.path) || path.starts_with(&it.target));
        let mut around = around.peekable();
        if around.peek().is_none() {
            return Err(ReadFailure::Outside);
        }
        if around.any(|it| it.is_named) {
            return Ok(path);
        }
        let target = match path.canonicalize() {
            Ok(target) => target,
            // Do not reveal whether a file outside of the folders exists.
            Err(_) if resolve_missing(&path, 0).is_some_and(|it| !self.is_inside(&it)) => {
                return Err(ReadFailure::Outside);
            }
            Err(error) => return Err(error.into()),
        };
        if self.is_inside(&target) { Ok(target) } else { Err(ReadFailure::Outside) }
    }

    fn is_inside(&self, target: &Path) -> bool {
        self.folders().iter().any(|it| target.starts_with(&it.target))
    }

    /// Reads a regular file that may be read and has at most `limit` bytes.
    pub fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadFailure> {
        read_regular(&self.admit(path)?, limit)
    }
}

/// Reads a regular file of at most `limit` bytes. The file type is checked after opening, so that a pipe
/// cannot block.
pub fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, ReadFailure> {
    Ok(read_if(path, limit, |_| true)?.unwrap_or_default())
}

/// Like [`read_regular`], but returns `None` if `is_wanted` rejects the metadata.
pub(crate) fn read_if(
    path: &Path,
    limit: u64,
    is_wanted: impl FnOnce(&Metadata) -> bool,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    read_open(open(path, true)?, limit, is_wanted)
}

/// Like [`read_regular`], but does not follow links; `None` for a link.
pub fn read_unlinked(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ReadFailure> {
    match open(path, false) {
        Ok(file) => read_open(file, limit, |_| true),
        Err(_) if path.is_symlink() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn read_open(
    file: File,
    limit: u64,
    is_wanted: impl FnOnce(&Metadata) -> bool,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadFailure::NotRegular(kind_of(metadata.file_type())));
    }
    if is_wanted(&metadata) { read_bounded(file, metadata.len(), limit).map(Some) } else { Ok(None) }
}

/// Like [`read_regular`], decoded as UTF-8.
pub fn read_regular_text(path: &Path, limit: u64) -> Result<String, ReadFailure> {
    let bytes = read_regular(path, limit)?;
    String::from_utf8(bytes)
        .map_err(|_| ReadFailure::Io(io::Error::new(io::ErrorKind::InvalidData, "not UTF-8")))
}

/// Reads a file that the user named on the command line, which may be a pipe (`<(facter --json)`).
pub fn read_named(path: &Path, limit: u64) -> Result<Vec<u8>, ReadFailure> {
    read_bounded(File::open(path)?, 0, limit)
}

/// Reads standard input to its end.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>, ReadFailure> {
    read_bounded(io::stdin().lock(), 0, limit)
}

/// Reads at most `limit` bytes; `size` is the expected size, or 0 if unknown.
fn read_bounded(file: impl Read, size: u64, limit: u64) -> Result<Vec<u8>, ReadFailure> {
    if size > limit {
        return Err(ReadFailure::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // Stop at the reported size: one more read to detect the end would take as long as reading most files.
    let read_limit = if size > 0 { size } else { limit + 1 };
    file.take(read_limit).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadFailure::TooLarge) } else { Ok(bytes) }
}

/// Describes a file type other than a regular file.
fn kind_of(file_type: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_fifo() {
            return "named pipe";
        }
        if file_type.is_socket() {
            return "socket";
        }
        if file_type.is_char_device() || file_type.is_block_device() {
            return "device";
        }
    }
    if file_type.is_dir() { "folder" } else { "special file" }
}

#[cfg(unix)]
fn open(path: &Path, follows_link: bool) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let flags = if follows_link { flags } else { flags | OFlags::NOFOLLOW };
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn open(path: &Path, follows_link: bool) -> io::Result<File> {
    if !follows_link && path.is_symlink() { Err(io::ErrorKind::Other.into()) } else { File::open(path) }
}

/// Returns true for paths in kernel file systems, whose entries are not real files.
pub(crate) fn is_system_folder(path: &Path) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
}

impl GivenFolder {
    /// Resolves the folder itself and the modules that links in it lead to.
    fn resolve(&self) -> Vec<TrustedFolder> {
        let GivenFolder { path, is_named } = self;
        let linked = if *is_named { Vec::new() } else { linked_modules(path) };
        let linked = linked.into_iter().map(|target| TrustedFolder {
            path: target.clone(),
            target,
            is_named: *is_named,
        });
        let target = path.canonicalize().unwrap_or_else(|_| path.clone());
        linked.chain([TrustedFolder { path: path.clone(), target, is_named: *is_named }]).collect()
    }
}

/// Returns the targets of links to modules directly in a plain folder of modules. Packages install modules
/// like this (`modules/apt -> ../modules.available/puppetlabs-apt`). In a repository such links come from its
/// author and are not followed to the outside.
fn linked_modules(folder: &Path) -> Vec<PathBuf> {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    if [".git", "environment.conf", "hiera.yaml", "metadata.json", "Puppetfile", "manifests"]
        .iter()
        .any(|it| is_there(it))
    {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|it| it.is_symlink()));
    let targets = links.filter_map(|link| link.path().canonicalize().ok());
    let is_module = |target: &PathBuf| {
        !folder.starts_with(target)
            && ["manifests", "metadata.json", "lib"].iter().any(|it| target.join(it).exists())
    };
    targets.filter(is_module).collect()
}

/// Resolves a path that does not exist: its innermost existing parent, or the target of a dangling link.
fn resolve_missing(path: &Path, links: usize) -> Option<PathBuf> {
    const MAX_LINKS: usize = 40;
    let there = path.ancestors().find(|it| it.symlink_metadata().is_ok())?;
    match there.canonicalize() {
        Ok(target) => Some(target),
        Err(_) if links < MAX_LINKS => {
            let folder = there.parent()?.canonicalize().ok()?;
            resolve_missing(&without_dots(&folder.join(there.read_link().ok()?)), links + 1)
        }
        Err(_) => None,
    }
}

/// Removes `.` and `..` lexically.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
#[path = "path_policy_tests.rs"]
mod tests;
