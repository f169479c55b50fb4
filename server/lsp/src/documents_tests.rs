use super::*;

fn change(range: Option<[i64; 4]>, text: &str) -> ContentChange {
    let position = |line, character| LoosePosition { line, character };
    let range = range.map(|it| LooseRange { start: position(it[0], it[1]), end: position(it[2], it[3]) });
    ContentChange { range, text: text.to_owned() }
}

#[test]
fn changes_apply_one_after_the_other() {
    let text = "eins\nzw\u{e4}i \u{1f600} x\ndrei\n";
    for (changes, expected) in [
        (vec![], text),
        (vec![change(Some([0, 0, 0, 4]), "one")], "one\nzw\u{e4}i \u{1f600} x\ndrei\n"),
        (vec![change(Some([1, 5, 1, 7]), "!")], "eins\nzw\u{e4}i ! x\ndrei\n"),
        // From the last to the first, then from the first to the last.
        (
            vec![change(Some([2, 0, 2, 1]), "D"), change(Some([0, 0, 0, 1]), "E\n")],
            "E\nins\nzw\u{e4}i \u{1f600} x\nDrei\n",
        ),
        (
            vec![change(Some([0, 0, 0, 1]), "E\n"), change(Some([3, 0, 3, 1]), "D")],
            "E\nins\nzw\u{e4}i \u{1f600} x\nDrei\n",
        ),
        // The whole text, then a part of it.
        (
            vec![change(Some([0, 0, 3, 0]), "gone"), change(None, "a\nb"), change(Some([1, 0, 1, 1]), "c")],
            "a\nc",
        ),
        // Out of range: clamped; reversed: the same range.
        (vec![change(Some([99, 0, 99, 9]), "end")], "eins\nzw\u{e4}i \u{1f600} x\ndrei\nend"),
        (vec![change(Some([0, 99, 1, 0]), "")], "einszw\u{e4}i \u{1f600} x\ndrei\n"),
        (vec![change(Some([-1, -5, 0, 1]), "E")], "Eins\nzw\u{e4}i \u{1f600} x\ndrei\n"),
        (vec![change(Some([0, 3, 0, 1]), "")], "es\nzw\u{e4}i \u{1f600} x\ndrei\n"),
        (vec![change(Some([0, 0, 1 << 40, 0]), "")], ""),
    ] {
        let documents = OpenDocuments::default();
        let (path, uri) = path_and_uri("/one.pp");
        documents.open(path.clone(), uri, 1, text.to_owned());
        let found = documents.change(&path, 2, changes.clone(), ColumnUnit::Utf16).expect("it is open");
        assert_eq!(**found.lines(), LineMap::new(&found.text));
        assert_eq!(&*found.text, expected, "{changes:?}");
    }
}

fn path_and_uri(path: &str) -> (FilePath, Uri) {
    let path = FilePath::from_native(path).expect("an absolute path");
    let uri = path.to_uri().parse().expect("a URI");
    (path, uri)
}

#[test]
fn readers_keep_their_version_during_writes() {
    let documents = OpenDocuments::default();
    let (path, uri) = path_and_uri("/one.pp");
    let (first, was_open) = documents.open(path.clone(), uri, 1, "one\ntwo".to_owned());
    assert!(!was_open && documents.is_newest(&path, &first));
    let writer = documents.clone();
    let changed_path = path.clone();
    let written = std::thread::spawn(move || {
        let inserted = change(Some([0, 0, 0, 0]), "zero\n");
        writer.change(&changed_path, 2, vec![inserted], ColumnUnit::Utf16).expect("it is open")
    });
    let second = written.join().expect("no panic");
    assert!(documents.is_newest(&path, &second) && !documents.is_newest(&path, &first));
    // In both versions, text, number and lines are consistent.
    assert_eq!((&*first.text, first.version, first.lines().line_count()), ("one\ntwo", 1, 2));
    assert_eq!((&*second.text, second.version, second.lines().line_count()), ("zero\none\ntwo", 2, 3));
    documents.close(&path);
    assert!(documents.get(&path).is_none());
    assert!(documents.change(&path, 3, Vec::new(), ColumnUnit::Utf16).is_none());
}
