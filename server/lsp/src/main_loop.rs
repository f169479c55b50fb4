//! The one thread that owns the database. Handlers send it events; it applies writes in order, several of them as one
//! revision, and hands every read a snapshot to run with on a pool. It never computes itself.

mod client_requests;
mod folders;
mod pool;
mod progress;
mod settings;
mod settings_file;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use disk::config::{self, Config, ConfigLayers};
use disk::last_work::LastWork;
use disk::{StopFlag, TrustedFolders};
use ide::{
    AnalysisHost, Cancelled, ChangeBatch, DiskState, FilePath, InstalledFolder, PlatformClass, PlatformValues,
};
use lsp_types::{FileChangeType, MessageType};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::Error;

use super::documents::{Document, OpenDocuments};
use super::features::ClientFeatures;
use super::outbox::Outbox;
use super::publish::Round;
use super::reads::{Attempt, ClosedDiagnostics, KnownPlatformValues, Read, Snapshot};
use super::{panics, publish};
use pool::{Pool, STACK_SIZE};
use progress::Progress;
use watch::FolderWatcher;

/// What can happen.
pub(super) enum LoopEvent {
    Write(Write),
    Read(Box<dyn Read>),
    /// A read that a write has cut off, and the text it was about.
    ReadAgain {
        read: Box<dyn Read>,
        generation: Option<u64>,
    },
    /// Diagnostics that a write has kept from being published.
    PublishAgain(Due),
    /// Compiles were cut off by a write.
    CompileAgain,
    /// Compiles are done, and this is what they found in files that are not open.
    Compiled(ClosedDiagnostics),
    /// Somebody wants to know what a class is worth by platform.
    WorkOutPlatformValues(PlatformClass),
    /// What that is, and the revision of which it is true.
    PlatformValues {
        class: PlatformClass,
        values: PlatformValues,
        revision: u64,
    },
    /// A piece of work that was counted with [`MainLoop::start`] is over.
    Finished(Work),
    /// Answered when nothing is left to do.
    WaitUntilIdle(oneshot::Sender<()>),
    Stop,
}

/// A piece of work that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    /// It reads folders, or looks for some.
    Reading,
    /// It answers a question about a place.
    AtPlace,
    Other,
}

/// What changes things. The paths of documents are those of their URIs.
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
    /// A document has a new version; `None` when it is not open.
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
    /// Settings that the client has sent.
    ClientSettings(Value),
    /// The client's settings have changed; it has to be asked for them.
    ClientSettingsChanged(Value),
    /// What a scan has read from disk.
    Scanned(Vec<(FilePath, DiskState)>),
    /// What has changed on disk.
    Disk(Vec<(FilePath, DiskState)>),
    /// The settings file of a folder: its text, or `None` when there is none.
    RootSettings {
        root: FilePath,
        text: Option<String>,
        /// What the folder says of puppet-lint.
        puppet_lint: Box<ide::PuppetLintConfiguration>,
    },
    ScanFinished {
        root: FilePath,
        files: usize,
    },
    /// What lies around a file that was opened outside of all folders.
    ProjectFound(FilePath),
    /// The user lets a folder outside of the workspace be read.
    FolderTrusted(FilePath),
    /// Folders outside of the workspace in which environments look for modules: those that may be read, and those that are there and
    /// may not.
    ModuleFolders {
        readable: Vec<FilePath>,
        outside: Vec<FilePath>,
    },
    /// The Ruby files of an installed Puppet.
    Installed(Vec<InstalledFolder>),
}

/// The way in. Cheap to clone.
#[derive(Clone)]
pub(super) struct Events {
    sender: Sender<LoopEvent>,
}

impl Events {
    /// Never waits. After the end of the main loop it does nothing; who waits for an answer then learns it by that the
    /// answer's sender is dropped.
    pub(super) fn send(&self, event: LoopEvent) {
        let _ = self.sender.send(event);
    }

    pub(super) fn write(&self, write: Write) {
        self.send(LoopEvent::Write(write));
    }
}

/// The questions whose answers say what is missing.
const DIAGNOSTIC_METHODS: [&str; 2] = ["textDocument/diagnostic", "workspace/diagnostic"];

/// The questions of somebody who looks at a place. They are answered from what is known, before more files are taken in.
const LATENCY_SENSITIVE_METHODS: [&str; 4] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/documentHighlight",
];

/// How often files that were read wait for such questions in a row.
const MAX_DELAYS: u32 = 50;

struct MainLoop {
    host: AnalysisHost,
    events: Events,
    outbox: Outbox,
    features: Arc<ClientFeatures>,
    layers: ConfigLayers,
    /// What the client has sent of its settings without being asked.
    sent_settings: Value,
    config: Config,
    /// The open files, each with the version that the next revision holds.
    documents: FxHashMap<FilePath, Arc<Document>>,
    /// The same as all threads see them: some may have newer versions already.
    open_documents: OpenDocuments,
    /// What is being worked on, for the case that the server ends on that.
    last_work: Arc<LastWork>,
    /// The settings files that diagnostics were published for.
    wrong_settings_files: FxHashSet<FilePath>,
    /// The workspace folders, and what stops their scans.
    roots: BTreeMap<FilePath, StopFlag>,
    /// Folders outside of them that were read because environments look for modules there.
    module_folders: BTreeMap<FilePath, StopFlag>,
    /// What may be read of the disk.
    trusted: TrustedFolders,
    /// Folders of modules that are there, but may not be read.
    unread_folders: Vec<FilePath>,
    /// All that ever were; the user was told of them.
    refused_folders: FxHashSet<FilePath>,
    /// The files of facts that were read.
    fact_files: FxHashSet<FilePath>,
    /// For which setting the files of an installed Puppet were read.
    read_installed_puppet: Option<Option<String>>,
    /// What watches the folders, where the client does not.
    watcher: Option<FolderWatcher>,
    /// What a scan has read, for a revision that no question about a place waits for.
    scanned: Vec<(FilePath, DiskState)>,
    /// How often that has waited.
    delays: u32,
    /// How many questions about a place are being answered.
    at_places: usize,
    /// What the next revision will hold.
    batch: ChangeBatch,
    has_changes: bool,
    /// Is there something left of older revisions?
    has_replaced: bool,
    /// The diagnostics that may differ in the next revision.
    due: Due,
    /// Is it time to compile the classes around the open files?
    compile_is_due: bool,
    interactive: Pool,
    background: Pool,
    /// One thread for the diagnostics of open files. A job there holds a snapshot, and is over soon when a write waits.
    diagnostics: Pool,
    /// One thread that compiles while nothing else is to do.
    catalogs: Pool,
    /// How many threads compile at the same time.
    compile_threads: usize,
    /// A number that grows with every change, and when compiles are done.
    state: u64,
    /// What the last compiles found in files that are not open.
    closed_diagnostics: ClosedDiagnostics,
    /// A number that grows with every change.
    revision: u64,
    /// What classes are worth by platform in this revision, and those for which that has to be worked out.
    platform_values: KnownPlatformValues,
    wanted_values: Vec<PlatformClass>,
    /// How many pieces of work are under way.
    under_way: usize,
    /// How many of them read folders, or look for some.
    being_read: usize,
    /// Questions that wait until nothing is being read.
    waiting_reads: Vec<Box<dyn Read>>,
    idle_waiters: Vec<oneshot::Sender<()>>,
}

/// Diagnostics of open files that are due.
#[derive(Clone, Default)]
pub(super) struct Due {
    /// All diagnostics of these.
    paths: Vec<FilePath>,
    /// Those of all open files.
    everything: bool,
    /// What one file says may matter to all the others: their names and values are looked at again behind those of `paths`.
    others: bool,
}

/// Starts the main loop on a thread of its own.
pub(super) fn start(
    outbox: Outbox,
    open_documents: OpenDocuments,
    last_work: Arc<LastWork>,
) -> std::io::Result<Events> {
    let (sender, receiver) = mpsc::channel();
    let events = Events { sender };
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
        wrong_settings_files: FxHashSet::default(),
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
        at_places: 0,
        batch: ChangeBatch::default(),
        has_changes: false,
        has_replaced: false,
        due: Due::default(),
        compile_is_due: false,
        interactive: Pool::new("interactive", cores.saturating_sub(1).max(2)),
        background: Pool::new("background", 1),
        diagnostics: Pool::new("diagnostics", 1),
        catalogs: Pool::new("catalogs", 1),
        // Whoever types meanwhile needs one more; where there are only two, the system shares them out.
        compile_threads: cores.saturating_sub(1).max(cores.min(2)),
        state: 0,
        closed_diagnostics: ClosedDiagnostics::default(),
        revision: 0,
        platform_values: KnownPlatformValues::default(),
        wanted_values: Vec::new(),
        under_way: 0,
        being_read: 0,
        waiting_reads: Vec::new(),
        idle_waiters: Vec::new(),
    };
    let builder = std::thread::Builder::new().name("main-loop".to_owned()).stack_size(STACK_SIZE);
    builder.spawn(move || main_loop.run(&receiver))?;
    Ok(events)
}

impl MainLoop {
    fn run(mut self, events: &Receiver<LoopEvent>) {
        while let Ok(first) = events.recv() {
            // All that waits already goes into the same revision, up to the next read.
            for event in std::iter::once(first).chain(events.try_iter()) {
                if matches!(event, LoopEvent::Stop) {
                    return self.stop();
                }
                self.guarded(|this| this.handle(event));
            }
            self.guarded(MainLoop::take_in_scanned);
            self.guarded(MainLoop::flush);
            self.guarded(MainLoop::read_installed_when_idle);
            self.guarded(MainLoop::work_out_values_when_idle);
            self.guarded(MainLoop::compile_when_idle);
            self.answer_idle_waiters();
            self.guarded(MainLoop::forget_when_idle);
        }
    }

    fn stop(self) {
        self.roots.values().chain(self.module_folders.values()).for_each(StopFlag::stop);
    }

    /// A panic here would end the whole server; the event that caused it is lost instead.
    fn guarded(&mut self, run: impl FnOnce(&mut MainLoop)) {
        if let Err(report) = panics::catch(|| run(self)) {
            self.outbox.log(MessageType::Error, format!("the main loop has failed, a bug: {report}"));
        }
    }

    fn handle(&mut self, event: LoopEvent) {
        self.host.forget_cancelled();
        match event {
            LoopEvent::Write(write) => self.write(write),
            LoopEvent::Read(read) => self.read(read),
            LoopEvent::ReadAgain { read, generation } => self.read_again(read, generation),
            LoopEvent::PublishAgain(due) => {
                self.due.paths.extend(due.paths);
                self.due.everything |= due.everything;
                self.due.others |= due.others;
            }
            LoopEvent::CompileAgain => self.compile_is_due = true,
            LoopEvent::Compiled(found) => {
                self.closed_diagnostics = found;
                self.state += 1;
                if self.features.pulls_diagnostics {
                    client_requests::refresh_diagnostics(&self.outbox);
                }
            }
            LoopEvent::WorkOutPlatformValues(class) => self.wanted_values.push(class),
            LoopEvent::PlatformValues { class, values, revision } if revision == self.revision => {
                Arc::make_mut(&mut self.platform_values).insert(class, values.into());
            }
            LoopEvent::PlatformValues { class, .. } => self.wanted_values.push(class),
            LoopEvent::Finished(work) => {
                self.under_way -= 1;
                match work {
                    Work::Reading => {
                        self.being_read -= 1;
                        self.take_in_all_scanned();
                        // What was not there may be.
                        self.due.everything = true;
                        self.waiting_reads.drain(..).for_each(|read| self.events.send(LoopEvent::Read(read)));
                    }
                    Work::AtPlace => self.at_places -= 1,
                    Work::Other => {}
                }
            }
            LoopEvent::WaitUntilIdle(waiter) => self.idle_waiters.push(waiter),
            LoopEvent::Stop => {}
        }
    }

    /// Takes in what a scan has read, unless somebody waits for an answer that it would cut off.
    fn take_in_scanned(&mut self) {
        if self.at_places > 0 && !self.scanned.is_empty() && self.delays < MAX_DELAYS {
            self.delays += 1;
        } else {
            self.take_in_all_scanned();
        }
    }

    fn take_in_all_scanned(&mut self) {
        self.delays = 0;
        if !self.scanned.is_empty() {
            self.batch.disk.append(&mut self.scanned);
            self.has_changes = true;
        }
    }

    /// Makes a revision of all writes since the last one.
    fn flush(&mut self) {
        if !self.has_changes && self.batch.installed.is_some() {
            // Nothing but hovers and the way to a definition depends on it.
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
            self.has_replaced = true;
            self.find_module_folders();
            self.read_fact_files();
        }
        if self.due.everything || !self.due.paths.is_empty() {
            let due = std::mem::take(&mut self.due);
            self.publish(due);
        }
    }

    /// Starts one job that publishes what is due, tier by tier: the syntax of all that were edited, then the rest of theirs, and
    /// then that of the others.
    fn publish(&mut self, due: Due) {
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
        let mut jobs: Vec<_> = rounds(&documents[..edited], Round::Syntax);
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
                if publish::publish(path, document, &snapshot, *round, &outbox) == Attempt::WriteWaits {
                    events.send(LoopEvent::PublishAgain(Due { others, ..due }));
                    break;
                }
            }
            drop(snapshot);
            drop(finished);
        });
    }

    /// Drops what the last revisions have replaced, when nothing else is to do: the next edit would have to wait for it.
    fn forget_when_idle(&mut self) {
        if self.under_way == 0 && std::mem::take(&mut self.has_replaced) {
            self.host.trigger_eviction();
        }
    }

    /// Compiles a class that somebody has looked at for each platform, when nothing else is to do.
    fn work_out_values_when_idle(&mut self) {
        if self.under_way > 0 {
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
                Ok(Err(Cancelled::PendingWrite)) => events.send(LoopEvent::WorkOutPlatformValues(class)),
                Ok(Err(Cancelled::Local)) => {}
                Err(report) => {
                    outbox.log(
                        MessageType::Error,
                        format!("the compiles of a class have failed, a bug: {report}"),
                    );
                }
            }
            drop(snapshot);
            drop(finished);
        });
    }

    /// Compiles the classes of the modules whose files are open, when that is due and nothing else is to do.
    fn compile_when_idle(&mut self) {
        if !self.compile_is_due || self.under_way > 0 {
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
        self.catalogs.run(move || {
            let progress = Progress::start(&outbox, &features, "Compiling classes");
            let mut has_new_classes = false;
            let is_done = documents.iter().all(|(path, document)| {
                progress.report(path.file_name().to_owned());
                let _work = snapshot.last_work.on(document.digest());
                let mut attempt = publish::compile_ahead(path, &snapshot, threads, &outbox);
                if attempt == Attempt::Done {
                    attempt = publish::publish(path, document, &snapshot, Round::Catalogs, &outbox);
                }
                let classes = match attempt {
                    Attempt::Done => publish::note_classes(path, document, &snapshot, &outbox),
                    Attempt::WriteWaits => None,
                };
                has_new_classes |= classes.unwrap_or_default();
                classes.is_some()
            });
            let closed =
                is_done.then(|| publish::closed_diagnostics(&documents, &snapshot, &outbox)).flatten();
            drop(snapshot);
            events.send(match closed {
                Some(found) => LoopEvent::Compiled(found),
                None => LoopEvent::CompileAgain,
            });
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
            is_reading: self.being_read > 0,
        }
    }

    /// Counts a piece of work; it has to end with [`Event::Finished`], which the returned guard sees to.
    fn start(&mut self) -> FinishedOnDrop {
        self.under_way += 1;
        FinishedOnDrop { events: self.events.clone(), work: Work::Other }
    }

    /// As [`MainLoop::start`], for work that reads a folder: what other files say is not judged before it has ended.
    fn start_reading(&mut self) -> FinishedOnDrop {
        self.being_read += 1;
        let mut finished = self.start();
        finished.work = Work::Reading;
        finished
    }

    fn answer_idle_waiters(&mut self) {
        if self.under_way > 0 {
            return;
        }
        for waiter in self.idle_waiters.drain(..) {
            self.outbox.notify(|_| async move {
                // Fails when the request was cancelled.
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
        let is_at_place = LATENCY_SENSITIVE_METHODS.contains(&read.method());
        if !is_at_place {
            self.take_in_all_scanned();
        }
        self.flush();
        if !read.is_wanted() {
            return;
        }
        if self.being_read > 0 && DIAGNOSTIC_METHODS.contains(&read.method()) {
            self.waiting_reads.push(read);
            return;
        }
        let snapshot = self.snapshot();
        let generation = self.generation_of(&*read);
        let (events, outbox, mut finished) = (self.events.clone(), self.outbox.clone(), self.start());
        if is_at_place {
            self.at_places += 1;
            finished.work = Work::AtPlace;
        }
        self.interactive.run(move || {
            if read.attempt(snapshot, &outbox) == Attempt::WriteWaits {
                events.send(LoopEvent::ReadAgain { read, generation });
            }
            drop(finished);
        });
    }

    /// The number of the text that is open at a path.
    fn generation(&self, path: &FilePath) -> Option<u64> {
        self.documents.get(path).map(|it| it.generation)
    }

    fn generation_of(&self, read: &dyn Read) -> Option<u64> {
        read.path().and_then(|path| self.generation(path))
    }

    /// The positions in a question belong to a text: when that has changed since, the answer would be about another one.
    fn read_again(&mut self, mut read: Box<dyn Read>, generation: Option<u64>) {
        if self.generation_of(&*read) == generation {
            self.read(read);
        } else {
            read.refuse(Error::content_modified());
        }
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
                self.compile_is_due = true;
                if self.is_of_interest(&path) {
                    self.read_from_disk(vec![path]);
                }
            }
            Write::Watched(changes) => self.watched(changes),
            Write::Folders { added, removed } => self.change_folders(added, removed),
            // A client that has nothing to answer may have sent them.
            Write::ClientSettings(Value::Null) => self.set_client_settings(&self.sent_settings.clone()),
            Write::ClientSettings(value) => self.set_client_settings(&value),
            Write::ClientSettingsChanged(value) => {
                if !value.is_null() {
                    self.sent_settings = value.clone();
                }
                if self.features.answers_configuration {
                    self.ask_for_settings();
                } else {
                    self.set_client_settings(&value);
                }
            }
            Write::Scanned(files) => self.scanned.extend(files),
            Write::Disk(files) => {
                self.take_in_all_scanned();
                self.batch.disk.extend(files);
                self.has_changes = true;
                self.due.everything = true;
            }
            Write::RootSettings { root, text, puppet_lint } => {
                self.set_root_settings(&root, text.as_deref(), *puppet_lint);
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
        self.outbox.client_answers();
        if self.features.answers_configuration {
            self.ask_for_settings();
        }
        client_requests::register(&self.outbox, &self.features);
    }

    fn ask_for_settings(&mut self) {
        let finished = self.start();
        client_requests::ask_for_settings(&self.outbox, self.events.clone(), finished);
    }

    fn open(&mut self, path: FilePath, document: Arc<Document>, was_open: bool) {
        self.documents.insert(path.clone(), document);
        if was_open {
            let message = format!("{} was opened twice; its text is the one that came last", path.as_str());
            self.outbox.log(MessageType::Warning, message);
        }
        self.look_around(&path);
        self.read_first(&path);
        self.set_buffer(path);
        self.compile_is_due = true;
    }

    /// A file outside of all folders is understood with what lies around it.
    fn look_around(&mut self, path: &FilePath) {
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
            let before = self.documents.insert(path.clone(), document);
            self.look_again_at(before.as_deref());
        } else {
            let message = format!("an edit of {}, which is not open, is left out", path.as_str());
            self.outbox.log(MessageType::Warning, message);
            return;
        }
        self.set_buffer(path);
    }

    /// A text that the server ended on has changed: should it come back, it is looked at.
    fn look_again_at(&mut self, before: Option<&Document>) {
        let fatal = self.last_work.fatal_texts();
        if let Some(text) = before.map(Document::digest).filter(|text| fatal.contains(text)) {
            self.last_work.forget(text);
            self.host.look_at_again(text);
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
        if !self.features.pulls_diagnostics {
            publish::clear(&document, &self.outbox);
        }
        self.set_buffer(path.clone());
        match self.is_of_interest(&path) {
            // It may have been saved, or deleted, where nobody watches.
            true => self.read_from_disk(vec![path]),
            // A loose file counts while it is open.
            false => self.batch.disk.push((path, DiskState::Missing)),
        }
    }

    fn watched(&mut self, changes: Vec<(FilePath, FileChangeType)>) {
        let mut paths = Vec::new();
        for (path, kind) in changes {
            if !self.is_of_interest(&path) {
                continue;
            }
            if path.file_name() == config::FILE_NAME || config::PUPPET_LINT_FILES.contains(&path.file_name())
            {
                if let Some(root) = path.parent().filter(|it| self.roots.contains_key(it)) {
                    self.read_root_settings(root);
                }
            } else if kind == FileChangeType::Deleted {
                // It may have been a folder.
                let gone = self.host.paths_below(&path);
                if gone.is_empty() {
                    continue;
                }
                self.take_in_all_scanned();
                self.batch.disk.extend(gone.into_iter().map(|it| (it, DiskState::Missing)));
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
