//! State shared by the parts of the main loop.

use std::sync::Arc;

use disk::config::Config;
use disk::last_work::LastWork;
use ide::AnalysisHost;

use super::changes::PendingChanges;
use super::client::ClientHandle;
use super::jobs::Jobs;

/// The database and the next changes of it, the settings in effect, and the ways to the client and to other
/// threads.
pub(super) struct LoopContext {
    pub(super) host: AnalysisHost,
    pub(super) changes: PendingChanges,
    pub(super) config: Config,
    pub(super) client: ClientHandle,
    pub(super) jobs: Jobs,
    /// Texts being worked on, recorded in case the server crashes on one.
    pub(super) last_work: Arc<LastWork>,
}
