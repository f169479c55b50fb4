use super::*;
use serde_json::json;

fn root(path: &str) -> FilePath {
    FilePath::from_native(path).expect("an absolute path")
}

/// Settings of one file.
fn settings(folder: &str, text: &str) -> RepositorySettings {
    RepositorySettings::of_text(root(folder).join(FILE_NAME), text)
}

#[test]
fn later_layers_take_precedence() {
    let mut layers = ConfigLayers::default();
    assert_eq!(layers.config(), Config::default());
    let toml = "puppet-version = 7\nstrict = 'off'\nexclude = ['vendor', '/opt/x']\n";
    assert_eq!(layers.set_root(&root("/work/a"), &settings("/work/a", toml)), []);
    let client = json!({ "puppet-analyzer": { "puppetVersion": 8, "trace": { "server": "off" } } });
    assert_eq!(layers.set_client(&client), []);
    let settings = layers.config().settings;
    assert_eq!(settings.puppet_version, PuppetVersion::V8);
    assert_eq!(settings.strict, Some(Strict::Off));
    assert_eq!(settings.excluded_paths, ["/work/a/vendor", "/opt/x"]);
    assert_eq!(layers.set_root(&root("/work/a"), &RepositorySettings::default()), []);
    assert_eq!(layers.set_client(&Value::Null), []);
    assert_eq!(layers.config(), Config::default());
}

#[test]
fn inlay_hints_are_independent() {
    let mut layers = ConfigLayers::default();
    assert_eq!(layers.config().inlay_hints, InlayHintSettings::default());
    assert_eq!(layers.set_root(&root("/work"), &settings("/work", "[inlay-hints]\nvalues = true\n")), []);
    assert_eq!(layers.set_client(&json!({ "inlayHints": { "types": true } })), []);
    assert_eq!(
        layers.config().inlay_hints,
        InlayHintSettings { values: true, types: true, ..InlayHintSettings::default() }
    );
    assert_eq!(layers.set_client(&json!({ "inlayHints": { "values": false } })), []);
    assert_eq!(layers.config().inlay_hints, InlayHintSettings::default());
}

#[test]
fn code_lenses_are_independent() {
    let mut layers = ConfigLayers::default();
    assert_eq!(layers.set_root(&root("/work"), &settings("/work", "[code-lenses]\ndata = false\n")), []);
    assert_eq!(layers.set_client(&json!({ "codeLenses": { "catalogs": false } })), []);
    let expected = CodeLensSettings { references: true, data: false, catalogs: false };
    assert_eq!(layers.config().code_lenses, expected);
}

#[test]
fn invalid_layers_keep_the_last_valid_one() {
    let mut layers = ConfigLayers::default();
    assert_eq!(layers.set_root(&root("/work"), &settings("/work", "tasks = true")), []);
    assert_eq!(layers.set_client(&json!({ "large-file-limit": 10 })), []);
    let good = layers.config();
    for text in ["tasks = 1", "puppet-version = 6", "upgrade-to = 7", "strict = 'very'", "tasks ="] {
        let findings = layers.set_root(&root("/work"), &settings("/work", text));
        assert!(findings.iter().any(|it| it.is_error() && it.range.is_some()), "{text}");
    }
    for value in [json!(1), json!({ "tasks": "x" }), json!({ "puppetVersion": 3 })] {
        assert!(layers.set_client(&value).iter().any(|it| it.is_error()), "{value}");
    }
    assert_eq!(layers.config(), good);
}

#[test]
fn unknown_keys_are_reported_and_ignored() {
    let mut layers = ConfigLayers::default();
    let text = "task = true\ntasks = true\n[inlay-hints]\ncolours = 1\n[lint]\nunused-varable = 'off'\nany-name = 'off'\n";
    let found = layers.set_root(&root("/work"), &settings("/work", text));
    let found: Vec<_> =
        found.iter().map(|it| (&text[it.range.clone().expect("a place")], it.message.as_str())).collect();
    let expected = [
        ("task", "unknown setting `task`\nhelp: did you mean `tasks`?"),
        ("colours", "unknown setting `colours`"),
        ("unused-varable", "unknown rule `unused-varable`\nhelp: did you mean `unused-variable`?"),
        ("any-name", "unknown rule `any-name`"),
    ];
    assert_eq!(found, expected);
    assert!(layers.config().settings.tasks);
    let client = json!({ "puppetVersoin": 7, "server": { "path": "x" }, "tasks": false });
    let found: Vec<String> = layers.set_client(&client).into_iter().map(|it| it.message).collect();
    assert_eq!(found, ["unknown setting `puppet-versoin`\nhelp: did you mean `puppet-version`?"]);
    assert!(!layers.config().settings.tasks);
}

#[test]
fn keys_match_the_fields() {
    for key in KEYS {
        let (layer, findings) = SettingsLayer::from_toml(&format!("{key} = 1.5"));
        assert!(layer.is_none(), "no setting is a fraction: {key}");
        assert!(findings.iter().all(|it| it.is_error()), "{findings:?}");
    }
}

/// Checks that the extension for VS Code lists all settings with their actual defaults and values.
#[test]
fn vscode_extension_lists_all_settings() {
    const EXTENSION_SETTINGS: &[&str] = &["server.path", "server.arguments", "trace.server"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file of the extension");
    let manifest: Value = serde_json::from_str(&read("package.json")).expect("JSON");
    let properties = manifest["contributes"]["configuration"]["properties"].as_object();
    let properties = properties.expect("the extension has settings");
    let names = properties.keys().filter_map(|it| it.strip_prefix("puppet-analyzer."));
    let names = names.filter(|it| !EXTENSION_SETTINGS.contains(it)).map(kebab_case);
    let mut found: Vec<String> = names.collect();
    found.sort_unstable();
    let inner =
        SECTIONS.iter().flat_map(|(section, keys)| keys.iter().map(move |it| format!("{section}.{it}")));
    let is_section = |key: &str| SECTIONS.iter().any(|(section, _)| *section == key);
    let plain = KEYS.iter().filter(|it| !is_section(it)).map(|it| (*it).to_owned());
    let mut expected: Vec<String> = plain.chain(inner).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);

    let readme = read("README.md");
    for (name, property) in properties {
        let name = name.strip_prefix("puppet-analyzer.").expect("our section");
        assert!(readme.contains(&format!("`{name}`")), "README.md says nothing of {name}");
        assert!(property["markdownDescription"].as_str().is_some_and(|it| it.len() > 20), "{name}");
        assert!(property.get("default").is_some(), "{name} has no default");
        if EXTENSION_SETTINGS.contains(&name) {
            continue;
        }
        let layer = |value: &Value| {
            let mut parts = name.rsplit('.');
            let last = json!({ parts.next().expect("a name"): value });
            SettingsLayer::from_client(&parts.fold(last, |inner, part| json!({ part: inner })))
        };
        let mut config = Config::default();
        let (read, findings) = layer(&property["default"]);
        assert_eq!(findings, [], "the default of {name}");
        read.expect("the default is valid").apply(&mut config, None);
        assert_eq!(config, Config::default(), "the default of {name}");
        for value in property["enum"].as_array().into_iter().flatten() {
            assert_eq!(layer(value).1, [], "{name} = {value}");
        }
        assert!(layer(&json!({ "no": [1.5] })).1.iter().any(|it| it.is_error()), "{name} takes anything");
    }
}

#[test]
fn settings_documentation_is_up_to_date() {
    for code in [codes::Code::IgnoredSetting, codes::Code::InvalidSetting, codes::Code::UnknownSetting] {
        let page = ide::rule(code).documentation;
        let mut examples = page.split("```toml\n").skip(1);
        let mut found = |kind| {
            let text = examples.next().and_then(|it| it.split("```").next()).expect(kind);
            ConfigLayers::default().set_root(&root("/work"), &settings("/work", text))
        };
        assert!(
            found("a bad example").iter().any(|it| it.is_error() == (code == codes::Code::InvalidSetting)),
            "{code}"
        );
        assert_eq!(found("a good example"), [], "{code}");
    }
}

/// Checks that the schema for editors and the documentation lists exactly the existing settings.
#[test]
fn schema_lists_all_settings() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/site/src/reference/puppet-analyzer.schema.json");
    let text = std::fs::read_to_string(file).expect("the schema can be read");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let names = |schema: &Value| {
        let properties = schema["properties"].as_object().expect("properties");
        properties.keys().cloned().collect::<std::collections::BTreeSet<_>>()
    };
    let owned = |keys: &[&str]| keys.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(names(&schema), owned(&[KEYS, FILES_ONLY].concat()));
    for (section, keys) in SECTIONS {
        assert_eq!(names(&schema["properties"][section]), owned(keys), "{section}");
    }
}

/// Files of a repository, below a new folder.
fn repository(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("puppet-analyzer-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a temporary folder");
        std::fs::write(path, text).expect("a temporary file");
    }
    folder
}

#[test]
fn nearest_settings_apply() {
    let folder = repository(
        "nearest",
        &[
            ("puppet-analyzer.toml", "tasks = true"),
            ("repo/.git/HEAD", ""),
            ("repo/puppet-analyzer.toml", "puppet-version = 7\nexclude = ['vendor']"),
            ("repo/site/manifests/a.pp", ""),
            ("repo/nested/puppet-analyzer.toml", "strict = 'off'"),
            ("repo/extended/puppet-analyzer.toml", "extend = '..'\nstrict = 'off'"),
            ("repo/extended/deep/a.pp", ""),
            ("bare/.git/HEAD", ""),
        ],
    );
    let vendor = folder.join("repo/vendor").display().to_string();
    let root = (PuppetVersion::V7, None, false, vec![vendor]);
    for (path, expected) in [
        ("repo", root.clone()),
        ("repo/site", root.clone()),
        ("repo/site/manifests", root.clone()),
        ("repo/nested", (PuppetVersion::V8, Some(Strict::Off), false, vec![])),
        ("repo/extended/deep", (PuppetVersion::V7, Some(Strict::Off), false, root.3)),
        ("bare", (PuppetVersion::V8, None, false, vec![])),
        (".", (PuppetVersion::V8, None, true, vec![])),
    ] {
        let Settings { puppet_version, strict, tasks, excluded_paths, .. } =
            Config::load(&folder.join(path)).expect("valid settings").settings;
        assert_eq!((puppet_version, strict, tasks, excluded_paths), expected, "{path}");
    }
}

#[test]
fn invalid_extensions_are_errors() {
    let folder = repository(
        "extend",
        &[
            (".git/HEAD", ""),
            ("a/puppet-analyzer.toml", "extend = '../b/puppet-analyzer.toml'"),
            ("b/puppet-analyzer.toml", "extend = '../a/puppet-analyzer.toml'"),
            ("itself/puppet-analyzer.toml", "extend = '.'"),
            ("missing/puppet-analyzer.toml", "extend = '../nowhere.toml'"),
            ("outside/puppet-analyzer.toml", "extend = '/etc/passwd'"),
            ("above/puppet-analyzer.toml", "extend = '../../x.toml'"),
            ("kind/puppet-analyzer.toml", "extend = 1"),
        ],
    );
    for (path, expected) in [
        ("a", "the settings files extend each other"),
        ("itself", "the settings files extend each other"),
        ("missing", "nowhere.toml`: "),
        ("outside", "`: file outside of the repository"),
        ("above", "`: file outside of the repository"),
        ("kind", "invalid type: integer `1`"),
    ] {
        let error = Config::load(&folder.join(path)).expect_err(path).to_string();
        assert!(error.contains(expected), "{path}: {error}");
    }
}
