//! Completion lists: when they are sent, and their form for clients with different capabilities. Their items are
//! tested in `ide`.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";

/// Text before the cursor, which ends with a trigger character, and whether there is an answer.
const TRIGGERED: &[(&str, bool)] = &[
    ("file { '/x':", false),
    ("file { '/x': ensure => present; '/y':", false),
    ("case $x {\n  default:", false),
    ("class a::b { }\ninclude a::", true),
    ("$x = [", false),
    ("notice([", false),
    ("$x = $facts[", true),
    ("$x = $facts['os'][", true),
    ("Array[", false),
    ("$x = Variant[", false),
    ("$x = \"${facts[", true),
    ("$x = 1 /", false),
    ("$x = $", true),
    ("$x = 'a'.", true),
];

/// Returns the position after a text.
fn end_of(before: &str) -> Value {
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    json!({ "line": line, "character": column })
}

async fn complete(client: &mut Client, before: &str, trigger: Option<char>) -> Value {
    let context = match trigger {
        Some(character) => json!({ "triggerKind": 2, "triggerCharacter": character }),
        None => json!({ "triggerKind": 1 }),
    };
    let params = json!({
        "textDocument": { "uri": URI },
        "position": end_of(before),
        "context": context,
    });
    client.request("textDocument/completion", params).await.expect("an answer")
}

#[tokio::test]
async fn trigger_characters_only_continue_names() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "").await;
    for (version, (before, is_answered)) in (2..).zip(TRIGGERED) {
        client.change(URI, version, json!([{ "text": before }])).await;
        let list = complete(&mut client, before, before.chars().next_back()).await;
        let has_items = list["items"].as_array().is_some_and(|it| !it.is_empty());
        assert_eq!(has_items, *is_answered, "{before}");
        // Some clients do not say why they ask.
        let params = json!({ "textDocument": { "uri": URI }, "position": end_of(before) });
        let list = client.request("textDocument/completion", params).await.expect("an answer");
        let has_items = list["items"].as_array().is_some_and(|it| !it.is_empty());
        assert_eq!(has_items, *is_answered, "{before} without a context");
    }
    assert!(client.stop().await);
}

/// Text before the cursor, and whether a client that asks after pauses gets an answer.
const AFTER_PAUSES: &[(&str, bool)] = &[
    ("class a {", false),
    ("class a (", false),
    ("class a (\n  Boolean $b = false,", false),
    ("file { '/x':", false),
    ("$x = [1].map |$y| { $y }", false),
    ("notice(", true),
    ("class a { incl", true),
    ("file { '/x':\n  ensure => ", true),
    ("include a::", true),
];

#[tokio::test]
async fn nothing_is_offered_after_delimiters_in_helix() {
    for (name, is_helix) in [("helix", true), ("another", false)] {
        let params = json!({ "capabilities": {}, "clientInfo": { "name": name } });
        let mut client = Client::start_with(params).await;
        client.open(URI, 1, "").await;
        for (version, (before, is_answered)) in (2..).zip(AFTER_PAUSES) {
            let text = format!("class a::b {{ }}\n{before}");
            client.change(URI, version, json!([{ "text": text }])).await;
            let list = complete(&mut client, &text, None).await;
            let has_items = list["items"].as_array().is_some_and(|it| !it.is_empty());
            if is_helix {
                assert_eq!(has_items, *is_answered, "{before}");
            } else if *is_answered {
                assert!(has_items, "{before}");
            }
        }
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn items_share_their_range_and_data() {
    let item = json!({ "insertReplaceSupport": true, "commitCharactersSupport": true });
    let list = json!({ "itemDefaults": ["editRange", "insertTextFormat", "data"] });
    let completion = json!({ "completionItem": item, "completionList": list });
    let mut client = Client::start(json!({ "textDocument": { "completion": completion } })).await;
    let text = "$server_name = 1\n$x = $server_port\n";
    client.open(URI, 1, text).await;
    let list = complete(&mut client, "$server_name = 1\n$x = $ser", None).await;
    let range =
        |end: u32| json!({ "start": { "line": 1, "character": 5 }, "end": { "line": 1, "character": end } });
    assert_eq!(list["itemDefaults"]["editRange"], json!({ "insert": range(9), "replace": range(17) }));
    let first = &list["items"][0];
    assert_eq!(first["label"], "$server_name");
    assert_eq!(first["commitCharacters"], json!(["[", "."]));
    assert_eq!((&first["textEdit"], &first["data"]), (&Value::Null, &Value::Null));
    assert!(client.stop().await);

    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, text).await;
    let list = complete(&mut client, "$server_name = 1\n$x = $ser", None).await;
    assert_eq!(list["itemDefaults"], Value::Null);
    let first = &list["items"][0];
    assert_eq!(first["textEdit"], json!({ "range": range(9), "newText": "$server_name" }));
    assert_eq!(first["commitCharacters"], Value::Null);
    assert!(client.stop().await);
}

#[tokio::test]
async fn commas_after_values_require_on_type_formatting() {
    let completion = json!({ "completionItem": { "snippetSupport": true } });
    for (capabilities, expected) in [
        (json!({}), ["owner => ", "user"]),
        (json!({ "completion": completion }), ["owner => $1", "user { '$1':\n  ensure => $2$0\n}"]),
        (
            json!({ "completion": completion, "onTypeFormatting": {} }),
            ["owner => $1,", "user { '$1':\n  ensure => $2,$0\n}"],
        ),
    ] {
        let mut client = Client::start(json!({ "textDocument": capabilities })).await;
        client.open(URI, 1, "").await;
        for (version, (text, expected)) in (2..).zip(["file { '/x':\n  own", "use"].into_iter().zip(expected))
        {
            client.change(URI, version, json!([{ "text": text }])).await;
            let list = complete(&mut client, text, None).await;
            assert_eq!(list["items"][0]["textEdit"]["newText"], expected, "{text}");
        }
        assert!(client.stop().await);
    }
}
