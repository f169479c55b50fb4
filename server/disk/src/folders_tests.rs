use std::fs;
use std::path::{Path, PathBuf};

use super::{Folders, Links};

struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str, files: &[&str]) -> TestFolder {
        let folder = std::env::temp_dir().join(format!("folders-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for path in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a parent folder")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        TestFolder(folder)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns all entries that a walk yields, sorted; failures are prefixed with `!`.
fn found(folders: &Folders, root: &Path, links: Links) -> Vec<String> {
    let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let mut all = Vec::new();
    let mut walk = folders.walk(root, links);
    while let Some(next) = walk.next() {
        match next {
            Ok(entry) => {
                assert_eq!(entry.depth(), shown(entry.path()).split('/').count());
                all.push(shown(entry.path()));
                if entry.is_folder() {
                    walk.enter(&entry);
                }
            }
            Err(failure) => all.push(format!("!{}", shown(&failure.path))),
        }
    }
    all.sort();
    all
}

#[test]
fn later_walks_reuse_listings() {
    let folder = TestFolder::new("twice", &["a/x", "b/y"]);
    let folders = Folders::default();
    assert_eq!(found(&folders, &folder.0.join("a"), Links::Kept), ["x"]);
    for path in ["a/later", "b/later"] {
        fs::write(folder.0.join(path), "").expect("a file");
    }
    let all = found(&folders, &folder.0, Links::Followed);
    assert_eq!(all, ["a", "a/x", "b", "b/later", "b/y"]);
    for (name, expected) in [("x", true), ("X", true), ("y", false), ("later", false)] {
        assert_eq!(folders.may_contain(&folder.0.join("a"), name), expected, "{name}");
    }
    assert!(folders.may_contain(&folder.0.join("never-seen"), "y"));
}

#[test]
fn failures_are_reported_again() {
    let folder = TestFolder::new("gone", &["a/x"]);
    let folders = Folders::default();
    for _ in 0..2 {
        assert_eq!(found(&folders, &folder.0.join("none"), Links::Kept), ["!"]);
        assert!(folders.may_contain(&folder.0.join("none"), "any"));
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_without_cycles() {
    let folder = TestFolder::new("links", &["a/x", "a/deep/y", "b/z"]);
    let link =
        |target: &Path, path: &str| std::os::unix::fs::symlink(target, folder.0.join(path)).expect("a link");
    link(Path::new(".."), "a/deep/around");
    link(&folder.0.join("b"), "a/to-b");
    link(Path::new("../a"), "b/back");
    link(Path::new("nowhere"), "broken");
    let folders = Folders::default();
    let kept = found(&folders, &folder.0, Links::Kept);
    assert_eq!(
        kept,
        ["a", "a/deep", "a/deep/around", "a/deep/y", "a/to-b", "a/x", "b", "b/back", "b/z", "broken"]
    );
    let followed = found(&folders, &folder.0, Links::Followed);
    assert_eq!(
        followed,
        [
            "!a/deep/around",
            "!a/to-b/back",
            "!b/back/deep/around",
            "!b/back/to-b",
            "!broken",
            "a",
            "a/deep",
            "a/deep/y",
            "a/to-b",
            "a/to-b/z",
            "a/x",
            "b",
            "b/back",
            "b/back/deep",
            "b/back/deep/y",
            "b/back/x",
            "b/z",
        ]
    );
}
