//! Questions about the code: asked by a handler, answered from a snapshot on a pool, tried again when a write came
//! between.

use std::sync::{Arc, Mutex, PoisonError};

use ide::{
    Analysis, Cancellable, CancellationToken, Cancelled, ClassStatus, Diagnostic, FileId, FilePath,
    InlayHintSettings, Tier,
};
use lsp_types::{MessageType, Uri};
use rustc_hash::FxHashMap;
use syntax::LineMap;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

use super::documents::{Document, OpenDocuments};
use super::features::ClientFeatures;
use super::outbox::Outbox;
use super::told::Shown;
use super::{panics, publish};
use crate::config::CodeLensSettings;
use crate::convert::Converter;

/// What compiles found in files that are not open, by path, with the texts that they read.
pub(super) type ClosedFindings = Arc<FxHashMap<FilePath, (Arc<str>, Vec<Diagnostic>)>>;

/// Everything as it is at one moment. Dropping it soon matters: a write waits for that.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) analysis: Analysis,
    pub(crate) features: Arc<ClientFeatures>,
    pub(crate) inlay_hints: InlayHintSettings,
    pub(crate) code_lenses: CodeLensSettings,
    /// A number that grows with every change, and when compiles are done.
    pub(crate) state: u64,
    /// What the last compiles found in files that are not open, with the texts that they read.
    pub(super) closed_findings: ClosedFindings,
    pub(super) open_documents: OpenDocuments,
    /// Are folders being read, so that what is missing may still come?
    pub(super) is_reading: bool,
}

/// A file that a question is about.
pub(crate) struct QuestionFile {
    pub(crate) id: FileId,
    pub(crate) uri: Uri,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Arc<LineMap>,
}

impl QuestionFile {
    /// What translates between this file's offsets and the client's positions.
    pub(crate) fn converter(&self, snapshot: &Snapshot) -> Converter<'_> {
        Converter::new(&self.text, &self.lines, snapshot.features.column_unit)
    }
}

impl Snapshot {
    /// The URI of a file: the client's own for one that is open; `None` where the path makes none.
    pub(crate) fn uri(&self, path: &FilePath) -> Option<Uri> {
        match self.open_documents.get(path) {
            Some(open) => Some(open.uri.clone()),
            None => Uri::parse(&path.to_uri()).ok(),
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
    pub(crate) fn catalog_findings(&self, path: &FilePath, text: &str) -> Vec<Diagnostic> {
        let Some(open) = self.open_documents.get(path) else {
            let closed = self.closed_findings.get(path).filter(|(read, _)| **read == *text);
            return closed.map(|(_, found)| found.clone()).unwrap_or_default();
        };
        let published = open.published.lock().unwrap_or_else(PoisonError::into_inner);
        publish::unchanged(&published, Tier::Catalogs, text).iter().map(Shown::finding).collect()
    }

    /// How the classes of an open file compiled last; `None` before they did.
    pub(crate) fn class_statuses(&self, path: &FilePath) -> Option<Vec<ClassStatus>> {
        let open = self.open_documents.get(path)?;
        open.published.lock().unwrap_or_else(PoisonError::into_inner).classes.clone()
    }

    /// The file at a path; `None` when there is no such file or it has no text.
    pub(crate) fn file(&self, path: &FilePath, uri: &Uri) -> Cancellable<Option<QuestionFile>> {
        let Some(id) = self.analysis.file_id(path) else { return Ok(None) };
        let Some(text) = self.analysis.text(id)? else { return Ok(None) };
        let lines = self.lines(path, id, &text)?;
        Ok(Some(QuestionFile { id, uri: uri.clone(), text, lines }))
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

/// A question about one document, and who waits for the answer.
pub(super) struct DocumentRead<T, F> {
    pub(super) method: &'static str,
    pub(super) path: FilePath,
    pub(super) uri: Uri,
    pub(super) question: F,
    pub(super) answer: Option<oneshot::Sender<Result<Option<T>>>>,
    pub(super) cancellation: Cancellation,
}

impl<T, F> Read for DocumentRead<T, F>
where
    T: Send,
    F: Fn(&Snapshot, &QuestionFile) -> Cancellable<T> + Send,
{
    fn method(&self) -> &'static str {
        self.method
    }

    fn path(&self) -> Option<&FilePath> {
        Some(&self.path)
    }

    fn is_wanted(&self) -> bool {
        self.answer.as_ref().is_some_and(|it| !it.is_closed())
    }

    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt {
        if !self.is_wanted() || !self.cancellation.watch(&snapshot.analysis) {
            return Attempt::Done;
        }
        let outcome = answer_of(self.method, self.path.as_str(), snapshot, outbox, |snapshot| match snapshot
            .file(
            &self.path, &self.uri,
        )? {
            Some(file) => (self.question)(snapshot, &file).map(Some),
            None => Ok(None),
        });
        match outcome {
            Some(answer) => self.send(answer),
            None => return Attempt::WriteWaits,
        }
        Attempt::Done
    }

    fn refuse(&mut self, error: Error) {
        self.send(Err(error));
    }
}

impl<T, F> DocumentRead<T, F> {
    fn send(&mut self, answer: Result<Option<T>>) {
        if let Some(sender) = self.answer.take() {
            // Fails when the request was cancelled meanwhile: nobody waits.
            let _ = sender.send(answer);
        }
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
    pub(super) answer: Option<oneshot::Sender<Result<T>>>,
    pub(super) cancellation: Cancellation,
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
        self.answer.as_ref().is_some_and(|it| !it.is_closed())
    }

    fn attempt(&mut self, snapshot: Snapshot, outbox: &Outbox) -> Attempt {
        if !self.is_wanted() || !self.cancellation.watch(&snapshot.analysis) {
            return Attempt::Done;
        }
        match answer_of(self.method, "the workspace", snapshot, outbox, &self.question) {
            Some(answer) => self.send(answer),
            None => return Attempt::WriteWaits,
        }
        Attempt::Done
    }

    fn refuse(&mut self, error: Error) {
        self.send(Err(error));
    }
}

impl<T, F> WorkspaceRead<T, F> {
    fn send(&mut self, answer: Result<T>) {
        if let Some(sender) = self.answer.take() {
            // Fails when the request was cancelled meanwhile: nobody waits.
            let _ = sender.send(answer);
        }
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
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tower_lsp::LspService;

    use super::*;
    use crate::lsp::main_loop::{self, Events, Write};
    use crate::lsp::outbox::{self, Delivery};
    use crate::lsp::server::{Server, Session};

    const ONE: &str = "file:///one.pp";
    const TWO: &str = "file:///two.pp";

    struct TestServer {
        service: Arc<LspService<Server>>,
        events: Events,
        _delivery: Delivery,
    }

    fn uri(text: &str) -> Uri {
        Uri::parse(text).expect("a URI")
    }

    fn start() -> TestServer {
        let (outbox, delivery) = outbox::new();
        let documents = OpenDocuments::default();
        let events = main_loop::start(outbox, documents.clone()).expect("a thread");
        let (service, _, _) = Server::service(events.clone(), documents, Arc::new(Session::default()));
        let server = TestServer { service: Arc::new(service), events, _delivery: delivery };
        server.open(ONE, "one");
        server.open(TWO, "two");
        server
    }

    impl TestServer {
        fn open(&self, name: &str, text: &str) {
            let uri = uri(name);
            let path = crate::convert::file_path(&uri).expect("a path");
            let documents = &self.service.inner().documents;
            let (document, was_open) = documents.open(path.clone(), uri, 1, text.to_owned());
            self.events.write(Write::Open { path, document, was_open });
        }

        async fn text(&self, name: &str) -> Result<Option<String>> {
            self.service.inner().ask("test", &uri(name), |_, file| Ok(file.text.to_string())).await
        }
    }

    /// Asks the analysis until it says that the read has to end.
    fn wait_for_the_end(snapshot: &Snapshot, file: &QuestionFile) -> Cancelled {
        loop {
            if let Err(reason) = snapshot.analysis.syntax_diagnostics(file.id) {
                return reason;
            }
        }
    }

    #[tokio::test]
    async fn a_panic_costs_one_answer() {
        let server = start();
        let answer =
            server.service.inner().ask::<(), _>("test", &uri(ONE), |_, _| panic!("on purpose")).await;
        assert_eq!(answer.expect_err("an error").code, ErrorCode::InternalError);
        assert_eq!(server.text(ONE).await, Ok(Some("one".to_owned())));
    }

    #[tokio::test]
    async fn a_read_that_nobody_waits_for_ends() {
        let server = start();
        let (started, has_started) = oneshot::channel();
        let (ended, has_ended) = oneshot::channel();
        let senders = Mutex::new(Some((started, ended)));
        let service = server.service.clone();
        let asking = tokio::spawn(async move {
            let question = move |snapshot: &Snapshot, file: &QuestionFile| {
                let senders = senders.lock().expect("nobody panics").take();
                let (started, ended) = senders.expect("the question runs once");
                started.send(()).expect("the test waits");
                let reason = wait_for_the_end(snapshot, file);
                ended.send(reason).expect("the test waits");
                Err::<(), _>(reason)
            };
            service.inner().ask("test", &uri(ONE), question).await
        });
        has_started.await.expect("the question runs");
        // What the library does when the client cancels: it drops the handler.
        asking.abort();
        assert_eq!(has_ended.await, Ok(Cancelled::Local));
        assert_eq!(server.text(ONE).await, Ok(Some("one".to_owned())));
    }

    #[tokio::test]
    async fn a_cancellation_between_two_steps_of_a_read_counts() {
        let server = start();
        let (started, has_started) = oneshot::channel();
        let (go_on, may_go_on) = std::sync::mpsc::channel();
        let (ended, has_ended) = oneshot::channel();
        let channels = Mutex::new(Some((started, may_go_on, ended)));
        let service = server.service.clone();
        let asking = tokio::spawn(async move {
            let question = move |snapshot: &Snapshot, file: &QuestionFile| {
                let channels = channels.lock().expect("nobody panics").take();
                let (started, may_go_on, ended) = channels.expect("the question runs once");
                snapshot.analysis.syntax_diagnostics(file.id)?;
                started.send(()).expect("the test waits");
                may_go_on.recv().expect("the test says so");
                let outcome = snapshot.analysis.syntax_diagnostics(file.id).map(|it| it.len());
                ended.send(outcome).expect("the test waits");
                outcome
            };
            service.inner().ask("test", &uri(ONE), question).await
        });
        has_started.await.expect("the question runs");
        asking.abort();
        assert!(asking.await.is_err_and(|it| it.is_cancelled()));
        go_on.send(()).expect("the question waits");
        assert_eq!(has_ended.await, Ok(Err(Cancelled::Local)));
    }

    #[tokio::test]
    async fn a_write_repeats_reads_of_other_documents_and_refuses_those_of_its_own() {
        for (written, expected) in [(TWO, Ok(Some(2))), (ONE, Err(ErrorCode::ContentModified))] {
            let server = start();
            let (started, mut has_started) = tokio::sync::mpsc::unbounded_channel();
            let attempts = AtomicU32::new(0);
            let service = server.service.clone();
            let asking = tokio::spawn(async move {
                let question = move |snapshot: &Snapshot, file: &QuestionFile| {
                    let attempt = attempts.fetch_add(1, Ordering::Relaxed) + 1;
                    started.send(()).expect("the test waits");
                    if attempt == 1 { Err(wait_for_the_end(snapshot, file)) } else { Ok(attempt) }
                };
                service.inner().ask("test", &uri(ONE), question).await
            });
            has_started.recv().await.expect("the question runs");
            server.open(written, "new");
            let answer = asking.await.expect("nobody panics");
            assert_eq!(answer.map_err(|error| error.code), expected, "{written}");
            assert_eq!(server.text(written).await, Ok(Some("new".to_owned())));
        }
    }
}
