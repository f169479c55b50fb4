//! Navigation requests. Their results are tested in `ide`; these tests cover the protocol.

use serde_json::{Value, json};

use crate::client::*;

const A: &str = "file:///work/modules/a/manifests/init.pp";
const B: &str = "file:///work/modules/b/manifests/init.pp";

/// Starts a client with two open modules, the second of which uses the first.
async fn start(capabilities: Value) -> Client {
    let mut client = Client::start(capabilities).await;
    client.open(A, 1, "class a (Integer $port = 1) {\n  notice($port)\n}\n").await;
    client.open(B, 1, "class b inherits a {\n  class { 'a': port => 2 }\n  notice($a::port)\n}\n").await;
    client
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

#[tokio::test]
async fn definitions_are_locations_or_links() {
    let mut client = start(json!({})).await;
    for method in ["definition", "declaration", "implementation"] {
        let found = client.request(&format!("textDocument/{method}"), at(A, 1, 10)).await.expect("an answer");
        assert_eq!(found, json!([{ "uri": A, "range": range(0, 18, 22) }]), "{method}");
    }
    assert_eq!(client.request("textDocument/definition", at(A, 0, 25)).await, Ok(Value::Null));
    assert!(client.stop().await);

    let links = json!({ "textDocument": { "definition": { "linkSupport": true } } });
    let mut client = start(links).await;
    let found = client.request("textDocument/definition", at(A, 1, 10)).await.expect("an answer");
    let expected = json!([{
        "originSelectionRange": range(1, 10, 14),
        "targetUri": A,
        "targetRange": range(0, 18, 22),
        "targetSelectionRange": range(0, 18, 22),
    }]);
    assert_eq!(found, expected);
    assert!(client.stop().await);
}

#[tokio::test]
async fn definitions_in_the_installed_puppet() {
    let text = "notice(step([1, 2], 1))\n";
    let ruby = "# Walks.\n#\nPuppet::Functions.create_function(:step) do\nend\n";
    let folder = TestFolder::new(&[("a.pp", text), ("ruby/puppet/functions/step.rb", ruby)]);
    let uri = folder.uri("a.pp");
    let installed = folder.path("ruby");
    let mut params = folder.initialize_params(json!({}));
    params["initializationOptions"] = json!({ "installed-puppet": installed.to_string_lossy() });
    let mut client = Client::start_with(params).await;
    client.open(&uri, 1, text).await;
    client.all_until_idle().await;
    let found = client.request("textDocument/definition", at(&uri, 0, 8)).await.expect("an answer");
    assert_eq!(found[0]["range"]["start"]["line"], 2, "{found}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn references_and_highlights_have_kinds() {
    let mut client = start(json!({})).await;
    for (with_declaration, count) in [(true, 4), (false, 3)] {
        let mut params = at(A, 0, 18);
        params["context"] = json!({ "includeDeclaration": with_declaration });
        let found = client.request("textDocument/references", params).await.expect("an answer");
        assert_eq!(found.as_array().map(Vec::len), Some(count));
    }
    let found = client.request("textDocument/documentHighlight", at(A, 1, 11)).await.expect("an answer");
    let expected = json!([
        { "range": range(0, 18, 22), "kind": 3 },
        { "range": range(1, 10, 14), "kind": 2 },
    ]);
    assert_eq!(found, expected);
    assert!(client.stop().await);
}

#[tokio::test]
async fn symbols_of_the_workspace_have_containers() {
    let mut client = start(json!({})).await;
    let found = client.request("workspace/symbol", json!({ "query": "A" })).await.expect("an answer");
    assert_eq!(found[0]["name"], "a");
    assert_eq!(found[0]["containerName"], "a");
    assert_eq!(found[0]["location"], json!({ "uri": A, "range": range(0, 6, 7) }));
    let none = client.request("workspace/symbol", json!({ "query": "xyz" })).await;
    assert_eq!(none, Ok(json!([])));
    assert!(client.stop().await);
}

#[tokio::test]
async fn hierarchies_begin_with_an_item() {
    let mut client = Client::start(json!({})).await;
    client.open(A, 1, "class a { }\nclass c inherits a { include a }\n").await;
    let items = client.request("textDocument/prepareTypeHierarchy", at(A, 0, 6)).await.expect("an answer");
    let item = items[0].clone();
    assert_eq!((&item["name"], &item["selectionRange"]), (&json!("a"), &range(0, 6, 7)));
    let below = client.request("typeHierarchy/subtypes", json!({ "item": item })).await.expect("an answer");
    assert_eq!(below[0]["name"], "c");
    let above = client.request("typeHierarchy/supertypes", json!({ "item": below[0] })).await;
    assert_eq!(above.expect("an answer")[0]["name"], "a");

    let items = client.request("textDocument/prepareCallHierarchy", at(A, 0, 6)).await.expect("an answer");
    let params = json!({ "item": items[0] });
    let callers = client.request("callHierarchy/incomingCalls", params).await.expect("an answer");
    assert_eq!(callers[0]["from"]["name"], "c");
    assert_eq!(callers[0]["fromRanges"][1], range(1, 29, 30));
    let params = json!({ "item": callers[0]["from"] });
    let callees = client.request("callHierarchy/outgoingCalls", params).await.expect("an answer");
    assert_eq!(callees[0]["to"]["name"], "a");
    assert!(client.stop().await);
}

#[tokio::test]
async fn lenses_count_references_when_they_are_resolved() {
    let command =
        json!({ "experimental": { "commands": { "commands": ["puppet-analyzer.showReferences"] } } });
    for (capabilities, name) in [(command, "puppet-analyzer.showReferences"), (json!({}), "")] {
        let mut client = Client::start(capabilities).await;
        client.open(A, 1, "class a { }\ninclude a\n").await;
        let lenses = client.ask("textDocument/codeLens", A).await.expect("lenses");
        assert_eq!(lenses[0]["range"], range(0, 6, 7));
        let lens = client.request("codeLens/resolve", lenses[0].clone()).await.expect("a lens");
        assert_eq!(lens["command"]["title"], "1 reference");
        assert_eq!(lens["command"]["command"], name);
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn renames_follow_client_capabilities() {
    let mut client = start(json!({})).await;
    let prepared = client.request("textDocument/prepareRename", at(A, 1, 11)).await.expect("an answer");
    assert_eq!(prepared, json!({ "range": range(1, 10, 14), "placeholder": "port" }));
    let mut params = at(A, 1, 11);
    params["newName"] = json!("listen");
    let change = client.request("textDocument/rename", params.clone()).await.expect("an answer");
    assert_eq!(change["changes"][A][0], json!({ "range": range(0, 18, 22), "newText": "listen" }));
    params["newName"] = json!("No name");
    assert_eq!(client.request("textDocument/rename", params).await, Err(-32803));
    assert!(client.stop().await);

    let versions = json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } });
    let mut client = start(versions).await;
    let mut params = at(A, 1, 11);
    params["newName"] = json!("listen");
    let change = client.request("textDocument/rename", params).await.expect("an answer");
    let document = &change["documentChanges"][0];
    assert_eq!(document["textDocument"], json!({ "uri": A, "version": 1 }));
    assert_eq!(document["edits"].as_array().map(Vec::len), Some(2));
    let moved = json!({ "files": [{ "oldUri": A, "newUri": "file:///work/other.pp" }] });
    assert_eq!(client.request("workspace/willRenameFiles", moved).await, Ok(Value::Null));
    assert!(client.stop().await);
}
