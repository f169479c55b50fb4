//! `textDocument/codeAction`, `codeAction/resolve`.

use ide::{Cancellable, CodeActionKind as Kind};
use lsp_types::{Code, CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, Diagnostic, Uri};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;

use super::rename::workspace_edit;
use super::show_commands;
use crate::convert::PositionConverter;
use crate::features::SOURCE_UPGRADE;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn code_actions(
    server: &Server,
    params: CodeActionParams,
) -> Result<Option<Vec<CodeActionResponse>>> {
    let uri = params.text_document.uri.clone();
    let request = move |snapshot: &Snapshot, file: &RequestFile| answer(snapshot, file, &params);
    server.ask("textDocument/codeAction", &uri, request).await
}

/// Data of an action whose edit is computed when the user chooses it.
#[derive(Serialize, Deserialize)]
struct ActionData {
    uri: Uri,
    /// Rule to fix in the workspace.
    fix_all: String,
}

/// Computes the edit of an action that fixes a rule in the workspace.
pub(super) async fn resolve(server: &Server, mut action: CodeAction) -> Result<CodeAction> {
    let data = action.data.clone().and_then(|data| serde_json::from_value::<ActionData>(data).ok());
    let Some(ActionData { uri, fix_all }) = data else { return Ok(action) };
    let Some(code) = codes::Code::ALL.iter().copied().find(|it| it.as_str() == fix_all) else {
        return Ok(action);
    };
    let request = move |snapshot: &Snapshot, file: &RequestFile| {
        let change = snapshot.analysis.fix_workspace(file.id, code)?;
        workspace_edit(snapshot, change)
    };
    action.edit = server.ask("codeAction/resolve", &uri, request).await?;
    Ok(action)
}

fn answer(
    snapshot: &Snapshot,
    file: &RequestFile,
    params: &CodeActionParams,
) -> Cancellable<Vec<CodeActionResponse>> {
    let range = file.converter(snapshot).text_range(params.range);
    let mut answer = Vec::new();
    for action in snapshot.analysis.code_actions(file.id, range)? {
        answer.extend(converted(snapshot, file, params, action)?);
    }
    // Their edits refer to files of the other analysis.
    if let Some((later, actions)) = snapshot.upgrade_actions(file.id, range)? {
        for action in actions {
            answer.extend(converted(&later, file, params, action)?);
        }
    }
    answer.extend(show_actions(snapshot, file, params)?);
    Ok(answer)
}

/// Converts an action; `None` if the client did not ask for its kind or does not support it.
fn converted(
    snapshot: &Snapshot,
    file: &RequestFile,
    params: &CodeActionParams,
    action: ide::CodeAction,
) -> Cancellable<Option<CodeActionResponse>> {
    let kind = match action.kind {
        Kind::QuickFix => CodeActionKind::QuickFix,
        Kind::RefactorExtract => CodeActionKind::RefactorExtract,
        Kind::RefactorInline => CodeActionKind::RefactorInline,
        Kind::RefactorRewrite => CodeActionKind::RefactorRewrite,
        Kind::SourceFixAll => CodeActionKind::SourceFixAll,
        Kind::SourceUpgrade => CodeActionKind::from(SOURCE_UPGRADE),
    };
    if !is_requested(&kind, params.context.only.as_deref()) || !is_supported(snapshot, &action.change) {
        return Ok(None);
    }
    let is_lazy = action.is_for_workspace;
    if is_lazy && !snapshot.features.resolves_code_actions {
        return Ok(None);
    }
    let data = action
        .diagnostic
        .filter(|_| is_lazy)
        .map(|(code, _)| ActionData { uri: params.text_document.uri.clone(), fix_all: code.to_string() });
    let converter = file.converter(snapshot);
    let fixed = action
        .diagnostic
        .map(|(rule, range)| diagnostics(&params.context.diagnostics, rule, range, &converter));
    let action = CodeAction {
        title: action.title,
        kind: Some(kind),
        diagnostics: fixed.filter(|it| !it.is_empty()),
        is_preferred: action.is_preferred.then_some(true),
        edit: if is_lazy { None } else { Some(workspace_edit(snapshot, action.change)?) },
        data: data.and_then(|it| serde_json::to_value(it).ok()),
        ..CodeAction::default()
    };
    Ok(Some(action.into()))
}

/// Returns the actions that show the class whose name is at the cursor, for clients without the commands of code lenses.
fn show_actions(
    snapshot: &Snapshot,
    file: &RequestFile,
    params: &CodeActionParams,
) -> Cancellable<Vec<CodeActionResponse>> {
    let features = &snapshot.features;
    let (kind, cursor) = (CodeActionKind::Source, params.range.start);
    if features.shows_catalogs
        || !features.shows_documents
        || !is_requested(&kind, params.context.only.as_deref())
    {
        return Ok(Vec::new());
    }
    let converter = file.converter(snapshot);
    let classes = snapshot.analysis.classes_of_file(file.id)?;
    let at_cursor = classes.into_iter().filter(|(_, range)| {
        let name = converter.range(*range);
        name.start.line == cursor.line && cursor.character <= name.end.character
    });
    let commands = at_cursor.flat_map(|(class, _)| show_commands::commands_of(&class.name));
    let actions = commands.map(|command| {
        let title = command.title.clone();
        let action =
            CodeAction { title, kind: Some(kind.clone()), command: Some(command), ..CodeAction::default() };
        action.into()
    });
    Ok(actions.collect())
}

/// Returns whether the client requested a kind; a requested kind includes all its sub-kinds.
fn is_requested(kind: &CodeActionKind, only: Option<&[CodeActionKind]>) -> bool {
    let name =
        |kind: &CodeActionKind| serde_json::to_value(kind).ok().and_then(|it| it.as_str().map(str::to_owned));
    let Some(only) = only else { return true };
    let Some(kind) = name(kind) else { return false };
    only.iter()
        .filter_map(name)
        .any(|wanted| wanted.is_empty() || kind == wanted || kind.starts_with(&format!("{wanted}.")))
}

/// Returns whether the client supports the file operations of a change.
fn is_supported(snapshot: &Snapshot, change: &ide::SourceChange) -> bool {
    let features = &snapshot.features;
    (change.creates.is_empty() || features.changes_documents && features.creates_files)
        && (change.moves.is_empty() || features.changes_documents && features.renames_files)
}

/// Returns the client's diagnostics that correspond to the fixed one.
fn diagnostics(
    known: &[Diagnostic],
    rule: codes::Code,
    range: syntax::TextRange,
    converter: &PositionConverter<'_>,
) -> Vec<Diagnostic> {
    let range = converter.range(range);
    let is_meant = |it: &&Diagnostic| it.range == range && it.code == Some(Code::String(rule.to_string()));
    known.iter().filter(is_meant).cloned().collect()
}
