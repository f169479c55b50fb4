use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;

#[test]
fn panics_propagate_and_later_reads_work() {
    let mut host = AnalysisHost::new();
    let path = FilePath::from_native("/a.pp").expect("absolute");
    let disk = vec![(path.clone(), DiskState::Text("class a { }".into()))];
    host.apply(ChangeBatch { disk, ..ChangeBatch::default() });
    let analysis = host.analysis();
    let read = || analysis.read(|_| -> usize { panic!("on purpose") });
    assert!(catch_unwind(AssertUnwindSafe(read)).is_err());
    let file = analysis.file_id(&path).expect("there");
    assert_eq!(analysis.syntax_diagnostics(file), Ok(Vec::new()));
}
