//! The one door to the disk: which files may be read, and how much of them.
//!
//! What a repository names (`datadir`, `modulepath`, links, paths with `..`) is read only below the workspace and below folders
//! that the user named. Only regular files are read, and never more of them than there is room for, whatever their size is said
//! to be.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// What is no file of anybody, though it looks like one.
const SYSTEM_FOLDERS: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The folders that may be read. To make one asks nothing of the disk; where links lead is found out when the first file is read.
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
    /// Absolute, without `.` and `..`.
    path: PathBuf,
    is_named: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct TrustedFolder {
    /// As it was named, absolute.
    path: PathBuf,
    /// Without links.
    target: PathBuf,
    /// Did the user name it? Then links in it may lead anywhere.
    is_named: bool,
}

/// Why a file was not read.
#[derive(Debug)]
pub enum ReadFailure {
    Missing,
    /// It lies outside of the folders that may be read.
    Outside,
    /// It is a folder, a pipe, a device: this is what it is called.
    NotRegular(&'static str),
    TooLarge,
    Io(io::Error),
}

impl std::fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadFailure::Missing => f.write_str("there is no such file"),
            ReadFailure::Outside => f.write_str("it leads out of the folders that may be read"),
            ReadFailure::NotRegular(kind) => write!(f, "it is {kind}, no regular file"),
            ReadFailure::TooLarge => f.write_str("it is too large"),
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
    /// `workspace` is what is looked at: links in it may lead to whatever may be read. `named` are folders that the user named
    /// for their modules: links in them may lead anywhere.
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

    /// The folders as they were given, as text: equal for equal ones.
    pub(crate) fn as_given(&self) -> String {
        format!("{:?}", self.given)
    }

    fn folders(&self) -> &[TrustedFolder] {
        self.found.get_or_init(|| self.given.iter().flat_map(GivenFolder::find).collect())
    }

    /// May what a path leads to be read? The path without links, if so.
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
            // Whether something outside is there is nobody's business either.
            Err(_) if leads_to(&path, 0).is_some_and(|it| !self.is_inside(&it)) => {
                return Err(ReadFailure::Outside);
            }
            Err(error) => return Err(error.into()),
        };
        match self.is_inside(&target) {
            true => Ok(target),
            false => Err(ReadFailure::Outside),
        }
    }

    fn is_inside(&self, target: &Path) -> bool {
        self.folders().iter().any(|it| target.starts_with(&it.target))
    }

    /// The bytes of a regular file that may be read, if it has no more than `limit`.
    pub fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadFailure> {
        read_regular(&self.admit(path)?, limit)
    }
}

/// The bytes of a regular file, if it has no more than `limit`. What the file is gets decided when it is open, so that a pipe
/// makes nobody wait.
pub fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, ReadFailure> {
    Ok(read_wanted(path, limit, |_| true)?.unwrap_or_default())
}

/// The same, if a file that says this of itself is wanted.
pub(crate) fn read_wanted(
    path: &Path,
    limit: u64,
    wants: impl FnOnce(&Metadata) -> bool,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    read_open(open(path, true)?, limit, wants)
}

/// The same of what is no link; `None` for a link.
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
    wants: impl FnOnce(&Metadata) -> bool,
) -> Result<Option<Vec<u8>>, ReadFailure> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadFailure::NotRegular(kind_of(metadata.file_type())));
    }
    match wants(&metadata) {
        true => read_bounded(file, metadata.len(), limit).map(Some),
        false => Ok(None),
    }
}

/// The same as text.
pub fn read_regular_text(path: &Path, limit: u64) -> Result<String, ReadFailure> {
    let bytes = read_regular(path, limit)?;
    String::from_utf8(bytes)
        .map_err(|_| ReadFailure::Io(io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8")))
}

/// The bytes of a file that the user named on the command line: a pipe will do as well (`<(facter --json)`).
pub fn read_named(path: &Path, limit: u64) -> Result<Vec<u8>, ReadFailure> {
    read_bounded(File::open(path)?, 0, limit)
}

/// The bytes that come in as the standard input, to its end.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>, ReadFailure> {
    read_bounded(io::stdin().lock(), 0, limit)
}

/// At most `limit` bytes; `size` is how many there seem to be.
fn read_bounded(file: impl Read, size: u64, limit: u64) -> Result<Vec<u8>, ReadFailure> {
    if size > limit {
        return Err(ReadFailure::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // What says how large it is ends there; to ask whether there is more takes as long as to read most files.
    let most = if size > 0 { size } else { limit + 1 };
    file.take(most).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(ReadFailure::TooLarge),
        false => Ok(bytes),
    }
}

/// What something is that is no regular file.
fn kind_of(file_type: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_fifo() {
            return "a named pipe";
        }
        if file_type.is_socket() {
            return "a socket";
        }
        if file_type.is_char_device() || file_type.is_block_device() {
            return "a device";
        }
    }
    if file_type.is_dir() { "a folder" } else { "something special" }
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
    match !follows_link && path.is_symlink() {
        true => Err(io::ErrorKind::Other.into()),
        false => File::open(path),
    }
}

/// Is it a folder of the system whose files are none?
pub(crate) fn is_system_folder(path: &Path) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
}

impl GivenFolder {
    /// Where it leads, and the modules that links in it lead to.
    fn find(&self) -> Vec<TrustedFolder> {
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

/// The modules that links directly in a plain folder of modules lead to. Packages lay modules out so
/// (`modules/apt -> ../modules.available/puppetlabs-apt`); in what is a repository such links are its author's, and are not
/// followed to the outside.
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

/// Where a path leads that nothing is at: the innermost folder on the way that is there, and what a link to nowhere names.
fn leads_to(path: &Path, links: usize) -> Option<PathBuf> {
    const MAX_LINKS: usize = 40;
    let there = path.ancestors().find(|it| it.symlink_metadata().is_ok())?;
    match there.canonicalize() {
        Ok(target) => Some(target),
        Err(_) if links < MAX_LINKS => {
            let folder = there.parent()?.canonicalize().ok()?;
            leads_to(&without_dots(&folder.join(there.read_link().ok()?)), links + 1)
        }
        Err(_) => None,
    }
}

/// The path without `.` and `..`, as text says it.
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
