//! Tests of `format`: written files, output and exit codes.

use std::fs;

use crate::folders::Folder;

/// Returns standard output, standard error and the exit code.
fn format(folder: &Folder, arguments: &[&str], input: &str) -> (String, String, i32) {
    let arguments: Vec<&str> = ["format"].iter().chain(arguments).copied().collect();
    let ran = folder.run_with_input(&arguments, input);
    (ran.stdout, ran.stderr, ran.code.expect("an exit code"))
}

fn text(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join(path)).expect("exists")
}

#[test]
fn files_are_formatted_in_place() {
    let files = [("a.pp", "$a=1\n"), ("b/c.pp", "$a = 1\n"), ("d.rb", "a=1\n")];
    let folder = Folder::new("files", &files);
    let would = "1 file would be reformatted, 1 file already formatted\n".to_owned();
    assert_eq!(format(&folder, &["--check"], ""), ("a.pp\n".to_owned(), would.clone(), 1));
    let diff = "--- a.pp\n+++ a.pp\n@@ -1,1 +1,1 @@\n-$a=1\n+$a = 1\n";
    assert_eq!(format(&folder, &["--diff"], ""), (diff.to_owned(), would, 1));
    assert_eq!(text(&folder, "a.pp"), "$a=1\n");
    let done = "1 file reformatted, 1 file left unchanged\n".to_owned();
    assert_eq!(format(&folder, &[], ""), (String::new(), done, 0));
    assert_eq!(text(&folder, "a.pp"), "$a = 1\n");
    assert_eq!(text(&folder, "d.rb"), "a=1\n");
    let done = "2 files already formatted\n".to_owned();
    assert_eq!(format(&folder, &["--check", "--diff"], ""), (String::new(), done, 0));
}

#[test]
fn changed_lines_are_annotated() {
    let folder = Folder::new(
        "annotations",
        &[("a,b.pp", "$a=1\n$b = 2\nfile { 'c':\n  mode => '1'\n}\nfile { 'd':\n  mode => '1',\n}\n")],
    );
    let line = |line: u32, end: u32| {
        format!("::warning file=a%2Cb.pp,line={line},endLine={end},title=format::would be reformatted\n")
    };
    let expected = line(1, 1) + &line(4, 4) + &line(5, 5);
    let (out, errors, code) = format(&folder, &["--check", "--format", "github"], "");
    assert_eq!((out, errors.as_str(), code), (expected, "1 file would be reformatted\n", 1));
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("permissions", &[("a.pp", "$a=1\n"), ("b.pp", "$a=1\n")]);
    let mode = |path: &str| fs::metadata(folder.0.join(path)).expect("a file").permissions().mode() & 0o777;
    for (path, mode) in [("a.pp", 0o751), ("b.pp", 0o444)] {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.0.join(path), permissions).expect("permissions");
    }
    let (_, errors, code) = format(&folder, &[], "");
    assert_eq!((code, mode("a.pp"), mode("b.pp")), (2, 0o751, 0o444), "{errors}");
    assert_eq!((text(&folder, "a.pp").as_str(), text(&folder, "b.pp").as_str()), ("$a = 1\n", "$a=1\n"));
}

#[test]
fn standard_input_is_printed() {
    let folder = Folder::new("stdin", &[]);
    assert_eq!(format(&folder, &["-"], "$a=1"), ("$a = 1\n".to_owned(), String::new(), 0));
    let (out, errors, code) = format(&folder, &["-"], "$a=1\n$b = = 2\n");
    assert_eq!((out.as_str(), code), ("$a = 1\n$b = = 2\n", 2));
    assert_eq!(errors, "warning: <stdin>:2: not formatted: syntax error\n");
    let (out, _, code) = format(&folder, &["--stdin-path", "x.epp", "-"], "<%=$a%>");
    assert_eq!((out.as_str(), code), ("<%= $a %>", 0));
    assert_eq!(format(&folder, &["--range", "2:2", "-"], "$a=1\n$b=2\n").0, "$a=1\n$b = 2\n");
}

#[test]
fn settings_are_respected() {
    let manifest = "class a {\n$b = \"x\"\n}\n";
    let editorconfig = "root = true\n[*.pp]\nindent_size = 4\n";
    let folder = Folder::new("settings", &[("a.pp", manifest), (".editorconfig", editorconfig)]);
    format(&folder, &["a.pp"], "");
    assert_eq!(text(&folder, "a.pp"), "class a {\n    $b = 'x'\n}\n");
    let rc = (".puppet-lint.rc", "--chars-per-indent=4\n");
    let folder = Folder::new("puppet-lint", &[("a.pp", manifest), rc]);
    format(&folder, &["a.pp"], "");
    assert_eq!(text(&folder, "a.pp"), "class a {\n    $b = 'x'\n}\n");
    let settings = ("puppet-analyzer.toml", "[format]\nindent = 3\nquotes = 'keep'\n");
    let files = [("a.pp", manifest), (".editorconfig", editorconfig), settings];
    let folder = Folder::new("own-settings", &files);
    format(&folder, &["a.pp"], "");
    assert_eq!(text(&folder, "a.pp"), "class a {\n   $b = \"x\"\n}\n");
}
