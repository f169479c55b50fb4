//! `--upgrade-to`: what an upgrade breaks or changes.

use std::path::PathBuf;
use std::sync::Arc;

use catalog_view::text::plural;
use disk::config::Config;
use ide::{Diagnostic, DiskState, PuppetVersion, UpgradePath};
use validation::VersionDifference;

use super::arguments::CheckArguments;
use super::changes::ChangedTexts;
use super::fix::{FixChoice, FixRun};
use super::sources::SourcesToCheck;
use crate::diff::proof::{self, EditEffect, EditedText};
use crate::files::display_path;
use crate::workspace::{self, Workspace};
use crate::{ColorChoice, terminal};

/// Fixes that may change behavior.
struct UnprovenFixes {
    /// Text of each file before them.
    before: Vec<Arc<str>>,
    run: FixRun,
}

/// An upgrade to prepare.
pub(super) struct Upgrade {
    pub(super) from: PuppetVersion,
    pub(super) to: PuppetVersion,
}

impl Upgrade {
    /// Returns the upgrade that the arguments describe, from Puppet 7 by default.
    pub(super) fn of(arguments: &CheckArguments) -> anyhow::Result<Option<Upgrade>> {
        let Some(to) = arguments.upgrade_to.map(PuppetVersion::from) else { return Ok(None) };
        let from = arguments.version.puppet_version.map_or(PuppetVersion::V7, PuppetVersion::from);
        anyhow::ensure!(from < to, "`--upgrade-to` needs a later version than `--puppet-version`");
        Ok(Some(Upgrade { from, to }))
    }

    /// Returns true for findings that are reported although the earlier version has them.
    pub(super) fn reports_known(&self, diagnostic: &Diagnostic) -> bool {
        UpgradePath { from: self.from, to: self.to }.reports_known(diagnostic)
    }

    /// Describes what the findings do not cover.
    pub(super) fn unchecked(&self) -> impl Iterator<Item = String> {
        let (from, to) = (self.from, self.to);
        let is_new = move |it: &&VersionDifference| to.has(**it) && !from.has(**it) && !it.is_checked();
        let differences = VersionDifference::ALL.iter().filter(is_new);
        let line =
            |it: &VersionDifference| format!("not checked: {}: {}", it.since().product(), it.summary());
        let files = "not checked: puppet.conf, and Ruby files outside of `lib` and `spec`";
        std::iter::once(files.to_owned()).chain(differences.map(line))
    }

    /// Applies safe fixes, and those that may change behavior in files whose catalogs they leave as they are.
    pub(super) fn fix(
        &self,
        arguments: &CheckArguments,
        config: &Config,
        workspace: &mut Workspace,
        sources: &mut SourcesToCheck,
        color: ColorChoice,
    ) -> anyhow::Result<ChangedTexts> {
        let threads = arguments.threads.count();
        let mut choice = FixChoice { takes_unsafe: false, takes: UpgradePath::is_fixed };
        let safe = FixRun::new(workspace, sources, choice, threads)?;
        choice.takes_unsafe = true;
        if !arguments.unsafe_fixes {
            choice.takes = UpgradePath::is_provable;
        }
        let before: Vec<Arc<str>> = sources.texts.iter().map(|(_, text)| text.clone()).collect();
        let run = FixRun::new(workspace, sources, choice, threads)?;
        let mut unproven = UnprovenFixes { before, run };
        self.revert_unproven(arguments, config, workspace, sources, &mut unproven, color)?;
        let proven = unproven.run;
        let mut changes = safe.changes;
        for (path, text) in proven.changes.before {
            changes.before.entry(path).or_insert(text);
        }
        let fixed = safe.fixed + proven.counts.values().sum::<usize>();
        super::fix::print_fix_count(fixed, changes.count(), arguments);
        Ok(changes)
    }

    /// Compiles everything before and after the fixes, and takes back those whose effect is not known to be
    /// none.
    fn revert_unproven(
        &self,
        arguments: &CheckArguments,
        config: &Config,
        workspace: &mut Workspace,
        sources: &mut SourcesToCheck,
        fixes: &mut UnprovenFixes,
        color: ColorChoice,
    ) -> anyhow::Result<()> {
        let UnprovenFixes { before, run } = fixes;
        if run.changes.count() == 0 {
            return Ok(());
        }
        let threads = arguments.threads.count();
        let mut earlier = config.clone();
        earlier.settings.puppet_version = self.from;
        let edited = |((path, after), before): (&(PathBuf, Arc<str>), &Arc<str>)| EditedText {
            path: path.clone(),
            before: before.clone(),
            after: after.clone(),
        };
        let texts: Vec<EditedText> = sources.texts.iter().zip(&*before).map(edited).collect();
        let effects = proof::effects(&earlier, config, &sources.named, &texts, threads)?;
        let mut states = Vec::new();
        for (at, (path, text)) in sources.texts.iter_mut().enumerate() {
            let Some(effect) = effects.get(path).filter(|it| **it != EditEffect::Nothing) else { continue };
            let fixes = plural(run.counts.get(&at).copied().unwrap_or_default(), "fix", "fixes");
            let (reason, is_open) = match effect {
                EditEffect::Difference(what) => (format!("a catalog changes: {what}"), false),
                EditEffect::Open(why) => (format!("not all catalogs are known to stay equal: {why}"), true),
                EditEffect::Nothing => continue,
            };
            let shown = display_path(path);
            if arguments.unsafe_fixes {
                terminal::print_warning(color, &format!("{fixes} applied in `{shown}`: {reason}"));
                continue;
            }
            let problem = format!("{fixes} not applied in `{shown}`: {reason}");
            let help = if is_open { "\nhelp: use `--unsafe-fixes` to apply them" } else { "" };
            terminal::print_warning(color, &(problem + help));
            run.counts.remove(&at);
            run.changes.before.remove(path);
            *text = before[at].clone();
            states.extend(workspace::absolute_path(path).map(|it| (it, DiskState::Text(text.clone()))));
        }
        workspace.replace(states);
        Ok(())
    }
}
