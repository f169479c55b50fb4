//! Conversions of configurations to version 5, with lookups recorded from Puppet before and after them.

use hiera::config::{self, Layer};
use hiera::data::{self, DataFormat};
use serde_json::Value as Json;

/// Converts the configuration of a setup.
fn converted(text: &str, layer: &Layer) -> Result<String, String> {
    let data = data::read(DataFormat::Yaml, text);
    let config = config::read(&data, layer, false);
    config::to_version_5(text, &data, &config, layer)
}

/// Compares the conversions with those that Puppet looked up values with. `UPDATE_EXPECT=1` writes them, to be
/// recorded.
#[test]
fn conversions_keep_values() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut lines = String::new();
    for line in crate::recorded("conversions.jsonl").lines() {
        let mut case: Json = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let layer = if text("layer") == "global" { Layer::Global } else { Layer::Environment };
        let after = converted(text("before"), &layer);
        if after.as_deref() != Ok(text("after")) {
            wrong.push(format!("{}\nis converted to\n{after:?}", text("before")));
        }
        let (before_edit, after_edit) = (&case["is_before"], &case["is_after"]);
        // Puppet ignores version 3 in environments.
        let is_ignored = layer == Layer::Environment && !text("before").contains("version: 4");
        if before_edit != after_edit && !is_ignored {
            wrong.push(format!("{}\n  before {before_edit}\n  after  {after_edit}", text("before")));
        }
        count += before_edit.as_array().map_or(0, Vec::len);
        case["after"] = after.unwrap_or_default().into();
        lines = lines + &case.to_string() + "\n";
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(crate::path_of("conversions.jsonl"), lines).expect("the recording is writable");
        return;
    }
    assert!(count > 50, "only {count} lookups");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn refused_conversions() {
    let cases = [
        (":backends: [yaml, redis]\n:yaml:\n  :datadir: /x\n", "backend `redis` needs Hiera 3"),
        (":yaml:\n  :datadir: hieradata\n", "the data directory `hieradata` is relative"),
        (":hierarchy: ['%{calling_module}']\n", "version 5 does not set `calling_module`"),
        (":hierarchy: ['%{::calling_class}/x']\n", "version 5 does not set `calling_class`"),
        (":hierarchy: ['%{hiera(\"x\")}']\n", "version 5 does not accept its hierarchy"),
        (":merge_behavior: other\n", "it has other errors"),
        (":backends: eyaml\n:eyaml:\n  :datadir: /x\n  :color: red\n", "setting `color` of the backend"),
        (":hierarchy: [{a: b}]\n", "its hierarchy is not a list of paths"),
        ("- a\n", "it does not contain a hash"),
    ];
    for (text, reason) in cases {
        let found = converted(text, &Layer::Global).expect_err(text);
        assert!(found.contains(reason), "{text}: {found}");
    }
    let beside = converted(":yaml:\n  :datadir: ./hd\n:hierarchy: [a]\n", &Layer::Environment);
    assert!(beside.is_ok_and(|it| it.contains("datadir: hd\n")));
    let elsewhere = converted(":yaml:\n  :datadir: spec/hd\n:hierarchy: [a]\n", &Layer::Environment);
    assert!(elsewhere.is_err_and(|it| it.contains("the data directory `spec/hd` is relative")));
    // The hierarchy is that of version 5.
    let forgotten = converted("# x\nhierarchy:\n  - name: a\n    path: a.yaml\n", &Layer::Environment);
    assert_eq!(forgotten.as_deref(), Ok("# x\nversion: 5\nhierarchy:\n  - name: a\n    path: a.yaml\n"));
    let module = converted(":hierarchy: [a]\n", &Layer::Module("m".into()));
    assert!(module.is_err_and(|it| it.contains("a module may not need it")));
}
