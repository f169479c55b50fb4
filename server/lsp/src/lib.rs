//! The language server: what it is made of, and how it starts and ends.
//!
//! ```text
//! client -- transport -- handlers --event--> main loop --snapshot--> pools
//!                 \<-------------------------------------- bytes ---/
//!                 \<----- outbox <--------- letters ---/------------/
//! ```

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

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;

use disk::last_work::LastWork;

use connection::{ConnectionState, recording, replay, stdio, transport};
pub(crate) use documents::ContentChange;
pub(crate) use features::{SHOW_CATALOG, SHOW_GRAPH, SHOW_REFERENCES};
pub(crate) use main_loop::Write;
pub(crate) use reads::{RequestFile, Snapshot};
pub(crate) use server::Server;

/// How to run the language server.
#[derive(Clone, Debug, Default)]
pub struct LspOptions {
    /// What is logged to stderr: a level, or directives as `tracing` knows them. Without one the environment variable
    /// `PUPPET_ANALYZER_LOG` counts, then `warn`.
    pub log: Option<String>,
    /// Where to write a Chrome trace of the session.
    pub profile: Option<PathBuf>,
    /// Where to record the messages of the session.
    pub record: Option<PathBuf>,
}

/// Serves one client on stdin and stdout until it says `exit` or goes away. The exit code is 0 when it asked for
/// `shutdown` before, else 1.
pub fn run(options: &LspOptions) -> anyhow::Result<ExitCode> {
    let _logging = logging::set_up(options.log.as_deref(), options.profile.as_deref())?;
    panics::install_hook();
    let record = options.record.as_deref();
    let runtime = runtime()?;
    let last_work = Arc::new(last_work());
    let ended_well = runtime.block_on(serve_with(stdio::input()?, stdio::output()?, record, last_work));
    Ok(if ended_well? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Plays the client's side of a session that was recorded with [`LspOptions::record`] against a fresh server, and
/// prints what that says to stdout, one message a line.
pub fn replay(file: &Path) -> anyhow::Result<ExitCode> {
    let _logging = logging::set_up(None, None)?;
    panics::install_hook();
    replay::replay(file, &mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// How many messages bytes hold, read as a client's stream and as a recording, up to what is none. For fuzzing.
pub fn messages_in(bytes: &[u8]) -> (usize, usize) {
    let mut stream = bytes;
    let frames = std::iter::from_fn(|| connection::transport::read_frame(&mut stream).ok().flatten());
    let frames = frames.filter(|frame| serde_json::from_slice::<serde_json::Value>(frame).is_ok()).count();
    let recorded = connection::recording::read_lines(bytes, "bytes").map_or(0, |it| it.len());
    (frames, recorded)
}

/// The notes that servers of this user leave for each other; none where there is no place for them.
fn last_work() -> LastWork {
    let Some(folder) = disk::last_work::cache_folder() else { return LastWork::default() };
    LastWork::start(&folder).unwrap_or_else(|error| {
        tracing::warn!("no notes are taken of what is worked on: {}: {error}", folder.display());
        LastWork::default()
    })
}

/// Serves one client. Returns whether it said goodbye: `shutdown` before the end.
pub async fn serve(
    input: impl Read + Send + 'static,
    output: impl io::Write + Send + 'static,
    record: Option<&Path>,
) -> anyhow::Result<bool> {
    serve_with(input, output, record, Arc::default()).await
}

async fn serve_with(
    input: impl Read + Send + 'static,
    output: impl io::Write + Send + 'static,
    record: Option<&Path>,
    last_work: Arc<LastWork>,
) -> anyhow::Result<bool> {
    let recorder = record.map(recording::MessageRecorder::create).transpose()?;
    let (output, written) = transport::Output::start(output, recorder).context("cannot start to write")?;
    let (outbox, delivery) = outbox::new(output.downgrade());
    let documents = documents::OpenDocuments::default();
    let started = main_loop::start(outbox, documents.clone(), last_work.clone());
    let events = started.context("cannot start the main loop")?;
    let session = Arc::new(ConnectionState { last_work: last_work.clone(), ..ConnectionState::default() });
    let (service, socket, client) =
        Server::service(events.clone(), documents, session.clone(), handlers::register);
    let delivery = tokio::spawn(delivery.run(client));
    let served = transport::serve(input, service, socket, &session, output, written).await;
    last_work.end();
    events.send(main_loop::LoopEvent::Stop);
    delivery.abort();
    served.context("cannot start to read")?;
    Ok(session.ended_well())
}

/// One thread is enough for what handlers do; the work is done elsewhere.
fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_time().build().context("cannot start the runtime")
}
