//! Diagnostics, pushed and pulled.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";

fn pulling() -> Value {
    json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } })
}

#[tokio::test]
async fn an_error_appears_and_an_edit_removes_it() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 3, "class a {\n  $x = 1\n").await;
    let params = client.wait_for("textDocument/publishDiagnostics").await;
    assert_eq!(params["uri"], URI);
    assert_eq!(params["version"], 3);
    let first = &params["diagnostics"][0];
    assert_eq!(first["severity"], 1);
    assert_eq!(first["source"], "puppet-analyzer");
    assert!(first["message"].as_str().is_some_and(|it| !it.is_empty()));
    client.change(URI, 4, json!([{ "text": "class a {\n  notice(1)\n}" }])).await;
    assert_eq!(client.diagnostics(URI).await, (Some(4), vec![]));
    client.close(URI).await;
    assert_eq!(client.diagnostics(URI).await, (None, vec![]));
    assert!(client.stop().await);
}

#[tokio::test]
async fn every_version_in_the_end_is_the_last_one() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 0, "").await;
    for version in 1..=50 {
        let text = if version % 2 == 0 { "class a { }" } else { "class a {" };
        client.change(URI, version, json!([{ "text": text }])).await;
    }
    let said = client.all_until_idle().await;
    let versions: Vec<i64> = said.iter().filter_map(|it| it["params"]["version"].as_i64()).collect();
    assert!(versions.is_sorted(), "{versions:?}");
    let last = said.last().expect("diagnostics");
    assert_eq!(
        (last["params"]["version"].as_i64(), codes(&last["params"]["diagnostics"])),
        (Some(50), vec![])
    );
    assert!(client.stop().await);
}

#[tokio::test]
async fn a_client_that_pulls_gets_nothing_pushed() {
    let mut client = Client::start(pulling()).await;
    assert_ne!(client.initialize_result["capabilities"]["diagnosticProvider"], Value::Null);
    client.open(URI, 1, "class a {").await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!((report["kind"].as_str(), codes(&report["items"]).len()), (Some("full"), 1));
    let previous = report["resultId"].clone();
    let again = json!({ "textDocument": { "uri": URI }, "previousResultId": previous });
    let report = client.request("textDocument/diagnostic", again.clone()).await.expect("a report");
    assert_eq!((report["kind"].as_str(), &report["resultId"]), (Some("unchanged"), &previous));
    client.change(URI, 2, json!([{ "text": "class a { }" }])).await;
    let report = client.request("textDocument/diagnostic", again).await.expect("a report");
    assert_eq!((report["kind"].as_str(), codes(&report["items"])), (Some("full"), vec![]));
    client.close(URI).await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!((report["kind"].as_str(), codes(&report["items"])), (Some("full"), vec![]));
    let methods = client.methods_until_idle().await;
    assert!(!methods.iter().any(|it| it == "textDocument/publishDiagnostics"), "{methods:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn a_changed_setting_refreshes_what_was_pulled_and_pushed() {
    let settings = |limit: usize| json!({ "settings": { "puppet-analyzer": { "largeFileLimit": limit } } });
    let mut client = Client::start(pulling()).await;
    client.open(URI, 1, "class a { }").await;
    client.notify("workspace/didChangeConfiguration", settings(5)).await;
    client.wait_for("workspace/diagnostic/refresh").await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!(codes(&report["items"]), ["large-file"]);
    assert!(client.stop().await);

    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "class a { }").await;
    assert_eq!(client.diagnostics(URI).await, (Some(1), vec![]));
    client.notify("workspace/didChangeConfiguration", settings(5)).await;
    assert_eq!(client.diagnostics(URI).await, (Some(1), vec!["large-file".to_owned()]));
    // The same settings again change nothing, so nothing is said.
    client.notify("workspace/didChangeConfiguration", settings(5)).await;
    assert_eq!(client.methods_until_idle().await, Vec::<String>::new());
    assert!(client.stop().await);
}
