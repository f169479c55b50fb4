//! Analysis of the version that the setting `upgrade-to` names, in its own database. Without the setting,
//! there is none.

use disk::config::Config;
use ide::{AnalysisHost, CancellationToken, ChangeBatch, Settings, UpgradePath};

use crate::reads::LaterAnalysis;

/// The same files as in the main database, for a later Puppet version.
pub(super) struct LaterVersion {
    host: AnalysisHost,
    upgrade: UpgradePath,
    /// Tokens of the snapshots that are in use.
    tokens: Vec<CancellationToken>,
}

impl LaterVersion {
    /// Returns the later version that the settings ask for, if any, with the files of `host`. `before` is the
    /// current one, which has the same files.
    pub(super) fn of(
        config: &Config,
        host: &AnalysisHost,
        before: Option<LaterVersion>,
    ) -> Option<LaterVersion> {
        let upgrade = upgrade(config)?;
        if let Some(before) = before.filter(|it| it.upgrade == upgrade) {
            return Some(before);
        }
        let host = host.copy_with(settings(host.settings().clone(), upgrade));
        Some(LaterVersion { host, upgrade, tokens: Vec::new() })
    }

    /// Ends all reads. A write to either database waits for them, but only cancels those of its own.
    pub(super) fn cancel_reads(&mut self) {
        self.tokens.drain(..).for_each(|token| token.cancel());
    }

    /// Applies changes of the main database.
    pub(super) fn apply(&mut self, batch: &ChangeBatch) {
        let settings = batch.settings.clone().map(|it| settings(it, self.upgrade));
        // Only descriptions use an installed Puppet.
        self.host.apply(ChangeBatch { settings, installed: None, ..batch.clone() });
    }

    /// Lets later reads recompute what a canceled one left unfinished.
    pub(super) fn reset_cancelled(&mut self) {
        self.host.reset_cancelled();
    }

    /// Drops values of older revisions.
    pub(super) fn evict(&mut self) {
        self.host.trigger_eviction();
    }

    /// Excludes no longer a text from analysis.
    pub(super) fn unskip(&mut self, text: ide::TextDigest) {
        self.host.unskip(text);
    }

    /// Returns a snapshot of the current state.
    pub(super) fn snapshot(&mut self) -> LaterAnalysis {
        let analysis = self.host.analysis();
        self.tokens.retain(CancellationToken::has_snapshot);
        self.tokens.push(analysis.cancellation_token());
        LaterAnalysis { analysis, upgrade: self.upgrade }
    }
}

fn settings(settings: Settings, upgrade: UpgradePath) -> Settings {
    Settings { puppet_version: upgrade.to, prepares_upgrade: true, ..settings }
}

/// Returns the upgrade that the settings ask for; `None` for one to an earlier version.
fn upgrade(config: &Config) -> Option<UpgradePath> {
    let (from, to) = (config.settings.puppet_version, config.upgrade_to?);
    (from <= to).then_some(UpgradePath { from, to })
}
