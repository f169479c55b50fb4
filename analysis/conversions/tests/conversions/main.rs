//! `Type.new(...)`, formats and interpolation compared with recordings of real Puppet, made by `record.rb`.

mod evaluate;
mod hostile;
mod unknown;

use types::rich_data::to_json;
use types::text::to_notation;
use types::{NoTypes, Value};

/// Checks a table whose lines consist of an expression, a tab, and its value in Puppet notation, or `!` for
/// an error.
fn check(name: &str, table: &str, at_least: usize) {
    check_with(name, table, at_least, |value| Some(to_notation(value, &NoTypes)));
}

/// Checks a table whose lines consist of an expression, a tab, and the result of `show` for its value, or `!`
/// for `None`.
fn check_with(name: &str, table: &str, at_least: usize, show: impl Fn(&Value) -> Option<String>) {
    let mut cases = 0;
    let mut different = Vec::new();
    for (index, line) in table.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((source, expected)) = line.split_once('\t') else {
            panic!("{name}:{}: there is no tab", index + 1);
        };
        cases += 1;
        let found = evaluate::evaluate(source);
        let found_text = found.as_ref().ok().and_then(&show).unwrap_or_else(|| "!".to_owned());
        if found_text != expected {
            let why = found.as_ref().err().map_or("", String::as_str);
            different.push(format!(
                "{name}:{}: {source}\n  expected {expected}\n  found    {found_text} {why}",
                index + 1
            ));
        }
    }
    assert!(different.is_empty(), "{} of {cases} differ\n{}", different.len(), different.join("\n"));
    assert!(cases >= at_least, "only {cases} cases in {name}");
}

#[test]
fn formats_of_single_values() {
    check("formats.tsv", include_str!("formats.tsv"), 1000);
}

#[test]
fn formats_of_containers() {
    check("containers.tsv", include_str!("containers.tsv"), 150);
}

#[test]
fn conversions() {
    check("conversions.tsv", include_str!("conversions.tsv"), 1000);
}

#[test]
fn interpolation() {
    check("interpolation.tsv", include_str!("interpolation.tsv"), 30);
}

#[test]
fn rich_data_as_json() {
    // JSON objects are unordered.
    let sorted = |json: &str| serde_json::from_str::<serde_json::Value>(json).map(|json| json.to_string());
    let table: Vec<String> = include_str!("rich_data.tsv")
        .lines()
        .map(|line| match line.split_once('\t') {
            Some((source, json)) => format!("{source}\t{}", sorted(json).unwrap_or_else(|_| json.to_owned())),
            None => line.to_owned(),
        })
        .collect();
    let show = |value: &Value| {
        types::rich_data::rich_data(value, &NoTypes).is_ok().then(|| to_json(value, &NoTypes).to_string())
    };
    check_with("rich_data.tsv", &table.join("\n"), 100, show);
}
