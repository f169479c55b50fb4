//! Minimal client. It answers the server's requests and stores its messages until a test reads them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::task::JoinHandle;

pub(crate) struct Client {
    reader: BufReader<UnixStream>,
    writer: Option<UnixStream>,
    server: JoinHandle<anyhow::Result<bool>>,
    last_id: i64,
    /// Unread notifications and requests of the server, in order.
    messages: VecDeque<Value>,
    /// Unread responses.
    answers: Vec<Value>,
    /// Response to `workspace/configuration`.
    pub(crate) settings: Value,
    pub(crate) initialize_result: Value,
}

/// Response: the result, or the code of the error.
pub(crate) type Answer = Result<Value, i64>;

pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const NOT_INITIALIZED: i64 = -32002;
pub(crate) const REQUEST_CANCELLED: i64 = -32800;

/// Returns the capabilities of a client that pulls diagnostics.
pub(crate) fn pulling() -> Value {
    json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } })
}

/// Creates a socket pair: an asynchronous end for the client, and a blocking one.
fn pipe() -> (UnixStream, std::os::unix::net::UnixStream) {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().expect("there are sockets");
    ours.set_nonblocking(true).expect("it is open");
    (UnixStream::from_std(ours).expect("there is a runtime"), theirs)
}

impl Client {
    /// Connects a client that has not sent anything yet.
    pub(crate) fn connect() -> Client {
        Client::connect_recording(None)
    }

    pub(crate) fn connect_recording(record: Option<PathBuf>) -> Client {
        Client::connect_with(|input, output| {
            tokio::spawn(async move { lsp::serve(input, output, record.as_deref()).await })
        })
    }

    /// Connects a client to a server whose time passes only when `clock` is advanced.
    pub(crate) fn connect_at(clock: &lsp::ManualClock) -> Client {
        let clock = clock.clone();
        Client::connect_with(|input, output| {
            tokio::spawn(async move { lsp::serve_at(input, output, &clock).await })
        })
    }

    fn connect_with(
        serve: impl FnOnce(
            std::os::unix::net::UnixStream,
            std::os::unix::net::UnixStream,
        ) -> JoinHandle<anyhow::Result<bool>>,
    ) -> Client {
        let (writer, input) = pipe();
        let (reader, output) = pipe();
        let server = serve(input, output);
        Client {
            reader: BufReader::new(reader),
            writer: Some(writer),
            server,
            last_id: 0,
            messages: VecDeque::new(),
            answers: Vec::new(),
            settings: Value::Null,
            initialize_result: Value::Null,
        }
    }

    /// Starts a client with the given capabilities and no folders, up to `initialized`.
    pub(crate) async fn start(capabilities: Value) -> Client {
        Client::start_with(json!({ "capabilities": capabilities })).await
    }

    pub(crate) async fn start_with(initialize_params: Value) -> Client {
        let mut client = Client::connect();
        client.initialize(initialize_params).await;
        client
    }

    pub(crate) async fn initialize(&mut self, params: Value) {
        self.initialize_result = self.request("initialize", params).await.expect("initialize is answered");
        self.notify("initialized", json!({})).await;
    }

    pub(crate) async fn send_raw(&mut self, body: &str) {
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.send_bytes(message.as_bytes()).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        let writer = self.writer.as_mut().expect("the client has not hung up");
        writer.write_all(bytes).await.expect("the server reads");
    }

    async fn send(&mut self, message: Value) {
        self.send_raw(&message.to_string()).await;
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Sends a request without waiting; the result is for [`Client::answer`].
    pub(crate) async fn send_request(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(message).await;
        self.last_id
    }

    pub(crate) async fn answer(&mut self, id: i64) -> Answer {
        self.answer_to(&json!(id)).await
    }

    pub(crate) async fn answer_to(&mut self, id: &Value) -> Answer {
        loop {
            if let Some(at) = self.answers.iter().position(|it| it["id"] == *id) {
                let answer = self.answers.remove(at);
                return match answer["error"]["code"].as_i64() {
                    Some(code) => Err(code),
                    None => Ok(answer["result"].clone()),
                };
            }
            assert!(self.receive().await, "the server has ended without answering {id}");
        }
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Answer {
        let id = self.send_request(method, params).await;
        self.answer(id).await
    }

    /// Reads one message and answers it if it is a request. Returns false at the end.
    async fn receive(&mut self) -> bool {
        let Some(message) = self.read_message().await else { return false };
        if message.get("method").is_none() {
            self.answers.push(message);
            return true;
        }
        if let Some(id) = message.get("id") {
            let result = match message["method"].as_str() {
                Some("workspace/configuration") => json!([self.settings]),
                _ => Value::Null,
            };
            if self.writer.is_some() {
                self.send(json!({ "jsonrpc": "2.0", "id": id, "result": result })).await;
            }
        }
        self.messages.push_back(message);
        true
    }

    async fn read_message(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).await.expect("the pipe can be read") == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some((_, value)) => length = value.parse().expect("a length"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).await.expect("a whole message");
        Some(serde_json::from_slice(&body).expect("JSON"))
    }

    /// Waits for the next message with this method and drops all others before it.
    pub(crate) async fn wait_for(&mut self, method: &str) -> Value {
        loop {
            while let Some(message) = self.messages.pop_front() {
                if message["method"] == method {
                    return message["params"].clone();
                }
            }
            assert!(self.receive().await, "the server has ended before {method}");
        }
    }

    /// Returns all messages until the server is idle.
    pub(crate) async fn all_until_idle(&mut self) -> Vec<Value> {
        let answer = self.request("puppet-analyzer/waitUntilIdle", Value::Null).await;
        assert_eq!(answer, Ok(Value::Null));
        self.messages.drain(..).collect()
    }

    /// Returns all messages until the server waits for a pause or is idle.
    pub(crate) async fn all_until_published(&mut self) -> Vec<Value> {
        let answer = self.request("puppet-analyzer/waitUntilPublished", Value::Null).await;
        assert_eq!(answer, Ok(Value::Null));
        self.messages.drain(..).collect()
    }

    /// Returns the methods of all messages until the server is idle.
    pub(crate) async fn methods_until_idle(&mut self) -> Vec<String> {
        let all = self.all_until_idle().await;
        all.iter().map(|it| it["method"].as_str().unwrap_or_default().to_owned()).collect()
    }

    pub(crate) async fn open(&mut self, uri: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "languageId": "puppet", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    /// Sends a change notification. `changes` are protocol objects.
    pub(crate) async fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params).await;
    }

    pub(crate) async fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } })).await;
    }

    /// Sends a request whose only parameter is the document.
    pub(crate) async fn ask(&mut self, method: &str, uri: &str) -> Answer {
        self.request(method, json!({ "textDocument": { "uri": uri } })).await
    }

    pub(crate) async fn text(&mut self, uri: &str) -> String {
        let text = self.ask("puppet-analyzer/fileText", uri).await;
        text.expect("the file is known").as_str().expect("a text").to_owned()
    }

    /// Waits for the next diagnostics published for a file. Returns version and codes.
    pub(crate) async fn diagnostics(&mut self, uri: &str) -> (Option<i64>, Vec<String>) {
        loop {
            let params = self.wait_for("textDocument/publishDiagnostics").await;
            if params["uri"] == uri {
                return (params["version"].as_i64(), codes(&params["diagnostics"]));
            }
        }
    }

    /// Sends `shutdown` and `exit`. Returns true if the server exited cleanly.
    pub(crate) async fn stop(mut self) -> bool {
        assert_eq!(self.request("shutdown", Value::Null).await, Ok(Value::Null));
        self.notify("exit", Value::Null).await;
        self.ended().await
    }

    /// Closes the connection like a client that crashed.
    pub(crate) async fn hang_up(mut self) -> bool {
        // The server only sees the end after both halves are closed.
        drop(self.writer.take());
        drop(self.reader);
        self.server.await.expect("the server does not panic").expect("the server starts")
    }

    /// Waits for the server to exit.
    pub(crate) async fn ended(mut self) -> bool {
        while self.read_message().await.is_some() {}
        self.server.await.expect("the server does not panic").expect("the server starts")
    }
}

/// Returns the codes of a list of diagnostics.
pub(crate) fn codes(diagnostics: &Value) -> Vec<String> {
    let items = diagnostics.as_array().expect("a list");
    items.iter().map(|it| it["code"].as_str().expect("a code").to_owned()).collect()
}

/// A temporary folder for a test, removed on drop.
pub(crate) struct TestFolder(PathBuf);

impl TestFolder {
    pub(crate) fn new(files: &[(&str, &str)]) -> TestFolder {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let name = format!("lsp-{}-{number}", std::process::id());
        // Adjacent folders would be modules of the same folder of modules.
        let folder = TestFolder(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).join("folder"));
        std::fs::create_dir_all(&folder.0).expect("the folder can be made");
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    pub(crate) fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(path, contents).expect("the file can be written");
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.path(path)).expect("the file can be removed");
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        let path = self.path(path).to_str().expect("a path in UTF-8").replace('\\', "/");
        let path = path.trim_end_matches('/');
        format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
    }

    /// Returns the parameters of `initialize` with this as the only workspace folder.
    pub(crate) fn initialize_params(&self, capabilities: Value) -> Value {
        let folder = json!({ "uri": self.uri(""), "name": "test" });
        json!({ "capabilities": capabilities, "workspaceFolders": [folder] })
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = self.0.parent().map(std::fs::remove_dir_all);
    }
}
