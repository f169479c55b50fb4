//! Evaluation of code, each case with the result in real Puppet: value, type, log messages, line of
//! an error.

use std::collections::HashSet;

use conformance::eval_cases::read_all_eval_cases;
use conformance::eval_check::differences;

/// Intended differences from Puppet, and cases that need more than evaluation. Fields: `outcome`,
/// or `line` if only the line of the error differs; file; source (`␊` for a line end); reason.
const DIFFERENCES: &str = include_str!("../eval/differences.tsv");

#[test]
fn evaluation_agrees_with_puppet() {
    let work = || {
        let cases = read_all_eval_cases().unwrap_or_else(|error| panic!("{error}"));
        let listed: HashSet<[&str; 3]> = DIFFERENCES
            .lines()
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                let [kind @ ("outcome" | "line"), file, source, _] = fields[..] else {
                    panic!("differences.tsv: {line}")
                };
                [kind, file, source]
            })
            .collect();
        let mut failures = Vec::new();
        for case in &cases {
            let file = case.place.split(':').next().unwrap_or_default();
            let source = case.source.replace('\n', "␊");
            let found = differences(case);
            for (kind, is_line) in [("outcome", false), ("line", true)] {
                let is_listed = listed.contains(&[kind, file, &source]);
                let found: Vec<&str> =
                    found.iter().filter(|it| it.is_line == is_line).map(|it| it.text.as_str()).collect();
                match (found.is_empty(), is_listed) {
                    (true, true) => {
                        failures.push(format!("{}: agrees, so it need not be listed", case.place))
                    }
                    (false, false) => {
                        let found = found.join("\n    ");
                        failures.push(format!("{}:\n  {}\n    {found}", case.place, case.source));
                    }
                    _ => {}
                }
            }
        }
        if let Ok(file) = std::env::var("PUPPET_ANALYZER_DIFFERENCES") {
            std::fs::write(file, failures.join("\n")).expect("the file is writable");
        }
        let shown = failures.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(failures.is_empty(), "{} of {} cases differ:\n{shown}", failures.len(), cases.len());
    };
    let thread = std::thread::Builder::new().stack_size(eval::STACK_SIZE).spawn(work).expect("a thread");
    assert!(thread.join().is_ok(), "see above");
}
