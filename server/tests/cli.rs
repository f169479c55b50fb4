//! Command line tests: run the built binary and compare its output and exit code.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folders::{Folder, Ran};

impl Ran {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("JSON")
    }
}

const GOOD: (&str, &str) = ("good.pp", "notice('fine')\n");
/// `é` is two bytes and one UTF-16 code unit.
const BAD: (&str, &str) = ("bad.pp", "# é\n$é = 'é' +\n$a = [1\n");
const DUPLICATE: (&str, &str) = ("duplicate.pp", "class a($x, $x) { }\n");
const KEY: (&str, &str) = ("key.pp", "$a = { 'k' => 1, 'k' => 2 }\n");

#[test]
fn exit_codes_and_summaries() {
    let files =
        &[GOOD, DUPLICATE, KEY, ("sub/b.epp", "<%= $x %>\n"), ("sub/other.txt", "}}}"), ("text", "}")];
    let folder = Folder::new("codes", files);
    for (arguments, code, last_line) in [
        (&["check", "good.pp"][..], 0, "No findings in 1 file"),
        (&["check", "good.pp", "./good.pp", "good.pp"], 0, "No findings in 1 file"),
        (&["check", "sub"], 0, "No findings in 1 file"),
        (&["check", "duplicate.pp"], 1, "Found 1 error in 1 file"),
        (&["check"], 1, "Found 2 errors in 2 of 4 files"),
        (&["check", "."], 1, "Found 2 errors in 2 of 4 files"),
        (&["check", "--threads", "1"], 1, "Found 2 errors in 2 of 4 files"),
        (&["check", "text"], 1, "Found 1 error in 1 file"),
        (&["check", "good.pp", "missing"], 2, "No findings in 1 file; 1 path could not be read"),
        (&["check", "duplicate.pp", "missing"], 2, "Found 1 error in 1 file; 1 path could not be read"),
        (&["check", "--puppet-version", "7", "key.pp"], 0, "Found 1 warning in 1 file"),
        (
            &["check", "--puppet-version", "7", "--fail-on", "warning", "key.pp"],
            1,
            "Found 1 warning in 1 file",
        ),
        (&["check", "--fail-on", "error", "duplicate.pp"], 1, "Found 1 error in 1 file"),
        (&["check", "--fail-on", "never", "duplicate.pp"], 0, "Found 1 error in 1 file"),
        (&["check", "--exit-zero", "duplicate.pp"], 0, "Found 1 error in 1 file"),
        (
            &["check", "--exit-zero", "duplicate.pp", "missing"],
            2,
            "Found 1 error in 1 file; 1 path could not be read",
        ),
        (&["check", "--puppet-version", "7", "--strict", "error", "key.pp"], 1, "Found 1 error in 1 file"),
        (&["check", "--strict", "off", "key.pp"], 0, "No findings in 1 file"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout.lines().last(), Some(last_line), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn usage_errors_have_exit_code_2() {
    let folder = Folder::new("usage", &[GOOD]);
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["check", "--format", "xml"],
        &["check", "--puppet-version", "6"],
        &["parse"],
        &["parse", "--epp", "--tasks", "good.pp"],
        &["completions", "dos"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn text_shows_source_and_carets() {
    let folder = Folder::new("text", &[DUPLICATE]);
    let expected = "\
error[duplicate-parameter]: duplicate parameter `$x`
 --> duplicate.pp:1:13
  |
1 | class a($x, $x) { }
  |         --  ^^ help: rename or remove one of them
  |         |
  |         first declared here

Found 1 error in 1 file
";
    assert_eq!(folder.run(&["check"]).stdout, expected);

    let colored = folder.run(&["check", "--color", "always"]).stdout;
    assert!(colored.contains("\x1b["), "{colored}");
}

#[test]
fn json_has_one_object_per_finding() {
    let folder = Folder::new("json", &[GOOD, DUPLICATE, ("utf8.pp", "# é😀\nclass é😀($é) { }\n")]);
    let ran = folder.run(&["check", "--format", "json", "duplicate.pp"]);
    let message = "duplicate parameter `$x`";
    let expected = serde_json::json!([{
        "version": 1,
        "file": "duplicate.pp",
        "line": 1,
        "column": 13,
        "endLine": 1,
        "endColumn": 15,
        "range": {
            "start": { "line": 0, "character": 12 },
            "end": { "line": 0, "character": 14 },
            "startByte": 12,
            "endByte": 14,
        },
        "severity": "error",
        "code": "duplicate-parameter",
        "message": message,
        "help": ["rename or remove one of them"],
        "related": [{
            "line": 1,
            "column": 9,
            "endLine": 1,
            "endColumn": 11,
            "range": {
                "start": { "line": 0, "character": 8 },
                "end": { "line": 0, "character": 10 },
                "startByte": 8,
                "endByte": 10,
            },
            "message": "first declared here",
        }],
    }]);
    assert_eq!(ran.json(), expected);
    assert_eq!(ran.stdout.lines().count(), 3, "one line for each object");

    let ran = folder.run(&["check", "--format", "json", "good.pp"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("[]\n", Some(0)));

    // Columns are counted in characters, the characters of ranges in UTF-16 code units, bytes in UTF-8.
    for finding in folder.run(&["check", "--format", "json", "utf8.pp"]).json().as_array().expect("an array")
    {
        let text = "# é😀\nclass é😀($é) { }\n";
        let byte = finding["range"]["startByte"].as_u64().expect("a number") as usize;
        let line_start = text[..byte].rfind('\n').map_or(0, |it| it + 1);
        let character = text[line_start..byte].encode_utf16().count();
        assert_eq!(finding["range"]["start"]["character"], character, "{finding}");
        assert_eq!(finding["column"], text[line_start..byte].chars().count() + 1, "{finding}");
        assert_eq!(finding["line"], text[..byte].lines().count().max(1), "{finding}");
    }
}

#[test]
fn related_paths_follow_the_named_path() {
    let folder = Folder::new(
        "named",
        &[
            ("modules/m/manifests/a.pp", "class m::a {\n  notify { 'n': }\n  include m::b\n}\n"),
            ("modules/m/manifests/b.pp", "class m::b {\n  notify { 'n': }\n}\n"),
        ],
    );
    let files = |path: &str| {
        let found = folder.run(&["check", "--compile", "--format", "json", path]).json();
        let found = found.as_array().expect("an array").iter();
        let related = found.flat_map(|it| it["related"].as_array().into_iter().flatten());
        let files = related.filter_map(|it| it["file"].as_str().map(str::to_owned));
        files.collect::<Vec<_>>()
    };
    let relative = files("modules");
    let root = folder.0.join("modules");
    let whole = files(root.to_str().expect("UTF-8"));
    // Puppet refuses the declaration in `b.pp`; it is reached from `a.pp`, which has the first one.
    assert_eq!(relative, ["modules/m/manifests/a.pp"; 2]);
    let shown: Vec<String> = relative.iter().map(|it| folder.0.join(it).display().to_string()).collect();
    assert_eq!(whole, shown);
}

#[test]
fn github_commands_are_escaped() {
    let folder = Folder::new("github", &[("odd,name.pp", DUPLICATE.1)]);
    let ran = folder.run(&["check", "--format", "github"]);
    let expected = "::error file=odd%2Cname.pp,line=1,endLine=1,col=13,endColumn=15,title=duplicate-parameter::\
        duplicate parameter `$x`%0Ahelp: rename or remove one of them\n";
    assert_eq!((ran.stdout.as_str(), ran.code), (expected, Some(1)));
}

#[test]
fn sarif_report() {
    let folder = Folder::new("sarif", &[("a b.pp", DUPLICATE.1)]);
    let ran = folder.run(&["check", "--format", "sarif", ".", "missing"]);
    assert_eq!(ran.code, Some(2));
    let log = ran.json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "duplicate-parameter");
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["ruleIndex"]), (&"duplicate-parameter".into(), &0.into()));
    let expected = serde_json::json!({
        "artifactLocation": { "uri": "a%20b.pp" },
        "region": {
            "startLine": 1, "startColumn": 13, "endLine": 1, "endColumn": 15, "byteOffset": 12, "byteLength": 2,
        },
    });
    assert_eq!(result["locations"][0]["physicalLocation"], expected);
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "first declared here");
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["message"]["text"], "cannot read `missing`: no such file or folder");
}

#[test]
fn sarif_report_of_weaknesses() {
    let folder = Folder::new("sarif-cwe", &[("a.pp", "# TODO\nfile { '/x': mode => '0666' }\n")]);
    let ran = folder.run(&["check", "--select", "security", "--format", "sarif", "."]);
    let rules = ran.json()["runs"][0]["tool"]["driver"]["rules"].clone();
    let properties = |id: &str| {
        let rules = rules.as_array().cloned().unwrap_or_default();
        rules.iter().find(|it| it["id"] == id).map(|it| it["properties"].clone())
    };
    let of = |cwe: &str, severity: &str| {
        let tags = ["security".to_owned(), format!("external/cwe/cwe-{cwe}")];
        Some(serde_json::json!({ "tags": tags, "security-severity": severity }))
    };
    assert_eq!(properties("security-world-writable"), of("732", "6.0"));
    assert_eq!(properties("security-suspicious-comment"), of("546", "3.0"));
}

#[test]
fn templates_in_other_encodings_are_findings() {
    let folder = Folder::new("latin1-template", &[("modules/a/manifests/init.pp", "class a { }\n")]);
    fs::create_dir_all(folder.0.join("modules/a/templates")).expect("a temporary folder");
    fs::write(folder.0.join("modules/a/templates/t.erb"), b"<%# caf\xe9 %>\n").expect("a temporary file");
    let ran = folder.run(&["check", "--format", "json", "."]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let found = ran.json();
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!(found[0]["file"], "modules/a/templates/t.erb");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&"not-utf8".into(), &"warning".into()));
}

#[test]
fn data_in_other_encodings_is_a_finding() {
    let hiera = "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n";
    let folder = Folder::new(
        "latin1-data",
        &[("environment.conf", ""), ("hiera.yaml", hiera), ("manifests/a.pp", "")],
    );
    fs::create_dir_all(folder.0.join("data")).expect("a temporary folder");
    for (name, text) in [("common.yaml", b"a: caf\xe9\n" as &[u8]), ("other.json", b"[\"caf\xe9\"]\n")] {
        fs::write(folder.0.join("data").join(name), text).expect("a temporary file");
    }
    let ran = folder.run(&["check", "--format", "concise", "."]);
    let expected =
        "data/common.yaml:1:1: error[not-utf8] data file is not valid UTF-8 (help: save the file as UTF-8)";
    assert_eq!((ran.code, ran.stdout.lines().next()), (Some(1), Some(expected)), "{}", ran.stderr);
    fs::write(folder.0.join("hiera.yaml"), b"version: 5 # caf\xe9\n").expect("a temporary file");
    let ran = folder.run(&["check", "--format", "concise", "."]);
    assert!(
        ran.stdout.contains("hiera.yaml:1:1: error[not-utf8] Hiera configuration is not valid UTF-8"),
        "{}",
        ran.stdout
    );
}

#[test]
fn unreadable_files_do_not_stop_a_run() {
    let folder = Folder::new("unreadable", &[GOOD, DUPLICATE]);
    fs::write(folder.0.join("latin1.pp"), b"# caf\xe9\n").expect("a temporary file");
    let ran = folder.run(&["check", ".", "nowhere", "no/where.pp"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.stderr,
        "error: cannot read `latin1.pp`: not UTF-8 (invalid byte at offset 5)\n\
         error: cannot read `no/where.pp`: no such file or folder\n\
         error: cannot read `nowhere`: no such file or folder\n"
    );
    assert!(ran.stdout.ends_with("Found 1 error in 1 of 2 files; 3 paths could not be read\n"), "{ran:?}");
}

#[test]
fn too_large_files_are_rejected() {
    let folder = Folder::new("long", &[]);
    fs::write(folder.0.join("long.pp"), "#".repeat(11 << 20)).expect("a temporary file");
    for (arguments, code) in [(&["lint", "."][..], 1), (&["parse", "long.pp"], 2), (&["stats"], 2)] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("long.pp`: file is larger than "), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn ignore_files_are_respected() {
    let bad = "}";
    let folder = Folder::new(
        "ignore",
        &[
            GOOD,
            (".gitignore", "/vendor\n"),
            (".ignore", "*.generated.pp\n"),
            ("vendor/a.pp", bad),
            ("x.generated.pp", bad),
            (".hidden/a.pp", bad),
        ],
    );
    let ran = folder.run(&["check"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("No findings in 1 file\n", Some(0)));
    assert_eq!(folder.run(&["check", "vendor/a.pp"]).code, Some(1), "named files are checked");
}

#[test]
fn ignore_files_only_affect_checked_files() {
    let folder = Folder::new(
        "judged",
        &[
            (".gitignore", "/modules\n/data\n/hiera.yaml\n/extern\n"),
            ("environment.conf", "modulepath = modules:extern\n"),
            ("manifests/site.pp", "node 'web' {\n  include far\n  include near\n}\n"),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: Common\n    path: common.yaml\n"),
            ("data/common.yaml", "far::p: 7\n"),
            ("modules/far/manifests/init.pp", "class far(Integer $p) {\n  notify { \"x${p}\": }\n}\n"),
            ("extern/near/manifests/init.pp", "class near { }\n"),
        ],
    );
    let ran = folder.run(&["compile", "--os", "debian12", "web"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("Notify[x7]") && ran.stderr.is_empty(), "{ran:?}");
    let ran = folder.run(&["check", "--compile"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("No findings in 1 file\n", Some(0)), "{ran:?}");
    assert_eq!(ran.stderr, "4 files skipped because of ignore files\n");
    // Excluded files are treated as missing.
    fs::write(folder.0.join("puppet-analyzer.toml"), "exclude = ['extern', 'modules']")
        .expect("a temporary file");
    let ran = folder.run(&["check"]);
    assert!(ran.stderr.contains("2 files skipped because of ignore files\n"), "{ran:?}");
    fs::write(folder.0.join("puppet-analyzer.toml"), "exclude = ['extern']").expect("a temporary file");
    for (arguments, wanted) in [
        (&["compile", "--os", "debian12", "web"][..], "open: class `near` not found"),
        (&["check", "--compile", "."], "open: class `near` not found; in web"),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.code == Some(0) && ran.stderr.contains(wanted), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn unchecked_parts_are_reported() {
    let metadata = r#"{ "name": "x-small", "version": "1.0.0", "author": "x", "license": "MIT", "summary": "s", "source": "x", "dependencies": [] }"#;
    let folder = Folder::new(
        "unseen",
        &[
            ("empty/readme.txt", ""),
            ("a/metadata.json", metadata),
            ("a/manifests/init.pp", "# A class.\nclass small {\n  include far::x\n}\n"),
            ("b/puppet-analyzer.toml", "strict = 'off'\n[lint]\nunused-varable = 'off'\n"),
            ("b/key.pp", KEY.1),
        ],
    );
    for (arguments, code, wanted) in [
        (&["check", "empty"][..], 0, "warning: no Puppet files found"),
        (&["check", "--require-files", "empty"], 2, "error: no Puppet files found"),
        (&["check", "a"], 0, "module `far` missing: references to it were not checked; install it"),
        (&["check", "--compile", "a"], 0, "open: class `far::x` not found; in small"),
        (&["check", "--compile", "--deny-open", "a"], 1, "open: class `far::x` not found; in small"),
        (&["check", "b"], 0, "unknown rule `unused-varable`\nhelp: did you mean `unused-variable`?"),
        (&["rules", "--format", "json"], 0, "\"code\": \"unused-variable\""),
        (
            &["eval", "-e", "SemVer('99999999999999999999.0.0')"],
            1,
            "number in semantic version `99999999999999999999.0.0` is too large",
        ),
        (
            &["eval", "-e", "SemVerRange('>1.99999999999999999999.0')"],
            1,
            "number in version range `>1.99999999999999999999.0` is too large",
        ),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(wanted), "{arguments:?}: {ran:?}");
    }
    let stats = folder.run(&["stats", "--json", "a"]).json();
    let checked = folder.run(&["check", "a"]);
    assert!(checked.stdout.ends_with(&format!("in {} files\n", stats["files"])), "{checked:?} {stats}");
}

#[test]
fn options_override_the_settings_file() {
    let folder = Folder::new("settings", &[KEY, ("vendor/a.pp", "}"), ("sub/vendor/a.pp", GOOD.1)]);
    for (settings, arguments, code, last_line) in [
        ("", &["check", "key.pp"][..], 1, "Found 1 error in 1 file"),
        ("puppet-version = 7", &["check", "key.pp"], 0, "Found 1 warning in 1 file"),
        ("puppet-version = 7", &["check", "--puppet-version", "8", "key.pp"], 1, "Found 1 error in 1 file"),
        ("strict = 'off'", &["check", "key.pp"], 0, "No findings in 1 file"),
        ("strict = 'off'", &["check", "--strict", "error", "key.pp"], 1, "Found 1 error in 1 file"),
        ("exclude = ['vendor', 'key.pp']", &["check"], 0, "No findings in 1 file"),
        ("exclude = ['vendor']", &["check", "vendor/a.pp"], 1, "Found 1 error in 1 file"),
    ] {
        fs::write(folder.0.join("puppet-analyzer.toml"), settings).expect("a temporary file");
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(code), "{settings} {arguments:?}: {ran:?}");
        assert_eq!(ran.stdout.lines().last(), Some(last_line), "{settings} {arguments:?}: {ran:?}");
    }
    fs::write(folder.0.join("puppet-analyzer.toml"), "strict = 'very'").expect("a temporary file");
    let ran = folder.run(&["check"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("puppet-analyzer.toml`: "), "{ran:?}");
    fs::write(folder.0.join("puppet-analyzer.toml"), "tasks = true\n strikt = 'off'")
        .expect("a temporary file");
    let ran = folder.run(&["check"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains("line 2, column 2: unknown setting `strikt`\nhelp: did you mean `strict`?"),
        "{ran:?}"
    );
}

#[test]
fn findings_are_in_order() {
    let names: Vec<String> = (0..40).map(|it| format!("d{}/f{it:02}.pp", it % 3)).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|it| (it.as_str(), "class a($x, $x, $x) { }\n")).collect();
    let folder = Folder::new("order", &files);
    let first = folder.run(&["check", "--format", "json", "--threads", "4"]).stdout;
    for _ in 0..5 {
        assert_eq!(folder.run(&["check", "--format", "json", "--threads", "4"]).stdout, first);
    }
    let findings: serde_json::Value = serde_json::from_str(&first).expect("JSON");
    let places: Vec<(String, u64)> = findings
        .as_array()
        .expect("an array")
        .iter()
        .map(|it| {
            (
                it["file"].as_str().expect("a path").into(),
                it["range"]["startByte"].as_u64().expect("a number"),
            )
        })
        .collect();
    assert_eq!(places.len(), 80);
    assert!(places.is_sorted());
}

#[test]
fn standard_input() {
    let folder = Folder::new("web", &[("metadata.json", r#"{"name": "me-web"}"#)]);
    for (arguments, input, code, wanted) in [
        (&["check", "-"][..], "notice(1)\n", 0, "in 1 file"),
        (&["check", "-"], "notice(", 1, "<stdin>:1:"),
        (&["check", "-", "--stdin-path", "manifests/init.pp"], "class web { }", 0, "No findings"),
        (&["check", "-", "--stdin-path", "manifests/a.pp"], "class other { }", 1, "manifests/a.pp:1:7"),
        (&["check", "-", "--stdin-path", "templates/a.epp"], "{ <%= 1 %>", 0, "No findings"),
        (&["check", "-", "--stdin-path", "plans/a.pp"], "plan web::a() { apply('x') { } }", 0, "No findings"),
        (&["parse", "-"], "$a = 1", 0, "(= (var \"a\") 1)\n"),
        (&["parse", "--format", "tree", "--epp", "-"], "x", 0, "EPP_TEXT"),
        (&["parse", "--tasks", "-"], "plan a() { }", 0, "plan"),
    ] {
        let ran = folder.run_with_input(arguments, input);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.contains(wanted), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn parse_prints_trees() {
    let folder = Folder::new("parse", &[GOOD, BAD]);
    let ran = folder.run(&["parse", "good.pp"]);
    let expected = "(invoke {:functor (qn \"notice\") :args [\"fine\"]})\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.code), (expected, "", Some(0)));

    let tree = folder.run(&["parse", "--format", "tree", "good.pp"]).stdout;
    assert!(tree.starts_with("SOURCE_FILE@0..15\n"), "{tree}");
    assert!(tree.contains("SQ_STRING@7..13 \"'fine'\""), "{tree}");

    let json = folder.run(&["parse", "--format", "json", "good.pp"]).json();
    assert_eq!((&json["kind"], &json["start"], &json["end"]), (&"SOURCE_FILE".into(), &0.into(), &15.into()));
    assert_eq!(text_of(&json), GOOD.1);

    // A file with errors has no PN, but its tree is complete.
    let ran = folder.run(&["parse", "bad.pp"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(1)));
    assert!(ran.stderr.contains("error["), "{ran:?}");
    let ran = folder.run(&["parse", "--format", "json", "bad.pp"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(text_of(&ran.json()), BAD.1);

    let ran = folder.run(&["parse", "missing.pp"]);
    assert_eq!(
        (ran.stderr.as_str(), ran.code),
        ("error: cannot read `missing.pp`: no such file or folder\n", Some(2))
    );
}

/// Returns the text of a JSON tree.
fn text_of(node: &serde_json::Value) -> String {
    match node["text"].as_str() {
        Some(text) => text.to_owned(),
        None => node["children"].as_array().expect("a node has children").iter().map(text_of).collect(),
    }
}

#[test]
fn stats_count() {
    let folder = Folder::new("stats", &[GOOD, DUPLICATE, ("sub/x.epp", "text\n")]);
    let ran = folder.run(&["stats", "--json", "."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let stats = ran.json();
    assert_eq!((&stats["files"], &stats["bytes"], &stats["lines"]), (&3.into(), &40.into(), &3.into()));
    assert_eq!((&stats["syntaxErrors"], &stats["findings"]), (&0.into(), &1.into()));
    let phases: Vec<_> = stats["phases"].as_array().expect("an array").iter().map(|it| &it["name"]).collect();
    assert_eq!(phases, ["find", "read", "parse", "validate", "visit", "check"]);

    let table = folder.run(&["stats"]).stdout;
    assert!(table.lines().any(|it| it.starts_with("parse ")), "{table}");
}

#[test]
fn memory_stats() {
    let folder = Folder::new("memory", &[GOOD, DUPLICATE]);
    let memory = folder.run(&["stats", "--memory", "--json", "."]).json();
    assert_eq!(memory["manifests"], 2);
    let bytes = |name: &str| {
        let parts = memory["allocated"].as_array().expect("an array");
        parts.iter().find(|part| part["name"] == name).and_then(|part| part["bytes"].as_u64())
    };
    for span in ["freeze", "evaluate"] {
        assert!(bytes(span).is_some_and(|it| it > 1024), "{span}: {memory}");
    }
    let table = folder.run(&["stats", "--memory"]).stdout;
    assert!(
        table.contains("the program itself") && table.contains("free memory of the allocator"),
        "{table}"
    );
}

#[test]
fn profile_of_a_check() {
    let folder = Folder::new("profile", &[GOOD, DUPLICATE]);
    let ran = folder.run(&["check", "--profile", "trace.json", "."]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let trace = std::fs::read_to_string(folder.0.join("trace.json")).expect("a trace");
    let trace: serde_json::Value = serde_json::from_str(&trace).expect("JSON");
    let names: Vec<_> = trace.as_array().expect("an array").iter().map(|it| &it["name"]).collect();
    for span in ["parse", "lowered_file", "evaluate", "section_findings"] {
        assert!(names.contains(&&span.into()), "{span}: {names:?}");
    }
    let failed = folder.run(&["check", "--profile", "no/such/folder/trace.json", "."]);
    assert_eq!(failed.code, Some(2), "{failed:?}");
    assert!(failed.stderr.contains("cannot write no/such/folder/trace.json"), "{failed:?}");
}

#[test]
fn unknown_value_stats() {
    let class =
        "class m {\n  notify { 'a': message => m::upper('x') }\n  notify { 'b': message => m::late() }\n}\n";
    let upper =
        "Puppet::Functions.create_function(:'m::upper') do\n  def upper(text)\n    text.upcase\n  end\nend\n";
    let late =
        "Puppet::Functions.create_function(:'m::late') do\n  def late\n    Time.now.to_s\n  end\nend\n";
    let folder = Folder::new(
        "stats-unknown",
        &[
            ("modules/m/manifests/init.pp", class),
            ("modules/m/lib/puppet/functions/m/upper.rb", upper),
            ("modules/m/lib/puppet/functions/m/late.rb", late),
        ],
    );
    let ran = folder.run(&["stats", "--unknown", "--json", "."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let stats = ran.json();
    assert_eq!((&stats["classes"], &stats["unknownParameters"]), (&1.into(), &1.into()), "{stats}");
    let reason = &stats["reasons"][0];
    assert_eq!((&reason["what"], &reason["line"]), (&"Time.now".into(), &3.into()), "{stats}");
    assert_eq!(reason["file"], "lib/puppet/functions/m/late.rb");
    assert_eq!((&reason["functions"][0], &reason["calls"]), (&"m::late".into(), &1.into()));

    let table = folder.run(&["stats", "--unknown"]).stdout;
    assert!(table.contains("Time.now (lib/puppet/functions/m/late.rb:3, in m::late)"), "{table}");
}

#[test]
fn help_version_and_completions() {
    let folder = Folder::new("help", &[]);
    for (arguments, wanted) in [
        (&["--version"][..], concat!("puppet-analyzer ", env!("CARGO_PKG_VERSION"))),
        (&["--help"], "Examples:"),
        (&["check", "--help"], "Exit codes:"),
        (&["parse", "--help"], "Examples:"),
        (&["completions", "bash"], "complete -F"),
        (&["completions", "bash"], " puppet__analyzer__subcmd__check)"),
        (&["completions", "zsh"], "#compdef puppet-analyzer"),
        (&["completions", "fish"], "complete -c puppet-analyzer"),
        (&["man"], ".TH puppet-analyzer"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert!(ran.stdout.contains(wanted), "{arguments:?}: {ran:?}");
    }
}

/// Checks that a reader that closes the pipe early (`check | head -1`) does not cause an error.
#[test]
fn closed_pipe_is_not_an_error() {
    let text = "class a($x, $x) { }\n".repeat(20_000);
    let folder = Folder::new("pipe", &[("long.pp", &text)]);
    for arguments in [&["check"][..], &["parse", "--format", "tree", "long.pp"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"))
            .args(arguments)
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.code().is_some_and(|it| it < 2), "{arguments:?}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

/// Checks that the example repository has findings only in the `broken_*` files.
#[test]
fn findings_in_the_example_repository() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/control-repo");
    let folder = Folder::new("example", &[]);
    let ran = folder.run(&["check", "--format", "json", &example.to_string_lossy()]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let findings = ran.json();
    let found: Vec<String> = findings
        .as_array()
        .expect("an array")
        .iter()
        .filter(|it| it["open"].is_null())
        .map(|it| {
            let file = it["file"].as_str().and_then(|it| it.rsplit('/').next()).expect("a path");
            let line = it["range"]["start"]["line"].as_u64().expect("a number") + 1;
            format!("{file}:{line} {}", it["code"].as_str().expect("a code"))
        })
        .collect();
    let expected = [
        "broken_place.pp:2 illegal-definition-location",
        "broken_rules.pp:3 reserved-parameter",
        "broken_rules.pp:5 duplicate-parameter",
        "broken_rules.pp:7 cross-scope-assignment",
        "broken_rules.pp:12 duplicate-key",
        "broken_rules.pp:18 illegal-json",
        "broken_rules.pp:22 idem-expression-not-last",
        "broken_rules.pp:25 not-top-level",
        "broken_syntax.pp:4 syntax-error",
        "broken_syntax.pp:9 syntax-error",
        "broken_syntax.pp:13 syntax-error",
        "broken_values.pp:5 numeric-coercion",
        "broken_values.pp:8 not-numeric",
        "broken_values.pp:10 runtime-error",
        "broken_page.epp:4 syntax-error",
    ];
    assert_eq!(found, expected);
}

#[test]
fn eval_prints_the_value_of_the_last_expression() {
    let folder = Folder::new("eval", &[("a.pp", "$x = 20\nfunction f($y) { $y + 22 }\nf($x)\n")]);
    let ran = folder.run(&["eval", "-e", "[1, 2].map |$x| { \"n${x}\" }"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "['n1', 'n2']\n"));
    let ran = folder.run(&["eval", "a.pp"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "42\n"));
    let ran = folder.run_with_input(&["eval"], "Integer('0x1F', 16)");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "31\n"));
}

#[test]
fn eval_options() {
    let folder = Folder::new("eval-facts", &[("facts.json", r#"{ "os": { "family": "Debian" } }"#)]);
    let ran = folder.run(&["eval", "--facts", "facts.json", "-e", "$facts['os']['family']"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "'Debian'\n"));
    let code = "'1' + 1";
    assert_eq!(
        folder.run(&["eval", "-e", code]).code,
        Some(1),
        "version 8 does not convert strings to numbers"
    );
    let ran = folder.run(&["eval", "--puppet-version", "7", "-e", code]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "2\n"));
    assert!(ran.stderr.starts_with("warning: "), "{}", ran.stderr);
}

#[test]
fn eval_errors_have_locations_and_calls() {
    let folder = Folder::new("eval-error", &[("a.pp", "function f($x) {\n  1 + $x\n}\nf('a')\n")]);
    let ran = folder.run(&["eval", "a.pp"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    for part in ["not-numeric", "a.pp:2:7", "a.pp:4:1", "called here"] {
        assert!(ran.stderr.contains(part), "{part} in {}", ran.stderr);
    }
    let ran = folder.run(&["eval", "--format", "json", "a.pp"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(answer["errors"][0]["location"]["line"], 2);
    assert_eq!(answer["errors"][0]["calls"][0]["line"], 4);
}

#[test]
fn eval_json_redacts_sensitive_values() {
    let folder = Folder::new("eval-json", &[]);
    let ran = folder.run(&[
        "eval",
        "--format",
        "json",
        "-e",
        "notice(Sensitive('pw'))\n[/x/, Sensitive('pw'), 1.0]",
    ]);
    assert!(!ran.stdout.contains("pw") && !ran.stderr.contains("pw"), "{ran:?}");
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(answer["value"][0]["__ptype"], "Regexp");
    assert_eq!(answer["type"], "Tuple[Regexp[/x/], Sensitive[String], Float[1.0, 1.0]]");
    assert_eq!(answer["logs"][0]["level"], "notice");
}

#[test]
fn eval_of_unreadable_files() {
    let folder = Folder::new("eval-unreadable", &[("facts.json", "no JSON")]);
    for arguments in
        [&["eval", "nosuch.pp"][..], &["eval", "--facts", "facts.json", "-e", "1"], &["eval", "."]]
    {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}

#[test]
fn rules_and_explain() {
    let folder = Folder::new("rules", &[]);
    let list = folder.run(&["rules"]);
    assert_eq!(list.code, Some(0));
    assert!(list.stdout.lines().any(|line| line.starts_with("unused-variable ")), "{}", list.stdout);
    let explained = folder.run(&["explain", "unused_variable"]);
    assert_eq!(explained.code, Some(0));
    assert!(explained.stdout.starts_with("# unused-variable\n"), "{}", explained.stdout);
    assert!(explained.stdout.contains("lint:ignore:unused-variable"), "{}", explained.stdout);
    assert_eq!(folder.run(&["explain", "warning[unused-variable]"]).stdout, explained.stdout);
    assert_eq!(folder.run(&["explain", "no-such-rule"]).code, Some(2));
}

#[test]
fn rules_show_the_levels_of_the_folder() {
    let settings = "select = ['hard_tabs']\n[lint]\nunknown-file = 'warning'\n";
    let folder = Folder::new("rules-here", &[("puppet-analyzer.toml", settings)]);
    let ran = folder.run(&["rules"]);
    let line = |rule: &str| ran.stdout.lines().find(|it| it.starts_with(rule)).unwrap_or_default().to_owned();
    let hard_tabs = line("hard-tabs ");
    assert!(hard_tabs.contains(" warning ") && hard_tabs.ends_with(" (default: off)"), "{hard_tabs}");
    assert!(line("unknown-file ").ends_with(" (default: error)"), "{ran:?}");
    assert!(!line("unknown-class ").contains("default"), "{ran:?}");
    assert!(ran.stderr.starts_with("levels according to the settings here (repository: "), "{ran:?}");
    let json = folder.run(&["rules", "--format", "json", "hard_tabs"]).json();
    assert_eq!((&json[0]["level"], &json[0]["effectiveLevel"]), (&"off".into(), &"warning".into()));
    for (rule, expected) in [
        ("unknown-file", "A finding has a lower level if the code may not run"),
        ("unknown-file", "According to the settings here, the level is warning."),
        ("hard-tabs", "According to the settings here, the level is warning."),
        ("legacy-fact", "lint:ignore:legacy-fact\n"),
        ("illegal-name", "or with a space"),
    ] {
        let explained = folder.run(&["explain", rule]).stdout;
        assert!(explained.contains(expected), "{rule}: {explained}");
    }
    folder.write(&[("puppet-analyzer.toml", "strict = 1\n")]);
    let ran = folder.run(&["explain", "hard-tabs"]);
    assert!(ran.code == Some(0) && ran.stdout.starts_with("# hard-tabs\n"), "{ran:?}");
}

#[test]
fn missing_modules_have_the_right_remedy() {
    let fixtures = "fixtures:\n  forge_modules:\n    far: x/far\n";
    let module = [
        ("metadata.json", "{}"),
        ("manifests/init.pp", "# A class.\nclass small {\n  include far::x\n  include lost::y\n}\n"),
        (".fixtures.yml", fixtures),
    ];
    let folder = Folder::new("remedy", &module);
    let ran = folder.run(&["check"]);
    for line in [
        "module `far` missing: references to it were not checked; run `rake spec_prep` to fetch the modules of \
         `.fixtures.yml`, or add its folder with `--modulepath`",
        "module `lost` missing: references to it were not checked; install it, or add its folder with \
         `--modulepath`",
    ] {
        assert!(ran.stderr.lines().any(|it| it == line), "{line}: {ran:?}");
    }
    assert!(!ran.stderr.contains("r10k"), "{ran:?}");
}

#[test]
fn hints_are_optional() {
    let folder = Folder::new("hints", &[("a.pp", "define d() {\n  $x = 1\n}\n")]);
    let without = folder.run(&["check", "a.pp"]);
    assert_eq!((without.code, without.stdout.contains("unused-variable")), (Some(0), false), "{without:?}");
    let with = folder.run(&["check", "--hints", "a.pp"]);
    assert_eq!((with.code, with.stdout.contains("unused-variable")), (Some(0), true), "{with:?}");
}

#[test]
fn man_pages_have_the_usual_sections() {
    let folder = Folder::new("man", &[("pages/x", "")]);
    let ran = folder.run(&["man", "--output", "pages"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let help = folder.run(&["--help"]).stdout;
    let commands = help.lines().skip_while(|it| *it != "Commands:").skip(1).take_while(|it| !it.is_empty());
    let commands = commands.filter_map(|it| it.split_whitespace().next()).filter(|it| *it != "help");
    for name in commands.map(|it| format!("puppet-analyzer-{it}")).chain(["puppet-analyzer".to_owned()]) {
        let page = fs::read_to_string(folder.0.join(format!("pages/{name}.1"))).expect(&name);
        let wanted =
            ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES", "ENVIRONMENT", "EXAMPLES"];
        for section in wanted {
            let is_there = [format!(".SH {section}\n"), format!(".SH \"{section}\"\n")];
            assert!(is_there.iter().any(|it| page.contains(it)), "{name}: {section}\n{page}");
        }
    }
    let page = fs::read_to_string(folder.0.join("pages/puppet-analyzer-check.1")).expect("a page");
    assert!(page.contains("puppet\\-analyzer check \\-\\-since origin/main"), "{page}");
    assert_eq!(
        folder.run(&["man"]).stdout,
        fs::read_to_string(folder.0.join("pages/puppet-analyzer.1")).expect("a page")
    );
    assert_eq!(folder.run(&["man", "--output", "nowhere"]).code, Some(2));
}

/// Checks that `--force-exclude` skips the named files that a search of the folder skips, in each command.
#[test]
fn named_files_can_be_excluded() {
    let wrong = "class d { $x=1 + 'a' }\n";
    let paths = ["skipped/a.pp", ".hidden/b.pp", "m/files/c.pp", "notes.txt", "d.pp"];
    let mut files: Vec<(&str, &str)> = paths.iter().map(|it| (*it, wrong)).collect();
    files.push(("puppet-analyzer.toml", "exclude = [\"skipped\"]\n"));
    files.push(("m/metadata.json", "{}"));
    let folder = Folder::new("force-exclude", &files);
    for command in [&["check", "--format", "concise"][..], &["lint"], &["format", "--check"]] {
        let run = |paths: &[&str]| folder.run(&[command, &["--force-exclude"], paths].concat());
        let ran = run(&paths);
        let output = format!("{}{}", ran.stdout, ran.stderr);
        let named = paths.map(|it| output.contains(it));
        assert_eq!(named, [false, false, false, false, true], "{command:?}: {ran:?}");
        assert_eq!(run(&paths[..4]).code, Some(0), "{command:?}");
    }
    let absolute = folder.0.join("d.pp");
    let ran = folder.run(&["check", "--force-exclude", &absolute.to_string_lossy()]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn errors_are_first() {
    let folder = Folder::new("sort", &[("a.pp", KEY.1), ("b.pp", DUPLICATE.1)]);
    let at_7 = ["check", "--puppet-version", "7", "--format", "concise"];
    let files = |more: &[&str]| -> Vec<String> {
        let ran = folder.run(&[&at_7[..], more].concat());
        ran.stdout.lines().filter_map(|it| Some(it.split(':').next()?.to_owned())).collect()
    };
    assert_eq!(files(&[]), ["b.pp", "a.pp"]);
    assert_eq!(files(&["--sort", "path"]), ["a.pp", "b.pp"]);
    let text = folder.run(&["check", "--puppet-version", "7"]).stdout;
    assert!(text.find("b.pp:1").expect("an error") < text.find("a.pp:1").expect("a warning"), "{text}");
    assert!(text.ends_with("Found 1 error and 1 warning in 2 files\n"), "{text}");
}

#[test]
fn reports_go_to_files() {
    let folder = Folder::new("output", &[DUPLICATE]);
    let ran = folder.run(&["check", "--format", "json", "--output", "report.json"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(1)), "{ran:?}");
    let report = fs::read_to_string(folder.0.join("report.json")).expect("a report");
    assert_eq!(report, folder.run(&["check", "--format", "json"]).stdout);
    let quiet = folder.run(&["check", "--quiet"]);
    assert!(quiet.stdout.contains("duplicate-parameter") && !quiet.stdout.contains("Found"), "{quiet:?}");
    let counts = folder.run(&["check", "--statistics", "--format", "json"]).json();
    assert_eq!(counts["rules"][0]["code"], "duplicate-parameter");
    assert_eq!(counts["files"][0], serde_json::json!({ "file": "duplicate.pp", "findings": 1 }));
}

#[test]
fn nearest_settings_apply_to_all_commands() {
    let folder = Folder::new(
        "nearest",
        &[
            (".git/HEAD", ""),
            ("puppet-analyzer.toml", "puppet-version = 7\n"),
            ("site/profile/key.pp", KEY.1),
            ("other.toml", "strict = 'off'\n"),
        ],
    );
    let path = folder.0.join("site/profile").display().to_string();
    for arguments in [&["check", &path][..], &["check", "site"], &["check", "site/profile/key.pp"]] {
        let ran = folder.run(arguments);
        assert!(ran.stdout.ends_with("Found 1 warning in 1 file\n"), "{arguments:?}: {ran:?}");
    }
    for (arguments, last_line) in [
        (&["check", "--isolated", "site"][..], "Found 1 error in 1 file"),
        (&["check", "--config", "other.toml", "site"], "No findings in 1 file"),
        (&["check", "--exclude", "site/profile", "."], "No findings in 0 files"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.stdout.lines().last(), Some(last_line), "{arguments:?}: {ran:?}");
    }
    let shown = folder.run(&["check", "--show-settings", "site"]).stdout;
    assert!(shown.contains("puppet-version = 7\n"), "{shown}");
    assert!(shown.starts_with("# repository: ") && shown.contains("/puppet-analyzer.toml\n"), "{shown}");
    assert_eq!(folder.run(&["check", "--show-files", "site"]).stdout, "site/profile/key.pp\n");
    assert_eq!(folder.run(&["check", "--config", "nowhere.toml"]).code, Some(2));
}

#[test]
fn rules_are_listed_by_group() {
    let folder = Folder::new("groups", &[]);
    let all = folder.run(&["rules"]).stdout.lines().count();
    let style = folder.run(&["rules", "style"]).stdout.lines().count();
    assert!(0 < style && style < all, "{style} of {all}");
    assert_eq!(folder.run(&["rules", "no-such-group"]).code, Some(2));
    let ran = folder.run(&["explain", "unused_varable"]);
    assert_eq!(ran.stderr, "error: unknown rule `unused_varable`\nhelp: did you mean `unused-variable`?\n");
}

#[test]
fn rules_are_linked_in_terminals() {
    let folder = Folder::new("links", &[DUPLICATE]);
    let run = |forced: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
        command.args(["check", "--color", "always", "duplicate.pp"]).env("FORCE_HYPERLINK", forced);
        let output = command.current_dir(&folder.0).output().expect("the program starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let linked = run("1");
    let (before, after) = linked.split_once("\x1b]8;;https://").expect("a link");
    assert!(before.len() < 40, "{linked}");
    let (url, _) = after.split_once("\x1b\\").expect("a link");
    assert!(url.ends_with("/rules/duplicate-parameter/page.md"), "{url}");
    assert!(linked.contains("\x1b]8;;\x1b\\"), "{linked}");
    assert!(!run("0").contains("\x1b]8;;"));
    // A repository cannot add links of its own.
    let name = "a\u{1b}]8;;https:evil\u{1b}\\.pp";
    folder.write(&[("evil.pp", &format!("fail('{name}')\nclass a($x, $x) {{ }} # {name}\n"))]);
    assert!(!run("1").contains("\x1b]8;;https:evil"));
}

#[test]
fn verbose_runs_print_what_they_use() {
    let files = [
        ("environment.conf", "modulepath = site\n"),
        ("puppet-analyzer.toml", "puppet-version = 7\n"),
        ("manifests/site.pp", "include m\n"),
        ("site/m/manifests/init.pp", "class m { }\n"),
    ];
    let folder = Folder::new("verbose", &files);
    for (arguments, phase) in [
        (&["check", "--verbose"][..], "checked 2 files in "),
        (&["--verbose", "check", "--compile"], "compiled 2 classes, nodes and definitions in "),
        (&["compile", "--os", "debian12", "--verbose"], "compiled the catalog of node1.example.com in "),
        (&["compile", "--all", "--verbose"], "compiled 12 catalogs in "),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let quiet: Vec<&str> = arguments.iter().copied().filter(|it| *it != "--verbose").collect();
        assert_eq!(ran.stdout, folder.run(&quiet).stdout, "{arguments:?}");
        for text in [
            "puppet-analyzer 0",
            "settings: repository: /",
            "environment: /",
            "assuming Puppet 7 with strict = warning",
            "/site\n",
            phase,
        ] {
            assert!(ran.stderr.contains(text), "{arguments:?} {text}: {ran:?}");
        }
    }
}
