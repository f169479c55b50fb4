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
            fs::create_dir_all(path.parent().expect("a parent folder")).expect("a folder");
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

fn is_ignored(root: &Path, rules: IgnoreRules, path: &str) -> bool {
    IgnoreFiles::below(root, rules).is_ignored(&root.join(path), path.ends_with('/'))
}

#[test]
fn precedence_of_ignore_files() {
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
        assert_eq!(is_ignored(root, ALL, path), expected, "{path}");
    }
    assert!(!is_ignored(root, IgnoreRules { reads_plain: false, ..ALL }, "sub/x.d"));
    let sub = root.join("sub");
    assert!(is_ignored(&sub, ALL, "x.a"));
    assert!(!is_ignored(&sub, IgnoreRules { from_parents: false, ..ALL }, "x.a"));
}

#[test]
fn git_files_apply_inside_repositories() {
    let folder = Folder::new("git", &[(".gitignore", "*.a\n"), ("inner/.git/HEAD", ""), ("inner/x", "")]);
    let rules = IgnoreRules { requires_git: true, ..ALL };
    assert!(!is_ignored(&folder.0, rules, "x.a"));
    assert!(!is_ignored(&folder.0.join("inner"), rules, "x.a"), "another repository");
    assert!(is_ignored(&folder.0.join("inner"), ALL, "x.a"));
}

#[cfg(unix)]
#[test]
fn only_short_regular_files_are_read() {
    use std::os::unix::fs::symlink;
    let long = "*.a\n".repeat(MAX_LENGTH as usize / 4 + 1);
    let folder = Folder::new("odd", &[("long/.ignore", &long), ("link/plain", "*.a\n"), ("device/x", "")]);
    symlink("/dev/zero", folder.0.join("device/.gitignore")).expect("a link");
    symlink("plain", folder.0.join("link/.gitignore")).expect("a link");
    symlink("nowhere", folder.0.join("link/.ignore")).expect("a link");
    let ignored = IgnoreFiles::below(&folder.0, ALL);
    for (path, expected) in [("long/x.a", false), ("device/x.a", false), ("link/x.a", true)] {
        assert_eq!(ignored.is_ignored(&folder.0.join(path), false), expected, "{path}");
    }
    let not_read: Vec<String> = ignored.not_read().iter().map(|(_, failure)| failure.to_string()).collect();
    assert_eq!(not_read, ["file is too large", "path is outside of the trusted folders"]);
}
