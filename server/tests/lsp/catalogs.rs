//! Catalogs: as text, as a graph, and in code lenses.

use serde_json::{Value, json};

use crate::client::*;

const METADATA: &str = r#"{ "name": "x-small", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] },
  { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] } ] }"#;

const INIT: &str = "class small (Sensitive[String] $password = Sensitive('hunter2')) {
  $package = $facts['os']['family'] ? { 'Debian' => 'apache2' }
  package { $package: }
  file { '/etc/small':
    content => $password,
    require => Package[$package],
  }
}
";

const OTHER: &str = "class small::other { notify { 'hello': } }\n";

fn module() -> TestFolder {
    let files = [("metadata.json", METADATA), ("manifests/init.pp", INIT), ("manifests/other.pp", OTHER)];
    TestFolder::new(&files)
}

fn capabilities(commands: &[&str]) -> Value {
    json!({
        "experimental": { "commands": { "commands": commands } },
        "workspace": { "codeLens": { "refreshSupport": true } },
    })
}

const COMMANDS: [&str; 3] =
    ["puppet-analyzer.showReferences", "puppet-analyzer.showCatalog", "puppet-analyzer.showGraph"];

/// Returns titles and commands of the resolved lenses of a file.
async fn lenses(client: &mut Client, uri: &str) -> Vec<(String, String)> {
    let lenses = client.ask("textDocument/codeLens", uri).await.expect("an answer");
    let commands = lenses.as_array().expect("a list").iter().map(|it| &it["command"]);
    let commands = commands.filter(|it| !it.is_null());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    commands.map(|it| (text(&it["title"]), text(&it["command"]))).collect()
}

#[tokio::test]
async fn catalogs_match_the_command_line() {
    let folder = module();
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    assert_eq!(client.initialize_result["capabilities"]["experimental"]["catalog"], true);
    let uri = folder.uri("manifests/init.pp");
    client.open(&uri, 1, INIT).await;
    client.all_until_idle().await;
    let expected = "Class[Small]  (2 resources)
│ password => [value redacted]
├─ Package[apache2]  manifests/init.pp:3
└─ File[/etc/small]  manifests/init.pp:4
     content => [value redacted]
     require => 'Package[apache2]'
2 resources, 1 class
";
    let by_place = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 4 } });
    for params in
        [json!({ "class": "small" }), by_place, json!({ "class": "Small", "platform": "Debian 12" })]
    {
        let answer = client.request("puppet-analyzer/catalog", params).await.expect("a catalog");
        assert_eq!(answer["text"], expected);
        assert_eq!(answer["title"], "small on Debian 12");
        assert_eq!(answer["uri"], "puppet-catalog:/small%20on%20Debian%2012.txt");
        assert_eq!(answer["platforms"], json!(["Debian 12", "RedHat 9"]));
    }
    let failing = json!({ "class": "small", "platform": "RedHat 9" });
    let answer = client.request("puppet-analyzer/catalog", failing).await.expect("a catalog");
    let text = answer["text"].as_str().expect("a text");
    assert!(
        text.starts_with("error[unmatched-selector]: ") && text.contains("  at manifests/init.pp:2\n"),
        "{text}"
    );
    assert!(!text.contains("hunter2"), "{text}");
    for params in [json!({ "class": "small::missing" }), json!({})] {
        assert_eq!(client.request("puppet-analyzer/catalog", params).await, Ok(Value::Null));
    }
    let nowhere = json!({ "class": "small", "platform": "Plan 9" });
    assert_eq!(client.request("puppet-analyzer/catalog", nowhere).await, Err(INVALID_PARAMS));
    assert!(client.stop().await);
}

#[tokio::test]
async fn lenses_show_platforms_of_a_class() {
    let folder = module();
    let mut client = Client::start_with(folder.initialize_params(capabilities(&COMMANDS))).await;
    let (init, other) = (folder.uri("manifests/init.pp"), folder.uri("manifests/other.pp"));
    client.open(&init, 1, INIT).await;
    client.open(&other, 1, OTHER).await;
    client.wait_for("workspace/codeLens/refresh").await;
    let shows = [("Show catalog", COMMANDS[1]), ("Show graph", COMMANDS[2])];
    let with_status = |title: &str, command: &str| {
        let status = (title.to_owned(), command.to_owned());
        let shows = shows.iter().map(|(title, command)| ((*title).to_owned(), (*command).to_owned()));
        std::iter::once(status).chain(shows).collect::<Vec<_>>()
    };
    let failing = with_status("✗ compiles on 1 of 2 platforms", COMMANDS[1]);
    assert_eq!(lenses(&mut client, &init).await, failing);
    assert_eq!(lenses(&mut client, &other).await, with_status("✓ compiles on 2 of 2 platforms", ""));
    // Lenses stay the same while the text changes, and are updated on save.
    let fixed = INIT.replace("'apache2' }", "'apache2', default => 'httpd' }");
    client.change(&init, 2, json!([{ "text": fixed }])).await;
    client.all_until_idle().await;
    assert_eq!(lenses(&mut client, &init).await, failing);
    folder.write("manifests/init.pp", &fixed);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": init } })).await;
    client.wait_for("workspace/codeLens/refresh").await;
    assert_eq!(lenses(&mut client, &init).await, with_status("✓ compiles on 2 of 2 platforms", ""));
    // An inconclusive catalog counts as neither.
    let open = OTHER.trim_end().trim_end_matches('}').to_owned() + "  include far::x\n}\n";
    client.change(&other, 2, json!([{ "text": open }])).await;
    folder.write("manifests/other.pp", &open);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": other } })).await;
    client.wait_for("workspace/codeLens/refresh").await;
    let title = "? module `far` not found";
    assert_eq!(lenses(&mut client, &other).await, with_status(title, ""));
    let off = json!({ "settings": { "puppet-analyzer": { "codeLenses": { "catalogs": false } } } });
    client.notify("workspace/didChangeConfiguration", off).await;
    assert_eq!(lenses(&mut client, &init).await, []);
    assert!(client.stop().await);
}

#[tokio::test]
async fn lenses_show_results_of_nodes() {
    const SITE: &str = "node 'web', 'db' {\n  notify { $facts['networking']['hostname']: }\n}\n\
                        node 'broken' {\n  notify { 'x': }\n  notify { 'x': }\n}\n\
                        node /^far\\d+$/ {\n  include far::x\n}\n";
    let folder =
        TestFolder::new(&[("environment.conf", "modulepath = modules\n"), ("manifests/site.pp", SITE)]);
    let mut client = Client::start_with(folder.initialize_params(capabilities(&[]))).await;
    let site = folder.uri("manifests/site.pp");
    client.open(&site, 1, SITE).await;
    client.wait_for("workspace/codeLens/refresh").await;
    let titles = ["✓ compiles for 2 of 2 nodes", "✗ fails for 1 of 1 node", "? module `far` not found"];
    let expected = titles.map(|title| (title.to_owned(), String::new()));
    assert_eq!(lenses(&mut client, &site).await, expected);
    assert!(client.stop().await);
}

#[tokio::test]
async fn lenses_without_client_commands() {
    let folder = module();
    let mut client = Client::start_with(folder.initialize_params(capabilities(&[]))).await;
    let init = folder.uri("manifests/init.pp");
    client.open(&init, 1, INIT).await;
    client.wait_for("workspace/codeLens/refresh").await;
    let expected = [("✗ compiles on 1 of 2 platforms".to_owned(), String::new())];
    assert_eq!(lenses(&mut client, &init).await, expected);
    assert!(client.stop().await);
}

#[tokio::test]
async fn graphs_link_to_resource_locations() {
    let folder = module();
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let uri = folder.uri("manifests/init.pp");
    client.open(&uri, 1, INIT).await;
    client.all_until_idle().await;
    let params = json!({ "class": "small", "platform": "Debian 12" });
    let answer = client.request("puppet-analyzer/catalogGraph", params).await.expect("a graph");
    let svg = answer["svg"].as_str().expect("a text");
    assert!(svg.starts_with("<svg ") && svg.contains("viewBox=") && svg.contains("/etc/small"), "{svg}");
    assert!(!svg.contains("hunter2"), "{svg}");
    let nodes = answer["nodes"].as_array().expect("nodes");
    let lines: Vec<_> = nodes.iter().map(|it| it["range"]["start"]["line"].as_u64()).collect();
    assert_eq!(lines, [Some(0), Some(2), Some(3)]);
    for node in nodes {
        assert_eq!(node["uri"], uri);
        let id = node["id"].as_str().expect("an id");
        assert!(svg.contains(&format!("data-node=\"{id}\"")), "{id}");
    }
    assert_eq!(answer["platforms"], json!(["Debian 12", "RedHat 9"]));
    assert!(client.stop().await);
}

#[tokio::test]
async fn classes_in_main_manifests_have_catalogs_and_graphs() {
    const SITE: &str = "class local {\n  notify { 'here': }\n}\nnode default { include local }\n";
    let folder =
        TestFolder::new(&[("environment.conf", "modulepath = modules\n"), ("manifests/site.pp", SITE)]);
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let site = folder.uri("manifests/site.pp");
    client.open(&site, 1, SITE).await;
    client.all_until_idle().await;
    let by_name = json!({ "class": "local", "platform": "Debian 12" });
    let by_position = json!({ "textDocument": { "uri": site }, "position": { "line": 1, "character": 4 } });
    for params in [by_name, by_position] {
        let graph = client.request("puppet-analyzer/catalogGraph", params.clone()).await.expect("a graph");
        let lines: Vec<_> = graph["nodes"].as_array().expect("nodes").iter().collect();
        let lines: Vec<_> = lines.iter().map(|it| it["range"]["start"]["line"].as_u64()).collect();
        assert_eq!(lines, [Some(0), Some(1)]);
        let catalog = client.request("puppet-analyzer/catalog", params).await.expect("a catalog");
        let text = catalog["text"].as_str().unwrap_or_default();
        assert!(text.contains("Notify[here]"), "{text}");
    }
    let outside = json!({ "textDocument": { "uri": site }, "position": { "line": 3, "character": 4 } });
    let nothing = client.request("puppet-analyzer/catalogGraph", outside).await.expect("an answer");
    assert!(nothing.is_null(), "{nothing}");
    assert!(client.stop().await);
}

async fn hover(client: &mut Client, uri: &str, line: u32, character: u32) -> String {
    let params = json!({
        "textDocument": { "uri": uri }, "position": { "line": line, "character": character },
    });
    let hover = client.request("textDocument/hover", params).await.expect("an answer");
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn hovers_show_values_by_platform() {
    let text = "class small (Sensitive[String] $password = Sensitive('hunter2')) {
  $package = $facts['os']['family'] ? { 'Debian' => 'apache2', default => 'httpd' }
  $plain = \"${facts['os']['family']}${password.unwrap}\"
  package { $package: }
}
";
    let folder = TestFolder::new(&[("metadata.json", METADATA), ("manifests/init.pp", text)]);
    let mut client = Client::start_with(folder.initialize_params(capabilities(&[]))).await;
    let uri = folder.uri("manifests/init.pp");
    client.open(&uri, 1, text).await;
    client.wait_for("workspace/codeLens/refresh").await;
    let first = hover(&mut client, &uri, 1, 4).await;
    assert!(!first.contains("By platform"), "{first}");
    client.all_until_idle().await;
    let mut hovers = Vec::new();
    for (line, character) in [(1, 4), (3, 14), (0, 34), (2, 4), (2, 46), (3, 4)] {
        hovers.push(hover(&mut client, &uri, line, character).await);
    }
    let expected = "By platform: `'apache2'` (Debian 12), `'httpd'` (RedHat 9)";
    assert!(hovers[0].ends_with(expected) && hovers[1].ends_with(expected), "{hovers:?}");
    for hover in &hovers[2..] {
        assert!(!hover.contains("By platform") && !hover.contains("hunter2"), "{hovers:?}");
    }
    // Results for an older text are not shown.
    let edited = text.replace("'httpd'", "'httpd24'");
    client.change(&uri, 2, json!([{ "text": edited }])).await;
    let mut after = hover(&mut client, &uri, 1, 4).await;
    assert!(!after.contains("By platform"), "{after}");
    client.all_until_idle().await;
    after = hover(&mut client, &uri, 1, 4).await;
    assert!(after.ends_with("By platform: `'apache2'` (Debian 12), `'httpd24'` (RedHat 9)"), "{after}");
    assert!(client.stop().await);
}
