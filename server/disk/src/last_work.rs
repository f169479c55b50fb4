//! Which texts a server is at work on, in a file of the user's own cache folder: should it end on one of them, the next server
//! passes that text over.
//!
//! Each server has a file that it locks, with a slot for each text; it goes when the server ends as it should. A file that nobody
//! locks is what is left of a server that has crashed.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ide::TextDigest;

use crate::path_policy::read_regular_text;

/// Of so many texts it is remembered that a server has ended on them.
const MAX_REMEMBERED: usize = 100;

/// Longer files are none of ours.
const MAX_SIZE: u64 = 1 << 20;

/// A digest in hexadecimal digits, and a line break.
const SLOT_LENGTH: usize = 17;

/// The texts that a server is at work on.
#[derive(Debug, Default)]
pub struct LastWork {
    noted: Mutex<Option<WorkNotes>>,
}

#[derive(Debug)]
struct WorkNotes {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    /// What stands in each slot.
    slots: Vec<Option<TextDigest>>,
    /// The texts that servers have ended on.
    fatal: Vec<TextDigest>,
}

/// Work on a text, until it is dropped.
pub struct WorkOnText<'w> {
    work: &'w LastWork,
    slot: Option<usize>,
}

impl LastWork {
    /// Begins to take notes in a folder, which is made. Takes in what servers left behind that have crashed.
    ///
    /// # Errors
    /// Nothing can be written there.
    pub fn start(folder: &Path) -> io::Result<LastWork> {
        fs::create_dir_all(folder)?;
        let mut fatal = remembered(folder);
        let known = fatal.len();
        for left in left_behind(folder) {
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

    /// The folder of the notes, where some are taken.
    pub fn folder(&self) -> Option<PathBuf> {
        self.with(|noted| noted.folder.clone())
    }

    /// The texts that servers have ended on.
    pub fn fatal_texts(&self) -> Vec<TextDigest> {
        self.with(|noted| noted.fatal.clone()).unwrap_or_default()
    }

    /// Notes that somebody is at work on a text.
    pub fn on(&self, text: TextDigest) -> WorkOnText<'_> {
        let slot = self.with(|noted| {
            let slot = noted.slots.iter().position(Option::is_none).unwrap_or(noted.slots.len());
            noted.write(slot, Some(text));
            slot
        });
        WorkOnText { work: self, slot }
    }

    /// The text has changed: should it come back, it is looked at again.
    pub fn forget(&self, text: TextDigest) {
        self.with(|noted| {
            if noted.fatal.contains(&text) {
                noted.fatal.retain(|it| *it != text);
                // Should that fail, the text is passed over once more.
                let _ = remember(&noted.folder, &noted.fatal);
            }
        });
    }

    /// Takes no notes any more: whatever ends the server now is no fault of a text.
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
        // A note that cannot be written is none.
        let _ = self.file.seek(at).and_then(|_| self.file.write_all(line.as_bytes()));
    }
}

fn line_of(text: TextDigest) -> String {
    format!("{:016x}\n", text.0)
}

/// A new file that this process alone has.
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

/// The files of servers that have crashed.
fn left_behind(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of_servers = entries.filter(|it| it.file_name().to_string_lossy().starts_with("at-work-"));
    let of_none = |path: &PathBuf| File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    of_servers.map(|it| it.path()).filter(of_none).collect()
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

/// Where programs keep what they can do without; `None` where the system does not say.
pub fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let of_system = if cfg!(windows) { absolute("LOCALAPPDATA") } else { None };
    let base = absolute("XDG_CACHE_HOME").or(of_system).or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("puppet-analyzer"))
}

#[cfg(test)]
#[path = "last_work_tests.rs"]
mod tests;
