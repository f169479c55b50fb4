//! `workspace/diagnostic`: the diagnostics of all files of the workspace. They are computed in small chunks,
//! so that other requests are handled in between.

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

/// Number of files per chunk.
const CHUNK_SIZE: usize = 4;

/// Minimum number of reports in a partial result.
const MIN_PARTIAL_RESULTS: usize = 64;

pub(super) async fn workspace_diagnostics(
    server: &Server,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReport> {
    const METHOD: &str = "workspace/diagnostic";
    let mut known: FxHashMap<Uri, String> =
        params.previous_result_ids.into_iter().map(|it| (it.uri, it.value)).collect();
    let (state, files) =
        server.ask_workspace(METHOD, |snapshot| Ok((snapshot.state, files(snapshot)))).await?;
    if server.last_reports.matches(state, &known) {
        let items = known.into_iter().map(|(uri, id)| unchanged(uri, None, id));
        return Ok(WorkspaceDiagnosticReport { items: items.collect() });
    }
    let token = params.partial_result_params.partial_result_token;
    let mut reported = FxHashMap::default();
    let mut reports = Vec::new();
    for chunk in files.chunks(CHUNK_SIZE) {
        let previous: Vec<Option<String>> = chunk.iter().map(|(_, uri)| known.remove(uri)).collect();
        let chunk = chunk.to_vec();
        let known_ids = previous.clone();
        let request = move |snapshot: &Snapshot| {
            let pairs = chunk.iter().zip(&known_ids);
            pairs
                .map(|((path, uri), previous)| report(snapshot, path, uri, previous.as_deref()))
                .collect::<Cancellable<Vec<_>>>()
        };
        for (report, id) in server.ask_workspace(METHOD, request).await?.into_iter().flatten() {
            if let Some(id) = id {
                reported.insert(uri_of(&report).clone(), id);
            }
            reports.push(report);
        }
        if let Some(token) = &token
            && reports.len() >= MIN_PARTIAL_RESULTS
        {
            send(server, token, std::mem::take(&mut reports)).await;
        }
    }
    // The remaining files no longer exist.
    reports.extend(known.into_keys().map(|uri| full(uri, None, None, Vec::new())));
    server.last_reports.set(state, reported);
    if let Some(token) = &token {
        // If a response has partial results, the final response must be empty.
        send(server, token, std::mem::take(&mut reports)).await;
    }
    Ok(WorkspaceDiagnosticReport { items: reports })
}

/// Returns the files of the workspace, and those that are open in the client.
fn files(snapshot: &Snapshot) -> Vec<(FilePath, Uri)> {
    let paths = snapshot.analysis.all_files().into_iter().map(|file| snapshot.analysis.path(file));
    let shown =
        paths.filter(|path| snapshot.analysis.is_in_workspace(path) || snapshot.is_open_in_editor(path));
    shown.filter_map(|path| snapshot.uri(&path).map(|uri| (path, uri))).collect()
}

/// Report of a file and its result id; `None` for a file without diagnostics, now and before.
type Report = Option<(WorkspaceDocumentDiagnosticReport, Option<String>)>;

fn report(snapshot: &Snapshot, path: &FilePath, uri: &Uri, previous: Option<&str>) -> Cancellable<Report> {
    let version = snapshot.version(path)?;
    let Some(file) = snapshot.diagnosed_file(path, uri)? else {
        // The file no longer exists.
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
