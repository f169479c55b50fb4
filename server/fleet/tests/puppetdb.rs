//! Tests of the client with a small server that behaves like PuppetDB, also when it fails.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fleet::puppetdb::{NodeSelection, PuppetDb, PuppetDbConnection, PuppetDbEvent, selector};
use serde_json::{Value as Json, json};

use crate::fake_puppetdb::{PuppetDbRows, Reply, Request, serve};

/// Behavior of the server.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Behavior {
    Working,
    /// Answers every other request with status 500.
    Failing,
    /// Ends every other reply in the middle.
    Truncating,
    /// Adds a node before the others, and one after them, once the names are known.
    Growing,
    /// Removes a node once the names are known.
    Forgetting,
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
        let requests: Arc<Mutex<Vec<(String, Json)>>> = Arc::default();
        let log = requests.clone();
        let inventory = names(nodes).iter().map(|name| row(name)).collect();
        let mut rows = PuppetDbRows { inventory, resources: Vec::new() };
        let mut number = 0;
        let url = serve(move |request| {
            log.lock().expect("a lock").push((request.head.clone(), request.body.clone()));
            number += 1;
            behavior.reply(request, number - 1, &mut rows)
        });
        FakeServer { url, requests }
    }
}

fn row(name: &str) -> Json {
    json!({ "certname": name, "facts": { "os": {} }, "trusted": { "certname": name } })
}

impl Behavior {
    /// Answers the request with this number, from 0.
    fn reply(self, request: &Request, number: usize, rows: &mut PuppetDbRows) -> Reply {
        if self == Behavior::Forgetting && number == 1 {
            rows.inventory.pop();
        }
        if self == Behavior::Growing && number == 1 {
            rows.inventory.insert(0, row("aaa.example.com"));
            rows.inventory.push(row("zzz.example.com"));
        }
        let mut reply = Reply::new(rows.answer(request));
        match self {
            Behavior::Failing if number.is_multiple_of(2) => reply.status = 500,
            Behavior::Restarting if (1..=6).contains(&number) => reply.status = 503,
            Behavior::Truncating => reply.is_truncated = number.is_multiple_of(2),
            Behavior::Other => reply.text = "<html>".to_owned(),
            _ => {}
        }
        reply
    }
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
    for behavior in [Behavior::Working, Behavior::Failing, Behavior::Truncating] {
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
    assert_eq!(found, names(1_000), "no node is lost or twice");
}

#[test]
fn retries_and_nodes_without_facts_are_reported() {
    let events = |behavior, selection: &NodeSelection| {
        let server = FakeServer::start(behavior, 3);
        let mut client = client(&[&server.url]);
        let events: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = events.clone();
        client.set_listener(move |event| {
            log.lock().expect("a lock").push(match event {
                PuppetDbEvent::Selected(count) => format!("selected {count}"),
                PuppetDbEvent::Retrying { failure, delay } => {
                    let failure = failure.split(": [").next().unwrap_or_default();
                    format!("{failure}, again in {delay:?}")
                }
                PuppetDbEvent::WithoutFacts(names) => format!("without facts: {}", names.join(", ")),
            });
        });
        fetch(&mut client, selection).expect("nodes");
        let events = events.lock().expect("a lock").join("\n");
        events.replace(&server.url, "URL")
    };
    let all = NodeSelection::Inventory(None);
    assert_eq!(events(Behavior::Working, &all), "selected 3");
    let retried = "URL: PuppetDB replied with status 500, again in 1ms";
    assert_eq!(events(Behavior::Failing, &all), format!("{retried}\nselected 3\n{retried}"));
    let forgotten = "selected 3\nwithout facts: node00002.example.com";
    assert_eq!(events(Behavior::Forgetting, &all), forgotten);
}

#[test]
fn selections() {
    let server = FakeServer::start(Behavior::Working, 10);
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
    let good = FakeServer::start(Behavior::Working, 700);
    let found = fetch(&mut client(&["http://127.0.0.1:1", &good.url]), &all).expect("nodes");
    assert_eq!(found, names(700), "the second server answers");
    let malformed = PuppetDb::new(PuppetDbConnection {
        urls: vec!["ftp://x:y@z".to_owned()],
        ..PuppetDbConnection::default()
    });
    let Err(error) = malformed else { panic!("accepted") };
    assert!(error.to_string().contains("`ftp://z`"), "no password: {error}");
}

#[test]
fn the_size_of_a_row_is_limited() {
    for (place, nodes) in [("", 1), (", which follows `node00002.example.com`", 4)] {
        let url = serve(move |_| {
            let mut rows: Vec<Json> = names(nodes).iter().map(|name| row(name)).collect();
            // Small values need much more memory than text.
            rows[nodes - 1]["facts"]["many"] = vec![1; 5 << 20].into();
            Reply::new(Ok(rows))
        });
        let connection = PuppetDbConnection { urls: vec![url], ..PuppetDbConnection::default() };
        let mut client = PuppetDb::new(connection).expect("a client");
        let found = client.inventories(&NodeSelection::Inventory(None), |_| Ok(()));
        let message = found.expect_err("too large").to_string();
        assert_eq!(
            message,
            format!("the data of a node in PuppetDB exceeds the limit: 8388608 bytes{place}")
        );
    }
}

/// Certificates and keys with a part of the message; `None` if they are usable.
const PAIRS: &[(&str, &str, Option<&str>)] = &[
    ("one.pem", "one.key", None),
    ("one.pem", "two.key", Some("are unusable: keys may not be consistent")),
    ("one.key", "one.key", Some("has no certificate in PEM format")),
    ("one.pem", "one.pem", Some("has no private key in PEM format")),
    ("malformed.pem", "one.key", Some("are unusable")),
    ("one.pem", "nowhere.key", Some("cannot read")),
];

#[test]
fn client_certificates_must_have_their_keys() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls");
    for (cert, key, expected) in PAIRS {
        let (cert, key) = (Some(folder.join(cert)), Some(folder.join(key)));
        let urls = vec!["https://localhost:1".to_owned()];
        let result = PuppetDb::new(PuppetDbConnection { urls, cert, key, ..PuppetDbConnection::default() });
        match (result.err().map(|error| format!("{error:#}")), expected) {
            (None, None) => {}
            (Some(message), Some(part)) => assert!(message.contains(part), "{part}: {message}"),
            (found, expected) => panic!("{found:?} instead of {expected:?}"),
        }
    }
}
