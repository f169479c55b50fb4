//! Plays a recorded session against a fresh server and prints what that says.

use std::collections::{HashMap, VecDeque};
use std::io::{BufReader, PipeReader, PipeWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::recording::{self, Recorded, Sender};
use super::transport::{add_frame, read_frame};

/// Sends the client's messages in their order, each after the answer to the one before, and writes every message of the
/// server to `output`, one JSON object a line. Questions of the server get the answers that were recorded.
pub(crate) fn replay(path: &Path, output: &mut impl Write) -> anyhow::Result<()> {
    let recorded = recording::read(path)?;
    let (input, writer) = std::io::pipe()?;
    let (reader, server_output) = std::io::pipe()?;
    let server =
        std::thread::spawn(move || crate::runtime()?.block_on(crate::serve(input, server_output, None)));
    let mut player =
        Player { reader: BufReader::new(reader), writer, answers: Answers::new(&recorded), output };
    let messages = recorded.into_iter().filter(|it| it.from == Sender::Client).map(|it| it.message);
    let mut has_ended = false;
    for message in messages {
        match message.get("method").and_then(Value::as_str) {
            // A response: it goes out when this server asks.
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
    answers: Answers,
    output: &'a mut W,
}

impl<W: Write> Player<'_, W> {
    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        add_frame(&mut bytes, &serde_json::to_vec(message)?);
        self.writer.write_all(&bytes)?;
        Ok(())
    }

    /// Sends a message and, if it is a request, waits for the answer.
    fn play(&mut self, message: &Value) -> anyhow::Result<()> {
        self.send(message)?;
        match message.get("id") {
            Some(id) if !id.is_null() => self.answer_to(id, true),
            _ => Ok(()),
        }
    }

    /// Waits for what the server says unasked.
    fn wait_until_idle(&mut self) -> anyhow::Result<()> {
        let id = json!("replay: wait until idle");
        let wait = json!({ "jsonrpc": "2.0", "id": id, "method": "puppet-analyzer/waitUntilIdle" });
        self.send(&wait)?;
        self.answer_to(&id, false)
    }

    /// Reads until the answer to a request is there.
    fn answer_to(&mut self, id: &Value, print: bool) -> anyhow::Result<()> {
        while let Some(frame) = read_frame(&mut self.reader)? {
            let message: Value = serde_json::from_slice(&frame)?;
            let is_request = message.get("method").is_some();
            let is_answer = !is_request && message.get("id") == Some(id);
            if print || !is_answer {
                writeln!(self.output, "{message}")?;
            }
            if is_answer {
                return Ok(());
            }
            if let (true, Some(id)) = (is_request, message.get("id")) {
                let answer = self.answers.next(&message, id);
                self.send(&answer)?;
            }
        }
        anyhow::bail!("the server has ended before it answered {id}")
    }
}

/// What the client answered when it was recorded, by method, in order.
struct Answers {
    by_method: HashMap<String, VecDeque<Value>>,
}

impl Answers {
    fn new(recorded: &[Recorded]) -> Answers {
        let mut by_method: HashMap<String, VecDeque<Value>> = HashMap::new();
        let is_response = |it: &&Recorded| it.from == Sender::Client && it.message.get("method").is_none();
        for response in recorded.iter().filter(is_response) {
            let asked = recorded.iter().find(|it| {
                it.from == Sender::Server
                    && it.message.get("method").is_some()
                    && it.message.get("id") == response.message.get("id")
            });
            if let Some(method) = asked.and_then(|it| it.message["method"].as_str()) {
                by_method.entry(method.to_owned()).or_default().push_back(response.message.clone());
            }
        }
        Answers { by_method }
    }

    fn next(&mut self, request: &Value, id: &Value) -> Value {
        let method = request["method"].as_str().unwrap_or_default();
        let recorded = self.by_method.get_mut(method).and_then(VecDeque::pop_front);
        match recorded {
            Some(mut answer) => {
                answer["id"] = id.clone();
                answer
            }
            None => json!({ "jsonrpc": "2.0", "id": id, "result": null }),
        }
    }
}
