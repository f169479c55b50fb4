//! The thread that owns the database. Handlers send it events; it applies writes in order, several at a time
//! as one revision, and hands each read a snapshot to run with in a thread pool. It never computes anything
//! itself.
//!
//! Its parts hold their own state: `scan` (folders on disk), `documents` and `typing_state` (open files),
//! `settings`, `compiles`, and `publishing` (diagnostics). What they share is in `context`; this
//! module lets them take turns.

mod changes;
mod client;
mod compiles;
mod context;
mod documents;
mod events;
mod jobs;
mod later_version;
mod pool;
mod progress;
mod publishing;
mod scan;
mod settings;
mod settings_file;
#[cfg(test)]
mod test_context;
mod typing_state;
mod watch;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use disk::config::{self, Config};
use disk::last_work::LastWork;
use fleet::nodes::NodeFiles;
use ide::{AnalysisHost, FilePath};
use lsp_types::MessageType;
use serde_json::Value;
use tower_lsp::jsonrpc::Error;

use super::clock::Clock;
use super::documents::{Document, OpenDocuments};
use super::features::ClientFeatures;
use super::outbox::Outbox;
use super::reads::{Attempt, Read, Snapshot};
use super::{panics, publish};
use changes::{NextRevision, PendingChanges};
use client::ClientHandle;
use compiles::{Compiles, PlatformValueCache};
use context::LoopContext;
use documents::{Documents, continues_word};
use events::Work;
pub(super) use events::{Events, LoopEvent, Write};
use jobs::{Jobs, Threads};
use later_version::LaterVersion;
use pool::STACK_SIZE;
use publishing::{PublishPlan, Publishing};
use scan::Scan;
use settings::SessionSettings;
use typing_state::TypingState;

/// Methods whose result depends on missing files. They wait until folders have been read.
const DIAGNOSTIC_METHODS: [&str; 2] = ["textDocument/diagnostic", "workspace/diagnostic"];

const COMPLETION: &str = "textDocument/completion";

/// Methods that users wait for while editing. They are handled with the current state before more scanned
/// files are applied.
const LATENCY_SENSITIVE_METHODS: [&str; 4] =
    ["textDocument/hover", COMPLETION, "textDocument/signatureHelp", "textDocument/documentHighlight"];

struct MainLoop {
    ctx: LoopContext,
    settings: SessionSettings,
    scan: Scan,
    documents: Documents,
    typing: TypingState,
    publishing: Publishing,
    compiles: Compiles,
    platform_values: PlatformValueCache,
    /// Counter that is incremented by every change, and when compiles are done.
    state: u64,
    /// True if values of older revisions are still in memory.
    has_stale_values: bool,
    /// Reads that wait until all folders have been read.
    waiting_reads: Vec<Box<dyn Read>>,
}

/// Starts the main loop on a separate thread.
pub(super) fn start(
    outbox: Outbox,
    open_documents: OpenDocuments,
    last_work: Arc<LastWork>,
    clock: Clock,
) -> std::io::Result<Events> {
    let (events, receiver) = Events::new();
    clock.connect(&events);
    let cores = std::thread::available_parallelism().map_or(2, |it| it.get());
    let mut host = AnalysisHost::new();
    host.skip(last_work.fatal_texts());
    let main_loop = MainLoop {
        ctx: LoopContext {
            host,
            later: None,
            changes: PendingChanges::default(),
            config: Config::default(),
            client: ClientHandle { outbox, features: Arc::default() },
            jobs: Jobs::new(events.clone(), cores),
            last_work,
        },
        settings: SessionSettings::default(),
        scan: Scan::default(),
        documents: Documents::new(open_documents),
        typing: TypingState::new(clock),
        publishing: Publishing::default(),
        compiles: Compiles::new(cores),
        platform_values: PlatformValueCache::default(),
        state: 0,
        has_stale_values: false,
        waiting_reads: Vec::new(),
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
                    return self.scan.stop();
                }
                self.guarded(|this| this.handle(event));
            }
            self.guarded(MainLoop::end_typing_after_pause);
            self.guarded(|this| this.scan.apply_scanned(&mut this.ctx));
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
        let Some(timeout) = self.typing.time_left() else { return events.recv().ok() };
        match events.recv_timeout(timeout) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => Some(LoopEvent::TimePassed),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Catches panics, which would end the whole server; only the event that caused one is lost.
    fn guarded(&mut self, run: impl FnOnce(&mut MainLoop)) {
        if let Err(report) = panics::catch(|| run(self)) {
            let message = format!("internal error in the main loop: {report}");
            self.ctx.client.log(MessageType::Error, message);
        }
    }

    fn handle(&mut self, event: LoopEvent) {
        self.ctx.reset_cancelled();
        match event {
            LoopEvent::Write(write) => self.write(write),
            LoopEvent::Read(read) => self.read(read),
            LoopEvent::RetryRead { read, document } => self.retry_read(read, document),
            LoopEvent::RetryPublish(due) => self.publishing.add(due),
            LoopEvent::RetryCompile => self.compiles.is_due = true,
            LoopEvent::CancelCompile => self.compiles.cancel(),
            LoopEvent::Compiled(found) => {
                self.compiles.closed_diagnostics = found;
                self.state += 1;
                self.ctx.client.refresh_diagnostics();
            }
            LoopEvent::ComputePlatformValues(class) => self.platform_values.request(class),
            LoopEvent::PlatformValues { class, values, revision } => {
                self.platform_values.record(class, values, revision);
            }
            LoopEvent::Finished(work) => self.finished(work),
            LoopEvent::WaitUntilIdle(waiter) => {
                if let Some(path) = self.typing.end_editing(&self.documents) {
                    self.publish_withheld(path);
                }
                self.ctx.jobs.wait(waiter);
            }
            LoopEvent::WaitUntilPublished(waiter) => self.ctx.jobs.wait(waiter),
            LoopEvent::TimePassed | LoopEvent::Stop => {}
        }
    }

    fn finished(&mut self, work: Work) {
        self.ctx.jobs.finished(work);
        if work == Work::Reading {
            self.scan.apply_all_scanned(&mut self.ctx);
            // Missing files may exist now.
            self.publishing.add_everything();
            let events = &self.ctx.jobs.events;
            self.waiting_reads.drain(..).for_each(|read| events.send(LoopEvent::Read(read)));
        }
    }

    /// Applies all pending writes as one revision, and starts to publish what is due.
    fn flush(&mut self) {
        match self.ctx.changes.take() {
            Some(NextRevision::Unnoticed(batch)) => self.ctx.apply(batch),
            Some(NextRevision::Changed { batch, affected }) => {
                self.state += 1;
                self.platform_values.invalidate();
                self.publishing.add(affected);
                self.publishing.add_others();
                let _span = tracing::info_span!("apply").entered();
                self.ctx.apply(batch);
                self.has_stale_values = true;
                self.scan.find_module_folders(&mut self.ctx);
                self.scan.read_fact_files(&mut self.ctx);
            }
            None => {}
        }
        let Some(due) = self.publishing.take() else { return };
        if self.ctx.client.features.pulls_diagnostics {
            if due.everything && !self.documents.is_empty() {
                self.ctx.client.refresh_diagnostics();
            }
        } else if let Some(plan) = PublishPlan::new(due, &self.documents) {
            plan.start(self.snapshot(), &self.ctx.client, &mut self.ctx.jobs);
        }
    }

    /// Publishes diagnostics that were withheld while the user typed in a file.
    fn publish_withheld(&mut self, path: FilePath) {
        if !self.ctx.client.features.pulls_diagnostics {
            self.publishing.add_with_others(path);
        } else if !self.ctx.jobs.is_idle() || self.documents.iter().any(|(_, it)| it.is_provisional()) {
            // Reports being computed may withhold something, too.
            self.state += 1;
            self.ctx.client.refresh_diagnostics();
        }
    }

    fn end_typing(&mut self) {
        if let Some(path) = self.typing.end() {
            self.publish_withheld(path);
        }
    }

    fn end_typing_after_pause(&mut self) {
        if let Some(path) = self.typing.end_after_pause() {
            self.publish_withheld(path);
        }
    }

    /// Reads the Ruby files of an installed Puppet when idle, if a folder or a document is open.
    fn read_installed_when_idle(&mut self) {
        if self.ctx.jobs.is_idle() && (self.scan.has_roots() || !self.documents.is_empty()) {
            self.scan.read_installed(&mut self.ctx);
        }
    }

    /// Drops values of older revisions when idle, so that the next edit does not have to wait for it.
    fn evict_when_idle(&mut self) {
        if self.ctx.jobs.is_idle() && std::mem::take(&mut self.has_stale_values) {
            self.ctx.evict();
        }
    }

    /// Compiles a requested class for each platform when idle.
    fn compute_values_when_idle(&mut self) {
        if !self.ctx.jobs.is_idle() {
            return;
        }
        if let Some(class) = self.platform_values.next() {
            let snapshot = self.snapshot();
            self.platform_values.start(class, snapshot, &self.ctx.client, &mut self.ctx.jobs);
        }
    }

    /// Compiles the classes of the modules of open files when due and idle.
    fn compile_when_idle(&mut self) {
        if !self.compiles.is_due || !self.ctx.jobs.is_idle() || self.typing.is_typing() {
            return;
        }
        self.compiles.is_due = false;
        if !self.documents.is_empty() {
            let (documents, snapshot) = (self.documents.sorted(), self.snapshot());
            self.compiles.start(documents, snapshot, &self.ctx.client, &mut self.ctx.jobs);
        }
    }

    fn snapshot(&mut self) -> Snapshot {
        let later = self.ctx.later.as_mut().map(LaterVersion::snapshot);
        let LoopContext { host, config, client, jobs, last_work, .. } = &self.ctx;
        Snapshot {
            analysis: host.analysis(),
            later,
            features: client.features.clone(),
            inlay_hints: config.inlay_hints,
            code_lenses: config.code_lenses,
            format: config.format,
            state: self.state,
            closed_diagnostics: self.compiles.closed_diagnostics.clone(),
            platform_values: self.platform_values.known.clone(),
            open_documents: self.documents.open.clone(),
            last_work: last_work.clone(),
            trusted: self.scan.trusted.clone(),
            is_reading: jobs.is_reading(),
            typing: self.typing.current.clone(),
            keeps_muted: self.typing.keeps_muted,
        }
    }

    fn answer_idle_waiters(&mut self) {
        for waiter in self.ctx.jobs.take_waiters() {
            self.ctx.client.outbox.notify(|_| async move {
                // Fails if the request was cancelled.
                let _ = waiter.send(());
            });
        }
    }
}

/// Reads.
impl MainLoop {
    fn read(&mut self, mut read: Box<dyn Read>) {
        let is_latency_sensitive = LATENCY_SENSITIVE_METHODS.contains(&read.method());
        if !is_latency_sensitive {
            self.scan.apply_all_scanned(&mut self.ctx);
        }
        self.flush();
        if !read.is_awaited() {
            return;
        }
        let unit = self.ctx.client.features.column_unit;
        if let Some(path) = self.typing.note_cursor(&*read, &self.documents, unit) {
            self.publish_withheld(path);
            self.flush();
        }
        if self.ctx.jobs.is_reading() && DIAGNOSTIC_METHODS.contains(&read.method()) {
            self.waiting_reads.push(read);
            return;
        }
        let (snapshot, document) = (self.snapshot(), self.document_of(&*read));
        let outbox = self.ctx.client.outbox.clone();
        let work = if is_latency_sensitive { Work::LatencySensitive } else { Work::Other };
        self.ctx.jobs.run(Threads::Interactive, work, move |events| {
            if read.attempt(snapshot, &outbox) == Attempt::WritePending {
                events.send(LoopEvent::RetryRead { read, document });
            }
        });
    }

    /// Returns the open document that the positions of a read refer to.
    fn document_of(&self, read: &dyn Read) -> Option<Arc<Document>> {
        self.documents.get(read.path()?).cloned()
    }

    /// Retries a read, unless its document has changed and the positions in the request are no longer valid.
    fn retry_read(&mut self, mut read: Box<dyn Read>, document: Option<Arc<Document>>) {
        let is_valid = match (document, self.document_of(&*read)) {
            (Some(then), Some(now)) => {
                then.generation == now.generation || self.is_before_edits(&*read, &then, &now)
            }
            (then, now) => then.is_none() && now.is_none(),
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
        let unit = self.ctx.client.features.column_unit;
        let position = read.position().filter(|_| read.method() == COMPLETION);
        position.is_some_and(|(_, position)| continues_word(then, now, position, unit))
    }
}

/// Writes.
impl MainLoop {
    fn write(&mut self, write: Write) {
        match write {
            Write::Initialize { features, folders, options } => self.initialize(features, folders, options),
            Write::Initialized => self.initialized(),
            Write::Open { path, document, was_open } => self.open(path, document, was_open),
            Write::Change { path, document } => self.change(path, document),
            Write::Close { path } => self.close(path),
            Write::Save { path } => {
                self.end_typing();
                self.compiles.is_due = true;
                if self.scan.is_relevant(&path) {
                    self.scan.read_from_disk(vec![path], &mut self.ctx);
                }
            }
            Write::Watched(changes) => self.scan.watched(changes, &mut self.ctx),
            Write::Folders { added, removed } => self.change_folders(added, &removed),
            Write::ClientSettings(value) => {
                self.settings.set_answered(&value, &self.ctx.client);
                self.settings_changed();
            }
            Write::ClientSettingsChanged(value) => self.client_settings_changed(value),
            Write::Scanned(files) => self.scan.add_scanned(files),
            Write::Disk(files) => {
                self.scan.apply_all_scanned(&mut self.ctx);
                self.ctx.changes.add_disk(files);
            }
            Write::RootSettings { root, files, puppet_lint } => {
                self.set_root_settings(&root, &files, *puppet_lint);
            }
            Write::ScanFinished { root, files } => {
                self.ctx.client.log(MessageType::Info, format!("{}: {files} files read", root.as_str()));
                self.compiles.is_due = true;
            }
            Write::ProjectFound(root) => self.change_folders(vec![root], &[]),
            Write::FolderTrusted(folder) => {
                self.settings.trust(&folder, &self.ctx.client);
                self.settings_changed();
                self.publishing.add_everything();
            }
            Write::ModuleFolders { readable, outside } => {
                self.scan.read_module_folders(readable, &mut self.ctx);
                self.scan.refuse(outside, &mut self.ctx);
            }
            Write::Nodes(found) => self.set_nodes(found),
            Write::Installed(folders) => self.ctx.changes.set_installed(folders),
        }
    }

    fn initialize(&mut self, features: Arc<ClientFeatures>, folders: Vec<FilePath>, options: Option<Value>) {
        self.ctx.client.features = features;
        self.settings.read_user(&self.ctx.client);
        self.settings_changed();
        if let Some(options) = options {
            self.settings.set_client(&options, &self.ctx.client);
            self.settings_changed();
            self.settings.set_sent(options);
        }
        self.change_folders(folders, &[]);
    }

    fn initialized(&mut self) {
        self.ctx.client.outbox.client_ready();
        if self.ctx.client.features.answers_configuration {
            self.request_settings();
        }
        self.ctx.client.register();
    }

    fn request_settings(&mut self) {
        let jobs = &mut self.ctx.jobs;
        self.ctx.client.request_settings(jobs.events.clone(), jobs.start(Work::Other));
    }

    fn client_settings_changed(&mut self, value: Value) {
        if self.ctx.client.features.answers_configuration {
            self.request_settings();
        } else {
            self.settings.set_client(&value, &self.ctx.client);
            self.settings_changed();
        }
        if !value.is_null() {
            self.settings.set_sent(value);
        }
    }

    fn set_root_settings(
        &mut self,
        root: &FilePath,
        files: &config::RepositorySettings,
        puppet_lint: ide::PuppetLintConfiguration,
    ) {
        if self.scan.is_root(root) {
            self.settings.set_root(root, files, puppet_lint, &self.ctx.client);
            self.settings_changed();
        }
    }

    fn settings_changed(&mut self) {
        if self.settings.apply(&mut self.ctx) {
            self.find_trusted_folders();
        }
        self.scan.read_nodes(&mut self.ctx);
    }

    /// Sets the nodes of the setting `nodes`.
    fn set_nodes(&mut self, found: Result<NodeFiles, String>) {
        let NodeFiles { files, total } = found.unwrap_or_else(|error| {
            let message = format!("puppet-analyzer: setting `nodes`: {}", output::visible(&error));
            self.ctx.client.outbox.show(MessageType::Warning, message);
            NodeFiles::default()
        });
        let message = format!("{} of {total} nodes read", files.len());
        self.ctx.client.log(MessageType::Info, message);
        let paths = self.scan.add_node_files(files, &mut self.ctx);
        self.settings.set_node_files(paths);
        self.settings_changed();
        self.publishing.add_everything();
        self.compiles.is_due = true;
    }

    fn find_trusted_folders(&mut self) {
        let named = self.settings.named_folders().chain(&self.ctx.config.trusted_folders);
        self.scan.trust(named);
    }

    fn change_folders(&mut self, added: Vec<FilePath>, removed: &[FilePath]) {
        for root in removed {
            if self.scan.remove_root(root, &mut self.ctx) {
                self.settings.remove_root(root);
                self.settings_changed();
            }
        }
        let added = self.scan.add_roots(added);
        self.find_trusted_folders();
        for root in &added {
            self.scan.watch(root, &mut self.ctx);
            self.scan.read_root(root, &self.documents, &mut self.ctx);
        }
        self.scan.apply_roots(&mut self.ctx);
    }

    fn open(&mut self, path: FilePath, document: Arc<Document>, was_open: bool) {
        self.documents.insert(path.clone(), document.clone());
        if was_open {
            let message = format!("{} was opened twice; the last text is used", path.as_str());
            self.ctx.client.log(MessageType::Warning, message);
        }
        self.scan.find_project_around(&path, &mut self.ctx);
        self.scan.read_first(&path, &document, &mut self.ctx);
        self.ctx.changes.set_buffer(path, Some(document.text.clone()));
        self.compiles.is_due = true;
    }

    fn change(&mut self, path: FilePath, document: Option<Arc<Document>>) {
        let Some(document) = document else {
            let message = format!("ignored an edit of {}, which is not open", path.as_str());
            return self.ctx.client.log(MessageType::Warning, message);
        };
        if let Some(left) = self.typing.edit(&path, document.edits.as_deref()) {
            self.publish_withheld(left);
        }
        let before = self.documents.insert(path.clone(), document.clone());
        self.unskip_changed(before.as_deref());
        self.ctx.changes.edit_buffer(path, document.text.clone(), document.edit());
    }

    /// Analyzes a text again that a server crashed on, once the document has changed.
    fn unskip_changed(&mut self, before: Option<&Document>) {
        let fatal = self.ctx.last_work.fatal_texts();
        if let Some(text) = before.map(Document::digest).filter(|text| fatal.contains(text)) {
            self.ctx.last_work.unmark(text);
            self.ctx.host.unskip(text);
            self.ctx.later.iter_mut().for_each(|it| it.unskip(text));
        }
    }

    fn close(&mut self, path: FilePath) {
        let Some(document) = self.documents.remove(&path) else { return };
        self.end_typing();
        if !self.ctx.client.features.pulls_diagnostics {
            publish::clear(&document, &self.ctx.client.outbox);
        }
        self.ctx.changes.set_buffer(path.clone(), None);
        if self.scan.is_relevant(&path) {
            // The file may have been saved or deleted without being watched.
            self.scan.read_from_disk(vec![path], &mut self.ctx);
        } else {
            // Files outside of folders only exist while they are open.
            self.ctx.changes.remove_closed(path);
        }
    }
}
