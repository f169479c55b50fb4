use super::*;
use crate::main_loop::test_context::{file_path, open};

#[test]
fn continued_words_keep_a_completion_valid() {
    for (then, now, is_continued) in [
        ("include ap\n", "include ap\n", true),
        ("include ap\n", "include apache\n", true),
        ("include ap\n", "include apache::mod\n", true),
        ("include ap\n", "include ap \n", false),
        ("include ap\n", "include ap(\n", false),
        ("include ap\n", "include a\n", false),
        // Another change, before or after the word.
        ("include ap\n", "#\ninclude apache\n", false),
        ("include ap\n", "include apache\n#\n", false),
    ] {
        let table = OpenDocuments::default();
        let path = file_path("/a.pp");
        let (then, now) = (open(&table, &path, then), open(&table, &path, now));
        let position = Position { line: 0, character: 10 };
        let found = continues_word(&then, &now, position, ColumnUnit::Utf16);
        assert_eq!(found, is_continued, "{}", now.text);
    }
}

#[test]
fn documents_are_listed_by_path() {
    let table = OpenDocuments::default();
    let mut documents = Documents::new(table.clone());
    for path in ["/c.pp", "/a.pp", "/b.pp", "/a.pp"] {
        let path = file_path(path);
        documents.insert(path.clone(), open(&table, &path, ""));
    }
    documents.remove(&file_path("/b.pp"));
    let paths: Vec<_> = documents.sorted().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["/a.pp", "/c.pp"].map(file_path));
}
