//! Tests of the format, the rules, and the catalog files of octocatalog-diff.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::folders::{Folder, Ran};

/// Runs `diff` on two catalogs.
fn diff(folder: &Folder, from: &Json, to: &Json, arguments: &[&str]) -> Ran {
    folder.write(&[("from", &from.to_string()), ("to", &to.to_string())]);
    folder.run(&[&["diff", "--from-catalog", "from", "--to-catalog", "to"], arguments].concat())
}

/// Returns a catalog as Puppet compiles it.
fn catalog(resources: &[Json]) -> Json {
    json!({ "name": "n1", "resources": resources, "edges": [] })
}

fn resource(type_name: &str, title: &str, parameters: &Json) -> Json {
    json!({
        "type": type_name,
        "title": title,
        "tags": ["a", type_name.to_lowercase()],
        "file": "/code/site.pp",
        "line": 7,
        "exported": false,
        "parameters": parameters,
    })
}

#[test]
fn output_equals_that_of_octocatalog_diff() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/octocatalog/cases.jsonl");
    let cases = fs::read_to_string(path).expect("recorded");
    let folder = Folder::new("recorded", &[]);
    for (number, line) in cases.lines().enumerate() {
        let case: Json = serde_json::from_str(line).expect("JSON");
        let options: Vec<String> = serde_json::from_value(case["options"].clone()).expect("options");
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let arguments = [&["--format", "octocatalog"], options.as_slice()].concat();
        let ran = diff(&folder, &case["from"], &case["to"], &arguments);
        let found = (ran.stdout.as_str(), ran.code);
        let expected = (case["output"].as_str().unwrap_or_default(), case["code"].as_i64());
        let expected = (expected.0, expected.1.and_then(|code| i32::try_from(code).ok()));
        assert_eq!(found, expected, "line {} with {options:?}: {}", number + 1, ran.stderr);
    }
    assert!(cases.lines().count() > 50);
}

/// Catalogs whose differences the rules of [`RULES`] ignore in part.
fn changed() -> (Json, Json) {
    let file = |path: &str, mode: &str, content: &str| {
        resource("File", path, &json!({ "mode": mode, "content": content }))
    };
    let before =
        [file("/etc/a", "0644", "x\n"), file("/etc/b", "0644", "x\n"), resource("Exec", "gone", &json!({}))];
    let after =
        [file("/etc/a", "0600", "y\n"), file("/etc/b", "0600", "x\n"), resource("Exec", "new", &json!({}))];
    (catalog(&before), catalog(&after))
}

/// Rules with the number of changes that are left and ignored, and with the exit code.
const RULES: &[(&[&str], usize, usize, i32)] = &[
    (&[], 4, 0, 1),
    (&["--ignore", "File"], 2, 3, 1),
    (&["--ignore", "File[/etc/a]"], 3, 2, 1),
    (&["--ignore", "File[/etc/*]::parameters::mode"], 3, 2, 1),
    (&["--ignore", "File[/etc/*]::parameters::mode=>0600"], 3, 2, 1),
    (&["--ignore", "File[/etc/*]::parameters::mode=>0700"], 4, 0, 1),
    (&["--ignore", "*[*]::parameters::content=~>^\\+y"], 4, 1, 1),
    (&["--ignore", "*[*]::parameters::content=&>^\\+y"], 4, 0, 1),
    (&["--ignore", "Exec[*]+"], 3, 1, 1),
    (&["--ignore", "Exec[*]+-"], 2, 2, 1),
    (&["--ignore-attr", "parameters::mode,parameters::content"], 2, 3, 1),
    (&["--ignore", "File,Exec"], 0, 5, 0),
    (&["--ignore-tags", "a"], 0, 5, 0),
    (&["--ignore-tags", "a__exec"], 4, 0, 1),
];

#[test]
fn ignored_changes_are_counted() {
    let folder = Folder::new("rules", &[]);
    let (from, to) = changed();
    for (rules, left, ignored, code) in RULES {
        let ran = diff(&folder, &from, &to, &[&["--format", "json"], *rules].concat());
        let found: Vec<Json> = serde_json::from_str(&ran.stdout).expect("JSON");
        let resources = found.first().map_or(0, |it| it["resources"].as_array().map_or(0, Vec::len));
        let count = found.first().map_or(0, |it| it["ignored"].as_u64().unwrap_or_default());
        let expected = (*left, *ignored as u64, Some(*code));
        assert_eq!((resources, count, ran.code), expected, "{rules:?}: {}{}", ran.stdout, ran.stderr);
        let text = diff(&folder, &from, &to, rules).stdout;
        let is_counted = text.contains("ignored change");
        assert_eq!(is_counted, *ignored > 0, "{rules:?}: {text}");
    }
}

#[test]
fn invalid_rules_are_usage_errors() {
    let folder = Folder::new("invalid-rules", &[]);
    let (from, to) = changed();
    for rules in [
        &["--ignore", "File["][..],
        &["--ignore", "File[]"],
        &["--ignore", "*[*]::parameters::x=~>("],
        &["--ignore", "*[*]::parameters::x=s>y"],
        &["--filters", "Other"],
        &["--header", "x"],
        &["--from-catalog", "other"],
    ] {
        let ran = diff(&folder, &from, &to, rules);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{rules:?}: {}", ran.stderr);
    }
}

#[test]
fn errors_have_the_exit_code_of_octocatalog_diff() {
    let folder = Folder::new("octocatalog-errors", &[("from", "{}"), ("to", "[")]);
    let command = ["diff", "--from-catalog", "from", "--to-catalog", "to", "--format", "octocatalog"];
    let ran = folder.run(&command);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
}

/// Parameters of `File[/x]` before and after a change, with the expected open part, or with a change.
fn traps() -> Vec<(Json, Json, Option<&'static str>, bool)> {
    let rich = json!({ "__ptype": "Timestamp", "__pvalue": "2020-01-01T00:00:00.000000000 UTC" });
    let sensitive = |text: &str| json!({ "__ptype": "Sensitive", "__pvalue": text });
    vec![
        (json!({ "a": null }), json!({}), None, false),
        (
            json!({ "a": "[value redacted]" }),
            json!({ "a": "x" }),
            Some("`a` of `File[/x]` is redacted"),
            false,
        ),
        (
            json!({ "a": "Sensitive [value redacted]" }),
            json!({ "a": "Sensitive [value redacted]" }),
            Some("`a` of `File[/x]` is redacted"),
            false,
        ),
        (json!({ "a": rich }), json!({ "a": "2020-01-01T00:00:00.000000000 UTC" }), None, false),
        (
            json!({ "a": rich }),
            json!({ "a": "2021" }),
            Some("`a` of `File[/x]` is stored as a string on one side"),
            false,
        ),
        (json!({ "a": sensitive("x") }), json!({ "a": sensitive("x") }), None, false),
        (json!({ "a": sensitive("x") }), json!({ "a": sensitive("y") }), None, true),
        (json!({ "a": ["x"] }), json!({ "a": "x" }), None, true),
        (
            json!({ "a": { "__ptype": "Unknown" } }),
            json!({ "a": { "__ptype": "Unknown" } }),
            Some("`a` of `File[/x]` is unknown before and after"),
            false,
        ),
    ]
}

#[test]
fn redacted_and_converted_values_are_open() {
    let folder = Folder::new("traps", &[]);
    for (before, after, open, differs) in traps() {
        let of = |parameters: &Json| catalog(&[resource("File", "/x", parameters)]);
        let ran = diff(&folder, &of(&before), &of(&after), &["--format", "json"]);
        let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
        let found = (found[0]["open"][0].as_str(), found[0]["change"] == "resources", ran.code);
        let code = match (differs, open) {
            (true, _) => 1,
            (false, Some(_)) => 3,
            (false, None) => 0,
        };
        assert_eq!(found, (open, differs, Some(code)), "{before} {after}: {}", ran.stdout);
        assert!(!ran.stdout.contains("\"y\""), "{}", ran.stdout);
    }
}

#[test]
fn catalogs_of_puppetdb_are_open() {
    let folder = Folder::new("puppetdb", &[]);
    let compiled = json!({
        "name": "n1",
        "edges": [{ "source": "Class[main]", "target": "File[x]" }],
        "resources": [{
            "type": "File", "title": "x", "tags": [], "exported": false,
            "parameters": { "path": "/x", "content": "secret", "mode": null, "notify": ["Exec[b]", "Exec[a]"] },
            "sensitive_parameters": ["content"],
        }],
    });
    let end = |type_name: &str, title: &str| json!({ "type": type_name, "title": title });
    let stored = json!([{
        "certname": "n1", "hash": "0",
        "edges": { "href": "/", "data": [
            { "relationship": "before", "source": end("Exec", "a"), "target": end("File", "x") },
            { "relationship": "contains", "source": end("Class", "main"), "target": end("File", "x") },
        ] },
        "resources": { "href": "/", "data": [{
            "certname": "n1", "resource": "0", "type": "File", "title": "x", "tags": [], "exported": false,
            "parameters": { "path": "/x", "alias": ["/x"], "notify": ["Exec[a]", "Exec[b]"] },
        }] },
    }]);
    let named = "`content` of `File[x]` is sensitive, and not stored by PuppetDB";
    let general = "sensitive parameters, which PuppetDB does not store";
    for (from, to) in [(&compiled, &stored), (&stored, &compiled)] {
        let ran = diff(&folder, from, to, &["--format", "json"]);
        let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!((&found[0]["open"], ran.code), (&json!([named, general]), Some(3)), "{}", ran.stdout);
        assert_eq!(found[0]["change"], "none");
    }
    let ran = diff(&folder, &stored, &stored, &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let two = json!([{ "certname": "n1", "resources": { "data": [] } }, { "certname": "n2", "resources": { "data": [] } }]);
    let ran = diff(&folder, &stored, &two, &["--format", "json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("\"node\": \"n2\""), "{}", ran.stdout);
}

#[test]
fn secrets_of_catalogs_are_never_printed() {
    let folder = Folder::new("secret-catalogs", &[]);
    let of = |secret: &str| {
        let mut one = resource("File", "/x", &json!({ "content": secret, "password": secret }));
        one["sensitive_parameters"] = json!(["content"]);
        let rich = json!({ "env": [{ "__ptype": "Sensitive", "__pvalue": secret }] });
        catalog(&[one, resource("Exec", "rich", &rich), resource("Exec", secret, &json!({}))])
    };
    let mut from = of("hunter2-old");
    from["resources"].as_array_mut().expect("resources").pop();
    let mut to = of("hunter2-new");
    to["resources"].as_array_mut().expect("resources").pop();
    for format in ["text", "json", "markdown", "html", "octocatalog"] {
        let ran = diff(&folder, &from, &to, &["--format", format]);
        // The text is for the user alone, and only hides what is sensitive.
        let is_named_shown = format == "text";
        let shown = ran.stdout.matches("hunter2").count();
        assert_eq!(shown, if is_named_shown { 2 } else { 0 }, "{format}: {}", ran.stdout);
        assert_ne!(ran.code, Some(0), "{format}: {}", ran.stdout);
    }
}

const CONFIG: &str = r#"
module OctocatalogDiff
  class Config
    def self.config
      settings = {}
      settings[:hiera_config] = `touch ran`
      settings[:puppetdb_url] = 'https://example.com'
      settings[:ignore] = [{ type: 'Exec' }]
      settings[:additional_ignores] = [
        { type: 'File', title: %r{\A/ETC/}i, attr: "parameters\fmode" },
        { type: 'Exec', title: Regexp.new('new') },
      ]
      settings[:additional_ignores] << { attr: %w[parameters\fcontent] }
      settings[:ignore_tags] = computed
      settings
    end
  end
end
"#;

#[test]
fn the_configuration_is_read_and_never_run() {
    let folder = Folder::new("configuration", &[(".octocatalog-diff.cfg.rb", CONFIG)]);
    let (from, to) = changed();
    let ran = diff(&folder, &from, &to, &["--format", "json"]);
    let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
    let left: Vec<&str> = found[0]["resources"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it["resource"].as_str())
        .collect();
    assert_eq!(
        (left, &found[0]["ignored"]),
        (vec!["Exec[gone]", "File[/etc/a]"], &json!(3)),
        "{}",
        ran.stdout
    );
    assert_eq!(
        ran.stderr,
        "ignores and filters read from `.octocatalog-diff.cfg.rb`: 3 (--no-octocatalog-config to leave them out)\n\
         not read from `.octocatalog-diff.cfg.rb`: `ignore` in line 8, which octocatalog-diff does not read (it reads `additional_ignores`)\n\
         not read from `.octocatalog-diff.cfg.rb`: `ignore_tags` in line 14\n"
    );
    assert!(!folder.0.join("ran").exists());
    let ran = diff(&folder, &from, &to, &["--no-octocatalog-config"]);
    assert!(!ran.stdout.contains("ignored") && ran.stderr.is_empty(), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn catalogs_from_files_are_compared_with_compiled_ones() {
    let code = "node 'n1' {\n  class { 'm': text => 'a' }\n}\n";
    let class = "class m(String $text) {\n  file { '/x': content => $text, require => Notify['t'], tag => ['b', 'a'] }\n  notify { 't': message => Timestamp('2020-01-01T00:00:00Z') }\n  file { '/secret': content => Sensitive('hunter2') }\n  @@notify { 'exported': }\n}\n";
    let folder = Folder::new(
        "one-sided",
        &[
            ("environment.conf", "modulepath = modules\n"),
            ("manifests/site.pp", code),
            ("modules/m/manifests/init.pp", class),
        ],
    );
    let compiled = folder.run(&["compile", "--os", "debian12", "n1", "--format", "json"]);
    let mut catalog: Json = serde_json::from_str(&compiled.stdout).expect("JSON");
    let file = |catalog: &Json| folder.write(&[("catalog", &catalog.to_string())]);
    let command = ["diff", "--from-catalog", "catalog", "--os", "debian12", "--format", "json"];
    // Our own JSON hides sensitive values.
    file(&catalog);
    let ran = folder.run(&command);
    let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(found[0]["open"], json!(["`content` of `File[/secret]` is redacted"]), "{}", ran.stdout);
    assert_eq!((found[0]["change"].as_str(), ran.code), (Some("none"), Some(3)), "{}", ran.stderr);
    // A catalog as Puppet compiles it.
    catalog["exported"] = Json::Null;
    for resource in catalog["resources"].as_array_mut().expect("resources") {
        if resource["title"] == "/secret" {
            resource["parameters"]["content"] = json!("hunter2");
        }
        if resource["title"] == "t" {
            resource["parameters"]["message"] = json!("2020-01-01T00:00:00.000000000 UTC");
        }
    }
    file(&catalog);
    let ran = folder.run(&command);
    assert_eq!((ran.stdout.as_str(), ran.code), ("[]\n", Some(0)), "{}", ran.stderr);
    folder.write(&[("manifests/site.pp", &code.replace("'a'", "'c'"))]);
    let ran = folder.run(&command);
    let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
    let changed: Vec<&Json> = found[0]["resources"].as_array().into_iter().flatten().collect();
    let names: Vec<&str> = changed.iter().filter_map(|it| it["resource"].as_str()).collect();
    assert_eq!((names, ran.code), (vec!["Class[M]", "File[/x]"], Some(1)), "{}", ran.stdout);
    let ran =
        folder.run(&["diff", "--from-catalog", "catalog", "--os", "debian12", "--format", "octocatalog"]);
    let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
    let found: Vec<&Json> = found["diff"].as_array().into_iter().flatten().collect();
    assert_eq!((found.len(), ran.code), (1, Some(2)), "{}", ran.stdout);
    assert_eq!((&found[0]["old_value"], &found[0]["new_value"]), (&json!("a"), &json!("c")));
    let ran = folder.run(&["diff", "--from-catalog", "catalog", "--os", "debian12", "n2"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn compiled_catalogs_are_compared_with_those_of_files() {
    let code = "node 'n1' {\n  file { '/x': source => 'puppet:///modules/m/x' }\n}\n";
    let folder = Folder::new(
        "to-catalog",
        &[
            ("environment.conf", "modulepath = modules\n"),
            ("manifests/site.pp", code),
            ("modules/m/files/x", "text\n"),
        ],
    );
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "step"]);
    let compiled = folder.run(&["compile", "--os", "debian12", "n1", "--format", "json"]);
    folder.write(&[("catalog", &compiled.stdout), ("manifests/site.pp", "node 'n1' { }\n")]);
    // The base revision is compiled, not the work tree.
    let ran = folder.run(&["diff", "--to-catalog", "catalog", "--os", "debian12", "--format", "json"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("[]\n", Some(0)), "{}", ran.stderr);
    let changed = compiled.stdout.replace("puppet:///modules/m/x", "puppet:///modules/m/y");
    folder.write(&[("catalog", &changed)]);
    let octocatalog = [
        "diff",
        "--to-catalog",
        "catalog",
        "--os",
        "debian12",
        "--format",
        "octocatalog",
        "--default-header",
    ];
    let ran = folder.run(&octocatalog);
    let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
    let item = &found["diff"][0];
    assert_eq!(
        (&item["old_value"], &item["new_value"]),
        (&json!("puppet:///modules/m/x"), &json!("puppet:///modules/m/y"))
    );
    assert_eq!(
        (found["header"].as_str(), ran.code),
        (Some("diff HEAD/n1 catalog/n1"), Some(2)),
        "{}",
        ran.stdout
    );
    // A catalog that octocatalog-diff has written has contents instead of sources.
    let mut written: Json = serde_json::from_str(&compiled.stdout).expect("JSON");
    for resource in written["resources"].as_array_mut().expect("resources") {
        if resource["title"] == "/x" {
            resource["parameters"] = json!({ "content": "text\n" });
        }
    }
    folder.write(&[("catalog", &written.to_string())]);
    assert_eq!(folder.run(&octocatalog).code, Some(2));
    let ran = folder.run(&[&octocatalog[..], &["--compare-file-text=force"]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let forced = ["diff", "--to-catalog", "catalog", "--compare-file-text=force"];
    assert_eq!(folder.run(&forced).code, Some(2), "requires the format");
    folder.write(&[("catalog", "{ \"resources\": { \"href\": \"/x\" } }")]);
    let ran = folder.run(&["diff", "--to-catalog", "catalog", "n1"]);
    let message = "`catalog` is not a catalog: it only has a link to its resources";
    assert!(ran.code == Some(2) && ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn catalogs_that_the_terminus_of_puppetdb_stores_are_compared() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/octocatalog");
    let catalog = |name: &str| -> Json {
        serde_json::from_str(&fs::read_to_string(recorded.join(name)).expect("recorded")).expect("JSON")
    };
    let (compiled, stored) = (catalog("compiled.json"), catalog("stored.json"));
    let folder = Folder::new("terminus", &[]);
    let open = json!([
        "`content` of `File[x]` is sensitive, and not stored by PuppetDB",
        "`message` of `Notify[d]` is stored as a string on one side",
        "sensitive parameters, which PuppetDB does not store",
    ]);
    for (from, to) in [(&compiled, &stored), (&stored, &compiled)] {
        let ran = diff(&folder, from, to, &["--format", "json"]);
        let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
        let found = (&found[0]["change"], &found[0]["open"], ran.code);
        assert_eq!(found, (&json!("none"), &open, Some(3)), "{}", ran.stdout);
    }
    let ran = diff(&folder, &compiled, &compiled, &[]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("no difference in 1 catalog\n", Some(0)));
}

#[test]
fn unknown_titles_are_open() {
    let folder = Folder::new("unknown-titles", &[]);
    let mut one = resource("File", "/x", &json!({}));
    one["title"] = Json::Null;
    let from = catalog(&[one]);
    let ran = diff(&folder, &from, &from, &["--format", "json"]);
    let found: Json = serde_json::from_str(&ran.stdout).expect("JSON");
    let open = json!(["the title of a resource of type `File` is unknown"]);
    assert_eq!((&found[0]["open"], ran.code), (&open, Some(3)), "{}", ran.stdout);
    for wrong in [json!({ "title": "x" }), json!({ "type": "File" }), json!({ "type": 1, "title": "x" })] {
        let ran = diff(&folder, &from, &catalog(&[wrong]), &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    }
}
