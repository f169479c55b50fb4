//! Tests of `ci`.

use serde_json::Value as Json;

use crate::folders::Folder;

const SITE: (&str, &str) = ("manifests/site.pp", "node 'a' {\n  include m\n}\n");
const CLASS: &str = "# Example\nclass m {\n  file { '/m':\n    ensure => file,\n  }\n}\n";

/// Creates a repository with a branch `main` and a checked-out branch `topic` without changes.
fn repository(name: &str) -> Folder {
    let files = [
        ("environment.conf", ""),
        (".puppet-lint.rc", ""),
        SITE,
        ("modules/m/manifests/init.pp", CLASS),
        ("modules/m/manifests/old.pp", "class m::old { $a = \"unformatted\"}\n"),
    ];
    let folder = Folder::new(name, &files);
    folder.git(&["init", "--quiet", "--initial-branch", "main"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "first"]);
    folder.git(&["checkout", "--quiet", "-b", "topic"]);
    folder
}

/// Returns the status of each step.
fn statuses(folder: &Folder, arguments: &[&str]) -> (Option<i32>, Vec<String>, Json) {
    let base = ["ci", "--base", "main", "--os", "debian12", "--format", "json"];
    let ran = folder.run(&[&base[..], arguments].concat());
    let report: Json = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let steps = report["steps"].as_array().expect("an array");
    let status = |it: &Json| it["status"].as_str().expect("a string").to_owned();
    (ran.code, steps.iter().map(status).collect(), report)
}

#[test]
fn steps_only_look_at_what_changed() {
    let folder = repository("ci");
    let (code, found, _) = statuses(&folder, &[]);
    assert_eq!(found, ["skipped", "skipped", "passed", "passed", "passed"]);
    assert_eq!(code, Some(0));
    // Differences are no failure.
    folder.write(&[("modules/m/manifests/init.pp", &CLASS.replace("file,", "absent,"))]);
    let (code, found, report) = statuses(&folder, &[]);
    assert_eq!(
        (code, found),
        (Some(0), ["passed", "passed", "passed", "passed", "differs"].map(str::to_owned).to_vec())
    );
    assert_eq!(report["steps"][4]["result"][0]["resources"][0]["resource"], "File[/m]");
    folder.write(&[(
        "modules/m/manifests/init.pp",
        &CLASS.replace("'/m'", "\"/m\"").replace("  }\n}", "}\n}"),
    )]);
    let (code, found, _) = statuses(&folder, &[]);
    assert_eq!((code, &found[0]), (Some(1), &"failed".to_owned()));
    folder.write(&[("modules/m/manifests/init.pp", &CLASS.replace("ensure", "ensur"))]);
    let (code, found, _) = statuses(&folder, &["--skip", "format", "--skip", "lint"]);
    assert_eq!(
        (code, found),
        (Some(1), ["skipped", "skipped", "failed", "failed", "differs"].map(str::to_owned).to_vec())
    );
}

#[test]
fn reports_in_all_formats() {
    let folder = repository("ci-formats");
    let changed = "class m::old { $a = \"changed\"}\n";
    folder.write(&[
        ("modules/m/manifests/init.pp", &CLASS.replace("ensure", "ensur")),
        ("modules/m/manifests/old.pp", changed),
    ]);
    for (format, expected) in [
        ("text", "check    failed\n"),
        ("text", "==> check: puppet-analyzer check --format text --ignore style ."),
        ("github", "::error file=modules/m/manifests/init.pp,line=4"),
        (
            "github",
            "::warning file=modules/m/manifests/old.pp,line=1,endLine=1,title=format::would be reformatted\n",
        ),
        ("github", "::group::compile: failed"),
        ("markdown", "| check | failed |"),
        ("markdown", "<details open><summary>compile: failed</summary>"),
        ("sarif", "\"ruleId\""),
    ] {
        let ran = folder.run(&["ci", "--base", "main", "--os", "debian12", "--format", format]);
        assert!(ran.code == Some(1) && ran.stdout.contains(expected), "{format} {expected}: {ran:?}");
    }
    let ran = folder.run(&["ci", "--base", "main", "--format", "markdown", "--output", "report.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    let report = std::fs::read_to_string(folder.0.join("report.md")).expect("exists");
    assert!(report.starts_with("### puppet-analyzer for the changes since `"), "{report}");
}

#[test]
fn open_catalogs_are_not_passed() {
    let folder = repository("ci-open");
    folder
        .write(&[("modules/m/manifests/init.pp", &CLASS.replace("  file {", "  include absent\n  file {"))]);
    let (code, found, _) = statuses(&folder, &["--skip", "format"]);
    assert_eq!((code, &found[3]), (Some(0), &"open".to_owned()));
    let ran = folder.run(&["ci", "--base", "main", "--os", "debian12", "--skip", "format"]);
    assert!(ran.stdout.contains("compile  inconclusive: some catalogs are open"), "{ran:?}");
}

#[test]
fn the_checks_of_puppet_lint_follow_the_settings() {
    let folder = repository("ci-lint");
    folder.write(&[
        ("modules/m/manifests/lone.pp", "class m::lone {}\n"),
        (".puppet-lint.rc", "--fail-on-warnings\n"),
    ]);
    let ran = folder.run(&["ci", "--base", "main", "--os", "debian12"]);
    assert!(ran.stdout.contains("warning[documentation]"), "{ran:?}");
    folder.write(&[("puppet-analyzer.toml", "ignore = [\"documentation\"]\n")]);
    let ran = folder.run(&["ci", "--base", "main", "--os", "debian12"]);
    assert!(!ran.stdout.contains("warning[documentation]"), "{ran:?}");
}

#[test]
fn known_findings_are_no_failure() {
    let folder = repository("ci-baseline");
    folder.write(&[("modules/m/manifests/init.pp", &CLASS.replace("ensure", "ensur"))]);
    let known = ["check", "--baseline", "known.json", "--write-baseline"];
    assert_eq!(folder.run(&known).code, Some(0));
    let (_, found, _) = statuses(&folder, &["--baseline", "known.json"]);
    assert_eq!((&*found[1], &*found[2]), ("passed", "passed"), "{found:?}");
    let (_, found, _) = statuses(&folder, &[]);
    assert_eq!(&*found[2], "failed", "{found:?}");
}

#[test]
fn the_base_may_be_missing() {
    let folder =
        Folder::new("ci-no-git", &[("environment.conf", ""), SITE, ("modules/m/manifests/init.pp", CLASS)]);
    let ran = folder.run(&["ci", "--os", "debian12"]);
    assert!(
        ran.code == Some(0) && ran.stdout.contains("diff     no base revision found; use `--base`"),
        "{ran:?}"
    );
    assert_eq!(folder.run(&["ci", "--base", "main"]).code, Some(2));
    let folder = repository("ci-no-base");
    assert_eq!(folder.run(&["ci", "--base", "no-such-branch"]).code, Some(2));
}
