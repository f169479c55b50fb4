//! Checks that a text that crashed a server is skipped by the next one until it changes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use crate::folders::Folder;
use serde_json::{Value, json};

/// A server process, as started by an editor.
struct Server {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Server {
    fn start(cache: &std::path::Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"))
            .arg("lsp")
            .env("XDG_CACHE_HOME", cache)
            .env("PUPPET_ANALYZER_TEST_END_ON", "the text that is too much")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Server { child, output };
        server.send(json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
        server.send(json!({ "method": "initialized", "params": {} }));
        server
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        let text = message.to_string();
        let input = self.child.stdin.as_mut().expect("a pipe");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
    }

    fn open(&mut self, text: &str) {
        let document = json!({ "uri": "untitled:x.pp", "languageId": "puppet", "version": 1, "text": text });
        self.send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    }

    /// Returns the next message; `None` after the last one.
    fn next(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim().strip_prefix("Content-Length: ") {
                Some(digits) => length = digits.parse().expect("a number"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).ok()?;
        serde_json::from_slice(&body).ok()
    }

    /// Returns the first non-empty list of codes published for a version; `None` if the server exits.
    fn codes(&mut self, version: i32) -> Option<Vec<String>> {
        loop {
            let message = self.next()?;
            let is_expected = message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == version;
            let diagnostics =
                message["params"]["diagnostics"].as_array().filter(|it| is_expected && !it.is_empty());
            if let Some(diagnostics) = diagnostics {
                return Some(
                    diagnostics.iter().filter_map(|it| Some(it["code"].as_str()?.to_owned())).collect(),
                );
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn crashing_files_are_skipped_until_they_change() {
    let folder = Folder::new("last-work", &[]);
    let cache = folder.0.join("cache");
    let deadly = "# the text that is too much\n";

    let mut server = Server::start(&cache);
    server.open(deadly);
    assert_eq!(server.codes(1), None, "the server ends");
    drop(server);

    let mut server = Server::start(&cache);
    server.open(deadly);
    assert_eq!(server.codes(1), Some(vec!["unreadable-file".to_owned()]));
    // Another text is checked, and the previous one is removed from the list.
    let text = "notice('x'\n";
    let document = json!({ "uri": "untitled:x.pp", "version": 2 });
    let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
    server.send(json!({ "method": "textDocument/didChange", "params": params }));
    let codes = server.codes(2).expect("the server lives");
    assert!(!codes.is_empty() && !codes.contains(&"unreadable-file".to_owned()), "{codes:?}");
    server.send(json!({ "id": 2, "method": "shutdown" }));
    server.send(json!({ "method": "exit" }));
    while server.next().is_some() {}
    drop(server);
    let left: Vec<_> = std::fs::read_dir(cache.join("puppet-analyzer"))
        .expect("a folder")
        .map(|it| it.expect("an entry").file_name())
        .collect();
    assert_eq!(left, ["fatal-texts"], "regular exits leave no journal");

    let mut server = Server::start(&cache);
    server.open(deadly);
    assert_eq!(server.codes(1), None, "the text is looked at again");
}
