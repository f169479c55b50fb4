//! `--watch`: checks again whenever files change.
//!
//! Changes are found by comparing file stamps at intervals, which also works on network file systems. The
//! analysis is kept, so that only results that depend on a changed file are recomputed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use catalog_view::text::plural;
use disk::Stamp;
use disk::config::Config;
use ide::{DiskState, FilePath};

use super::arguments::{CheckArguments, settings};
use super::run::{CheckRun, Workspaces};

use super::sources::{SourcesToCheck, read_sources};
use super::wanted::WantedFindings;
use crate::files::{self, display_path};
use crate::workspace::{self, Stamps, Workspace};
use crate::{ColorChoice, CommandOutcome, terminal};

/// Minimum time between two searches for changes.
const MIN_INTERVAL: Duration = Duration::from_millis(500);

/// Minimum ratio of the time between two searches to the time that one takes.
const INTERVAL_RATIO: u32 = 10;

/// Maximum number of changed files that are named.
const MAX_NAMED_FILES: usize = 3;

/// Reason to check again.
enum WatchedChange {
    /// Files were changed, created or removed.
    Files(Vec<FilePath>),
    Settings,
}

/// A loaded workspace that is checked repeatedly.
struct WatchedWorkspace {
    config: Config,
    workspaces: Workspaces,
    sources: SourcesToCheck,
    stamps: Stamps,
    /// Time that the last search for changes took.
    search_time: Duration,
}

/// Checks until the process is interrupted, which then exits with the code of the last result.
pub(super) fn run(arguments: &CheckArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let mut watched = WatchedWorkspace::load(arguments, settings(arguments)?)?;
    loop {
        let outcome = watched.check(arguments, color)?;
        disk::partial::exit_when_interrupted(outcome.exit_code());
        let files = plural(watched.stamps.len(), "file", "files");
        terminal::print_to_stderr(&format!("watching {files}; press Ctrl-C to stop\n"));
        match watched.next_change(arguments, color) {
            WatchedChange::Settings => {
                if let Ok(config) = settings(arguments) {
                    watched = WatchedWorkspace::load(arguments, config)?;
                }
            }
            WatchedChange::Files(changed) => watched.update(arguments, &changed)?,
        }
    }
}

impl WatchedWorkspace {
    fn load(arguments: &CheckArguments, config: Config) -> anyhow::Result<WatchedWorkspace> {
        let start = SystemTime::now();
        let (sources, _) = read_sources(arguments, &config, |_| None)?;
        let workspace = Workspace::with_surroundings(&config, &sources.named, sources.texts.iter().cloned());
        let mut watched = WatchedWorkspace {
            config,
            workspaces: Workspaces::new(workspace),
            sources,
            stamps: Stamps::new(),
            search_time: Duration::ZERO,
        };
        watched.stamps = watched.current_stamps();
        // Files that changed while they were read are read again.
        watched.stamps.retain(|_, stamp| !stamp.is_since(start));
        Ok(watched)
    }

    fn current_stamps(&mut self) -> Stamps {
        let started = Instant::now();
        let mut stamps = self.workspaces.current.stamps();
        let excluded = &self.config.settings.excluded_paths;
        let (paths, _) = files::find_files(&self.sources.named, excluded, files::is_checked_file);
        for path in paths {
            let Some(absolute) = workspace::absolute_path(&path) else { continue };
            if !stamps.contains_key(&absolute) {
                let metadata = std::fs::metadata(&path).ok();
                stamps.extend(metadata.map(|it| (absolute, Stamp::of(&it))));
            }
        }
        self.search_time = started.elapsed();
        stamps
    }

    /// Checks all files and reports the findings.
    fn check(&mut self, arguments: &CheckArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
        let mut run = CheckRun::new(WantedFindings::new(arguments, &self.sources)?, &self.config, color);
        run.run(&mut self.workspaces, self.sources.clone(), None)
    }

    /// Waits until something changes.
    fn next_change(&mut self, arguments: &CheckArguments, color: ColorChoice) -> WatchedChange {
        let mut problem = None;
        loop {
            std::thread::sleep(MIN_INTERVAL.max(self.search_time * INTERVAL_RATIO));
            match settings(arguments) {
                Ok(config) if config == self.config => {}
                Ok(_) => return WatchedChange::Settings,
                Err(error) => {
                    let error = format!("{error:#}");
                    if problem.as_ref() != Some(&error) {
                        terminal::print_error(color, &error);
                        problem = Some(error);
                    }
                    continue;
                }
            }
            let stamps = self.current_stamps();
            let changed = workspace::changed_files(&self.stamps, &stamps);
            if !changed.is_empty() {
                self.stamps = stamps;
                return if changed.iter().any(workspace::decides_what_is_read) {
                    WatchedChange::Settings
                } else {
                    WatchedChange::Files(changed)
                };
            }
        }
    }

    /// Reads changed files.
    fn update(&mut self, arguments: &CheckArguments, changed: &[FilePath]) -> anyhow::Result<()> {
        print_changed(changed);
        let known: HashMap<PathBuf, Arc<str>> = self.sources.texts.drain(..).collect();
        let is_changed =
            |path: &Path| workspace::absolute_path(path).is_none_or(|it| changed.binary_search(&it).is_ok());
        let known = |path: &Path| known.get(path).filter(|_| !is_changed(path)).cloned();
        (self.sources, _) = read_sources(arguments, &self.config, known)?;
        self.workspaces.current.read_again(changed);
        let texts = self.sources.texts.iter().filter(|(path, _)| is_changed(path));
        let states = texts
            .filter_map(|(path, text)| Some((workspace::absolute_path(path)?, DiskState::Text(text.clone()))))
            .collect();
        self.workspaces.current.replace(states);
        Ok(())
    }
}

fn print_changed(changed: &[FilePath]) {
    let here = std::env::current_dir().unwrap_or_default();
    let name = |path: &FilePath| {
        let native = PathBuf::from(path.to_native());
        let shown = native.strip_prefix(&here).map_or(native.as_path(), |it| it);
        output::visible(&display_path(shown)).into_owned()
    };
    let mut names: Vec<String> = changed.iter().take(MAX_NAMED_FILES).map(name).collect();
    if changed.len() > MAX_NAMED_FILES {
        names.push(plural(changed.len() - MAX_NAMED_FILES, "other file", "other files"));
    }
    terminal::print_to_stderr(&format!("changed: {}\n", names.join(", ")));
}
