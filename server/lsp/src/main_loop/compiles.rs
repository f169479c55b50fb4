//! Scheduling of compiles, which run when nothing else does.

use std::sync::Arc;

use ide::{CancellationToken, Cancelled, FilePath, PlatformClass, PlatformValues};
use lsp_types::MessageType;

use super::client::ClientHandle;
use super::documents::NamedDocument;
use super::events::{Events, LoopEvent, Work};
use super::jobs::{Jobs, Threads};
use super::progress::{CancelButton, Progress};
use crate::documents::Document;
use crate::panics;
use crate::publish::{self, Round};
use crate::reads::{Attempt, ClosedDiagnostics, KnownPlatformValues, Snapshot};

/// Compiles of the classes around the open files, and their results.
pub(super) struct Compiles {
    /// True if the classes need to be compiled.
    pub(super) is_due: bool,
    /// Cancels the compiles started last.
    running: Option<CancellationToken>,
    /// Number of threads that compile in parallel.
    threads: usize,
    /// Diagnostics of the last compiles in files that are not open.
    pub(super) closed_diagnostics: ClosedDiagnostics,
}

impl Compiles {
    /// Uses the threads of a machine with a number of cores.
    pub(super) fn new(cores: usize) -> Compiles {
        Compiles {
            is_due: false,
            running: None,
            // Leave a core for editing; with only two cores, the scheduler shares them.
            threads: cores.saturating_sub(1).max(cores.min(2)),
            closed_diagnostics: ClosedDiagnostics::default(),
        }
    }

    /// Cancels running compiles on behalf of the user.
    pub(super) fn cancel(&mut self) {
        self.running.take().iter().for_each(CancellationToken::cancel);
    }

    /// Starts to compile the classes of the modules of `documents`.
    pub(super) fn start(
        &mut self,
        documents: Vec<NamedDocument>,
        snapshot: Snapshot,
        client: &ClientHandle,
        jobs: &mut Jobs,
    ) {
        let cancellation = snapshot.analysis.cancellation_token();
        self.running = Some(cancellation.clone());
        let job =
            CompileJob { documents, snapshot, threads: self.threads, client: client.clone(), cancellation };
        jobs.run(Threads::Catalogs, Work::Other, move |events| job.run(events));
    }
}

/// A run of compiles.
struct CompileJob {
    documents: Vec<NamedDocument>,
    snapshot: Snapshot,
    threads: usize,
    client: ClientHandle,
    /// Cancels the run on behalf of the user.
    cancellation: CancellationToken,
}

impl CompileJob {
    fn run(self, events: &Events) {
        let progress = Progress::start(&self.client, "Compiling classes", CancelButton::Shown);
        let mut has_new_classes = false;
        let is_done = self.documents.iter().all(|(path, document)| {
            progress.report(path.file_name().to_owned());
            let classes = self.compile(path, document);
            has_new_classes |= classes.unwrap_or_default();
            classes.is_some()
        });
        let CompileJob { documents, snapshot, client, cancellation, .. } = self;
        let closed = || publish::closed_diagnostics(&documents, &snapshot, &client.outbox);
        let closed = is_done.then(closed).flatten();
        drop(snapshot);
        match closed {
            // The user has canceled it; the next save starts it again.
            _ if cancellation.is_cancelled() => {}
            Some(found) => events.send(LoopEvent::Compiled(found)),
            None => events.send(LoopEvent::RetryCompile),
        }
        if has_new_classes {
            client.refresh_code_lenses();
        }
    }

    /// Compiles the classes around a document, and publishes what is found. Returns whether results of its
    /// classes have changed; `None` if a write is pending.
    fn compile(&self, path: &FilePath, document: &Document) -> Option<bool> {
        let (snapshot, outbox) = (&self.snapshot, &self.client.outbox);
        let _work = snapshot.last_work.on(document.digest());
        let mut attempt = publish::compile_ahead(path, snapshot, self.threads, outbox);
        if attempt == Attempt::Done {
            attempt = publish::publish(path, document, snapshot, Round::Catalogs, outbox);
        }
        match attempt {
            Attempt::Done => publish::record_classes(path, document, snapshot, outbox),
            Attempt::WritePending => None,
        }
    }
}

/// Values of classes by platform, computed on demand.
#[derive(Default)]
pub(super) struct PlatformValueCache {
    /// Counter that is incremented by every change.
    revision: u64,
    /// Values in this revision.
    pub(super) known: KnownPlatformValues,
    /// Classes still to be computed.
    wanted: Vec<PlatformClass>,
}

impl PlatformValueCache {
    /// Drops all values, after a change.
    pub(super) fn invalidate(&mut self) {
        self.revision += 1;
        self.known = KnownPlatformValues::default();
    }

    pub(super) fn request(&mut self, class: PlatformClass) {
        self.wanted.push(class);
    }

    /// Records the values of a class, or requests them again if they are outdated.
    pub(super) fn record(&mut self, class: PlatformClass, values: PlatformValues, revision: u64) {
        if revision == self.revision {
            Arc::make_mut(&mut self.known).insert(class, values.into());
        } else {
            self.request(class);
        }
    }

    /// Returns a class to compute, the one requested last.
    pub(super) fn next(&mut self) -> Option<PlatformClass> {
        self.wanted.retain(|class| !self.known.contains_key(class));
        self.wanted.pop()
    }

    /// Starts to compile a class for each platform.
    pub(super) fn start(
        &self,
        class: PlatformClass,
        snapshot: Snapshot,
        client: &ClientHandle,
        jobs: &mut Jobs,
    ) {
        let (revision, outbox) = (self.revision, client.outbox.clone());
        jobs.run(Threads::Catalogs, Work::Other, move |events| {
            match panics::catch(|| snapshot.analysis.platform_values(class)) {
                Ok(Ok(values)) => events.send(LoopEvent::PlatformValues { class, values, revision }),
                Ok(Err(Cancelled::PendingWrite)) => events.send(LoopEvent::ComputePlatformValues(class)),
                Ok(Err(Cancelled::Local)) => {}
                Err(report) => {
                    outbox
                        .log(MessageType::Error, format!("internal error while compiling a class: {report}"));
                }
            }
        });
    }
}

#[cfg(test)]
#[path = "compiles_tests.rs"]
mod tests;
