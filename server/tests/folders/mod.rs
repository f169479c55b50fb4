//! Temporary folders with small projects, and running the program in them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Result of running the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program in a folder.
fn run_with_input(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Commands that do not read input may exit before it is written.
    let _ = child.stdin.take().expect("is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Returns the path of the example repository.
pub(crate) fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/control-repo")
}

/// Runs the program in a folder and returns exit code, standard output and standard error.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let ran = run_with_input(folder, arguments, "");
    (ran.code, ran.stdout, ran.stderr)
}

/// A temporary folder for a test, removed on drop.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(test: &str, files: &[(&str, &str)]) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // Adjacent folders would be modules of the same folder of modules.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = std::env::temp_dir().join(format!("puppet-analyzer-cli-{}-{number}", std::process::id()));
        let folder = Folder(own.join(test));
        fs::create_dir_all(&folder.0).expect("a temporary folder");
        folder.write(files);
        folder
    }

    pub(crate) fn write(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().expect("has a folder")).expect("a temporary folder");
            fs::write(path, text).expect("a temporary file");
        }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with_input(arguments, "")
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Ran {
        run_with_input(&self.0, arguments, input)
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]).args(arguments);
        let output = git.current_dir(&self.0).output().expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = self.0.parent().map(fs::remove_dir_all);
    }
}
