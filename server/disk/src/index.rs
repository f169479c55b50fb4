//! Persistent index of a large folder: its file list and the contents of its files, for the next start of the
//! server.
//!
//! It is stored in the user's own cache folder, never in a repository. **An entry is only used if size,
//! times, device and inode on disk are unchanged.** A file that is damaged, or that belongs to another
//! version or folder, is ignored.
//!
//! Hiera data is not stored, because it contains secrets.

mod checked_file;
mod folders;
mod texts;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use ide::{DiskState, FilePath};
use sha2::{Digest, Sha256};

use crate::stamp::Stamp;
use crate::walk::FoundFile;
pub(crate) use folders::{FinishedWalk, Witness};
pub(crate) use texts::{KnownTexts, ReadText, TextsFile};

/// Version of the file formats.
const FORMAT_VERSION: u32 = 1;

/// Identity of this build. Another build of the same version may have looked at other files, so its index is
/// not used.
static BUILD: LazyLock<String> = LazyLock::new(|| {
    let built = std::env::current_exe().and_then(|it| Ok(Stamp::of(&it.metadata()?)));
    built.map_or_else(|_| "unknown".to_owned(), |it| format!("{it:?}"))
});

/// Minimum number of files; smaller folders are read just as quickly without an index.
const MIN_FILES: usize = if cfg!(test) { 500 } else { 5_000 };

/// The index is rewritten once more than one in this many files has changed.
const REWRITE_RATIO: usize = 100;

/// Age after which unused files are removed.
const MAX_UNUSED_AGE: Duration = Duration::from_secs(60 * 24 * 3600);

/// Age after which unfinished temporary files are removed.
const MAX_UNFINISHED_AGE: Duration = Duration::from_secs(24 * 3600);

/// Minimum interval between two updates of the modification time of a file in use.
const USE_INTERVAL: Duration = Duration::from_secs(24 * 3600);

/// Index of one folder.
pub(crate) struct FolderIndex {
    root: FilePath,
    folder: PathBuf,
    /// Prefix of the names of its files.
    name: String,
}

/// New contents for the index of a folder.
pub struct IndexUpdate {
    index: FolderIndex,
    /// The walk with its settings, if one was necessary.
    walk: Option<(FinishedWalk, String)>,
    texts: Vec<ReadText>,
    /// Number of `texts` that are already in the index.
    kept: usize,
}

impl IndexUpdate {
    /// Writes the parts that have changed. Errors are only logged: the next start just takes longer.
    pub fn write(self) {
        let IndexUpdate { index, walk, texts, kept } = self;
        let written = |result: io::Result<()>| {
            result
                .unwrap_or_else(|error| tracing::warn!("cannot write the index of {}: {error}", index.root));
        };
        if let Some((walk, settings)) = walk.filter(|(walk, _)| walk.files.len() >= MIN_FILES) {
            let (path, first_line) = (index.path("folders"), index.first_line("folders"));
            written(folders::write(&path, &first_line, &index.root, &settings, &walk));
        }
        let changed = texts.len().saturating_sub(kept);
        if texts.len() >= MIN_FILES && changed * REWRITE_RATIO > texts.len() {
            written(texts::write(&index.path("texts"), &index.first_line("texts"), &texts));
            index.remove_unused();
        }
    }
}

impl FolderIndex {
    /// Returns the index of `root` in the cache folder `cache`.
    pub(crate) fn of(cache: &Path, root: &FilePath) -> FolderIndex {
        let digest = Sha256::digest(root.as_str().as_bytes());
        let name = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        FolderIndex { root: root.clone(), folder: cache.join("index"), name }
    }

    /// Opens the stored file contents.
    pub(crate) fn texts(&self) -> Option<TextsFile> {
        self.opened(TextsFile::open(&self.path("texts"), &self.first_line("texts")), "texts")
    }

    /// Returns the files that a walk with these settings would find, if nothing that it depends on has
    /// changed. Only on Unix: some file systems do not update the modification time of a folder when a file
    /// is added (FAT on Windows).
    pub(crate) fn files(&self, settings: &str) -> Option<Vec<FoundFile>> {
        if cfg!(not(unix)) {
            return None;
        }
        let (path, first_line) = (self.path("folders"), self.first_line("folders"));
        self.opened(folders::known_files(&path, &first_line, &self.root, settings), "folders")?
    }

    /// Collects the new contents: the walk with its settings, if one was necessary, and the file contents,
    /// `kept` of which are already stored.
    pub(crate) fn update(
        self,
        walk: Option<(FinishedWalk, String)>,
        texts: Vec<ReadText>,
        kept: usize,
    ) -> IndexUpdate {
        IndexUpdate { index: self, walk, texts, kept }
    }

    fn path(&self, kind: &str) -> PathBuf {
        self.folder.join(format!("{}.{kind}", self.name))
    }

    fn first_line(&self, kind: &str) -> String {
        format!(
            "puppet-analyzer {} {} {kind} {FORMAT_VERSION} {}",
            env!("CARGO_PKG_VERSION"),
            *BUILD,
            self.root
        )
    }

    /// Unwraps an opened file and updates its modification time, which marks it as used.
    fn opened<T>(&self, opened: io::Result<T>, kind: &str) -> Option<T> {
        let path = self.path(kind);
        match opened {
            Ok(opened) => {
                let now = SystemTime::now();
                let is_recent = age(&path, now).is_some_and(|it| it < USE_INTERVAL);
                if !is_recent {
                    let _ = fs::File::open(&path).and_then(|it| it.set_modified(now));
                }
                Some(opened)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::info!("ignoring index {}: {error}", path.display());
                None
            }
        }
    }

    fn remove_unused(&self) {
        let now = SystemTime::now();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let is_unfinished = entry.file_name().to_string_lossy().starts_with(checked_file::UNFINISHED);
            let limit = if is_unfinished { MAX_UNFINISHED_AGE } else { MAX_UNUSED_AGE };
            if age(&entry.path(), now).is_some_and(|it| it > limit) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Reads both files of an index whose content after the first line is `content`, which need not be valid, and
/// all texts that it contains. The files are written to `folder`. For fuzzing.
///
/// # Errors
/// Fails if the files cannot be written.
pub fn read_index(folder: &Path, content: &[u8]) -> io::Result<()> {
    const FIRST_LINE: &str = "puppet-analyzer";
    let (path, root) = (folder.join("index"), FilePath::from_native("/root"));
    fs::write(&path, [FIRST_LINE.as_bytes(), b"\n", content].concat())?;
    let _ = checked_file::read(&path, FIRST_LINE);
    checked_file::write(&path, FIRST_LINE, |out| out.write_all(content))?;
    let _ = root.map(|root| folders::known_files(&path, FIRST_LINE, &root, ""));
    if let Ok(texts) = TextsFile::open(&path, FIRST_LINE) {
        for state in texts.known().all() {
            if let DiskState::Packed(text) = state {
                assert!(text.text().len() <= text.len(), "a text is longer than its row states");
            }
        }
    }
    Ok(())
}

/// Returns the time since a file was written.
fn age(path: &Path, now: SystemTime) -> Option<Duration> {
    let modified = fs::metadata(path).and_then(|it| it.modified()).ok()?;
    now.duration_since(modified).ok()
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
