//! Recording and replaying sessions.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "untitled:x";

/// Records a session with an error, an edit, an outline and settings. Returns the outline.
async fn record(file: &Path) -> Value {
    let mut client = Client::connect_recording(Some(file.to_owned()));
    client.settings = json!({ "large-file-limit": 12 });
    client.initialize(json!({ "capabilities": { "workspace": { "configuration": true } } })).await;
    client.wait_for("workspace/configuration").await;
    client.send_raw("no\njson").await;
    assert_eq!(client.answer_to(&Value::Null).await, Err(PARSE_ERROR));
    client.open(URI, 1, "class a {").await;
    client.all_until_idle().await;
    client.change(URI, 2, json!([{ "text": "class long_enough { }" }])).await;
    let outline = client.ask("textDocument/documentSymbol", URI).await.expect("an outline");
    assert_eq!(client.diagnostics(URI).await, (Some(2), vec!["large-file".to_owned()]));
    assert!(client.stop().await);
    outline
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect()
}

#[tokio::test]
async fn recordings_contain_both_directions() {
    let folder = TestFolder::new(&[]);
    let file = folder.path("session.jsonl");
    record(&file).await;
    let lines = lines(&std::fs::read_to_string(file).expect("the recording is there"));
    let of = |from: &str| {
        let lines = lines.iter().filter(|it| it["from"] == from);
        lines.map(|it| it["message"].clone()).collect::<Vec<_>>()
    };
    let times: Vec<f64> = lines.iter().filter_map(|it| it["ms"].as_f64()).collect();
    assert!(times.len() == lines.len() && times.is_sorted());
    let methods: Vec<Value> = of("client").iter().map(|it| it["method"].clone()).collect();
    for expected in ["initialize", "initialized", "textDocument/didOpen", "shutdown", "exit"] {
        assert!(methods.iter().any(|it| it == expected), "{expected}");
    }
    assert!(of("client").contains(&json!("no\njson")), "what is no JSON is there as text");
    assert!(of("server").iter().any(|it| it["method"] == "textDocument/publishDiagnostics"));
}

#[tokio::test]
async fn replays_produce_the_same_messages() {
    let folder = TestFolder::new(&[]);
    let file = folder.path("session.jsonl");
    let outline = record(&file).await;
    let output = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer")).arg("replay").arg(&file).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = lines(&String::from_utf8(output.stdout).expect("text"));
    assert!(said.iter().any(|it| it["result"] == outline), "the outline in {said:?}");
    let mut published = said.iter().filter(|it| it["method"] == "textDocument/publishDiagnostics");
    let last = published.next_back().expect("diagnostics");
    // The replay uses the recorded settings of the client.
    assert_eq!(codes(&last["params"]["diagnostics"]), ["large-file"]);
}

#[test]
fn invalid_recordings_are_errors() {
    let folder = TestFolder::new(&[("session.jsonl", "{}\n")]);
    for file in ["session.jsonl", "missing.jsonl"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
        let output = command.arg("replay").arg(folder.path(file)).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(file));
    }
}
