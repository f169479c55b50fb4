//! What code is worth, each beside what real Puppet said: value, type, log messages, the line of an error.

use conformance::eval_cases::read_all_eval_cases;
use conformance::eval_check::differences;

/// What differs from Puppet on purpose or needs more than evaluation: file and beginning of the source, and why.
const DIFFERENCES: &[(&str, &str, &str)] = &[];

#[test]
fn evaluation_agrees_with_puppet() {
    let work = || {
        let cases = read_all_eval_cases().unwrap_or_else(|error| panic!("{error}"));
        let mut failures = Vec::new();
        for case in &cases {
            let is_listed = DIFFERENCES
                .iter()
                .any(|(file, source, _)| case.place.starts_with(file) && case.source.starts_with(source));
            let found = differences(case);
            match (found.is_empty(), is_listed) {
                (true, true) => failures.push(format!("{}: agrees, so it need not be listed", case.place)),
                (false, false) => {
                    failures.push(format!("{}:\n  {}\n    {}", case.place, case.source, found.join("\n    ")));
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
