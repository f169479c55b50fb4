//! Replays a recorded session against a fresh server and prints the server's messages.

use std::collections::{HashMap, VecDeque};
use std::io::{BufReader, PipeReader, PipeWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::recording::{self, Recorded, Sender};
use super::transport::{add_frame, read_frame};

/// Sends the client's messages in order, each after the response to the previous one, and writes every
/// message of the server to `output`, one JSON object per line. Requests of the server get the recorded
/// responses.
pub(crate) fn replay(path: &Path, output: &mut impl Write) -> anyhow::Result<()> {
    let recorded = recording::read(path)?;
    let (input, writer) = std::io::pipe()?;
    let (reader, server_output) = std::io::pipe()?;
    let server =
        std::thread::spawn(move || crate::runtime()?.block_on(crate::serve(input, server_output, None)));
    let mut player = Player {
        reader: BufReader::new(reader),
        writer,
        responses: RecordedResponses::new(&recorded),
        output,
    };
    let messages = recorded.into_iter().filter(|it| it.from == Sender::Client).map(|it| it.message);
    let mut has_ended = false;
    for message in messages {
        match message.get("method").and_then(Value::as_str) {
            // A response: it is sent when this server makes the request.
            None => continue,
            Some("shutdown") => player.wait_until_idle()?,
            Some("exit") => has_ended = true,
            Some(_) => {}
        }
        player.play(&message)?;
    }
    if !has_ended {
        player.wait_until_idle()?;
        player.send(&json!({ "jsonrpc": "2.0", "method": "exit" }))?;
    }
    drop(player);
    match server.join() {
        Ok(served) => served.map(drop),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

struct Player<'a, W> {
    reader: BufReader<PipeReader>,
    writer: PipeWriter,
    responses: RecordedResponses,
    output: &'a mut W,
}

impl<W: Write> Player<'_, W> {
    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        add_frame(&mut bytes, &serde_json::to_vec(message)?);
        self.writer.write_all(&bytes)?;
        Ok(())
    }

    /// Sends a message and, if it is a request, waits for the response.
    fn play(&mut self, message: &Value) -> anyhow::Result<()> {
        self.send(message)?;
        match message.get("id") {
            Some(id) if !id.is_null() => self.read_response(id, true),
            _ => Ok(()),
        }
    }

    /// Waits for unsolicited messages of the server.
    fn wait_until_idle(&mut self) -> anyhow::Result<()> {
        let id = json!("replay: wait until idle");
        let wait = json!({ "jsonrpc": "2.0", "id": id, "method": "puppet-analyzer/waitUntilIdle" });
        self.send(&wait)?;
        self.read_response(&id, false)
    }

    /// Reads messages until the response to a request arrives.
    fn read_response(&mut self, id: &Value, print: bool) -> anyhow::Result<()> {
        while let Some(frame) = read_frame(&mut self.reader)? {
            let message: Value = serde_json::from_slice(&frame)?;
            let is_request = message.get("method").is_some();
            let is_response = !is_request && message.get("id") == Some(id);
            if print || !is_response {
                writeln!(self.output, "{message}")?;
            }
            if is_response {
                return Ok(());
            }
            if let (true, Some(id)) = (is_request, message.get("id")) {
                let response = self.responses.next(&message, id);
                self.send(&response)?;
            }
        }
        anyhow::bail!("the server exited before responding to {id}")
    }
}

/// Recorded responses of the client, by method, in order.
struct RecordedResponses {
    by_method: HashMap<String, VecDeque<Value>>,
}

impl RecordedResponses {
    fn new(recorded: &[Recorded]) -> RecordedResponses {
        let mut by_method: HashMap<String, VecDeque<Value>> = HashMap::new();
        let is_response = |it: &&Recorded| it.from == Sender::Client && it.message.get("method").is_none();
        for response in recorded.iter().filter(is_response) {
            let request = recorded.iter().find(|it| {
                it.from == Sender::Server
                    && it.message.get("method").is_some()
                    && it.message.get("id") == response.message.get("id")
            });
            if let Some(method) = request.and_then(|it| it.message["method"].as_str()) {
                by_method.entry(method.to_owned()).or_default().push_back(response.message.clone());
            }
        }
        RecordedResponses { by_method }
    }

    fn next(&mut self, request: &Value, id: &Value) -> Value {
        let method = request["method"].as_str().unwrap_or_default();
        let recorded = self.by_method.get_mut(method).and_then(VecDeque::pop_front);
        match recorded {
            Some(mut response) => {
                response["id"] = id.clone();
                response
            }
            None => json!({ "jsonrpc": "2.0", "id": id, "result": null }),
        }
    }
}
