//! Tests of the client with a small server that behaves like PuppetDB, also when it fails.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use fleet::puppetdb::{NodeSelection, PuppetDb, PuppetDbConnection, selector};
use serde_json::{Value as Json, json};

/// Behavior of the server.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Behavior {
    /// Compares strings with `>`.
    Comparing,
    /// Refuses to compare strings, as PuppetDB does.
    Refusing,
    /// Answers every other request with status 500.
    Failing,
    /// Ends every other reply in the middle.
    Truncating,
    /// Adds a node before those that were sent, and one after them, while pages are read.
    Growing,
    /// Answers with a web page.
    Other,
    /// Answers with status 503 to six requests after the first one, as PuppetDB does while it starts.
    Restarting,
}

struct FakeServer {
    url: String,
    requests: Arc<Mutex<Vec<(String, Json)>>>,
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("node{number:05}.example.com")).collect()
}

impl FakeServer {
    fn start(behavior: Behavior, nodes: usize) -> FakeServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests: Arc<Mutex<Vec<(String, Json)>>> = Arc::default();
        let log = requests.clone();
        let count = AtomicUsize::new(0);
        let names = Mutex::new(names(nodes));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let number = count.fetch_add(1, Ordering::Relaxed);
                let Ok(stream) = stream else { return };
                answer(stream, behavior, number, &names, &log);
            }
        });
        FakeServer { url, requests }
    }
}

fn answer(
    mut stream: TcpStream,
    behavior: Behavior,
    number: usize,
    names: &Mutex<Vec<String>>,
    log: &Mutex<Vec<(String, Json)>>,
) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        if line == "\r\n" {
            break;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let body: Json = serde_json::from_slice(&body).expect("JSON");
    log.lock().expect("a lock").push((head.clone(), body.clone()));
    let names = {
        let mut names = names.lock().expect("a lock");
        if behavior == Behavior::Growing && number == 1 {
            names.insert(0, "aaa.example.com".to_owned());
            names.push("zzz.example.com".to_owned());
        }
        names.clone()
    };
    let (status, mut text) = match reply(behavior, &head, &body, &names) {
        Ok(rows) => (200, Json::Array(rows).to_string()),
        Err(message) => (400, message),
    };
    let status = match behavior {
        Behavior::Failing if number.is_multiple_of(2) => 500,
        Behavior::Restarting if (1..=6).contains(&number) => 503,
        _ => status,
    };
    if behavior == Behavior::Other {
        text = "<html>".to_owned();
    }
    let whole = text.len();
    if behavior == Behavior::Truncating && number.is_multiple_of(2) {
        text.truncate(whole * 2 / 3);
    }
    let _ =
        write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {whole}\r\nConnection: close\r\n\r\n{text}");
}

fn reply(behavior: Behavior, head: &str, body: &Json, names: &[String]) -> Result<Vec<Json>, String> {
    let query = &body["query"];
    let row =
        |name: &String| json!({ "certname": name, "facts": { "os": {} }, "trusted": { "certname": name } });
    if head.starts_with("POST /pdb/query/v4 ") {
        return Ok(names.iter().take(3).map(|name| json!({ "certname": name })).collect());
    }
    assert!(head.starts_with("POST /pdb/query/v4/inventory "), "{head}");
    if query[0] == "extract" {
        return Ok(names.iter().map(|name| json!({ "certname": name })).collect());
    }
    if query[0] == "in" && query[2][0] == "array" {
        let wanted = query[2][1].as_array().expect("an array");
        return Ok(names.iter().filter(|name| wanted.iter().any(|it| it == *name)).map(row).collect());
    }
    let after = match query[0].as_str() {
        Some(">") if behavior == Behavior::Refusing => return Err("incompatible types".to_owned()),
        Some(">") => query[2].as_str().expect("a name").to_owned(),
        Some("~") => return Ok(names.iter().take(2).map(row).collect()),
        Some("and") => return Ok(Vec::new()),
        _ => String::new(),
    };
    assert_eq!(body["order_by"][0]["field"], "certname");
    let limit = usize::try_from(body["limit"].as_u64().expect("a limit")).expect("a number");
    Ok(names.iter().filter(|name| **name > after).take(limit).map(row).collect())
}

fn client(urls: &[&str]) -> PuppetDb {
    let urls = urls.iter().map(|url| (*url).to_owned()).collect();
    let connection =
        PuppetDbConnection { urls, token: Some("t0ken".to_owned()), ..PuppetDbConnection::default() };
    let mut client = PuppetDb::new(connection).expect("a client");
    client.set_delay(Duration::from_millis(1));
    client
}

fn fetch(client: &mut PuppetDb, selection: &NodeSelection) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    client.inventories(selection, |row| {
        found.push(row["certname"].as_str().expect("a name").to_owned());
        Ok(())
    })?;
    Ok(found)
}

#[test]
fn all_nodes_are_fetched_once() {
    let all = NodeSelection::Inventory(None);
    for behavior in [Behavior::Comparing, Behavior::Refusing, Behavior::Failing, Behavior::Truncating] {
        for count in [1, 499, 500, 501, 1_234] {
            let server = FakeServer::start(behavior, count);
            let found = fetch(&mut client(&[&server.url]), &all).expect("nodes");
            assert_eq!(found, names(count), "{behavior:?}");
            let requests = server.requests.lock().expect("a lock");
            assert!(requests.iter().all(|(head, _)| head.contains("t0ken")), "{behavior:?}");
        }
    }
    let server = FakeServer::start(Behavior::Restarting, 1_234);
    assert_eq!(fetch(&mut client(&[&server.url]), &all).expect("nodes"), names(1_234));
    let server = FakeServer::start(Behavior::Growing, 1_000);
    let found = fetch(&mut client(&[&server.url]), &all).expect("nodes");
    assert_eq!(found.len(), 1_001, "no node is lost");
}

#[test]
fn selections() {
    let server = FakeServer::start(Behavior::Comparing, 10);
    let client = &mut client(&[&server.url]);
    let matching = NodeSelection::Inventory(Some(selector("re:^node").expect("a selection")));
    assert_eq!(fetch(client, &matching).expect("nodes"), names(2));
    let pql = NodeSelection::Pql("nodes[certname] { }".to_owned());
    assert_eq!(fetch(client, &pql).expect("nodes"), names(3));
    let resources = |kind: &str, title: &str| {
        let resources = json!(["and", ["=", "type", kind], ["=", "title", title]]);
        json!(["in", "certname", ["extract", "certname", ["select_resources", resources]]])
    };
    for (text, query) in [
        ("web1", json!(["=", "certname", "web1"])),
        ("C:profile::web", resources("Class", "Profile::Web")),
        ("R:package[nginx]", resources("Package", "nginx")),
        ("R:profile::vhost['a b']", resources("Profile::Vhost", "a b")),
    ] {
        assert_eq!(selector(text), Ok(query), "{text}");
    }
    assert!(selector("R:package").is_err());
}

#[test]
fn failures() {
    let all = NodeSelection::Inventory(None);
    let check = |urls: &[&str], message: &str| {
        let error = fetch(&mut client(urls), &all).expect_err(message);
        assert!(format!("{error:#}").contains(message), "{message}: {error:#}");
    };
    check(&["http://127.0.0.1:1"], "did not answer after 4 attempts");
    let other = FakeServer::start(Behavior::Other, 1);
    check(&[&other.url], "incomplete or not JSON");
    let good = FakeServer::start(Behavior::Comparing, 700);
    let found = fetch(&mut client(&["http://127.0.0.1:1", &good.url]), &all).expect("nodes");
    assert_eq!(found, names(700), "the second server answers");
    let malformed = PuppetDb::new(PuppetDbConnection {
        urls: vec!["ftp://x:y@z".to_owned()],
        ..PuppetDbConnection::default()
    });
    let Err(error) = malformed else { panic!("accepted") };
    assert!(error.to_string().contains("`ftp://z`"), "no password: {error}");
}
