//! Files to check, and their contents.

use crate::check::arguments::{CheckArguments, edit_option};
use crate::files::{self, FileFailure};
use crate::terminal::verbose::VerbosePhase;
use crate::workspace;
use catalog_view::text::plural;
use disk::Folders;
use disk::config::Config;
use ide::DiskState;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files to check.
#[derive(Clone)]
pub(super) struct SourcesToCheck {
    /// Files and folders named on the command line; standard input is represented by its assumed path.
    pub(super) named: Vec<PathBuf>,
    /// Sorted by path.
    pub(super) texts: Vec<(PathBuf, Arc<str>)>,
    /// Templates and Hiera files that are not UTF-8: reported as findings, not as failures.
    pub(super) undecoded: Vec<PathBuf>,
    pub(super) failures: Vec<FileFailure>,
}

/// Returns the texts as states that are kept until they are checked, compressed where they are used only
/// once.
pub(super) fn states_of(
    texts: &[(PathBuf, Arc<str>)],
    arguments: &CheckArguments,
) -> Vec<(PathBuf, DiskState)> {
    let state = |(path, text): &(PathBuf, Arc<str>)| {
        let state = DiskState::Text(text.clone());
        let absolute = workspace::absolute_path(path).filter(|_| edit_option(arguments).is_none());
        let state = match absolute {
            Some(absolute) => disk::packed(state, &absolute),
            None => state,
        };
        (path.clone(), state)
    };
    texts.iter().map(state).collect()
}

/// Reads the files to check, except for those whose contents are known. Also returns the folders that were
/// walked.
pub(super) fn read_sources(
    arguments: &CheckArguments,
    config: &Config,
    known: impl Fn(&Path) -> Option<Arc<str>> + Sync,
) -> anyhow::Result<(SourcesToCheck, Folders)> {
    disk::set_memory_limit(workspace::TEXTS_IN_MEMORY);
    let stdin = Path::new("-");
    let (mut named, from_stdin): (Vec<_>, Vec<_>) =
        arguments.paths.iter().cloned().partition(|it| it != stdin);
    let folders = Folders::default();
    let excluded = &config.settings.excluded_paths;
    let is_checked = match arguments.upgrade_to {
        Some(_) => files::is_checked_for_upgrade,
        None => files::is_checked_file,
    };
    if arguments.force_exclude {
        named = files::without_excluded(&named, excluded, is_checked);
    }
    let (paths, mut failures) = files::find_files_in(&folders, &named, excluded, is_checked);
    let trusted = config.trusted(&named);
    let read = |(): &(), path: &PathBuf| match known(path) {
        Some(text) => Ok(text),
        None => files::read_found_text(path, &trusted).map(Into::into),
    };
    let threads = arguments.threads.count();
    let phase = VerbosePhase::start();
    let reads = files::in_parallel(&paths, threads, || (), read, |_| {})?;
    phase.end(|| format!("read {}", plural(paths.len(), "file", "files")));
    let mut texts: Vec<(PathBuf, Arc<str>)> = Vec::new();
    let mut undecoded = Vec::new();
    let mut take = |path: PathBuf, read: Result<Arc<str>, FileFailure>| match read {
        Ok(text) => texts.push((path, text)),
        Err(failure) if failure.is_undecoded && files::checks_encoding(&path) => undecoded.push(path),
        Err(failure) => failures.push(failure),
    };
    if !from_stdin.is_empty() {
        let path = arguments.stdin_path.as_deref().unwrap_or(Path::new("<stdin>"));
        named.push(path.to_owned());
        take(path.to_owned(), files::read_stdin(path).map(Into::into));
    }
    for (path, read) in paths.into_iter().zip(reads) {
        take(path, read);
    }
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    Ok((SourcesToCheck { named, texts, undecoded, failures }, folders))
}
