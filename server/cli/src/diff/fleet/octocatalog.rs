//! Results of a fleet in the format of octocatalog-diff.

use comparison::octocatalog::{DiffItem, render_items};
use fleet::report::FleetReport;
use fleet::results::{ChangeSet, FailureStatus, NodeFailure};
use ide::SecretValues;
use sha2::{Digest, Sha256};

use crate::diff::octocatalog::{conceal, outcome};
use crate::diff::rules::Header;
use crate::{ColorChoice, CommandOutcome, terminal};
use fleet::container::hex;

/// Returns differences as JSON, with checksums; `None` if there are none.
pub(super) fn change_set(mut items: Vec<DiffItem>, secrets: &SecretValues) -> Option<ChangeSet> {
    conceal(&mut items, secrets);
    let json = render_items(&items);
    let id = hex(&Sha256::digest(&json));
    (!items.is_empty()).then(|| ChangeSet { key: id.clone(), id, json })
}

/// Prints one line per node with differences, and the reasons why nodes were not compared on standard error.
pub(super) fn print(
    report: &FleetReport,
    header: &Header,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let mut lines: Vec<(&str, usize)> = Vec::new();
    for (index, group) in report.groups.iter().enumerate() {
        lines.extend(group.nodes.iter().map(|node| (node.as_str(), index)));
    }
    lines.sort_unstable();
    for (node, group) in &lines {
        let items = report.changes(&report.groups[*group])?;
        let header = header.of_node(node).map(|it| serde_json::to_string(&it)).transpose()?;
        let header = header.map(|it| format!(",\"header\":{it}")).unwrap_or_default();
        terminal::print_json_text(&format!("{{\"diff\":{items}{header}}}\n"))?;
    }
    let failure = |(node, NodeFailure { status, reason, .. }): &(String, NodeFailure)| {
        let status = match status {
            FailureStatus::Failed => "fails",
            FailureStatus::Open => "open",
        };
        format!("{node}: {status}: {reason}")
    };
    let failures: Vec<String> =
        report.failures.iter().map(failure).chain(report.limitations.iter().cloned()).collect();
    Ok(outcome(&failures, !lines.is_empty(), report.ignored.changes, color))
}
