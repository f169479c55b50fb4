//! The connection to the client: bytes in and out, the recording of a session, and its end.

mod parent;
pub(crate) mod recording;
pub(crate) mod replay;
pub(crate) mod stdio;
pub(crate) mod transport;
mod visible;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use disk::last_work::LastWork;

/// What the connection needs to know about the session.
#[derive(Default)]
pub(crate) struct ConnectionState {
    /// Has `shutdown` been asked for?
    pub(crate) is_shut_down: AtomicBool,
    /// What the server is at work on, for the case that it ends on that.
    pub(crate) last_work: Arc<LastWork>,
    /// The client's process, when it says.
    pub(crate) client_process: OnceLock<u32>,
}

impl ConnectionState {
    /// The exit code that the protocol asks for: success only after `shutdown`.
    pub(crate) fn ended_well(&self) -> bool {
        self.is_shut_down.load(Ordering::SeqCst)
    }
}
