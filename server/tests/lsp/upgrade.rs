//! The setting `upgrade-to`: findings of a later version as hints, and their fixes.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/a.pp";

const TEXT: &str = "notice($facts['osfamily'])\n$x = { 'a' => has_key({}, 'a') }\nnotice('5' + 3)\n";

/// Returns the diagnostics as `line code: message`.
fn shown(diagnostics: &Value) -> Vec<String> {
    let line = |it: &Value| {
        let severity = &it["severity"];
        format!(
            "{}:{severity} {}: {}",
            it["range"]["start"]["line"],
            it["code"].as_str()?,
            it["message"].as_str()?
        )
        .into()
    };
    diagnostics.as_array().expect("a list").iter().filter_map(line).collect()
}

/// Returns the diagnostics that name a later version.
fn hints(diagnostics: &Value) -> Vec<String> {
    shown(diagnostics)
        .into_iter()
        .filter(|it| it.contains(": OpenVox 9: ") || it.contains(": Puppet 8: "))
        .collect()
}

async fn pushed(client: &mut Client) -> Value {
    let said = client.all_until_idle().await;
    let last = said.iter().rfind(|it| it["method"] == "textDocument/publishDiagnostics");
    last.expect("diagnostics")["params"]["diagnostics"].clone()
}

async fn actions(client: &mut Client, line: u32, only: &str) -> Vec<Value> {
    let at = json!({ "line": line, "character": 20 });
    let context = json!({ "diagnostics": [], "only": [only] });
    let params =
        json!({ "textDocument": { "uri": URI }, "range": { "start": at, "end": at }, "context": context });
    let actions = client.request("textDocument/codeAction", params).await.expect("actions");
    actions.as_array().expect("a list").clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().filter_map(|it| it["title"].as_str()).collect()
}

#[tokio::test]
async fn hints_follow_the_setting() {
    let old = json!({ "puppet-version": 7 });
    let mut client = Client::start_with(json!({ "capabilities": {}, "initializationOptions": old })).await;
    client.open(URI, 1, TEXT).await;
    let before = pushed(&mut client).await;
    assert_eq!(hints(&before), Vec::<String>::new());
    assert_eq!(titles(&actions(&mut client, 1, "source.upgrade").await), Vec::<&str>::new());

    let set = |to: Value| json!({ "settings": { "puppet-version": 7, "upgrade-to": to } });
    client.notify("workspace/didChangeConfiguration", set(json!(9))).await;
    let found = hints(&pushed(&mut client).await);
    let numeric = "numeric-coercion: OpenVox 9: implicit conversion of `'5'` to a number";
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(
        found[0].starts_with("1:4 removed-function: OpenVox 9: function `has_key` was removed"),
        "{found:#?}"
    );
    assert_eq!(found[1], format!("2:4 {numeric}"));
    let upgrade = actions(&mut client, 0, "source.upgrade").await;
    assert_eq!(titles(&upgrade), ["Upgrade this file to OpenVox 9"]);
    let edits = upgrade[0]["edit"]["changes"][URI].as_array().expect("edits");
    let texts: Vec<&Value> = edits.iter().map(|it| &it["newText"]).collect();
    assert_eq!(texts, ["$facts['os']['family']", "5"]);
    assert_eq!(
        titles(&actions(&mut client, 1, "quickfix").await),
        ["Fix `removed-function` (may change behavior)"]
    );

    client.change(URI, 2, json!([{ "text": format!("\n{TEXT}") }])).await;
    let moved = hints(&pushed(&mut client).await);
    assert_eq!(moved[1], format!("3:4 {numeric}"));
    client.notify("workspace/didChangeConfiguration", set(Value::Null)).await;
    assert_eq!(hints(&pushed(&mut client).await), Vec::<String>::new());
    assert!(client.stop().await);
}

#[tokio::test]
async fn pulling_clients_get_hints() {
    let settings = json!({ "puppet-version": 7, "upgrade-to": 8 });
    let mut client =
        Client::start_with(json!({ "capabilities": pulling(), "initializationOptions": settings })).await;
    client.open(URI, 1, TEXT).await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!(hints(&report["items"]).len(), 2, "{report:#}");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "puppet-version": 7 } })).await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!(hints(&report["items"]).len(), 0, "{report:#}");
    assert!(client.stop().await);
}

/// Edits must not wait for, or be lost by, the second analysis.
#[tokio::test]
async fn hints_belong_to_the_last_version() {
    let settings = json!({ "puppet-version": 7, "upgrade-to": 9 });
    let mut client =
        Client::start_with(json!({ "capabilities": {}, "initializationOptions": settings })).await;
    client.open(URI, 0, "").await;
    for version in 1..=50 {
        client.change(URI, version, json!([{ "text": TEXT.repeat(version as usize) }])).await;
        if version % 10 == 0 {
            actions(&mut client, 1, "quickfix").await;
        }
    }
    assert_eq!(hints(&pushed(&mut client).await).len(), 100);
    assert!(client.stop().await);
}
