use super::*;

const A: TextDigest = TextDigest(10);
const B: TextDigest = TextDigest(11);

/// An empty folder that is this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("last-work-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// What is left of a server that ends without a word.
fn crash(work: LastWork) {
    let mut noted = work.noted.lock().expect("no panic");
    // The lock goes with the file, the file stays.
    drop(noted.take());
}

#[test]
fn a_text_that_a_server_ended_on_is_remembered_until_it_changes() {
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
    work.forget(A);
    work.end();
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), []);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn who_ends_as_he_should_leaves_nothing_behind() {
    let folder = folder("ended");
    let work = LastWork::start(&folder).expect("a folder");
    std::mem::forget(work.on(A));
    work.end();
    drop(work.on(B));
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), []);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn servers_that_work_are_left_alone() {
    let folder = folder("others");
    let other = LastWork::start(&folder).expect("a folder");
    let _work = other.on(A);
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), []);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn what_is_no_note_is_nothing() {
    let folder = folder("odd");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("fatal-texts"), "x\n\nzzzzzzzzzzzzzzzz\n000000000000000a\n").expect("a file");
    assert_eq!(LastWork::start(&folder).expect("a folder").fatal_texts(), [A]);
    let _ = fs::remove_dir_all(folder);
}
