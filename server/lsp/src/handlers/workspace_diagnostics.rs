//! `workspace/diagnostic`: the diagnostics of all files of the workspace. They are asked for a few files at a time, so that
//! other questions come in between.

use ide::{Cancellable, FilePath};
use lsp_types::{
    FullDocumentDiagnosticReport, ProgressToken, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};
use rustc_hash::FxHashMap;
use tower_lsp::jsonrpc::Result;

use super::diagnostics::{file_diagnostics, result_id};
use crate::{Server, Snapshot};

/// How many files one question is about.
const FILES_AT_A_TIME: usize = 4;

/// How many reports are sent ahead at a time.
const REPORTS_AT_A_TIME: usize = 64;

pub(super) async fn workspace_diagnostics(
    server: &Server,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReport> {
    const METHOD: &str = "workspace/diagnostic";
    let mut known: FxHashMap<Uri, String> =
        params.previous_result_ids.into_iter().map(|it| (it.uri, it.value)).collect();
    let (state, files) =
        server.ask_workspace(METHOD, |snapshot| Ok((snapshot.state, files(snapshot)))).await?;
    if server.last_reports.are(state, &known) {
        let items = known.into_iter().map(|(uri, id)| unchanged(uri, None, id));
        return Ok(WorkspaceDiagnosticReport { items: items.collect() });
    }
    let token = params.partial_result_params.partial_result_token;
    let mut reported = FxHashMap::default();
    let mut reports = Vec::new();
    for few in files.chunks(FILES_AT_A_TIME) {
        let previous: Vec<Option<String>> = few.iter().map(|(_, uri)| known.remove(uri)).collect();
        let few = few.to_vec();
        let asked = previous.clone();
        let question = move |snapshot: &Snapshot| {
            let each = few.iter().zip(&asked);
            each.map(|((path, uri), previous)| report(snapshot, path, uri, previous.as_deref()))
                .collect::<Cancellable<Vec<_>>>()
        };
        for (report, id) in server.ask_workspace(METHOD, question).await?.into_iter().flatten() {
            if let Some(id) = id {
                reported.insert(uri_of(&report).clone(), id);
            }
            reports.push(report);
        }
        if let Some(token) = &token
            && reports.len() >= REPORTS_AT_A_TIME
        {
            send(server, token, std::mem::take(&mut reports)).await;
        }
    }
    // What is left has no file any more.
    reports.extend(known.into_keys().map(|uri| full(uri, None, None, Vec::new())));
    server.last_reports.set(state, reported);
    if let Some(token) = &token {
        // Who gets a part ahead gets all of it that way.
        send(server, token, std::mem::take(&mut reports)).await;
    }
    Ok(WorkspaceDiagnosticReport { items: reports })
}

/// The files of the workspace, and those that are open.
fn files(snapshot: &Snapshot) -> Vec<(FilePath, Uri)> {
    let paths = snapshot.analysis.all_files().into_iter().map(|file| snapshot.analysis.path(file));
    let shown = paths.filter(|path| snapshot.analysis.is_in_workspace(path) || snapshot.is_open(path));
    shown.filter_map(|path| snapshot.uri(&path).map(|uri| (path, uri))).collect()
}

/// The report of a file and the id that the client keeps for it; `None` for a file of which nothing is to be said.
type Report = Option<(WorkspaceDocumentDiagnosticReport, Option<String>)>;

fn report(snapshot: &Snapshot, path: &FilePath, uri: &Uri, previous: Option<&str>) -> Cancellable<Report> {
    let version = snapshot.version(path)?;
    let Some(file) = snapshot.judged_file(path, uri)? else {
        // Gone since.
        return Ok(previous.map(|_| (full(uri.clone(), version, None, Vec::new()), None)));
    };
    let items = file_diagnostics(snapshot, &file)?;
    let id = result_id(&items);
    Ok(match previous {
        Some(previous) if previous == id => Some((unchanged(uri.clone(), version, id.clone()), Some(id))),
        None if items.is_empty() => None,
        _ => Some((full(uri.clone(), version, Some(id.clone()), items), Some(id))),
    })
}

fn full(
    uri: Uri,
    version: Option<i32>,
    result_id: Option<String>,
    items: Vec<lsp_types::Diagnostic>,
) -> WorkspaceDocumentDiagnosticReport {
    let full_document_diagnostic_report = FullDocumentDiagnosticReport { result_id, items };
    WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report }.into()
}

fn unchanged(uri: Uri, version: Option<i32>, result_id: String) -> WorkspaceDocumentDiagnosticReport {
    let unchanged_document_diagnostic_report = UnchangedDocumentDiagnosticReport { result_id };
    WorkspaceUnchangedDocumentDiagnosticReport { uri, version, unchanged_document_diagnostic_report }.into()
}

fn uri_of(report: &WorkspaceDocumentDiagnosticReport) -> &Uri {
    match report {
        WorkspaceDocumentDiagnosticReport::WorkspaceFullDocumentDiagnosticReport(it) => &it.uri,
        WorkspaceDocumentDiagnosticReport::WorkspaceUnchangedDocumentDiagnosticReport(it) => &it.uri,
    }
}

async fn send(server: &Server, token: &ProgressToken, items: Vec<WorkspaceDocumentDiagnosticReport>) {
    if !items.is_empty() {
        server.send_partial_result(token.clone(), &WorkspaceDiagnosticReport { items }).await;
    }
}
