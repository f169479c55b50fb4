//! Read requests: sent by a handler, executed on a snapshot in a thread pool, and retried if a write cancels
//! them.

use std::sync::{Arc, Mutex, PoisonError};

use disk::TrustedFolders;
use disk::config::{CodeLensSettings, FormatLayer};
use disk::last_work::LastWork;
use ide::{
    Analysis, Cancellable, CancellationToken, Cancelled, ClassStatus, CodeAction, Diagnostic, FileId,
    FilePath, InlayHintSettings, PlatformClass, PlatformValues, Tier, UpgradePath,
};
use lsp_types::{MessageType, Position, Uri};
use rustc_hash::FxHashMap;
use syntax::{LineMap, TextRange};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

use super::documents::{Document, OpenDocuments};
use super::features::ClientFeatures;
use super::outbox::Outbox;
use super::published_diagnostic::ShownDiagnostic;
use super::typing::Typing;
use super::{panics, publish};
use crate::convert::{self, PositionConverter};

/// Diagnostics of the last compiles in files that are not open, by path, with the texts that they refer to.
pub(super) type ClosedDiagnostics = Arc<FxHashMap<FilePath, (Arc<str>, Vec<Diagnostic>)>>;

/// Values of classes by platform, as far as they have been computed for this revision.
pub(super) type KnownPlatformValues = Arc<FxHashMap<PlatformClass, Arc<PlatformValues>>>;

/// State of the server at one moment. Writes block until it is dropped, so it should be dropped soon.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) analysis: Analysis,
    /// Analysis of the version to upgrade to, if the settings name one.
    pub(crate) later: Option<LaterAnalysis>,
    pub(crate) features: Arc<ClientFeatures>,
    pub(crate) inlay_hints: InlayHintSettings,
    pub(crate) code_lenses: CodeLensSettings,
    /// Formatting settings.
    pub(crate) format: FormatLayer,
    /// Counter that is incremented by every change, and when compiles are done.
    pub(crate) state: u64,
    /// Diagnostics of the last compiles in files that are not open.
    pub(super) closed_diagnostics: ClosedDiagnostics,
    pub(crate) platform_values: KnownPlatformValues,
    pub(super) open_documents: OpenDocuments,
    pub(super) last_work: Arc<LastWork>,
    /// Folders that may be read from disk.
    pub(crate) trusted: TrustedFolders,
    /// True while folders are being read, so that missing definitions may still appear.
    pub(super) is_reading: bool,
    /// Edits without a pause, whose incomplete statements are not reported yet.
    pub(super) typing: Option<Arc<Typing>>,
    /// True if diagnostics that a syntax error mutes stay.
    pub(super) keeps_muted: bool,
}

/// Analysis of the same files for a later Puppet version.
#[derive(Clone)]
pub(crate) struct LaterAnalysis {
    pub(crate) analysis: Analysis,
    pub(crate) upgrade: UpgradePath,
}

impl LaterAnalysis {
    /// Returns the file at a path, which has another id than in the main analysis.
    fn file_id(&self, path: &FilePath) -> Option<FileId> {
        self.analysis.file_id(path)
    }
}

/// Returns the result of a read of [`LaterAnalysis`], which is only cancelled for a write.
fn later<T>(result: Cancellable<T>) -> Cancellable<T> {
    result.map_err(|_| Cancelled::PendingWrite)
}

/// File that a request refers to.
pub(crate) struct RequestFile {
    pub(crate) id: FileId,
    pub(crate) uri: Uri,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<LineMap>,
}

impl RequestFile {
    /// Returns the converter between offsets in this file and the client's positions.
    pub(crate) fn converter(&self, snapshot: &Snapshot) -> PositionConverter<'_> {
        PositionConverter::new(&self.text, &self.lines, snapshot.features.column_unit)
    }
}

impl Snapshot {
    /// Returns the URI of a file: the client's if it is open; `None` if the path has no URI.
    pub(crate) fn uri(&self, path: &FilePath) -> Option<Uri> {
        match self.open_documents.get(path) {
            Some(open) => Some(open.uri.clone()),
            None => convert::uri(path),
        }
    }

    /// Returns whether a file is open in the client.
    pub(crate) fn is_open_in_editor(&self, path: &FilePath) -> bool {
        self.open_documents.get(path).is_some()
    }

    /// Returns the client's version of a file in this snapshot; `None` if it is not open.
    pub(crate) fn version(&self, path: &FilePath) -> Cancellable<Option<i32>> {
        let Some(id) = self.analysis.file_id(path) else { return Ok(None) };
        let Some(open) = self.open_documents.get(path) else { return Ok(None) };
        match self.analysis.text(id)? {
            Some(text) if is_text_of(&open, &text) => Ok(Some(open.version)),
            // The file is not analyzed, so its diagnostics are valid for any version.
            None => Ok(Some(open.version)),
            // The client has sent a newer version that is about to be applied.
            _ => Err(Cancelled::PendingWrite),
        }
    }

    /// Returns the line index of a file with the contents `text`.
    pub(crate) fn lines(&self, path: &FilePath, id: FileId, text: &Arc<str>) -> Cancellable<Arc<LineMap>> {
        match self.open_documents.get(path) {
            Some(open) if Arc::ptr_eq(&open.text, text) => Ok(open.lines().clone()),
            _ => self.analysis.line_map(id),
        }
    }

    /// Returns the diagnostics of the last compiles in a file, as far as the text around them is unchanged.
    pub(crate) fn catalog_diagnostics(&self, path: &FilePath, text: &Arc<str>) -> Vec<Diagnostic> {
        let Some(open) = self.open_documents.get(path) else {
            let closed = self.closed_diagnostics.get(path).filter(|(read, _)| read == text);
            return closed.map(|(_, found)| found.clone()).unwrap_or_default();
        };
        let published = open.published.lock().unwrap_or_else(PoisonError::into_inner);
        publish::unchanged(&published, Tier::Catalogs, text).iter().map(ShownDiagnostic::diagnostic).collect()
    }

    /// Returns what the version to upgrade to breaks or changes in a file, as hints.
    pub(super) fn upgrade_hints(&self, file: FileId) -> Cancellable<Vec<Diagnostic>> {
        let Some(it) = &self.later else { return Ok(Vec::new()) };
        let Some(there) = it.file_id(&self.analysis.path(file)) else { return Ok(Vec::new()) };
        let found = later(it.analysis.all_diagnostics(there))?;
        Ok(it.upgrade.hints(&self.analysis.all_diagnostics(file)?, found))
    }

    /// Returns the snapshot of the version to upgrade to, and the fixes that it has for a range of a file.
    pub(crate) fn upgrade_actions(
        &self,
        file: FileId,
        range: TextRange,
    ) -> Cancellable<Option<(Snapshot, Vec<CodeAction>)>> {
        let Some(it) = &self.later else { return Ok(None) };
        let Some(there) = it.file_id(&self.analysis.path(file)) else { return Ok(None) };
        let shown = self.upgrade_hints(file)?;
        let actions = later(it.analysis.upgrade_actions(there, range, it.upgrade, &shown))?;
        let snapshot = Snapshot { analysis: it.analysis.clone(), later: None, ..self.clone() };
        Ok(Some((snapshot, actions)))
    }

    /// Returns the last compile results of the classes in an open file; `None` before the first compile.
    pub(crate) fn class_statuses(&self, path: &FilePath) -> Option<Vec<ClassStatus>> {
        let open = self.open_documents.get(path)?;
        open.published.lock().unwrap_or_else(PoisonError::into_inner).classes.clone()
    }

    /// Returns the file at a path; `None` if it does not exist or has no text.
    pub(crate) fn file(&self, path: &FilePath, uri: &Uri) -> Cancellable<Option<RequestFile>> {
        let Some(id) = self.analysis.file_id(path) else { return Ok(None) };
        self.with_text(id, path, uri.clone())
    }

    /// Returns the file at a path for diagnostics. Unlike [`Snapshot::file`], this includes open files that
    /// are not analyzed (too large, or a previous server crashed on them), with the client's text.
    pub(crate) fn diagnosed_file(&self, path: &FilePath, uri: &Uri) -> Cancellable<Option<RequestFile>> {
        let Some(id) = self.analysis.file_id(path) else { return Ok(None) };
        if let Some(file) = self.with_text(id, path, uri.clone())? {
            return Ok(Some(file));
        }
        let open = self.open_documents.get(path);
        let text = open.as_ref().map_or_else(|| Arc::from(""), |it| it.text.clone());
        let lines = open.map_or_else(|| Arc::new(LineMap::new("")), |it| it.lines().clone());
        Ok(Some(RequestFile { id, uri: uri.clone(), text, lines }))
    }

    /// Returns the file that a result refers to. It may be outside of the workspace, for instance in an
    /// installed Puppet.
    pub(crate) fn target_file(&self, id: FileId) -> Cancellable<Option<RequestFile>> {
        let path = self.analysis.path(id);
        let Some(uri) = self.uri(&path) else { return Ok(None) };
        self.with_text(id, &path, uri)
    }

    fn with_text(&self, id: FileId, path: &FilePath, uri: Uri) -> Cancellable<Option<RequestFile>> {
        let Some(text) = self.analysis.text(id)? else { return Ok(None) };
        let lines = self.lines(path, id, &text)?;
        Ok(Some(RequestFile { id, uri, text, lines }))
    }
}

/// Compares pointers first. The texts differ in identity if an edit did not change the contents.
fn is_text_of(document: &Document, text: &Arc<str>) -> bool {
    Arc::ptr_eq(&document.text, text) || document.text == *text
}

/// Outcome of an attempt to handle a read request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attempt {
    Done,
    /// A write is pending: retry on the new revision, if the request is still valid there.
    WritePending,
}

/// A read request with its types erased.
pub(super) trait Read: Send {
    /// Returns the LSP method.
    fn method(&self) -> &'static str;
    /// Returns the document that the positions of the request belong to, if any.
    fn path(&self) -> Option<&FilePath>;
    /// Returns the document and the position that the request is about, if it is about one.
    fn position(&self) -> Option<(&FilePath, Position)> {
        None
    }
    /// Returns whether the response is still awaited.
    fn is_awaited(&self) -> bool;
    /// Tries to compute the response from a snapshot.
    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt;
    /// Responds with an error.
    fn fail(&mut self, error: Error);
}

/// Receiver of a response.
pub(super) struct PendingResponse<A> {
    /// `None` once the response has been sent.
    sender: Option<oneshot::Sender<Result<A>>>,
    cancellation: Cancellation,
}

impl<A> PendingResponse<A> {
    pub(super) fn new(sender: oneshot::Sender<Result<A>>, cancellation: Cancellation) -> PendingResponse<A> {
        PendingResponse { sender: Some(sender), cancellation }
    }

    fn is_awaited(&self) -> bool {
        self.sender.as_ref().is_some_and(|it| !it.is_closed())
    }

    /// Connects the cancellation of the request to the reads of this snapshot. Returns false if the response
    /// is no longer awaited.
    fn start(&self, snapshot: &Snapshot) -> bool {
        self.is_awaited() && self.cancellation.watch(&snapshot.analysis)
    }

    /// Sends the outcome of an attempt; `None` means that a write is pending.
    fn finish(&mut self, outcome: Option<Result<A>>) -> Attempt {
        let Some(response) = outcome else { return Attempt::WritePending };
        self.send(response);
        Attempt::Done
    }

    fn send(&mut self, response: Result<A>) {
        if let Some(sender) = self.sender.take() {
            // Fails if the request was cancelled in the meantime.
            let _ = sender.send(response);
        }
    }
}

/// [`Snapshot::file`] or [`Snapshot::diagnosed_file`].
pub(super) type FileLookup = fn(&Snapshot, &FilePath, &Uri) -> Cancellable<Option<RequestFile>>;

/// A read request for one document.
pub(super) struct DocumentRead<T, F> {
    pub(super) method: &'static str,
    pub(super) path: FilePath,
    pub(super) uri: Uri,
    /// The position that the request is about.
    pub(super) position: Option<Position>,
    /// Function that looks up the file.
    pub(super) file: FileLookup,
    pub(super) request: F,
    pub(super) response: PendingResponse<Option<T>>,
}

impl<T, F> Read for DocumentRead<T, F>
where
    T: Send,
    F: Fn(&Snapshot, &RequestFile) -> Cancellable<T> + Send,
{
    fn method(&self) -> &'static str {
        self.method
    }

    fn path(&self) -> Option<&FilePath> {
        Some(&self.path)
    }

    fn position(&self) -> Option<(&FilePath, Position)> {
        self.position.map(|it| (&self.path, it))
    }

    fn is_awaited(&self) -> bool {
        self.response.is_awaited()
    }

    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt {
        if !self.response.start(&snapshot) {
            return Attempt::Done;
        }
        let open = snapshot.open_documents.get(&self.path);
        let last_work = snapshot.last_work.clone();
        let _work = open.map(|document| last_work.on(document.digest()));
        let outcome = run_request(self.method, self.path.as_str(), snapshot, outbox, |snapshot| match (self
            .file)(
            snapshot, &self.path, &self.uri,
        )? {
            Some(file) => (self.request)(snapshot, &file).map(Some),
            None => Ok(None),
        });
        self.response.finish(outcome)
    }

    fn fail(&mut self, error: Error) {
        self.response.send(Err(error));
    }
}

/// Runs a request on a snapshot, which is dropped afterwards. Returns `None` if a write is pending. A panic
/// affects this response only.
fn run_request<T>(
    method: &'static str,
    what: &str,
    snapshot: Snapshot,
    outbox: &Outbox,
    request: impl FnOnce(&Snapshot) -> Cancellable<T>,
) -> Option<Result<T>> {
    let _span = tracing::info_span!("request", method).entered();
    let outcome = panics::catch(|| request(&snapshot));
    drop(snapshot);
    match outcome {
        Ok(Ok(response)) => Some(Ok(response)),
        Ok(Err(Cancelled::PendingWrite)) => None,
        Ok(Err(Cancelled::Local)) => Some(Err(Error::request_cancelled())),
        Err(report) => {
            let message = format!("internal error: {method} panicked for {what}: {report}");
            outbox.log(MessageType::Error, message);
            Some(Err(internal_error(method)))
        }
    }
}

/// A read request for the whole workspace.
pub(super) struct WorkspaceRead<T, F> {
    pub(super) method: &'static str,
    pub(super) request: F,
    pub(super) response: PendingResponse<T>,
}

impl<T, F> Read for WorkspaceRead<T, F>
where
    T: Send,
    F: Fn(&Snapshot) -> Cancellable<T> + Send,
{
    fn method(&self) -> &'static str {
        self.method
    }

    fn path(&self) -> Option<&FilePath> {
        None
    }

    fn is_awaited(&self) -> bool {
        self.response.is_awaited()
    }

    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt {
        if !self.response.start(&snapshot) {
            return Attempt::Done;
        }
        self.response.finish(run_request(self.method, "the workspace", snapshot, outbox, &self.request))
    }

    fn fail(&mut self, error: Error) {
        self.response.send(Err(error));
    }
}

fn internal_error(method: &str) -> Error {
    let message = format!("internal error in {method}; see the log for details");
    Error { code: ErrorCode::InternalError, message: message.into(), data: None }
}

/// Cancels the running reads of a request once its response is no longer awaited.
#[derive(Clone, Default)]
pub(super) struct Cancellation {
    state: Arc<Mutex<CancellationState>>,
}

#[derive(Default)]
struct CancellationState {
    is_cancelled: bool,
    running: Option<CancellationToken>,
}

impl Cancellation {
    /// Registers the snapshot for cancellation. Returns false if the request is already cancelled.
    fn watch(&self, analysis: &Analysis) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running = Some(analysis.cancellation_token());
        !state.is_cancelled
    }

    fn cancel(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_cancelled = true;
        if let Some(token) = state.running.take() {
            token.cancel();
        }
    }
}

/// Cancels when dropped: `tower-lsp` drops the handler of a cancelled request.
pub(super) struct CancelOnDrop(pub(super) Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
#[path = "reads_tests.rs"]
mod tests;
