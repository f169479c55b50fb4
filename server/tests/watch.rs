//! Tests of `check --watch`.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::folders::Folder;

/// A running `check --watch`.
struct Watch {
    process: Child,
    lines: Receiver<String>,
    /// Lines on standard error: one when each check is complete.
    states: Receiver<String>,
}

impl Watch {
    fn start(folder: &Folder, arguments: &[&str]) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
        command.args(["check", "--watch"]).args(arguments).current_dir(&folder.0);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        let lines = lines_of(process.stdout.take().expect("is piped"));
        let states = lines_of(process.stderr.take().expect("is piped"));
        Watch { process, lines, states }
    }

    /// Waits for the last line of a report, and for the end of the check, which stores the exit code.
    #[track_caller]
    fn expect(&self, summary: &str) {
        let is_last = |line: &str| line.starts_with("Found ") || line.starts_with("No findings");
        assert_eq!(next(&self.lines, is_last), summary);
        next(&self.states, |line| line.starts_with("watching "));
    }

    fn interrupt(mut self) -> Option<i32> {
        let killed = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        self.process.wait().expect("ends").code()
    }
}

/// Receives the lines of a stream.
fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    let output = BufReader::new(stream).lines();
    std::thread::spawn(move || output.map_while(Result::ok).try_for_each(|it| sender.send(it)));
    lines
}

/// Waits for the next line that `is_wanted`.
#[track_caller]
fn next(lines: &Receiver<String>, is_wanted: impl Fn(&str) -> bool) -> String {
    loop {
        let line = lines.recv_timeout(Duration::from_secs(60)).expect("a line");
        if is_wanted(&line) {
            return line;
        }
    }
}

#[cfg(unix)]
#[test]
fn changed_files_are_checked_again() {
    let files = [
        ("environment.conf", ""),
        ("manifests/site.pp", "include m\n"),
        ("modules/m/manifests/init.pp", "class m($a = 1) { notice($a) }\n"),
    ];
    let folder = Folder::new("watch", &files);
    let watch = Watch::start(&folder, &["manifests"]);
    watch.expect("No findings in 1 file");
    folder.write(&[("manifests/site.pp", "class { 'm': b => 1 }\n")]);
    watch.expect("Found 1 error in 1 file");
    // The module is not checked itself, but the finding depends on it.
    folder.write(&[("modules/m/manifests/init.pp", "class m($b = 1) { notice($b) }\n")]);
    watch.expect("No findings in 1 file");
    folder.write(&[("manifests/other.pp", "notice(\n")]);
    watch.expect("Found 1 error in 1 of 2 files");
    std::fs::remove_file(folder.0.join("manifests/other.pp")).expect("exists");
    watch.expect("No findings in 1 file");
    folder.write(&[("puppet-analyzer.toml", "[lint]\nunused-parameter = 'off'\n")]);
    watch.expect("No findings in 1 file");
    folder.write(&[("manifests/site.pp", "class { 'm': c => 1 }\n")]);
    watch.expect("Found 1 error in 1 file");
    assert_eq!(watch.interrupt(), Some(1));
}

#[test]
fn standard_input_cannot_be_watched() {
    let folder = Folder::new("watch-stdin", &[]);
    let ran = folder.run(&["check", "--watch", "-"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(2), "error: `--watch` cannot be used with standard input\n")
    );
}
