//! `lookup --all-nodes` and `--all-keys`: one key on all nodes, and all keys on one node.

use std::collections::BTreeMap;
use std::fmt::Write;

use catalog_view::text::plural;
use compile::EntryPoint;
use hiera::lookup::Explanation;
use serde_json::{Value as Json, json};

use super::{LookupOutcome, Resolver, json_outcome, notation, origins, unknown_levels, visible};
use crate::arguments::AnswerFormat;
use crate::compile::subject::{Classification, NamedFacts};
use crate::compile::{entries, facts_for_entry};
use crate::{CommandOutcome, terminal};

/// A node with the facts of a platform, or its own.
struct LookupNode {
    name: String,
    /// `None` if the facts are its own.
    platform: Option<String>,
    facts: NamedFacts,
}

/// Result of a lookup on a node.
struct NodeAnswer {
    node: String,
    platform: Option<String>,
    outcome: LookupOutcome,
    /// Files and lines of the values, in lookup order.
    origins: Vec<(String, Option<u32>)>,
    open: Vec<String>,
}

/// Prints the values of a key on all nodes.
pub(super) fn all_nodes(
    resolver: &Resolver<'_>,
    key: &str,
    named: Vec<NamedFacts>,
    classification: &Classification,
) -> anyhow::Result<CommandOutcome> {
    let nodes = nodes(resolver, named)?;
    anyhow::ensure!(
        !nodes.is_empty(),
        "no node names are known\nhelp: add node definitions with names, or give the facts of nodes with `--facts FOLDER`"
    );
    let mut answers = Vec::new();
    for LookupNode { name, platform, facts } in nodes {
        let entry = EntryPoint::Code("".into());
        let Resolver { subject, analysis, environment, .. } = resolver;
        let request = subject.request(analysis, *environment, entry, Some(&name), &facts, classification);
        let (outcome, explanation) = resolver.resolve(&request, key)?;
        answers.push(NodeAnswer {
            node: name,
            platform,
            origins: origins(analysis, key, &explanation)?,
            open: unknown_levels(&explanation),
            outcome,
        });
    }
    match resolver.arguments.format {
        AnswerFormat::Json => terminal::print_json(&json_matrix(key, &answers))?,
        AnswerFormat::Text => terminal::print_text(&text_matrix(key, &answers), false)?,
    }
    Ok(worst(answers.iter().map(|it| &it.outcome)))
}

/// Returns the nodes whose facts are given; without any, the nodes of the main manifest on all platforms.
fn nodes(resolver: &Resolver<'_>, named: Vec<NamedFacts>) -> anyhow::Result<Vec<LookupNode>> {
    if named.iter().any(|it| it.node_name.is_some()) {
        let node =
            |facts: NamedFacts| Some(LookupNode { name: facts.node_name.clone()?, platform: None, facts });
        return Ok(named.into_iter().filter_map(node).collect());
    }
    let Resolver { subject, analysis, environment, .. } = resolver;
    let entries = entries(subject, analysis, *environment)?;
    let mut nodes = Vec::new();
    for entry in entries.iter().filter(|it| !it.is_class && !it.is_invented) {
        let Some(name) = entry.node() else { continue };
        for facts in facts_for_entry(subject, analysis, *environment, entry, &named)? {
            nodes.push(LookupNode { name: name.to_owned(), platform: Some(facts.name.clone()), facts });
        }
    }
    Ok(nodes)
}

/// Returns the outcome of several lookups: errors, unknown values, and missing ones, in this order.
fn worst<'a>(outcomes: impl Iterator<Item = &'a LookupOutcome>) -> CommandOutcome {
    let rank = |it: &LookupOutcome| match it {
        LookupOutcome::Failure(_) => (3, CommandOutcome::Failure),
        LookupOutcome::Perhaps(_) => (2, CommandOutcome::Inconclusive),
        LookupOutcome::Nothing => (1, CommandOutcome::Findings),
        LookupOutcome::Value(_) => (0, CommandOutcome::Clean),
    };
    outcomes.map(rank).max_by_key(|(rank, _)| *rank).map_or(CommandOutcome::Clean, |(_, outcome)| outcome)
}

fn text_outcome(outcome: &LookupOutcome) -> String {
    match outcome {
        LookupOutcome::Value(value) => notation(value),
        LookupOutcome::Perhaps(_) => "unknown".to_owned(),
        LookupOutcome::Nothing => "no value".to_owned(),
        LookupOutcome::Failure(message) => format!("error: {}", visible(message)),
    }
}

fn text_origins(origins: &[(String, Option<u32>)]) -> String {
    let place = |(path, line): &(String, Option<u32>)| {
        let line = line.map(|it| format!(":{it}")).unwrap_or_default();
        format!("{}{line}", visible(path))
    };
    origins.iter().map(place).collect::<Vec<_>>().join(", ")
}

/// Formats the answers, grouped by value and origin; the most frequent first.
fn text_matrix(key: &str, answers: &[NodeAnswer]) -> String {
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

fn json_matrix(key: &str, answers: &[NodeAnswer]) -> Json {
    let answer = |it: &NodeAnswer| {
        let mut object = json!({ "node": it.node, "platform": it.platform });
        json_outcome(&mut object, &it.outcome);
        object["origins"] = json_origins(&it.origins);
        object["open"] = json!(it.open);
        object
    };
    json!({ "key": key, "nodes": answers.iter().map(answer).collect::<Vec<_>>() })
}

fn json_origins(origins: &[(String, Option<u32>)]) -> Json {
    origins.iter().map(|(path, line)| json!({ "path": path, "line": line })).collect()
}

/// Prints the values of all keys on the node of a request.
pub(super) fn all_keys(
    resolver: &Resolver<'_>,
    request: &compile::CompileRequest,
) -> anyhow::Result<CommandOutcome> {
    let Resolver { analysis, environment, arguments, .. } = resolver;
    let mut outcomes = Vec::new();
    let (mut text, mut rows) = (String::new(), Vec::new());
    for key in analysis.data_keys(*environment)?.iter().filter(|it| *it != "lookup_options") {
        let (outcome, explanation): (LookupOutcome, Explanation) = resolver.resolve(request, key)?;
        let origins = origins(analysis, key, &explanation)?;
        let origin = text_origins(&origins);
        let origin = if origin.is_empty() { origin } else { format!(" ({origin})") };
        let _ = writeln!(text, "{}: {}{origin}", visible(key), text_outcome(&outcome));
        let mut object = json!({ "key": key });
        json_outcome(&mut object, &outcome);
        object["origins"] = json_origins(&origins);
        object["open"] = json!(unknown_levels(&explanation));
        rows.push(object);
        outcomes.push(outcome);
    }
    match arguments.format {
        AnswerFormat::Json => {
            terminal::print_json(&json!({ "node": request.node_name.as_str(), "keys": rows }))?;
        }
        AnswerFormat::Text if text.is_empty() => {
            terminal::print_text("no keys in the data files\n", false)?;
        }
        AnswerFormat::Text => terminal::print_text(&text, false)?,
    }
    // A key that only other nodes have is no finding.
    Ok(worst(outcomes.iter().filter(|it| !matches!(it, LookupOutcome::Nothing))))
}
