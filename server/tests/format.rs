//! `format`: what is written, what is printed, and exit codes.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder of its own, with these files.
struct FormatFolder(PathBuf);

impl FormatFolder {
    fn new(test: &str, files: &[(&str, &str)]) -> FormatFolder {
        let root = std::env::temp_dir().join(format!("puppet-analyzer-format-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("has a folder")).expect("a temporary folder");
            fs::write(path, text).expect("a temporary file");
        }
        FormatFolder(root)
    }

    /// The standard output, the standard error and the exit code.
    fn format(&self, arguments: &[&str], input: &str) -> (String, String, i32) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
        program.arg("format").args(arguments).current_dir(&self.0).env("HOME", self.0.join("home"));
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("the program reads");
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(output.stdout), text(output.stderr), output.status.code().expect("it ends by itself"))
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).expect("the file is there")
    }
}

impl Drop for FormatFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_written_and_told() {
    let files = [("a.pp", "$a=1\n"), ("b/c.pp", "$a = 1\n"), ("d.rb", "a=1\n")];
    let folder = FormatFolder::new("files", &files);
    assert_eq!(folder.format(&["--check"], ""), ("a.pp\n".to_owned(), String::new(), 1));
    let diff = "--- a.pp\n+++ a.pp\n@@ -1,1 +1,1 @@\n-$a=1\n+$a = 1\n";
    assert_eq!(folder.format(&["--diff"], ""), (diff.to_owned(), String::new(), 1));
    assert_eq!(folder.text("a.pp"), "$a=1\n");
    assert_eq!(folder.format(&[], ""), (String::new(), String::new(), 0));
    assert_eq!(folder.text("a.pp"), "$a = 1\n");
    assert_eq!(folder.text("d.rb"), "a=1\n");
    assert_eq!(folder.format(&["--check", "--diff"], ""), (String::new(), String::new(), 0));
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_what_cannot_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = FormatFolder::new("permissions", &[("a.pp", "$a=1\n"), ("b.pp", "$a=1\n")]);
    let mode = |path: &str| fs::metadata(folder.0.join(path)).expect("a file").permissions().mode() & 0o777;
    for (path, mode) in [("a.pp", 0o751), ("b.pp", 0o444)] {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.0.join(path), permissions).expect("permissions");
    }
    let (_, errors, code) = folder.format(&[], "");
    assert_eq!((code, mode("a.pp"), mode("b.pp")), (2, 0o751, 0o444), "{errors}");
    assert_eq!((folder.text("a.pp").as_str(), folder.text("b.pp").as_str()), ("$a = 1\n", "$a=1\n"));
}

#[test]
fn the_standard_input_is_printed() {
    let folder = FormatFolder::new("stdin", &[]);
    assert_eq!(folder.format(&["-"], "$a=1"), ("$a = 1\n".to_owned(), String::new(), 0));
    let (out, errors, code) = folder.format(&["-"], "$a=1\n$b = = 2\n");
    assert_eq!((out.as_str(), code), ("$a = 1\n$b = = 2\n", 2));
    assert_eq!(errors, "warning: <stdin>:2: left as it is: it does not parse\n");
    let (out, _, code) = folder.format(&["--stdin-path", "x.epp", "-"], "<%= $a %>");
    assert_eq!((out.as_str(), code), ("<%= $a %>", 2));
    assert_eq!(folder.format(&["--range", "2:2", "-"], "$a=1\n$b=2\n").0, "$a=1\n$b = 2\n");
}

#[test]
fn settings_say_how() {
    let text = "class a {\n$b = \"x\"\n}\n";
    let editorconfig = "root = true\n[*.pp]\nindent_size = 4\n";
    let folder = FormatFolder::new("settings", &[("a.pp", text), (".editorconfig", editorconfig)]);
    folder.format(&["a.pp"], "");
    assert_eq!(folder.text("a.pp"), "class a {\n    $b = 'x'\n}\n");
    let settings = ("puppet-analyzer.toml", "[format]\nindent = 3\nquotes = 'keep'\n");
    let files = [("a.pp", text), (".editorconfig", editorconfig), settings];
    let folder = FormatFolder::new("own-settings", &files);
    folder.format(&["a.pp"], "");
    assert_eq!(folder.text("a.pp"), "class a {\n   $b = \"x\"\n}\n");
}
