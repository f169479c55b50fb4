use std::fs;
use std::path::{Path, PathBuf};

use super::{IgnoreFiles, IgnoreRules, MAX_LENGTH};

const ALL: IgnoreRules = IgnoreRules { reads_plain: true, from_parents: true, requires_git: false };

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let folder = std::env::temp_dir().join(format!("ignored-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(root: &Path, rules: IgnoreRules, path: &str) -> bool {
    IgnoreFiles::below(root, rules).name(&root.join(path), path.ends_with('/'))
}

#[test]
fn the_nearest_file_counts_most_and_plain_ones_more_than_those_of_git() {
    let folder = Folder::new(
        "order",
        &[
            (".gitignore", "*.a\n/top.b\nfolder/\n"),
            (".git/info/exclude", "*.c\n"),
            ("sub/.gitignore", "!kept.a\n"),
            ("sub/.ignore", "\u{feff}*.d\n!x.c\n[\n"),
        ],
    );
    let root = &folder.0;
    for (path, expected) in [
        ("x.a", true),
        ("top.b", true),
        ("sub/top.b", false),
        ("folder/", true),
        ("folder", false),
        ("x.c", true),
        ("sub/kept.a", false),
        ("sub/x.d", true),
        ("sub/x.c", false),
        ("sub/other.c", true),
        ("x.d", false),
    ] {
        assert_eq!(names(root, ALL, path), expected, "{path}");
    }
    assert!(!names(root, IgnoreRules { reads_plain: false, ..ALL }, "sub/x.d"));
    let sub = root.join("sub");
    assert!(names(&sub, ALL, "x.a"));
    assert!(!names(&sub, IgnoreRules { from_parents: false, ..ALL }, "x.a"));
}

#[test]
fn files_of_git_count_in_its_repositories() {
    let folder = Folder::new("git", &[(".gitignore", "*.a\n"), ("inner/.git/HEAD", ""), ("inner/x", "")]);
    let rules = IgnoreRules { requires_git: true, ..ALL };
    assert!(!names(&folder.0, rules, "x.a"));
    assert!(!names(&folder.0.join("inner"), rules, "x.a"), "it is of another repository");
    assert!(names(&folder.0.join("inner"), ALL, "x.a"));
}

#[cfg(unix)]
#[test]
fn what_is_no_short_regular_file_is_not_read() {
    use std::os::unix::fs::symlink;
    let long = "*.a\n".repeat(MAX_LENGTH as usize / 4 + 1);
    let folder = Folder::new("odd", &[("long/.ignore", &long), ("link/plain", "*.a\n"), ("device/x", "")]);
    symlink("/dev/zero", folder.0.join("device/.gitignore")).expect("a link");
    symlink("plain", folder.0.join("link/.gitignore")).expect("a link");
    symlink("nowhere", folder.0.join("link/.ignore")).expect("a link");
    let ignored = IgnoreFiles::below(&folder.0, ALL);
    for (path, expected) in [("long/x.a", false), ("device/x.a", false), ("link/x.a", true)] {
        assert_eq!(ignored.name(&folder.0.join(path), false), expected, "{path}");
    }
    let not_read: Vec<String> = ignored.not_read().iter().map(|(_, failure)| failure.to_string()).collect();
    assert_eq!(not_read, ["it is too large", "it leads out of the folders that may be read"]);
}
