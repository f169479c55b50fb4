//! Commands that show catalogs, graphs and values in any editor.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::*;

const METADATA: &str = r#"{ "name": "x-small", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] },
  { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] } ] }"#;

const INIT: &str = "# A class.
class small (Sensitive[String] $password = Sensitive('hunter2')) {
  $sum = 1 + 2
  package { 'x': }
  file { '/etc/small':
    content => $password,
    require => Package['x'],
  }
}
";

fn module() -> TestFolder {
    TestFolder::new(&[("metadata.json", METADATA), ("manifests/init.pp", INIT)])
}

fn showing() -> Value {
    json!({ "window": { "showDocument": { "support": true } } })
}

async fn opened(folder: &TestFolder, capabilities: Value) -> (Client, String) {
    let mut client = Client::start_with(folder.initialize_params(capabilities)).await;
    let uri = folder.uri("manifests/init.pp");
    client.open(&uri, 1, INIT).await;
    client.all_until_idle().await;
    (client, uri)
}

async fn execute(client: &mut Client, command: &str, argument: Value) -> Answer {
    let arguments = if argument.is_null() { json!([]) } else { json!([argument]) };
    client.request("workspace/executeCommand", json!({ "command": command, "arguments": arguments })).await
}

fn text(answer: &Value) -> &str {
    answer["text"].as_str().expect("a text")
}

#[tokio::test]
async fn commands_are_announced() {
    let folder = module();
    let (client, _) = opened(&folder, json!({})).await;
    let commands = &client.initialize_result["capabilities"]["executeCommandProvider"]["commands"];
    let expected =
        ["puppet-analyzer.addDependency", "puppet.showCatalog", "puppet.showGraph", "puppet.evaluate"];
    assert_eq!(*commands, json!(expected));
    assert!(client.stop().await);
}

#[tokio::test]
async fn results_are_returned() {
    let folder = module();
    let (mut client, uri) = opened(&folder, json!({})).await;
    let inside = json!({ "textDocument": { "uri": uri }, "position": { "line": 3, "character": 4 } });
    let named = json!({ "class": "small", "platform": "RedHat 9" });
    for (argument, title) in [(inside, "small on Debian 12"), (named, "small on RedHat 9")] {
        let answer = execute(&mut client, "puppet.showCatalog", argument.clone()).await.expect("a catalog");
        assert_eq!(answer["title"], title);
        assert!(
            text(&answer).starts_with("Class[Small]  (2 resources)\n")
                && text(&answer).contains("File[/etc/small]")
        );
        assert!(answer["uri"].as_str().is_some_and(|it| it.starts_with("puppet-catalog:/")));
        assert_eq!(answer["platforms"], json!(["Debian 12", "RedHat 9"]));
        let dot = execute(&mut client, "puppet.showGraph", argument).await.expect("a graph");
        assert!(text(&dot).starts_with("digraph catalog {"));
        for shown in [&answer, &dot] {
            assert!(!text(shown).contains("hunter2"), "{shown}");
        }
    }
    for (format, start) in [("svg", "<svg "), ("text", "Class[Small]\n  Package[x]\n"), ("dot", "digraph ")] {
        let argument = json!({ "class": "small", "format": format });
        let answer = execute(&mut client, "puppet.showGraph", argument).await.expect("a graph");
        assert!(text(&answer).starts_with(start), "{answer}");
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn commands_without_arguments_use_the_last_position() {
    let folder = TestFolder::new(&[
        ("metadata.json", METADATA),
        ("manifests/init.pp", INIT),
        ("manifests/other.pp", "class small::other { notify { 'hello': } }\n"),
    ]);
    let (mut client, uri) = opened(&folder, json!({})).await;
    let answer = execute(&mut client, "puppet.showCatalog", Value::Null).await.expect("a catalog");
    assert_eq!(answer["title"], "small on Debian 12", "the opened file has one class");
    let other = folder.uri("manifests/other.pp");
    client.open(&other, 1, "class small::other { notify { 'hello': } }\n").await;
    client.all_until_idle().await;
    let answer = execute(&mut client, "puppet.showCatalog", Value::Null).await.expect("a catalog");
    assert_eq!(answer["title"], "small::other on Debian 12");
    let hover = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 3 } });
    client.request("textDocument/hover", hover).await.expect("an answer");
    let answer = execute(&mut client, "puppet.showCatalog", Value::Null).await.expect("a catalog");
    assert_eq!(answer["title"], "small on Debian 12");
    let answer = execute(&mut client, "puppet.evaluate", Value::Null).await.expect("a value");
    assert_eq!(answer["value"], "3");
    assert!(client.stop().await);
}

#[tokio::test]
async fn clients_are_asked_to_show_a_file() {
    let folder = module();
    let (mut client, _) = opened(&folder, showing()).await;
    let mut files = Vec::new();
    for (command, argument, extension, external) in [
        ("puppet.showCatalog", json!({ "class": "small" }), "txt", Value::Null),
        ("puppet.showGraph", json!({ "class": "small" }), "dot", Value::Null),
        ("puppet.showGraph", json!({ "class": "small", "format": "svg" }), "svg", json!(true)),
    ] {
        let answer = execute(&mut client, command, argument).await.expect("an answer");
        let shown = client.wait_for("window/showDocument").await;
        assert_eq!((&shown["uri"], &shown["external"]), (&answer["uri"], &external));
        let path =
            shown["uri"].as_str().and_then(|it| it.strip_prefix("file://")).expect("a file").to_owned();
        assert!(path.ends_with(extension), "{path}");
        assert_eq!(std::fs::read_to_string(&path).expect("the file is there"), text(&answer));
        files.push(path);
    }
    // Plugins that show the text themselves.
    let quiet = json!({ "class": "small", "show": false });
    let answer = execute(&mut client, "puppet.showCatalog", quiet).await.expect("an answer");
    assert!(answer["uri"].as_str().is_some_and(|it| it.starts_with("puppet-catalog:/")));
    let said = client.all_until_idle().await;
    assert!(said.iter().all(|it| it["method"] != "window/showDocument"), "{said:?}");
    assert!(client.stop().await);
    assert!(files.iter().all(|it| !Path::new(it).exists()), "temporary files are removed");
}

#[tokio::test]
async fn evaluation_shows_a_message() {
    let folder = module();
    let (mut client, uri) = opened(&folder, json!({})).await;
    let at = |line: u32, start: u32, end: u32| {
        let place = |character: u32| json!({ "line": line, "character": character });
        json!({ "textDocument": { "uri": uri }, "range": { "start": place(start), "end": place(end) } })
    };
    let answer = execute(&mut client, "puppet.evaluate", at(2, 9, 14)).await.expect("a value");
    assert_eq!(answer["value"], "3");
    let message = client.wait_for("window/showMessage").await;
    assert_eq!((&message["type"], &message["message"]), (&json!(3), &json!("3 : Integer[3, 3]")));
    // The expression around the cursor; its value is secret.
    let answer = execute(&mut client, "puppet.evaluate", at(5, 18, 18)).await.expect("a value");
    assert!(!answer.to_string().contains("hunter2"), "{answer}");
    let mut quiet = at(2, 9, 14);
    quiet["show"] = json!(false);
    execute(&mut client, "puppet.evaluate", quiet).await.expect("a value");
    client.wait_for("window/showMessage").await;
    let said = client.all_until_idle().await;
    assert!(said.iter().all(|it| it["method"] != "window/showMessage"), "{said:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn errors_are_clear() {
    const REQUEST_FAILED: i64 = -32803;
    let folder = module();
    let mut client = Client::start_with(folder.initialize_params(showing())).await;
    client.all_until_idle().await;
    let cases = [
        ("puppet.showCatalog", Value::Null, REQUEST_FAILED),
        ("puppet.evaluate", Value::Null, REQUEST_FAILED),
        ("puppet.showCatalog", json!({ "class": "small::missing" }), REQUEST_FAILED),
        ("puppet.showGraph", json!({ "class": "small", "platform": "Plan 9" }), REQUEST_FAILED),
        ("puppet.showGraph", json!({ "class": "small", "format": "pdf" }), INVALID_PARAMS),
        ("puppet.showGraph", json!({ "class": 5 }), INVALID_PARAMS),
        ("puppet.showCatalog", json!("small"), INVALID_PARAMS),
        ("puppet.evaluate", json!({ "range": 1 }), INVALID_PARAMS),
        ("puppet.evaluate", json!({ "textDocument": { "uri": "file:///x.pp" } }), INVALID_PARAMS),
        ("puppet.unknown", Value::Null, INVALID_PARAMS),
    ];
    for (command, argument, code) in cases {
        assert_eq!(execute(&mut client, command, argument.clone()).await, Err(code), "{command} {argument}");
    }
    let said = client.all_until_idle().await;
    assert!(said.iter().all(|it| it["method"] != "window/showDocument"), "{said:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn code_actions_show_the_class_at_the_cursor() {
    let folder = module();
    let commands = json!({ "commands": { "commands": ["puppet-analyzer.showCatalog"] } });
    let mut with_commands = showing();
    with_commands["experimental"] = commands;
    let titles = ["Show catalog of `small`", "Show graph of `small`"];
    for (capabilities, line, only, expected) in [
        (showing(), 1, Value::Null, &titles[..]),
        (showing(), 1, json!(["source"]), &titles),
        (showing(), 1, json!(["quickfix"]), &[]),
        (showing(), 2, Value::Null, &[]),
        (json!({}), 1, Value::Null, &[]),
        (with_commands, 1, Value::Null, &[]),
    ] {
        let (mut client, uri) = opened(&folder, capabilities).await;
        let at = json!({ "line": line, "character": 8 });
        let mut context = json!({ "diagnostics": [] });
        if !only.is_null() {
            context["only"] = only.clone();
        }
        let params = json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": context });
        let actions = client.request("textDocument/codeAction", params).await.expect("actions");
        let actions = actions.as_array().expect("a list");
        let shows: Vec<&Value> = actions.iter().filter(|it| it["kind"] == "source").collect();
        let found: Vec<&str> = shows.iter().filter_map(|it| it["title"].as_str()).collect();
        assert_eq!(found, expected, "line {line}, only {only}");
        if let Some(action) = shows.first() {
            let command = action["command"]["command"].as_str().expect("a command").to_owned();
            let argument = action["command"]["arguments"][0].clone();
            execute(&mut client, &command, argument).await.expect("an answer");
            client.wait_for("window/showDocument").await;
        }
        assert!(client.stop().await);
    }
}
