//! Small server that answers queries as PuppetDB does. The tests of the program use it, too.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value as Json, json};

/// Data of a PuppetDB.
pub(crate) struct PuppetDbRows {
    /// Rows of the entity `inventory`, sorted by `certname`.
    pub(crate) inventory: Vec<Json>,
    /// Rows of the entity `resources`.
    pub(crate) resources: Vec<Json>,
}

/// A query.
pub(crate) struct Request {
    /// First line and headers.
    pub(crate) head: String,
    pub(crate) body: Json,
}

/// Reply to a query.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) text: String,
    /// True to end the reply in the middle of the text.
    pub(crate) is_truncated: bool,
}

/// Starts a server and returns its address.
pub(crate) fn serve(mut reply: impl FnMut(&Request) -> Reply + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            if let Some(request) = Request::read(&stream) {
                reply(&request).write(&mut stream);
            }
        }
    });
    url
}

impl Request {
    /// Reads a request; `None` if the client closes the connection.
    fn read(stream: &TcpStream) -> Option<Request> {
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
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
        Some(Request { head, body: serde_json::from_slice(&body).expect("JSON") })
    }
}

impl Reply {
    /// Creates the reply with the result of a query.
    pub(crate) fn new(result: Result<Vec<Json>, String>) -> Reply {
        let (status, text) = match result {
            Ok(rows) => (200, Json::Array(rows).to_string()),
            Err(message) => (400, message),
        };
        Reply { status, text, is_truncated: false }
    }

    fn write(&self, stream: &mut TcpStream) {
        let Reply { status, text, is_truncated } = self;
        let whole = text.len();
        let sent = if *is_truncated { &text[..whole * 2 / 3] } else { text };
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {whole}\r\nConnection: close\r\n\r\n");
        let _ = write!(stream, "{head}{sent}");
    }
}

impl PuppetDbRows {
    /// Evaluates a query, or returns the message with which PuppetDB refuses it.
    pub(crate) fn answer(&self, request: &Request) -> Result<Vec<Json>, String> {
        let query = &request.body["query"];
        match request.head.split(' ').nth(1) {
            // A query in PQL is not evaluated.
            Some("/pdb/query/v4") => Ok(names(&self.inventory[..self.inventory.len().min(3)])),
            Some("/pdb/query/v4/inventory") => Ok(self.inventory(query, &request.body)),
            Some("/pdb/query/v4/resources") if query[0] == "extract" => Ok(names(&self.resources)),
            Some("/pdb/query/v4/resources") => Ok(with_names(&self.resources, &query[2])),
            _ => Err(format!("unknown path: {}", request.head)),
        }
    }

    fn inventory(&self, query: &Json, body: &Json) -> Vec<Json> {
        match (query[0].as_str(), query[2][0].as_str()) {
            // Regular expressions are not evaluated.
            (Some("extract"), Some("~")) => names(&self.inventory[..self.inventory.len().min(2)]),
            (Some("extract"), None) => names(&self.inventory),
            (Some("in"), Some("array")) => {
                assert_eq!(body["order_by"][0]["field"], "certname");
                with_names(&self.inventory, query)
            }
            // All nodes, or those of a regular expression.
            (None, _) => self.inventory.clone(),
            (Some("~"), _) => self.inventory[..self.inventory.len().min(2)].to_vec(),
            _ => panic!("unexpected query: {query}"),
        }
    }
}

/// Returns rows with the names of the nodes of other rows, each once.
fn names(rows: &[Json]) -> Vec<Json> {
    let names: BTreeSet<&str> = rows.iter().filter_map(|row| row["certname"].as_str()).collect();
    names.into_iter().map(|name| json!({ "certname": name })).collect()
}

/// Returns the rows of the nodes that `["in", "certname", ["array", names]]` names.
fn with_names(rows: &[Json], query: &Json) -> Vec<Json> {
    let wanted = query[2][1].as_array().expect("an array");
    rows.iter().filter(|row| wanted.contains(&row["certname"])).cloned().collect()
}
