//! New, deleted and renamed files, and inlay hints that can be inserted.

use serde_json::{Value, json};

use crate::client::*;

const METADATA: &str = r#"{ "name": "x-web" }"#;

fn module() -> TestFolder {
    TestFolder::new(&[
        ("metadata.json", METADATA),
        ("manifests/init.pp", "class web { include web::config }\n"),
        ("manifests/config.pp", "class web::config { }\n"),
        ("manifests/unused.pp", "class web::unused { }\n"),
    ])
}

fn operations(will_create: bool, did_create: bool) -> Value {
    json!({ "workspace": {
        "fileOperations": { "willCreate": will_create, "didCreate": did_create, "willDelete": true },
        "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create", "rename"] },
    } })
}

async fn started(folder: &TestFolder, capabilities: Value) -> Client {
    let mut client = Client::start_with(folder.initialize_params(capabilities)).await;
    client.all_until_idle().await;
    client
}

fn files(uris: &[&str]) -> Value {
    json!({ "files": uris.iter().map(|uri| json!({ "uri": uri })).collect::<Vec<_>>() })
}

#[tokio::test]
async fn new_manifests_get_their_class_before_they_exist() {
    let folder = module();
    let mut client = started(&folder, operations(true, false)).await;
    let registered = &client.initialize_result["capabilities"]["workspace"]["fileOperations"];
    assert!(registered["willCreate"].is_object() && registered["didCreate"].is_null(), "{registered}");
    let (new, other) = (folder.uri("manifests/server.pp"), folder.uri("manifests/readme.md"));
    let edit = client.request("workspace/willCreateFiles", files(&[&new, &other])).await.expect("an edit");
    let changes = edit["documentChanges"].as_array().expect("changes");
    assert_eq!(changes.len(), 2, "{edit}");
    assert_eq!((&changes[0]["kind"], &changes[0]["uri"]), (&json!("create"), &json!(new)));
    let text = changes[1]["edits"][0]["newText"].as_str().expect("a text");
    assert!(text.contains("class web::server"), "{text}");
    // Nothing to do: other files, and files that exist.
    for uri in [&other, &folder.uri("manifests/config.pp")] {
        assert_eq!(client.request("workspace/willCreateFiles", files(&[uri])).await, Ok(Value::Null));
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn new_manifests_get_their_class_once_they_exist() {
    let folder = module();
    let mut client = started(&folder, operations(true, true)).await;
    let registered = &client.initialize_result["capabilities"]["workspace"]["fileOperations"];
    assert!(registered["willCreate"].is_null() && registered["didCreate"].is_object(), "{registered}");
    for (path, expected) in
        [("manifests/server.pp", "class web::server"), ("functions/port.pp", "function web::port")]
    {
        folder.write(path, "");
        let uri = folder.uri(path);
        client.notify("workspace/didCreateFiles", files(&[&uri])).await;
        let edit = client.wait_for("workspace/applyEdit").await;
        let text = edit["edit"]["documentChanges"][0]["edits"][0]["newText"].as_str().expect("a text");
        assert!(text.contains(expected), "{text}");
    }
    // A file with contents stays as it is.
    folder.write("manifests/copied.pp", "class web::copied { }\n");
    client.notify("workspace/didCreateFiles", files(&[&folder.uri("manifests/copied.pp")])).await;
    let said = client.all_until_idle().await;
    assert!(said.iter().all(|it| it["method"] != "workspace/applyEdit"), "{said:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn deleting_a_used_class_warns() {
    let folder = module();
    let mut client = started(&folder, operations(false, false)).await;
    let used = folder.uri("manifests/config.pp");
    assert_eq!(client.request("workspace/willDeleteFiles", files(&[&used])).await, Ok(Value::Null));
    let message = client.wait_for("window/showMessage").await;
    let text = message["message"].as_str().expect("a text");
    assert_eq!(text, "deleted definitions are still used: class `web::config` at manifests/init.pp:1");
    for unused in [folder.uri("manifests/unused.pp"), folder.uri("")] {
        assert_eq!(client.request("workspace/willDeleteFiles", files(&[&unused])).await, Ok(Value::Null));
    }
    let said = client.all_until_idle().await;
    assert!(said.iter().all(|it| it["method"] != "window/showMessage"), "{said:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn renames_of_lookup_keys_change_data_and_code() {
    let folder = TestFolder::new(&[
        ("environment.conf", "modulepath = modules\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n"),
        ("data/common.yaml", "site_domain: example.com\nurl: \"https://%{lookup('site_domain')}/\"\n"),
        ("manifests/site.pp", "node default { notice(lookup('site_domain')) }\n"),
    ]);
    let changes = json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } });
    let mut client = started(&folder, changes).await;
    let site = folder.uri("manifests/site.pp");
    client.open(&site, 1, "node default { notice(lookup('site_domain')) }\n").await;
    client.all_until_idle().await;
    let params = json!({
        "textDocument": { "uri": site },
        "position": { "line": 0, "character": 32 },
        "newName": "base_domain",
    });
    let edit = client.request("textDocument/rename", params).await.expect("an edit");
    let documents = edit["documentChanges"].as_array().expect("changes");
    let mut counts: Vec<(bool, usize)> = documents
        .iter()
        .map(|it| (it["textDocument"]["uri"] == site, it["edits"].as_array().map_or(0, Vec::len)))
        .collect();
    counts.sort_unstable();
    assert_eq!(counts, [(false, 2), (true, 1)], "{edit}");
    assert!(client.stop().await);
}

const LAMBDAS: &str = "[1, 2].each |$i| { notice($i) }\n$x = 1 + 1\n";

async fn hints(client: &mut Client, uri: &str) -> Vec<Value> {
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": whole });
    let hints = client.request("textDocument/inlayHint", params).await.expect("an answer");
    hints.as_array().expect("a list").clone()
}

#[tokio::test]
async fn hinted_types_can_be_inserted() {
    const URI: &str = "file:///work/manifests/init.pp";
    let resolving =
        json!({ "textDocument": { "inlayHint": { "resolveSupport": { "properties": ["textEdits"] } } } });
    let start = json!({ "line": 0, "character": 13 });
    let edit = json!([{ "range": { "start": start, "end": start }, "newText": "Integer " }]);
    for (capabilities, is_lazy) in [(resolving, true), (json!({}), false)] {
        let mut client = Client::start(capabilities).await;
        assert_eq!(client.initialize_result["capabilities"]["inlayHintProvider"]["resolveProvider"], true);
        let settings = json!({ "settings": { "puppet-analyzer": { "inlayHints": { "types": true } } } });
        client.notify("workspace/didChangeConfiguration", settings).await;
        client.open(URI, 1, LAMBDAS).await;
        client.all_until_idle().await;
        let found = hints(&mut client, URI).await;
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((&found[0]["label"], &found[0]["position"]), (&json!("Integer"), &start));
        assert_eq!(found[1]["textEdits"], Value::Null, "variables have no declared type");
        if is_lazy {
            assert_eq!(found[0]["textEdits"], Value::Null);
            let resolved = client.request("inlayHint/resolve", found[0].clone()).await.expect("a hint");
            assert_eq!((&resolved["textEdits"], &resolved["tooltip"]), (&edit, &json!("Integer")));
            // The position of a hint for an older text may be wrong.
            client.change(URI, 2, json!([{ "text": format!("# A comment.\n{LAMBDAS}") }])).await;
            let stale = client.request("inlayHint/resolve", found[0].clone()).await.expect("a hint");
            assert_eq!(stale["textEdits"], Value::Null);
        } else {
            assert_eq!(found[0]["textEdits"], edit);
        }
        assert!(client.stop().await);
    }
}
