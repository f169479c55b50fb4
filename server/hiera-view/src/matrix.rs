//! Values of one key on all nodes.

use std::collections::BTreeMap;
use std::fmt::Write;

use catalog_view::text::plural;
use catalog_view::values::notation;
use cli_common::CommandOutcome;
use output::visible;
use serde_json::{Value as Json, json};

use crate::lookup::{LookupOutcome, json_outcome};

/// Result of a lookup on a node.
pub struct NodeAnswer {
    pub node: String,
    pub platform: Option<String>,
    pub outcome: LookupOutcome,
    /// Files and lines of the values, in lookup order.
    pub origins: Vec<(String, Option<u32>)>,
    pub open: Vec<String>,
}

/// Returns the outcome of several lookups: errors, unknown values, and missing ones, in this order.
pub fn worst<'a>(outcomes: impl Iterator<Item = &'a LookupOutcome>) -> CommandOutcome {
    let rank = |it: &LookupOutcome| match it {
        LookupOutcome::Failure(_) => (3, CommandOutcome::Failure),
        LookupOutcome::Perhaps(_) => (2, CommandOutcome::Inconclusive),
        LookupOutcome::Nothing => (1, CommandOutcome::Findings),
        LookupOutcome::Value(_) => (0, CommandOutcome::Clean),
    };
    outcomes.map(rank).max_by_key(|(rank, _)| *rank).map_or(CommandOutcome::Clean, |(_, outcome)| outcome)
}

pub fn text_outcome(outcome: &LookupOutcome) -> String {
    match outcome {
        LookupOutcome::Value(value) => notation(value),
        LookupOutcome::Perhaps(_) => "unknown".to_owned(),
        LookupOutcome::Nothing => "no value".to_owned(),
        LookupOutcome::Failure(message) => format!("error: {}", visible(message)),
    }
}

pub fn text_origins(origins: &[(String, Option<u32>)]) -> String {
    let place = |(path, line): &(String, Option<u32>)| {
        let line = line.map(|it| format!(":{it}")).unwrap_or_default();
        format!("{}{line}", visible(path))
    };
    origins.iter().map(place).collect::<Vec<_>>().join(", ")
}

/// Formats the answers, grouped by value and origin; the most frequent first.
pub fn text_matrix(key: &str, answers: &[NodeAnswer]) -> String {
    let mut groups: BTreeMap<(String, String), Vec<&NodeAnswer>> = BTreeMap::new();
    let mut platforms: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in answers {
        let group = (text_outcome(&answer.outcome), text_origins(&answer.origins));
        groups.entry(group).or_default().push(answer);
        *platforms.entry(&answer.node).or_default() += 1;
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    let mut text = format!("{} on {}\n", visible(key), plural(platforms.len(), "node", "nodes"));
    for ((value, origin), members) in groups {
        let origin = if origin.is_empty() { origin } else { format!(" ({origin})") };
        let _ = writeln!(text, "\n{value}{origin}");
        let mut by_node: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for member in &members {
            let of_node = by_node.entry(&member.node).or_default();
            of_node.extend(member.platform.as_deref());
        }
        for (node, on) in by_node {
            let is_everywhere = on.is_empty() || platforms.get(node) == Some(&on.len());
            let on = if is_everywhere { String::new() } else { format!(" on {}", on.join(", ")) };
            let _ = writeln!(text, "  {}{}", visible(node), visible(&on));
        }
        let mut open: Vec<&String> = members.iter().flat_map(|it| &it.open).collect();
        open.sort();
        open.dedup();
        let is_unknown = matches!(members.first().map(|it| &it.outcome), Some(LookupOutcome::Perhaps(_)));
        for reason in open.iter().filter(|_| is_unknown) {
            let _ = writeln!(text, "  open: {reason}");
        }
    }
    text
}

pub fn json_matrix(key: &str, answers: &[NodeAnswer]) -> Json {
    let answer = |it: &NodeAnswer| {
        let mut object = json!({ "node": it.node, "platform": it.platform });
        json_outcome(&mut object, &it.outcome);
        object["origins"] = json_origins(&it.origins);
        object["open"] = json!(it.open);
        object
    };
    json!({ "key": key, "nodes": answers.iter().map(answer).collect::<Vec<_>>() })
}

pub fn json_origins(origins: &[(String, Option<u32>)]) -> Json {
    origins.iter().map(|(path, line)| json!({ "path": path, "line": line })).collect()
}
