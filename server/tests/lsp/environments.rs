//! Environments with their modules, facts, and catalogs of nodes.

use serde_json::{Value, json};

use crate::client::*;

const MAIN: &str = "node 'web1.example.com' { include base }\nnode /^db/ { }\nnode default { }\n";

const BASE: &str = "class base {
  include absent::thing
  notify { \"${trusted['certname']} ${facts['networking']['fqdn']}\": }
}
";

const FACTS: &str = r#"{ "os": { "name": "Debian", "family": "Debian", "release": { "major": "12", "full": "12.5" } },
  "networking": { "fqdn": "web2.example.com" }, "clientcert": "web2.example.com", "owner": "it's us" }"#;

fn repository() -> TestFolder {
    let files = [
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", MAIN),
        ("Puppetfile", "mod 'x-base', '1.2.0'\nmod 'x-later',\n  git: 'https://git.example.com/later.git'\n"),
        (
            "modules/base/metadata.json",
            r#"{ "name": "x-base", "version": "1.2.0",
            "dependencies": [{ "name": "puppetlabs/stdlib", "version_requirement": ">= 9.0.0" }, { "name": "x-other" }] }"#,
        ),
        ("modules/base/manifests/init.pp", BASE),
        ("facts/web2.json", FACTS),
        ("puppet-analyzer.toml", "fact-files = [\"facts/web2.json\"]\n"),
    ];
    TestFolder::new(&files)
}

async fn started(folder: &TestFolder) -> Client {
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    client.open(&folder.uri("modules/base/manifests/init.pp"), 1, BASE).await;
    client.all_until_idle().await;
    client
}

#[tokio::test]
async fn environments_list_modules_and_nodes() {
    let folder = repository();
    let mut client = started(&folder).await;
    let found = client.request("puppet-analyzer/environments", Value::Null).await.expect("environments");
    let own =
        found.as_array().expect("a list").iter().find(|it| it["uri"] == folder.uri("").trim_end_matches('/'));
    let own = own.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(own["puppetVersion"], 8);
    assert_eq!(own["missingModules"], json!(["absent", "later"]));
    assert_eq!(own["nodes"], json!(["web1.example.com", "web2.example.com"]));
    let dependencies = json!([{ "name": "stdlib", "requirement": ">= 9.0.0" }, { "name": "other" }]);
    let module = json!({
        "name": "base",
        "uri": folder.uri("modules/base"),
        "version": "1.2.0",
        "dependencies": dependencies,
    });
    assert_eq!(own["modules"], json!([module]));
    let puppetfile = &own["puppetfile"];
    assert_eq!(puppetfile["uri"], folder.uri("Puppetfile"));
    assert_eq!(puppetfile["modules"][1]["name"], "later");
    assert_eq!(puppetfile["modules"][1]["version"], "git 'https://git.example.com/later.git'");
    assert_eq!(puppetfile["modules"][1]["range"]["start"], json!({ "line": 1, "character": 4 }));
    let sets = own["factSets"].as_array().expect("a list");
    assert!(sets.iter().any(|it| it == "Debian 12"), "{sets:?}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn nodes_of_a_setting_are_listed_and_compiled() {
    let folder = repository();
    let node = |name: &str, family: &str| {
        let values = json!({ "os": { "name": family, "family": family, "release": { "major": "12" } }, "clientcert": "x" });
        folder.write(&format!("nodes/{name}.json"), json!({ "name": name, "values": values }).to_string());
    };
    node("red.example.com", "RedHat");
    node("blue.example.com", "Debian");
    folder.write("puppet-analyzer.toml", "nodes = \"nodes\"\n");
    let code = "class base {\n  $port = $facts['os']['family'] ? { 'RedHat' => 'x', default => 1 }\n  notify { \"${$port + 1}\": }\n}\n";
    folder.write("modules/base/manifests/init.pp", code);
    folder.write("manifests/site.pp", "node default { include base }\n");
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let uri = folder.uri("modules/base/manifests/init.pp");
    client.open(&uri, 1, code).await;
    let mut published = client.all_until_idle().await;
    let found = client.request("puppet-analyzer/environments", Value::Null).await.expect("environments");
    let own =
        found.as_array().expect("a list").iter().find(|it| it["uri"] == folder.uri("").trim_end_matches('/'));
    let own = own.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(own["nodes"], json!(["blue.example.com", "red.example.com"]));
    let sets = own["factSets"].as_array().expect("a list");
    assert!(sets.iter().any(|it| it == "red.example.com"), "{sets:?}");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } })).await;
    published.extend(client.all_until_idle().await);
    let text = format!("{published:?}");
    assert!(text.contains("class `base` cannot be compiled on red.example.com"), "{text}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn facts_of_files_and_platforms_are_listed() {
    let folder = repository();
    let mut client = started(&folder).await;
    let environment = folder.uri("").trim_end_matches('/').to_owned();
    let found = client.request("puppet-analyzer/environments", Value::Null).await.expect("environments");
    let own = found.as_array().expect("a list").iter().find(|it| it["uri"] == environment.as_str());
    let sets = own.expect("the environment")["factSets"].as_array().expect("a list").clone();
    let file = sets.iter().find(|it| it.as_str().is_some_and(|it| it.contains("web2"))).expect("a fact file");
    let params = json!({ "environment": environment, "factSet": file });
    let facts = client.request("puppet-analyzer/facts", params).await.expect("facts");
    let named = |name: &str| facts.as_array().expect("a list").iter().find(|it| it["name"] == name).cloned();
    let owner = json!({ "name": "owner", "expression": "$facts['owner']", "value": "\"it's us\"" });
    assert_eq!(named("owner").expect("a fact")["expression"], owner["expression"]);
    let os = named("os").expect("a fact");
    let family = os["elements"].as_array().expect("elements").iter().find(|it| it["name"] == "family");
    let expected = json!({ "name": "family", "expression": "$facts['os']['family']", "value": "'Debian'" });
    assert_eq!(family, Some(&expected));
    let params = json!({ "environment": environment, "factSet": "RedHat 9" });
    assert!(client.request("puppet-analyzer/facts", params).await.expect("facts").is_array());
    let params = json!({ "environment": environment, "factSet": "VMS 7" });
    assert_eq!(client.request("puppet-analyzer/facts", params).await.expect("an answer"), Value::Null);
    assert!(client.stop().await);
}

#[tokio::test]
async fn catalogs_of_nodes_have_their_names_and_facts() {
    let folder = repository();
    let mut client = started(&folder).await;
    for (node, notified) in [
        ("web1.example.com", "web1.example.com web1.example.com"),
        ("WEB2.example.com", "web2.example.com web2.example.com"),
    ] {
        let params = json!({ "class": "base", "node": node });
        let answer = client.request("puppet-analyzer/catalog", params).await.expect("a catalog");
        let text = answer["text"].as_str().unwrap_or_default();
        assert!(text.contains(&format!("Notify[{notified}]")), "{text}");
        let title = answer["title"].as_str().unwrap_or_default();
        assert!(title.starts_with(&format!("base on {} (", node.to_lowercase())), "{title}");
    }
    assert!(client.stop().await);
}
