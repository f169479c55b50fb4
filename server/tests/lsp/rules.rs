//! Findings about names: their tier, and their representation in the protocol.

use serde_json::{Value, json};

use crate::client::*;

const MANIFEST: &str = "class a {\n  include a::install\n  include a::instal\n}\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("metadata.json", "{ \"name\": \"me-a\", \"dependencies\": [] }"),
        ("manifests/init.pp", MANIFEST),
        ("manifests/install.pp", "class a::install { }\n"),
    ]
}

/// Returns the last diagnostics published for a file.
async fn last(client: &mut Client, uri: &str) -> Value {
    let said = client.all_until_idle().await;
    let mut of_file = said.into_iter().map(|it| it["params"].clone()).filter(|it| it["uri"] == uri);
    of_file.next_back().map_or(Value::Null, |it| it["diagnostics"].clone())
}

#[tokio::test]
async fn unknown_names_disappear_after_a_fix() {
    let folder = TestFolder::new(&files());
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let uri = folder.uri("manifests/init.pp");
    client.open(&uri, 1, MANIFEST).await;
    let found = last(&mut client, &uri).await;
    assert_eq!(codes(&found), ["unknown-class"]);
    assert_eq!(found[0]["severity"], 1);
    let page = found[0]["codeDescription"]["href"].as_str().unwrap_or_default();
    assert!(page.ends_with("/unknown-class/page.md"), "{page}");
    client.change(&uri, 2, json!([{ "text": MANIFEST.replace("a::instal\n", "a::install\n") }])).await;
    assert_eq!(codes(&last(&mut client, &uri).await), Vec::<String>::new());
    assert!(client.stop().await);
}

#[tokio::test]
async fn unused_code_is_faded() {
    let folder = TestFolder::new(&files());
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let uri = folder.uri("manifests/d.pp");
    client.open(&uri, 1, "define a::d() {\n  $x = 1\n}\n").await;
    let found = last(&mut client, &uri).await;
    assert_eq!((codes(&found), &found[0]["severity"]), (vec!["unused-variable".to_owned()], &json!(4)));
    assert_eq!(found[0]["tags"], json!([1]));
    let settings = json!({ "settings": { "puppet-analyzer": { "lint": { "unused-variable": "error" } } } });
    client.notify("workspace/didChangeConfiguration", settings).await;
    let found = last(&mut client, &uri).await;
    assert_eq!(found[0]["severity"], 1);
    assert!(client.stop().await);
}
