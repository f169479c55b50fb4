//! Connection to the client: transport, recording of sessions, and shutdown.

mod parent;
pub(crate) mod recording;
pub(crate) mod replay;
pub(crate) mod stdio;
pub(crate) mod transport;
mod visible;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use disk::last_work::LastWork;
use disk::shown_files::ShownFiles;

/// State of the session that the connection needs.
#[derive(Default)]
pub(crate) struct ConnectionState {
    /// True once the client has sent `shutdown`.
    pub(crate) is_shut_down: AtomicBool,
    /// Texts being worked on, recorded in case the server crashes on one.
    pub(crate) last_work: Arc<LastWork>,
    /// Files written for the editor.
    pub(crate) shown_files: Arc<ShownFiles>,
    /// Process id of the client, if known.
    pub(crate) client_process: OnceLock<u32>,
}

impl ConnectionState {
    /// Returns whether the session ended cleanly. The protocol requires exit code 0 only after `shutdown`.
    pub(crate) fn ended_well(&self) -> bool {
        self.is_shut_down.load(Ordering::SeqCst)
    }
}
