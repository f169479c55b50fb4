//! What code is worth, each beside what real Puppet said: value, type, log messages, the line of an error.

use std::collections::HashSet;

use conformance::eval_cases::read_all_eval_cases;
use conformance::eval_check::differences;

/// What differs from Puppet on purpose, or needs more than evaluation: file, source (`␊` for an end of line), reason.
const DIFFERENCES: &str = include_str!("../eval/differences.tsv");

#[test]
fn evaluation_agrees_with_puppet() {
    let work = || {
        let cases = read_all_eval_cases().unwrap_or_else(|error| panic!("{error}"));
        let listed: HashSet<(&str, &str)> = DIFFERENCES
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .filter_map(|(file, rest)| Some((file, rest.split_once('\t')?.0)))
            .collect();
        let mut failures = Vec::new();
        for case in &cases {
            let file = case.place.split(':').next().unwrap_or_default();
            let is_listed = listed.contains(&(file, case.source.replace('\n', "␊").as_str()));
            let found = differences(case);
            match (found.is_empty(), is_listed) {
                (true, true) => failures.push(format!("{}: agrees, so it need not be listed", case.place)),
                (false, false) => {
                    failures.push(format!(
                        "{}:\n  {}\n    {}",
                        case.place,
                        case.source,
                        found.join("\n    ")
                    ));
                }
                _ => {}
            }
        }
        if let Ok(file) = std::env::var("PUPPET_ANALYZER_DIFFERENCES") {
            std::fs::write(file, failures.join("\n")).expect("a file that can be written");
        }
        let shown = failures.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(failures.is_empty(), "{} of {} cases differ:\n{shown}", failures.len(), cases.len());
    };
    let thread = std::thread::Builder::new().stack_size(eval::STACK_SIZE).spawn(work).expect("a thread");
    assert!(thread.join().is_ok(), "see above");
}
