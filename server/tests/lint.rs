//! Tests of `lint`: puppet-lint's options, output, exit codes, and written files.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A temporary folder with files.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, files: &[(&str, &str)]) -> Folder {
        let root = std::env::temp_dir().join(format!("puppet-analyzer-lint-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("has a folder")).expect("a temporary folder");
            fs::write(path, text).expect("a temporary file");
        }
        Folder(root)
    }

    /// Returns standard output, standard error and the exit code.
    fn lint(&self, arguments: &[&str]) -> (String, String, i32) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
        program.arg("lint").args(arguments).current_dir(&self.0).env("HOME", self.0.join("home"));
        program.env_remove("GITHUB_ACTION").env_remove("CODECLIMATE_REPORT_FILE");
        let output = program.output().expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(output.stdout), text(output.stderr), output.status.code().expect("an exit code"))
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).expect("exists")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const MANIFEST: (&str, &str) =
    ("m/manifests/init.pp", "# The class.\nclass m {\n  $a = 'x' \n  $b = $::osfamily\n}\n");

#[test]
fn default_line_format() {
    let folder = Folder::new("default", &[MANIFEST]);
    let (output, _, code) = folder.lint(&["m/manifests/init.pp"]);
    assert_eq!(
        output,
        "ERROR: trailing whitespace on line 3 (check: trailing_whitespace)\n\
         WARNING: legacy fact `osfamily` on line 4 (check: legacy_facts)\n"
    );
    assert_eq!(code, 1);
}

#[test]
fn options_and_exit_codes() {
    let folder =
        Folder::new("options", &[MANIFEST, ("m/data/common.yaml", "a: '%{::fqdn} %{facts.os.family}'\n")]);
    let cases: &[(&[&str], &str, i32)] = &[
        (&["--only-checks", "legacy_facts", "m/manifests/init.pp"], "WARNING: legacy fact `osfamily`", 0),
        (
            &["--only-checks=legacy_facts", "--fail-on-warnings", "m/manifests/init.pp"],
            "WARNING: legacy fact `osfamily`",
            1,
        ),
        (&["--no-trailing_whitespace-check", "--no-legacy_facts-check", "m/manifests"], "", 0),
        (
            &["--error-level", "error", "--log-format", "%{path}:%{line}:%{column}:%{KIND}:%{check}", "m"],
            "m/manifests/init.pp:3:11:ERROR:trailing_whitespace\n",
            1,
        ),
        (
            &["--only-checks", "legacy_facts", "m"],
            "m/data/common.yaml - WARNING: legacy fact `fqdn` on line 1",
            0,
        ),
        (&["--ignore-paths", "m/*", "m"], "", 0),
        (&["--no-gone-check", "--only-checks", "80chars", "m"], "", 0),
        (
            &["--with-context", "--only-checks", "legacy_facts", "m/manifests"],
            "  $b = $::osfamily\n       ^\n",
            0,
        ),
        (&["absent.pp"], "", 1),
        (&[], "", 1),
        (&["--nonsense", "m"], "", 1),
    ];
    for (arguments, expected, code) in cases {
        let (output, errors, found) = folder.lint(arguments);
        let is_fine = if expected.is_empty() { output.is_empty() } else { output.contains(expected) };
        assert!(is_fine && found == *code, "{arguments:?}: {found}\n{output}{errors}");
    }
}

#[test]
fn repository_options_cannot_write_files() {
    let rc = (
        ".puppet-lint.rc",
        "--fix\n--codeclimate-report-file=report.json\n--only-checks=trailing_whitespace\n",
    );
    let folder = Folder::new("rc", &[MANIFEST, rc]);
    let (output, errors, _) = folder.lint(&["m"]);
    assert!(output.contains("ERROR"), "{output}");
    assert!(errors.contains("ignoring `--fix` in the .puppet-lint.rc"), "{errors}");
    assert_eq!(folder.text("m/manifests/init.pp"), MANIFEST.1);
    assert!(!folder.0.join("report.json").exists());
}

#[test]
fn excluded_files_are_skipped() {
    let folder = Folder::new("excluded", &[MANIFEST, ("puppet-analyzer.toml", "exclude = ['m']\n")]);
    let (output, errors, code) = folder.lint(&["."]);
    assert!(output.is_empty() && code == 0, "{output}{errors}");
    let (output, ..) = folder.lint(&[MANIFEST.0]);
    assert!(!output.is_empty(), "named files are checked");
}

#[test]
fn fixes_are_applied_and_reported() {
    let folder = Folder::new("fix", &[MANIFEST]);
    let (output, errors, code) = folder.lint(&["--fix", "m"]);
    assert!(output.contains("FIXED: trailing whitespace") && output.contains("WARNING: legacy fact `osfamily`"), "{output}");
    assert!(errors.contains("1 fix not applied because"), "{errors}");
    assert_eq!((code, folder.text("m/manifests/init.pp")), (0, MANIFEST.1.replace("'x' ", "'x'")));
    let (_, _, code) = folder.lint(&["--fix", "--unsafe-fixes", "m"]);
    assert_eq!(code, 0);
    assert!(folder.text("m/manifests/init.pp").contains("$facts['os']['family']"));
    let (output, ..) = folder.lint(&["m"]);
    assert_eq!(output, "");
}

#[test]
fn broken_files_are_not_changed() {
    let broken = ("m/manifests/init.pp", "class m { \n  $a = [1, \n");
    let folder = Folder::new("broken", &[broken]);
    let (output, _, code) = folder.lint(&["--fix", "m"]);
    assert!(output.contains("(check: syntax)"), "{output}");
    assert_eq!((code, folder.text(broken.0)), (1, broken.1.to_owned()));
}

#[test]
fn machine_readable_reports() {
    let folder = Folder::new("reports", &[MANIFEST]);
    let (json, ..) = folder.lint(&["--json", "--codeclimate-report-file", "report.json", "m"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[0][0]["check"], "trailing_whitespace");
    assert_eq!(json[0][0]["KIND"], "ERROR");
    let report: serde_json::Value = serde_json::from_str(&folder.text("report.json")).expect("JSON");
    assert_eq!(report[1]["severity"], "minor");
    let (sarif, ..) = folder.lint(&["--sarif", "m"]);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][1]["ruleId"], "legacy_facts");
}
