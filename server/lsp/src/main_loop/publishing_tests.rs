use super::*;
use crate::documents::OpenDocuments;
use crate::main_loop::test_context::{file_path, open};

/// Opens `/a.pp`, `/b.pp`, and `/c.pp`.
fn three_documents() -> Documents {
    let table = OpenDocuments::default();
    let mut documents = Documents::new(table.clone());
    for path in ["/a.pp", "/b.pp", "/c.pp"].map(file_path) {
        documents.insert(path.clone(), open(&table, &path, ""));
    }
    documents
}

#[test]
fn edited_files_come_first_and_syntax_before_values() {
    let documents = three_documents();
    for (paths, everything, others, expected) in [
        (vec!["/b.pp"], false, false, "b:Errors b:Syntax b:Names b:Evaluation"),
        (
            vec!["/b.pp"],
            false,
            true,
            "b:Errors b:Syntax b:Names b:Evaluation a:Names a:Evaluation c:Names c:Evaluation",
        ),
        (
            vec!["/c.pp", "/a.pp"],
            false,
            false,
            "a:Errors c:Errors a:Syntax c:Syntax a:Names a:Evaluation c:Names c:Evaluation",
        ),
        (
            vec![],
            true,
            true,
            "a:Errors b:Errors c:Errors a:Syntax b:Syntax c:Syntax \
             a:Names a:Evaluation b:Names b:Evaluation c:Names c:Evaluation",
        ),
        // The file was closed in the meantime.
        (vec!["/closed.pp"], false, true, ""),
    ] {
        let due =
            PendingDiagnostics { paths: paths.iter().map(|it| file_path(it)).collect(), everything, others };
        let plan = PublishPlan::new(due, &documents);
        let rounds = plan.iter().flat_map(|it| &it.rounds);
        let rounds: Vec<_> = rounds
            .map(|((path, _), round)| format!("{}:{round:?}", path.as_str().trim_matches(['/', '.', 'p'])))
            .collect();
        assert_eq!(rounds.join(" "), expected, "{paths:?}");
    }
}

#[test]
fn cancelled_plans_are_due_again() {
    let documents = three_documents();
    let retry = |everything, others| {
        let due = PendingDiagnostics { paths: vec![file_path("/a.pp")], everything, others };
        PublishPlan::new(due, &documents).map(|it| it.retry)
    };
    let paths = vec![file_path("/a.pp")];
    let expected = |everything, others| PendingDiagnostics { paths: paths.clone(), everything, others };
    assert_eq!(retry(false, true), Some(expected(false, true)));
    // No file is checked for its names and values only.
    assert_eq!(retry(true, true), Some(expected(true, false)));
}

#[test]
fn other_files_are_checked_with_the_next_edited_one() {
    let mut publishing = Publishing::default();
    publishing.add_others();
    assert_eq!(publishing.take(), None);
    publishing.add(PendingDiagnostics { paths: vec![file_path("/a.pp")], ..PendingDiagnostics::default() });
    let due = publishing.take().expect("a file is due");
    assert!(due.others && !due.everything);
    assert_eq!(due.paths, [file_path("/a.pp")]);
    assert_eq!(publishing.take(), None);
}
