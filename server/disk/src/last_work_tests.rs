use super::*;

const A: TextDigest = TextDigest(10);
const B: TextDigest = TextDigest(11);

/// Creates an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("last-work-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Simulates a server that exits without cleaning up.
fn crash(work: LastWork) {
    let mut noted = work.noted.lock().expect("no panic");
    // Closing the file releases the lock but does not delete the file.
    drop(noted.take());
}

#[test]
fn crashing_files_are_remembered_until_they_change() {
    let folder = folder("remembered");
    let work = LastWork::start(&folder).expect("a folder");
    assert_eq!(work.fatal_texts(), []);
    drop(work.on(B));
    std::mem::forget(work.on(A));
    crash(work);

    let work = LastWork::start(&folder).expect("a folder");
    assert_eq!(work.fatal_texts(), [A]);
    work.end();
    let work = LastWork::start(&folder).expect("a folder");
    assert_eq!(work.fatal_texts(), [A], "it is remembered for longer than one server");
    work.unmark(A);
    work.end();
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), []);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn regular_exits_leave_no_journal() {
    let folder = folder("ended");
    let work = LastWork::start(&folder).expect("a folder");
    std::mem::forget(work.on(A));
    work.end();
    drop(work.on(B));
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), []);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn running_servers_are_ignored() {
    let folder = folder("others");
    let other = LastWork::start(&folder).expect("a folder");
    let _work = other.on(A);
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), []);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn invalid_journals_are_ignored() {
    let folder = folder("odd");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("fatal-texts"), "x\n\nzzzzzzzzzzzzzzzz\n000000000000000a\n").expect("a file");
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), [A]);
    let _ = fs::remove_dir_all(folder);
}
