use std::sync::atomic::{AtomicU32, Ordering};

use tower_lsp::LspService;

use super::*;
use crate::clock::Clock;
use crate::connection::ConnectionState;
use crate::connection::transport::WeakOutput;
use crate::main_loop::{self, Events, Write};
use crate::outbox::{self, Delivery};
use crate::server::Server;

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
    let (outbox, delivery) = outbox::new(WeakOutput::default());
    let documents = OpenDocuments::default();
    let events =
        main_loop::start(outbox, documents.clone(), Arc::default(), Clock::system()).expect("a thread");
    let (service, _, _) = Server::service(
        events.clone(),
        documents,
        Arc::new(ConnectionState::default()),
        crate::handlers::register,
    );
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

/// Queries the analysis until the read is cancelled.
fn wait_for_cancellation(snapshot: &Snapshot, file: &RequestFile) -> Cancelled {
    loop {
        if let Err(reason) = snapshot.analysis.syntax_diagnostics(file.id) {
            return reason;
        }
    }
}

#[tokio::test]
async fn panics_fail_a_single_request() {
    let server = start();
    let answer = server.service.inner().ask::<(), _>("test", &uri(ONE), |_, _| panic!("on purpose")).await;
    assert_eq!(answer.expect_err("an error").code, ErrorCode::InternalError);
    assert_eq!(server.text(ONE).await, Ok(Some("one".to_owned())));
}

#[tokio::test]
async fn abandoned_reads_are_cancelled() {
    let server = start();
    let (started, has_started) = oneshot::channel();
    let (ended, has_ended) = oneshot::channel();
    let senders = Mutex::new(Some((started, ended)));
    let service = server.service.clone();
    let asking = tokio::spawn(async move {
        let request = move |snapshot: &Snapshot, file: &RequestFile| {
            let senders = senders.lock().expect("no thread panics").take();
            let (started, ended) = senders.expect("the request runs once");
            started.send(()).expect("the test waits");
            let reason = wait_for_cancellation(snapshot, file);
            ended.send(reason).expect("the test waits");
            Err::<(), _>(reason)
        };
        service.inner().ask("test", &uri(ONE), request).await
    });
    has_started.await.expect("the request runs");
    // `tower-lsp` drops the handler of a cancelled request.
    asking.abort();
    assert_eq!(has_ended.await, Ok(Cancelled::Local));
    assert_eq!(server.text(ONE).await, Ok(Some("one".to_owned())));
}

#[tokio::test]
async fn cancellation_between_queries_is_honored() {
    let server = start();
    let (started, has_started) = oneshot::channel();
    let (resume, may_continue) = std::sync::mpsc::channel();
    let (ended, has_ended) = oneshot::channel();
    let channels = Mutex::new(Some((started, may_continue, ended)));
    let service = server.service.clone();
    let asking = tokio::spawn(async move {
        let request = move |snapshot: &Snapshot, file: &RequestFile| {
            let channels = channels.lock().expect("no thread panics").take();
            let (started, may_continue, ended) = channels.expect("the request runs once");
            snapshot.analysis.syntax_diagnostics(file.id)?;
            started.send(()).expect("the test waits");
            may_continue.recv().expect("the test resumes it");
            let outcome = snapshot.analysis.syntax_diagnostics(file.id).map(|it| it.len());
            ended.send(outcome).expect("the test waits");
            outcome
        };
        service.inner().ask("test", &uri(ONE), request).await
    });
    has_started.await.expect("the request runs");
    asking.abort();
    assert!(asking.await.is_err_and(|it| it.is_cancelled()));
    resume.send(()).expect("the request waits");
    assert_eq!(has_ended.await, Ok(Err(Cancelled::Local)));
}

#[tokio::test]
async fn writes_retry_reads_of_other_documents_and_fail_those_of_the_same() {
    for (written, expected) in [(TWO, Ok(Some(2))), (ONE, Err(ErrorCode::ContentModified))] {
        let server = start();
        let (started, mut has_started) = tokio::sync::mpsc::unbounded_channel();
        let attempts = AtomicU32::new(0);
        let service = server.service.clone();
        let asking = tokio::spawn(async move {
            let request = move |snapshot: &Snapshot, file: &RequestFile| {
                let attempt = attempts.fetch_add(1, Ordering::Relaxed) + 1;
                started.send(()).expect("the test waits");
                if attempt == 1 { Err(wait_for_cancellation(snapshot, file)) } else { Ok(attempt) }
            };
            service.inner().ask("test", &uri(ONE), request).await
        });
        has_started.recv().await.expect("the request runs");
        server.open(written, "new");
        let answer = asking.await.expect("no thread panics");
        assert_eq!(answer.map_err(|error| error.code), expected, "{written}");
        assert_eq!(server.text(written).await, Ok(Some("new".to_owned())));
    }
}

#[tokio::test]
async fn completions_are_retried_if_only_their_word_was_continued() {
    let modified = Err(ErrorCode::ContentModified);
    for (text, method, expected) in [
        ("oneself", "textDocument/completion", Ok(Some(2))),
        ("one, two", "textDocument/completion", modified),
        ("on", "textDocument/completion", modified),
        ("two, one", "textDocument/completion", modified),
        ("oneself", "textDocument/hover", modified),
    ] {
        let server = start();
        let (started, mut has_started) = tokio::sync::mpsc::unbounded_channel();
        let attempts = AtomicU32::new(0);
        let service = server.service.clone();
        let asking = tokio::spawn(async move {
            let request = move |snapshot: &Snapshot, file: &RequestFile, offset: u32| {
                assert_eq!(offset, 3);
                let attempt = attempts.fetch_add(1, Ordering::Relaxed) + 1;
                started.send(()).expect("the test waits");
                if attempt == 1 { Err(wait_for_cancellation(snapshot, file)) } else { Ok(attempt) }
            };
            let text_document = lsp_types::TextDocumentIdentifier { uri: uri(ONE) };
            let position = Position { line: 0, character: 3 };
            let at = lsp_types::TextDocumentPositionParams { text_document, position };
            service.inner().ask_at(method, at, request).await
        });
        has_started.recv().await.expect("the request runs");
        server.open(ONE, text);
        let answer = asking.await.expect("no thread panics");
        assert_eq!(answer.map_err(|error| error.code), expected, "{text}, {method}");
    }
}
