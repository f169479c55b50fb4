//! Start and end of a session, and recovery from errors.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";

#[tokio::test]
async fn initialize_returns_capabilities() {
    let client = Client::start(json!({})).await;
    let capabilities = &client.initialize_result["capabilities"];
    assert_eq!(client.initialize_result["serverInfo"]["name"], "puppet-analyzer");
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    assert_eq!(capabilities["diagnosticProvider"], Value::Null, "this client takes pushed diagnostics");
    assert_eq!(capabilities["workspace"]["workspaceFolders"]["supported"], true);
    for provider in ["documentSymbolProvider", "foldingRangeProvider", "selectionRangeProvider"] {
        assert_eq!(capabilities[provider], true, "{provider}");
    }
    assert_eq!(capabilities["semanticTokensProvider"]["full"]["delta"], true);
    assert!(client.stop().await);
}

#[tokio::test]
async fn requests_outside_of_a_session_are_rejected() {
    let mut client = Client::connect();
    let before = client.ask("textDocument/documentSymbol", URI).await;
    assert_eq!(before, Err(NOT_INITIALIZED));
    client.initialize(json!({ "capabilities": {} })).await;
    assert_eq!(client.request("initialize", json!({ "capabilities": {} })).await, Err(INVALID_REQUEST));
    assert_eq!(client.request("shutdown", Value::Null).await, Ok(Value::Null));
    let after = client.ask("textDocument/documentSymbol", URI).await;
    assert_eq!(after, Err(INVALID_REQUEST));
    client.notify("exit", Value::Null).await;
    assert!(client.ended().await);
}

#[tokio::test]
async fn unknown_requests_are_answered() {
    let mut client = Client::start(json!({})).await;
    for method in ["puppet/nothing", "$/nothing"] {
        assert_eq!(client.request(method, json!({})).await, Err(METHOD_NOT_FOUND), "{method}");
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn messages_before_the_initialize_response() {
    let mut client = Client::connect();
    let id = client.send_request("initialize", json!({ "capabilities": {} })).await;
    client.notify("initialized", json!({})).await;
    client.open(URI, 1, "class a { }").await;
    assert!(client.answer(id).await.is_ok());
    assert_eq!(client.text(URI).await, "class a { }");
    assert!(client.stop().await);
}

#[tokio::test]
async fn no_requests_before_initialized() {
    let folder = TestFolder::new(&[("manifests/site.pp", "node default { }")]);
    let capabilities = json!({
        "window": { "workDoneProgress": true },
        "workspace": { "configuration": true, "didChangeWatchedFiles": { "dynamicRegistration": true } },
    });
    let mut client = Client::connect();
    client.request("initialize", folder.initialize_params(capabilities)).await.expect("an answer");
    let asked = |said: Vec<Value>| said.iter().filter(|it| it.get("id").is_some()).count();
    assert_eq!(asked(client.all_until_idle().await), 0);
    client.notify("initialized", json!({})).await;
    client.wait_for("window/workDoneProgress/create").await;
    assert!(client.stop().await);
}

#[tokio::test]
async fn unknown_methods() {
    let mut client = Client::start(json!({})).await;
    for method in ["textDocument/unheardOf", "x"] {
        assert_eq!(client.ask(method, URI).await, Err(METHOD_NOT_FOUND), "{method}");
    }
    client.notify("unheard/of", json!({})).await;
    client.notify("$/setTrace", json!({ "value": "off" })).await;
    assert_eq!(client.methods_until_idle().await, Vec::<String>::new());
    assert!(client.stop().await);
}

#[tokio::test]
async fn invalid_messages_are_skipped() {
    let mut client = Client::start(json!({})).await;
    for (body, code) in [
        ("{\"jsonrpc\": \"2.0\", ", PARSE_ERROR),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 7}", INVALID_REQUEST),
        ("[]", INVALID_REQUEST),
    ] {
        client.send_raw(body).await;
        assert_eq!(client.answer_to(&Value::Null).await, Err(code), "{body}");
    }
    client.send_bytes(b"Content-Length: 4\r\n\r\n\"\xff\xff\"").await;
    assert_eq!(client.answer_to(&Value::Null).await, Err(PARSE_ERROR));
    client.send_bytes(b"\r\nnonsense\r\nContent-Length: many\r\n\r\n").await;
    assert_eq!(client.ask("textDocument/documentSymbol", "no uri").await, Err(INVALID_PARAMS));
    assert_eq!(client.request("textDocument/documentSymbol", json!({})).await, Err(INVALID_PARAMS));
    client.notify("textDocument/didChange", json!({ "nonsense": true })).await;
    client.open(URI, 1, "class a { }").await;
    assert_eq!(client.text(URI).await, "class a { }");
    assert!(client.stop().await);
}

#[tokio::test]
async fn exit_without_shutdown_is_an_error() {
    let mut client = Client::start(json!({})).await;
    client.notify("exit", Value::Null).await;
    assert!(!client.ended().await);
}

#[tokio::test]
async fn server_exits_when_the_client_dies() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "class a {").await;
    assert!(!client.hang_up().await);
    assert!(!Client::connect().hang_up().await);
}

#[tokio::test]
async fn cancelled_requests_are_answered() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, &"file { '/x': ensure => file }\n".repeat(200)).await;
    let first =
        client.send_request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })).await;
    client.notify("$/cancelRequest", json!({ "id": first })).await;
    let second = client.ask("textDocument/documentSymbol", URI).await;
    assert_eq!(second.expect("an outline").as_array().map(Vec::len), Some(200));
    // The request may have finished before it was cancelled.
    let first = client.answer(first).await;
    assert!(first.is_ok() || first == Err(REQUEST_CANCELLED), "{first:?}");
    client.notify("$/cancelRequest", json!({ "id": 4711 })).await;
    assert!(client.stop().await);
}

#[tokio::test]
async fn many_pending_requests() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "class a { }").await;
    let mut ids = Vec::new();
    for _ in 0..100 {
        ids.push(
            client.send_request("puppet-analyzer/fileText", json!({ "textDocument": { "uri": URI } })).await,
        );
    }
    for id in ids {
        assert_eq!(client.answer(id).await, Ok(json!("class a { }")));
    }
    assert!(client.stop().await);
}
