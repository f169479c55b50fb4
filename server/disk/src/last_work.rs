//! Crash journal: the texts that a server is processing, in the user's own cache folder. A text that crashed
//! a server is skipped by the next one.
//!
//! Each server creates and locks a file with a slot for each text, and deletes it on a regular exit. A file
//! without a lock is left over from a crash.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ide::TextDigest;

use crate::path_policy::read_regular_text;

/// Maximum number of remembered texts that crashed a server.
const MAX_REMEMBERED: usize = 100;

/// Maximum size in bytes; longer files were not written by a server.
const MAX_SIZE: u64 = 1 << 20;

/// Length of a slot: a digest in hexadecimal digits and a line break.
const SLOT_LENGTH: usize = 17;

/// Journal of the texts that a server is processing.
#[derive(Debug, Default)]
pub struct LastWork {
    noted: Mutex<Option<WorkNotes>>,
}

#[derive(Debug)]
struct WorkNotes {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    /// Contents of each slot.
    slots: Vec<Option<TextDigest>>,
    /// Texts that crashed a server.
    fatal: Vec<TextDigest>,
}

/// Guard for work on a text; dropping it clears the slot.
pub struct WorkOnText<'w> {
    work: &'w LastWork,
    slot: Option<usize>,
}

impl LastWork {
    /// Opens a journal in a folder, which is created if necessary, and collects the texts that crashed
    /// earlier servers.
    ///
    /// # Errors
    /// Fails if the folder is not writable.
    pub fn start(folder: &Path) -> io::Result<LastWork> {
        fs::create_dir_all(folder)?;
        let mut fatal = remembered(folder);
        let known = fatal.len();
        for left in stale_journals(folder) {
            for digest in digests_in(&left) {
                fatal.retain(|it| *it != digest);
                fatal.push(digest);
            }
            fs::remove_file(&left)?;
        }
        let too_many = fatal.len().saturating_sub(MAX_REMEMBERED);
        fatal.drain(..too_many);
        if fatal.len() != known || too_many > 0 {
            remember(folder, &fatal)?;
        }
        let (path, file) = own_file(folder)?;
        let noted = WorkNotes { folder: folder.to_owned(), path, file, slots: Vec::new(), fatal };
        Ok(LastWork { noted: Mutex::new(Some(noted)) })
    }

    /// Returns the folder of the journal, if one is open.
    pub fn folder(&self) -> Option<PathBuf> {
        self.with(|noted| noted.folder.clone())
    }

    /// Returns the texts that crashed a server.
    pub fn fatal_texts(&self) -> Vec<TextDigest> {
        self.with(|noted| noted.fatal.clone()).unwrap_or_default()
    }

    /// Records that work on a text begins.
    pub fn on(&self, text: TextDigest) -> WorkOnText<'_> {
        let slot = self.with(|noted| {
            let slot = noted.slots.iter().position(Option::is_none).unwrap_or(noted.slots.len());
            noted.write(slot, Some(text));
            slot
        });
        WorkOnText { work: self, slot }
    }

    /// Removes a text that has changed from the list, so that the same contents are processed again later.
    pub fn unmark(&self, text: TextDigest) {
        self.with(|noted| {
            if noted.fatal.contains(&text) {
                noted.fatal.retain(|it| *it != text);
                // If this fails, the text is skipped once more.
                let _ = remember(&noted.folder, &noted.fatal);
            }
        });
    }

    /// Closes the journal: later crashes are not attributed to a text.
    pub fn end(&self) {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(noted) = noted {
            let _ = fs::remove_file(noted.path);
        }
    }

    fn with<T>(&self, run: impl FnOnce(&mut WorkNotes) -> T) -> Option<T> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(run)
    }
}

impl Drop for WorkOnText<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            self.work.with(|noted| noted.write(slot, None));
        }
    }
}

impl WorkNotes {
    fn write(&mut self, slot: usize, text: Option<TextDigest>) {
        if slot == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[slot] = text;
        let line = text.map_or_else(|| " ".repeat(SLOT_LENGTH - 1) + "\n", line_of);
        let at = SeekFrom::Start((slot * SLOT_LENGTH) as u64);
        // A write failure only loses this entry.
        let _ = self.file.seek(at).and_then(|_| self.file.write_all(line.as_bytes()));
    }
}

fn line_of(text: TextDigest) -> String {
    format!("{:016x}\n", text.0)
}

/// Creates and locks a new file for this process.
fn own_file(folder: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        let path = folder.join(format!("at-work-{}-{number}", std::process::id()));
        match File::create_new(&path) {
            Ok(file) => {
                file.lock()?;
                return Ok((path, file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Returns the journals of crashed servers.
fn stale_journals(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let journals = entries.filter(|it| it.file_name().to_string_lossy().starts_with("at-work-"));
    let is_stale = |path: &PathBuf| File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    journals.map(|it| it.path()).filter(is_stale).collect()
}

fn remembered(folder: &Path) -> Vec<TextDigest> {
    digests_in(&folder.join("fatal-texts"))
}

fn remember(folder: &Path, texts: &[TextDigest]) -> io::Result<()> {
    let new = folder.join(format!("fatal-texts-{}", std::process::id()));
    fs::write(&new, texts.iter().copied().map(line_of).collect::<String>())?;
    fs::rename(new, folder.join("fatal-texts"))
}

fn digests_in(file: &Path) -> Vec<TextDigest> {
    let text = read_regular_text(file, MAX_SIZE).unwrap_or_default();
    let numbers = text.lines().filter(|it| it.len() == SLOT_LENGTH - 1);
    numbers.filter_map(|it| u64::from_str_radix(it, 16).ok()).map(TextDigest).collect()
}

/// Returns the folder for cache files; `None` if the environment does not define one.
pub fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let of_system = if cfg!(windows) { absolute("LOCALAPPDATA") } else { None };
    let base = absolute("XDG_CACHE_HOME").or(of_system).or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("puppet-analyzer"))
}

#[cfg(test)]
#[path = "last_work_tests.rs"]
mod tests;
