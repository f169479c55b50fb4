//! Files that are being written. What is half done when a run is interrupted goes away again, and the user is told.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a run has done to files.
struct FileWork {
    /// The files that hold a part of what comes in the place of others.
    partial: BTreeSet<PathBuf>,
    /// How many files were put in their places.
    whole: usize,
}

static WRITTEN: Mutex<FileWork> = Mutex::new(FileWork { partial: BTreeSet::new(), whole: 0 });

/// The exit code of what was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

fn written() -> MutexGuard<'static, FileWork> {
    WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts a file in the place of another as a whole, or leaves both as they were: `write` makes it at the path `partial`.
pub(super) fn put(
    partial: &Path,
    target: &Path,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    written().partial.insert(partial.to_owned());
    let made = write(partial);
    // An interruption that has this already never gives it back.
    let mut written = written();
    let result = made.and_then(|()| std::fs::rename(partial, target));
    match &result {
        Ok(()) => written.whole += 1,
        Err(_) => drop(std::fs::remove_file(partial)),
    }
    written.partial.remove(partial);
    result
}

/// From now on the run ends when it is interrupted, or told to end, with a word about what was written.
pub(crate) fn end_when_interrupted() {
    // Without it nothing is told, and all else is the same.
    let _ = ctrlc::set_handler(|| {
        let written = written();
        for partial in &written.partial {
            let _ = std::fs::remove_file(partial);
        }
        let _ = io::stderr().lock().write_all(format!("interrupted{}\n", words(&written)).as_bytes());
        std::process::exit(INTERRUPTED);
    });
}

fn words(written: &FileWork) -> String {
    match (written.whole, written.partial.is_empty()) {
        (0, true) => String::new(),
        (0, false) => ": no file was changed".to_owned(),
        (1, _) => ": 1 file was written whole, the others are as they were".to_owned(),
        (count, _) => format!(": {count} files were written whole, the others are as they were"),
    }
}
