use std::fs;

use super::*;
use crate::documents::OpenDocuments;
use crate::main_loop::events::LoopEvent;
use crate::main_loop::test_context::{TestContext, file_path};

fn scanned(path: &str) -> Vec<(FilePath, DiskState)> {
    vec![(file_path(path), DiskState::Missing)]
}

#[test]
fn scanned_files_do_not_cancel_latency_sensitive_requests_for_long() {
    let mut test = TestContext::new();
    let mut scan = Scan::default();
    scan.add_scanned(scanned("/a.pp"));
    scan.apply_scanned(&mut test.ctx);
    assert!(test.affected().is_some(), "nothing is being handled");
    let _hover = test.ctx.jobs.start(Work::LatencySensitive);
    for round in 0..3 {
        scan.add_scanned(scanned("/a.pp"));
        for _ in 0..MAX_DELAYS {
            scan.apply_scanned(&mut test.ctx);
            assert!(test.affected().is_none(), "round {round}");
        }
        scan.apply_scanned(&mut test.ctx);
        assert!(test.affected().is_some(), "round {round}");
    }
    scan.add_scanned(scanned("/a.pp"));
    scan.apply_all_scanned(&mut test.ctx);
    assert!(test.affected().is_some(), "another request needs the files");
}

#[test]
fn folders_are_added_once() {
    let mut scan = Scan::default();
    let (a, b) = (file_path("/a"), file_path("/b"));
    let untitled = FilePath::from_uri("untitled:Untitled-1").expect("a path");
    assert_eq!(scan.add_roots(vec![a.clone(), untitled]), std::slice::from_ref(&a));
    assert_eq!(scan.add_roots(vec![a.clone(), b.clone()]), [b]);
    assert!(scan.is_relevant(&file_path("/a/x.pp")) && !scan.is_relevant(&file_path("/c/x.pp")));
    let mut test = TestContext::new();
    assert!(!scan.remove_root(&file_path("/c"), &mut test.ctx));
    assert!(scan.remove_root(&a, &mut test.ctx) && !scan.is_root(&a));
}

#[test]
fn a_folder_is_read_with_its_settings() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("manifests")).expect("a writable folder");
    fs::write(folder.path().join("manifests/init.pp"), "class m { }\n").expect("a writable folder");
    let root = file_path(folder.path().to_str().expect("UTF-8"));
    let mut test = TestContext::new();
    let mut scan = Scan::default();
    scan.add_roots(vec![root.clone()]);
    scan.trust(std::iter::empty());
    scan.read_root(&root, &Documents::new(OpenDocuments::default()), &mut test.ctx);
    assert!(test.ctx.jobs.is_reading());
    let mut found: Vec<String> = Vec::new();
    for event in test.until_idle() {
        let LoopEvent::Write(write) = event else { continue };
        found.push(match write {
            Write::Scanned(files) => {
                let paths: Vec<_> = files.iter().filter_map(|(path, _)| path.strip_prefix(&root)).collect();
                format!("scanned {}", paths.join(" "))
            }
            Write::RootSettings { root: of, .. } => format!("settings {}", of == root),
            Write::ScanFinished { files, .. } => format!("finished {files}"),
            _ => "other".to_owned(),
        });
    }
    assert_eq!(found, ["settings true", "scanned manifests/init.pp", "finished 1"]);
    assert!(!test.ctx.jobs.is_reading());
}

#[test]
fn removed_folders_are_not_read_to_the_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.pp"), "").expect("a writable folder");
    let root = file_path(folder.path().to_str().expect("UTF-8"));
    let mut test = TestContext::new();
    let mut scan = Scan::default();
    scan.add_roots(vec![root.clone()]);
    scan.stop();
    scan.read_root(&root, &Documents::new(OpenDocuments::default()), &mut test.ctx);
    let events = test.until_idle();
    let is_handed_over =
        |event: &LoopEvent| matches!(event, LoopEvent::Write(Write::Scanned(_) | Write::ScanFinished { .. }));
    assert!(!events.iter().any(is_handed_over));
}

#[test]
fn refused_folders_are_applied_when_they_change() {
    let mut test = TestContext::new();
    let mut scan = Scan::default();
    let folders = |names: &[&str]| names.iter().map(|it| file_path(it)).collect::<Vec<_>>();
    for (names, is_applied) in
        [(&[][..], false), (&["/a"], true), (&["/a"], false), (&["/a", "/b"], true), (&[], true)]
    {
        scan.refuse(folders(names), &mut test.ctx);
        assert_eq!(test.affected().is_some(), is_applied, "{names:?}");
    }
    assert_eq!(scan.refused_folders.len(), 2);
}
