//! Client for PuppetDB: reads the inventories of nodes.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde::de::{DeserializeSeed, Deserializer as _, SeqAccess, Visitor};
use serde_json::{Value as Json, json};
use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

use crate::container::MAX_LINE;

/// Number of nodes per request.
const PAGE: usize = 500;

/// Number of attempts per request, on each server.
const ATTEMPTS: u32 = 4;

/// Number of attempts once a server has answered: long enough for a restart of PuppetDB.
const ATTEMPTS_AFTER_ANSWER: u32 = 16;

/// Delay before the second attempt; doubled for each further one.
const FIRST_DELAY: Duration = Duration::from_millis(500);

/// Maximum of the doubled delay, in first delays.
const MAX_DELAY_FACTOR: u32 = 32;

/// Maximum time for connecting, and for the server's reply to begin.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Maximum time without any data in a reply.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum size of a row in bytes. Parsed values need up to 40 times as much.
const MAX_ROW: usize = 8 << 20;

/// Header with the token of Puppet Enterprise.
const TOKEN_HEADER: &str = "X-Authentication";

/// Servers and credentials, all of which the user has named.
#[derive(Clone, Default, Debug)]
pub struct PuppetDbConnection {
    /// Base addresses, tried in order: `https://puppetdb.example.com:8081`.
    pub urls: Vec<String>,
    pub cacert: Option<PathBuf>,
    pub cert: Option<PathBuf>,
    pub key: Option<PathBuf>,
    pub token: Option<String>,
}

/// Selected nodes.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeSelection {
    /// Query of the entity `inventory` in JSON; `None` for all nodes.
    Inventory(Option<Json>),
    /// Query in PQL whose rows have a `certname`.
    Pql(String),
}

/// Error that another attempt may not have.
#[derive(Debug)]
enum RequestError {
    /// The server refuses the request.
    Refused(String),
    /// The server or the network fails.
    Transient(anyhow::Error),
    /// The receiver of the rows fails, or they are unusable.
    Fatal(anyhow::Error),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::Refused(message) => f.write_str(message),
            RequestError::Transient(error) | RequestError::Fatal(error) => write!(f, "{error:#}"),
        }
    }
}

/// Something that happens during a request.
#[derive(Debug)]
pub enum PuppetDbEvent {
    /// The number of selected nodes is known.
    Selected(usize),
    /// No server answered, or a reply ended early; what is left is requested again after a delay.
    Retrying { failure: String, delay: Duration },
    /// Selected nodes of which PuppetDB has no facts, or has them no longer.
    WithoutFacts(Vec<String>),
}

/// Receiver of events.
type PuppetDbListener = Box<dyn Fn(PuppetDbEvent) + Send>;

/// Client of one or several servers with the same data.
pub struct PuppetDb {
    agent: Agent,
    connection: PuppetDbConnection,
    /// Index of the server that answered last.
    current: usize,
    delay: Duration,
    /// True once a server has answered a request completely.
    has_answered: bool,
    listener: PuppetDbListener,
}

/// Sender of the rows of nodes, each at most once.
struct RowSender<'a> {
    /// Names of the selected nodes, sorted.
    names: &'a [String],
    rows: SyncSender<Json>,
    seen: BTreeSet<String>,
}

impl RowSender<'_> {
    /// Returns the nodes that have not been sent.
    fn left(&self) -> Vec<&String> {
        self.names.iter().filter(|it| !self.seen.contains(*it)).collect()
    }

    /// Sends a row, unless its node has been sent or is not selected, such as one that is new.
    fn send(&mut self, row: Json) -> anyhow::Result<()> {
        let certname = row["certname"].as_str().context("a row of PuppetDB has no `certname`")?.to_owned();
        ensure!(row["facts"].is_object(), "node `{certname}` has no facts in the reply of PuppetDB");
        if self.names.binary_search(&certname).is_ok() && self.seen.insert(certname) {
            self.rows.send(row).context("the rows are no longer received")?;
        }
        Ok(())
    }
}

/// Returns the last failure of each server, the newest first.
fn last_failures(failures: &[String], servers: usize) -> String {
    let last: Vec<&str> = failures.iter().rev().take(servers).map(String::as_str).collect();
    last.join("\n")
}

impl PuppetDb {
    /// Creates a client. Nothing is sent yet.
    ///
    /// # Errors
    /// Fails if an address is malformed, or if a certificate or key cannot be read.
    pub fn new(connection: PuppetDbConnection) -> anyhow::Result<PuppetDb> {
        ensure!(!connection.urls.is_empty(), "no address of a PuppetDB given");
        for url in &connection.urls {
            let is_http = url.starts_with("http://") || url.starts_with("https://");
            ensure!(
                is_http,
                "`{}` is not the address of a PuppetDB: expected `https://HOST:8081`",
                shown_url(url)
            );
        }
        let mut tls = TlsConfig::builder();
        if let Some(path) = &connection.cacert {
            tls = tls.root_certs(RootCerts::new_with_certs(&certificates(path)?));
        }
        match (&connection.cert, &connection.key) {
            (Some(cert), Some(key)) => {
                let (chain, private) = (certificates(cert)?, private_key(key)?);
                ensure_pair(&chain, &private).with_context(|| {
                    let (cert, key) = (cert.display(), key.display());
                    format!("the client certificate `{cert}` and the key `{key}` are unusable")
                })?;
                tls = tls.client_cert(Some(ClientCert::new_with_certs(&chain, private)));
            }
            (None, None) => {}
            _ => bail!("a client certificate needs both a certificate and a key"),
        }
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .user_agent(concat!("puppet-analyzer/", env!("CARGO_PKG_VERSION")))
            // Credentials are only for the servers that the user named.
            .max_redirects(0)
            .http_status_as_error(false)
            .timeout_connect(Some(TIMEOUT))
            .timeout_recv_response(Some(TIMEOUT))
            .timeout_per_read(Some(READ_TIMEOUT))
            .build();
        Ok(PuppetDb {
            agent: config.new_agent(),
            connection,
            current: 0,
            delay: FIRST_DELAY,
            has_answered: false,
            listener: Box::new(|_| {}),
        })
    }

    /// Sets the function that receives events, on any thread.
    pub fn set_listener(&mut self, listener: impl Fn(PuppetDbEvent) + Send + 'static) {
        self.listener = Box::new(listener);
    }

    /// Sets the delay before the second attempt of a request.
    pub fn set_delay(&mut self, delay: Duration) {
        self.delay = delay;
    }

    /// Passes the inventory of each selected node to `receive`: an object with `certname`, `facts` and `trusted`. The names
    /// are requested first, then all inventories at once; if that reply ends early, the others follow page by page. Pages
    /// are lists of names, since PuppetDB neither compares strings nor keeps offsets while its data change. No node is
    /// passed twice.
    ///
    /// # Errors
    /// Fails if no server answers, if a reply is malformed, or if `receive` fails.
    pub fn inventories(
        &mut self,
        selection: &NodeSelection,
        receive: impl FnMut(Json) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let names = match selection {
            NodeSelection::Inventory(query) => {
                let extract = [json!("extract"), json!(["certname"])].into_iter().chain(query.clone());
                let extract: Vec<Json> = extract.collect();
                self.names("/inventory", json!({ "query": extract }))?
            }
            NodeSelection::Pql(query) => self.names("", json!({ "query": query }))?,
        };
        let names: Vec<String> = names.into_iter().collect();
        (self.listener)(PuppetDbEvent::Selected(names.len()));
        let whole = match selection {
            NodeSelection::Inventory(Some(query)) if names.len() > PAGE => Some(json!({ "query": query })),
            NodeSelection::Inventory(None) if names.len() > PAGE => Some(json!({})),
            _ => None,
        };
        let (rows, received) = mpsc::sync_channel(PAGE);
        // The server answers while rows are received.
        thread::scope(|scope| {
            let sender = RowSender { names: &names, rows, seen: BTreeSet::new() };
            let requests = scope.spawn(|| self.send_inventories(whole, sender));
            received.into_iter().try_for_each(receive)?;
            requests.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Passes the exported resources of each node that has some to `receive`, with the name of the node.
    ///
    /// # Errors
    /// Fails if no server answers, if a reply is malformed, or if `receive` fails.
    pub fn exported_resources(
        &mut self,
        mut receive: impl FnMut(&str, Vec<Json>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let exported = json!(["=", "exported", true]);
        let extract = json!(["extract", ["certname"], exported, ["group_by", "certname"]]);
        let names: Vec<String> = self.names("/resources", json!({ "query": extract }))?.into_iter().collect();
        for names in names.chunks(PAGE) {
            let query = json!(["and", exported, ["in", "certname", ["array", names]]]);
            let order = ["certname", "type", "title"].map(|field| json!({ "field": field, "order": "asc" }));
            let body = json!({ "query": query, "order_by": order });
            let mut found: BTreeMap<String, BTreeMap<(String, String), Json>> = BTreeMap::new();
            let take = |row: Json| {
                let text = |key: &str| row[key].as_str().map(str::to_owned);
                let texts = (text("certname"), text("type"), text("title"));
                let (Some(certname), Some(kind), Some(title)) = texts else {
                    bail!("a resource of PuppetDB has no `certname`, `type` or `title`")
                };
                // After a failure in the middle, a row may arrive again.
                found.entry(certname).or_default().insert((kind, title), row);
                Ok(())
            };
            self.request("/resources", &body, take).map_err(into_error)?;
            for (certname, resources) in found {
                receive(&certname, resources.into_values().collect())?;
            }
        }
        Ok(())
    }

    /// Returns the distinct names of nodes that a query returns.
    fn names(&mut self, path: &str, body: Json) -> anyhow::Result<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        let take = |row: Json| {
            let name = row["certname"].as_str().context("the query must return `certname`")?;
            names.insert(name.to_owned());
            Ok(())
        };
        self.request(path, &body, take).map_err(into_error)?;
        Ok(names)
    }

    /// Requests the inventories of the nodes of a sender: with the request `whole`, then of those that are left by name.
    fn send_inventories(&mut self, whole: Option<Json>, mut sender: RowSender<'_>) -> anyhow::Result<()> {
        if let Some(body) = whole {
            let url = self.connection.urls[self.current].clone();
            match self.send(&url, "/inventory", &body, |row| sender.send(row)) {
                Ok(()) => {}
                Err(RequestError::Transient(error)) => {
                    let failure = format!("{}: {error:#}", shown_url(&url));
                    (self.listener)(PuppetDbEvent::Retrying { failure, delay: Duration::ZERO });
                }
                Err(error) => return Err(into_error(error)),
            }
        }
        let names: Vec<String> = sender.left().into_iter().cloned().collect();
        for names in names.chunks(PAGE) {
            let body = page_request(json!(["in", "certname", ["array", names]]), PAGE);
            self.request("/inventory", &body, |row| sender.send(row)).map_err(into_error)?;
        }
        let without: Vec<String> = sender.left().into_iter().cloned().collect();
        if !without.is_empty() {
            (self.listener)(PuppetDbEvent::WithoutFacts(without));
        }
        Ok(())
    }

    /// Sends a request until a server answers it completely. After a failure in the middle, rows arrive again.
    fn request(
        &mut self,
        path: &str,
        body: &Json,
        mut receive: impl FnMut(Json) -> anyhow::Result<()>,
    ) -> Result<(), RequestError> {
        let servers = self.connection.urls.len();
        let mut failures = Vec::new();
        let mut delay = self.delay;
        let attempts = if self.has_answered { ATTEMPTS_AFTER_ANSWER } else { ATTEMPTS };
        for attempt in 0..attempts {
            if attempt > 0 {
                let failure = last_failures(&failures, servers);
                (self.listener)(PuppetDbEvent::Retrying { failure, delay });
                thread::sleep(delay);
                delay = (delay * 2).min(self.delay * MAX_DELAY_FACTOR);
            }
            for _ in 0..servers {
                let url = self.connection.urls[self.current].clone();
                match self.send(&url, path, body, &mut receive) {
                    Ok(()) => {
                        self.has_answered = true;
                        return Ok(());
                    }
                    Err(RequestError::Transient(error)) => {
                        failures.push(format!("{}: {error:#}", shown_url(&url)));
                        self.current = (self.current + 1) % servers;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Err(RequestError::Transient(anyhow::anyhow!(
            "PuppetDB did not answer after {attempts} attempts\n{}",
            last_failures(&failures, servers)
        )))
    }

    fn send(
        &self,
        url: &str,
        path: &str,
        body: &Json,
        receive: impl FnMut(Json) -> anyhow::Result<()>,
    ) -> Result<(), RequestError> {
        let transient = |error: ureq::Error| RequestError::Transient(explained(error));
        let address = format!("{}/pdb/query/v4{path}", url.trim_end_matches('/'));
        let mut request = self.agent.post(&address).header("Content-Type", "application/json");
        if let Some(token) = &self.connection.token {
            request = request.header(TOKEN_HEADER, token);
        }
        let response = request.send(body.to_string()).map_err(transient)?;
        let status = response.status().as_u16();
        let mut reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        if status == 200 {
            return rows(&mut reader, receive);
        }
        let mut message = String::new();
        let _ = reader.take(2_000).read_to_string(&mut message);
        let message = message.lines().next().unwrap_or_default().trim().to_owned();
        let message = match status {
            401 | 403 => format!("PuppetDB denies access (status {status}): {message}"),
            404 => format!("`{}` is not a PuppetDB (status 404)", shown_url(url)),
            _ => format!("PuppetDB replied with status {status}: {message}"),
        };
        match status {
            400 => Err(RequestError::Refused(message)),
            408 | 429 | 500..=599 => Err(RequestError::Transient(anyhow::anyhow!(message))),
            _ => Err(RequestError::Fatal(anyhow::anyhow!(message))),
        }
    }
}

fn into_error(error: RequestError) -> anyhow::Error {
    match error {
        RequestError::Refused(message) => anyhow::anyhow!(message),
        RequestError::Transient(error) | RequestError::Fatal(error) => error,
    }
}

/// Returns the cause of an error, with advice if TLS is the reason.
fn explained(error: ureq::Error) -> anyhow::Error {
    let text = error.to_string();
    let cause = text.strip_prefix("io: ").unwrap_or(&text);
    let lowercase = cause.to_lowercase();
    if lowercase.contains("certificate") || lowercase.contains("unknownissuer") {
        anyhow::anyhow!(
            "TLS fails: {cause}\nhelp: name the CA with `--cacert`, and the client certificate with `--cert` and `--key`"
        )
    } else if cause.contains("InvalidContentType") {
        anyhow::anyhow!("the server does not use TLS\nhelp: the address may have to begin with `http://`")
    } else {
        anyhow::Error::new(error)
    }
}

/// Returns an address without credentials.
fn shown_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let authority = rest.split('/').next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{}", &rest[authority.len()..]),
        None => url.to_owned(),
    }
}

fn page_request(query: Json, limit: usize) -> Json {
    json!({ "query": query, "order_by": [{ "field": "certname", "order": "asc" }], "limit": limit })
}

/// Joins queries.
pub fn all_of(one: Option<Json>, other: Option<Json>) -> Option<Json> {
    match (one, other) {
        (Some(one), Some(other)) => Some(json!(["and", one, other])),
        (one, other) => one.or(other),
    }
}

/// Parses a selection: a name, `re:REGEX`, `C:CLASS` or `R:TYPE[TITLE]`.
///
/// # Errors
/// Fails if a reference is malformed.
pub fn selector(text: &str) -> Result<Json, String> {
    let of_resource = |kind: &str, title: &str| {
        let resources = json!(["and", ["=", "type", capitalized(kind)], ["=", "title", title]]);
        json!(["in", "certname", ["extract", "certname", ["select_resources", resources]]])
    };
    if let Some(pattern) = text.strip_prefix("re:") {
        return Ok(json!(["~", "certname", pattern]));
    }
    if let Some(class) = text.strip_prefix("C:") {
        return Ok(of_resource("class", &capitalized(class)));
    }
    if let Some(resource) = text.strip_prefix("R:") {
        let parts = resource.strip_suffix(']').and_then(|it| it.split_once('['));
        let (kind, title) = parts.ok_or("expected `R:Type[title]`")?;
        let title = title.trim_matches(['\'', '"']);
        let is_class = kind.eq_ignore_ascii_case("class");
        return Ok(of_resource(kind, &if is_class { capitalized(title) } else { title.to_owned() }));
    }
    Ok(json!(["=", "certname", text]))
}

/// Returns a name with each segment capitalized, as PuppetDB stores types and classes.
fn capitalized(name: &str) -> String {
    let segments = name.trim_start_matches("::").split("::").map(|segment| {
        let mut rest = segment.chars();
        rest.next().map(|first| first.to_uppercase().chain(rest).collect::<String>()).unwrap_or_default()
    });
    segments.collect::<Vec<_>>().join("::")
}

/// Parses an array while it arrives.
fn rows(reader: &mut impl Read, receive: impl FnMut(Json) -> anyhow::Result<()>) -> Result<(), RequestError> {
    let mut failure = None;
    let (of_row, last) = (Cell::new(MAX_ROW), RefCell::new(None));
    let mut limited = LimitedRows { reader, left: MAX_LINE, of_row: &of_row };
    let mut stream =
        serde_json::Deserializer::from_reader(io::BufReader::with_capacity(1 << 16, &mut limited));
    let visitor = RowVisitor { receive, failure: &mut failure, of_row: &of_row, last: &last };
    let result = (&mut stream).deserialize_seq(visitor).and_then(|()| stream.end());
    match (failure, result) {
        (Some(failure), _) => Err(RequestError::Fatal(failure)),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) if error.is_io() && error.to_string().contains(TOO_LONG) => {
            Err(RequestError::Fatal(anyhow::anyhow!("{TOO_LONG}: {MAX_LINE} bytes")))
        }
        (None, Err(error)) if error.is_io() && error.to_string().contains(TOO_LARGE) => {
            let last = last.into_inner();
            let place = last.map(|node| format!(", which follows `{node}`")).unwrap_or_default();
            Err(RequestError::Fatal(anyhow::anyhow!("{TOO_LARGE}: {MAX_ROW} bytes{place}")))
        }
        (None, Err(error)) => Err(RequestError::Transient(
            anyhow::Error::new(error).context("the reply of PuppetDB is incomplete or not JSON"),
        )),
    }
}

const TOO_LONG: &str = "a page of PuppetDB exceeds the limit";

const TOO_LARGE: &str = "the data of a node in PuppetDB exceeds the limit";

/// Reader with limits.
struct LimitedRows<'r, R> {
    reader: &'r mut R,
    /// Bytes that are left of the page.
    left: usize,
    /// Bytes that are left of the row.
    of_row: &'r Cell<usize>,
}

impl<R: Read> Read for LimitedRows<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(count).ok_or_else(|| io::Error::other(TOO_LONG))?;
        let of_row = self.of_row.get().checked_sub(count).ok_or_else(|| io::Error::other(TOO_LARGE))?;
        self.of_row.set(of_row);
        Ok(count)
    }
}

/// Visitor that passes on each element of an array.
struct RowVisitor<'f, F> {
    receive: F,
    failure: &'f mut Option<anyhow::Error>,
    of_row: &'f Cell<usize>,
    /// Name of the last node.
    last: &'f RefCell<Option<String>>,
}

impl<'de, F: FnMut(Json) -> anyhow::Result<()>> Visitor<'de> for RowVisitor<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut rows: A) -> Result<(), A::Error> {
        while let Some(row) = rows.next_element_seed(AnyJson)? {
            self.of_row.set(MAX_ROW);
            *self.last.borrow_mut() = row["certname"].as_str().map(str::to_owned);
            if let ControlFlow::Break(failure) = received((self.receive)(row)) {
                *self.failure = Some(failure);
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

fn received(result: anyhow::Result<()>) -> ControlFlow<anyhow::Error> {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    }
}

struct AnyJson;

impl<'de> DeserializeSeed<'de> for AnyJson {
    type Value = Json;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        serde::Deserialize::deserialize(deserializer)
    }
}

fn certificates(path: &PathBuf) -> anyhow::Result<Vec<Certificate<'static>>> {
    let pem = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let found: Vec<Certificate<'static>> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    ensure!(!found.is_empty(), "`{}` has no certificate in PEM format", path.display());
    Ok(found)
}

/// Fails if a key does not belong to a certificate, or if one of them is malformed.
fn ensure_pair(chain: &[Certificate<'static>], key: &PrivateKey<'static>) -> anyhow::Result<()> {
    let chain = chain.iter().map(|it| CertificateDer::from(it.der().to_vec())).collect();
    let key = PrivateKeyDer::try_from(key.der().to_vec()).map_err(|error| anyhow::anyhow!("{error}"))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty());
    config.with_client_auth_cert(chain, key)?;
    Ok(())
}

fn private_key(path: &PathBuf) -> anyhow::Result<PrivateKey<'static>> {
    let pem = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    PrivateKey::from_pem(&pem)
        .with_context(|| format!("`{}` has no private key in PEM format", path.display()))
}
