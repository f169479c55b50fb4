//! Files on disk: the first scan, added and removed folders, watched files.

use serde_json::{Value, json};

use crate::client::*;

/// Returns the text of a closed file as known to the server; `None` if it does not know the file.
async fn known_text(client: &mut Client, uri: &str) -> Option<String> {
    client.all_until_idle().await;
    let text = client.ask("puppet-analyzer/fileText", uri).await.expect("an answer");
    text.as_str().map(str::to_owned)
}

#[tokio::test]
async fn first_scan_reports_progress() {
    let folder = TestFolder::new(&[
        (".gitignore", "/modules/\n/ignored/\n"),
        (".git/HEAD", ""),
        ("manifests/site.pp", "node default { }"),
        ("modules/apache/manifests/init.pp", "class apache { }"),
        ("modules/apache/templates/x.epp", "<%= $x %>"),
        ("ignored/a.pp", "class ignored { }"),
        ("README.md", "# no Puppet"),
    ]);
    folder.write("latin1.pp", b"# \xe4");
    let capabilities =
        json!({ "window": { "workDoneProgress": true }, "textDocument": { "diagnostic": {} } });
    let mut client = Client::start_with(folder.initialize_params(capabilities)).await;
    let token = client.wait_for("window/workDoneProgress/create").await["token"].clone();
    let mut kinds = Vec::new();
    while kinds.last().is_none_or(|it| it != "end") {
        let progress = client.wait_for("$/progress").await;
        assert_eq!(progress["token"], token);
        kinds.push(progress["value"]["kind"].as_str().expect("a kind").to_owned());
    }
    assert_eq!(kinds.first().map(String::as_str), Some("begin"));
    for (path, expected) in [
        ("manifests/site.pp", Some("node default { }")),
        // Modules installed into the folder of modules are part of the code, even if Git ignores them.
        ("modules/apache/manifests/init.pp", Some("class apache { }")),
        ("modules/apache/templates/x.epp", Some("<%= $x %>")),
        ("ignored/a.pp", None),
        ("latin1.pp", None),
    ] {
        assert_eq!(known_text(&mut client, &folder.uri(path)).await.as_deref(), expected, "{path}");
    }
    let report = client.ask("textDocument/diagnostic", &folder.uri("latin1.pp")).await.expect("a report");
    assert_eq!(codes(&report["items"]), ["not-utf8"], "unreadable files are reported");
    assert!(client.stop().await);
}

#[tokio::test]
async fn nothing_is_missing_during_the_scan() {
    let init = "class web { include web::other }";
    let folder = TestFolder::new(&[
        ("environment.conf", ""),
        ("modules/web/manifests/init.pp", init),
        ("modules/web/manifests/other.pp", "class web::other { }"),
    ]);
    let uri = folder.uri("modules/web/manifests/init.pp");
    for _ in 0..20 {
        let mut client = Client::start_with(folder.initialize_params(pulling())).await;
        client.open(&uri, 1, init).await;
        let report = client.ask("textDocument/diagnostic", &uri).await.expect("a report");
        assert_eq!(codes(&report["items"]), Vec::<String>::new());
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn documents_without_files_see_the_workspace() {
    let folder = TestFolder::new(&[
        ("environment.conf", "modulepath = modules"),
        ("modules/web/manifests/init.pp", "class web { }"),
    ]);
    let mut client = Client::start_with(folder.initialize_params(pulling())).await;
    let uri = "untitled:Untitled-1";
    client.open(uri, 1, "include web\ninclude webb\n").await;
    client.all_until_idle().await;
    let report = client.ask("textDocument/diagnostic", uri).await.expect("a report");
    let lines: Vec<_> =
        report["items"].as_array().expect("items").iter().map(|it| &it["range"]["start"]["line"]).collect();
    assert_eq!(lines, [1], "{report}");
    assert!(client.stop().await);
}

#[tokio::test]
async fn added_and_removed_folders() {
    let one = TestFolder::new(&[("a.pp", "class a { }")]);
    let two = TestFolder::new(&[("b.pp", "class b { }")]);
    let mut client = Client::start_with(one.initialize_params(json!({}))).await;
    assert!(known_text(&mut client, &one.uri("a.pp")).await.is_some());
    assert!(known_text(&mut client, &two.uri("b.pp")).await.is_none());
    let folder = |it: &TestFolder| json!([{ "uri": it.uri(""), "name": "x" }]);
    let event = json!({ "event": { "added": folder(&two), "removed": folder(&one) } });
    client.notify("workspace/didChangeWorkspaceFolders", event).await;
    assert!(known_text(&mut client, &one.uri("a.pp")).await.is_none());
    assert!(known_text(&mut client, &two.uri("b.pp")).await.is_some());
    // Folders that do not exist, are removed twice, or are not folders at all.
    let odd = json!([{ "uri": "file:///does/not/exist", "name": "x" }, { "uri": "untitled:x", "name": "y" }]);
    let event = json!({ "event": { "added": odd, "removed": folder(&one) } });
    client.notify("workspace/didChangeWorkspaceFolders", event).await;
    assert!(known_text(&mut client, &two.uri("b.pp")).await.is_some());
    assert!(client.stop().await);
}

#[tokio::test]
async fn root_uri_of_older_clients() {
    let folder = TestFolder::new(&[("a.pp", "class a { }")]);
    for params in [
        json!({ "capabilities": {}, "rootUri": folder.uri("") }),
        json!({ "capabilities": {}, "rootUri": null, "rootPath": folder.path("").to_str() }),
    ] {
        let mut client = Client::start_with(params).await;
        assert!(known_text(&mut client, &folder.uri("a.pp")).await.is_some());
        assert!(client.stop().await);
    }
}

#[tokio::test]
async fn watched_files_are_read_again() {
    let folder = TestFolder::new(&[("a.pp", "one"), ("sub/b.pp", "b"), ("sub/c.pp", "c")]);
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let changed = |path: &str, kind: u32| json!({ "changes": [{ "uri": folder.uri(path), "type": kind }] });
    folder.write("a.pp", "two");
    client.notify("workspace/didChangeWatchedFiles", changed("a.pp", 2)).await;
    assert_eq!(known_text(&mut client, &folder.uri("a.pp")).await.as_deref(), Some("two"));
    folder.write("new.pp", "new");
    client.notify("workspace/didChangeWatchedFiles", changed("new.pp", 1)).await;
    assert_eq!(known_text(&mut client, &folder.uri("new.pp")).await.as_deref(), Some("new"));
    client.notify("workspace/didChangeWatchedFiles", changed("sub", 3)).await;
    assert_eq!(
        known_text(&mut client, &folder.uri("sub/b.pp")).await,
        None,
        "a folder takes its files along"
    );

    // An open document takes precedence over the file on disk until it is closed.
    let uri = folder.uri("a.pp");
    client.open(&uri, 1, "open").await;
    folder.write("a.pp", "three");
    client.notify("workspace/didChangeWatchedFiles", changed("a.pp", 2)).await;
    assert_eq!(known_text(&mut client, &uri).await.as_deref(), Some("open"));
    folder.write("a.pp", "four");
    client.close(&uri).await;
    assert_eq!(
        known_text(&mut client, &uri).await.as_deref(),
        Some("four"),
        "no notification for this change"
    );
    folder.remove("a.pp");
    client.notify("workspace/didChangeWatchedFiles", changed("a.pp", 3)).await;
    assert_eq!(known_text(&mut client, &uri).await, None);
    assert!(client.stop().await);
}

#[tokio::test]
async fn edits_during_the_scan() {
    let files: Vec<(String, String)> =
        (0..600).map(|it| (format!("f{it}.pp"), format!("class f{it} {{ }}"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
    let folder = TestFolder::new(&files);
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let uri = folder.uri("f599.pp");
    client.open(&uri, 1, "class open {").await;
    assert_eq!(client.diagnostics(&uri).await.0, Some(1));
    client.change(&uri, 2, json!([{ "text": "class open { }" }])).await;
    assert_eq!(client.diagnostics(&uri).await, (Some(2), vec![]));
    assert_eq!(known_text(&mut client, &uri).await.as_deref(), Some("class open { }"));
    assert_eq!(known_text(&mut client, &folder.uri("f0.pp")).await.as_deref(), Some("class f0 { }"));
    assert_eq!(client.request("shutdown", Value::Null).await, Ok(Value::Null));
    assert!(client.hang_up().await);
}

#[tokio::test]
async fn files_outside_of_all_folders() {
    let folder = TestFolder::new(&[
        ("modules/a/manifests/init.pp", "class a { include b }"),
        ("modules/b/manifests/init.pp", "class b { }"),
        ("modules/b/files/x", "what it holds does not matter"),
        ("notes/loose.pp", "include a"),
    ]);
    let mut client = Client::start(json!({})).await;
    let uri = folder.uri("notes/loose.pp");
    client.open(&uri, 1, "include a").await;
    assert!(known_text(&mut client, &folder.uri("modules/b/manifests/init.pp")).await.is_none());
    client.open(&folder.uri("modules/a/manifests/init.pp"), 1, "class a { }").await;
    let sibling = folder.uri("modules/b/manifests/init.pp");
    assert_eq!(known_text(&mut client, &sibling).await.as_deref(), Some("class b { }"));
    assert_eq!(known_text(&mut client, &folder.uri("modules/b/files/x")).await, None, "it only exists");
    assert!(client.stop().await);
}

#[tokio::test]
async fn trusted_modules_outside_of_the_folder() {
    let shared = TestFolder::new(&[("b/manifests/init.pp", "class b { }")]);
    let path = shared.path("").to_str().expect("a path in UTF-8").trim_end_matches('/').to_owned();
    let configuration = format!("modulepath = modules:{path}\n");
    let folder = TestFolder::new(&[
        ("environment.conf", configuration.as_str()),
        ("modules/a/manifests/init.pp", "class a { include b }"),
    ]);
    let uri = shared.uri("b/manifests/init.pp");

    let mut params = folder.initialize_params(json!({}));
    params["initializationOptions"] = json!({ "trustedFolders": [path] });
    let mut client = Client::start_with(params).await;
    assert_eq!(known_text(&mut client, &uri).await.as_deref(), Some("class b { }"));
    assert!(client.stop().await);

    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    let question = client.wait_for("window/showMessageRequest").await;
    assert!(question.to_string().contains(&path), "{question}");
    assert_eq!(known_text(&mut client, &uri).await, None);
    // The contents of the folder are unknown, so nothing is reported as missing.
    let user = folder.uri("modules/a/manifests/init.pp");
    client.open(&user, 1, "class a { include b }").await;
    assert_eq!(client.diagnostics(&user).await.1, Vec::<String>::new());
    assert!(client.stop().await);
}

#[tokio::test]
async fn watching_without_client_support() {
    let folder = TestFolder::new(&[("modules/a/manifests/init.pp", "class a { }")]);
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    assert!(known_text(&mut client, &folder.uri("modules/a/manifests/init.pp")).await.is_some());
    folder.write("modules/b/manifests/init.pp", "class b { }");
    folder.remove("modules/a/manifests/init.pp");
    std::fs::rename(folder.path("modules/b"), folder.path("modules/c")).expect("it can be moved");
    // Changes are reported in order.
    folder.write("puppet-analyzer.toml", "unknown = 1");
    let (_, codes) = client.diagnostics(&folder.uri("puppet-analyzer.toml")).await;
    assert_eq!(codes, ["unknown-setting"]);
    assert!(known_text(&mut client, &folder.uri("modules/a/manifests/init.pp")).await.is_none());
    assert!(known_text(&mut client, &folder.uri("modules/b/manifests/init.pp")).await.is_none());
    let moved = known_text(&mut client, &folder.uri("modules/c/manifests/init.pp")).await;
    assert_eq!(moved.as_deref(), Some("class b { }"));
    assert!(client.stop().await);
}
