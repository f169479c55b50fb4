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
        (&[], "m/manifests/init.pp - ERROR: trailing whitespace", 1),
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
    assert!(
        output.contains("FIXED: trailing whitespace") && output.contains("WARNING: legacy fact `osfamily`"),
        "{output}"
    );
    assert!(errors.contains("1 fix not applied: unsafe"), "{errors}");
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

#[test]
fn files_keep_their_order_and_options_may_be_shortened() {
    let class = |name: &str| format!("class {name}($x = 'x', $y) {{ }}\n");
    let (a, b) = (class("a"), class("b"));
    let rc = ("short.rc", "--no-140chars\n--no-autoloader_layout\n");
    let folder = Folder::new("order", &[("a.pp", &a), ("b.pp", &b), rc]);
    let (output, _, _) = folder.lint(&["--no-config", "--only-checks", "parameter_order", "b.pp", "a.pp"]);
    let files: Vec<&str> = output.lines().filter_map(|it| it.split(" - ").next()).collect();
    assert_eq!(files, ["b.pp", "a.pp"], "{output}");
    let arguments = ["-c", "short.rc", "--no-config", "--no-documentation", "a.pp"];
    let (output, errors, _) = folder.lint(&arguments);
    assert_eq!(errors, "", "{output}");
    assert!(!output.contains("(check: documentation)"), "{output}");
    assert!(!output.contains("autoloader_layout"), "{output}");
    let (_, errors, code) = folder.lint(&["--no-config", "--with-", "a.pp"]);
    assert!(code == 1 && errors.contains("ambiguous option `--with-`"), "{errors}");
}

#[test]
fn unmatched_control_comments() {
    let folder = Folder::new("control", &[("a.pp", "# lint:endignore\n# lint:ignore:140chars\n$x = 1\n")]);
    let (_, errors, _) = folder.lint(&["--no-config", "a.pp"]);
    assert_eq!(
        errors,
        "WARNING: lint:endignore comment with no opening lint:ignore:<check> comment found on line 1\n\
         WARNING: lint:ignore:140chars comment on line 2 with no closing lint:endignore comment found\n"
    );
}

#[test]
fn fixes_that_touch_are_applied_in_turn() {
    let text =
        "# v\nclass v {\n  $w = 1\n  notify { \"a\":\n    message => \"$w\",\n  }\n  notify { \"b\": }\n}\n";
    let folder = Folder::new("touching", &[("one.pp", text)]);
    folder.lint(&["--no-config", "--fix", "--unsafe-fixes", "one.pp"]);
    let fixed = text.replace("\"a\"", "'a'").replace("\"$w\"", "$w").replace("\"b\"", "'b'");
    assert_eq!(folder.text("one.pp"), fixed);
}

#[test]
fn safe_fixes_do_not_create_accesses() {
    let text = "$w = { 'os' => { 'family' => 'Deb' } }\nnotice(\"$w[os][family] $w\")\n";
    let folder = Folder::new("accesses", &[("q.pp", text)]);
    let only = ["--no-config", "--only-checks", "variables_not_enclosed", "--fix", "q.pp"];
    let (output, _, _) = folder.lint(&only);
    assert!(output.contains("so `[os][family]` is literal text"), "{output}");
    assert_eq!(folder.text("q.pp"), text.replace(" $w\"", " ${w}\""));
}

#[test]
fn served_files_and_plans() {
    let files = [
        ("metadata.json", "{}"),
        ("files/served.pp", "class x{ \n}\n"),
        ("templates/site.pp", "<% @c.each do |c| %>\n"),
        ("files/plans/p.pp", "plan x { \n}\n"),
        (
            "plans/p.pp",
            "# p\nplan m::p(\n  TargetSpec $targets,\n) {\n  apply($targets) {\n    notice('a')\n  }\n}\n",
        ),
    ];
    let folder = Folder::new("served", &files);
    let (output, errors, code) = folder.lint(&["--no-config", "--no-autoloader_layout-check", "."]);
    assert_eq!((output.as_str(), errors.as_str(), code), ("", "", 0));
    let (output, _, _) =
        folder.lint(&["--no-config", "--only-checks", "trailing_whitespace", "files/served.pp"]);
    assert!(output.contains("trailing whitespace"), "{output}");
}
