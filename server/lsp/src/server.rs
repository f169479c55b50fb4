//! State shared by the handlers, with access to the main loop and the client.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ide::{Cancellable, PlatformClass};
use lsp_types::{
    InitializeParams, InitializeResult, MessageType, Position, ProgressNotification, ProgressParams,
    ProgressToken, ShowDocumentParams, TextDocumentIdentifier, TextDocumentPositionParams, Uri,
    WorkspaceEdit,
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
    CancelOnDrop, Cancellation, DocumentRead, FileLookup, PendingResponse, RequestFile, Snapshot,
    WorkspaceRead,
};
use crate::connection::ConnectionState;
use crate::convert;
use crate::last_reports::LastReports;
use crate::semantic_tokens::SemanticTokenCache;

/// The language server as seen by the handlers. They send an event and await the response; they never compute
/// anything, and never wait for the client.
pub(crate) struct Server {
    events: Events,
    /// Only written by the document synchronization handlers.
    pub(crate) documents: OpenDocuments,
    features: OnceLock<Arc<ClientFeatures>>,
    session: Arc<ConnectionState>,
    client: Client,
    pub(crate) tokens: SemanticTokenCache,
    pub(crate) last_reports: LastReports,
    /// Position of the last request, for commands that the user enters without arguments.
    last_position: Mutex<Option<TextDocumentPositionParams>>,
}

impl Server {
    /// Builds the service with the lifecycle methods and those that `register` adds.
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
                last_position: Mutex::default(),
            }
        });
        let (service, socket) = register(builder).finish();
        let client = handle.expect("`build_with_lifecycle_methods` calls its argument");
        (service, socket, client)
    }

    /// Returns the unit in which the client counts columns.
    pub(crate) fn column_unit(&self) -> ColumnUnit {
        self.features.get().map_or_else(|| ClientFeatures::default().column_unit, |it| it.column_unit)
    }

    pub(crate) fn write(&self, write: Write) {
        self.events.write(write);
    }

    /// Schedules compiling a class for its platforms when idle, so that the next request has its values.
    pub(crate) fn request_platform_values(&self, class: PlatformClass) {
        self.events.send(LoopEvent::ComputePlatformValues(class));
    }

    /// Cancels running compiles. Their results are computed again after the next save.
    pub(crate) fn cancel_compile(&self) {
        self.events.send(LoopEvent::CancelCompile);
    }

    /// Runs a request on a document. Returns `None` if the file does not exist. The function may run several
    /// times.
    pub(crate) async fn ask<T, F>(&self, method: &'static str, uri: &Uri, request: F) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile) -> Cancellable<T> + Send + 'static,
    {
        self.ask_of(Snapshot::file, method, uri, None, request).await
    }

    /// Runs a request on a position in a document; the function gets the offset.
    pub(crate) async fn ask_at<T, F>(
        &self,
        method: &'static str,
        at: TextDocumentPositionParams,
        request: F,
    ) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile, u32) -> Cancellable<T> + Send + 'static,
    {
        *self.last_position() = Some(at.clone());
        let position = at.position;
        let request = move |snapshot: &Snapshot, file: &RequestFile| {
            request(snapshot, file, file.converter(snapshot).offset(position))
        };
        self.ask_of(Snapshot::file, method, &at.text_document.uri, Some(position), request).await
    }

    /// Runs a request for the diagnostics of a document, which may be one that is not analyzed.
    pub(crate) async fn ask_diagnostics<T, F>(
        &self,
        method: &'static str,
        uri: &Uri,
        request: F,
    ) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile) -> Cancellable<T> + Send + 'static,
    {
        self.ask_of(Snapshot::diagnosed_file, method, uri, None, request).await
    }

    async fn ask_of<T, F>(
        &self,
        file: FileLookup,
        method: &'static str,
        uri: &Uri,
        position: Option<Position>,
        request: F,
    ) -> Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(&Snapshot, &RequestFile) -> Cancellable<T> + Send + 'static,
    {
        let Some(path) = convert::file_path(uri) else {
            return Err(Error::invalid_params(format!("{uri} is not a file URI")));
        };
        let (sender, answer) = oneshot::channel();
        let cancellation = Cancellation::default();
        let _guard = CancelOnDrop(cancellation.clone());
        let uri = uri.clone();
        let response = PendingResponse::new(sender, cancellation);
        let read = DocumentRead { method, path, uri, position, file, request, response };
        self.events.send(LoopEvent::Read(Box::new(read)));
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Runs a request on the whole workspace. The function may run several times.
    pub(crate) async fn ask_workspace<T, F>(&self, method: &'static str, request: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&Snapshot) -> Cancellable<T> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        let cancellation = Cancellation::default();
        let _guard = CancelOnDrop(cancellation.clone());
        let read = WorkspaceRead { method, request, response: PendingResponse::new(sender, cancellation) };
        self.events.send(LoopEvent::Read(Box::new(read)));
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Sends a partial result. Only waits for the output queue, never for the client.
    pub(crate) async fn send_partial_result(&self, token: ProgressToken, part: &impl Serialize) {
        match serde_json::to_value(part) {
            Ok(value) => {
                self.client.send_notification::<ProgressNotification>(ProgressParams { token, value }).await;
            }
            Err(error) => tracing::error!("cannot serialize a partial result: {error}"),
        }
    }

    /// Shows a message to the user. Only waits for the output queue, never for the client.
    pub(crate) async fn show(&self, kind: MessageType, message: String) {
        self.client.show_message(kind, message).await;
    }

    fn last_position(&self) -> std::sync::MutexGuard<'_, Option<TextDocumentPositionParams>> {
        self.last_position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the position of the last request, or the start of the document that was opened or changed after it.
    pub(crate) fn position_in_use(&self) -> Option<TextDocumentPositionParams> {
        self.last_position().clone()
    }

    /// Records that the user opened or changed a document.
    pub(crate) fn note_document_in_use(&self, uri: &Uri) {
        let mut last = self.last_position();
        if last.as_ref().is_none_or(|last| last.text_document.uri != *uri) {
            let text_document = TextDocumentIdentifier { uri: uri.clone() };
            *last = Some(TextDocumentPositionParams { text_document, position: Position::default() });
        }
    }

    pub(crate) fn features(&self) -> Option<&ClientFeatures> {
        self.features.get().map(Arc::as_ref)
    }

    /// Writes a text to a file that the editor can open. Returns its URI, or `None` if that fails.
    pub(crate) async fn write_shown_file(
        &self,
        name: String,
        extension: &'static str,
        text: String,
    ) -> Option<Uri> {
        let files = self.session.shown_files.clone();
        let cache = self.session.last_work.folder();
        let write = move || files.write(cache.as_deref(), &name, extension, &text);
        match tokio::task::spawn_blocking(write).await.map_err(std::io::Error::other).flatten() {
            Ok(path) => {
                ide::FilePath::from_native(&path.to_string_lossy()).and_then(|path| convert::uri(&path))
            }
            Err(error) => {
                tracing::warn!("cannot write a file for the editor: {error}");
                None
            }
        }
    }

    /// Asks the client to show a document, without waiting for its response.
    pub(crate) fn show_document(&self, params: ShowDocumentParams) {
        let client = self.client.clone();
        tokio::spawn(async move {
            match client.show_document(params).await {
                Ok(true) => {}
                Ok(false) => tracing::warn!("the client did not show a document"),
                Err(error) => tracing::warn!("the client cannot show a document: {error}"),
            }
        });
    }

    /// Asks the client to apply an edit, without waiting for its response.
    pub(crate) fn apply_edit(&self, edit: WorkspaceEdit) {
        let client = self.client.clone();
        tokio::spawn(async move {
            match client.apply_edit(edit).await {
                Ok(result) if result.applied => {}
                Ok(result) => tracing::warn!("the client refused an edit: {:?}", result.failure_reason),
                Err(error) => tracing::warn!("the client cannot apply an edit: {error}"),
            }
        });
    }

    /// Responds when all earlier requests and the work they started are done, including what would wait for a
    /// pause of the user.
    pub(crate) async fn wait_until_idle(&self) -> Result<()> {
        self.wait(LoopEvent::WaitUntilIdle).await
    }

    /// Responds when all earlier requests and the work they started are done.
    pub(crate) async fn wait_until_published(&self) -> Result<()> {
        self.wait(LoopEvent::WaitUntilPublished).await
    }

    async fn wait(&self, event: fn(oneshot::Sender<()>) -> LoopEvent) -> Result<()> {
        let (sender, answer) = oneshot::channel();
        self.events.send(event(sender));
        answer.await.map_err(|_| stopped())
    }
}

fn stopped() -> Error {
    Error { code: ErrorCode::InternalError, message: "the server has stopped".into(), data: None }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let features = Arc::new(ClientFeatures::of_client(&params));
        let features = self.features.get_or_init(|| features).clone();
        if let Some(process) = params.process_id.and_then(|it| u32::try_from(it).ok()) {
            // Fails if the client sends `initialize` twice.
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
