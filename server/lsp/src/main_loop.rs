//! The thread that owns the database. Handlers send it events; it applies writes in order, several at a time
//! as one revision, and hands each read a snapshot to run with in a thread pool. It never computes anything
//! itself.

mod client_requests;
mod folders;
mod pool;
mod progress;
mod settings;
mod settings_file;
mod typing_state;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};

use disk::config::{self, Config, ConfigLayers};
use disk::last_work::LastWork;
use disk::{StopFlag, TrustedFolders};
use ide::{
    AnalysisHost, CancellationToken, Cancelled, ChangeBatch, DiskState, FilePath, InstalledFolder,
    PlatformClass, PlatformValues,
};
use lsp_types::{FileChangeType, MessageType};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::Error;

use super::clock::Clock;
use super::documents::{Document, OpenDocuments};
use super::features::ClientFeatures;
use super::outbox::Outbox;
use super::publish::Round;
use super::reads::{Attempt, ClosedDiagnostics, KnownPlatformValues, Read, Snapshot};
use super::typing::Typing;
use super::{convert, panics, publish};
use pool::{Pool, STACK_SIZE};
use progress::{CancelButton, Progress};
use watch::FolderWatcher;

/// An event for the main loop.
pub(super) enum LoopEvent {
    Write(Write),
    Read(Box<dyn Read>),
    /// Retry of a read that was cancelled by a write, with the document that its positions refer to.
    RetryRead {
        read: Box<dyn Read>,
        document: Option<Arc<Document>>,
    },
    /// Retry of diagnostics whose publication was cancelled by a write.
    RetryPublish(PendingDiagnostics),
    /// Compiles were cancelled by a write.
    RetryCompile,
    /// The user cancels running compiles.
    CancelCompile,
    /// Compiles are done; carries their diagnostics in files that are not open.
    Compiled(ClosedDiagnostics),
    /// Request for the values of a class by platform.
    ComputePlatformValues(PlatformClass),
    /// Computed values of a class by platform, with the revision they are valid for.
    PlatformValues {
        class: PlatformClass,
        values: PlatformValues,
        revision: u64,
    },
    /// Work that was counted by [`MainLoop::start`] has ended.
    Finished(Work),
    /// Responded to when no work is left, after publishing exactly what is found.
    WaitUntilIdle(oneshot::Sender<()>),
    /// Responded to when no work is left until the user pauses.
    WaitUntilPublished(oneshot::Sender<()>),
    /// The time has advanced.
    TimePassed,
    Stop,
}

/// Kind of a counted piece of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    /// Reads or searches folders.
    Reading,
    /// Handles a latency-sensitive request.
    LatencySensitive,
    Other,
}

/// A change of the server's state. The paths of documents are those of their URIs.
pub(crate) enum Write {
    Initialize {
        features: Arc<ClientFeatures>,
        folders: Vec<FilePath>,
        options: Option<Value>,
    },
    /// The client is ready for requests from us.
    Initialized,
    Open {
        path: FilePath,
        document: Arc<Document>,
        was_open: bool,
    },
    /// New version of a document; `None` if it is not open.
    Change {
        path: FilePath,
        document: Option<Arc<Document>>,
    },
    Close {
        path: FilePath,
    },
    Save {
        path: FilePath,
    },
    Watched(Vec<(FilePath, FileChangeType)>),
    Folders {
        added: Vec<FilePath>,
        removed: Vec<FilePath>,
    },
    /// Settings received from the client.
    ClientSettings(Value),
    /// The client's settings have changed and must be requested.
    ClientSettingsChanged(Value),
    /// Files read by a scan.
    Scanned(Vec<(FilePath, DiskState)>),
    /// Files that have changed on disk.
    Disk(Vec<(FilePath, DiskState)>),
    /// Settings files that apply to a folder.
    RootSettings {
        root: FilePath,
        files: config::RepositorySettings,
        /// The puppet-lint configuration that applies to the folder.
        puppet_lint: Box<ide::PuppetLintConfiguration>,
    },
    ScanFinished {
        root: FilePath,
        files: usize,
    },
    /// Root of the project around a file that was opened outside of all folders.
    ProjectFound(FilePath),
    /// The user trusts a folder outside of the workspace.
    FolderTrusted(FilePath),
    /// Module folders outside of the workspace: those that may be read, and those that exist but may not be
    /// read.
    ModuleFolders {
        readable: Vec<FilePath>,
        outside: Vec<FilePath>,
    },
    /// Ruby files of an installed Puppet.
    Installed(Vec<InstalledFolder>),
}

/// Sender of events. Cheap to clone.
#[derive(Clone)]
pub(super) struct Events {
    sender: Sender<LoopEvent>,
}

impl Events {
    /// Sends an event without blocking. Does nothing after the main loop has ended; pending requests notice
    /// that their sender is dropped.
    pub(super) fn send(&self, event: LoopEvent) {
        let _ = self.sender.send(event);
    }

    pub(super) fn write(&self, write: Write) {
        self.send(LoopEvent::Write(write));
    }
}

/// Methods whose result depends on missing files. They wait until folders have been read.
const DIAGNOSTIC_METHODS: [&str; 2] = ["textDocument/diagnostic", "workspace/diagnostic"];

const COMPLETION: &str = "textDocument/completion";

/// Methods that users wait for while editing. They are handled with the current state before more scanned
/// files are applied.
const LATENCY_SENSITIVE_METHODS: [&str; 4] =
    ["textDocument/hover", COMPLETION, "textDocument/signatureHelp", "textDocument/documentHighlight"];

/// Maximum number of times in a row that scanned files are delayed by such requests.
const MAX_DELAYS: u32 = 50;

struct MainLoop {
    host: AnalysisHost,
    events: Events,
    outbox: Outbox,
    features: Arc<ClientFeatures>,
    layers: ConfigLayers,
    /// Settings that the client has pushed.
    sent_settings: Value,
    config: Config,
    /// Open files with the versions that the next revision contains.
    documents: FxHashMap<FilePath, Arc<Document>>,
    /// Open files as seen by all threads; some may have newer versions.
    open_documents: OpenDocuments,
    /// Texts being worked on, recorded in case the server crashes on one.
    last_work: Arc<LastWork>,
    /// Settings files with published diagnostics.
    invalid_settings_files: FxHashSet<FilePath>,
    /// Workspace folders, with the flags that stop their scans.
    roots: BTreeMap<FilePath, StopFlag>,
    /// Module folders outside of the workspace that have been read.
    module_folders: BTreeMap<FilePath, StopFlag>,
    /// Folders that may be read from disk.
    trusted: TrustedFolders,
    /// Module folders that exist but may not be read.
    unread_folders: Vec<FilePath>,
    /// All folders that were ever refused; the user has been asked about them.
    refused_folders: FxHashSet<FilePath>,
    /// Fact files that have been read.
    fact_files: FxHashSet<FilePath>,
    /// Setting for which the files of an installed Puppet have been read.
    read_installed_puppet: Option<Option<String>>,
    /// Watcher for folders that the client does not watch.
    watcher: Option<FolderWatcher>,
    /// Scanned files, held back while latency-sensitive requests are being handled.
    scanned: Vec<(FilePath, DiskState)>,
    /// Number of times that they have been held back in a row.
    delays: u32,
    /// Number of latency-sensitive requests being handled.
    latency_sensitive_reads: usize,
    /// Changes for the next revision.
    batch: ChangeBatch,
    has_changes: bool,
    /// True if values of older revisions are still in memory.
    has_stale_values: bool,
    /// Diagnostics that may change in the next revision.
    due: PendingDiagnostics,
    /// Edits without a pause, whose incomplete statements are not reported yet.
    typing: Option<Arc<Typing>>,
    /// True after an edit, until [`LoopEvent::WaitUntilIdle`]: diagnostics that a syntax error mutes stay.
    keeps_muted: bool,
    clock: Clock,
    /// True if the classes around the open files need to be compiled.
    compile_is_due: bool,
    /// Cancels the compiles started last.
    compiling: Option<CancellationToken>,
    interactive: Pool,
    background: Pool,
    /// Single thread for the diagnostics of open files. Its jobs hold a snapshot, but end soon after a write
    /// arrives.
    diagnostics: Pool,
    /// Single thread that compiles when idle.
    catalogs: Pool,
    /// Number of threads that compile in parallel.
    compile_threads: usize,
    /// Counter that is incremented by every change, and when compiles are done.
    state: u64,
    /// Diagnostics of the last compiles in files that are not open.
    closed_diagnostics: ClosedDiagnostics,
    /// Counter that is incremented by every change.
    revision: u64,
    /// Values of classes by platform in this revision. `wanted_values` are the classes still to be computed.
    platform_values: KnownPlatformValues,
    wanted_values: Vec<PlatformClass>,
    /// Number of active pieces of work.
    active_work: usize,
    /// Number of active pieces of work that read or search folders.
    active_scans: usize,
    /// Reads that wait until all folders have been read.
    waiting_reads: Vec<Box<dyn Read>>,
    idle_waiters: Vec<oneshot::Sender<()>>,
}

/// Open files whose diagnostics must be computed.
#[derive(Clone, Default)]
pub(super) struct PendingDiagnostics {
    /// Files that need all diagnostics.
    paths: Vec<FilePath>,
    /// All open files need all diagnostics.
    everything: bool,
    /// A change may affect the other files: their names and values are checked again after those of `paths`.
    others: bool,
}

/// Starts the main loop on a separate thread.
pub(super) fn start(
    outbox: Outbox,
    open_documents: OpenDocuments,
    last_work: Arc<LastWork>,
    clock: Clock,
) -> std::io::Result<Events> {
    let (sender, receiver) = mpsc::channel();
    let events = Events { sender };
    clock.connect(&events);
    let cores = std::thread::available_parallelism().map_or(2, |it| it.get());
    let mut host = AnalysisHost::new();
    host.skip(last_work.fatal_texts());
    let main_loop = MainLoop {
        host,
        last_work,
        events: events.clone(),
        outbox,
        features: Arc::default(),
        layers: ConfigLayers::default(),
        sent_settings: Value::Null,
        config: Config::default(),
        documents: FxHashMap::default(),
        open_documents,
        invalid_settings_files: FxHashSet::default(),
        roots: BTreeMap::new(),
        module_folders: BTreeMap::new(),
        trusted: TrustedFolders::default(),
        unread_folders: Vec::new(),
        refused_folders: FxHashSet::default(),
        fact_files: FxHashSet::default(),
        read_installed_puppet: None,
        watcher: None,
        scanned: Vec::new(),
        delays: 0,
        latency_sensitive_reads: 0,
        batch: ChangeBatch::default(),
        has_changes: false,
        has_stale_values: false,
        due: PendingDiagnostics::default(),
        typing: None,
        keeps_muted: false,
        clock,
        compile_is_due: false,
        compiling: None,
        interactive: Pool::new("interactive", cores.saturating_sub(1).max(2)),
        background: Pool::new("background", 1),
        diagnostics: Pool::new("diagnostics", 1),
        catalogs: Pool::new("catalogs", 1),
        // Leave a core for editing; with only two cores, the scheduler shares them.
        compile_threads: cores.saturating_sub(1).max(cores.min(2)),
        state: 0,
        closed_diagnostics: ClosedDiagnostics::default(),
        revision: 0,
        platform_values: KnownPlatformValues::default(),
        wanted_values: Vec::new(),
        active_work: 0,
        active_scans: 0,
        waiting_reads: Vec::new(),
        idle_waiters: Vec::new(),
    };
    let builder = std::thread::Builder::new().name("main-loop".to_owned()).stack_size(STACK_SIZE);
    builder.spawn(move || main_loop.run(&receiver))?;
    Ok(events)
}

impl MainLoop {
    fn run(mut self, events: &Receiver<LoopEvent>) {
        while let Some(first) = self.next_event(events) {
            // All queued events go into the same revision, up to the next read.
            for event in std::iter::once(first).chain(events.try_iter()) {
                if matches!(event, LoopEvent::Stop) {
                    return self.stop();
                }
                self.guarded(|this| this.handle(event));
            }
            self.guarded(MainLoop::end_typing_after_pause);
            self.guarded(MainLoop::apply_scanned);
            self.guarded(MainLoop::flush);
            self.guarded(MainLoop::read_installed_when_idle);
            self.guarded(MainLoop::compute_values_when_idle);
            self.guarded(MainLoop::compile_when_idle);
            self.guarded(MainLoop::evict_when_idle);
            self.answer_idle_waiters();
        }
    }

    /// Waits for the next event, or until the user has paused. Returns `None` once nothing can send one.
    fn next_event(&self, events: &Receiver<LoopEvent>) -> Option<LoopEvent> {
        let deadline = self.typing.as_ref().and_then(|it| self.clock.until(it.deadline));
        let Some(timeout) = deadline else { return events.recv().ok() };
        match events.recv_timeout(timeout) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => Some(LoopEvent::TimePassed),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn stop(self) {
        self.roots.values().chain(self.module_folders.values()).for_each(StopFlag::stop);
    }

    /// Catches panics, which would end the whole server; only the event that caused one is lost.
    fn guarded(&mut self, run: impl FnOnce(&mut MainLoop)) {
        if let Err(report) = panics::catch(|| run(self)) {
            self.outbox.log(MessageType::Error, format!("internal error in the main loop: {report}"));
        }
    }

    fn handle(&mut self, event: LoopEvent) {
        self.host.reset_cancelled();
        match event {
            LoopEvent::Write(write) => self.write(write),
            LoopEvent::Read(read) => self.read(read),
            LoopEvent::RetryRead { read, document } => self.retry_read(read, document),
            LoopEvent::RetryPublish(due) => {
                self.due.paths.extend(due.paths);
                self.due.everything |= due.everything;
                self.due.others |= due.others;
            }
            LoopEvent::RetryCompile => self.compile_is_due = true,
            LoopEvent::CancelCompile => self.compiling.take().iter().for_each(CancellationToken::cancel),
            LoopEvent::Compiled(found) => {
                self.closed_diagnostics = found;
                self.state += 1;
                if self.features.pulls_diagnostics {
                    client_requests::refresh_diagnostics(&self.outbox);
                }
            }
            LoopEvent::ComputePlatformValues(class) => self.wanted_values.push(class),
            LoopEvent::PlatformValues { class, values, revision } if revision == self.revision => {
                Arc::make_mut(&mut self.platform_values).insert(class, values.into());
            }
            LoopEvent::PlatformValues { class, .. } => self.wanted_values.push(class),
            LoopEvent::Finished(work) => {
                self.active_work -= 1;
                match work {
                    Work::Reading => {
                        self.active_scans -= 1;
                        self.apply_all_scanned();
                        // Missing files may exist now.
                        self.due.everything = true;
                        self.waiting_reads.drain(..).for_each(|read| self.events.send(LoopEvent::Read(read)));
                    }
                    Work::LatencySensitive => self.latency_sensitive_reads -= 1,
                    Work::Other => {}
                }
            }
            LoopEvent::WaitUntilIdle(waiter) => {
                self.end_editing();
                self.idle_waiters.push(waiter);
            }
            LoopEvent::WaitUntilPublished(waiter) => self.idle_waiters.push(waiter),
            LoopEvent::TimePassed | LoopEvent::Stop => {}
        }
    }

    /// Applies scanned files, unless this would cancel a latency-sensitive request.
    fn apply_scanned(&mut self) {
        if self.latency_sensitive_reads > 0 && !self.scanned.is_empty() && self.delays < MAX_DELAYS {
            self.delays += 1;
        } else {
            self.apply_all_scanned();
        }
    }

    fn apply_all_scanned(&mut self) {
        self.delays = 0;
        if !self.scanned.is_empty() {
            self.batch.disk.append(&mut self.scanned);
            self.has_changes = true;
        }
    }

    /// Applies all pending writes as one revision.
    fn flush(&mut self) {
        if !self.has_changes && self.batch.installed.is_some() {
            // Only hover and go to definition depend on these files.
            self.host.apply(std::mem::take(&mut self.batch));
        }
        if self.has_changes {
            self.has_changes = false;
            self.state += 1;
            self.revision += 1;
            self.platform_values = KnownPlatformValues::default();
            self.due.others = true;
            let _span = tracing::info_span!("apply").entered();
            self.host.apply(std::mem::take(&mut self.batch));
            self.has_stale_values = true;
            self.find_module_folders();
            self.read_fact_files();
        }
        if self.due.everything || !self.due.paths.is_empty() {
            let due = std::mem::take(&mut self.due);
            self.publish(due);
        }
    }

    /// Starts a job that publishes pending diagnostics tier by tier: first the syntax of all edited files,
    /// then their other tiers, then those of the other files.
    fn publish(&mut self, due: PendingDiagnostics) {
        if self.features.pulls_diagnostics {
            if due.everything && !self.documents.is_empty() {
                client_requests::refresh_diagnostics(&self.outbox);
            }
            return;
        }
        let is_edited = |path: &FilePath| due.everything || due.paths.contains(path);
        let mut documents: Vec<_> = self.documents.iter().collect();
        documents.retain(|(path, _)| due.others || is_edited(path));
        documents.sort_by_key(|(path, _)| (!is_edited(path), *path));
        let edited = documents.iter().take_while(|(path, _)| is_edited(path)).count();
        if edited == 0 {
            return;
        }
        let rounds = |documents: &[(&FilePath, &Arc<Document>)], round: Round| {
            documents.iter().map(|(path, document)| ((*path).clone(), (*document).clone(), round)).collect()
        };
        let mut jobs: Vec<_> = rounds(&documents[..edited], Round::Errors);
        jobs.append(&mut rounds(&documents[..edited], Round::Syntax));
        for document in &documents {
            for round in [Round::Names, Round::Evaluation] {
                jobs.append(&mut rounds(std::slice::from_ref(document), round));
            }
        }
        let others = documents.len() > edited;
        let (events, outbox, finished, snapshot) =
            (self.events.clone(), self.outbox.clone(), self.start(), self.snapshot());
        self.diagnostics.run(move || {
            for (path, document, round) in &jobs {
                if publish::publish(path, document, &snapshot, *round, &outbox) == Attempt::WritePending {
                    events.send(LoopEvent::RetryPublish(PendingDiagnostics { others, ..due }));
                    break;
                }
            }
            drop(snapshot);
            drop(finished);
        });
    }

    /// Drops values of older revisions when idle, so that the next edit does not have to wait for it.
    fn evict_when_idle(&mut self) {
        if self.active_work == 0 && std::mem::take(&mut self.has_stale_values) {
            self.host.trigger_eviction();
        }
    }

    /// Compiles a requested class for each platform when idle.
    fn compute_values_when_idle(&mut self) {
        if self.active_work > 0 {
            return;
        }
        let known = &self.platform_values;
        self.wanted_values.retain(|class| !known.contains_key(class));
        let Some(class) = self.wanted_values.pop() else { return };
        let (revision, snapshot) = (self.revision, self.snapshot());
        let (events, outbox, finished) = (self.events.clone(), self.outbox.clone(), self.start());
        self.catalogs.run(move || {
            match panics::catch(|| snapshot.analysis.platform_values(class)) {
                Ok(Ok(values)) => events.send(LoopEvent::PlatformValues { class, values, revision }),
                Ok(Err(Cancelled::PendingWrite)) => events.send(LoopEvent::ComputePlatformValues(class)),
                Ok(Err(Cancelled::Local)) => {}
                Err(report) => {
                    outbox
                        .log(MessageType::Error, format!("internal error while compiling a class: {report}"));
                }
            }
            drop(snapshot);
            drop(finished);
        });
    }

    /// Compiles the classes of the modules of open files when due and idle.
    fn compile_when_idle(&mut self) {
        if !self.compile_is_due || self.active_work > 0 || self.typing.is_some() {
            return;
        }
        self.compile_is_due = false;
        let mut documents: Vec<_> =
            self.documents.iter().map(|(path, document)| (path.clone(), document.clone())).collect();
        documents.sort_by(|(a, _), (b, _)| a.cmp(b));
        if documents.is_empty() {
            return;
        }
        let snapshot = self.snapshot();
        let (events, outbox, finished) = (self.events.clone(), self.outbox.clone(), self.start());
        let (features, threads) = (self.features.clone(), self.compile_threads);
        let cancellation = snapshot.analysis.cancellation_token();
        self.compiling = Some(cancellation.clone());
        self.catalogs.run(move || {
            let progress = Progress::start(&outbox, &features, "Compiling classes", CancelButton::Shown);
            let mut has_new_classes = false;
            let is_done = documents.iter().all(|(path, document)| {
                progress.report(path.file_name().to_owned());
                let _work = snapshot.last_work.on(document.digest());
                let mut attempt = publish::compile_ahead(path, &snapshot, threads, &outbox);
                if attempt == Attempt::Done {
                    attempt = publish::publish(path, document, &snapshot, Round::Catalogs, &outbox);
                }
                let classes = match attempt {
                    Attempt::Done => publish::record_classes(path, document, &snapshot, &outbox),
                    Attempt::WritePending => None,
                };
                has_new_classes |= classes.unwrap_or_default();
                classes.is_some()
            });
            let closed =
                is_done.then(|| publish::closed_diagnostics(&documents, &snapshot, &outbox)).flatten();
            drop(snapshot);
            match closed {
                // The user has canceled it; the next save starts it again.
                _ if cancellation.is_cancelled() => {}
                Some(found) => events.send(LoopEvent::Compiled(found)),
                None => events.send(LoopEvent::RetryCompile),
            }
            if has_new_classes && features.refreshes_code_lenses {
                client_requests::refresh_code_lenses(&outbox);
            }
            drop(finished);
        });
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            analysis: self.host.analysis(),
            features: self.features.clone(),
            inlay_hints: self.config.inlay_hints,
            code_lenses: self.config.code_lenses,
            format: self.config.format,
            state: self.state,
            closed_diagnostics: self.closed_diagnostics.clone(),
            platform_values: self.platform_values.clone(),
            open_documents: self.open_documents.clone(),
            last_work: self.last_work.clone(),
            trusted: self.trusted.clone(),
            is_reading: self.active_scans > 0,
            typing: self.typing.clone(),
            keeps_muted: self.keeps_muted,
        }
    }

    /// Counts a piece of work; dropping the returned guard sends [`LoopEvent::Finished`].
    fn start(&mut self) -> FinishedOnDrop {
        self.active_work += 1;
        FinishedOnDrop { events: self.events.clone(), work: Work::Other }
    }

    /// Like [`MainLoop::start`], for work that reads a folder: diagnostics that depend on other files wait
    /// until it has ended.
    fn start_reading(&mut self) -> FinishedOnDrop {
        self.active_scans += 1;
        let mut finished = self.start();
        finished.work = Work::Reading;
        finished
    }

    fn answer_idle_waiters(&mut self) {
        if self.active_work > 0 {
            return;
        }
        for waiter in self.idle_waiters.drain(..) {
            self.outbox.notify(|_| async move {
                // Fails if the request was cancelled.
                let _ = waiter.send(());
            });
        }
    }
}

pub(super) struct FinishedOnDrop {
    events: Events,
    work: Work,
}

impl Drop for FinishedOnDrop {
    fn drop(&mut self) {
        self.events.send(LoopEvent::Finished(self.work));
    }
}

/// Reads.
impl MainLoop {
    fn read(&mut self, mut read: Box<dyn Read>) {
        let is_latency_sensitive = LATENCY_SENSITIVE_METHODS.contains(&read.method());
        if !is_latency_sensitive {
            self.apply_all_scanned();
        }
        self.flush();
        if !read.is_awaited() {
            return;
        }
        self.note_cursor(&*read);
        if self.active_scans > 0 && DIAGNOSTIC_METHODS.contains(&read.method()) {
            self.waiting_reads.push(read);
            return;
        }
        let snapshot = self.snapshot();
        let document = self.document_of(&*read);
        let (events, outbox, mut finished) = (self.events.clone(), self.outbox.clone(), self.start());
        if is_latency_sensitive {
            self.latency_sensitive_reads += 1;
            finished.work = Work::LatencySensitive;
        }
        self.interactive.run(move || {
            if read.attempt(snapshot, &outbox) == Attempt::WritePending {
                events.send(LoopEvent::RetryRead { read, document });
            }
            drop(finished);
        });
    }

    /// Returns the open document that the positions of a read refer to.
    fn document_of(&self, read: &dyn Read) -> Option<Arc<Document>> {
        self.documents.get(read.path()?).cloned()
    }

    /// Retries a read, unless its document has changed and the positions in the request are no longer valid.
    fn retry_read(&mut self, mut read: Box<dyn Read>, document: Option<Arc<Document>>) {
        let now = self.document_of(&*read);
        let generation = |it: &Option<Arc<Document>>| it.as_ref().map(|it| it.generation);
        let is_valid = generation(&now) == generation(&document)
            || match (document, now) {
                (Some(document), Some(now)) => self.is_before_edits(&*read, &document, &now),
                _ => false,
            };
        if is_valid {
            self.read(read);
        } else {
            read.fail(Error::content_modified());
        }
    }

    /// Returns true for a completion whose word has been continued since, the only change of the document. A
    /// client that waits for the list filters it by what was typed, and does not ask again: without an
    /// answer, nothing would be offered for the word.
    fn is_before_edits(&self, read: &dyn Read, then: &Document, now: &Document) -> bool {
        let Some((_, position)) = read.position().filter(|_| read.method() == COMPLETION) else {
            return false;
        };
        let offset = convert::offset(&then.text, then.lines(), position, self.features.column_unit);
        let Some((before, after)) = then.text.split_at_checked(offset as usize) else { return false };
        let typed = now.text.strip_prefix(before).and_then(|it| it.strip_suffix(after));
        typed.is_some_and(|it| it.chars().all(|it| it.is_alphanumeric() || "_:/.-".contains(it)))
    }
}

/// Writes.
impl MainLoop {
    fn write(&mut self, write: Write) {
        match write {
            Write::Initialize { features, folders, options } => {
                self.features = features;
                self.read_user_settings();
                if let Some(options) = options {
                    self.set_client_settings(&options);
                    self.sent_settings = options;
                }
                self.change_folders(folders, Vec::new());
            }
            Write::Initialized => self.initialized(),
            Write::Open { path, document, was_open } => self.open(path, document, was_open),
            Write::Change { path, document } => self.change(path, document),
            Write::Close { path } => self.close(path),
            Write::Save { path } => {
                self.end_typing();
                self.compile_is_due = true;
                if self.is_relevant(&path) {
                    self.read_from_disk(vec![path]);
                }
            }
            Write::Watched(changes) => self.watched(changes),
            Write::Folders { added, removed } => self.change_folders(added, removed),
            // A client without an answer may have pushed its settings before.
            Write::ClientSettings(Value::Null) => self.set_client_settings(&self.sent_settings.clone()),
            Write::ClientSettings(value) => self.set_client_settings(&value),
            Write::ClientSettingsChanged(value) => {
                if !value.is_null() {
                    self.sent_settings = value.clone();
                }
                if self.features.answers_configuration {
                    self.request_settings();
                } else {
                    self.set_client_settings(&value);
                }
            }
            Write::Scanned(files) => self.scanned.extend(files),
            Write::Disk(files) => {
                self.apply_all_scanned();
                self.batch.disk.extend(files);
                self.has_changes = true;
                self.due.everything = true;
            }
            Write::RootSettings { root, files, puppet_lint } => {
                self.set_root_settings(&root, &files, *puppet_lint);
            }
            Write::ScanFinished { root, files } => {
                self.outbox.log(MessageType::Info, format!("{}: {files} files read", root.as_str()));
                self.compile_is_due = true;
            }
            Write::ProjectFound(root) => self.change_folders(vec![root], Vec::new()),
            Write::FolderTrusted(folder) => self.trust(&folder),
            Write::ModuleFolders { readable, outside } => self.read_module_folders(readable, outside),
            Write::Installed(folders) => self.batch.installed = Some(folders),
        }
    }

    fn initialized(&mut self) {
        self.outbox.client_ready();
        if self.features.answers_configuration {
            self.request_settings();
        }
        client_requests::register(&self.outbox, &self.features);
    }

    fn request_settings(&mut self) {
        let finished = self.start();
        client_requests::request_settings(&self.outbox, self.events.clone(), finished);
    }

    fn open(&mut self, path: FilePath, document: Arc<Document>, was_open: bool) {
        self.documents.insert(path.clone(), document);
        if was_open {
            let message = format!("{} was opened twice; the last text is used", path.as_str());
            self.outbox.log(MessageType::Warning, message);
        }
        self.find_project_around(&path);
        self.read_first(&path);
        self.set_buffer(path);
        self.compile_is_due = true;
    }

    /// Looks for the project around a file that is outside of all folders.
    fn find_project_around(&mut self, path: &FilePath) {
        let mut known = self.roots.keys().chain(self.module_folders.keys());
        if path.is_opaque() || known.any(|it| path.starts_with(it)) {
            return;
        }
        let native = PathBuf::from(path.to_native());
        let (events, finished) = (self.events.clone(), self.start_reading());
        self.background.run(move || {
            let root = disk::project_around(&native);
            let root = root.as_deref().and_then(|it| it.to_str()).and_then(FilePath::from_native);
            if let Some(root) = root {
                events.write(Write::ProjectFound(root));
            }
            drop(finished);
        });
    }

    fn change(&mut self, path: FilePath, document: Option<Arc<Document>>) {
        if let Some(document) = document {
            self.typed(&path, &document);
            self.keeps_muted = true;
            let before = self.documents.insert(path.clone(), document);
            self.unskip_changed(before.as_deref());
        } else {
            let message = format!("ignored an edit of {}, which is not open", path.as_str());
            self.outbox.log(MessageType::Warning, message);
            return;
        }
        self.set_buffer(path);
    }

    /// Analyzes a text again that a server crashed on, once the document has changed.
    fn unskip_changed(&mut self, before: Option<&Document>) {
        let fatal = self.last_work.fatal_texts();
        if let Some(text) = before.map(Document::digest).filter(|text| fatal.contains(text)) {
            self.last_work.unmark(text);
            self.host.unskip(text);
        }
    }

    fn set_buffer(&mut self, path: FilePath) {
        let text = self.documents.get(&path).map(|it| it.text.clone());
        self.batch.buffers.retain(|(other, _)| *other != path);
        self.batch.buffers.push((path.clone(), text));
        self.has_changes = true;
        self.due.paths.push(path);
    }

    fn close(&mut self, path: FilePath) {
        let Some(document) = self.documents.remove(&path) else { return };
        self.end_typing();
        if !self.features.pulls_diagnostics {
            publish::clear(&document, &self.outbox);
        }
        self.set_buffer(path.clone());
        match self.is_relevant(&path) {
            // The file may have been saved or deleted without being watched.
            true => self.read_from_disk(vec![path]),
            // Files outside of folders only exist while they are open.
            false => self.batch.disk.push((path, DiskState::Missing)),
        }
    }

    fn watched(&mut self, changes: Vec<(FilePath, FileChangeType)>) {
        let mut paths = Vec::new();
        for (path, kind) in changes {
            if !self.is_relevant(&path) {
                continue;
            }
            if path.file_name() == config::FILE_NAME || config::PUPPET_LINT_FILES.contains(&path.file_name())
            {
                // A file may apply to workspace folders below it, and others may extend it.
                let roots: Vec<FilePath> = self.roots.keys().cloned().collect();
                roots.into_iter().for_each(|root| self.read_root_settings(root));
            } else if kind == FileChangeType::Deleted {
                // The path may have been a folder.
                let deleted = self.host.paths_below(&path);
                if deleted.is_empty() {
                    continue;
                }
                self.apply_all_scanned();
                self.batch.disk.extend(deleted.into_iter().map(|it| (it, DiskState::Missing)));
                self.has_changes = true;
                self.due.everything = true;
            } else if kind == FileChangeType::Created
                || ide::is_interesting(&path)
                || self.fact_files.contains(&path)
            {
                paths.push(path);
            }
        }
        self.read_from_disk(paths);
    }
}
