//! Events that the main loop handles.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use disk::config;
use fleet::nodes::NodeFiles;
use ide::{DiskState, FilePath, InstalledFolder, PlatformClass, PlatformValues};
use lsp_types::FileChangeType;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::documents::Document;
use crate::features::ClientFeatures;
use crate::reads::{ClosedDiagnostics, Read};

/// An event for the main loop.
pub(crate) enum LoopEvent {
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
    /// Work that was counted has ended.
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
pub(crate) enum Work {
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
    /// Nodes of the setting `nodes`, or the problem with them.
    Nodes(Result<NodeFiles, String>),
    /// Ruby files of an installed Puppet.
    Installed(Vec<InstalledFolder>),
}

/// Sender of events. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Events {
    sender: Sender<LoopEvent>,
}

impl Events {
    /// Creates a queue of events, and its receiving end.
    pub(super) fn new() -> (Events, Receiver<LoopEvent>) {
        let (sender, receiver) = mpsc::channel();
        (Events { sender }, receiver)
    }

    /// Sends an event without blocking. Does nothing after the main loop has ended; pending requests notice
    /// that their sender is dropped.
    pub(crate) fn send(&self, event: LoopEvent) {
        let _ = self.sender.send(event);
    }

    pub(crate) fn write(&self, write: Write) {
        self.send(LoopEvent::Write(write));
    }
}

/// Open files whose diagnostics must be computed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PendingDiagnostics {
    /// Files that need all diagnostics.
    pub(super) paths: Vec<FilePath>,
    /// All open files need all diagnostics.
    pub(super) everything: bool,
    /// A change may affect the other files: their names and values are checked again after those of `paths`.
    pub(super) others: bool,
}

impl PendingDiagnostics {
    pub(super) fn includes(&self, path: &FilePath) -> bool {
        self.everything || self.paths.contains(path)
    }
}
