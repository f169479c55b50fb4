//! Tests of `unused` and of `unused --remove`.

use std::fs;

use expect_test::{Expect, expect};

use crate::folders::{Folder, run};

/// A repository of which some things are unused.
const FILES: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = site\n"),
    ("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n"),
    ("data/common.yaml", "---\nweb::port: 80\n\nweb::prot: 81\nold: 1\n"),
    ("manifests/site.pp", "node 'a' { include web }\n"),
    ("site/web/manifests/init.pp", "class web(Integer $port) {\n  notify { \"${port}\": }\n}\n"),
    (
        "site/web/manifests/old.pp",
        "# Old.\nclass web::old {\n  file { '/a': content => epp('web/old.epp') }\n}\n",
    ),
    ("site/web/templates/old.epp", "a\n"),
    ("site/web/files/old.conf", "a\n"),
    ("site/web/spec/classes/tested_spec.rb", "describe 'web::tested' do\nend\n"),
    ("site/web/manifests/tested.pp", "class web::tested { }\n"),
];

fn repository(test: &str, more: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(test, FILES);
    folder.write(more);
    folder.git(&["init", "--quiet"]);
    commit(&folder);
    folder
}

fn commit(folder: &Folder) {
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "step", "--date", "2026-01-02T03:04:05Z"]);
}

/// Runs `unused` and checks its exit code and output, with dates replaced.
#[track_caller]
fn check(folder: &Folder, arguments: &[&str], code: i32, expected: &Expect) {
    let (found, out, err) = run(&folder.0, &[&["unused"], arguments].concat());
    let whole = format!("{out}{err}");
    let mut shown = whole;
    for before in ["changed ", "\"changed\": \""] {
        let parts = shown.split(before).enumerate();
        let parts: Vec<String> = parts
            .map(|(index, part)| if index == 0 { part.into() } else { format!("DATE{}", &part[10..]) })
            .collect();
        shown = parts.join(before);
    }
    expected.assert_eq(&shown);
    assert_eq!(found, Some(code), "{arguments:?}");
}

#[test]
fn items_are_listed_with_their_size() {
    let folder = repository("unused-list", &[]);
    check(
        &folder,
        &[],
        1,
        &expect![[r#"
        site/web/manifests/old.pp:2: class `web::old` (3 lines, changed DATE)
        site/web/manifests/tested.pp:1: class `web::tested` (1 line, changed DATE, only tests use it)
        site/web/templates/old.epp:1: template `web/old.epp` (1 line, changed DATE)
        site/web/files/old.conf:1: file `web/old.conf` (changed DATE)
        data/common.yaml:4: Hiera key `web::prot` (1 line, changed DATE)
        data/common.yaml:5: Hiera key `old` (1 line, changed DATE)
        6 unused, 0 open, 2 used
    "#]],
    );
    check(
        &folder,
        &["--kind", "class", "--kind", "template"],
        1,
        &expect![[r#"
        site/web/manifests/old.pp:2: class `web::old` (3 lines, changed DATE)
        site/web/manifests/tested.pp:1: class `web::tested` (1 line, changed DATE, only tests use it)
        site/web/templates/old.epp:1: template `web/old.epp` (1 line, changed DATE)
        3 unused, 0 open, 1 used
    "#]],
    );
    check(
        &folder,
        &["--kind", "hiera-key", "--format", "json"],
        1,
        &expect![[r#"
            {
              "unused": [
                {
                  "kind": "Hiera key",
                  "name": "web::prot",
                  "only_tests": false,
                  "locations": [
                    {
                      "file": "data/common.yaml",
                      "line": 4,
                      "lines": 1,
                      "changed": "DATE"
                    }
                  ]
                },
                {
                  "kind": "Hiera key",
                  "name": "old",
                  "only_tests": false,
                  "locations": [
                    {
                      "file": "data/common.yaml",
                      "line": 5,
                      "lines": 1,
                      "changed": "DATE"
                    }
                  ]
                }
              ],
              "open": [],
              "used": 1,
              "not_examined": []
            }
        "#]],
    );
}

#[test]
fn large_data_is_open_and_its_values_are_used() {
    let mut data = "---\nclasses: [web::old]\n".to_owned();
    for key in 0..50_000 {
        data.push_str(&format!("key{key}: [a, b, c, d]\n"));
    }
    assert!(data.len() > 1 << 20);
    let folder = repository("unused-large", &[("data/common.yaml", &data)]);
    check(
        &folder,
        &["--show-open"],
        1,
        &expect![[r#"
        site/web/manifests/tested.pp:1: class `web::tested` (1 line, changed DATE, only tests use it)
        site/web/files/old.conf:1: file `web/old.conf` (changed DATE)
        1 open: its keys are unknown: the file is too large or unreadable
          data/common.yaml:1: data file `data/common.yaml`
        2 unused, 1 open, 3 used
    "#]],
    );
}

#[test]
fn modules_of_others_are_named() {
    let folder = Folder::new(
        "unused-foreign",
        &[
            ("Puppetfile", "mod 'me/apt', '1.0.0'\n"),
            ("modules/web/metadata.json", "{ \"name\": \"me-web\", \"version\": \"1.0.0\" }"),
            ("modules/web/manifests/old.pp", "class web::old { }\n"),
            ("modules/apt/manifests/init.pp", "class apt { }\n"),
        ],
    );
    check(
        &folder,
        &[],
        3,
        &expect![[r#"
        2 modules not examined, with `metadata.json` or installed by the `Puppetfile`: apt, web
        0 unused, 0 open, 0 used
    "#]],
    );
    folder.write(&[(
        "modules/profiles/metadata.json",
        "{ \"name\": \"me-profiles\", \"version\": \"1.0.0\" }",
    )]);
    folder.write(&[("modules/profiles/templates/old.epp", "a\n"), ("manifests/site.pp", "node 'a' { }\n")]);
    check(
        &folder,
        &[],
        1,
        &expect![[r#"
        modules/profiles/metadata.json:1: module `profiles`
        modules/profiles/templates/old.epp:1: template `profiles/old.epp` (1 line)
        2 modules not examined, with `metadata.json` or installed by the `Puppetfile`: apt, web
        2 unused, 0 open, 0 used
    "#]],
    );
}

#[test]
fn classes_of_node_classifiers_are_used() {
    let enc = ("enc/b.yaml", "classes: ['web::old', 'web::tested']\n");
    let folder = repository("unused-enc", &[enc]);
    check(
        &folder,
        &["--enc", "enc/b.yaml", "--kind", "class"],
        0,
        &expect![[r#"
        0 unused, 0 open, 3 used
    "#]],
    );
    check(
        &folder,
        &["--enc-dir", "enc", "--kind", "template"],
        0,
        &expect![[r#"
        0 unused, 0 open, 1 used
    "#]],
    );
}

#[test]
fn facts_of_nodes_determine_computed_names() {
    let site = ("manifests/site.pp", "node 'a' { include \"web::${facts['kind']}\", web }\n");
    let nodes = ("nodes/a.json", r#"{ "kind": "old", "os": { "family": "Debian" } }"#);
    let folder = repository("unused-nodes", &[site, nodes]);
    check(
        &folder,
        &["--kind", "class"],
        3,
        &expect![[r#"
        2 open: may be named by the class name `"web::${facts['kind']}"` at manifests/site.pp:1
        0 unused, 2 open, 1 used
    "#]],
    );
    check(
        &folder,
        &["--kind", "class", "--nodes", "nodes"],
        1,
        &expect![[r#"
        site/web/manifests/tested.pp:1: class `web::tested` (1 line, changed DATE, only tests use it)
        1 unused, 0 open, 2 used
    "#]],
    );
}

#[test]
fn unused_items_are_removed() {
    let folder = repository("unused-remove", &[]);
    check(
        &folder,
        &["--remove"],
        1,
        &expect![[r#"
        left: class `web::tested`: tests use it
        removed: template `web/old.epp`
        removed: file `web/old.conf`
        removed: Hiera key `old`
        removed: Hiera key `web::prot`
        removed: class `web::old`
        5 removed; 6 catalogs are equal
    "#]],
    );
    let gone = ["site/web/manifests/old.pp", "site/web/templates", "site/web/files"];
    gone.iter().for_each(|path| assert!(!folder.0.join(path).exists(), "{path}"));
    let data = fs::read_to_string(folder.0.join("data/common.yaml")).expect("exists");
    assert_eq!(data, "---\nweb::port: 80\n\n");
    // The removal is a change.
    check(
        &folder,
        &["--remove"],
        2,
        &expect![[r#"
        error: the work tree is not clean: `data/common.yaml` differs from the last commit
        help: commit or stash the changes, or run `git status` to refresh the index
    "#]],
    );
    commit(&folder);
    check(
        &folder,
        &["--remove", "--kind", "template"],
        0,
        &expect![[r#"
        nothing to remove
    "#]],
    );
}

#[test]
fn nothing_is_removed_without_proof() {
    let folder = repository(
        "unused-proof",
        &[("site/web/manifests/init.pp", "class web($port) {\n  fail('why')\n}\n")],
    );
    #[cfg(unix)]
    {
        let script = folder.0.join("site/web/files/old.conf");
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(script, executable).expect("exists");
        commit(&folder);
    }
    check(
        &folder,
        &["--remove", "--kind", "file", "--kind", "class", "--kind", "hiera-key"],
        3,
        &expect![[r#"
        left: class `web::tested`: tests use it
        open: a on Debian 12 does not compile
        open: a on Debian 13 does not compile
        open: a on RedHat 8 does not compile
        open: a on RedHat 9 does not compile
        open: a on Ubuntu 22.04 does not compile
        open: a on Ubuntu 24.04 does not compile
        nothing removed: it is not proven that all catalogs stay equal
    "#]],
    );
    let status =
        std::process::Command::new("git").args(["status", "--short"]).current_dir(&folder.0).output();
    assert_eq!(String::from_utf8_lossy(&status.expect("git runs").stdout), "", "contents and permissions");
    for path in ["site/web/manifests/old.pp", "data/common.yaml"] {
        let (_, text) = FILES.iter().find(|it| it.0 == path).expect("listed");
        assert_eq!(fs::read_to_string(folder.0.join(path)).expect("restored"), *text);
    }
}
