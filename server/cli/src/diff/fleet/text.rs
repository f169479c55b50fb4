//! Report on a fleet as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use catalog_view::text::plural;
use fleet::report::{FleetGroup, FleetReport, IgnoredChanges};
use fleet::results::{FailureStatus, FleetSide, NodeFailure};
use output::visible;

use crate::diff::render::{change_lines, painted, painted_line, shortened};
use comparison::compare::ResourceChange;

/// Maximum number of nodes listed for one reason.
const MAX_NAMED: usize = 10;

/// Returns the number of changes and of nodes of a group: `one change on 812 nodes`.
pub(super) fn group_title(group: &FleetGroup, changes: &[ResourceChange]) -> String {
    let changes =
        if changes.len() == 1 { "one change".to_owned() } else { format!("{} changes", changes.len()) };
    let names: Vec<&str> = group.nodes.iter().map(String::as_str).collect();
    let names = visible(&shortened(&names)).into_owned();
    match group.nodes.len() {
        1 => format!("{changes} on one node: {names}"),
        count => format!("{changes} on {count} nodes: {names}"),
    }
}

/// Returns the changes of a group.
pub(super) fn changes_of(report: &FleetReport, group: &FleetGroup) -> anyhow::Result<Vec<ResourceChange>> {
    Ok(serde_json::from_str(&report.changes(group)?)?)
}

/// Returns the lines on nodes that were not compared completely.
pub(super) fn failure_lines(report: &FleetReport) -> Vec<String> {
    let mut reasons: BTreeMap<&NodeFailure, Vec<&str>> = BTreeMap::new();
    for (node, failure) in &report.failures {
        reasons.entry(failure).or_default().push(node);
    }
    let mut lines = Vec::new();
    for (NodeFailure { side, status, reason }, nodes) in reasons {
        let side = match side {
            FleetSide::Base => "base",
            FleetSide::Head => "head",
            FleetSide::Both => "base and head",
        };
        let status = match status {
            FailureStatus::Failed => "fails",
            FailureStatus::Open => "open",
        };
        let reason = codes::single_line(reason).replace('\n', " ");
        lines.push(format!(
            "{status} at {side}, on {}: {}",
            plural(nodes.len(), "node", "nodes"),
            visible(&reason)
        ));
        lines.extend(nodes.iter().take(MAX_NAMED).map(|node| format!("    {}", visible(node))));
        if nodes.len() > MAX_NAMED {
            lines.push(format!("    and {} more", nodes.len() - MAX_NAMED));
        }
    }
    lines.extend(report.limitations.iter().map(|limitation| visible(limitation).into_owned()));
    lines
}

/// Counts the nodes by result.
pub(super) fn summary(report: &FleetReport) -> String {
    let counts = report.summary;
    let summary = format!(
        "{}: {} same, {} changed, {} failed, {} open",
        plural(report.nodes(), "node", "nodes"),
        counts.same,
        counts.changed,
        counts.failed,
        counts.open
    );
    match report.ignored {
        IgnoredChanges { changes: 0, .. } => summary,
        IgnoredChanges { changes, nodes } => {
            let changes = plural(changes, "change", "changes");
            format!("{summary}; {changes} ignored on {}", plural(nodes, "node", "nodes"))
        }
    }
}

/// Passes the report to `print`, in parts.
pub(super) fn write(
    report: &FleetReport,
    is_colored: bool,
    mut print: impl FnMut(&str) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    for group in &report.groups {
        let changes = changes_of(report, group)?;
        let mut out = painted("1", &group_title(group, &changes), is_colored) + "\n";
        for (sign, line) in changes.iter().flat_map(change_lines) {
            let _ = writeln!(out, "  {}", painted_line(sign, &line, is_colored));
        }
        print(&(out + "\n"))?;
    }
    let failures = failure_lines(report);
    if !failures.is_empty() {
        let title = painted("33", "Not compared, or in part:", is_colored);
        print(&format!("{title}\n{}\n\n", failures.join("\n")))?;
    }
    print(&(painted("1", &summary(report), is_colored) + "\n"))?;
    Ok(())
}
