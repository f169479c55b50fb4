//! What is shared between the handlers: the ways to the main loop and to the client.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use ide::{Cancellable, PlatformClass};
use lsp_types::{
    InitializeParams, InitializeResult, ProgressNotification, ProgressParams, ProgressToken,
    TextDocumentPositionParams, Uri,
};
use serde::Serialize;
use syntax::ColumnUnit;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::{Client, ClientSocket, LanguageServer, LspService, LspServiceBuilder};

use super::documents::OpenDocuments;
use super::features::{self, ClientFeatures};
use super::main_loop::{Events, LoopEvent, Write};
use super::reads::{
    CancelOnDrop, Cancellation, DocumentRead, FileOf, RequestFile, Snapshot, Waiting, WorkspaceRead,
};
use crate::connection::ConnectionState;
use crate::convert;
use crate::last_reports::LastReports;
use crate::semantic_tokens::SemanticTokenCache;

/// The language server as the handlers see it. They send an event and await the answer; they never compute, and never
/// wait for the client.
pub(crate) struct Server {
    events: Events,
    /// Written by the handlers of documents alone.
    pub(crate) documents: OpenDocuments,
    features: OnceLock<Arc<ClientFeatures>>,
    session: Arc<ConnectionState>,
    client: Client,
    pub(crate) tokens: SemanticTokenCache,
    pub(crate) last_reports: LastReports,
}

impl Server {
    /// The service with all methods: those of the protocol's lifecycle, and what `register` adds.
    pub(super) fn service(
        events: Events,
        documents: OpenDocuments,
        session: Arc<ConnectionState>,
        register: impl FnOnce(LspServiceBuilder<Server>) -> LspServiceBuilder<Server>,
    ) -> (LspService<Server>, ClientSocket, Client) {
        let mut handle = None;
        let builder = LspService::build_with_lifecycle_methods(|client| {
            handle = Some(client.clone());
            Server {
                events,
                documents,
                features: OnceLock::new(),
                session,
                client,
                tokens: SemanticTokenCache::default(),
                last_reports: LastReports::default(),
            }
        });
        let (service, socket) = register(builder).finish();
        let client = handle.expect("the library calls the function that it is given");
        (service, socket, client)
    }

    /// What the client counts columns in.
    pub(crate) fn column_unit(&self) -> ColumnUnit {
        self.features.get().map_or_else(|| ClientFeatures::default().column_unit, |it| it.column_unit)
    }

    pub(crate) fn write(&self, write: Write) {
        self.events.write(write);
    }

    /// Lets a class be compiled for its platforms when nothing else is to do, for the next question about it.
    pub(crate) fn work_out_platform_values(&self, class: PlatformClass) {
        self.events.send(LoopEvent::WorkOutPlatformValues(class));
    }

    /// Asks a question about a document. `None` where there is no such file. The question may run several times.
    pub(crate) async fn ask<T, F>(&self, method: &'static str, uri: &Uri, question: F) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile) -> Cancellable<T> + Send + 'static,
    {
        self.ask_of(Snapshot::file, method, uri, question).await
    }

    /// Asks a question about a place in a document: the question gets its offset.
    pub(crate) async fn ask_at<T, F>(
        &self,
        method: &'static str,
        at: TextDocumentPositionParams,
        question: F,
    ) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile, u32) -> Cancellable<T> + Send + 'static,
    {
        let position = at.position;
        let question = move |snapshot: &Snapshot, file: &RequestFile| {
            question(snapshot, file, file.converter(snapshot).offset(position))
        };
        self.ask(method, &at.text_document.uri, question).await
    }

    /// Asks what is to be said of a file, which may be one that is not looked at.
    pub(crate) async fn ask_findings<T, F>(
        &self,
        method: &'static str,
        uri: &Uri,
        question: F,
    ) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile) -> Cancellable<T> + Send + 'static,
    {
        self.ask_of(Snapshot::judged_file, method, uri, question).await
    }

    async fn ask_of<T, F>(
        &self,
        file: FileOf,
        method: &'static str,
        uri: &Uri,
        question: F,
    ) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile) -> Cancellable<T> + Send + 'static,
    {
        let Some(path) = convert::file_path(uri) else {
            return Err(Error::invalid_params(format!("{uri} names no file")));
        };
        let (sender, answer) = oneshot::channel();
        let cancellation = Cancellation::default();
        let _guard = CancelOnDrop(cancellation.clone());
        let uri = uri.clone();
        let waiting = Waiting::new(sender, cancellation);
        let read = DocumentRead { method, path, uri, file, question, waiting };
        self.events.send(LoopEvent::Read(Box::new(read)));
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Asks a question about everything. It may run several times.
    pub(crate) async fn ask_workspace<T, F>(&self, method: &'static str, question: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&Snapshot) -> Cancellable<T> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        let cancellation = Cancellation::default();
        let _guard = CancelOnDrop(cancellation.clone());
        let read = WorkspaceRead { method, question, waiting: Waiting::new(sender, cancellation) };
        self.events.send(LoopEvent::Read(Box::new(read)));
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Sends a part of an answer ahead. It waits for our own way out only, never for the client.
    pub(crate) async fn send_partial_result(&self, token: ProgressToken, part: &impl Serialize) {
        match serde_json::to_value(part) {
            Ok(value) => {
                self.client.send_notification::<ProgressNotification>(ProgressParams { token, value }).await;
            }
            Err(error) => tracing::error!("a part of an answer cannot be written as JSON: {error}"),
        }
    }

    /// Answers when all that was asked for before, and what follows from it, is done.
    pub(crate) async fn wait_until_idle(&self) -> Result<()> {
        let (sender, answer) = oneshot::channel();
        self.events.send(LoopEvent::WaitUntilIdle(sender));
        answer.await.map_err(|_| stopped())
    }
}

fn stopped() -> Error {
    Error { code: ErrorCode::InternalError, message: "the server has stopped".into(), data: None }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let features = Arc::new(ClientFeatures::new(&params.capabilities));
        let features = self.features.get_or_init(|| features).clone();
        if let Some(process) = params.process_id.and_then(|it| u32::try_from(it).ok()) {
            // Set already when a client tries twice.
            let _ = self.session.client_process.set(process);
        }
        let result = features::initialize_result(&features);
        let folders = features::workspace_folders(&params);
        let options = params.initialization_options;
        self.write(Write::Initialize { features, folders, options });
        Ok(result)
    }

    async fn initialized(&self, _: lsp_types::InitializedParams) {
        self.write(Write::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.session.is_shut_down.store(true, Ordering::SeqCst);
        self.session.last_work.end();
        Ok(())
    }
}
