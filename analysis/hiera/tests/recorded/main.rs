//! Comparison with data files and lookups recorded from Ruby and Puppet.

mod conversions;
mod globs;
mod lookups;
mod show;

use std::path::{Path, PathBuf};

use hiera::yaml::YamlFormat;
use hiera::{DataFormat, data};
use show::show;

fn path_of(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/hiera").join(file)
}

fn recorded(file: &str) -> String {
    std::fs::read_to_string(path_of(file)).expect("the recording exists")
}

/// Returns the value of a file in the format of the recording.
fn reading(format: DataFormat, text: &str) -> String {
    let data = data::read(format, text);
    match (data.findings.iter().any(|finding| finding.kind.is_fatal()), data.root) {
        (true, _) => "error".to_owned(),
        // Puppet's result for an empty file.
        (false, None) => "false".to_owned(),
        (false, Some(root)) if root.value.is_undef() && format == DataFormat::Yaml => "false".to_owned(),
        (false, Some(root)) => show(&root.value),
    }
}

/// Compares the results with a recording. `differences` are the files that may differ, each with the reason.
fn check(file: &str, format: DataFormat, differences: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in recorded(file).lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = case["text"].as_str().expect("a string");
        let expected = case["is"].as_str().expect("an outcome");
        let found = reading(format, text);
        count += 1;
        let may_differ = differences.iter().any(|(it, _)| *it == text);
        if found == expected && may_differ {
            wrong.push(format!("{text:?} no longer differs, take it off the list"));
        } else if found != expected && !may_differ {
            wrong.push(format!("{text:?}\n  Ruby {expected}\n  ours {found}"));
        }
    }
    assert!(count > 40, "only {count} files were read");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn yaml() {
    let newer = "our reader follows YAML 1.2, and there this is fine";
    let differences = [
        ("k: !!str!1\n", "the tag is read as a different one; it is unlikely in practice"),
        ("\ta: 1\n", newer),
        ("a: [?b]\n", newer),
        ("a: x\u{85}y\n", newer),
        ("a: x\u{2028}y\n", newer),
        (": 1\n", newer),
    ];
    check("yaml.jsonl", DataFormat::Yaml, &differences);
}

#[test]
fn json() {
    check("json.jsonl", DataFormat::Json, &[]);
}

#[test]
fn hocon() {
    let differences = [("a = ${nope}", "the name may come from the machine's environment")];
    check("hocon.jsonl", DataFormat::Hocon, &differences);
}

/// Comparison with YAML written by Ruby.
#[test]
fn written_yaml() {
    let mut wrong = Vec::new();
    let recorded = recorded("written.jsonl");
    for line in recorded.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let data =
            data::read(DataFormat::Json, case["data"].as_str().expect("a string")).root.expect("data").value;
        let number = |name: &str| case["layout"][name].as_i64();
        let layout = YamlFormat { indentation: number("indentation"), line_width: number("line_width") };
        let found = hiera::yaml::write(&data, layout, usize::MAX);
        if found.as_deref() != case["is"].as_str() {
            wrong.push(format!("{line}\n  ours {found:?}"));
        }
    }
    assert!(recorded.lines().count() > 200);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn random_lookups() {
    // Puppet removes a knocked-out element from its in-memory copy of the file, which affects the next
    // lookup.
    lookups::check(&recorded("random.jsonl"), 3_000, &[(58, "m::d")]);
}

#[test]
fn lookups() {
    lookups::check(&recorded("lookups.jsonl"), 180, &[]);
}
