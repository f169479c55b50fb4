//! Folders with small projects for a test, and the program run in them.
#![allow(unreachable_pub)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the program in a folder: its exit code, what it printed, and its errors.
pub fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
    let output = program.args(arguments).current_dir(folder).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A folder of its own, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str, files: &[(&str, &str)]) -> Folder {
        let root = std::env::temp_dir().join(format!("puppet-analyzer-cli-{}-{test}", std::process::id()));
        let folder = Folder(root);
        folder.write(files);
        folder
    }

    pub fn write(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().expect("has a folder")).expect("a temporary folder");
            fs::write(path, text).expect("a temporary file");
        }
    }

    pub fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]).args(arguments);
        let output = git.current_dir(&self.0).output().expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
