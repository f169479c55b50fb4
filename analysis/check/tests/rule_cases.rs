//! The cases of the rules: the blocks `fixture` of each `cases.md`, whose marks are the findings.

use std::panic::catch_unwind;

use check::{Diagnostic, Tier, diagnostics, rule_table};
use fixture::rule_cases::{RuleCases, workspace_of};
use syntax::Severity;

use crate::compare;

/// Compares the findings of the live tiers, except hints, with the marks.
#[track_caller]
pub(crate) fn check(fixture: &str) {
    let wanted = |path: &str| [".pp", ".epp", ".erb"].iter().any(|end| path.ends_with(end));
    compare(&workspace_of(fixture.trim_start(), None), wanted, |db, file| {
        let found = Tier::LIVE.into_iter().flat_map(|tier| diagnostics(db, file, tier));
        let shown = found.filter(|it| it.severity() != Severity::Hint);
        let rendered = |it: Diagnostic| {
            let severity = format!("{:?}", it.severity()).to_lowercase();
            (it.range, format!("{severity} {}: {}", it.code, codes::single_line(&it.message)))
        };
        shown.map(rendered).collect()
    });
}

#[test]
fn marks_of_all_cases_are_the_findings() {
    let mut wrong = Vec::new();
    for rule in rule_table() {
        let cases = RuleCases::beside(rule.page);
        let known =
            ["phase", "messages", "fixes", "without-fix", "verdicts", "accepted", "fixture", "advice"];
        let of_lint = ["puppet", "found", "fixed"];
        let unknown = cases.languages().into_iter().filter(|it| !known.contains(it) && !of_lint.contains(it));
        wrong.extend(unknown.map(|it| format!("{}: unknown block `{it}`", rule.code)));
        for fixture in cases.blocks("fixture") {
            if catch_unwind(|| check(fixture)).is_err() {
                wrong.push(format!("{}: {fixture}", rule.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
