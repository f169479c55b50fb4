//! Recording a session.

use serde_json::{Value, json};

use crate::client::*;

#[tokio::test]
async fn a_recording_holds_both_directions() {
    let folder = TestFolder::new(&[]);
    let file = folder.path("session.jsonl");
    let mut client = Client::connect_recording(Some(file.clone()));
    client.initialize(json!({ "capabilities": {} })).await;
    client.send_raw("no\njson").await;
    client.open("untitled:x", 1, "class a {").await;
    assert_eq!(client.diagnostics("untitled:x").await.0, Some(1));
    assert!(client.stop().await);
    let text = std::fs::read_to_string(file).expect("the recording is there");
    let lines: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    let of = |from: &str| {
        lines.iter().filter(|it| it["from"] == from).map(|it| it["message"].clone()).collect::<Vec<_>>()
    };
    let times: Vec<f64> = lines.iter().filter_map(|it| it["ms"].as_f64()).collect();
    assert!(times.len() == lines.len() && times.is_sorted());
    let methods: Vec<Value> = of("client").iter().map(|it| it["method"].clone()).collect();
    let expected = json!(["initialize", "initialized", null, "textDocument/didOpen", "shutdown", "exit"]);
    assert_eq!(json!(methods), expected);
    assert_eq!(of("client")[2], "no\njson");
    assert!(of("server").iter().any(|it| it["method"] == "textDocument/publishDiagnostics"));
}
