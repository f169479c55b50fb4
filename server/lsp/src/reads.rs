//! Questions about the code: asked by a handler, answered from a snapshot on a pool, tried again when a write came
//! between.

use std::sync::{Arc, Mutex, PoisonError};

use disk::TrustedFolders;
use disk::config::{CodeLensSettings, FormatLayer};
use disk::last_work::LastWork;
use ide::{
    Analysis, Cancellable, CancellationToken, Cancelled, ClassStatus, Diagnostic, FileId, FilePath,
    InlayHintSettings, PlatformClass, PlatformValues, Tier,
};
use lsp_types::{MessageType, Uri};
use rustc_hash::FxHashMap;
use syntax::LineMap;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

use super::documents::{Document, OpenDocuments};
use super::features::ClientFeatures;
use super::outbox::Outbox;
use super::published_diagnostic::ShownDiagnostic;
use super::{panics, publish};
use crate::convert::{self, PositionConverter};

/// What compiles found in files that are not open, by path, with the texts that they read.
pub(super) type ClosedDiagnostics = Arc<FxHashMap<FilePath, (Arc<str>, Vec<Diagnostic>)>>;

/// What classes are worth by platform, as far as that was worked out for this revision.
pub(super) type KnownPlatformValues = Arc<FxHashMap<PlatformClass, Arc<PlatformValues>>>;

/// Everything as it is at one moment. Dropping it soon matters: a write waits for that.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) analysis: Analysis,
    pub(crate) features: Arc<ClientFeatures>,
    pub(crate) inlay_hints: InlayHintSettings,
    pub(crate) code_lenses: CodeLensSettings,
    /// How code is laid out.
    pub(crate) format: FormatLayer,
    /// A number that grows with every change, and when compiles are done.
    pub(crate) state: u64,
    /// What the last compiles found in files that are not open, with the texts that they read.
    pub(super) closed_diagnostics: ClosedDiagnostics,
    pub(crate) platform_values: KnownPlatformValues,
    pub(super) open_documents: OpenDocuments,
    pub(super) last_work: Arc<LastWork>,
    /// What may be read of the disk.
    pub(crate) trusted: TrustedFolders,
    /// Are folders being read, so that what is missing may still come?
    pub(super) is_reading: bool,
}

/// A file that a question is about.
pub(crate) struct RequestFile {
    pub(crate) id: FileId,
    pub(crate) uri: Uri,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<LineMap>,
}

impl RequestFile {
    /// What translates between this file's offsets and the client's positions.
    pub(crate) fn converter(&self, snapshot: &Snapshot) -> PositionConverter<'_> {
        PositionConverter::new(&self.text, &self.lines, snapshot.features.column_unit)
    }
}

impl Snapshot {
    /// The URI of a file: the client's own for one that is open; `None` where the path makes none.
    pub(crate) fn uri(&self, path: &FilePath) -> Option<Uri> {
        match self.open_documents.get(path) {
            Some(open) => Some(open.uri.clone()),
            None => convert::uri(path),
        }
    }

    /// Is a file open in the client?
    pub(crate) fn is_open(&self, path: &FilePath) -> bool {
        self.open_documents.get(path).is_some()
    }

    /// The client's number for the text of a file here; `None` for one that is not open.
    pub(crate) fn version(&self, path: &FilePath) -> Cancellable<Option<i32>> {
        let Some(id) = self.analysis.file_id(path) else { return Ok(None) };
        let Some(open) = self.open_documents.get(path) else { return Ok(None) };
        match self.analysis.text(id)? {
            Some(text) if is_text_of(&open, &text) => Ok(Some(open.version)),
            // It is not looked at, so what is said of it holds for each text.
            None => Ok(Some(open.version)),
            // The client has sent a newer one, which is about to be written.
            _ => Err(Cancelled::PendingWrite),
        }
    }

    /// Where the lines of a file begin, whose text here is `text`.
    pub(crate) fn lines(&self, path: &FilePath, id: FileId, text: &Arc<str>) -> Cancellable<Arc<LineMap>> {
        match self.open_documents.get(path) {
            Some(open) if Arc::ptr_eq(&open.text, text) => Ok(open.lines().clone()),
            _ => self.analysis.line_map(id),
        }
    }

    /// What the last compiles found in a file, as far as its text is still the same there.
    pub(crate) fn catalog_diagnostics(&self, path: &FilePath, text: &str) -> Vec<Diagnostic> {
        let Some(open) = self.open_documents.get(path) else {
            let closed = self.closed_diagnostics.get(path).filter(|(read, _)| **read == *text);
            return closed.map(|(_, found)| found.clone()).unwrap_or_default();
        };
        let published = open.published.lock().unwrap_or_else(PoisonError::into_inner);
        publish::unchanged(&published, Tier::Catalogs, text).iter().map(ShownDiagnostic::diagnostic).collect()
    }

    /// How the classes of an open file compiled last; `None` before they did.
    pub(crate) fn class_statuses(&self, path: &FilePath) -> Option<Vec<ClassStatus>> {
        let open = self.open_documents.get(path)?;
        open.published.lock().unwrap_or_else(PoisonError::into_inner).classes.clone()
    }

    /// The file at a path; `None` when there is no such file or it has no text.
    pub(crate) fn file(&self, path: &FilePath, uri: &Uri) -> Cancellable<Option<RequestFile>> {
        let Some(id) = self.analysis.file_id(path) else { return Ok(None) };
        self.with_text(id, path, uri.clone())
    }

    /// The same for findings: they are told of a file that is not looked at, too (one that is too large, or that a server has ended
    /// on), in the client's own text.
    pub(crate) fn judged_file(&self, path: &FilePath, uri: &Uri) -> Cancellable<Option<RequestFile>> {
        let Some(id) = self.analysis.file_id(path) else { return Ok(None) };
        if let Some(file) = self.with_text(id, path, uri.clone())? {
            return Ok(Some(file));
        }
        let open = self.open_documents.get(path);
        let text = open.as_ref().map_or_else(|| Arc::from(""), |it| it.text.clone());
        let lines = open.map_or_else(|| Arc::new(LineMap::new("")), |it| it.lines().clone());
        Ok(Some(RequestFile { id, uri: uri.clone(), text, lines }))
    }

    /// A file that an answer leads to: it may lie outside of what the client can ask about, as an installed Puppet does.
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

/// Most texts are the very same; an edit that changes nothing leaves the old one.
fn is_text_of(document: &Document, text: &Arc<str>) -> bool {
    Arc::ptr_eq(&document.text, text) || document.text == *text
}

/// What became of an attempt to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attempt {
    Done,
    /// A write is waiting: once more on the new revision, if the question still makes sense there.
    WriteWaits,
}

/// A question without its types.
pub(super) trait Read: Send {
    /// The method of the protocol that asks it.
    fn method(&self) -> &'static str;
    /// The document that the question's positions belong to; `None` for a question without any.
    fn path(&self) -> Option<&FilePath>;
    /// Does somebody still wait for the answer?
    fn is_wanted(&self) -> bool;
    /// Answers from the snapshot.
    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt;
    /// Answers with an error.
    fn refuse(&mut self, error: Error);
}

/// Who waits for an answer.
pub(super) struct Waiting<A> {
    /// `None` once it was sent.
    answer: Option<oneshot::Sender<Result<A>>>,
    cancellation: Cancellation,
}

impl<A> Waiting<A> {
    pub(super) fn new(answer: oneshot::Sender<Result<A>>, cancellation: Cancellation) -> Waiting<A> {
        Waiting { answer: Some(answer), cancellation }
    }

    fn is_wanted(&self) -> bool {
        self.answer.as_ref().is_some_and(|it| !it.is_closed())
    }

    /// Lets a cancellation end the reads of this snapshot; false when nobody waits any more.
    fn begins(&self, snapshot: &Snapshot) -> bool {
        self.is_wanted() && self.cancellation.watch(&snapshot.analysis)
    }

    /// Sends what came of an attempt; without an answer a write waits.
    fn settle(&mut self, outcome: Option<Result<A>>) -> Attempt {
        let Some(answer) = outcome else { return Attempt::WriteWaits };
        self.send(answer);
        Attempt::Done
    }

    fn send(&mut self, answer: Result<A>) {
        if let Some(sender) = self.answer.take() {
            // Fails when the request was cancelled meanwhile: nobody waits.
            let _ = sender.send(answer);
        }
    }
}

/// [`Snapshot::file`] or [`Snapshot::judged_file`].
pub(super) type FileOf = fn(&Snapshot, &FilePath, &Uri) -> Cancellable<Option<RequestFile>>;

/// A question about one document, and who waits for the answer.
pub(super) struct DocumentRead<T, F> {
    pub(super) method: &'static str,
    pub(super) path: FilePath,
    pub(super) uri: Uri,
    /// How the file is found.
    pub(super) file: FileOf,
    pub(super) question: F,
    pub(super) waiting: Waiting<Option<T>>,
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

    fn is_wanted(&self) -> bool {
        self.waiting.is_wanted()
    }

    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt {
        if !self.waiting.begins(&snapshot) {
            return Attempt::Done;
        }
        let open = snapshot.open_documents.get(&self.path);
        let last_work = snapshot.last_work.clone();
        let _work = open.map(|document| last_work.on(document.digest()));
        let outcome = answer_of(self.method, self.path.as_str(), snapshot, outbox, |snapshot| match (self
            .file)(
            snapshot, &self.path, &self.uri,
        )? {
            Some(file) => (self.question)(snapshot, &file).map(Some),
            None => Ok(None),
        });
        self.waiting.settle(outcome)
    }

    fn refuse(&mut self, error: Error) {
        self.waiting.send(Err(error));
    }
}

/// Answers a question from a snapshot, which is dropped then; `None` when a write waits. A panic costs this answer only.
fn answer_of<T>(
    method: &'static str,
    what: &str,
    snapshot: Snapshot,
    outbox: &Outbox,
    question: impl FnOnce(&Snapshot) -> Cancellable<T>,
) -> Option<Result<T>> {
    let _span = tracing::info_span!("request", method).entered();
    let outcome = panics::catch(|| question(&snapshot));
    drop(snapshot);
    match outcome {
        Ok(Ok(answer)) => Some(Ok(answer)),
        Ok(Err(Cancelled::PendingWrite)) => None,
        Ok(Err(Cancelled::Local)) => Some(Err(Error::request_cancelled())),
        Err(report) => {
            let message = format!("{method} of {what} has failed, a bug: {report}");
            outbox.log(MessageType::Error, message);
            Some(Err(internal_error(method)))
        }
    }
}

/// A question about all files, and who waits for the answer.
pub(super) struct WorkspaceRead<T, F> {
    pub(super) method: &'static str,
    pub(super) question: F,
    pub(super) waiting: Waiting<T>,
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

    fn is_wanted(&self) -> bool {
        self.waiting.is_wanted()
    }

    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt {
        if !self.waiting.begins(&snapshot) {
            return Attempt::Done;
        }
        self.waiting.settle(answer_of(self.method, "the workspace", snapshot, outbox, &self.question))
    }

    fn refuse(&mut self, error: Error) {
        self.waiting.send(Err(error));
    }
}

fn internal_error(method: &str) -> Error {
    let message = format!("{method} has failed; this is a bug, the log has the details");
    Error { code: ErrorCode::InternalError, message: message.into(), data: None }
}

/// Ends the work on a question when nobody waits for it any more.
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
    /// Lets a cancellation end the reads of this snapshot; false when it has come already.
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

/// Cancels when it is dropped: the library drops a handler whose request is cancelled.
pub(super) struct CancelOnDrop(pub(super) Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
#[path = "reads_tests.rs"]
mod tests;
