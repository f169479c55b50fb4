//! Synchronization of text between client and server.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";

fn edit(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    let position = |it: (u32, u32)| json!({ "line": it.0, "character": it.1 });
    json!({ "range": { "start": position(start), "end": position(end) }, "text": text })
}

#[tokio::test]
async fn edits_use_the_negotiated_encoding() {
    // The emoji has 4 bytes, 2 UTF-16 code units and 1 code point; the `ä` has 2 bytes, otherwise 1.
    for (offered, chosen, column) in [
        (json!(null), "utf-16", 5),
        (json!(["utf-16", "utf-8"]), "utf-8", 8),
        (json!(["utf-32"]), "utf-32", 4),
        (json!(["utf-32", "utf-16"]), "utf-16", 5),
    ] {
        let mut client = Client::start(json!({ "general": { "positionEncodings": offered } })).await;
        assert_eq!(client.initialize_result["capabilities"]["positionEncoding"], chosen);
        client.open(URI, 1, "# \u{e4}\u{1f600}x\r\n$a = 1").await;
        client.change(URI, 2, json!([edit((0, column), (0, column + 1), "y")])).await;
        assert_eq!(client.text(URI).await, "# \u{e4}\u{1f600}y\r\n$a = 1", "{chosen}");
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn invalid_edits_are_clamped() {
    let mut client = Client::start(json!({})).await;
    let text = "$a = 1\n$b = 2";
    for (changes, expected) in [
        (json!([edit((7, 0), (9, 0), "\n$c = 3")]), "$a = 1\n$b = 2\n$c = 3"),
        (json!([edit((0, 99), (0, 999), "0")]), "$a = 10\n$b = 2"),
        (json!([edit((1, 6), (0, 0), "x")]), "x"),
        (
            json!([{ "range": { "start": { "line": -4, "character": -1 }, "end": { "line": 0, "character": 2 } },
                  "text": "$z" }]),
            "$z = 1\n$b = 2",
        ),
        (json!([edit((0, 1), (4_000_000_000, 0), "")]), "$"),
        (json!([]), text),
        (json!([{ "text": "whole" }, edit((0, 0), (0, 5), "part")]), "part"),
        (json!([{ "range": null, "text": "whole" }]), "whole"),
    ] {
        client.change(URI, 2, json!([{ "text": text }])).await;
        client.open(URI, 1, text).await;
        client.change(URI, 2, changes.clone()).await;
        assert_eq!(client.text(URI).await, expected, "{changes}");
        client.close(URI).await;
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn unbalanced_open_and_close() {
    let mut client = Client::start(json!({})).await;
    let other = "file:///work/manifests/other.pp";
    client.open(other, 1, "class other { }").await;
    client.open(URI, 1, "first").await;
    client.open(URI, 5, "second").await;
    client.change(URI, 6, json!([edit((0, 0), (0, 1), "S")])).await;
    assert_eq!(client.text(URI).await, "Second");
    client.close(URI).await;
    client.close(URI).await;
    client.change(URI, 7, json!([{ "text": "closed" }])).await;
    let log: Vec<Value> = client.all_until_idle().await;
    let warnings = log.iter().filter(|it| it["method"] == "window/logMessage" && it["params"]["type"] == 2);
    assert_eq!(warnings.count(), 2);
    assert_eq!(client.ask("puppet-analyzer/fileText", URI).await, Ok(Value::Null));
    client.change(other, 2, json!([edit((0, 6), (0, 11), "new")])).await;
    assert_eq!(client.text(other).await, "class new { }");
    assert!(client.stop().await);
}

#[tokio::test]
async fn documents_without_files() {
    let mut client = Client::start(json!({})).await;
    for uri in
        ["untitled:Untitled-1", "git:/work/a.pp", "vscode-notebook-cell:/x#1", "file://server/share/a.pp"]
    {
        client.open(uri, 1, "class a {").await;
        let (version, codes) = client.diagnostics(uri).await;
        assert_eq!((version, codes.len()), (Some(1), 1), "{uri}");
        client.change(uri, 2, json!([edit((0, 9), (0, 9), "}")])).await;
        assert_eq!(client.diagnostics(uri).await, (Some(2), vec![]), "{uri}");
        client.close(uri).await;
        assert_eq!(client.diagnostics(uri).await, (None, vec![]), "{uri}");
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn documents_without_files_in_other_languages_are_ignored() {
    let mut client = Client::start(json!({})).await;
    let uri = "untitled:Untitled-1";
    let document = json!({ "uri": uri, "languageId": "epp", "version": 1, "text": "a <%= $x %>" });
    client.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    client.change(uri, 2, json!([{ "text": "<% b %>" }])).await;
    assert_eq!(client.ask("textDocument/documentSymbol", uri).await, Ok(Value::Null));
    client.close(uri).await;
    let messages = client.all_until_idle().await;
    let methods = ["window/logMessage", "textDocument/publishDiagnostics"];
    assert!(!messages.iter().any(|it| methods.iter().any(|method| it["method"] == *method)), "{messages:?}");
    client.open(uri, 3, "class a { }").await;
    assert_eq!(client.text(uri).await, "class a { }");
    assert!(client.stop().await);
}

/// Random number generator for edits, with the same sequence in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Returns the position of a character in UTF-16, computed independently of the server.
fn place(text: &str, offset: usize) -> (u32, u32) {
    let (mut line, mut column) = (0, 0);
    let mut chars = text[..offset].chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().or_else(|| text[offset..].chars().next());
        if c == '\n' || (c == '\r' && next != Some('\n')) {
            (line, column) = (line + 1, 0);
        } else {
            column += c.len_utf16() as u32;
        }
    }
    (line, column)
}

#[tokio::test]
async fn random_edits() {
    let pieces =
        ["", "a", "\n", "\r\n", "\r", "\u{e4}", "\u{1f600}", "class x {", "}", "$x = \"${y}\"\n", "'", "# "];
    let mut random = Random(42);
    let mut client = Client::start(json!({})).await;
    let mut text = "class a {\r\n  $x = '\u{1f600}'\n}\n".to_owned();
    client.open(URI, 0, &text).await;
    for version in 1..=200 {
        let mut changes = Vec::new();
        for _ in 0..=random.below(3) {
            let mut borders: Vec<usize> = text.char_indices().map(|it| it.0).chain([text.len()]).collect();
            // The protocol has no position between `\r` and `\n`.
            borders.retain(|it| !(text[..*it].ends_with('\r') && text[*it..].starts_with('\n')));
            let (a, b) = (random.below(borders.len()), random.below(borders.len().min(8)));
            let (start, end) = (borders[a], borders[(a + b).min(borders.len() - 1)]);
            let piece = pieces[random.below(pieces.len())].repeat(1 + random.below(3));
            changes.push(edit(place(&text, start), place(&text, end), &piece));
            text.replace_range(start..end, &piece);
        }
        client.change(URI, version, json!(changes)).await;
        if version % 10 == 0 {
            assert_eq!(client.text(URI).await, text, "after {version}");
        }
    }
    assert_eq!(client.text(URI).await, text);
    assert!(client.stop().await);
}

#[tokio::test]
async fn older_versions_are_rejected() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 5, "$a = 1").await;
    client.change(URI, 4, json!([{ "text": "older" }])).await;
    assert_eq!(client.text(URI).await, "$a = 1");
    client.change(URI, 5, json!([{ "text": "same" }])).await;
    client.change(URI, 7, json!([{ "text": "newer" }])).await;
    assert_eq!(client.text(URI).await, "newer");
    client.close(URI).await;
    client.open(URI, 1, "again").await;
    assert_eq!(client.text(URI).await, "again");
    assert!(client.stop().await);
}
