//! `textDocument/codeLens`, `codeLens/resolve`.

use ide::{Cancellable, CodeLensKind};
use lsp_types::{CodeLens, CodeLensParams, Command, Uri};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;

use super::references::locations;
use crate::lsp::{QuestionFile, SHOW_REFERENCES, Server, Snapshot};

/// What a lens carries along, to be asked about again.
#[derive(Deserialize, Serialize)]
struct LensData {
    uri: Uri,
    /// Does it count places in Hiera's data?
    #[serde(default)]
    of_data: bool,
}

pub(super) async fn code_lenses(server: &Server, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    server.ask("textDocument/codeLens", &params.text_document.uri, answer).await
}

fn answer(snapshot: &Snapshot, file: &QuestionFile) -> Cancellable<Vec<CodeLens>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.code_lenses(file.id)?;
    let lenses = found.into_iter().map(|lens| CodeLens {
        range: converter.range(lens.range),
        command: None,
        data: serde_json::to_value(LensData {
            uri: file.uri.clone(),
            of_data: lens.kind == CodeLensKind::Data,
        })
        .ok(),
    });
    Ok(lenses.collect())
}

pub(super) async fn resolve(server: &Server, mut lens: CodeLens) -> Result<CodeLens> {
    let data = lens.data.clone().and_then(|data| serde_json::from_value::<LensData>(data).ok());
    let Some(LensData { uri, of_data }) = data else { return Ok(lens) };
    let position = lens.range.start;
    let question = move |snapshot: &Snapshot, file: &QuestionFile| {
        let offset = file.converter(snapshot).offset(position);
        let has_command = snapshot.features.shows_references;
        let found = match of_data {
            true => snapshot.analysis.data_of_class(file.id, offset)?,
            false => snapshot.analysis.uses(file.id, offset)?,
        };
        let Some(found) = found else { return Ok(None) };
        locations(snapshot, &found).map(|it| Some((it, has_command)))
    };
    let Some((found, has_command)) = server.ask("codeLens/resolve", &uri, question).await?.flatten() else {
        return Ok(lens);
    };
    let title = match (of_data, found.len()) {
        (false, 1) => "1 reference".to_owned(),
        (false, count) => format!("{count} references"),
        (true, 1) => "used in Hiera once".to_owned(),
        (true, count) => format!("used in Hiera {count} times"),
    };
    // Without the command the lens only tells the number.
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
