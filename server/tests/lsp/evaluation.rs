//! Results of evaluation: diagnostics as a second tier, hovers, signatures, completion, hints.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";
const OTHER: &str = "file:///work/manifests/other.pp";

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

/// Returns version and codes of each publication for a file until the server is idle.
async fn published(client: &mut Client, uri: &str) -> Vec<(i64, Vec<String>)> {
    let said = client.all_until_idle().await;
    let said = said.iter().map(|it| &it["params"]).filter(|it| it["uri"] == uri);
    said.map(|it| (it["version"].as_i64().unwrap_or_default(), codes(&it["diagnostics"]))).collect()
}

#[tokio::test]
async fn syntax_errors_precede_evaluation() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "$x = 1 + 'a'\n").await;
    let evaluated = vec!["not-numeric".to_owned()];
    assert_eq!(published(&mut client, URI).await, [(1, vec![]), (1, evaluated.clone())]);
    // Diagnostics of unchanged code are kept while the rest is evaluated again, so the second tier publishes
    // nothing.
    client.change(URI, 2, json!([{ "text": "$x = 1 + 'a'\n$y = 2\n" }])).await;
    assert_eq!(published(&mut client, URI).await, [(2, evaluated.clone())]);
    // Diagnostics of changed code stay until their tier is recomputed, so that they do not flicker.
    client.change(URI, 3, json!([{ "text": "$x = 1 + 'b'\n$y = 2\n" }])).await;
    assert_eq!(published(&mut client, URI).await, [(3, evaluated.clone()), (3, evaluated)]);
    client.change(URI, 4, json!([{ "text": "$x = 1 + 2\n$y = 2\n" }])).await;
    assert_eq!(published(&mut client, URI).await, [(4, vec![])]);
    assert!(client.stop().await);
}

/// A diagnostic that its edit has moved is published at its new location, and no longer than until its tier has
/// been recomputed.
#[tokio::test]
async fn outdated_diagnostics_move_and_vanish() {
    for (edit, first, last) in [
        (json!({ "start": [0, 0], "end": [0, 0], "text": "# a\n" }), vec![(1, 9)], vec![(1, 9)]),
        (json!({ "start": [0, 5], "end": [0, 5], "text": "  " }), vec![(0, 11)], vec![(0, 11)]),
        (json!({ "start": [0, 9], "end": [0, 12], "text": "2" }), vec![], vec![]),
        (json!({ "start": [0, 5], "end": [0, 9], "text": "" }), vec![(0, 5)], vec![]),
    ] {
        let mut client = Client::start(json!({})).await;
        client.open(URI, 1, "$x = 1 + 'a'\n").await;
        client.all_until_idle().await;
        let at = |key: &str| json!({ "line": edit[key][0], "character": edit[key][1] });
        let change = json!([{ "range": { "start": at("start"), "end": at("end") }, "text": edit["text"] }]);
        client.change(URI, 2, change).await;
        let said = client.all_until_idle().await;
        let starts = |message: &Value| -> Vec<(u64, u64)> {
            let found = message["params"]["diagnostics"].as_array().expect("a list").iter();
            let number = |it: &Value| it.as_u64().expect("a number");
            found
                .map(|it| &it["range"]["start"])
                .map(|it| (number(&it["line"]), number(&it["character"])))
                .collect()
        };
        let published: Vec<_> = said.iter().map(starts).collect();
        assert_eq!(published.first(), Some(&first), "{edit}");
        assert_eq!(published.last(), Some(&last), "{edit}");
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn edits_reevaluate_dependent_files() {
    let metadata = "{ \"name\": \"me-a\" }";
    let files = [("metadata.json", metadata), ("functions/f.pp", ""), ("manifests/init.pp", "class a { }")];
    let folder = TestFolder::new(&files);
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let (function, class) = (folder.uri("functions/f.pp"), folder.uri("manifests/init.pp"));
    client.open(&class, 1, "class a { notice(a::f() + 1) }\n").await;
    client.open(&function, 1, "function a::f() { 1 }\n").await;
    assert_eq!(published(&mut client, &class).await.last(), Some(&(1, vec![])));
    client.change(&function, 2, json!([{ "text": "function a::f() >> Boolean { true }\n" }])).await;
    let found = published(&mut client, &class).await;
    assert!(matches!(&found[..], [(1, codes)] if !codes.is_empty()), "{found:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn pulled_diagnostics_contain_both_tiers() {
    let mut client = Client::start(pulling()).await;
    client.open(URI, 1, "$x = 1 + 'a'\n$y =\n").await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!(codes(&report["items"]), ["not-numeric", "syntax-error"]);
    assert!(client.stop().await);
}

#[tokio::test]
async fn hovers_are_markdown_with_a_range() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "$x = 'x'\n$y = \"ä${x}\"; $o = [1, 2].size\n").await;
    let hover = client.request("textDocument/hover", at(1, 26)).await.expect("an answer");
    assert_eq!(hover["contents"]["kind"], "markdown");
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("size(") && text.starts_with("Result: `2`"), "{text}");
    assert_eq!(hover["range"]["start"], json!({ "line": 1, "character": 26 }));
    assert_eq!(client.request("textDocument/hover", at(1, 90)).await.map(|it| it.is_object()), Ok(true));
    assert_eq!(client.request("textDocument/hover", at(7, 0)).await, Ok(Value::Null));
    assert!(client.stop().await);
    let plain = json!({ "textDocument": { "hover": { "contentFormat": ["plaintext"] } } });
    let mut client = Client::start(plain).await;
    client.open(URI, 1, "$x = 1 + 2\n").await;
    let hover = client.request("textDocument/hover", at(0, 0)).await.expect("an answer");
    assert_eq!(hover["contents"], json!({ "kind": "plaintext", "value": "$x: Integer\n\nValue: `3`" }));
    assert!(client.stop().await);
}

#[tokio::test]
async fn signatures_of_an_unfinished_call() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "$x = split('a', ").await;
    let help = client.request("textDocument/signatureHelp", at(0, 16)).await.expect("an answer");
    assert_eq!((&help["activeSignature"], &help["activeParameter"]), (&json!(0), &json!(1)));
    let first = &help["signatures"][0];
    assert_eq!(first["parameters"][1]["label"], "String $pattern");
    assert!(first["label"].as_str().is_some_and(|it| it.contains("String $pattern")));
    assert!(first["documentation"]["value"].is_string());
    assert_eq!(client.request("textDocument/signatureHelp", at(0, 3)).await, Ok(Value::Null));
    assert!(client.stop().await);
}

#[tokio::test]
async fn completion_and_its_details() {
    for snippets in [false, true] {
        let item = json!({ "snippetSupport": snippets });
        let mut client =
            Client::start(json!({ "textDocument": { "completion": { "completionItem": item } } })).await;
        client.open(URI, 1, "$x = [1].fil").await;
        let list = client.request("textDocument/completion", at(0, 12)).await.expect("an answer");
        let items = list["items"].as_array().expect("items");
        let filter = items.iter().find(|it| it["label"] == "filter").expect("it is there");
        let range = json!({ "start": { "line": 0, "character": 9 }, "end": { "line": 0, "character": 12 } });
        assert_eq!(filter["textEdit"]["range"], range);
        let text = filter["textEdit"]["newText"].as_str().unwrap_or_default();
        assert_eq!(text.contains('$'), snippets, "{text}");
        assert_eq!(filter["insertTextFormat"] == 2, snippets);
        let resolved = client.request("completionItem/resolve", filter.clone()).await.expect("an answer");
        assert!(resolved["detail"].as_str().is_some_and(|it| it.starts_with("filter(")), "{resolved}");
        assert!(resolved["documentation"]["value"].is_string());
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn inlay_hints_are_opt_in() {
    let refresh = json!({ "workspace": { "inlayHint": { "refreshSupport": true } } });
    let mut client = Client::start(refresh).await;
    client.open(URI, 1, "$x = 1 + 1\n").await;
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 2, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": whole });
    assert_eq!(client.request("textDocument/inlayHint", params.clone()).await, Ok(json!([])));
    let settings = json!({ "settings": { "puppet-analyzer": { "inlayHints": { "values": true } } } });
    client.notify("workspace/didChangeConfiguration", settings).await;
    client.wait_for("workspace/inlayHint/refresh").await;
    let hints = client.request("textDocument/inlayHint", params).await.expect("an answer");
    assert_eq!((&hints[0]["label"], hints.as_array().map(Vec::len)), (&json!("= 2"), Some(1)));
    assert_eq!(hints[0]["position"], json!({ "line": 0, "character": 10 }));
    assert!(client.stop().await);
}

#[tokio::test]
async fn edits_cancel_long_evaluations() {
    let mut client = Client::start(json!({})).await;
    // Uses the maximum number of steps; the next text arrives while it runs.
    let endless = "Integer[1, 3000].each |$a| { Integer[1, 3000].each |$b| { $c = $a * $b } }\n";
    client.open(URI, 1, endless).await;
    client.open(OTHER, 1, "$x = 1 + 'a'\n").await;
    for version in 2..20 {
        client
            .change(URI, version, json!([{ "text": format!("{endless}# {version}\n$y = {version}\n") }]))
            .await;
    }
    client.change(URI, 20, json!([{ "text": "$y = 1 + 'b'\n" }])).await;
    let said = client.all_until_idle().await;
    let last = |uri: &str| {
        let of_file = said.iter().rev().map(|it| &it["params"]).find(|it| it["uri"] == uri);
        of_file.map(|it| (it["version"].clone(), codes(&it["diagnostics"])))
    };
    assert_eq!(last(URI), Some((json!(20), vec!["not-numeric".to_owned()])));
    assert_eq!(last(OTHER), Some((json!(1), vec!["not-numeric".to_owned()])));
    assert!(client.stop().await);
}
