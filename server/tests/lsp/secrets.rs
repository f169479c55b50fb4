//! Checks that messages contain no marked secrets and no active content from a repository.

use serde_json::{Value, json};

use crate::client::*;

/// Marker that must not appear in any message.
const MARK: &str = "sesame";

const DATA: &str = "\
m::typed: sesame01
m::converted: sesame02
m::default: sesame03
m::encrypted: ENC[PKCS7,sesame04]
lookup_options:
  m::converted: {convert_to: Sensitive}
";

const CLASS: &str = "\
class m (
  Sensitive[String] $typed,
  String $converted,
  String $encrypted,
  Sensitive[String] $default = Sensitive('sesame05'),
) {
  $secret = Sensitive('sesame06')
  $plain = $secret.unwrap
  $text = \"<${plain}>\"
  m::takes { 'a': word => $plain }
  notify { 'b': message => $secret }
  $wrong = $secret + 1
}
";

const TAKES: &str = "define m::takes(Sensitive[String] $word) { }\n";

#[tokio::test]
async fn responses_contain_no_marked_secret() {
    let folder = TestFolder::new(&[
        ("environment.conf", "modulepath = modules\n"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: c, path: common.yaml, datadir: data, data_hash: yaml_data}\n",
        ),
        ("data/common.yaml", DATA),
        ("manifests/site.pp", "include m\n"),
        ("modules/m/manifests/init.pp", CLASS),
        ("modules/m/manifests/takes.pp", TAKES),
    ]);
    let mut client = Client::start_with(folder.initialize_params(json!({}))).await;
    client.settings = json!({});
    let options =
        json!({ "inlay-hints": { "values": true, "types": true, "data": true, "platforms": true } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": options })).await;
    let (class, data) = (folder.uri("modules/m/manifests/init.pp"), folder.uri("data/common.yaml"));
    client.open(&class, 1, CLASS).await;
    client.open(&data, 1, DATA).await;
    let mut said = client.all_until_idle().await;
    let document = |uri: &str| json!({ "textDocument": { "uri": uri } });
    for uri in [&class, &data] {
        for method in [
            "textDocument/documentSymbol",
            "textDocument/codeLens",
            "textDocument/diagnostic",
            "textDocument/documentLink",
        ] {
            said.extend(client.request(method, document(uri)).await);
        }
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let hints = json!({ "textDocument": { "uri": uri }, "range": whole });
        said.extend(client.request("textDocument/inlayHint", hints).await);
        for line in 0..13 {
            for character in (0..48).step_by(3) {
                let place = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
                said.extend(client.request("textDocument/hover", place.clone()).await);
                if character % 12 == 3 {
                    said.extend(client.request("textDocument/completion", place.clone()).await);
                    said.extend(client.request("textDocument/signatureHelp", place).await);
                }
            }
        }
    }
    said.extend(client.request("workspace/symbol", json!({ "query": "" })).await);
    for class in ["m", "m::takes"] {
        said.extend(client.request("puppet-analyzer/catalog", json!({ "class": class })).await);
        said.extend(client.request("puppet-analyzer/catalogGraph", json!({ "class": class })).await);
    }
    said.extend(client.all_until_idle().await);
    assert!(said.len() > 200, "{} answers", said.len());
    for answer in said {
        assert!(!answer.to_string().contains(MARK), "{answer:#}");
    }
    assert!(client.stop().await);
}

#[tokio::test]
async fn documentation_is_inert() {
    const URI: &str = "untitled:x";
    let text = "\
# Does <b>it</b> ![x](https://evil/x.png) [run](command:evil) [page](https://good) \u{202e}
#
# [ref]
#
# [ref]: command:evil
class m { }
include m
";
    let capabilities = json!({ "textDocument": { "hover": { "contentFormat": ["markdown"] } } });
    let mut client = Client::start(capabilities).await;
    client.open(URI, 1, text).await;
    client.all_until_idle().await;
    let place = json!({ "textDocument": { "uri": URI }, "position": { "line": 5, "character": 6 } });
    let hover = client.request("textDocument/hover", place).await.expect("an answer");
    let shown = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(shown.contains("[page](https://good)"), "{hover:#}");
    for live in ["<b>", "![", "](command", "]: command", "\u{202e}"] {
        assert!(!shown.contains(live), "{live} in {shown}");
    }
    assert!(client.stop().await);
}

#[cfg(unix)]
#[tokio::test]
async fn recordings_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TestFolder::new(&[("session.jsonl", "")]);
    let file = folder.path("session.jsonl");
    let mut client = Client::connect_recording(Some(file.clone()));
    client.initialize(json!({ "capabilities": {} })).await;
    client.open("untitled:x", 1, "$password = 'sesame01'\n$seen = 'visible'\n$sum = $password + 1\n").await;
    client.all_until_idle().await;
    assert!(client.stop().await);
    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let recorded = std::fs::read_to_string(&file).expect("text");
    let opened = recorded.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let opened = opened.map(|it| it["message"]["params"]["textDocument"]["text"].clone());
    let texts: Vec<String> = opened.filter_map(|it| it.as_str().map(str::to_owned)).collect();
    assert_eq!(texts, ["$password = '********'\n$seen = 'visible'\n$sum = $password + 1\n"]);
    assert!(recorded.contains("`'********'` is not a number"), "{recorded}");
    assert!(!recorded.contains(MARK), "{recorded}");
}
