//! Requests about one document. Their results are tested in `ide`; these tests cover the protocol.

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";

const TEXT: &str =
    "# first\n# second\nclass a (String $x) {\n  file { '/tmp/\u{1f600}':\n    ensure => $x,\n  }\n}\n";

#[tokio::test]
async fn symbols_are_a_tree_or_a_list() {
    let tree = json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } });
    let mut client = Client::start(tree).await;
    client.open(URI, 1, TEXT).await;
    let symbols = client.ask("textDocument/documentSymbol", URI).await.expect("symbols");
    assert_eq!((&symbols[0]["name"], &symbols[0]["kind"]), (&json!("a"), &json!(5)));
    let children: Vec<_> =
        symbols[0]["children"].as_array().expect("children").iter().map(|it| &it["name"]).collect();
    assert_eq!(children, ["$x", "File[/tmp/\u{1f600}]"]);
    let end = json!({ "line": 3, "character": 18 });
    assert_eq!(symbols[0]["children"][1]["selectionRange"]["end"], end, "counted in UTF-16");
    assert!(client.stop().await);

    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, TEXT).await;
    let symbols = client.ask("textDocument/documentSymbol", URI).await.expect("symbols");
    let list: Vec<_> =
        symbols.as_array().expect("a list").iter().map(|it| (&it["name"], &it["containerName"])).collect();
    let (a, x) = (json!("a"), json!("$x"));
    assert_eq!(list, [(&a, &Value::Null), (&x, &a), (&json!("File[/tmp/\u{1f600}]"), &a)]);
    assert_eq!(symbols[0]["location"]["uri"], URI);
    assert!(client.stop().await);
}

#[tokio::test]
async fn a_broken_file_keeps_its_symbols() {
    let mut client = Client::start(json!({})).await;
    client
        .open(URI, 1, "class a {\n  $x = \n}\nclass b ($y) { file { '/x': ensure => }\n}\ndefine c { }")
        .await;
    let symbols = client.ask("textDocument/documentSymbol", URI).await.expect("symbols");
    let names: Vec<_> =
        symbols.as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    for name in ["a", "b", "$y", "File[/x]", "c"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn folding_ranges_follow_client_capabilities() {
    let lines_only =
        json!({ "textDocument": { "foldingRange": { "lineFoldingOnly": true, "rangeLimit": 2 } } });
    let mut client = Client::start(lines_only).await;
    client.open(URI, 1, TEXT).await;
    let ranges = client.ask("textDocument/foldingRange", URI).await.expect("ranges");
    let expected = json!([
        { "startLine": 0, "endLine": 1, "kind": "comment" },
        // The closing brace stays visible.
        { "startLine": 2, "endLine": 5 },
    ]);
    assert_eq!(ranges, expected);
    assert!(client.stop().await);

    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, TEXT).await;
    let ranges = client.ask("textDocument/foldingRange", URI).await.expect("ranges");
    let expected = json!([
        { "startLine": 0, "startCharacter": 0, "endLine": 1, "endCharacter": 8, "kind": "comment" },
        { "startLine": 2, "startCharacter": 21, "endLine": 6, "endCharacter": 0 },
        { "startLine": 3, "startCharacter": 8, "endLine": 5, "endCharacter": 2 },
    ]);
    assert_eq!(ranges, expected);
    assert!(client.stop().await);
}

#[tokio::test]
async fn selection_ranges_are_nested() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, TEXT).await;
    let positions = json!([{ "line": 4, "character": 15 }, { "line": 99, "character": 0 }]);
    let params = json!({ "textDocument": { "uri": URI }, "positions": positions });
    let ranges = client.request("textDocument/selectionRange", params).await.expect("ranges");
    assert_eq!(ranges.as_array().map(Vec::len), Some(2));
    assert_eq!(ranges[0]["range"]["start"], json!({ "line": 4, "character": 14 }));
    let mut outermost = &ranges[0];
    while !outermost["parent"].is_null() {
        outermost = &outermost["parent"];
    }
    assert_eq!(outermost["range"]["end"], json!({ "line": 7, "character": 0 }));
    assert!(client.stop().await);
}

/// Returns the token data of a response, as stored by a client.
fn data(tokens: &Value) -> Vec<Value> {
    tokens["data"].as_array().expect("data").clone()
}

fn apply(mut before: Vec<Value>, edits: &Value) -> Vec<Value> {
    for edit in edits.as_array().expect("edits").iter().rev() {
        let start = edit["start"].as_u64().expect("a number") as usize;
        let end = start + edit["deleteCount"].as_u64().expect("a number") as usize;
        before.splice(start..end, edit["data"].as_array().cloned().unwrap_or_default());
    }
    before
}

#[tokio::test]
async fn token_deltas_match_full_tokens() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, TEXT).await;
    let full = client.ask("textDocument/semanticTokens/full", URI).await.expect("tokens");
    let mut known = data(&full);
    let mut id = full["resultId"].clone();
    assert!(known.len() > 5 * 8 && known.len().is_multiple_of(5));
    let edits = [
        json!([]),
        json!([{ "range": { "start": { "line": 4, "character": 4 }, "end": { "line": 4, "character": 4 } },
                 "text": "mode => '0644',\n    " }]),
        json!([{ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 2, "character": 0 } }, "text": "" }]),
        json!([{ "text": "" }]),
        json!([{ "text": TEXT }]),
    ];
    for (version, edit) in edits.into_iter().enumerate() {
        client.change(URI, version as i32 + 2, edit.clone()).await;
        let params = json!({ "textDocument": { "uri": URI }, "previousResultId": id });
        let delta = client.request("textDocument/semanticTokens/full/delta", params).await.expect("a delta");
        known = apply(known, &delta["edits"]);
        id = delta["resultId"].clone();
        let fresh = {
            let mut other = Client::start(json!({})).await;
            let text = client.text(URI).await;
            other.open(URI, 1, &text).await;
            data(&other.ask("textDocument/semanticTokens/full", URI).await.expect("tokens"))
        };
        assert_eq!(known, fresh, "{edit}");
    }
    let params = json!({ "textDocument": { "uri": URI }, "previousResultId": "unknown" });
    let answer = client.request("textDocument/semanticTokens/full/delta", params).await.expect("tokens");
    assert_eq!(data(&answer), known, "without something to compare with all tokens are sent");
    assert!(client.stop().await);
}

#[tokio::test]
async fn a_client_with_a_grammar_gets_no_lexical_tokens() {
    const TEXT: &str = "# @param x\nclass a { include b\n  file { \"/${facts}\": ensure => /x/ ? 1 } }\n";
    for (capabilities, expected) in [
        (json!({}), vec!["# @param x", "class", "a", "include", "b", "file"]),
        (json!({ "experimental": { "grammar": true } }), vec!["a", "b", "file", "facts", "ensure"]),
    ] {
        let mut client = Client::start(capabilities).await;
        client.open(URI, 1, TEXT).await;
        let full = data(&client.ask("textDocument/semanticTokens/full", URI).await.expect("tokens"));
        let number = |it: &Value| it.as_u64().expect("a number") as usize;
        let lines: Vec<&str> = TEXT.lines().collect();
        let (mut line, mut column) = (0, 0);
        let texts: Vec<&str> = full
            .chunks(5)
            .map(|token| {
                column = if number(&token[0]) == 0 { column } else { 0 } + number(&token[1]);
                line += number(&token[0]);
                &lines[line][column..column + number(&token[2])]
            })
            .take(expected.len())
            .collect();
        assert_eq!(texts, expected);
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn range_tokens_match_full_tokens() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, TEXT).await;
    let full = data(&client.ask("textDocument/semanticTokens/full", URI).await.expect("tokens"));
    let range = json!({ "start": { "line": 4, "character": 0 }, "end": { "line": 5, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let part = data(&client.request("textDocument/semanticTokens/range", params).await.expect("tokens"));
    // `ensure`, `=>`, `$x`: the first is relative to the start of the file.
    assert_eq!(part.len(), 3 * 5);
    assert_eq!(part[..2], [json!(4), json!(4)]);
    let tail = &part[5..];
    assert!(full.windows(tail.len()).any(|it| it == tail), "{part:?} in {full:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn unknown_files_have_no_results() {
    let mut client = Client::start(json!({})).await;
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full"] {
        let answer = client.ask(&format!("textDocument/{method}"), "file:///no/such/file.pp").await;
        assert_eq!(answer, Ok(Value::Null), "{method}");
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn formatting_sends_only_what_changes() {
    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, "$a=1\n$b = 2\nfile { 'c':\n  ensure => file\n}\n").await;
    let insert = |line: u32, character: u32, text: &str| {
        let place = json!({ "line": line, "character": character });
        json!({ "range": { "start": place, "end": place }, "newText": text })
    };
    let in_assignment = [insert(0, 2, " "), insert(0, 3, " ")];
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = client.request("textDocument/formatting", params).await.expect("edits");
    assert_eq!(edits, json!([in_assignment[0], in_assignment[1], insert(3, 16, ",")]));
    let start = json!({ "line": 0, "character": 0 });
    let range = json!({ "start": start, "end": { "line": 1, "character": 3 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "options": options });
    let edits = client.request("textDocument/rangeFormatting", params).await.expect("edits");
    assert_eq!(edits, json!(in_assignment));
    let last = json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 4, "character": 0 } });
    let params =
        json!({ "textDocument": { "uri": URI }, "ranges": [last, range, range], "options": options });
    let edits = client.request("textDocument/rangesFormatting", params).await.expect("edits");
    assert_eq!(edits, json!([in_assignment[0], in_assignment[1], insert(3, 16, ",")]));
    client.change(URI, 2, json!([{ "text": "file { 'c':\n  ensure => file,\n  content =>\n}\n" }])).await;
    let place = json!({ "line": 2, "character": 12 });
    let params = json!({ "textDocument": { "uri": URI }, "position": place, "ch": ">", "options": options });
    let edits = client.request("textDocument/onTypeFormatting", params).await.expect("edits");
    let gap = json!({ "start": { "line": 1, "character": 8 }, "end": { "line": 1, "character": 9 } });
    assert_eq!(edits, json!([{ "range": gap, "newText": "  " }]));
    assert!(client.stop().await);
}

#[tokio::test]
async fn fixes_of_the_workspace_are_computed_on_request() {
    let text = "notice($facts['osfamily'])\nnotice($facts['hostname'])\n";
    let start = json!({ "line": 0, "character": 15 });
    let params = json!({
        "textDocument": { "uri": URI },
        "range": { "start": start, "end": start },
        "context": { "diagnostics": [] },
    });
    let title = "Fix all `legacy-fact` in the workspace";
    let find = |actions: &Value| {
        actions.as_array().expect("actions").iter().find(|it| it["title"] == title).cloned()
    };
    let resolving = json!({ "textDocument": { "codeAction": {
        "dataSupport": true, "resolveSupport": { "properties": ["edit"] }
    } } });
    let mut client = Client::start(resolving).await;
    client.open(URI, 1, text).await;
    let actions = client.request("textDocument/codeAction", params.clone()).await.expect("actions");
    let action = find(&actions).expect("the action");
    assert_eq!(action["edit"], Value::Null);
    let resolved = client.request("codeAction/resolve", action).await.expect("an action");
    assert_eq!(resolved["edit"]["changes"][URI].as_array().map(Vec::len), Some(2));
    assert!(client.stop().await);

    let mut client = Client::start(json!({})).await;
    client.open(URI, 1, text).await;
    let actions = client.request("textDocument/codeAction", params).await.expect("actions");
    assert_eq!(find(&actions), None, "this client does not resolve");
    assert!(client.stop().await);
}
