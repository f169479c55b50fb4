//! Files in the cache folder: the index of a workspace, and the crash journal.

use std::fs;

use disk::last_work::LastWork;

pub(crate) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    disk::read_index(folder.path(), bytes).expect("temporary files can be written");
    for name in ["fatal-texts", "at-work-1-0"] {
        fs::write(folder.path().join(name), bytes).expect("temporary files can be written");
    }
    let journal = LastWork::start(folder.path()).expect("the folder is writable");
    let _ = journal.fatal_texts();
    journal.end();
}
