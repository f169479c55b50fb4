//! Push and pull diagnostics.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";

#[tokio::test]
async fn clients_without_refresh_support_are_pushed_to() {
    let mut client = Client::start(json!({ "textDocument": { "diagnostic": {} } })).await;
    assert_eq!(client.initialize_result["capabilities"]["diagnosticProvider"], Value::Null);
    client.open(URI, 1, "$x =\n").await;
    let params = client.wait_for("textDocument/publishDiagnostics").await;
    assert_eq!(codes(&params["diagnostics"]), ["syntax-error"]);
    assert!(client.stop().await);
}

#[tokio::test]
async fn errors_disappear_after_an_edit() {
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
async fn final_diagnostics_belong_to_the_last_version() {
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
async fn pulling_clients_get_no_pushed_diagnostics() {
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
async fn changed_settings_refresh_diagnostics() {
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
    // Unchanged settings do not cause any messages.
    client.notify("workspace/didChangeConfiguration", settings(5)).await;
    assert_eq!(client.methods_until_idle().await, Vec::<String>::new());
    assert!(client.stop().await);
}

/// Returns the kind and the codes of each file's report, by the end of its URI.
fn reports(answer: &Value) -> Vec<(String, String, Vec<String>)> {
    let items = answer["items"].as_array().expect("a list").iter();
    let mut reports: Vec<_> = items
        .map(|it| {
            let file = it["uri"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default();
            let kind = it["kind"].as_str().unwrap_or_default();
            let codes = it.get("items").map(codes).unwrap_or_default();
            (file.to_owned(), kind.to_owned(), codes)
        })
        .collect();
    reports.sort();
    reports
}

fn previous_ids(answer: &Value) -> Value {
    let items = answer["items"].as_array().expect("a list").iter();
    items.map(|it| json!({ "uri": it["uri"], "value": it["resultId"] })).collect()
}

#[tokio::test]
async fn workspace_diagnostics_are_incremental() {
    let metadata = r#"{ "name": "x-a", "version": "1.0.0", "author": "x", "license": "Apache-2.0", "summary": "s",
      "source": "s", "dependencies": [], "operatingsystem_support": [
      { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] } ] }"#;
    let broken = "class a::broken { $x = 1 + 'a' notice($x) }\n";
    let failing = "class a::failing { $x = $facts['os']['family'] ? { 'Debian' => 1 } notice($x) }\n";
    let files = [
        ("metadata.json", metadata),
        ("manifests/init.pp", "class a { }\n"),
        ("manifests/broken.pp", broken),
        ("manifests/failing.pp", failing),
    ];
    let folder = TestFolder::new(&files);
    let mut client = Client::start_with(folder.initialize_params(pulling())).await;
    let provider = &client.initialize_result["capabilities"]["diagnosticProvider"];
    assert_eq!(provider["workspaceDiagnostics"], false);
    client.open(&folder.uri("manifests/init.pp"), 1, "class a { }\n").await;
    client.all_until_idle().await;
    let none = json!({ "previousResultIds": [] });
    let first = client.request("workspace/diagnostic", none.clone()).await.expect("a report");
    let report = |file: &str, kind: &str, codes: &[&str]| {
        (file.to_owned(), kind.to_owned(), codes.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    };
    let broken_codes = ["not-numeric"];
    let expected =
        [report("broken.pp", "full", &broken_codes), report("failing.pp", "full", &["failing-class"])];
    assert_eq!(reports(&first), expected);
    let again = json!({ "previousResultIds": previous_ids(&first) });
    let second = client.request("workspace/diagnostic", again.clone()).await.expect("a report");
    let expected = [report("broken.pp", "unchanged", &[]), report("failing.pp", "unchanged", &[])];
    assert_eq!(reports(&second), expected);
    client.open(&folder.uri("manifests/broken.pp"), 1, "class a::broken { }\n").await;
    let third = client.request("workspace/diagnostic", again).await.expect("a report");
    let expected = [report("broken.pp", "full", &[]), report("failing.pp", "unchanged", &[])];
    assert_eq!(reports(&third), expected);
    // The final response does not repeat partial results.
    let parts = json!({ "previousResultIds": [], "partialResultToken": "parts" });
    let answer = client.request("workspace/diagnostic", parts).await.expect("a report");
    assert_eq!(reports(&answer), []);
    let part = client.wait_for("$/progress").await;
    assert_eq!(part["token"], "parts");
    assert_eq!(reports(&part["value"]), [report("failing.pp", "full", &["failing-class"])]);
    assert!(client.stop().await);
}
