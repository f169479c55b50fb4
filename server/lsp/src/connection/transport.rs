//! Message transport: framing, JSON, and the order in which handlers start. One thread reads the client's
//! bytes and another writes ours, so that any thread can send a message without blocking.
//!
//! The transport of `tower-lsp` stops permanently at the first message that is not valid JSON, and limits how
//! many handlers run concurrently; this one does neither. A handler starts before the next message is
//! processed, so that its events reach the main loop in the order of the messages.

use std::io::{BufRead, BufReader, Read, Write};
use std::panic::AssertUnwindSafe;
use std::sync::mpsc as threads;
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_lsp::{ClientSocket, LspService};
use tower_service::Service;

use super::ConnectionState;
use super::recording::{MessageRecorder, Sender};
use crate::panics;
use crate::server::Server;

/// Maximum message length, in bytes; a longer one ends the session.
const MAX_MESSAGE_LENGTH: usize = 1 << 27;

/// Maximum number of bytes read at once while looking for a header line.
const MAX_HEADER_LENGTH: u64 = 1 << 12;

/// Maximum number of messages read ahead of the one being handled.
const READ_AHEAD: usize = 256;

/// Size of the input buffer, in bytes.
const BUFFER_SIZE: usize = 1 << 16;

/// Time limit for writing the remaining messages when the connection ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// An incoming message: a request, a notification or a response.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: Option<Id>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Option<Value>,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

/// Serves until `exit`, the end of the input, or the end of the client's process.
pub(crate) async fn serve(
    input: impl Read + Send + 'static,
    service: LspService<Server>,
    socket: ClientSocket,
    session: &ConnectionState,
    output: Output,
    written: oneshot::Receiver<()>,
) -> std::io::Result<()> {
    let (frames_sender, frames) = mpsc::channel(READ_AHEAD);
    // Never joined: it may block in a read forever.
    thread("reader", move || read_frames(BufReader::with_capacity(BUFFER_SIZE, input), &frames_sender))?;
    let mut connection = Connection { service, output };
    tokio::select! {
        () = connection.run(frames, socket) => {}
        () = super::parent::wait_for_exit(session) => tracing::warn!("the client's process is gone"),
    }
    drop(connection);
    if tokio::time::timeout(FLUSH_TIMEOUT, written).await.is_err() {
        tracing::warn!("the client did not read the remaining messages in time");
    }
    Ok(())
}

fn thread(name: &str, run: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
}

struct Connection {
    service: LspService<Server>,
    output: Output,
}

impl Connection {
    async fn run(&mut self, mut frames: mpsc::Receiver<Vec<u8>>, socket: ClientSocket) {
        let (mut requests, mut responses) = socket.split();
        let mut calls = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                Some(request) = requests.next() => self.output.write(&request),
                Some(response) = calls.next(), if !calls.is_empty() => self.output.write_response(response),
                frame = frames.recv() => {
                    let Some(frame) = frame else { return };
                    self.output.record(Sender::Client, &frame);
                    let request = match message(&frame) {
                        Ok(IncomingMessage::Request(request)) => request,
                        Ok(IncomingMessage::Response(response)) => {
                            // Fails after the end of the session, when the response no longer matters.
                            let _ = responses.send(response).await;
                            continue;
                        }
                        Err(reason) => {
                            tracing::warn!("invalid message from the client: {reason}");
                            self.output.write(&Response::from_error(Id::Null, reason));
                            continue;
                        }
                    };
                    // Free it early: it may be large, and the request has its contents.
                    drop(frame);
                    let (is_initialize, is_exit) = (request.method() == "initialize", request.method() == "exit");
                    let mut call = Box::pin(call(&mut self.service, request));
                    if is_initialize {
                        // Messages sent before the client has the response are handled as well.
                        let response = call.await;
                        self.output.write_response(response);
                    } else if let Some(response) = call.as_mut().now_or_never() {
                        self.output.write_response(response);
                    } else {
                        calls.push(call);
                    }
                    if is_exit {
                        return;
                    }
                }
            }
        }
    }
}

enum IncomingMessage {
    Request(Request),
    Response(Response),
}

fn message(frame: &[u8]) -> Result<IncomingMessage, Error> {
    let envelope: Envelope = serde_json::from_slice(frame).map_err(|error| {
        let mut refusal = if error.is_data() { Error::invalid_request() } else { Error::parse_error() };
        refusal.data = Some(error.to_string().into());
        refusal
    })?;
    if let Some(method) = envelope.method {
        let mut request = Request::build(method);
        if let Some(params) = envelope.params {
            request = request.params(params);
        }
        if let Some(id) = envelope.id {
            request = request.id(id);
        }
        return Ok(IncomingMessage::Request(request.finish()));
    }
    let id = envelope.id.ok_or(Error::invalid_request())?;
    let Some(error) = envelope.error.filter(|it| !it.is_null()) else {
        return Ok(IncomingMessage::Response(Response::from_ok(id, envelope.result.unwrap_or_default())));
    };
    let error = serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error());
    Ok(IncomingMessage::Response(Response::from_error(id, error)))
}

/// Starts a handler. The part before its first await point runs at the first poll.
fn call(
    service: &mut LspService<Server>,
    request: Request,
) -> impl Future<Output = Option<Response>> + Send + use<> {
    let id = request.id().cloned();
    let method = request.method().to_owned();
    let call = AssertUnwindSafe(service.call(request)).catch_unwind();
    async move {
        match call.await {
            // tower-lsp ignores unknown methods that begin with `$/`, also in requests.
            Ok(Ok(response)) => {
                response.or_else(|| id.map(|id| Response::from_error(id, Error::method_not_found())))
            }
            // The client has already sent `exit`.
            Ok(Err(_)) => None,
            Err(payload) => {
                tracing::error!("{method} has panicked: {}", panics::report(payload.as_ref()));
                id.map(|id| Response::from_error(id, Error::internal_error()))
            }
        }
    }
}

/// Output queue. The writer runs as long as one of these exists. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Output(Arc<Frames>);

/// Output queue that does not keep the writer running.
#[derive(Clone, Default)]
pub(crate) struct WeakOutput(Weak<Frames>);

struct Frames {
    sender: threads::Sender<Vec<u8>>,
    recorder: Option<MessageRecorder>,
}

impl WeakOutput {
    /// Sends a serialized message; does nothing after the end.
    pub(crate) fn send(&self, body: Vec<u8>) {
        if let Some(frames) = self.0.upgrade() {
            Output(frames).send(body);
        }
    }
}

impl Output {
    /// Starts the writer. The receiver resolves when everything has been written.
    pub(crate) fn start(
        out: impl Write + Send + 'static,
        recorder: Option<MessageRecorder>,
    ) -> std::io::Result<(Output, oneshot::Receiver<()>)> {
        let (sender, frames) = threads::channel();
        let (written_sender, written) = oneshot::channel();
        thread("writer", move || {
            write_frames(out, &frames);
            // Fails if the receiver has been dropped.
            let _ = written_sender.send(());
        })?;
        Ok((Output(Arc::new(Frames { sender, recorder })), written))
    }

    pub(crate) fn downgrade(&self) -> WeakOutput {
        WeakOutput(Arc::downgrade(&self.0))
    }

    fn write_response(&self, response: Option<Response>) {
        if let Some(response) = response {
            self.write(&response);
        }
    }

    fn write(&self, message: &impl serde::Serialize) {
        match serde_json::to_vec(message) {
            Ok(body) => self.send(body),
            Err(error) => tracing::error!("cannot serialize a message: {error}"),
        }
    }

    fn send(&self, body: Vec<u8>) {
        let body = super::visible::visible_message(body);
        self.record(Sender::Server, &body);
        // Fails if the client is gone; the end of the input follows.
        let _ = self.0.sender.send(body);
    }

    fn record(&self, sender: Sender, message: &[u8]) {
        if let Some(recorder) = &self.0.recorder {
            recorder.record(sender, message);
        }
    }
}

fn read_frames(mut input: impl BufRead, frames: &mpsc::Sender<Vec<u8>>) {
    loop {
        match read_frame(&mut input) {
            Ok(Some(frame)) => {
                if frames.blocking_send(frame).is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                tracing::error!("cannot read from the client, ending the session: {error}");
                return;
            }
        }
    }
}

/// Reads the next message; `None` at the end of the input. Lines that are not headers are skipped.
///
/// # Errors
/// Fails on a read error, or on an invalid length: the start of the next message is unknown then.
pub(crate) fn read_frame(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.take(MAX_HEADER_LENGTH).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let header = String::from_utf8_lossy(&line);
        let header = header.trim();
        if let Some((name, value)) = header.split_once(':') {
            if name.trim().eq_ignore_ascii_case("content-length") {
                length = message_length(value.trim())?;
            }
        } else if let (true, Some(length)) = (header.is_empty(), length) {
            // Unused capacity costs nothing, but growing the buffer would copy it.
            let mut body = Vec::with_capacity(length);
            let read = input.take(length as u64).read_to_end(&mut body)?;
            return Ok((read == length).then_some(body));
        }
    }
}

/// Parses the length in a header; `None` if it is not a number.
fn message_length(text: &str) -> std::io::Result<Option<usize>> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return Ok(None);
    }
    match text.parse().ok().filter(|it| *it <= MAX_MESSAGE_LENGTH) {
        Some(length) => Ok(Some(length)),
        None => {
            let reason =
                format!("invalid message length {text:.40}; the maximum is {MAX_MESSAGE_LENGTH} bytes");
            Err(std::io::Error::new(std::io::ErrorKind::InvalidData, reason))
        }
    }
}

fn write_frames(mut output: impl Write, frames: &threads::Receiver<Vec<u8>>) {
    let mut bytes = Vec::new();
    while let Ok(frame) = frames.recv() {
        bytes.clear();
        add_frame(&mut bytes, &frame);
        for frame in frames.try_iter() {
            add_frame(&mut bytes, &frame);
        }
        if let Err(error) = output.write_all(&bytes).and_then(|()| output.flush()) {
            tracing::warn!("cannot write to the client: {error}");
            return;
        }
    }
}

/// Appends a message with its header.
pub(crate) fn add_frame(bytes: &mut Vec<u8>, body: &[u8]) {
    bytes.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
    bytes.extend_from_slice(body);
}

#[cfg(test)]
#[path = "transport_tests.rs"]
mod tests;
