//! A context for tests of single parts of the main loop.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use disk::config::Config;
use ide::{AnalysisHost, FilePath};

use super::changes::{NextRevision, PendingChanges};
use super::client::ClientHandle;
use super::context::LoopContext;
use super::events::{Events, LoopEvent, PendingDiagnostics};
use super::jobs::Jobs;
use crate::connection::transport::WeakOutput;
use crate::documents::{Document, OpenDocuments};
use crate::outbox::{self, Delivery};

/// Time after which a test fails instead of waiting on.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A context without a main loop; the test receives the events.
pub(super) struct TestContext {
    pub(super) ctx: LoopContext,
    pub(super) events: Receiver<LoopEvent>,
    /// Keeps the queue of messages to the client open.
    _delivery: Delivery,
}

impl TestContext {
    pub(super) fn new() -> TestContext {
        let (outbox, delivery) = outbox::new(WeakOutput::default());
        let (events, receiver) = Events::new();
        let ctx = LoopContext {
            host: AnalysisHost::new(),
            later: None,
            changes: PendingChanges::default(),
            config: Config::default(),
            client: ClientHandle { outbox, features: Arc::default() },
            jobs: Jobs::new(events, 2),
            last_work: Arc::default(),
        };
        TestContext { ctx, events: receiver, _delivery: delivery }
    }

    /// Waits for all started work to end. Returns the other events until then.
    pub(super) fn until_idle(&mut self) -> Vec<LoopEvent> {
        let mut others = Vec::new();
        while !self.ctx.jobs.is_idle() {
            match self.events.recv_timeout(PATIENCE).expect("work ends") {
                LoopEvent::Finished(work) => self.ctx.jobs.finished(work),
                other => others.push(other),
            }
        }
        others
    }

    /// Takes the pending changes. Returns what they affect; `None` if there are none.
    pub(super) fn affected(&mut self) -> Option<PendingDiagnostics> {
        match self.ctx.changes.take()? {
            NextRevision::Changed { affected, .. } => Some(affected),
            NextRevision::Unnoticed(_) => None,
        }
    }
}

pub(super) fn file_path(path: &str) -> FilePath {
    FilePath::from_native(path).expect("an absolute path")
}

/// Opens a document in a table.
pub(super) fn open(documents: &OpenDocuments, path: &FilePath, text: &str) -> Arc<Document> {
    let uri = path.to_uri().parse().expect("a URI");
    documents.open(path.clone(), uri, 1, text.to_owned()).0
}
