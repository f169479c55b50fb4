//! Report on a fleet as a comment on a merge request, cut to the size that GitHub accepts.

use std::fmt::Write;

use catalog_view::text::plural;
use fleet::report::FleetReport;
use output::markdown::{code_block, code_span, plain};

use super::text::{changes_of, failure_lines, group_title, summary};
use crate::diff::markdown::{MAX_LENGTH, limited, section};
use crate::diff::render::change_lines;

/// Maximum length in bytes of the reasons why nodes were not compared.
const MAX_REASONS: usize = 10_000;

/// Maximum number of nodes that are listed for one group.
const MAX_NODES: usize = 200;

/// Renders a report. `url` is where the whole report is.
pub(super) fn render(report: &FleetReport, url: Option<&str>) -> anyhow::Result<String> {
    let mut out =
        format!("### Nodes compared with {}\n\n{}.\n", code_span(&report.base), plain(&summary(report)));
    let reasons = reasons(report);
    let limit = MAX_LENGTH - reasons.len();
    let (mut left_groups, mut left_nodes) = (0, 0);
    for group in &report.groups {
        let changes = changes_of(report, group)?;
        let lines: Vec<(char, String)> = changes.iter().flat_map(change_lines).collect();
        let title = format!("**{}**", plain(&group_title(group, &changes)));
        let mut text = section(&title, &code_block("diff", &limited(&lines)), lines.len());
        if group.nodes.len() > 1 {
            text.push_str(&nodes(&group.nodes));
        }
        if left_groups > 0 || out.len() + text.len() > limit {
            left_groups += 1;
            left_nodes += group.nodes.len();
            continue;
        }
        out.push('\n');
        out.push_str(&text);
    }
    if left_groups > 0 {
        let groups = plural(left_groups, "more group of changes", "more groups of changes");
        let nodes = plural(left_nodes, "node", "nodes");
        let whole = match url {
            Some(url) => format!("the whole report is at {}", plain(url)),
            None => "`puppet-analyzer diff --nodes` with `--format html` writes the whole report".to_owned(),
        };
        let _ = writeln!(out, "\n{groups} on {nodes} left out of this comment; {whole}.");
    }
    Ok(out + &reasons)
}

/// Lists the nodes of a group, collapsed.
fn nodes(names: &[String]) -> String {
    let mut text: String = names.iter().take(MAX_NODES).map(|name| format!("{name}\n")).collect();
    if names.len() > MAX_NODES {
        let _ = writeln!(text, "… {}", plural(names.len() - MAX_NODES, "more node", "more nodes"));
    }
    let count = names.len();
    format!("\n<details><summary>{count} nodes</summary>\n\n{}\n\n</details>\n", code_block("text", &text))
}

/// Renders the reasons why nodes were not compared completely.
fn reasons(report: &FleetReport) -> String {
    let lines = failure_lines(report);
    if lines.is_empty() {
        return String::new();
    }
    let (mut text, mut shown) = (String::new(), 0);
    for line in &lines {
        if text.len() + line.len() > MAX_REASONS {
            break;
        }
        shown += 1;
        text.push_str(line);
        text.push('\n');
    }
    if shown < lines.len() {
        let _ = writeln!(text, "… {}", plural(lines.len() - shown, "more line", "more lines"));
    }
    let body = section("**Not compared, or in part**", &code_block("text", &text), shown);
    format!("\n{body}")
}
