//! Tests of `hiera`.

use expect_test::expect;
use serde_json::Value as Json;

use crate::folders::{Folder, run};

const HIERARCHY: &str = r#"version: 5
hierarchy:
  - name: Node
    path: "nodes/%{trusted.certname}.yaml"
  - name: Roles
    mapped_paths: [facts.roles, role, "role/%{role}.yaml"]
  - name: Family
    path: "os/%{facts.os.family}.yaml"
  - name: Common
    glob: "common*.yaml"
"#;

const NODE: &str = r#"plain: node
uniq: [a, b, [c]]
hashed: {a: 1, b: {x: 1}}
deeped: {a: {x: 1, l: [3, 1]}, k: node}
knock: {list: ["--two", four], h: {a: 1}}
alias_me: "%{alias('hashed')}"
converted: "12"
dotted.key: dot
"#;

const COMMON: &str = r#"lookup_options:
  uniq: {merge: unique}
  hashed: {merge: hash}
  deeped: {merge: deep}
  knock: {merge: {strategy: deep, knockout_prefix: "--"}}
  "^conv": {convert_to: Integer}
  secret: {convert_to: Sensitive}
plain: common
uniq: [e]
hashed: {d: 4}
deeped: {a: {z: 3, l: [1]}, k: common}
knock: {list: [one, two]}
secret: sesame
db::password: ENC[PKCS7,x]
merged: &a {q: 1}
again: {<<: *a, r: 2}
"#;

/// A repository in which all kinds of levels and merges occur.
const FILES: &[(&str, &str)] = &[
    ("manifests/site.pp", "\n"),
    ("hiera.yaml", HIERARCHY),
    ("data/nodes/web1.yaml", NODE),
    (
        "data/role/web.yaml",
        "plain: web\nuniq: [web]\ninterpolated: \"%{lookup('uniq.0')}-%{facts.os.family}\"\n",
    ),
    ("data/role/db.yaml", "uniq: db\nonly_db: 1\n"),
    ("data/os/Debian.yaml", "plain: debian\nhashed: {b: {y: 2}, c: 3}\n"),
    ("data/os/RedHat.yaml", "only_redhat: 1\n"),
    ("data/common.yaml", COMMON),
    ("data/common2.yaml", "plain: common2\nntp::servers: [environment]\n"),
    (
        "modules/ntp/hiera.yaml",
        "version: 5\nhierarchy: [{name: Own, path: own.yaml}]\ndefault_hierarchy: [{name: Last, path: last.yaml}]\n",
    ),
    ("modules/ntp/data/own.yaml", "ntp::servers: [module]\nother: ignored\n"),
    ("modules/ntp/data/last.yaml", "ntp::servers: [never]\nntp::fallback: 5\n"),
    ("modules/ntp/manifests/init.pp", "class ntp($servers) { }\n"),
    (
        "facts/web1.json",
        r#"{"name": "web1", "values": {"os": {"family": "Debian"}, "roles": ["web", "db"]}}"#,
    ),
    ("facts/web2.json", r#"{"name": "web2", "values": {"os": {"family": "RedHat"}}}"#),
];

#[test]
fn keys_are_explained() {
    let folder = Folder::new("hiera-explain", FILES);
    let (code, out, err) = run(&folder.0, &["hiera", "explain", "web1", "--facts", "facts"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    expect![[r#"
        again: {'q' => 1, 'r' => 2}
          from data/common.yaml:16 (Common)
        alias_me: {'d' => 4, 'b' => {'x' => 1}, 'c' => 3, 'a' => 1}
          from data/nodes/web1.yaml:6 (Node)
        converted: 12
          from data/nodes/web1.yaml:7 (Node)
          converted according to lookup_options
        db::password: 'ENC[…]'
          from data/common.yaml:14 (Common)
        deeped: {'a' => {'z' => 3, 'l' => [1, 3], 'x' => 1}, 'k' => 'node'}
          from data/nodes/web1.yaml:4 (Node)
          from data/common.yaml:11 (Common)
          merged by `deep`
        'dotted.key': 'dot'
          from data/nodes/web1.yaml:8 (Node)
        hashed: {'d' => 4, 'b' => {'x' => 1}, 'c' => 3, 'a' => 1}
          from data/nodes/web1.yaml:3 (Node)
          from data/os/Debian.yaml:2 (Family)
          from data/common.yaml:10 (Common)
          merged by `hash`
        interpolated: 'a-Debian'
          from data/role/web.yaml:3 (Roles)
        knock: {'list' => ['one', 'four'], 'h' => {'a' => 1}}
          from data/nodes/web1.yaml:5 (Node)
          from data/common.yaml:12 (Common)
          merged by `deep`
        merged: {'q' => 1}
          from data/common.yaml:15 (Common)
        ntp::fallback: 5
          from modules/ntp/data/last.yaml:2 (module ntp, Last)
        ntp::servers: ['environment']
          from data/common2.yaml:2 (Common)
          overrides modules/ntp/data/own.yaml:1 (module ntp, Own)
          overrides modules/ntp/data/last.yaml:1 (module ntp, Last)
        only_db: 1
          from data/role/db.yaml:2 (Roles)
        plain: 'node'
          from data/nodes/web1.yaml:1 (Node)
          overrides data/role/web.yaml:1 (Roles)
          overrides data/os/Debian.yaml:1 (Family)
          overrides data/common.yaml:8 (Common)
          overrides data/common2.yaml:1 (Common)
        secret: #<Sensitive [value redacted]>
          from data/common.yaml:13 (Common)
          converted according to lookup_options
        uniq: ['a', 'b', 'c', 'web', 'db', 'e']
          from data/nodes/web1.yaml:2 (Node)
          from data/role/web.yaml:2 (Roles)
          from data/role/db.yaml:1 (Roles)
          from data/common.yaml:9 (Common)
          merged by `unique`
    "#]]
    .assert_eq(&out);
    let (code, out, _) =
        run(&folder.0, &["hiera", "explain", "web2", "--nodes", "facts", "*red*", "nt*s", "no"]);
    assert_eq!(code, Some(0), "{out}");
    expect![[r#"
        ntp::servers: ['environment']
          from data/common2.yaml:2 (Common)
          overrides modules/ntp/data/own.yaml:1 (module ntp, Own)
          overrides modules/ntp/data/last.yaml:1 (module ntp, Last)
        only_redhat: 1
          from data/os/RedHat.yaml:1 (Family)
    "#]]
    .assert_eq(&out);
}

#[test]
fn explained_values_are_those_of_lookups() {
    let folder = Folder::new("hiera-lookups", FILES);
    for (node, count) in [("web1", 16), ("web2", 12)] {
        let json = |arguments: &[&str]| -> Json {
            let rest = ["--facts", "facts", "--format", "json"];
            let (_, out, err) = run(&folder.0, &[arguments, &rest].concat());
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
        };
        let explained = json(&["hiera", "explain", node]);
        let keys = explained["keys"].as_array().expect("a list");
        assert_eq!(keys.len(), count, "{explained}");
        for explained in keys {
            let key = explained["key"].as_str().expect("a name");
            let found = json(&["lookup", "--node", node, key]);
            for part in ["key", "found", "value", "merge", "open"] {
                // The order of the keys of hashes counts.
                assert_eq!(explained[part].to_string(), found[part].to_string(), "{part} of {key}");
            }
            let steps = found["steps"].as_array().expect("a list");
            let origins: Vec<String> =
                steps.iter().filter(|it| it["outcome"] == "found").map(place).collect();
            let listed: Vec<String> =
                explained["origins"].as_array().expect("a list").iter().map(place).collect();
            assert_eq!(listed, origins, "{key}");
        }
    }
}

fn place(step: &Json) -> String {
    format!("{} {} {} {}", step["layer"], step["level"], step["path"], step["line"])
}

#[test]
fn unknown_levels_are_open() {
    let folder = Folder::new("hiera-open", FILES);
    let (code, out, _) =
        run(&folder.0, &["hiera", "explain", "web1", "plain", "uniq", "dotted.key", "only_*"]);
    assert_eq!(code, Some(3), "{out}");
    expect![[r#"
        'dotted.key': unknown
          from data/nodes/web1.yaml:8 (Node)
          open: `lookup_options` depend on levels with unknown contents
        only_db: unknown
          open: level `Roles` (role/%{role}.yaml) depends on unknown values
          open: level `Family` (os/%{facts.os.family}.yaml) depends on unknown values
          open: `lookup_options` depend on levels with unknown contents
        only_redhat: unknown
          open: level `Roles` (role/%{role}.yaml) depends on unknown values
          open: level `Family` (os/%{facts.os.family}.yaml) depends on unknown values
          open: `lookup_options` depend on levels with unknown contents
        plain: unknown
          from data/nodes/web1.yaml:1 (Node)
          overrides data/common.yaml:8 (Common)
          overrides data/common2.yaml:1 (Common)
          open: `lookup_options` depend on levels with unknown contents
        uniq: unknown
          from data/nodes/web1.yaml:2 (Node)
          overrides data/common.yaml:9 (Common)
          open: `lookup_options` depend on levels with unknown contents
        open: level `Roles` (role/%{role}.yaml) depends on unknown values
        open: level `Family` (os/%{facts.os.family}.yaml) depends on unknown values
    "#]]
    .assert_eq(&out);
    let vault = "version: 5\nhierarchy:\n  - {name: Files, path: common.yaml}\n  - {name: Vault, lookup_key: vault::key}\n";
    folder.write(&[("hiera.yaml", vault), ("modules/vault/lib/puppet/functions/vault/key.rb", VAULT)]);
    let (code, out, _) = run(&folder.0, &["hiera", "explain", "web1", "--facts", "facts", "pla*", "sec*"]);
    assert_eq!(code, Some(3), "{out}");
    expect![[r#"
        plain: unknown
          from data/common.yaml:8 (Files)
          open: `lookup_options` depend on levels with unknown contents
        secret: unknown
          from data/common.yaml:13 (Files)
          open: `lookup_options` depend on levels with unknown contents
        open: level `Vault` (vault::key) is a function that is called for each key
    "#]]
    .assert_eq(&out);
    let (code, out, _) = run(&folder.0, &["hiera", "explain", "web1", "--facts", "facts", "plain"]);
    let reason = "`lookup_options` depend on levels with unknown contents";
    let expected = format!("plain: unknown\n  from data/common.yaml:8 (Files)\n  open: {reason}\n");
    assert_eq!((code, out), (Some(3), expected));
    folder.write(&[FILES[1], ("data/common3.yaml", "part: ['%{facts.tier}', 1]\n")]);
    let (code, out, _) = run(&folder.0, &["hiera", "explain", "web1", "--os", "debian12", "part"]);
    let expected = "part: [<String>, 1]\n  from data/common3.yaml:1 (Common)\n  open: an interpolation depends on unknown values\n";
    assert_eq!((code, out.as_str()), (Some(3), expected));
}

const VAULT: &str = "Puppet::Functions.create_function(:'vault::key') do
  dispatch :key do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
end
";

#[test]
fn errors_and_missing_keys() {
    let folder = Folder::new("hiera-errors", FILES);
    let explain = |arguments: &[&str]| run(&folder.0, &[&["hiera", "explain", "web1"], arguments].concat());
    let (code, out, _) = explain(&["--facts", "facts", "nothing*"]);
    assert_eq!((code, out.as_str()), (Some(1), "no keys found for `web1`\n"));
    let (code, _, err) = explain(&["--nodes", "modules"]);
    assert_eq!(code, Some(2), "{err}");
    let (code, _, err) = run(&folder.0, &["hiera", "explain", "web9", "--nodes", "facts"]);
    assert_eq!((code, err.as_str()), (Some(2), "error: no facts of node `web9` in `facts`\n"));
    folder.write(&[("modules/ntp/hiera.yaml", "version: 5\nhierarchy: [{nam: x}]\n")]);
    let (code, out, err) = explain(&["--facts", "facts"]);
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(out.contains("\nplain: 'node'\n") && err.contains("modules/ntp/hiera.yaml"), "{out}{err}");
    folder.write(&[("data/common.yaml", "a: [\n")]);
    let (code, out, err) = explain(&["--facts", "facts"]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains("data/common.yaml:"), "{err}");
}

#[test]
fn unused_data_is_that_of_unused() {
    let folder = Folder::new("hiera-unused", FILES);
    folder.write(&[("environment.conf", "\n"), ("data/old/x.yaml", "a: 1\n")]);
    let kinds = ["--kind", "hiera-key", "--kind", "level", "--kind", "data-file"];
    for format in ["text", "json"] {
        let format = ["--format", format];
        let expected = run(&folder.0, &[&["unused"], &kinds[..], &format].concat());
        assert!(expected.0 == Some(1) && expected.1.contains("data/old/x.yaml"), "{expected:?}");
        assert_eq!(run(&folder.0, &[&["hiera", "unused"], &format[..]].concat()), expected);
    }
}

/// A hierarchy with values that have no effect, and others that only look like it.
const MOVES: &[(&str, &str)] = &[
    ("environment.conf", "\n"),
    (
        "manifests/site.pp",
        "$merged = lookup('by_code', Array, 'unique')\n$deep = lookup('deep_by_code', Hash, 'deep')\n",
    ),
    (
        "hiera.yaml",
        r#"version: 5
hierarchy:
  - {name: Node, path: "nodes/%{trusted.certname}.yaml"}
  - {name: Family, path: "os/%{facts.os.family}.yaml"}
  - {name: Site, path: site.yaml}
  - {name: Common, path: common.yaml}
"#,
    ),
    (
        "data/nodes/web1.yaml",
        r#"same: [1]
other_order: {b: 1, a: 2}
between: 1
above: 1
secret: ENC[PKCS7,x]
anchor: &x [1]
uses: *x
by_options: [1, 2]
repeated: [1, 1]
deep_by_options: {a: 1}
scalar_by_options: a
by_code: [1]
deep_by_code: {a: 1}
interpolated: "%{facts.os.family} %{lookup('same')}"
twice: 1
twice: 1
"#,
    ),
    ("data/nodes/web2.yaml", "above: 2\ncan_move: 1\n"),
    ("data/os/Debian.yaml", "between: 2\nup: {a: [1]}\nabove: 1\nmerged_up: [1]\n"),
    ("data/os/RedHat.yaml", "up: {a: [1]}\nonly_red: 1\nmerged_up: [1]\n"),
    ("data/site.yaml", "same: [1]\nbetween: 1\n"),
    (
        "data/common.yaml",
        r#"lookup_options:
  by_options: {merge: unique}
  repeated: {merge: unique}
  "^deep_by_opt": {merge: deep}
  scalar_by_options: {merge: deep}
  merged_up: {merge: unique}
same: [1]
other_order: {a: 2, b: 1}
above: 1
secret: ENC[PKCS7,x]
anchor: [1]
by_options: [1, 2]
repeated: [1, 1]
deep_by_options: {a: 1}
scalar_by_options: a
by_code: [1]
deep_by_code: {a: 1}
interpolated: "%{facts.os.family} %{lookup('same')}"
twice: 1
"#,
    ),
    ("facts/web1.json", r#"{"name": "web1", "values": {"os": {"family": "Debian"}}}"#),
    ("facts/web2.json", r#"{"name": "web2", "values": {"os": {"family": "RedHat"}}}"#),
];

#[test]
fn values_without_effect_are_listed() {
    let folder = Folder::new("hiera-moves", MOVES);
    let (code, out, err) = run(&folder.0, &["hiera", "moves"]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    expect![[r#"
        data/nodes/web1.yaml:4: `above` has no effect: data/common.yaml:9 (Common) has the same value
        data/os/Debian.yaml:3: `above` has no effect: data/common.yaml:9 (Common) has the same value
        data/nodes/web1.yaml:12: `by_code` has no effect: data/common.yaml:16 (Common) has the same value
        data/nodes/web1.yaml:8: `by_options` has no effect: data/common.yaml:12 (Common) has the same value
        data/nodes/web1.yaml:14: `interpolated` has no effect: data/common.yaml:18 (Common) has the same value
        data/nodes/web1.yaml:1: `same` has no effect: data/site.yaml:1 (Site) has the same value
        data/site.yaml:1: `same` has no effect: data/common.yaml:7 (Common) has the same value
        data/nodes/web1.yaml:11: `scalar_by_options` has no effect: data/common.yaml:15 (Common) has the same value
        2 keys have the same value in all files of a level; `--nodes` checks whether they can move
        8 without effect, 0 movable, 0 open
    "#]].assert_eq(&out);
    // Levels whose data is not known may merge lists, and may have the key.
    let vault = MOVES[2]
        .1
        .replace("  - {name: Common", "  - {name: Vault, lookup_key: vault::key}\n  - {name: Common");
    folder.write(&[("hiera.yaml", &vault), ("modules/vault/lib/puppet/functions/vault/key.rb", VAULT)]);
    let (code, out, _) = run(&folder.0, &["hiera", "moves"]);
    assert_eq!(code, Some(3), "{out}");
    expect![[r#"
        1 open: `lookup_options` may be in data that is not in the repository
        1 open: level `Vault` is not examined: its data is unknown or invalid
        10 open: level `Vault` may have it, and is not known
        2 keys have the same value in all files of a level; `--nodes` checks whether they can move
        0 without effect, 0 movable, 12 open
    "#]]
    .assert_eq(&out);
    folder.write(&[("hiera.yaml", MOVES[2].1), ("manifests/site.pp", "$x = $facts['k']\n$y = lookup($x)\n")]);
    let (code, out, _) = run(&folder.0, &["hiera", "moves"]);
    assert_eq!(code, Some(1), "{out}");
    expect![[r#"
        data/nodes/web1.yaml:4: `above` has no effect: data/common.yaml:9 (Common) has the same value
        data/os/Debian.yaml:3: `above` has no effect: data/common.yaml:9 (Common) has the same value
        data/nodes/web1.yaml:11: `scalar_by_options` has no effect: data/common.yaml:15 (Common) has the same value
        8 open: a lookup with a computed key or merge strategy may merge it at manifests/site.pp:2
        2 keys have the same value in all files of a level; `--nodes` checks whether they can move
        3 without effect, 0 movable, 8 open
    "#]].assert_eq(&out);
}

/// Checks that the path of a file determines which more general files are read.
#[test]
fn paths_determine_more_general_files() {
    const PATHS: [&str; 3] =
        ["dc/%{facts.dc}/os/%{facts.os.family}.yaml", "dc/%{facts.dc}/common.yaml", "common.yaml"];
    let folder = Folder::new("hiera-paths", &MOVES[..1]);
    folder.write(&[
        ("data/dc/a/os/Debian.yaml", "k: [1, 2]\n"),
        ("data/dc/a/common.yaml", "k: [1, 2]\n"),
        ("data/dc/b/common.yaml", "k: 1\n"),
        ("data/common.yaml", "k: 2\n"),
    ]);
    for (paths, count) in [
        (PATHS, 1),
        // Another file of the second level, a third value in between, and paths with several meanings.
        ([PATHS[0], "dc/%{facts.os.family}/common.yaml", PATHS[2]], 0),
        ([PATHS[0], PATHS[2], PATHS[1]], 0),
        (["dc/%{facts.dc}%{facts.x}/os/%{facts.os.family}.yaml", PATHS[1], PATHS[2]], 0),
        ([PATHS[0], "dc/%{facts.dc}.yaml", PATHS[1]], 0),
    ] {
        let config = format!("version: 5\nhierarchy:\n  - name: All\n    paths: {paths:?}\n");
        folder.write(&[("hiera.yaml", &config)]);
        let (_, out, err) = run(&folder.0, &["hiera", "moves"]);
        assert!(out.ends_with(&format!("{count} without effect, 0 movable, 0 open\n")), "{config}{out}{err}");
    }
}

/// Checks which lookups may merge a list: the value is open, has an effect, or has none.
#[test]
fn merges_of_code_are_read() {
    let folder = Folder::new("hiera-merges", &[MOVES[0], MOVES[2]]);
    folder.write(&[
        ("data/nodes/a.yaml", "k: [1, 2]\n"),
        ("data/site.yaml", "x: 1\n"),
        ("data/common.yaml", "k: [1, 2]\n"),
    ]);
    let site = "manifests/site.pp";
    let (none, has, open) = ("1 without effect", "0 without effect, 0 movable, 0 open", "0 movable, 1 open");
    for (path, text, expected) in [
        (site, "lookup('k')", none),
        (site, "lookup('k', Array)", none),
        (site, "lookup(['k', 'l'], Array, 'first', [])", none),
        (site, "lookup('k', { merge => 'unique' })", none),
        (site, "lookup('l', Array, 'deep')", none),
        (site, "hiera_array('k')", none),
        (site, "hiera_hash('k')", has),
        (site, "'k'.lookup(Array, 'deep')", has),
        (site, "lookup('k.0', { 'value_type' => Any, 'merge' => \"deep\" })", has),
        (site, "lookup('k', { merge => 'unique' ? { default => 'deep' } })", open),
        (site, "lookup('k', { merge => { strategy => 'deep' } })", open),
        (site, "lookup({ name => 'l', merge => 'deep' })", has),
        (site, "lookup(\"${facts['x']}\", Array, 'deep')", has),
        (site, "lookup($facts['x'])", open),
        (site, "lookup('k', $facts['x'])", open),
        (site, "lookup('k', Array, $facts['x'])", open),
        (site, "call('lookup', 'k', Array, 'deep')", open),
        (site, "Deferred('lookup', ['k', Array, 'deep'])", open),
        (site, "inline_epp(\"<%= lookup('k', Array, 'deep') %>\")", open),
        ("modules/m/templates/a.epp", "<%= lookup('k', Array, 'deep') %>", has),
        ("modules/m/templates/a.erb", "<%= scope.call_function('lookup', ['k']) %>", open),
        ("modules/m/templates/a.conf", "<%= scope.call_function('lookup', ['k']) %>", open),
        ("modules/m/lib/puppet/functions/f.rb", "call_function('lookup', 'k', type, 'deep')", open),
    ] {
        let text = if path == site { format!("$x = {text}\n") } else { text.to_owned() };
        folder.write(&[(path, &text)]);
        let (_, out, err) = run(&folder.0, &["hiera", "moves"]);
        assert!(out.contains(expected), "{path}: {text}{out}{err}");
        folder.write(&[(path, "\n")]);
    }
}

#[test]
fn keys_that_can_move_depend_on_the_nodes() {
    let folder = Folder::new("hiera-move-up", MOVES);
    folder.write(&[
        ("data/nodes/web1.yaml", "x: 1\n"),
        ("data/common.yaml", "lookup_options: {merged_up: {merge: unique}}\n"),
    ]);
    let moves =
        |arguments: &[&str]| run(&folder.0, &[&["hiera", "moves", "--nodes", "facts"], arguments].concat());
    let (code, out, err) = moves(&[]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    expect![[r#"
        data/os/Debian.yaml:4: `merged_up` can move to data/site.yaml (Site): all files of level `Family` have the same value, and 2 nodes keep it
        data/os/RedHat.yaml:3: `merged_up` can move to data/site.yaml (Site): all files of level `Family` have the same value, and 2 nodes keep it
        data/os/Debian.yaml:2: `up` can move to data/site.yaml (Site): all files of level `Family` have the same value, and 2 nodes keep it
        data/os/RedHat.yaml:1: `up` can move to data/site.yaml (Site): all files of level `Family` have the same value, and 2 nodes keep it
        0 without effect, 2 movable, 0 open
    "#]].assert_eq(&out);
    let (_, out, _) = moves(&["--format", "json"]);
    expect![[r#"
        {
          "version": 1,
          "redundant": [],
          "movable": [
            {
              "key": "merged_up",
              "values": [
                {
                  "path": "data/os/Debian.yaml",
                  "line": 4,
                  "level": "Family"
                },
                {
                  "path": "data/os/RedHat.yaml",
                  "line": 3,
                  "level": "Family"
                }
              ],
              "target": {
                "path": "data/site.yaml",
                "level": "Site"
              }
            },
            {
              "key": "up",
              "values": [
                {
                  "path": "data/os/Debian.yaml",
                  "line": 2,
                  "level": "Family"
                },
                {
                  "path": "data/os/RedHat.yaml",
                  "line": 1,
                  "level": "Family"
                }
              ],
              "target": {
                "path": "data/site.yaml",
                "level": "Site"
              }
            }
          ],
          "open": [],
          "candidates": 2,
          "nodes": 2
        }
    "#]]
    .assert_eq(&out);
    // A node without a file of the level would get the value, as would one with another value in between.
    folder.write(&[("facts/web3.json", r#"{"name": "web3", "values": {"os": {"family": "Suse"}}}"#)]);
    let (code, out, _) = moves(&[]);
    assert_eq!((code, out.as_str()), (Some(0), "0 without effect, 0 movable, 0 open\n"));
    folder.write(&[
        ("facts/web3.json", r#"{"name": "web3", "values": {"os": {"family": "Debian"}}}"#),
        ("data/site/web3.yaml", "up: 2\n"),
        ("hiera.yaml", &MOVES[2].1.replace("path: site.yaml", "path: \"site/%{trusted.certname}.yaml\"")),
    ]);
    let (code, out, _) = moves(&[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.ends_with("0 without effect, 1 movable, 0 open\n") && !out.contains("`up`"), "{out}");
    // The main manifest may set the variable.
    folder.write(&[("hiera.yaml", &MOVES[2].1.replace("path: site.yaml", "path: \"site/%{role}.yaml\""))]);
    let (code, out, _) = moves(&[]);
    assert_eq!(code, Some(3), "{out}");
    expect![[r#"
        2 open: `$role` in the path of a level is not a fact of all nodes
        0 without effect, 0 movable, 2 open
    "#]]
    .assert_eq(&out);
}

#[test]
fn long_values_are_cut_in_the_list_of_all_keys() {
    let data = format!("long: {}\nshort: x\n", "é".repeat(300));
    let files = [("hiera.yaml", "version: 5\n"), ("data/common.yaml", &*data), ("manifests/site.pp", "\n")];
    let folder = Folder::new("hiera-long", &files);
    let (_, all, _) = run(&folder.0, &["hiera", "explain", "web1", "--os", "debian12"]);
    let cut = format!("long: '{}…\n", "é".repeat(199));
    assert!(all.starts_with(&cut) && all.contains("short: 'x'\n"), "{all}");
    let (_, one, _) = run(&folder.0, &["hiera", "explain", "web1", "--os", "debian12", "long"]);
    assert!(one.starts_with(&format!("long: '{}'\n", "é".repeat(300))), "{one}");
}

#[test]
fn data_that_is_not_examined_is_open() {
    let hierarchy = |levels: &str| format!("version: 5\nhierarchy: [{levels}]\n");
    let common = hierarchy("{name: Common, path: common.yaml}");
    let method = hierarchy("{name: Method, path: \"%{lookup('x')}.yaml\"}");
    let plans = format!("{common}plan_hierarchy: []\n");
    for (config, data, reason) in [
        (&common, "a: [\n", "level `Common` is not examined: its data is unknown or invalid"),
        (&method, "a: 1\n", "hierarchy cannot be used at hiera.yaml:1"),
        (&plans, "a: 1\n", "hierarchies with `plan_hierarchy` are not examined at hiera.yaml:1"),
    ] {
        let files =
            [("hiera.yaml", config.as_str()), ("data/common.yaml", data), ("manifests/site.pp", "\n")];
        let folder = Folder::new("hiera-open", &files);
        let (code, out, _) = run(&folder.0, &["hiera", "moves"]);
        let expected = format!("1 open: {reason}\n0 without effect, 0 movable, 1 open\n");
        assert_eq!((code, out), (Some(3), expected));
    }
    let folder = Folder::new("hiera-none", &[("Puppetfile", "\n"), ("manifests/site.pp", "\n")]);
    let (code, out, _) = run(&folder.0, &["hiera", "moves"]);
    let expected = "1 open: no `hiera.yaml` found\n0 without effect, 0 movable, 1 open\n";
    assert_eq!((code, out.as_str()), (Some(3), expected));
}

#[test]
fn values_of_eyaml_are_encrypted_and_decrypted() {
    let keys = concat!(env!("CARGO_MANIFEST_DIR"), "/eyaml/tests/data");
    let (public, private) = (format!("{keys}/public_key.pkcs7.pem"), format!("{keys}/private_key.pkcs7.pem"));
    let folder = Folder::new(
        "eyaml",
        &[
            ("value", "correct horse"),
            ("keys/public_key.pkcs7.pem", "not a key"),
            ("config.yaml", &format!("pkcs7_public_key: {public}\npkcs7_private_key: {private}\n")),
        ],
    );
    let (code, out, err) =
        run(&folder.0, &["hiera", "encrypt", "--public-key", &public, "--label", "db::password", "value"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("db::password: ENC[PKCS7,MII") && out.ends_with("]\n"), "{out}");
    folder.write(&[("data.eyaml", &format!("---\na: 1\n{out}"))]);
    let decrypt = |arguments: &[&str]| run(&folder.0, &[&["hiera", "decrypt"], arguments].concat());
    let (code, plain, err) = decrypt(&["--private-key", &private, "data.eyaml"]);
    assert_eq!((code, plain.as_str()), (Some(0), "---\na: 1\ndb::password: correct horse\n"), "{err}");
    // Neither the keys of the repository nor unusable ones.
    let other = format!("{keys}/other.pem");
    for (arguments, message) in [
        (&["data.eyaml"][..], "no key given"),
        (
            &["--private-key", &other, "data.eyaml"],
            "cannot decrypt the value in line 3: encrypted for another key",
        ),
        (&["--private-key", &public, "data.eyaml"], "not a private RSA key"),
        (&["--private-key", &private, "value"], "no encrypted values"),
        (&["--private-key", "nowhere", "data.eyaml"], "no such file"),
    ] {
        let (code, out, err) = decrypt(arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
        assert!(err.contains(message), "{arguments:?}: {err}");
    }
    let (code, _, err) = run(&folder.0, &["hiera", "encrypt", "--public-key", &private, "value"]);
    assert!(code == Some(2) && err.contains("not a certificate"), "{err}");
}

/// Checks options of the functions that read files. Each row was run with Puppet 7.23.
#[test]
fn options_of_data_files() {
    for (function, options, expected) in [
        ("yaml_data", "{x: y}", Some("`yaml_data` in hierarchy entry `a` takes no options")),
        ("json_data", "{x: y}", Some("`json_data` in hierarchy entry `a` takes no options")),
        ("hocon_data", "{x: y}", Some("`hocon_data` in hierarchy entry `a` takes no options")),
        ("yaml_data", "{path: z}", Some("option `path` in `a` is reserved for Hiera")),
        ("yaml_data", "{}", None),
        ("json_data", "{}", None),
        ("hocon_data", "{}", None),
    ] {
        let level = |path: &str| {
            format!(
                "version: 5\nhierarchy:\n  - {{name: a, data_hash: {function}, path: {path}, options: {options}}}\n"
            )
        };
        let folder = Folder::new(
            "options-of-data-files",
            &[
                ("environment.conf", ""),
                ("manifests/site.pp", "node default { notice(lookup('k', default_value => 1)) }\n"),
                ("data/common", "{\"k\": \"v\"}\n"),
                ("hiera.yaml", &level("common")),
            ],
        );
        let arguments = ["compile", "default", "--os", "debian12"];
        let (code, out, errors) = run(&folder.0, &arguments);
        assert_eq!(code, Some(i32::from(expected.is_some())), "{function} {options}: {out}{errors}");
        assert!(errors.contains(expected.unwrap_or_default()), "{function} {options}: {errors}");
        if options == "{x: y}" {
            // The function is not called for files that do not exist.
            folder.write(&[("hiera.yaml", &level("missing"))]);
            let (code, _, errors) = run(&folder.0, &arguments);
            assert_eq!(code, Some(0), "{function}: {errors}");
        }
    }
}
