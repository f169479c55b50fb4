//! Tests of `diff` with inputs that cannot be compared completely: they must not be reported as equal.

use std::fs;
use std::process::Command;

use expect_test::expect;

use crate::folders::{Folder, run};

const METADATA: &str = r#"{ "name": "x-small", "operatingsystem_support": [{ "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }] }"#;

/// Creates a repository with one commit.
fn repository(test: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&format!("diff-{test}"), files);
    folder.git(&["init", "--quiet"]);
    commit(&folder);
    folder
}

fn commit(folder: &Folder) {
    folder.git(&["add", "."]);
    folder.git(&["-c", "protocol.file.allow=always", "commit", "--quiet", "--message", "step"]);
}

/// Runs `diff` and checks its exit code and parts of its output.
#[track_caller]
fn check(folder: &Folder, arguments: &[&str], code: i32, texts: &[&str]) -> String {
    let (found, out, err) = run(&folder.0, &[&["diff"], arguments].concat());
    assert_eq!(found, Some(code), "{arguments:?}: {out}{err}");
    for text in texts {
        assert!(format!("{out}{err}").contains(text), "{arguments:?}: no `{text}` in\n{out}{err}");
    }
    out
}

/// Runs `diff` after an edit of one file, given before and after it, and checks its exit code and a part of its output.
#[track_caller]
fn check_edit(test: &str, files: &[(&str, &str)], path: &str, texts: [String; 2], expected: (i32, &str)) {
    let [before, after] = texts;
    let folder = repository(test, &[files, &[(path, &before)]].concat());
    folder.write(&[(path, &after)]);
    check(&folder, OS, expected.0, &[expected.1]);
}

fn class(body: &str) -> String {
    format!("class small {{\n  {body}\n}}\n")
}

/// Returns a resource that requires those with the given titles.
fn needing(titles: &str) -> String {
    format!("notify {{ ['a', 'b, c', 'd']: }}\n  notify {{ 'x': require => Notify[{titles}] }}")
}

/// Returns a resource with a message.
fn message(value: &str) -> String {
    format!("notify {{ 'x': message => {value} }}")
}

#[test]
fn outcomes() {
    let (fine, failing) = ("notify { 'x': }", "fail('why')");
    for (number, (before, after, code, text)) in [
        (fine, fine, 0, "no difference in 1 catalog"),
        (fine, failing, 1, "fails now: why"),
        (failing, fine, 1, "compiles now; failed before: why"),
        (failing, failing, 3, "fails before and after: why"),
        (failing, "fail('other')", 1, "fails:  other"),
        (fine, "notify { 'y': }", 1, "Notify[y]"),
        (&needing("'a', 'b, c'"), &needing("'b, c', 'a'"), 0, "no difference in 1 catalog"),
        (
            &needing("'a', 'b, c'"),
            &needing("'b, c', 'd'"),
            1,
            "+     require => ['Notify[b, c]', 'Notify[d]']",
        ),
        (&message("'u'"), &message("Sensitive('u')"), 1, "+     message => [value redacted]"),
        (&message("'u'"), &message("Sensitive('u')"), 1, "-     message => [the same value, not sensitive]"),
        (&message("Sensitive('u')"), &message("'u'"), 1, "+     message => [the same value, not sensitive]"),
        (&message("Sensitive('u')"), &message("Sensitive('u')"), 0, "no difference in 1 catalog"),
        (
            &message("Sensitive('u')"),
            &message("Sensitive('v')"),
            1,
            "~     message => [value redacted] (changed)",
        ),
        (
            &message("['u']"),
            &message("[Sensitive('u')]"),
            1,
            "+     message => [#<Sensitive [value redacted]>]",
        ),
        ("include other::x", "include other::x", 3, "open: class `other::x` not found"),
        (fine, "include other::x\n  notify { 'x': }", 3, "open: class `other::x` not found"),
        ("other::f()", "other::f()", 3, "open: function `other::f` not found"),
        ("other::d { 'a': }", "other::d { 'b': }", 1, "open: type `other::d` not found"),
    ]
    .into_iter()
    .enumerate()
    {
        let manifest = "manifests/init.pp";
        let folder =
            repository(&format!("pair{number}"), &[("metadata.json", METADATA), (manifest, &class(before))]);
        folder.write(&[(manifest, &class(after))]);
        check(&folder, &["--class", "small"], code, &[text]);
        let json = check(&folder, &["--class", "small", "--format", "json"], code, &[]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json.as_array().expect("a list").is_empty(), code == 0, "{json}");
        if let Some(reason) = text.strip_prefix("open: ") {
            assert_eq!(json[0]["open"][0], *reason, "{json}");
        }
        check(
            &folder,
            &["--class", "nothing"],
            3,
            &["not compiled: class not found in either revision", "1 is not compiled"],
        );
        check(&folder, &["--format", "markdown"], code, &[]);
        check(&folder, &["--base", "nowhere"], 2, &["unknown revision `nowhere`"]);
    }
}

#[test]
fn unknown_parts_are_grouped_by_cause() {
    let nodes: String = (1..=3).map(|it| format!("node 'n{it}' {{ include web }}\n")).collect();
    let includes = "include far::a\n  include far::b\n  far::c { 'x': }\n  include near";
    let class = |text: &str| format!("class web {{ {includes}\n  notify {{ 'x': message => '{text}' }} }}\n");
    let files = [
        ("environment.conf", ""),
        ("Puppetfile", "mod 'x-far', '1.0.0'\n"),
        ("manifests/site.pp", &nodes),
        ("modules/web/manifests/init.pp", &class("old")),
    ];
    let folder = repository("causes", &files);
    folder.write(&[
        ("modules/web/manifests/init.pp", &class("new")),
        ("manifests/site.pp", &format!("{nodes}node 'n4' {{ }}\nnode 'n5' {{ fail('why') }}\n")),
    ]);
    commit(&folder);
    folder.write(&[("modules/web/manifests/init.pp", &class("newer"))]);
    let out = check(&folder, OS, 1, &[]);
    expect![[r#"
        n1, n2, n3 on Debian 12
          ~ Notify[x]
          -     message => 'new'
          +     message => 'newer'

        Compared in part:
        open: class `far::a` not found, and 2 more of module `far`; in n1 on Debian 12 and 2 others
          help: run `r10k puppetfile install` to install the modules of the Puppetfile, or add its folder with `--modulepath`
        open: class `near` not found; in n1 on Debian 12 and 2 others
          help: install the module, or add its folder with `--modulepath`
          `--verbose` lists each part

        Not compared:
        fails before and after: why
            n5 on Debian 12

        3 of 5 catalogs differ (3 compared in part); 1 fails before and after; 1 is unchanged
    "#]]
    .assert_eq(&out);
    let out = check(&folder, &[OS, &["--verbose"]].concat(), 1, &[]);
    assert!(out.contains("open: type `far::c` not found; in n1 on Debian 12 and 2 others\n"), "{out}");
    let json = check(&folder, &[OS, &["--format", "json"]].concat(), 1, &[]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(json.as_array().expect("an array").iter().all(|it| it["version"] == 1), "{json}");
}

const CONTROL: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
    ("data/common.yaml", "a: 1\n"),
    ("manifests/site.pp", "node default { include web }\n"),
    ("modules/web/manifests/init.pp", "class web { notify { 'one': } }\n"),
];

const OS: &[&str] = &["--os", "debian12"];

#[test]
fn changed_puppetfile_modules_are_reported() {
    let folder = repository("puppetfile", CONTROL);
    folder.write(&[
        (".gitignore", "/modules/far\n"),
        ("Puppetfile", "mod 'x-far', '1.0.0'\n"),
        ("manifests/site.pp", "node default { include far }\n"),
        ("modules/far/manifests/init.pp", "class far { notify { 'new': } }\n"),
    ]);
    let kept = [("far/manifests/init.pp", "class far { notify { 'old': } }\n")];
    let kept = Folder::new("diff-kept", &kept);
    commit(&folder);
    check(&folder, OS, 0, &["no difference"]);
    folder.write(&[("Puppetfile", "mod 'x-far', '2.0.0'\n")]);
    check(
        &folder,
        OS,
        3,
        &["module `far` in the Puppetfile changed from 1.0.0 to 2.0.0", "--base-modulepath-dir"],
    );
    let arguments = ["--os", "debian12", "--base-modulepath-dir", &kept.0.to_string_lossy()];
    check(&folder, &arguments, 1, &["- Notify[old]", "+ Notify[new]"]);
    fs::remove_dir_all(folder.0.join("modules/far")).expect("exists");
    check(&folder, OS, 3, &["it is not installed", "open: class `far` not found"]);
}

#[test]
fn changed_encrypted_and_lfs_files_are_reported() {
    let folder = repository("eyaml", CONTROL);
    let secret = |letters: &str| format!("a: 1\nweb::secret: >\n    ENC[PKCS7,{letters}\n    AAAA]\n");
    folder.write(&[("data/common.yaml", &secret("MIIB"))]);
    commit(&folder);
    check(&folder, OS, 0, &[]);
    folder.write(&[("data/common.yaml", &secret("MIIC"))]);
    let out = check(&folder, OS, 3, &["encrypted value `web::secret` in `data/common.yaml` changed"]);
    assert!(!out.contains("MII"), "{out}");
    // Git LFS: the repository has a pointer, and the work tree the file.
    let site = "node default { notify { 'x': message => file('web/large') } }\n";
    let of = |sum: &str| format!("version https://git-lfs.github.com/spec/v1\noid sha256:{sum}\nsize 6\n");
    let sum = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    let folder = repository("lfs", CONTROL);
    folder.write(&[("manifests/site.pp", site), ("modules/web/files/large", &of(sum))]);
    commit(&folder);
    folder.write(&[("modules/web/files/large", "hello\n")]);
    check(&folder, OS, 0, &[]);
    folder.write(&[("modules/web/files/large", "other\n")]);
    check(
        &folder,
        OS,
        1,
        &["`modules/web/files/large` changed; its previous contents are stored by Git LFS"],
    );
}

#[test]
fn converted_line_endings_are_not_a_difference() {
    let site = "node default { notify { 'x': message => @(END) }\n  one\n  two\n  | END\n}\n";
    let folder = repository("crlf", CONTROL);
    folder.write(&[("manifests/site.pp", site)]);
    commit(&folder);
    folder.git(&["config", "core.autocrlf", "true"]);
    folder.write(&[("manifests/site.pp", &site.replace('\n', "\r\n"))]);
    check(&folder, OS, 0, &[]);
    folder.write(&[("manifests/site.pp", &site.replace("two", "three").replace('\n', "\r\n"))]);
    check(&folder, OS, 1, &["three"]);
}

#[test]
fn moved_and_new_files() {
    let folder = repository("moves", CONTROL);
    fs::rename(folder.0.join("manifests/site.pp"), folder.0.join("manifests/nodes.pp")).expect("exists");
    check(&folder, OS, 0, &[]);
    folder.write(&[
        ("modules/fresh/manifests/init.pp", "class fresh { }\n"),
        ("modules/fresh/metadata.json", METADATA),
    ]);
    check(
        &folder,
        &["--environment", "modules/fresh", "--class", "fresh"],
        1,
        &["+ new, with", "`modules/fresh` not found in `HEAD`"],
    );
    // A link to a module, before and after.
    fs::rename(folder.0.join("modules/web"), folder.0.join("available")).expect("exists");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../available", folder.0.join("modules/web")).expect("a link");
    check(&folder, OS, 0, &[]);
    commit(&folder);
    check(&folder, OS, 0, &[]);
    folder.write(&[("available/manifests/init.pp", "class web { notify { 'two': } }\n")]);
    check(&folder, OS, 1, &["- Notify[one]", "+ Notify[two]"]);
}

#[test]
fn submodules_worktrees_and_clones() {
    let module = repository("module", &[("manifests/init.pp", "class far { notify { 'old': } }\n")]);
    let folder = repository("super", CONTROL);
    let address = module.0.to_string_lossy().into_owned();
    let adding = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &address, "modules/far"];
    folder.git(&adding);
    folder.write(&[("manifests/site.pp", "node default { include far }\n")]);
    commit(&folder);
    check(&folder, OS, 0, &[]);
    check(&folder, &["--os", "debian12", "--base", "HEAD~1"], 1, &["+ Notify[old]"]);
    folder.write(&[("modules/far/manifests/init.pp", "class far { notify { 'new': } }\n")]);
    check(&folder, OS, 1, &["- Notify[old]", "+ Notify[new]"]);
    let inside = Command::new("git")
        .args(["checkout", "--quiet", "."])
        .current_dir(folder.0.join("modules/far"))
        .status();
    assert!(inside.expect("git runs").success());
    let other = Folder::new("diff-clones", &[]);
    fs::create_dir_all(&other.0).expect("a folder");
    let tree = other.0.join("tree");
    folder.git(&["worktree", "add", "--quiet", "--detach", &tree.to_string_lossy()]);
    let (code, out, err) = run(&tree, &["diff", "--os", "debian12"]);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(out.contains("submodule `modules/far` at") && out.contains("not checked out"), "{out}");
    let address = format!("file://{}", folder.0.display());
    other.git(&["clone", "--quiet", "--depth", "1", &address, "shallow"]);
    let (code, _, err) = run(&other.0.join("shallow"), &["diff", "--base", "HEAD~1"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("the clone is shallow"), "{err}");
    let (code, _, err) = run(&other.0, &["diff"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("is not in a Git repository"), "{err}");
}

/// Changes one file of a class that takes contents from its module.
#[test]
fn served_files() {
    let site = "node default { include p }\n";
    let one = "file { '/a': source => 'puppet:///modules/p/f' }";
    let folder = "file { '/d': source => 'puppet:///modules/p/d', recurse => true, ignore => '*.bak' }";
    let flat = "file { '/d': ensure => directory, source => 'puppet:///modules/p/d' }";
    let first = "file { '/s': source => ['puppet:///modules/p/none', 'puppet:///modules/p/f', 'puppet:///modules/p/d/x'] }";
    let all = "file { '/s': source => ['puppet:///modules/p/d', 'puppet:///modules/p/e'], sourceselect => all, recurse => remote }";
    for (number, (body, changed, code, text)) in [
        (one, "f", 1, "(content)"),
        (one, "d/x", 0, "no difference"),
        (folder, "d/x", 1, "(content of x)"),
        (folder, "d/sub/y", 1, "(content of sub/y)"),
        (folder, "d/z.bak", 0, "no difference"),
        (folder, "d/new", 1, "(content of new)"),
        (flat, "d/x", 0, "no difference"),
        (first, "f", 1, "(content)"),
        (first, "d/x", 0, "no difference"),
        (all, "e/y", 1, "(content of y)"),
        (all, "e/x", 0, "no difference"),
    ]
    .into_iter()
    .enumerate()
    {
        let class = format!("class p {{\n  {body}\n}}\n");
        let name = |below: &str| format!("modules/p/files/{below}");
        let mut files: Vec<(String, String)> = ["f", "d/x", "d/sub/y", "d/z.bak", "e/x", "e/y"]
            .iter()
            .map(|below| (name(below), format!("one {below}\n")))
            .collect();
        files.push(("modules/p/manifests/init.pp".to_owned(), class));
        files.push(("manifests/site.pp".to_owned(), site.to_owned()));
        files.push(("environment.conf".to_owned(), "modulepath = modules\n".to_owned()));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let folder = repository(&format!("served-{number}"), &files);
        fs::write(folder.0.join(name(changed)), "two\n").expect("a file");
        check(&folder, &["n1.example.com", "--os", "debian12"], code, &[text]);
    }
}

#[test]
fn json_has_the_location_of_each_difference() {
    let folder = repository("places", CONTROL);
    folder.write(&[(
        "modules/web/manifests/init.pp",
        "class web {\n  notify { 'one':\n    message => 'x',\n  }\n}\n",
    )]);
    let json = check(&folder, &[OS, &["--format", "json"]].concat(), 1, &[]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let file = "modules/web/manifests/init.pp";
    let parameter = serde_json::json!({
        "name": "message", "before": null, "after": "'x'",
        "file": file, "line": 3, "code": "    message => 'x',",
    });
    let expected = serde_json::json!([{
        "resource": "Notify[one]", "change": "changed", "parameters": [parameter],
        "file": file, "line": 2, "code": "  notify { 'one':",
        "base": { "file": file, "line": 1, "code": "class web { notify { 'one': } }" },
    }]);
    assert_eq!(json[0]["resources"], expected);
    // Removed resources have the location before the change.
    folder.write(&[("modules/web/manifests/init.pp", "class web { }\n")]);
    let json = check(&folder, &[OS, &["--format", "json"]].concat(), 1, &[]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let change = &json[0]["resources"][0];
    assert_eq!(
        (&change["change"], &change["file"], &change["line"]),
        (&"removed".into(), &file.into(), &1.into())
    );
}

#[test]
fn html_has_groups_and_failures() {
    let folder = repository("html", CONTROL);
    folder.write(&[(
        "manifests/site.pp",
        "node default { include web }\nnode 'b' { notify { '</script><b>': } }\nnode 'c' { fail('<i>') }\n",
    )]);
    let code = "class web { notify { 'one': message => Sensitive('tomato') } }\n";
    folder.write(&[("modules/web/manifests/init.pp", code)]);
    let html = check(&folder, &[OS, &["--format", "html"]].concat(), 1, &["<!DOCTYPE html>"]);
    let (_, data) = html.split_once("id=\"report\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("the end of the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["summary"], serde_json::json!({ "same": 0, "changed": 2, "failed": 1, "open": 0 }));
    let nodes: Vec<&str> =
        data["groups"].as_array().expect("groups").iter().filter_map(|it| it["nodes"][0].as_str()).collect();
    assert_eq!(nodes, ["default on Debian 12", "b on Debian 12"]);
    let failure = &data["failures"][0];
    let shown = ["node", "side", "status", "reason"].map(|key| failure[key].as_str().unwrap_or_default());
    assert_eq!(shown, ["c on Debian 12", "head", "failed", "<i>"]);
    assert!(!html.contains("tomato"));
}

#[test]
fn markdown_is_limited() {
    let folder = repository("limits", CONTROL);
    let resources = |count: usize| -> String {
        (0..count).map(|it| format!("  notify {{ 'resource {it}': message => 'text' }}\n")).collect()
    };
    let manifest = |count| format!("class web {{\n{}}}\n", resources(count));
    folder.write(&[("modules/web/manifests/init.pp", &manifest(20))]);
    let arguments = [OS, &["--format", "markdown"]].concat();
    let report = check(&folder, &arguments, 1, &["<details><summary>41 lines</summary>", "(21 resources)"]);
    assert!(report.contains("+ Notify[resource 9]"), "{report}");
    folder.write(&[("modules/web/manifests/init.pp", &manifest(2000))]);
    let report = check(&folder, &arguments, 1, &["… 3921 more lines", "(2001 resources)"]);
    assert!(report.lines().count() < 100, "{report}");
    let nodes: String =
        (0..40).map(|it| format!("node 'n{it}' {{ notify {{ 'x{it}': }} include web }}\n")).collect();
    folder.write(&[("manifests/site.pp", &nodes)]);
    commit(&folder);
    let nodes = nodes.replace("': }", "':\n message => 'new' }").replace("include web", &resources(9));
    folder.write(&[("manifests/site.pp", &nodes)]);
    let report = check(&folder, &arguments, 1, &["more differences left out of this comment"]);
    assert!(report.len() < 60_000 && report.lines().count() < 400, "{report}");
}

#[test]
fn changed_functions_are_executed() {
    let path = "modules/stdlib/lib/puppet/parser/functions/prefix.rb";
    let function = |body: &str| {
        format!(
            "module Puppet::Parser::Functions\n  newfunction(:prefix, :type => :rvalue) do |args|\n    enumerable = args[0]\n    {body}\n  end\nend\n"
        )
    };
    let before = function("enumerable.map { |it| \"#{args[1]}#{it}\" }");
    let web = ("modules/web/manifests/init.pp", "class web { notify { prefix(['a'], 'x'): } }\n");
    let folder = repository("functions", &[&CONTROL[..4], &[web, (path, &before)]].concat());
    for (body, code, text) in [
        ("enumerable.map { |it| \"#{args[1]}\" + it }", 0, "no difference"),
        ("enumerable.map { |it| \"#{args[1]}-#{it}\" }", 1, "Notify[x-a]"),
        ("[`hostname`]", 1, "changed Ruby function `prefix` is not executed"),
    ] {
        folder.write(&[(path, &function(body))]);
        check(&folder, OS, code, &[text]);
    }
    // The value of a statement is in no catalog.
    folder.write(&[("modules/web/manifests/init.pp", "class web { $x = prefix(['a'], 'x') }\n")]);
    folder.write(&[(path, &before)]);
    commit(&folder);
    folder.write(&[(path, &function("system('x') or fail('no')"))]);
    check(&folder, OS, 3, &["changed Ruby function `prefix` is not executed"]);
}

/// A change in any part of a function's file counts, and one of a library of its module, except for comments and
/// layout.
#[test]
fn all_code_of_changed_functions_counts() {
    let path = "modules/stdlib/lib/puppet/functions/to_yaml.rb";
    let library = "modules/stdlib/lib/puppet_x/stdlib/dumper.rb";
    let function = "# Converts.
require 'yaml'
require 'puppet/util'
require_relative '../../puppet_x/stdlib/dumper'
Puppet::Functions.create_function(:to_yaml) do
  dispatch :to_yaml do
    param 'Any', :data
    optional_param 'Hash', :options
  end

  def to_yaml(data, options = {})
    data.to_yaml(options.transform_keys(&:to_sym))
  end
end
";
    let dumper = "module Dumper\n  WIDTH = 80\nend\n";
    let web = ("modules/web/manifests/init.pp", "class web { notify { to_yaml('a'): } }\n");
    let folder =
        repository("function-file", &[&CONTROL[..4], &[web, (path, function), (library, dumper)]].concat());
    for (from, to, code) in [
        ("# Converts.\n", "#\n# Returns YAML.\n\n", 0),
        ("  def to_yaml", "    def to_yaml", 0),
        ("'yaml'", "'yamlx'", 3),
        ("'puppet/util'", "'puppet/utilx'", 3),
        ("stdlib/dumper", "stdlib/other", 3),
        ("  dispatch", "  def call(*)\n    'b'\n  end\n\n  dispatch", 3),
        ("require 'yaml'", "exit", 3),
    ] {
        folder.write(&[(path, &function.replace(from, to))]);
        let (found, out, err) = run(&folder.0, &[&["diff"], OS].concat());
        assert_eq!(found, Some(code), "{from:?} -> {to:?}\n{out}{err}");
    }
    folder.write(&[(path, function), (library, "# Width of lines.\nmodule Dumper\n  WIDTH = 80\nend\n")]);
    check(&folder, OS, 0, &["no difference"]);
    folder.write(&[(library, "raise 'no'\n")]);
    check(&folder, OS, 3, &["changed Ruby function `to_yaml` is not executed"]);
}

/// Values that are unknown before and after a change are not equal if something that they are computed from changed.
#[test]
fn unknown_values_depend_on_what_they_read() {
    let web = "class web {
  $port = lookup('web::port')
  file {
    '/text': content => \"${servername} ${file('web/text')}\";
    '/erb': content => template('web/a.erb');
    '/epp': content => epp('web/a.epp', { port => $port });
    '/data': content => \"${servername} ${port}\";
    '/source': source => \"puppet:///modules/web/${servername}\";
  }
}
";
    let files = [
        ("environment.conf", "modulepath = modules\n"),
        ("hiera.yaml", "version: 5\nhierarchy: [{ name: all, path: common.yaml }]\n"),
        ("data/common.yaml", "web::port: 80\nother: 1\n"),
        ("manifests/site.pp", "include web\n"),
        ("modules/web/manifests/init.pp", web),
        ("modules/web/files/text", "one\n"),
        ("modules/web/files/other", "one\n"),
        ("modules/web/templates/a.erb", "one <%= @servername %>\n"),
        ("modules/web/templates/a.epp", "one <%= $port %> <%= $servername %>\n"),
        ("modules/web/templates/other.erb", "one <%= @servername %>\n"),
    ];
    for (path, text, code) in [
        ("modules/web/files/text", "two\n", 3),
        ("modules/web/files/other", "two\n", 3),
        ("modules/web/templates/a.erb", "two <%= @servername %>\n", 3),
        ("modules/web/templates/a.epp", "two <%= $port %> <%= $servername %>\n", 3),
        ("modules/web/templates/other.erb", "two <%= @servername %>\n", 0),
        ("data/common.yaml", "web::port: 81\nother: 1\n", 3),
        ("data/common.yaml", "web::port: 80\nother: 2\n", 0),
    ] {
        let folder = repository("reads", &files);
        folder.write(&[(path, text)]);
        check(&folder, OS, code, &[if code == 0 { "no difference" } else { "is unknown before and after" }]);
    }
}

/// The resource may be any, or missing.
#[test]
fn references_to_unknown_resources_are_open() {
    const REFERENCE: &str = "title of a related, overridden, or realized `notify` is unknown";
    const RESOURCES: &str = "unknown resources or attributes";
    const TITLE: &str = "title of `Notify[<unknown>]` is unknown before and after";
    for (before, after, code, text) in [
        ("Notify[$which] -> Notify['b']", "Notify[$which] ~> Notify['b']", 1, REFERENCE),
        ("Notify['b'] <- Notify[$which]", "", 1, REFERENCE),
        ("Notify['b'] -> Notify[$which] -> Notify['a']", "Notify['b'] -> Notify[$which]", 1, REFERENCE),
        ("$servername -> Notify['b']", "", 3, RESOURCES),
        ("Notify[$which] { message => 'x' }", "Notify[$which] { message => 'y' }", 3, REFERENCE),
        ("realize(Notify[$which])", "", 3, REFERENCE),
        ("create_resources('notify', Hash($which.split(',')))", "", 3, RESOURCES),
        ("notify { 'd': * => Hash($which.split(',')) }", "notify { 'd': }", 3, RESOURCES),
        (r#"notify { "a ${which}": }"#, r#"notify { "b ${which}": }"#, 3, TITLE),
        (
            r#"$which.split(',').each |$it| { notify { "a ${it}": } }"#,
            r#"$which.split(',').each |$it| { notify { "b ${it}": } }"#,
            3,
            TITLE,
        ),
    ] {
        let program = |code: &str| {
            format!("$which = \"x${{servername}}\"\nnotify {{ ['a', 'b']: }}\n@notify {{ 'v': }}\n{code}\n")
        };
        check_edit("references", &[], "manifests/site.pp", [before, after].map(program), (code, text));
    }
}

/// The decision of an unknown condition may differ if the condition or the code that it decides about changed.
#[test]
fn unknown_decisions_are_open_unless_they_are_equal() {
    const DOES: &str = "what the code at `manifests/site.pp:3` does depends on unknown values";
    const DID: &str = "what the code at `manifests/site.pp:3` did before depends on unknown values";
    const NONE: &str = "no difference";
    for (before, after, code, text) in [
        ("if $fact == 1 { fail('x') }", "if $fact == 2 { fail('x') }", 3, DOES),
        ("if $fact == 1 { fail('x') }", "", 3, DID),
        ("", "if $fact == 1 { fail('x') }", 3, DOES),
        ("if $fact == 1 { notify { 'b': } }", "if $fact == 2 { notify { 'b': } }", 3, DOES),
        ("if $fact == 1 { notify { 'b': } }", "unless $fact == 1 { notify { 'b': } }", 3, DOES),
        ("if $fact == 1 { notify { 'b': } }", "if $fact == 1 { } else { notify { 'b': } }", 3, DOES),
        ("if $fact == 1 { notify { 'b': } }", "if $FACT == 1 { notify { 'b': } }", 3, DOES),
        ("if $fact == $y { notify { 'b': } }", "if $fact == $z { notify { 'b': } }", 3, DOES),
        ("$c = $fact == 1 if $c { notify { 'b': } }", "$c = $fact == 2 if $c { notify { 'b': } }", 3, DOES),
        (
            "case $fact { 1, 2: { include c } default: {} }",
            "case $fact { 1, 3: { include c } default: {} }",
            3,
            DOES,
        ),
        (
            "$s = $fact ? { 1 => include(c), default => 1 }",
            "$s = $fact ? { 2 => include(c), default => 1 }",
            3,
            DOES,
        ),
        ("$fact.each |$x| { notify { 'b': } }", "[$fact].flatten.each |$x| { notify { 'b': } }", 3, DOES),
        ("if $fact == 1 { Notify { message => 'x' } }", "", 3, DID),
        ("if $fact == 1 { realize(Notify['v']) }", "if $fact == 2 { realize(Notify['v']) }", 3, DOES),
        ("Notify<| title == 'v' and message == $fact |>", "Notify<| message == $fact |>", 3, DOES),
        (
            "if $fact == 1 { notify { 'b': message => 'x' } } else { notify { 'b': message => 'z' } }",
            "if $fact == 1 { notify { 'b': message => 'y' } } else { notify { 'b': message => 'z' } }",
            3,
            DOES,
        ),
        // Equal decisions, also when other code changes.
        ("if $fact == 1 { include c }\n# x", "if  $fact==1 {\ninclude c }\n$unused = 1", 0, NONE),
        ("$c = $fact == 1 if $c { include c }", "$c = $fact == 1 $unused = 1 if $c { include c }", 0, NONE),
        ("if $fact == $y { include c }", "if $fact == 'y' { include c }", 3, DOES),
        ("if $fact == 1 { info('x') }", "if $fact == 2 { info('y') }", 0, NONE),
        (
            "case $fact { 1: { include c } default: {} }",
            "case $fact { 1: { include c } default: {} } $u = 1",
            0,
            NONE,
        ),
    ] {
        let program = |code: &str| {
            let code = code.replace("$fact", "$facts['thing']").replace("$FACT", "$facts['other']");
            format!("$y = 'y' $z = 'z'\n@notify {{ 'v': }}\n{code}\nclass c {{ notify {{ 'in c': }} }}\n")
        };
        check_edit("decisions", &[], "manifests/site.pp", [before, after].map(program), (code, text));
    }
}

/// Classes are compiled by themselves, without the data and the classes that others may define.
#[test]
fn unknown_names_in_classes_are_open_unless_they_are_equal() {
    const DOES: &str = "what the code at `manifests/init.pp:2` does depends on unknown values";
    const DID: &str = "what the code at `manifests/init.pp:2` did before depends on unknown values";
    for (before, after, code, text) in [
        ("include($facts['a'])", "include($facts['b'])", 3, DOES),
        ("include($facts['a'])", "", 3, DID),
        ("contain lookup('p::x')", "contain lookup('p::y')", 3, DOES),
        ("hiera_include('p::x')", "hiera_include('p::y')", 3, DOES),
        ("class { lookup('p::x'): }", "", 3, DID),
        ("realize($facts['a'])", "realize($facts['b'])", 3, DOES),
        ("create_resources('file', lookup('p::x'))", "", 3, DID),
        ("file { '/a': * => lookup('p::x') }", "file { '/a': * => lookup('p::y') }", 3, DOES),
        ("File[lookup('p::x')] { mode => '0644' }", "File[lookup('p::x')] { mode => '0600' }", 3, DOES),
        ("File[lookup('p::x')] -> Notify['n']", "", 3, DID),
        ("Resource[lookup('p::x')] { 'a': }", "Resource[lookup('p::y')] { 'a': }", 3, DOES),
        ("$a = $facts['a'] include($a)", "$a = $facts['b'] include($a)", 3, DOES),
        (
            "assert_type(Integer, $facts['a'])",
            "assert_type(String, $facts['a'])",
            3,
            "`small` fails for some",
        ),
        ("assert_type(Integer, $facts['a'])", "", 3, "before the change, `small` fails for some"),
        (
            "@file { '/a': tag => $facts['a'] } File<| tag == 't' |>",
            "@file { '/a': tag => $facts['a'] } File<| tag == 'u' |>",
            3,
            DOES,
        ),
        (
            "tag($facts['a']) @file { '/a': } File<| tag == 't' |>",
            "tag($facts['b']) @file { '/a': } File<| tag == 't' |>",
            3,
            DOES,
        ),
        (
            "if $facts['a'] { return() } tag('t') if tagged('t') { fail('') }",
            "if $facts['a'] { return() } tag('t')",
            3,
            DID,
        ),
        (
            "if $facts['a'] { tag('t') } @file { '/a': } File<| tag == 't' |> { mode => '1' }",
            "if $facts['a'] { tag('u') } @file { '/a': } File<| tag == 't' |> { mode => '1' }",
            3,
            DOES,
        ),
        ("if $facts['a'] { tag('t') } if tagged('t') { fail('') }", "if $facts['a'] { tag('t') }", 3, DID),
        ("include($facts['a'])", "include($facts['a']) $unused = 1", 0, "no difference"),
        ("assert_type(Integer, $facts['a'])", "assert_type(Integer, $facts['a']) $b = 1", 0, "no difference"),
    ] {
        let program = |code: &str| class(&format!("{code}\n  notify {{ 'n': }}"));
        let files = [("metadata.json", METADATA)];
        check_edit("unknown-names", &files, "manifests/init.pp", [before, after].map(program), (code, text));
    }
}

/// Code after a jump that may have been made is not certain to run.
#[test]
fn code_after_an_unknown_jump_may_not_run() {
    let class = |code: &str| format!("class a {{\n{code}\nnotify {{ 'x': }}\n}}\ninclude a\n");
    let folder =
        repository("jumps", &[("manifests/site.pp", &class("if $facts['thing'] == 1 { return() }"))]);
    folder.write(&[("manifests/site.pp", &class(""))]);
    check(&folder, OS, 1, &["~ Notify[x]", "(certain) => false", "(certain) => true"]);
    folder.write(&[("manifests/site.pp", &class("if $facts['thing'] == 2 { return() }"))]);
    check(&folder, OS, 3, &["what the code at `manifests/site.pp:2` does depends on unknown values"]);
}

/// Ruby code that is not evaluated may read any file.
#[test]
fn unknown_results_of_ruby_depend_on_all_files() {
    let function = "Puppet::Functions.create_function(:'web::contents') do
  dispatch :contents do
    param 'String', :name
    return_type 'String'
  end
  def contents(name)
    Dir.chdir(File.join(__dir__, '../../../..')) { IO.popen(['cat', name]).read }
  end
end
";
    let web = "class web {\n  file { '/a': content => web::contents('files/text') }\n}\n";
    let template = "class web {\n  file { '/a': content => template('web/a.erb') }\n}\n";
    for (name, web) in [("function", web), ("template", template)] {
        let folder = repository(
            &format!("ruby-{name}"),
            &[
                ("environment.conf", "modulepath = modules\n"),
                ("manifests/site.pp", "include web\n"),
                ("modules/web/manifests/init.pp", web),
                ("modules/web/lib/puppet/functions/web/contents.rb", function),
                ("modules/web/templates/a.erb", "<%= IO.popen(['cat', '/web/files/text']).read %>\n"),
                ("modules/web/files/text", "one\n"),
                ("modules/web/README.md", "one\n"),
            ],
        );
        folder.write(&[("modules/web/README.md", "two\n")]);
        check(&folder, OS, 0, &["no difference"]);
        folder.write(&[("modules/web/files/text", "two\n")]);
        check(&folder, OS, 3, &["`content` of `File[/a]` is unknown before and after"]);
    }
}

/// Without a main manifest, the catalogs of a node would be empty on both sides.
#[test]
fn nodes_need_code() {
    let module = ("modules/small/manifests/init.pp", "class small { notify { 'x': } }\n");
    let folder = repository("no-main-manifest", &[module]);
    folder.write(&[(module.0, "class small { notify { 'y': } }\n")]);
    for arguments in [&["n1"][..], &["n1", "--os", "debian12"], &["n1", "n2"]] {
        check(&folder, arguments, 2, &["no main manifest found"]);
    }
    check(&folder, &["--class", "small", "--os", "debian12"], 1, &["Notify[y]"]);
    folder.write(&[("enc.yaml", "classes: [small]\n")]);
    check(&folder, &["n1", "--os", "debian12", "--enc", "enc.yaml"], 1, &["Notify[y]"]);
    folder.write(&[("manifests/site.pp", "include small\n")]);
    check(&folder, &["n1", "--os", "debian12"], 1, &["Notify[y]"]);
}
