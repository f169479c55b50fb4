//! Finding files, reading them, and spreading the work over threads.

pub(super) mod lines;
pub(super) mod partial;
pub(super) mod replacement;
pub(super) mod work;

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use disk::ignored::{IgnoreFiles, IgnoreRules};
use disk::{Entry, Folders, Links, ReadFailure, TrustedFolders, WalkFailure};

use super::{ColorChoice, terminal};

/// Deep trees are walked by recursion, and programs are evaluated so; the threads that do it have this much stack.
const STACK_SIZE: usize = ide::STACK_SIZE;

/// A file or folder that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileFailure {
    pub(super) path: PathBuf,
    pub(super) reason: String,
    /// Is it a text in another encoding?
    pub(super) is_undecoded: bool,
}

impl FileFailure {
    fn io(path: &Path, error: &io::Error) -> FileFailure {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "no such file or folder".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        };
        FileFailure { path: path.to_owned(), reason, is_undecoded: false }
    }

    /// A file that was to get another text.
    pub(super) fn unwritten(path: &Path, error: &io::Error) -> FileFailure {
        let reason = format!("{error}; the file is as it was");
        FileFailure { path: path.to_owned(), reason, is_undecoded: false }
    }
}

impl fmt::Display for FileFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", output::visible(&display_path(&self.path)), self.reason)
    }
}

/// A path as findings show it: without a leading `./`, with `/` between its parts.
pub(super) fn display_path(path: &Path) -> String {
    let text = path.strip_prefix(".").ok().filter(|it| !it.as_os_str().is_empty()).unwrap_or(path);
    let text = text.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// Reads a file that was found below a folder: a link counts as what it leads to, if that may be read.
pub(super) fn read_found_text(path: &Path, trusted: &TrustedFolders) -> Result<String, FileFailure> {
    let _span = tracing::info_span!("read_text").entered();
    let read = match bounded(path, disk::path_policy::read_unlinked(path, disk::MAX_FILE_SIZE))? {
        Some(bytes) => bytes,
        None => {
            let target = std::path::absolute(path).map_err(Into::into).and_then(|it| trusted.admit(&it));
            bounded(path, disk::path_policy::read_regular(&bounded(path, target)?, disk::MAX_FILE_SIZE))?
        }
    };
    decode(path, read)
}

/// Reads a file that the user names, as text; it may be a pipe.
pub(super) fn read_named_text(path: &Path) -> Result<String, FileFailure> {
    decode(path, bounded(path, disk::path_policy::read_named(path, disk::MAX_FILE_SIZE))?)
}

fn bounded<T>(path: &Path, read: Result<T, ReadFailure>) -> Result<T, FileFailure> {
    read.map_err(|failure| {
        let failure = match failure {
            ReadFailure::Missing => FileFailure::io(path, &io::ErrorKind::NotFound.into()),
            ReadFailure::Io(error) => FileFailure::io(path, &error),
            failure => {
                FileFailure { path: path.to_owned(), reason: failure.to_string(), is_undecoded: false }
            }
        };
        match std::fs::read_link(path) {
            Ok(target) => {
                let target = display_path(&target);
                let reason = format!("it is a link to {}: {}", output::visible(&target), failure.reason);
                FileFailure { reason, ..failure }
            }
            Err(_) => failure,
        }
    })
}

/// A text that was read, unless it is too long to be looked at.
pub(super) fn bounded_text(path: &Path, text: String, longest: usize) -> Result<String, FileFailure> {
    match text.len() > longest {
        true => {
            let reason = format!("it is larger than {longest} bytes");
            Err(FileFailure { path: path.to_owned(), reason, is_undecoded: false })
        }
        false => Ok(text),
    }
}

/// Reads the standard input to its end; `path` is what it is called in errors.
pub(super) fn read_stdin(path: &Path) -> Result<String, FileFailure> {
    decode(path, bounded(path, disk::path_policy::read_stdin(disk::MAX_FILE_SIZE))?)
}

fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, FileFailure> {
    String::from_utf8(bytes).map_err(|error| FileFailure {
        path: path.to_owned(),
        is_undecoded: true,
        reason: match ide::ByteOrderMark::of(error.as_bytes()) {
            Some(mark) => format!("it is {}", mark.complaint()),
            None => format!(
                "not UTF-8 (the byte at offset {} begins no character)",
                error.utf8_error().valid_up_to()
            ),
        },
    })
}

/// How many threads to start where the user did not say.
pub(super) fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(2, |it| it.get()).max(2)
}

/// All files to look at, in the order of their paths, and what could not be read: those that are named, and in folders those
/// that are `wanted`. What lies below the absolute paths `excluded` is passed over, unless it is named.
pub(super) fn find_files(
    paths: &[PathBuf],
    excluded: &[String],
    wanted: fn(&Path) -> bool,
) -> (Vec<PathBuf>, Vec<FileFailure>) {
    find_files_in(&Folders::default(), paths, excluded, wanted)
}

/// The same for one who walks through the folders again.
pub(super) fn find_files_in(
    folders: &Folders,
    paths: &[PathBuf],
    excluded: &[String],
    wanted: fn(&Path) -> bool,
) -> (Vec<PathBuf>, Vec<FileFailure>) {
    let mut files = Vec::new();
    let mut failures = Vec::new();
    walk(folders, paths, excluded, wanted, |found| match found {
        Ok(path) => files.push(path),
        Err(failure) => failures.push(failure),
    });
    files.sort();
    (files, failures)
}

/// Ignore files count in any folder, be it a repository or not.
const IGNORE_RULES: IgnoreRules = IgnoreRules { reads_plain: true, from_parents: true, requires_git: false };

/// Calls `found` with each file once. A file that is named in `paths` counts whatever it is called.
fn walk(
    folders: &Folders,
    paths: &[PathBuf],
    excluded: &[String],
    wanted: fn(&Path) -> bool,
    mut found: impl FnMut(Result<PathBuf, FileFailure>),
) {
    let excluded: Vec<PathBuf> = excluded.iter().map(PathBuf::from).collect();
    let mut seen = HashSet::new();
    let mut is_new = |path: &Path| seen.insert(path.strip_prefix(".").unwrap_or(path).to_owned());
    for path in paths {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() && leads_out(path) => {
                found(bounded(path, Err(ReadFailure::Outside)));
            }
            Ok(metadata) if metadata.is_dir() => {
                let ignored = IgnoreFiles::below(path, IGNORE_RULES);
                let is_passed_over = |entry: &Entry| {
                    let is_excluded = || {
                        !excluded.is_empty()
                            && std::path::absolute(entry.path()).is_ok_and(|it| excluded.contains(&it))
                    };
                    entry.file_name().as_encoded_bytes().starts_with(b".")
                        || !entry.is_folder() && !wanted(entry.path())
                        || ignored.name_entry(entry)
                        || is_excluded()
                };
                let mut walk = folders.walk(path, Links::Kept);
                while let Some(next) = walk.next() {
                    match next {
                        Ok(entry) if is_passed_over(&entry) => {}
                        Ok(entry) if entry.is_folder() => walk.enter(&entry),
                        Ok(entry) if is_new(entry.path()) => found(Ok(entry.into_path())),
                        Ok(_) => {}
                        Err(failure) => found(Err(walk_failure(failure))),
                    }
                }
                for (file, failure) in ignored.not_read() {
                    let file = display_path(&file);
                    terminal::print_warning(ColorChoice::Auto, &format!("cannot read {file}: {failure}"));
                }
            }
            Ok(_) if is_new(path) => found(Ok(path.clone())),
            Ok(_) => {}
            Err(error) => found(bounded(path, Err(error.into()))),
        }
    }
}

/// Is it a link in the current folder to what is outside of it? A shell may have named it (`modules/*`), and a repository says where
/// it leads.
fn leads_out(path: &Path) -> bool {
    let Ok(here) = std::env::current_dir() else { return false };
    let is_here = std::path::absolute(path).is_ok_and(|it| it.starts_with(&here));
    let stays = || Some(path.canonicalize().ok()?.starts_with(here.canonicalize().ok()?));
    is_here && path.is_symlink() && stays() != Some(true)
}

/// Is it a manifest or a template?
pub(super) fn is_puppet_file(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "pp" || it == "epp")
}

/// Is it a file in which rules find something?
pub(super) fn is_checked_file(path: &Path) -> bool {
    let names = ["metadata.json", "Puppetfile", "hiera.yaml"];
    is_puppet_file(path)
        || is_template(path)
        || path.file_name().is_some_and(|it| names.iter().any(|name| it == *name))
        || is_data(path)
}

/// Is it a finding that such a file is not UTF-8?
pub(super) fn tells_encoding(path: &Path) -> bool {
    let is_fact = || path.components().any(|it| it.as_os_str() == "facts.d");
    is_template(path) || path.file_name().is_some_and(|it| it == "hiera.yaml") || is_data(path) && !is_fact()
}

/// May it be an ERB template of a module?
pub(super) fn is_template(path: &Path) -> bool {
    let mut folders = path.components().rev().skip(1);
    path.extension().is_some_and(|it| it == "erb") && folders.any(|it| it.as_os_str() == "templates")
}

/// May it be data of Hiera, by its name and the folders that it lies in?
fn is_data(path: &Path) -> bool {
    let is_yaml = path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "eyaml");
    let folders = ["data", "hieradata", "hiera"];
    let mut parents = path.components().rev().skip(1).take(8);
    is_yaml && parents.any(|parent| folders.iter().any(|folder| parent.as_os_str() == *folder))
}

pub(super) fn walk_failure(WalkFailure { path, error }: WalkFailure) -> FileFailure {
    let error = error.unwrap_or_else(|| io::Error::other("it is a link to a folder around it"));
    FileFailure::io(&path, &error)
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunProgress {
    pub(super) done: usize,
    pub(super) total: usize,
    pub(super) elapsed: Duration,
}

/// How many items a thread takes at a time: enough that waking the thread that collects the results costs nothing.
const BATCH: usize = 16;

/// Runs `work` on each item, on `threads` threads of their own; `start` makes what each thread works with. The results
/// come in the order of the items. `report_progress` is called now and then on the calling thread.
pub(super) fn in_parallel<I: Sync, C: Send, T: Send>(
    items: &[I],
    threads: usize,
    start: impl Fn() -> C,
    work: impl Fn(&C, &I) -> T + Sync,
    mut report_progress: impl FnMut(RunProgress),
) -> io::Result<Vec<T>> {
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let (next, work) = (&next, &work);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, context) = (sender.clone(), start());
            std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || {
                loop {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    let Some(batch) = items.get(first..).filter(|it| !it.is_empty()) else { break };
                    let results =
                        batch.iter().take(BATCH).map(|item| work(&context, item)).collect::<Vec<T>>();
                    if sender.send((first, results)).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        let mut batches: Vec<(usize, Vec<T>)> = Vec::with_capacity(items.len().div_ceil(BATCH));
        let mut done = 0;
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(batch) => {
                    done += batch.1.len();
                    batches.push(batch);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            report_progress(RunProgress { done, total: items.len(), elapsed: started.elapsed() });
        }
        batches.sort_by_key(|(first, _)| *first);
        Ok(batches.into_iter().flat_map(|(_, results)| results).collect())
    })
}

/// The same, but the calling thread is one of those that work, so that what it remembers is there at the next call, too. It needs a
/// deep stack ([`on_deep_stack`]).
pub(super) fn in_parallel_here<I: Sync, C: Send, T: Send>(
    items: &[I],
    threads: usize,
    start: impl Fn() -> C,
    work: impl Fn(&C, &I) -> T + Sync,
    mut report_progress: impl FnMut(usize),
) -> io::Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    let next_batch = |context: &C| {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        let batch = items.get(first..).filter(|it| !it.is_empty())?;
        Some((first, batch.iter().take(BATCH).map(|item| work(context, item)).collect::<Vec<T>>()))
    };
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        for _ in 1..threads.min(items.len().div_ceil(BATCH)) {
            let context = start();
            let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
            helpers.push(thread.spawn_scoped(scope, move || {
                std::iter::from_fn(|| next_batch(&context)).collect::<Vec<_>>()
            })?);
        }
        let context = start();
        let mut batches = Vec::new();
        while let Some(batch) = next_batch(&context) {
            batches.push(batch);
            report_progress(next.load(Ordering::Relaxed).min(items.len()));
        }
        for helper in helpers {
            batches.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        batches.sort_by_key(|(first, _)| *first);
        Ok(batches.into_iter().flat_map(|(_, results)| results).collect())
    })
}

/// Runs `work` on a thread with a deep stack and waits for it.
pub(super) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| io::Error::other("a thread of ours panicked"))
    })
}

/// Writes a file that the user named, so that whoever reads it never sees half of it. A link stays one, and so does a device or a
/// pipe.
pub(super) fn write(output: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let target = output.canonicalize().unwrap_or_else(|_| output.to_owned());
    if target.metadata().is_ok_and(|it| !it.is_file()) {
        return std::fs::write(&target, bytes);
    }
    let mut partial = target.clone().into_os_string();
    partial.push(format!(".{}.partial", std::process::id()));
    partial::put(Path::new(&partial), &target, |path| std::fs::write(path, bytes))
}
