//! `textDocument/codeLens`, `codeLens/resolve`.

use std::fmt::Write;

use ide::{Cancellable, ClassStatus, CodeLensKind, Verdict};
use lsp_types::{CodeLens, CodeLensParams, Command, Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;

use super::references::locations;
use crate::{RequestFile, SHOW_CATALOG, SHOW_GRAPH, SHOW_REFERENCES, Server, Snapshot};

/// Data of a lens for `codeLens/resolve`.
#[derive(Deserialize, Serialize)]
struct LensData {
    uri: Uri,
    /// True if the lens counts Hiera keys.
    #[serde(default)]
    of_data: bool,
}

pub(super) async fn code_lenses(server: &Server, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    server.ask("textDocument/codeLens", &params.text_document.uri, answer).await
}

fn answer(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<Vec<CodeLens>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.code_lenses(file.id)?;
    let wanted = snapshot.code_lenses;
    let found = found.into_iter().filter(|lens| match lens.kind {
        CodeLensKind::Uses => wanted.references,
        CodeLensKind::Data => wanted.data,
    });
    let lenses = found.map(|lens| CodeLens {
        range: converter.range(lens.range),
        command: None,
        data: serde_json::to_value(LensData {
            uri: file.uri.clone(),
            of_data: lens.kind == CodeLensKind::Data,
        })
        .ok(),
    });
    let mut lenses: Vec<CodeLens> = lenses.collect();
    if wanted.catalogs {
        lenses.extend(catalog_lenses(snapshot, file)?);
    }
    Ok(lenses)
}

/// Returns the lenses with the results of the last compiles of the classes in a file, and the commands that
/// show their catalogs. Compiles nothing.
fn catalog_lenses(snapshot: &Snapshot, file: &RequestFile) -> Cancellable<Vec<CodeLens>> {
    let converter = file.converter(snapshot);
    let statuses = snapshot.class_statuses(&snapshot.analysis.path(file.id)).unwrap_or_default();
    let features = &snapshot.features;
    let mut lenses = Vec::new();
    for (node, range) in snapshot.analysis.nodes_of_file(file.id)? {
        let status = statuses.iter().find(|it| it.is_node && it.name == node);
        lenses.extend(status.map(|it| status_lens(it, converter.range(range), false)));
    }
    for (class, range) in snapshot.analysis.classes_of_file(file.id)? {
        let range = converter.range(range);
        if let Some(status) = statuses.iter().find(|it| !it.is_node && it.name == class.name) {
            lenses.push(status_lens(status, range, features.shows_catalogs));
        }
        let commands = [
            (features.shows_catalogs, "Show catalog", SHOW_CATALOG),
            (features.shows_graphs, "Show graph", SHOW_GRAPH),
        ];
        for (_, title, name) in commands.into_iter().filter(|(has_command, ..)| *has_command) {
            lenses.push(lens(range, title.to_owned(), None, name, Some(json!({ "class": class.name }))));
        }
    }
    Ok(lenses)
}

/// Builds the lens that shows on how many platforms a class compiles, or for how many of its hosts a node
/// definition, after the symbol of the worst verdict. If all results are inconclusive, it only shows why. Its
/// command shows the first platform that fails.
fn status_lens(status: &ClassStatus, range: Range, has_command: bool) -> CodeLens {
    let ClassStatus { name, platforms, compiles, fails, inconclusive, inconclusive_reasons, is_node } =
        status;
    let noun = match (is_node, platforms) {
        (true, 1) => "node",
        (true, _) => "nodes",
        (false, 1) => "platform",
        (false, _) => "platforms",
    };
    let verdict = match (fails.is_empty(), inconclusive.is_empty()) {
        (false, _) => Verdict::Fails,
        (true, false) => Verdict::Inconclusive,
        (true, true) => Verdict::Compiles,
    };
    let on = if *is_node { "for" } else { "on" };
    let sign = verdict.sign();
    let mut title = match (compiles, fails.len()) {
        (0, 0) => format!("{sign} {}", main_reason(inconclusive_reasons)),
        (0, count) => format!("{sign} fails {on} {count} of {platforms} {noun}"),
        (count, _) => format!("{sign} compiles {on} {count} of {platforms} {noun}"),
    };
    if !inconclusive.is_empty() && (*compiles > 0 || !fails.is_empty()) {
        let _ = write!(title, ", inconclusive {on} {}", inconclusive.len());
    }
    let mut lines = Vec::new();
    if !fails.is_empty() {
        lines.push(format!("Fails {on} {}", fails.join(", ")));
    }
    if !inconclusive.is_empty() {
        lines.push(format!(
            "Inconclusive {on} {}: {}",
            inconclusive.join(", "),
            inconclusive_reasons.join("; ")
        ));
    }
    let tooltip = Some(lines.join("\n")).filter(|it| !it.is_empty());
    match fails.first().filter(|_| has_command) {
        Some(platform) => {
            let target = json!({ "class": name, "platform": platform });
            lens(range, title, tooltip, SHOW_CATALOG, Some(target))
        }
        None => lens(range, title, tooltip, "", None),
    }
}

/// Maximum length of a reason in the title of a lens, in characters.
const MAX_REASON_LENGTH: usize = 100;

/// Returns the reason that explains an inconclusive result best: a missing module explains the others.
fn main_reason(reasons: &[String]) -> String {
    let of_module = reasons.iter().find(|it| it.starts_with("module `"));
    let Some(reason) = of_module.or_else(|| reasons.first()) else { return "inconclusive".to_owned() };
    match reason.char_indices().nth(MAX_REASON_LENGTH) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.clone(),
    }
}

fn lens(
    range: Range,
    title: String,
    tooltip: Option<String>,
    command: &str,
    argument: Option<Value>,
) -> CodeLens {
    let arguments = argument.map(|it| vec![it]);
    let command = Command { title, tooltip, command: command.to_owned(), arguments };
    CodeLens { range, command: Some(command), data: None }
}

pub(super) async fn resolve(server: &Server, mut lens: CodeLens) -> Result<CodeLens> {
    let data = lens.data.clone().and_then(|data| serde_json::from_value::<LensData>(data).ok());
    let Some(LensData { uri, of_data }) = data else { return Ok(lens) };
    let position = lens.range.start;
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        let offset = file.converter(snapshot).offset(position);
        let has_command = snapshot.features.shows_references;
        let found = if of_data {
            snapshot.analysis.data_of_class(file.id, offset)?
        } else {
            snapshot.analysis.uses(file.id, offset)?
        };
        let Some(found) = found else { return Ok(None) };
        locations(snapshot, &found).map(|it| Some((it, has_command)))
    };
    let Some((found, has_command)) = server.ask("codeLens/resolve", &uri, request).await?.flatten() else {
        return Ok(lens);
    };
    let title = match (of_data, found.len()) {
        (false, 1) => "1 reference".to_owned(),
        (false, count) => format!("{count} references"),
        (true, 1) => "1 Hiera reference".to_owned(),
        (true, count) => format!("{count} Hiera references"),
    };
    // Without the command, the lens only shows the number.
    let command = if has_command { SHOW_REFERENCES } else { "" };
    let arguments = [serde_json::to_value(&uri), serde_json::to_value(position), serde_json::to_value(found)];
    let arguments = arguments.into_iter().filter_map(|it| it.ok()).collect();
    lens.command = Some(Command {
        title,
        tooltip: None,
        command: command.to_owned(),
        arguments: has_command.then_some(arguments),
    });
    Ok(lens)
}
