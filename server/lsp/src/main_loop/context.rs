//! State shared by the parts of the main loop.

use std::sync::Arc;

use disk::config::Config;
use disk::last_work::LastWork;
use ide::{AnalysisHost, ChangeBatch};

use super::changes::PendingChanges;
use super::client::ClientHandle;
use super::jobs::Jobs;
use super::later_version::LaterVersion;

/// The database and the next changes of it, the settings in effect, and the ways to the client and to other
/// threads.
pub(super) struct LoopContext {
    pub(super) host: AnalysisHost,
    /// The same files for the version to upgrade to, if the settings name one.
    pub(super) later: Option<LaterVersion>,
    pub(super) changes: PendingChanges,
    pub(super) config: Config,
    pub(super) client: ClientHandle,
    pub(super) jobs: Jobs,
    /// Texts being worked on, recorded in case the server crashes on one.
    pub(super) last_work: Arc<LastWork>,
}

impl LoopContext {
    /// Applies changes to the database, and to that of the later version.
    pub(super) fn apply(&mut self, batch: ChangeBatch) {
        if let Some(later) = &mut self.later {
            later.cancel_reads();
            later.apply(&batch);
        }
        let has_settings = batch.settings.is_some();
        self.host.apply(batch);
        if has_settings {
            self.later = LaterVersion::of(&self.config, &self.host, self.later.take());
        }
    }

    /// Drops values of older revisions.
    pub(super) fn evict(&mut self) {
        self.host.trigger_eviction();
        self.later.iter_mut().for_each(LaterVersion::evict);
    }

    /// Lets later reads recompute what a canceled one left unfinished.
    pub(super) fn reset_cancelled(&mut self) {
        self.host.reset_cancelled();
        self.later.iter_mut().for_each(LaterVersion::reset_cancelled);
    }
}
