//! The language server.
//!
//! ```text
//! client -- transport -- handlers --event--> main loop --snapshot--> pools
//!                 \<-------------------------------------- bytes ---/
//!                 \<----- outbox <----------- tasks ---/------------/
//! ```
//!
//! **One thread owns the database.** Handlers send an event to the main loop and await the answer; the main
//! loop applies edits in order, several as one revision, hands out snapshots, and never computes. Reads run
//! on an interactive pool, diagnostics of open files on one thread, disk reads on another. Compiles run on
//! separate threads when nothing else is pending; **only requests for catalogs, and inlay hints by platform,
//! compile for their answers, and no timer decides one**. Lenses, hovers and workspace diagnostics show the
//! results of the last compiles.
//!
//! * `connection`: everything between the client's bytes and the handlers, including recording and replay.
//! * `documents`: open documents, shared by all threads. Text, version and lines of a document belong
//!   together. **The table states what the client sent, never what the analysis knows.**
//! * `handlers`: one file per feature: parameters, a call to `ide`, conversion of the answer. **No other
//!   module uses them**; the crate's root registers them.
//! * `typing`: diagnostics that are withheld while the user types.
//! * `publish`, `published_diagnostic`: diagnostics by tier. Until a file is evaluated again, diagnostics
//!   outside of the edit are kept and moved.
//! * `convert` is the only place where positions, ranges and URIs are converted.
//! * `reads`: jobs on snapshots, and their cancellation. **Jobs that read files hold no snapshot**, since a
//!   write would wait for it. A panic fails one request.
//!
//! See `docs/decisions/transport.md`.

mod clock;
mod connection;
mod convert;
mod diagnostic_payload;
mod documents;
mod features;
mod handlers;
mod last_reports;
mod logging;
mod main_loop;
mod outbox;
mod panics;
mod publish;
mod published_diagnostic;
mod reads;
mod semantic_tokens;
mod server;
mod server_commands;
mod typing;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;

use disk::last_work::LastWork;

use clock::Clock;
pub use clock::ManualClock;
use connection::{ConnectionState, recording, replay, stdio, transport};
pub(crate) use documents::ContentChange;
pub(crate) use features::{SHOW_CATALOG, SHOW_GRAPH, SHOW_REFERENCES};
pub(crate) use main_loop::Write;
pub(crate) use reads::{RequestFile, Snapshot};
pub(crate) use server::Server;

/// Options of the language server.
#[derive(Clone, Debug, Default)]
pub struct LspOptions {
    /// Log filter for stderr: a level or a list of `tracing` directives. Defaults to the environment variable
    /// `PUPPET_ANALYZER_LOG`, then to `warn`.
    pub log: Option<String>,
    /// Output file for a Chrome trace of the session.
    pub profile: Option<PathBuf>,
    /// Output file for a recording of the session's messages.
    pub record: Option<PathBuf>,
}

/// Serves one client on stdin and stdout until it sends `exit` or disconnects. The exit code is 0 if it sent
/// `shutdown` before, otherwise 1.
pub fn run(options: &LspOptions) -> anyhow::Result<ExitCode> {
    let _logging = logging::set_up(options.log.as_deref(), options.profile.as_deref())?;
    panics::install_hook();
    let record = options.record.as_deref();
    let runtime = runtime()?;
    let last_work = Arc::new(last_work());
    let clock = Clock::system();
    let ended_well =
        runtime.block_on(serve_with(stdio::input()?, stdio::output()?, record, last_work, clock));
    Ok(if ended_well? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Replays the client's side of a session recorded with [`LspOptions::record`] against a fresh server, and
/// prints the server's messages to stdout, one per line.
pub fn replay(file: &Path) -> anyhow::Result<ExitCode> {
    let _logging = logging::set_up(None, None)?;
    panics::install_hook();
    replay::replay(file, &mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of messages in `bytes`, read as a client's stream and as a recording, up to the first
/// invalid one. For fuzzing.
pub fn messages_in(bytes: &[u8]) -> (usize, usize) {
    let mut stream = bytes;
    let frames = std::iter::from_fn(|| connection::transport::read_frame(&mut stream).ok().flatten());
    let frames = frames.filter(|frame| serde_json::from_slice::<serde_json::Value>(frame).is_ok()).count();
    let recorded = connection::recording::read_lines(bytes, "bytes").map_or(0, |it| it.len());
    (frames, recorded)
}

/// Opens the crash notes that servers of this user leave for each other; empty if there is no cache folder.
fn last_work() -> LastWork {
    let Some(folder) = disk::last_work::cache_folder() else { return LastWork::default() };
    LastWork::start(&folder).unwrap_or_else(|error| {
        tracing::warn!("cannot record crash notes in {}: {error}", folder.display());
        LastWork::default()
    })
}

/// Serves one client. Returns whether the session ended cleanly, with `shutdown` before the end.
pub async fn serve(
    input: impl Read + Send + 'static,
    output: impl io::Write + Send + 'static,
    record: Option<&Path>,
) -> anyhow::Result<bool> {
    serve_with(input, output, record, Arc::default(), Clock::system()).await
}

/// Serves one client like [`serve`], with a clock that the caller advances. For tests.
pub async fn serve_at(
    input: impl Read + Send + 'static,
    output: impl io::Write + Send + 'static,
    clock: &ManualClock,
) -> anyhow::Result<bool> {
    serve_with(input, output, None, Arc::default(), Clock::Manual(clock.clone())).await
}

async fn serve_with(
    input: impl Read + Send + 'static,
    output: impl io::Write + Send + 'static,
    record: Option<&Path>,
    last_work: Arc<LastWork>,
    clock: Clock,
) -> anyhow::Result<bool> {
    let recorder = record.map(recording::MessageRecorder::create).transpose()?;
    let (output, written) =
        transport::Output::start(output, recorder).context("cannot start the writer thread")?;
    let (outbox, delivery) = outbox::new(output.downgrade());
    let documents = documents::OpenDocuments::default();
    let started = main_loop::start(outbox, documents.clone(), last_work.clone(), clock);
    let events = started.context("cannot start the main loop")?;
    let session = Arc::new(ConnectionState { last_work: last_work.clone(), ..ConnectionState::default() });
    let (service, socket, client) =
        Server::service(events.clone(), documents, session.clone(), handlers::register);
    let delivery = tokio::spawn(delivery.run(client));
    let served = transport::serve(input, service, socket, &session, output, written).await;
    last_work.end();
    events.send(main_loop::LoopEvent::Stop);
    delivery.abort();
    served.context("cannot start the reader thread")?;
    Ok(session.ended_well())
}

/// Builds a single-threaded runtime, which is enough for the handlers: the actual work runs elsewhere.
fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_time().build().context("cannot start the runtime")
}
