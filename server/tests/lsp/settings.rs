//! Settings from all sources.

use serde_json::{Value, json};

use crate::client::*;

const TEXT: &str = "class a { }";

/// Returns the codes for [`TEXT`], one of which shows whether the current size limit is below its size.
async fn codes_now(client: &mut Client, uri: &str) -> Vec<String> {
    client.all_until_idle().await;
    let report = client.ask("textDocument/diagnostic", uri).await.expect("a report");
    codes(&report["items"])
}

#[tokio::test]
async fn client_settings() {
    let uri = "file:///work/a.pp";
    let small = json!({ "large-file-limit": 5 });
    let pull = json!({ "textDocument": { "diagnostic": {} } });
    let ask = json!({ "textDocument": { "diagnostic": {} }, "workspace": { "configuration": true } });

    let mut client =
        Client::start_with(json!({ "capabilities": pull, "initializationOptions": small.clone() })).await;
    client.open(uri, 1, TEXT).await;
    assert_eq!(codes_now(&mut client, uri).await, ["large-file"], "initializationOptions");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "largeFileLimit": 500 } })).await;
    assert_eq!(codes_now(&mut client, uri).await, Vec::<String>::new(), "didChangeConfiguration");
    assert!(client.stop().await);

    let mut client = Client::connect();
    client.settings = small.clone();
    client.initialize(json!({ "capabilities": ask.clone() })).await;
    client.open(uri, 1, TEXT).await;
    assert_eq!(client.wait_for("workspace/configuration").await["items"][0]["section"], "puppet-analyzer");
    assert_eq!(codes_now(&mut client, uri).await, ["large-file"], "workspace/configuration");
    client.settings = Value::Null;
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null })).await;
    assert_eq!(codes_now(&mut client, uri).await, Vec::<String>::new(), "asked again");
    assert!(client.stop().await);

    // A client that supports configuration requests but only knows the settings that it has sent.
    let mut client = Client::connect();
    client.settings = Value::Null;
    client.initialize(json!({ "capabilities": ask, "initializationOptions": small })).await;
    client.open(uri, 1, TEXT).await;
    client.wait_for("workspace/configuration").await;
    assert_eq!(codes_now(&mut client, uri).await, ["large-file"], "initializationOptions, asked in vain");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "largeFileLimit": 500 } })).await;
    assert_eq!(
        codes_now(&mut client, uri).await,
        Vec::<String>::new(),
        "didChangeConfiguration, asked in vain"
    );
    assert!(client.stop().await);
}

#[tokio::test]
async fn settings_file() {
    let folder = TestFolder::new(&[("puppet-analyzer.toml", "large-file-limit = 5"), ("a.pp", TEXT)]);
    let uri = folder.uri("a.pp");
    let capabilities = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": {
            "didChangeWatchedFiles": { "dynamicRegistration": true },
            "didChangeConfiguration": { "dynamicRegistration": true },
        },
    });
    let mut client = Client::start_with(folder.initialize_params(capabilities)).await;
    let registrations = client.wait_for("client/registerCapability").await;
    let methods: Vec<_> =
        registrations["registrations"].as_array().expect("a list").iter().map(|it| &it["method"]).collect();
    assert_eq!(methods, ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]);
    client.open(&uri, 1, TEXT).await;
    assert_eq!(codes_now(&mut client, &uri).await, ["large-file"]);

    let file = folder.uri("puppet-analyzer.toml");
    let changed =
        |kind: u32| json!({ "changes": [{ "uri": folder.uri("puppet-analyzer.toml"), "type": kind }] });
    folder.write("puppet-analyzer.toml", "large-file-limit = 'no number'");
    client.notify("workspace/didChangeWatchedFiles", changed(2)).await;
    let message = client.wait_for("window/showMessage").await["message"].as_str().expect("a text").to_owned();
    assert!(message.contains("puppet-analyzer.toml") && message.contains("string"), "{message}");
    assert_eq!(client.diagnostics(&file).await.1, ["invalid-setting"]);
    assert_eq!(codes_now(&mut client, &uri).await, ["large-file"], "the last good settings stay");

    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "largeFileLimit": 500 } })).await;
    assert_eq!(codes_now(&mut client, &uri).await, Vec::<String>::new(), "the client's word counts more");
    client
        .notify("workspace/didChangeConfiguration", json!({ "settings": { "largeFileLimit": true } }))
        .await;
    let message = client.wait_for("window/showMessage").await["message"].as_str().expect("a text").to_owned();
    assert!(message.contains("client"), "{message}");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": {} })).await;
    assert_eq!(codes_now(&mut client, &uri).await, ["large-file"]);

    folder.write("puppet-analyzer.toml", "large-file-limt = 5\nlarge-file-limit = 5");
    client.notify("workspace/didChangeWatchedFiles", changed(2)).await;
    assert_eq!(client.diagnostics(&file).await.1, ["unknown-setting"]);
    assert_eq!(codes_now(&mut client, &uri).await, ["large-file"], "the other settings are in force");

    folder.remove("puppet-analyzer.toml");
    client.notify("workspace/didChangeWatchedFiles", changed(3)).await;
    assert_eq!(codes_now(&mut client, &uri).await, Vec::<String>::new());
    assert!(client.stop().await);
}

#[tokio::test]
async fn puppet_lint_settings() {
    let text = "$a = \"x\"\n$b = 1 \n";
    let rc = (".puppet-lint.rc", "--no-trailing_whitespace-check\n");
    let folder = TestFolder::new(&[rc, ("a.pp", text)]);
    let uri = folder.uri("a.pp");
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    let mut client = Client::start_with(folder.initialize_params(capabilities)).await;
    client.open(&uri, 1, text).await;
    assert_eq!(codes_now(&mut client, &uri).await, ["double-quoted-strings"]);
    assert!(client.stop().await);
}
