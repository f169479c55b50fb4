//! Evaluation of code compared with recorded results of real Puppet: value, type, log messages, line of an error. The
//! tables are in `tests/conformance/eval`. Each is checked by the tests of the crate whose behavior it describes.

mod check;
pub mod evaluation;
mod read;

use std::collections::HashSet;

pub use check::{Difference, differences};
pub use read::{
    EvalCase, EvalError, EvalLog, EvalSettings, LogMessage, read_all_eval_cases, read_eval_cases,
};

/// Intended differences from Puppet, and cases that need more than evaluation. Fields: `outcome`, or `line` if only the
/// line of the error differs; file; source (`␊` for a line end); reason.
const DIFFERENCES: &str = include_str!("../../conformance/eval/differences.tsv");

/// Beginnings of the names of the tables that a crate other than `eval` checks.
const OWNERS: &[(&str, &str)] = &[
    ("operators", "operators-"),
    ("functions", "functions-"),
    ("functions", "conversions"),
    ("functions", "sprintf"),
    ("functions", "string-formats"),
];

/// Returns the crate that checks a table.
fn owner(table: &str) -> &'static str {
    OWNERS.iter().find(|(_, beginning)| table.starts_with(beginning)).map_or("eval", |(owner, _)| owner)
}

/// Checks all tables of a crate.
///
/// # Panics
/// Panics if a result differs from Puppet's and is not listed in `differences.tsv`, or is listed and does not differ.
pub fn check_tables_of(crate_name: &'static str) {
    let work = move || {
        let cases = read_all_eval_cases().unwrap_or_else(|error| panic!("{error}"));
        let cases: Vec<&EvalCase> = cases.iter().filter(|it| owner(&it.place) == crate_name).collect();
        assert!(!cases.is_empty(), "no cases of `{crate_name}`");
        let listed = listed_differences();
        let failures: Vec<String> = cases.iter().flat_map(|case| unlisted(case, &listed)).collect();
        let shown = failures.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(failures.is_empty(), "{} of {} cases differ:\n{shown}", failures.len(), cases.len());
    };
    let thread = std::thread::Builder::new().stack_size(eval::STACK_SIZE).spawn(work).expect("a thread");
    assert!(thread.join().is_ok(), "see above");
}

fn listed_differences() -> HashSet<[&'static str; 3]> {
    let row = |line: &'static str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [kind @ ("outcome" | "line"), file, source, _] = fields[..] else {
            panic!("differences.tsv: {line}")
        };
        [kind, file, source]
    };
    DIFFERENCES.lines().map(row).collect()
}

/// Returns the differences of a case that are not listed, and listed ones that do not exist.
fn unlisted(case: &EvalCase, listed: &HashSet<[&str; 3]>) -> Vec<String> {
    let file = case.place.split(':').next().unwrap_or_default();
    let source = case.source.replace('\n', "␊");
    let found = differences(case);
    let mut failures = Vec::new();
    for (kind, is_line) in [("outcome", false), ("line", true)] {
        let of_kind = found.iter().filter(|it| it.is_line == is_line);
        let texts: Vec<&str> = of_kind.map(|it| it.text.as_str()).collect();
        match (texts.is_empty(), listed.contains(&[kind, file, &source])) {
            (true, true) => failures.push(format!("{}: agrees, so it need not be listed", case.place)),
            (false, false) => {
                failures.push(format!("{}:\n  {}\n    {}", case.place, case.source, texts.join("\n    ")));
            }
            _ => {}
        }
    }
    failures
}
