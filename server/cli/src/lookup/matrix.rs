//! `lookup --all-nodes` and `--all-keys`: one key on all nodes, and all keys on one node.

use std::fmt::Write;

use compile::EntryPoint;
use hiera_view::lookup::{BATCH_SIZE, LookupOutcome, Resolver, json_outcome, origins, unknown_levels};
use hiera_view::matrix::{NodeAnswer, json_origins, text_origins, text_outcome, worst};
use output::visible;
use serde_json::json;

use crate::arguments::AnswerFormat;
use crate::compile::subject::{Classification, NamedFacts, Subject};

use crate::{CommandOutcome, terminal};
use cli_common::entry::{entries, facts_for_entry};

/// A node with the facts of a platform, or its own.
struct LookupNode {
    name: String,
    /// `None` if the facts are its own.
    platform: Option<String>,
    facts: NamedFacts,
}

/// Returns the values of a key on all nodes.
pub(super) fn all_nodes(
    subject: &Subject,
    resolver: &Resolver<'_>,
    key: &str,
    named: Vec<NamedFacts>,
    classification: &Classification,
) -> anyhow::Result<Vec<NodeAnswer>> {
    let Resolver { analysis, environment, .. } = resolver;
    let nodes = nodes(subject, resolver, named)?;
    anyhow::ensure!(
        !nodes.is_empty(),
        "no node names are known\nhelp: add node definitions with names, or give the facts of nodes with `--facts FOLDER`"
    );
    let mut answers = Vec::new();
    for LookupNode { name, platform, facts } in nodes {
        let entry = EntryPoint::Code("".into());
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
    Ok(answers)
}

/// Returns the nodes whose facts are given; without any, the nodes of the main manifest on all platforms.
fn nodes(
    subject: &Subject,
    resolver: &Resolver<'_>,
    named: Vec<NamedFacts>,
) -> anyhow::Result<Vec<LookupNode>> {
    if named.iter().any(|it| it.node_name.is_some()) {
        let node =
            |facts: NamedFacts| Some(LookupNode { name: facts.node_name.clone()?, platform: None, facts });
        return Ok(named.into_iter().filter_map(node).collect());
    }
    let Resolver { analysis, environment, .. } = resolver;
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

/// Prints the values of all keys on the node of a request.
pub(super) fn all_keys(
    resolver: &Resolver<'_>,
    request: &compile::CompileRequest,
    format: AnswerFormat,
) -> anyhow::Result<CommandOutcome> {
    let Resolver { analysis, environment, .. } = resolver;
    let mut outcomes = Vec::new();
    let (mut text, mut rows) = (String::new(), Vec::new());
    let keys = analysis.data_keys(*environment)?;
    let keys: Vec<&str> = keys.iter().map(String::as_str).filter(|it| *it != "lookup_options").collect();
    for batch in keys.chunks(BATCH_SIZE) {
        for (key, (outcome, explanation)) in batch.iter().zip(resolver.resolve_all(request, batch)?) {
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
    }
    match format {
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
