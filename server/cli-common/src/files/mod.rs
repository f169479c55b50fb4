//! Finding files, reading them, and distributing work over threads.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fmt, io};

pub use disk::display_path;
use disk::ignored::{IgnoreFiles, IgnoreRules};
use disk::{Entry, Folders, Links, ReadFailure, TrustedFolders, WalkFailure};
use syntax::{Language, Parse};

use super::{ColorChoice, terminal};
use crate::terminal::RunProgress;

/// Stack size of worker threads. Trees are walked and programs are evaluated recursively.
const STACK_SIZE: usize = ide::STACK_SIZE;

/// A file or folder that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFailure {
    pub path: PathBuf,
    pub reason: String,
    /// True if the file is text in another encoding.
    pub is_undecoded: bool,
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

    /// Creates a failure for a file that could not be written.
    pub fn unwritten(path: &Path, error: &io::Error) -> FileFailure {
        let reason = format!("{error}; the file was not changed");
        FileFailure { path: path.to_owned(), reason, is_undecoded: false }
    }
}

impl fmt::Display for FileFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read `{}`: {}", output::visible(&display_path(&self.path)), self.reason)
    }
}

/// Reads a file that was found below a folder. A link is followed if its target may be read.
pub fn read_found_text(path: &Path, trusted: &TrustedFolders) -> Result<String, FileFailure> {
    let _span = tracing::info_span!("read_text").entered();
    let read = match file_result(path, disk::path_policy::read_unlinked(path, disk::MAX_FILE_SIZE))? {
        Some(bytes) => bytes,
        None => {
            let target = std::path::absolute(path).map_err(Into::into).and_then(|it| trusted.admit(&it));
            file_result(
                path,
                disk::path_policy::read_regular(&file_result(path, target)?, disk::MAX_FILE_SIZE),
            )?
        }
    };
    decode(path, read)
}

/// Reads a file named on the command line, which may be a pipe.
pub fn read_named_text(path: &Path) -> Result<String, FileFailure> {
    decode(path, file_result(path, disk::path_policy::read_named(path, disk::MAX_FILE_SIZE))?)
}

fn file_result<T>(path: &Path, read: Result<T, ReadFailure>) -> Result<T, FileFailure> {
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
                let reason = format!("link to `{}`: {}", output::visible(&target), failure.reason);
                FileFailure { reason, ..failure }
            }
            Err(_) => failure,
        }
    })
}

/// Returns the text, unless it exceeds the limit.
pub fn bounded_text(path: &Path, text: String, limit: usize) -> Result<String, FileFailure> {
    if text.len() > limit {
        let reason = format!("file is larger than {limit} bytes");
        Err(FileFailure { path: path.to_owned(), reason, is_undecoded: false })
    } else {
        Ok(text)
    }
}

/// Reads standard input to its end; `path` is its name in error messages.
pub fn read_stdin(path: &Path) -> Result<String, FileFailure> {
    decode(path, file_result(path, disk::path_policy::read_stdin(disk::MAX_FILE_SIZE))?)
}

fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, FileFailure> {
    String::from_utf8(bytes).map_err(|error| FileFailure {
        path: path.to_owned(),
        is_undecoded: true,
        reason: match ide::ByteOrderMark::of(error.as_bytes()) {
            Some(mark) => mark.description(),
            None => format!("not UTF-8 (invalid byte at offset {})", error.utf8_error().valid_up_to()),
        },
    })
}

/// Returns the default number of threads.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(2, |it| it.get()).max(2)
}

/// Finds all named files, and the `wanted` files in named folders, sorted by path. Also returns the paths
/// that could not be read. Files below the absolute paths `excluded` are skipped unless they are named.
pub fn find_files(
    paths: &[PathBuf],
    excluded: &[String],
    wanted: fn(&Path) -> bool,
) -> (Vec<PathBuf>, Vec<FileFailure>) {
    find_files_in(&Folders::default(), paths, excluded, wanted)
}

/// Like [`find_files`], but reuses folder listings.
pub fn find_files_in(
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

/// Ignore files apply in any folder, inside a repository or not.
const IGNORE_RULES: IgnoreRules = IgnoreRules { reads_plain: true, from_parents: true, requires_git: false };

/// Calls `found` once for each file. Files in `paths` are accepted regardless of their name.
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
                found(file_result(path, Err(ReadFailure::Outside)));
            }
            Ok(metadata) if metadata.is_dir() => {
                let ignored = IgnoreFiles::below(path, IGNORE_RULES);
                let is_skipped = |entry: &Entry| {
                    let is_excluded = || {
                        !excluded.is_empty()
                            && std::path::absolute(entry.path()).is_ok_and(|it| excluded.contains(&it))
                    };
                    entry.file_name().as_encoded_bytes().starts_with(b".")
                        || !entry.is_folder() && !wanted(entry.path())
                        || ignored.is_entry_ignored(entry)
                        || is_excluded()
                };
                let mut walk = folders.walk(path, Links::Kept);
                while let Some(next) = walk.next() {
                    match next {
                        Ok(entry) if is_skipped(&entry) => {}
                        Ok(entry) if entry.is_folder() => walk.enter(&entry),
                        Ok(entry) if is_new(entry.path()) => found(Ok(entry.into_path())),
                        Ok(_) => {}
                        Err(failure) => found(Err(walk_failure(failure))),
                    }
                }
                for (file, failure) in ignored.not_read() {
                    let file = display_path(&file);
                    terminal::print_warning(ColorChoice::Auto, &format!("cannot read `{file}`: {failure}"));
                }
            }
            Ok(_) if is_new(path) => found(Ok(path.clone())),
            Ok(_) => {}
            Err(error) => found(file_result(path, Err(error.into()))),
        }
    }
}

/// Returns the paths without those that a search of the current folder would skip: excluded ones, and files that
/// are hidden or not `wanted`. `excluded` are absolute paths.
pub fn without_excluded(paths: &[PathBuf], excluded: &[String], wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let is_dotted = |it: Component<'_>| it.as_os_str().as_encoded_bytes().starts_with(b".");
    let is_hidden =
        |path: &Path| path.strip_prefix(&here).is_ok_and(|below| below.components().any(is_dotted));
    let is_searched = |path: &&PathBuf| {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let is_excluded = excluded.iter().any(|it| absolute.starts_with(it));
        !is_excluded && (path.is_dir() || wanted(path) && !is_hidden(&absolute))
    };
    paths.iter().filter(is_searched).cloned().collect()
}

/// Returns true for a link in the current folder that leads outside of it. It may have been named by a shell
/// glob (`modules/*`), while its target is determined by the repository.
fn leads_out(path: &Path) -> bool {
    let Ok(here) = std::env::current_dir() else { return false };
    let is_here = std::path::absolute(path).is_ok_and(|it| it.starts_with(&here));
    let stays = || Some(path.canonicalize().ok()?.starts_with(here.canonicalize().ok()?));
    is_here && path.is_symlink() && stays() != Some(true)
}

/// Returns true for manifests and EPP templates that Puppet may evaluate: not for `*.pp` files that a module
/// serves or renders, such as compiled SELinux policies.
pub fn is_evaluated_file(path: &Path) -> bool {
    is_puppet_file(path) && !is_served_file(path)
}

/// Returns true for a `*.pp` file in the folder `files` or `templates` of a module.
fn is_served_file(path: &Path) -> bool {
    let is_served_from = |folder: &Path| {
        let is_named = folder.file_name().is_some_and(|it| it == "files" || it == "templates");
        // A module may have that name itself.
        is_named && (!is_module(folder) || folder.parent().is_some_and(is_module))
    };
    path.extension().is_some_and(|it| it == "pp") && path.ancestors().skip(1).any(is_served_from)
}

fn is_module(folder: &Path) -> bool {
    ["metadata.json", "manifests", "lib", "functions", "types"].iter().any(|it| folder.join(it).exists())
}

/// Returns the language of a file according to its path. Returns `None` for a plan, or a manifest in a folder `plans`.
pub fn language(path: &Path, has_tasks: bool) -> Option<Language> {
    if path.extension().is_some_and(|it| it == "epp") {
        return Some(Language::Epp);
    }
    let may_be_plan = has_tasks || path.components().any(|it| it.as_os_str() == "plans");
    (!may_be_plan).then_some(Language::Manifest)
}

/// Parses a text according to the path of its file. A file in a folder `plans` is not necessarily a plan.
pub fn parse(path: &Path, text: &str, has_tasks: bool) -> Parse {
    if let Some(language) = language(path, has_tasks) {
        return syntax::parse(text, language);
    }
    let plan = Some(syntax::parse(text, Language::Plan)).filter(|it| it.errors().is_empty());
    plan.unwrap_or_else(|| syntax::parse(text, Language::Manifest))
}

/// Returns true for manifests and EPP templates.
pub fn is_puppet_file(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "pp" || it == "epp")
}

/// Returns true for files that rules check.
pub fn is_checked_file(path: &Path) -> bool {
    let names = ["metadata.json", "Puppetfile", "hiera.yaml"];
    is_evaluated_file(path)
        || is_template(path)
        || path.file_name().is_some_and(|it| names.iter().any(|name| it == *name))
        || is_data(path)
        || is_task_metadata(path)
        || is_bolt_file(path)
}

/// Returns true for files that rules check to prepare an upgrade.
pub fn is_checked_for_upgrade(path: &Path) -> bool {
    is_checked_file(path) || is_ruby_plugin(path) || is_test(path) || is_other_hiera_file(path)
}

/// Returns true for data and configurations of Hiera under other names, which old servers configure:
/// `hieradata_aws/common.yaml`, `hiera.production.yaml`.
fn is_other_hiera_file(path: &Path) -> bool {
    let starts = |name: &OsStr, start: &str| name.to_str().is_some_and(|it| it.starts_with(start));
    let is_yaml = path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "eyaml");
    let is_configuration = path.file_name().is_some_and(|it| starts(it, "hiera"));
    let mut parents = path.components().rev().skip(1).take(8);
    is_yaml && (is_configuration || parents.any(|it| starts(it.as_os_str(), "hieradata")))
}

/// Returns true for Ruby files of tests, and for the modules that they use.
fn is_test(path: &Path) -> bool {
    let is_fixtures = path.file_name().is_some_and(|it| it == ".fixtures.yml" || it == ".fixtures.yaml");
    let folders = || path.components().rev().skip(1).map(Component::as_os_str);
    let is_in_tests = || folders().any(|it| it == "spec") && !folders().any(|it| it == "fixtures");
    is_fixtures || path.extension().is_some_and(|it| it == "rb") && is_in_tests()
}

/// Returns true for Ruby files that Puppet or Facter may load.
pub fn is_ruby_plugin(path: &Path) -> bool {
    let mut folders = path.components().rev().skip(1);
    path.extension().is_some_and(|it| it == "rb") && folders.any(|it| it.as_os_str() == "lib")
}

/// Returns true for the metadata of a task, if its folder belongs to a module.
fn is_task_metadata(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    path.extension().is_some_and(|it| it == "json") && folder.is_some_and(|it| it == "tasks")
}

/// Returns true for the configuration, the inventory, and the plans in YAML of a Bolt project or module.
fn is_bolt_file(path: &Path) -> bool {
    let is_named = |name: &str| path.file_name().is_some_and(|it| it == name);
    let mut parents = path.components().rev().skip(1).take(8);
    is_named("bolt-project.yaml")
        || is_named("inventory.yaml")
        || path.extension().is_some_and(|it| it == "yaml") && parents.any(|it| it.as_os_str() == "plans")
}

/// Returns true for files whose encoding is checked by a rule.
pub fn checks_encoding(path: &Path) -> bool {
    let is_fact = || path.components().any(|it| it.as_os_str() == "facts.d");
    is_template(path) || path.file_name().is_some_and(|it| it == "hiera.yaml") || is_data(path) && !is_fact()
}

/// Returns true for files that may be ERB templates of a module.
pub fn is_template(path: &Path) -> bool {
    let mut folders = path.components().rev().skip(1);
    path.extension().is_some_and(|it| it == "erb") && folders.any(|it| it.as_os_str() == "templates")
}

/// Returns true for files that may be Hiera data according to their name and folder.
fn is_data(path: &Path) -> bool {
    let extensions = ["yaml", "yml", "eyaml", "json", "conf"];
    let has_extension = path.extension().is_some_and(|it| extensions.iter().any(|known| it == *known));
    let folders = ["data", "hieradata", "hiera"];
    let mut parents = path.components().rev().skip(1).take(8);
    has_extension && parents.any(|parent| folders.iter().any(|folder| parent.as_os_str() == *folder))
}

pub fn walk_failure(WalkFailure { path, error }: WalkFailure) -> FileFailure {
    let error = error.unwrap_or_else(|| io::Error::other("link to a parent folder"));
    FileFailure::io(&path, &error)
}

/// Number of items per batch, large enough to make the cost of sending results negligible.
const BATCH_SIZE: usize = 16;

/// Runs `work` on all items on `threads` new threads and returns the results in order. `start` creates the
/// context of each thread. `report_progress` is called regularly on the calling thread.
pub fn in_parallel<I: Sync, C: Send, T: Send>(
    items: &[I],
    threads: usize,
    start: impl Fn() -> C,
    work: impl Fn(&C, &I) -> T + Sync,
    report_progress: impl FnMut(RunProgress),
) -> io::Result<Vec<T>> {
    in_batches(items, BATCH_SIZE, threads, start, work, report_progress)
}

/// Like [`in_parallel`], for items that each take long: a thread takes them one by one.
pub fn in_parallel_singly<I: Sync, C: Send, T: Send>(
    items: &[I],
    threads: usize,
    start: impl Fn() -> C,
    work: impl Fn(&C, &I) -> T + Sync,
    report_progress: impl FnMut(RunProgress),
) -> io::Result<Vec<T>> {
    in_batches(items, 1, threads, start, work, report_progress)
}

fn in_batches<I: Sync, C: Send, T: Send>(
    items: &[I],
    size: usize,
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
                    let first = next.fetch_add(size, Ordering::Relaxed);
                    let Some(batch) = items.get(first..).filter(|it| !it.is_empty()) else { break };
                    let results =
                        batch.iter().take(size).map(|item| work(&context, item)).collect::<Vec<T>>();
                    if sender.send((first, results)).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        let mut batches: Vec<(usize, Vec<T>)> = Vec::with_capacity(items.len().div_ceil(size));
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

/// Like [`in_parallel`], but the calling thread participates, so that its thread-local caches are reused by
/// the next call. It needs a deep stack ([`on_deep_stack`]).
pub fn in_parallel_here<I: Sync, C: Send, T: Send>(
    items: &[I],
    threads: usize,
    start: impl Fn() -> C,
    work: impl Fn(&C, &I) -> T + Sync,
    mut report_progress: impl FnMut(usize),
) -> io::Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    let next_batch = |context: &C| {
        let first = next.fetch_add(BATCH_SIZE, Ordering::Relaxed);
        let batch = items.get(first..).filter(|it| !it.is_empty())?;
        Some((first, batch.iter().take(BATCH_SIZE).map(|item| work(context, item)).collect::<Vec<T>>()))
    };
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        for _ in 1..threads.min(items.len().div_ceil(BATCH_SIZE)) {
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

/// Returns the first result of `accept` for all items, or else for the first or the second half of them, and so
/// on down to single items, but for at most `MAX_ATTEMPTS` parts.
pub fn largest_accepted<I, T>(items: &[I], accept: &mut impl FnMut(&[I]) -> Option<T>) -> Option<T> {
    let mut waiting = vec![items];
    for _ in 0..MAX_ATTEMPTS {
        let part = waiting.pop().filter(|it| !it.is_empty())?;
        if let Some(accepted) = accept(part) {
            return Some(accepted);
        }
        if part.len() > 1 {
            let (first, second) = part.split_at(part.len() / 2);
            waiting.extend([second, first]);
        }
    }
    None
}

/// Maximum number of parts that [`largest_accepted`] tries.
const MAX_ATTEMPTS: usize = 256;

/// Runs `work` on a thread with a deep stack and waits for it.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| io::Error::other("internal error: a worker thread panicked"))
    })
}

/// Writes a file named on the command line atomically. Links are followed; devices and pipes are written
/// directly.
pub fn write(output: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let target = output.canonicalize().unwrap_or_else(|_| output.to_owned());
    if target.metadata().is_ok_and(|it| !it.is_file()) {
        return std::fs::write(&target, bytes);
    }
    let mut partial = target.clone().into_os_string();
    partial.push(format!(".{}.partial", std::process::id()));
    disk::partial::replace(Path::new(&partial), &target, |path| std::fs::write(path, bytes))
}

/// Writes the new text of a file, or creates the file with its folders.
pub fn replace_or_create(path: &Path, text: &str) -> std::io::Result<()> {
    if path.is_file() {
        return disk::replacement::write(path, text);
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    write(path, text.as_bytes())
}
