//! Random programs in all layouts, compared with the recorded verdicts of Puppet.

use layouts::Layout;
use layouts::verdicts::{Subject, read_recorded};

#[test]
fn verdicts_on_programs_match_puppet() {
    let recorded = read_recorded(include_str!("../../conformance/layouts.tsv"));
    let recorded = recorded.unwrap_or_else(|error| panic!("layouts.tsv: {error}"));
    let (mut count, mut wrong) = (0, Vec::new());
    for it in recorded.iter().filter(|it| it.name.starts_with("program ")) {
        let subject = Subject::of_program(it.seed, &Layout::ALL);
        count += subject.variants.len();
        wrong.extend(subject.differences(it));
    }
    assert!(count > 10_000, "only {count} variants");
    assert!(wrong.is_empty(), "{} of {count} variants differ:\n{}", wrong.len(), wrong.join("\n"));
}
