//! What a server keeps of a large folder for its next start, in the user's own cache folder and never in a repository: which files
//! there are, and their texts. **What it says is taken for true only where the disk still says the same of each folder and file: size,
//! times, device and inode.** A file that is damaged, or of another version or folder, is as good as absent.
//!
//! Data is not kept: it is where secrets are.

mod checked_file;
mod folders;
mod texts;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use ide::FilePath;
use sha2::{Digest, Sha256};

use crate::stamp::Stamp;
use crate::walk::FoundFile;
pub(crate) use folders::{FinishedWalk, Witness};
pub(crate) use texts::{KnownTexts, ReadText, TextsFile};

/// What has another format has another number here.
const FORMAT: u32 = 1;

/// What another build of the same version left is not read, as it may have looked at other files.
static BUILD: LazyLock<String> = LazyLock::new(|| {
    let built = std::env::current_exe().and_then(|it| Ok(Stamp::of(&it.metadata()?)));
    built.map_or_else(|_| "unknown".to_owned(), |it| format!("{it:?}"))
});

/// Smaller folders are read as quickly.
const MIN_FILES: usize = if cfg!(test) { 500 } else { 5_000 };

/// Of so many texts one may have changed before all are written again.
const ONE_IN: usize = 100;

/// What nobody has used for so long is removed, and what somebody began to write and never finished.
const UNUSED: Duration = Duration::from_secs(60 * 24 * 3600);
const UNFINISHED: Duration = Duration::from_secs(24 * 3600);

/// How often it is noted that a file is used.
const NOTED: Duration = Duration::from_secs(24 * 3600);

/// What is kept of one folder.
pub(crate) struct FolderIndex {
    root: FilePath,
    folder: PathBuf,
    /// What the names of its files begin with.
    name: String,
}

/// What there is to keep of a folder.
pub struct ToKeep {
    index: FolderIndex,
    /// The walk with its settings, if it had to be done.
    walk: Option<(FinishedWalk, String)>,
    texts: Vec<ReadText>,
    /// How many of the texts were kept already.
    kept: usize,
}

impl ToKeep {
    /// Keeps what differs from what is kept already. In vain where that cannot be written: the next start takes longer then.
    pub fn write(self) {
        let ToKeep { index, walk, texts, kept } = self;
        let written = |result: io::Result<()>| {
            result.unwrap_or_else(|error| tracing::warn!("nothing is kept of {}: {error}", index.root));
        };
        if let Some((walk, settings)) = walk.filter(|(walk, _)| walk.files.len() >= MIN_FILES) {
            let (path, first_line) = (index.path("folders"), index.first_line("folders"));
            written(folders::write(&path, &first_line, &index.root, &settings, &walk));
        }
        let changed = texts.len().saturating_sub(kept);
        if texts.len() >= MIN_FILES && changed * ONE_IN > texts.len() {
            written(texts::write(&index.path("texts"), &index.first_line("texts"), &texts));
            index.remove_unused();
        }
    }
}

impl FolderIndex {
    /// That of `root` below the folder of the cache.
    pub(crate) fn of(cache: &Path, root: &FilePath) -> FolderIndex {
        let digest = Sha256::digest(root.as_str().as_bytes());
        let name = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        FolderIndex { root: root.clone(), folder: cache.join("index"), name }
    }

    /// The texts as they are kept.
    pub(crate) fn texts(&self) -> Option<TextsFile> {
        self.used(TextsFile::open(&self.path("texts"), &self.first_line("texts")), "texts")
    }

    /// The files that a walk with these settings would find, if nothing has changed that it depends on. Not where there are file systems
    /// whose folders do not say when something came into them (FAT on Windows).
    pub(crate) fn files(&self, settings: &str) -> Option<Vec<FoundFile>> {
        if cfg!(not(unix)) {
            return None;
        }
        let (path, first_line) = (self.path("folders"), self.first_line("folders"));
        self.used(folders::known_files(&path, &first_line, &self.root, settings), "folders")?
    }

    /// What is to be kept from now on: a walk, if it had to be done, with its settings, and texts, of which some are kept already.
    pub(crate) fn keeping(
        self,
        walk: Option<(FinishedWalk, String)>,
        texts: Vec<ReadText>,
        kept: usize,
    ) -> ToKeep {
        ToKeep { index: self, walk, texts, kept }
    }

    fn path(&self, kind: &str) -> PathBuf {
        self.folder.join(format!("{}.{kind}", self.name))
    }

    fn first_line(&self, kind: &str) -> String {
        format!("puppet-analyzer {} {} {kind} {FORMAT} {}", env!("CARGO_PKG_VERSION"), *BUILD, self.root)
    }

    /// What a file holds; that it is used is noted.
    fn used<T>(&self, opened: io::Result<T>, kind: &str) -> Option<T> {
        let path = self.path(kind);
        match opened {
            Ok(opened) => {
                let now = SystemTime::now();
                let is_noted = age(&path, now).is_some_and(|it| it < NOTED);
                if !is_noted {
                    let _ = fs::File::open(&path).and_then(|it| it.set_modified(now));
                }
                Some(opened)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::info!("{} is not used: {error}", path.display());
                None
            }
        }
    }

    fn remove_unused(&self) {
        let now = SystemTime::now();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let is_unfinished = entry.file_name().to_string_lossy().starts_with(checked_file::UNFINISHED);
            let limit = if is_unfinished { UNFINISHED } else { UNUSED };
            if age(&entry.path(), now).is_some_and(|it| it > limit) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// How long ago a file was written.
fn age(path: &Path, now: SystemTime) -> Option<Duration> {
    let modified = fs::metadata(path).and_then(|it| it.modified()).ok()?;
    now.duration_since(modified).ok()
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
