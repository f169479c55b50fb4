//! Tests of what `diff` replaces before or after the change: facts, trusted data, classification, modules, and Hiera.

use std::fs;

use serde_json::Value as Json;

use crate::folders::{Folder, run};

/// Code whose only resource shows what the options replace.
const CODE: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    (
        "manifests/site.pp",
        "class shown(Any $x = 'none', Any $y = 'none') {}\nclass other::deep(Any $z = 'none') {}\nnode default { notify { 'seen':\n  message => String([$facts['a'], $facts['b'], $facts['os'], $trusted['extensions'], getvar('role'), getvar('deep')], '%p'),\n} }\n",
    ),
];

const FACTS: &str = r#"{ "name": "n1", "values": { "a": 1, "b": "old", "ab.c": "dotted", "os": { "family": "Debian" }, "role": "fact" } }"#;

/// Creates a repository with one commit, and a folder with the facts of a node.
fn repository(test: &str, files: &[(&str, &str)]) -> (Folder, Folder) {
    let folder = Folder::new(&format!("sides-{test}"), files);
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "step"]);
    (folder, Folder::new(&format!("sides-facts-{test}"), &[("n1.json", FACTS)]))
}

/// Returns the values of a parameter on both sides, of a single node and of a fleet, which must agree.
#[track_caller]
fn values(folder: &Folder, facts: &Folder, resource: &str, options: &[&str]) -> (String, String) {
    let (nodes, file) = (facts.0.to_str().expect("UTF-8"), facts.0.join("n1.json"));
    let file = file.to_str().expect("UTF-8");
    let of_fleet = [&["diff", "--nodes", nodes, "--format", "json"], options].concat();
    let of_node = [&["diff", "--facts", file, "n1", "--format", "json"], options].concat();
    let found = [of_fleet, of_node].map(|arguments| {
        let (code, out, err) = run(&folder.0, &arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {out}{err}");
        let json: Json = serde_json::from_str(&out).expect("JSON");
        let changes = match json.as_array() {
            Some(nodes) => nodes[0]["resources"].clone(),
            None => json["groups"][0]["changes"].clone(),
        };
        let changes = changes.as_array().cloned().unwrap_or_default();
        let change = changes.iter().find(|it| it["resource"] == resource);
        let change = change.unwrap_or_else(|| panic!("{arguments:?}: {out}"));
        let value =
            |side: &str| change["parameters"][0][side].as_str().unwrap_or_default().replace("\\'", "'");
        (value("before"), value("after"))
    });
    assert_eq!(found[0], found[1], "{options:?}: a fleet and a node differ");
    found.into_iter().next().expect("two results")
}

/// Options, and the part of the value before and after the change that they affect.
type ReplacedCase = (&'static [&'static str], &'static str, &'static str);

const REPLACED: &[ReplacedCase] = &[
    (&["--base-fact", "a=2"], "[2, ", "[1, "),
    (&["--head-fact", "a=2"], "[1, ", "[2, "),
    (&["--head-fact", "a=(string)2"], "[1, ", "['2', "),
    (&["--head-fact", "a=(fixnum)-2"], "[1, ", "[-2, "),
    (&["--head-fact", "a=+2"], "[1, ", "['+2', "),
    (&["--head-fact", "a=2.5"], "[1, ", "[2.5, "),
    (&["--head-fact", "a=(FLOAT)2"], "[1, ", "[2.0, "),
    (&["--head-fact", "a=.5"], "[1, ", "[0.5, "),
    (&["--head-fact", "a=10.0.0.1"], "[1, ", "['10.0.0.1', "),
    (&["--head-fact", "a=TRUE"], "[1, ", "[true, "),
    (&["--head-fact", "a=(boolean)False"], "[1, ", "[false, "),
    (&["--head-fact", "a=(json)[1, {\"x\": null}]"], "[1, ", "[[1, {'x' => undef}], "),
    (&["--head-fact", "a=(nil)ignored"], "[1, ", "[undef, "),
    (&["--head-fact", "a=(no type) x"], "[1, ", "['(no type) x', "),
    (&["--head-fact", " a = x=y "], "[1, ", "['x=y', "),
    (&["--head-fact", "os.family=RedHat"], "'Debian'", "'RedHat'"),
    (&["--head-fact", "/^[ab]$/=(nil)"], "[1, 'old', ", "[undef, undef, "),
    (&["--head-fact", "/^zzz/=1", "--head-fact", "b=new"], "'old'", "'new'"),
    (&["--from-fact-override", "b=x", "--to-fact-override", "b=y"], "'x'", "'y'"),
    (&["--fact-override", "a=7", "--head-fact", "b=y"], "[7, 'old'", "[7, 'y'"),
    (&["--head-trusted", "pp_role=web"], "{}", "{'pp_role' => 'web'}"),
    (
        &["--trusted", "pp_role=db", "--base-trusted", "pp_zone=x"],
        "{'pp_role' => 'db', 'pp_zone' => 'x'}",
        "{'pp_role' => 'db'}, ",
    ),
    (&["--head-enc-override", "parameters::deep::er=x"], "undef]", "{'er' => 'x'}]"),
    (
        &["--enc-override", "parameters::deep=1", "--to-enc-override", "parameters::deep=(json)[2]"],
        "1]",
        "[2]]",
    ),
];

#[test]
fn facts_trusted_data_and_parameters_are_replaced() {
    let (folder, facts) = repository("replaced", CODE);
    for (options, before, after) in REPLACED {
        let (was, is) = values(&folder, &facts, "Notify[seen]", options);
        assert!(was.contains(before), "{options:?} before: {was}");
        assert!(is.contains(after), "{options:?} after: {is}");
    }
}

#[test]
fn names_of_facts_may_contain_dots() {
    let code = "node default { notify { 'seen': message => $facts['ab.c'] } }\n";
    let (folder, facts) = repository("dots", &[("manifests/site.pp", code)]);
    let found = values(&folder, &facts, "Notify[seen]", &["--head-fact", "ab.c=new"]);
    assert_eq!(found, ("'dotted'".to_owned(), "'new'".to_owned()));
}

/// Options with the parameters of classes that they set after the change.
const CLASSES: &[(&[&str], &str, &str)] = &[
    (&["--head-enc-override", "classes::shown=(json){}"], "Class[Shown]", ""),
    (&["--head-enc-override", "classes::shown::x=1"], "Class[Shown]", "1"),
    (&["--head-enc-override", "classes::other::deep::z=1"], "Class[Other::Deep]", "1"),
    (&["--head-enc-override", "classes::other::deep=(json){\"z\": 2}"], "Class[Other::Deep]", "2"),
];

#[test]
fn classes_are_added() {
    let (folder, facts) = repository("classes", CODE);
    for (options, class, value) in CLASSES {
        let nodes = facts.0.to_str().expect("UTF-8");
        let (code, out, err) =
            run(&folder.0, &[&["diff", "--nodes", nodes, "--format", "json"], *options].concat());
        assert_eq!(code, Some(1), "{options:?}: {out}{err}");
        let json: Json = serde_json::from_str(&out).expect("JSON");
        let changes = json["groups"][0]["changes"].as_array().cloned().unwrap_or_default();
        let change = changes.iter().find(|it| it["resource"] == *class).unwrap_or(&Json::Null);
        assert_eq!(change["change"], "added", "{options:?}: {out}");
        let parameters = change["parameters"].as_array().cloned().unwrap_or_default();
        assert!(value.is_empty() || parameters.iter().any(|it| it["after"] == *value), "{options:?}: {out}");
    }
}

#[test]
fn each_side_has_its_own_classifier() {
    let (folder, facts) = repository("classifier", CODE);
    let enc = Folder::new(
        "sides-enc",
        &[
            ("old.yaml", "parameters: { role: old }\n"),
            ("new.yaml", "classes: { shown: { x: 1 } }\nparameters: { role: new }\n"),
            ("old/n1.yaml", "parameters: { role: old }\n"),
            ("new/n1.yaml", "classes: [shown]\nparameters: { role: new }\n"),
        ],
    );
    let path = |name: &str| enc.0.join(name).to_str().expect("UTF-8").to_owned();
    let (old, new) = (path("old.yaml"), path("new.yaml"));
    let expect = |options: &[&str], was: &str, is: &str| {
        let found = values(&folder, &facts, "Notify[seen]", options);
        assert!(found.0.contains(was) && found.1.contains(is), "{options:?}: {found:?}");
    };
    expect(&["--base-enc", &old, "--head-enc", &new], "'old'", "'new'");
    expect(&["--enc", &old, "--head-enc", &new], "'old'", "'new'");
    expect(&["--enc", &old, "--head-enc-override", "parameters::role=(nil)"], "'old'", "'fact'");
    let nodes = facts.0.to_str().expect("UTF-8");
    let fleet = |options: &[&str], code: i32| {
        let all = [&["diff", "--nodes", nodes, "--format", "json"], options].concat();
        let (found, out, err) = run(&folder.0, &all);
        assert_eq!(found, Some(code), "{options:?}: {out}{err}");
        format!("{out}{err}")
    };
    let (old, new) = (path("old"), path("new"));
    let out = fleet(&["--base-enc-dir", &old, "--head-enc-dir", &new], 1);
    let has_both = out.contains("old\\\\'") && out.contains("new\\\\'");
    assert!(has_both && out.contains("Class[Shown]"), "{out}");
    // The classifier of one side has nothing about the node.
    let out = fleet(&["--enc-dir", &old, "--head-enc-dir", enc.0.to_str().expect("UTF-8")], 3);
    assert!(
        out.contains("\"side\":\"head\",\"status\":\"open\",\"reason\":\"no output of the node classifier\""),
        "{out}"
    );
    for (options, message) in [
        (&["--head-enc-override", "role=x"][..], "expected `parameters::NAME`"),
        (&["--head-enc-override", "parameters=x"], "invalid name"),
        (&["--head-enc-override", "classes::a::=x"], "invalid name"),
        (&["--head-enc-override", "environment=(json)[]"], "must be a string"),
        (&["--head-enc-override", "classes::shown=x"], "needs a hash of parameters"),
        (
            &["--enc-override", "parameters::a=x", "--base-enc-override", "parameters::a::b=x"],
            "is not a hash",
        ),
        (&["--head-fact", "a=(integer)1.5"], "is not of the type `integer`"),
        (&["--head-fact", "a=(float)inf"], "is not of the type `float`"),
        (&["--head-fact", "a=(regex)x"], "unknown type `regex`"),
        (&["--head-fact", "/[/=x"], "invalid regular expression"),
        (&["--head-fact", "a..b=x"], "the name of the fact is empty"),
        (&["--base-modulepath", "nowhere"], "folder `nowhere` not found"),
        (&["--head-modulepath", "nowhere"], "folder `nowhere` not found"),
        (&["--head-hiera-config", "nowhere"], "nowhere"),
    ] {
        let out = fleet(options, 2);
        assert!(out.contains(message), "{options:?}: {out}");
    }
    let (code, _, err) = run(&folder.0, &["diff", "--head-fact", "a=1", "--class", "shown"]);
    assert_eq!(code, Some(0), "platforms have facts: {err}");
}

/// Programs with the exit code of `diff`, and a part of the output.
#[cfg(unix)]
const PROGRAMS: &[(&str, i32, &str)] = &[
    ("echo \"parameters: { role: $1-${1} }\"", 0, "\"same\":1"),
    ("echo 'classes: [shown]'", 0, "\"same\":1"),
    ("true", 3, "no output of the node classifier"),
    ("echo; echo oops >&2; echo more >&2; exit 3", 3, "the node classifier fails (exit status: 3): oops"),
    ("kill -9 $$", 3, "the node classifier fails (signal: 9"),
    ("echo '['", 3, "invalid output of the node classifier"),
    ("echo 'classes: 1'", 3, "`classes` must be an array or a hash"),
    ("printf '\\377'", 3, "not UTF-8"),
    ("cat", 3, "no output of the node classifier"),
    ("yes | head -c 20000000", 3, "exceeds"),
    ("head -c 1000000 /dev/zero >&2; echo 'classes: []'", 0, "\"same\":1"),
];

#[cfg(unix)]
#[test]
fn programs_of_the_user_classify_nodes() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, facts) = repository("program", CODE);
    let nodes = facts.0.to_str().expect("UTF-8").to_owned();
    let programs = Folder::new("sides-program", &[]);
    let path = programs.0.join("enc").to_str().expect("UTF-8").to_owned();
    let write = |body: &str| {
        programs.write(&[("enc", &format!("#!/bin/sh\necho \"$1\" >> '{path}.log'\n{body}\n"))]);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    };
    let diff = |options: &[&str], code: i32| {
        let all = [&["diff", "--nodes", &nodes, "--format", "json"], options].concat();
        let (found, out, err) = run(&folder.0, &all);
        assert_eq!(found, Some(code), "{options:?}: {out}{err}");
        out + &err
    };
    for (body, code, text) in PROGRAMS {
        write(body);
        let out = diff(&["--enc-command", &path], *code);
        assert!(out.contains(text), "{body}: {out}");
    }
    write("echo 'parameters: { role: of-program }'");
    let out = diff(&["--head-enc-command", &path, "--head-enc-override", "parameters::deep=1"], 1);
    assert!(out.contains("of-program\\\\', 1]"), "{out}");
    // Both sides share the output.
    fs::remove_file(format!("{path}.log")).expect("a log");
    facts.write(&[
        ("n2.json", r#"{ "name": "n2", "values": { "a": 2 } }"#),
        ("x.json", r#"{ "name": "-x", "values": { "a": 2 } }"#),
    ]);
    let out = diff(&["--enc-command", &path], 3);
    assert!(out.contains("the node classifier is not run for this node name"), "{out}");
    let log = fs::read_to_string(format!("{path}.log")).expect("a log");
    let mut runs: Vec<&str> = log.lines().collect();
    runs.sort_unstable();
    assert_eq!(runs, ["n1", "n2"]);
    // Outputs may have changed since the last run.
    let results = programs.0.join("results").to_str().expect("UTF-8").to_owned();
    let shard = ["--enc-command", &path, "--shard", "1/1", "--output", &results];
    assert!(!diff(&shard, 0).contains("already has these results"));
    assert!(!diff(&shard, 0).contains("already has these results"));
    let out = diff(&["--enc-command", "/nonexistent/enc"], 2);
    assert!(out.contains("cannot run the node classifier"), "{out}");
}

/// A module with a manifest, a template, a file, and a function in Ruby.
fn module(root: &str, text: &str) -> Vec<(String, String)> {
    let file = |path: &str, text: String| (format!("{root}/m/{path}"), text);
    vec![
        file("manifests/init.pp", "class m { file { '/m': content => template('m/t.erb') }\n  file { '/s': source => 'puppet:///modules/m/f' }\n  notify { 'f': message => m::f() } }\n".to_owned()),
        file("templates/t.erb", format!("{text}\n")),
        file("files/f", format!("{text}\n")),
        file("lib/puppet/functions/m/f.rb", format!("Puppet::Functions.create_function(:'m::f') do\n  def f\n    '{text}'\n  end\nend\n")),
    ]
}

#[test]
fn each_side_has_its_own_modules() {
    let site = ("manifests/site.pp".to_owned(), "node default { include m }\n".to_owned());
    let files = [vec![site], module("vendor/old", "one")].concat();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (folder, facts) = repository("modules", &files);
    let elsewhere = Folder::new("sides-elsewhere", &[]);
    let other = module("new", "two");
    let other: Vec<(&str, &str)> = other.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    elsewhere.write(&other);
    let new = elsewhere.0.join("new").to_str().expect("UTF-8").to_owned();
    let nodes = facts.0.to_str().expect("UTF-8").to_owned();
    let diff = |options: &[&str], code: i32| {
        let all = [&["diff", "--nodes", &nodes, "--format", "json"], options].concat();
        let (found, out, err) = run(&folder.0, &all);
        assert_eq!(found, Some(code), "{options:?}: {out}{err}");
        out
    };
    let both = ["--base-modulepath", "vendor/old", "--head-modulepath", &new];
    let out = diff(&both, 1);
    for resource in ["File[/m]", "File[/s]", "Notify[f]"] {
        assert!(out.contains(resource), "{resource}: {out}");
    }
    assert!(out.contains("'one'") && out.contains("'two'"), "{out}");
    diff(&["--base-modulepath", &new, "--head-modulepath", &new], 0);
    diff(&["--modulepath", &new, "--environment", "."], 0);
    // The folder only exists in the revision.
    fs::rename(folder.0.join("vendor/old"), folder.0.join("vendor/new")).expect("a folder");
    diff(&["--base-modulepath", "vendor/old", "--head-modulepath", "vendor/new"], 0);
    folder.write(&[("vendor/new/m/templates/t.erb", "three\n")]);
    let out = diff(&["--base-modulepath", "vendor/old", "--head-modulepath", "vendor/new"], 1);
    assert!(out.contains("File[/m]") && !out.contains("Notify[f]"), "{out}");
    // Git does not know the folder.
    let untracked = module("installed", "one");
    let untracked: Vec<(&str, &str)> =
        untracked.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    folder.write(&untracked);
    diff(&["--base-modulepath", "installed", "--head-modulepath", "installed"], 0);
    let out = diff(&["--base-modulepath", "installed", "--head-modulepath", &new], 1);
    assert!(out.contains("Notify[f]"), "{out}");
}

#[test]
fn results_are_of_the_modules_and_data_of_both_sides() {
    let code = "node default { notify { lookup('key'): } include m }\n";
    let (folder, facts) = repository("resumed", &[("manifests/site.pp", code)]);
    let elsewhere = Folder::new(
        "sides-resumed",
        &[
            ("old/m/manifests/init.pp", "class m { notify { 'one': } }\n"),
            ("new/m/manifests/init.pp", "class m { notify { 'two': } }\n"),
            ("a/hiera.yaml", "version: 5\nhierarchy: [{ name: a, path: a.yaml }]\n"),
            ("b/hiera.yaml", "version: 5\nhierarchy: [{ name: b, path: b.yaml }]\n"),
            ("a/data/a.yaml", "key: from-a\n"),
            ("b/data/b.yaml", "key: from-b\n"),
        ],
    );
    let path = |name: &str| elsewhere.0.join(name).to_str().expect("UTF-8").to_owned();
    let (old, new, a, b) = (path("old"), path("new"), path("a/hiera.yaml"), path("b/hiera.yaml"));
    let results = path("results");
    let run_shard = || {
        let nodes = facts.0.to_str().expect("UTF-8");
        let arguments = ["diff", "--nodes", nodes, "--shard", "1/1", "--output", &results];
        let sides = ["--base-modulepath", &old, "--head-modulepath", &new];
        let hiera = ["--from-hiera-config", &a, "--to-hiera-config", &b];
        let (code, _, err) = run(&folder.0, &[&arguments[..], &sides, &hiera].concat());
        assert_eq!(code, Some(0), "{err}");
        let (_, out, _) = run(&folder.0, &["diff", "merge", "--format", "json", &results]);
        (err.contains("already has these results"), out)
    };
    let (_, out) = run_shard();
    for reference in ["Notify[one]", "Notify[two]", "Notify[from-a]", "Notify[from-b]"] {
        assert!(out.contains(reference), "{reference}: {out}");
    }
    assert!(run_shard().0);
    for (file, text) in [
        ("old/m/manifests/init.pp", "class m { notify { 'three': } }\n"),
        ("new/m/manifests/init.pp", "class m { notify { 'four': } }\n"),
        ("a/data/a.yaml", "key: from-c\n"),
        ("b/data/b.yaml", "key: from-d\n"),
    ] {
        elsewhere.write(&[(file, text)]);
        assert!(!run_shard().0, "{file}");
    }
    let (is_known, out) = run_shard();
    assert!(is_known && out.contains("Notify[from-c]") && out.contains("Notify[four]"), "{out}");
}
