use super::*;
use crate::main_loop::test_context::file_path;

/// Returns what pending changes affect: `none`, `nothing that is published`, or the marked files.
fn affected(change: impl FnOnce(&mut PendingChanges)) -> String {
    let mut changes = PendingChanges::default();
    change(&mut changes);
    let affected = match changes.take() {
        None => "none".to_owned(),
        Some(NextRevision::Unnoticed(_)) => "nothing that is published".to_owned(),
        Some(NextRevision::Changed { affected, .. }) => {
            let paths: Vec<&str> = affected.paths.iter().map(FilePath::as_str).collect();
            format!("{}{}", if affected.everything { "everything " } else { "" }, paths.join(" "))
        }
    };
    assert!(changes.take().is_none(), "changes are applied once");
    affected
}

#[test]
fn changes_mark_the_diagnostics_that_they_affect() {
    let missing = || (file_path("/a.pp"), DiskState::Missing);
    for (found, expected) in [
        (affected(|_| {}), "none"),
        (affected(|it| it.add_scanned(&mut Vec::new())), "none"),
        // Everything is checked when the scan has ended.
        (affected(|it| it.add_scanned(&mut vec![missing()])), ""),
        (affected(|it| it.add_disk([missing()])), "everything "),
        (affected(|it| it.set_buffer(file_path("/a.pp"), Some("".into()))), "/a.pp"),
        (affected(|it| it.set_settings(Settings::default())), "everything "),
        (affected(|it| it.set_roots(Vec::new())), "everything "),
        (affected(|it| it.set_unread_folders(Vec::new())), "everything "),
        (affected(|it| it.set_installed(Vec::new())), "nothing that is published"),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn only_the_last_text_of_a_file_is_applied() {
    let mut changes = PendingChanges::default();
    for (path, text) in [("/a.pp", Some("1")), ("/b.pp", Some("2")), ("/a.pp", Some("3")), ("/b.pp", None)] {
        changes.set_buffer(file_path(path), text.map(Arc::from));
    }
    let Some(NextRevision::Changed { batch, .. }) = changes.take() else { panic!("no changes") };
    let texts: Vec<_> = batch.buffers.iter().map(|(path, text)| (path.as_str(), text.as_deref())).collect();
    assert_eq!(texts, [("/a.pp", Some("3")), ("/b.pp", None)]);
}
