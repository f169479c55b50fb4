//! Files that are being written. On interruption, incomplete files are removed and the state is reported.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files written by this run.
struct WrittenFiles {
    /// Temporary files that will replace others.
    partial: BTreeSet<PathBuf>,
    /// Number of files that were replaced.
    complete: usize,
}

static WRITTEN: Mutex<WrittenFiles> = Mutex::new(WrittenFiles { partial: BTreeSet::new(), complete: 0 });

/// Exit code after an interruption, as in shells.
const INTERRUPTED: i32 = 130;

/// Exit code of a run that only ends by an interruption; [`INTERRUPTED`] for all others.
static EXIT_CODE: AtomicI32 = AtomicI32::new(INTERRUPTED);

/// Makes an interruption end the run with this exit code, without a message.
pub fn exit_when_interrupted(code: u8) {
    EXIT_CODE.store(code.into(), Ordering::Relaxed);
}

fn written() -> MutexGuard<'static, WrittenFiles> {
    WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces a file atomically, or leaves it unchanged: `write` creates the new contents at the path
/// `partial`.
pub fn replace(partial: &Path, target: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    written().partial.insert(partial.to_owned());
    let made = write(partial);
    // The interrupt handler takes this lock and never releases it.
    let mut written = written();
    let result = made.and_then(|()| std::fs::rename(partial, target));
    match &result {
        Ok(()) => written.complete += 1,
        Err(_) => drop(std::fs::remove_file(partial)),
    }
    written.partial.remove(partial);
    result
}

/// Installs a handler that ends the run on interruption or termination and reports what was written.
pub fn end_when_interrupted() {
    // Without the handler only the report is missing.
    let _ = ctrlc::set_handler(|| {
        let written = written();
        for partial in &written.partial {
            let _ = std::fs::remove_file(partial);
        }
        let code = EXIT_CODE.load(Ordering::Relaxed);
        if code == INTERRUPTED {
            let _ = io::stderr().lock().write_all(format!("interrupted{}\n", summary(&written)).as_bytes());
        }
        std::process::exit(code);
    });
}

fn summary(written: &WrittenFiles) -> String {
    match (written.complete, written.partial.is_empty()) {
        (0, true) => String::new(),
        (0, false) => ": no file was changed".to_owned(),
        (1, _) => ": 1 file was written, the others are unchanged".to_owned(),
        (count, _) => format!(": {count} files were written, the others are unchanged"),
    }
}
