//! Differences and rules of octocatalog-diff, compared with its recorded output.

use comparison::catalog_file;
use comparison::octocatalog::{
    DiffFilter, DiffRules, IgnoreRule, OctoDefaults, diff, items, render, resources_of_file,
};
use serde_json::{Value as Json, json};

/// Recorded runs of octocatalog-diff, which `tests/conformance/octocatalog/record.rb` writes.
const RECORDED: &str = include_str!("../../../tests/conformance/octocatalog/cases.jsonl");

/// Rules, defaults, and the header of a run.
#[derive(Default)]
struct Run {
    rules: DiffRules,
    defaults: OctoDefaults,
    header: Option<String>,
}

/// Converts the options of octocatalog-diff; `None` for those that only the command line knows.
fn run_of(options: &[String]) -> Option<Run> {
    let mut run = Run::default();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let mut values = || options.next().into_iter().flat_map(|it| it.split(','));
        match option.as_str() {
            "--ignore" => run.rules.ignored.extend(values().map(|it| IgnoreRule::parse(it).expect("a rule"))),
            "--ignore-attr" => {
                run.rules
                    .ignored
                    .extend(values().map(|it| IgnoreRule::of_attribute(it).expect("an attribute")));
            }
            "--ignore-tags" => run.rules.ignored_tags.extend(values().map(str::to_owned)),
            "--filters" => {
                run.rules.filters.extend(values().map(|it| it.parse::<DiffFilter>().expect("a filter")));
            }
            "--include-tags" => run.defaults.includes_tags = true,
            "--no-suppress-absent-file-details" => run.defaults.suppresses_absent_files = false,
            "--header" => run.header = values().next().map(str::to_owned),
            _ => return None,
        }
    }
    Some(run)
}

fn resources(catalog: &Json) -> Vec<Json> {
    resources_of_file(&catalog_file::read(&catalog.to_string()).expect("a catalog")[0])
}

#[test]
fn differences_equal_those_of_octocatalog_diff() {
    let mut count = 0;
    for (number, line) in RECORDED.lines().enumerate() {
        let case: Json = serde_json::from_str(line).expect("JSON");
        let options: Vec<String> = serde_json::from_value(case["options"].clone()).expect("options");
        let Some(run) = run_of(&options) else { continue };
        let found = diff(&resources(&case["from"]), &resources(&case["to"]), &run.rules, run.defaults);
        let output = render(&found.items, run.header.as_deref());
        assert_eq!(Some(output.as_str()), case["output"].as_str().map(str::trim_end), "line {}", number + 1);
        count += 1;
    }
    assert!(count > 50, "{count} runs");
}

#[test]
fn rules_match_by_type_title_and_attribute() {
    let resource =
        |mode: &str| json!({"type": "File", "title": "/etc/ntp.conf", "parameters": {"mode": mode}});
    let items = items(&[resource("0644")], &[resource("0600")]);
    let cases = [
        ("File", true),
        ("file[/ETC/ntp.conf]", true),
        ("File[/etc/*]", true),
        ("File[/etc]", false),
        ("Service", false),
        ("*[*]::parameters::mode", true),
        ("*[*]::parameters::owner", false),
        ("*[*]~", true),
        ("*[*]+", false),
    ];
    for (rule, expected) in cases {
        let rule = IgnoreRule::parse(rule).expect(rule);
        assert_eq!(items.iter().all(|it| rule.matches(it)), expected, "{rule:?}");
    }
    for invalid in ["", "[a]", "File[]", "File[/a", "a b"] {
        let error = IgnoreRule::parse(invalid).expect_err(invalid);
        assert_eq!(
            error,
            format!("`{invalid}` is not of the form `Type[Title]` or `Type[Title]::attribute`")
        );
    }
}
