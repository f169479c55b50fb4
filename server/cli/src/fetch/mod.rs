//! `facts fetch`: a snapshot of the facts of nodes.

mod settings;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use catalog_view::text::plural;
use fleet::container::LineWriter;
use fleet::nodes::{SNAPSHOT, SNAPSHOT_WITH_EXPORTS, SnapshotScope};
use fleet::puppetdb::{NodeSelection, PuppetDb, PuppetDbEvent, all_of, selector};
use output::secrets::{REDACTED, SecretKeys};
use serde_json::{Map, Value as Json, json};

use self::settings::ConnectionArguments;
use crate::terminal::{ProgressLine, RunProgress};
use crate::{ColorChoice, CommandOutcome, files, terminal};

/// Maximum number of nodes that a warning names.
const MAX_NAMED: usize = 10;

#[derive(clap::Subcommand, Debug)]
pub(super) enum FactsCommand {
    /// Write the facts of nodes from PuppetDB to a file
    #[command(after_help = crate::FETCH_EXAMPLES)]
    Fetch(Box<FetchArguments>),
}

#[derive(clap::Args, Debug)]
pub(super) struct FetchArguments {
    #[command(flatten)]
    connection: ConnectionArguments,

    /// Nodes, separated by commas: names, `re:REGEX`, `C:CLASS` for those with a class, and `R:TYPE[TITLE]` for those
    /// with a resource; may be repeated [default: all nodes]
    #[arg(long, value_name = "SELECTION")]
    nodes: Vec<String>,

    /// Query that selects nodes: PQL with `certname`, or JSON for the entity `inventory`
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,

    /// Leave out a fact, such as `ssh` or `os.macosx`; may be repeated
    #[arg(long, value_name = "FACT", num_args = 1..)]
    drop: Vec<String>,

    /// Add the resources that nodes export, also those of nodes that are not selected, for `--exported snapshot`
    #[arg(long)]
    exported: bool,

    /// Mask the values of facts whose names suggest secrets
    #[arg(long)]
    mask: bool,

    /// File to write; only you can read it
    #[arg(long, value_name = "FILE", default_value = "nodes.snapshot")]
    output: PathBuf,
}

pub(super) fn run(command: &FactsCommand, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let FactsCommand::Fetch(arguments) = command;
    let selection = selection(arguments)?;
    let mut server = PuppetDb::new(arguments.connection.connection()?)?;
    let selected = Arc::new(AtomicUsize::new(0));
    let total = selected.clone();
    server.set_listener(move |event| match event {
        PuppetDbEvent::Selected(count) => total.store(count, Ordering::Relaxed),
        PuppetDbEvent::Retrying { failure, delay } => {
            terminal::print_warning(color, &retry_warning(&failure, delay));
        }
        PuppetDbEvent::WithoutFacts(names) => {
            terminal::print_warning(color, &missing_facts_warning(&names));
        }
    });
    let kind = if arguments.exported { SNAPSHOT_WITH_EXPORTS } else { SNAPSHOT };
    let scope = SnapshotScope {
        has_all_nodes: arguments.nodes.is_empty() && arguments.query.is_none(),
        has_all_facts: arguments.drop.is_empty() && !arguments.mask,
    };
    let mut writer = LineWriter::create(&arguments.output, kind, &json!({ "scope": scope }))?;
    let (keys, mut nodes) = (SecretKeys::default(), 0);
    let (mut bar, start) = (ProgressLine::new(true, "nodes fetched"), Instant::now());
    let fetched = server.inventories(&selection, |row| {
        nodes += 1;
        let total = selected.load(Ordering::Relaxed);
        bar.show(RunProgress { done: nodes, total, elapsed: start.elapsed() });
        writer.line(&node(row, arguments, &keys))
    });
    bar.finish();
    fetched?;
    anyhow::ensure!(nodes > 0, "PuppetDB has no such nodes");
    let mut resources = 0;
    if arguments.exported {
        server.exported_resources(|certname, rows| {
            resources += rows.len();
            let rows: Vec<Json> = rows.into_iter().map(|row| exported(row, arguments, &keys)).collect();
            writer.line(&json!({ "exported": rows, "certname": certname }))
        })?;
    }
    writer.finish()?;
    let shown = files::display_path(&arguments.output);
    let mut written = plural(nodes, "node", "nodes");
    if arguments.exported {
        written.push_str(&format!(" and {}", plural(resources, "exported resource", "exported resources")));
    }
    terminal::print_text(&format!("wrote {written} to `{shown}`\n"), false)?;
    Ok(CommandOutcome::Clean)
}

/// Returns the warning about a failed attempt.
fn retry_warning(failure: &str, delay: Duration) -> String {
    let when = if delay.is_zero() { String::new() } else { format!(" in {} s", delay.as_secs_f64()) };
    format!("PuppetDB did not answer completely; trying again{when}\n{failure}")
}

/// Returns the warning about selected nodes without facts.
fn missing_facts_warning(names: &[String]) -> String {
    let named: Vec<String> = names.iter().take(MAX_NAMED).map(|it| format!("`{it}`")).collect();
    let others = match names.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        count => format!(" and {}", plural(count, "other node", "other nodes")),
    };
    format!("PuppetDB has no facts of {}{others}", named.join(", "))
}

fn selection(arguments: &FetchArguments) -> anyhow::Result<NodeSelection> {
    let mut selectors = Vec::new();
    for text in arguments.nodes.iter().flat_map(|list| split_selectors(list)) {
        let invalid = |message| anyhow::anyhow!("invalid selection `{text}`: {message}");
        selectors.push(selector(text).map_err(invalid)?);
    }
    let of_nodes = match selectors.len() {
        0 | 1 => selectors.pop(),
        _ => Some(json!([&[json!("or")], &selectors[..]].concat())),
    };
    let Some(query) = &arguments.query else { return Ok(NodeSelection::Inventory(of_nodes)) };
    if query.trim_start().starts_with('[') {
        let query = serde_json::from_str(query).context("invalid query")?;
        Ok(NodeSelection::Inventory(all_of(Some(query), of_nodes)))
    } else {
        anyhow::ensure!(of_nodes.is_none(), "`--nodes` cannot be combined with a query in PQL");
        Ok(NodeSelection::Pql(query.clone()))
    }
}

/// Splits a list of selections at commas. A regular expression and a title may contain commas.
fn split_selectors(list: &str) -> Vec<&str> {
    if list.starts_with("re:") || list.starts_with("R:") {
        return vec![list];
    }
    list.split(',').map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// Returns the line of a node.
fn node(mut row: Json, arguments: &FetchArguments, keys: &SecretKeys) -> Json {
    let mut facts = row["facts"].take();
    for fact in &arguments.drop {
        drop_fact(&mut facts, fact);
    }
    let mut trusted = row["trusted"].take();
    if arguments.mask {
        mask(&mut facts, keys);
        mask(&mut trusted, keys);
    }
    let mut line = json!({ "certname": row["certname"].take(), "facts": facts });
    if trusted.is_object() {
        line["trusted"] = trusted;
    }
    line
}

/// Returns what a snapshot holds of an exported resource.
fn exported(mut row: Json, arguments: &FetchArguments, keys: &SecretKeys) -> Json {
    let mut parameters = row["parameters"].take();
    if arguments.mask {
        mask(&mut parameters, keys);
    }
    json!({ "type": row["type"], "title": row["title"], "parameters": parameters, "tags": row["tags"] })
}

/// Removes a fact, given by its name or a path in it. A name may contain dots.
fn drop_fact(facts: &mut Json, path: &str) {
    let Some(entries) = facts.as_object_mut() else { return };
    if entries.shift_remove(path).is_none()
        && let Some((first, rest)) = path.split_once('.')
        && let Some(inner) = entries.get_mut(first)
    {
        drop_fact(inner, rest);
    }
}

fn mask(value: &mut Json, keys: &SecretKeys) {
    let mask_entries = |entries: &mut Map<String, Json>| {
        for (name, value) in entries {
            if keys.is_secret(name) { *value = json!(REDACTED) } else { mask(value, keys) }
        }
    };
    match value {
        Json::Object(entries) => mask_entries(entries),
        Json::Array(elements) => elements.iter_mut().for_each(|element| mask(element, keys)),
        _ => {}
    }
}
