//! Writes, reads and cancellation.

use std::sync::Arc;
use std::sync::mpsc;

use ide::{AnalysisHost, Cancelled, ChangeBatch, DiskState, FilePath, Settings};

fn path(text: &str) -> FilePath {
    FilePath::from_native(text).expect("absolute")
}

fn disk(files: &[(&str, &str)]) -> ChangeBatch {
    let disk = files.iter().map(|(name, text)| (path(name), DiskState::Text((*text).into()))).collect();
    ChangeBatch { disk, ..ChangeBatch::default() }
}

fn buffer(name: &str, text: Option<&str>) -> ChangeBatch {
    ChangeBatch { buffers: vec![(path(name), text.map(Arc::from))], ..ChangeBatch::default() }
}

fn text_of(host: &AnalysisHost, name: &str) -> Option<String> {
    let analysis = host.analysis();
    let file = analysis.file_id(&path(name))?;
    analysis.text(file).ok()?.map(|text| text.to_string())
}

#[test]
fn buffers_win_over_the_disk() {
    let mut host = AnalysisHost::new();
    host.apply(disk(&[("/a.pp", "disk")]));
    assert_eq!(text_of(&host, "/a.pp").as_deref(), Some("disk"));
    host.apply(buffer("/a.pp", Some("buffer")));
    host.apply(disk(&[("/a.pp", "newer disk")]));
    assert_eq!(text_of(&host, "/a.pp").as_deref(), Some("buffer"));
    host.apply(ChangeBatch { disk: vec![(path("/a.pp"), DiskState::Missing)], ..ChangeBatch::default() });
    assert_eq!(text_of(&host, "/a.pp").as_deref(), Some("buffer"));
    host.apply(buffer("/a.pp", None));
    assert_eq!(text_of(&host, "/a.pp"), None);
    host.apply(disk(&[("/a.pp", "back")]));
    assert_eq!(text_of(&host, "/a.pp").as_deref(), Some("back"));
}

#[test]
fn files_keep_their_identity() {
    let mut host = AnalysisHost::new();
    host.apply(disk(&[("/b.pp", ""), ("/a.epp", ""), ("/no.rb", ""), ("/metadata.json", "{}")]));
    let analysis = host.analysis();
    let names: Vec<_> = analysis.files().into_iter().map(|file| analysis.path(file).to_string()).collect();
    assert_eq!(names, ["/a.epp", "/b.pp"]);
    let before = analysis.file_id(&path("/b.pp"));
    drop(analysis);
    host.apply(ChangeBatch { disk: vec![(path("/b.pp"), DiskState::Missing)], ..ChangeBatch::default() });
    assert_eq!(host.analysis().files().len(), 1);
    host.apply(disk(&[("/b.pp", "class b { }")]));
    assert_eq!(host.analysis().file_id(&path("/b.pp")), before);
}

#[test]
fn non_file_documents_can_be_read() {
    let mut host = AnalysisHost::new();
    let name = FilePath::from_uri("untitled:Untitled-1").expect("a URI");
    let text = Some("class a {".into());
    host.apply(ChangeBatch { buffers: vec![(name.clone(), text)], ..ChangeBatch::default() });
    let analysis = host.analysis();
    let file = analysis.file_id(&name).expect("open");
    assert_eq!(analysis.path(file).to_uri(), "untitled:Untitled-1");
    assert_eq!(analysis.syntax_diagnostics(file).map(|found| found.len()), Ok(1));
}

#[test]
fn snapshots_are_immutable() {
    let mut host = AnalysisHost::new();
    host.apply(disk(&[("/a.pp", "class a { }")]));
    let (analysis_sent, analysis_received) = mpsc::channel();
    let (result_sent, result_received) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let analysis: ide::Analysis = analysis_received.recv().expect("sent");
        let file = analysis.file_id(&path("/a.pp")).expect("there");
        result_sent.send(()).expect("still there");
        // Reads until the writer cancels it.
        loop {
            if let Err(cancelled) = analysis.parse(file) {
                return cancelled;
            }
        }
    });
    analysis_sent.send(host.analysis()).expect("still there");
    result_received.recv().expect("reading");
    host.apply(disk(&[("/a.pp", "class b { }")]));
    assert_eq!(reader.join().ok(), Some(Cancelled::PendingWrite));
    assert_eq!(text_of(&host, "/a.pp").as_deref(), Some("class b { }"));
}

#[test]
fn a_token_ends_the_reads_of_its_snapshot_only() {
    let mut host = AnalysisHost::new();
    host.apply(disk(&[("/a.pp", "class a { }")]));
    let (analysis, other) = (host.analysis(), host.analysis());
    let file = analysis.file_id(&path("/a.pp")).expect("there");
    analysis.cancellation_token().cancel();
    assert_eq!(analysis.syntax_diagnostics(file), Err(Cancelled::Local));
    assert_eq!(other.syntax_diagnostics(file), Ok(Vec::new()));
}

#[test]
fn unchanged_batches_create_no_revision() {
    let mut host = AnalysisHost::new();
    host.apply(disk(&[("/a.pp", "class a { }")]));
    let same = Settings::default();
    host.apply(ChangeBatch { settings: Some(same.clone()), ..disk(&[("/a.pp", "class a { }")]) });
    assert_eq!(*host.settings(), same);
    host.trigger_eviction();
    assert_eq!(text_of(&host, "/a.pp").as_deref(), Some("class a { }"));
}
