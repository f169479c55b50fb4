//! The files of a run, loaded into the same analysis that editors use, so that both give the same results.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use disk::config::Config;
use disk::{
    Disk, Folders, NotRead, ReadFailure, ScanSettings, ScannedFolder, Stamp, StopFlag, TrustedFolders,
    installed,
};
use fleet::nodes::{MAX_NODES, NodeFiles};
use ide::{
    Analysis, AnalysisHost, ChangeBatch, DiskState, EnvironmentId, FileId, FilePath, NeededPart, Settings,
};

use super::files::{self, display_path};
use super::terminal::verbose::{self, VerbosePhase};
use super::{ColorChoice, terminal};

/// Minimum number of files between two evictions.
const MIN_SLICE_LENGTH: usize = 256;

/// Maximum number of files between two evictions, which is only reached within one module.
const MAX_SLICE_LENGTH: usize = 16 * MIN_SLICE_LENGTH;

/// Number of bytes of texts that stay in memory uncompressed for commands that read all files once.
pub const TEXTS_IN_MEMORY: usize = 64 << 20;

/// Maximum number of parent folders that are searched for a module.
const MAX_DEPTH: usize = 64;

/// Files that mark a folder as an environment or a module.
const MARKERS: [&str; 2] = ["environment.conf", "metadata.json"];

/// Stamps of files by path.
pub type Stamps = HashMap<FilePath, Stamp>;

/// An analysis that is loaded with the files of a run.
pub struct Workspace {
    host: AnalysisHost,
    /// Folders that may be read.
    trusted: TrustedFolders,
    /// Warnings about skipped paths and ignored settings.
    notes: Vec<String>,
    /// Folders named on the command line.
    named: Vec<FilePath>,
    /// Checkable files below those folders that were not among the given texts.
    skipped_files: Vec<PathBuf>,
    /// Number of files.
    loaded: usize,
    /// Folders that were read.
    scanned: Vec<ScannedFolder>,
}

/// Maximum size of a marker file in bytes.
const MAX_MARKER_SIZE: u64 = 1 << 20;

/// Files with the facts of nodes of the setting `nodes`.
#[derive(Default)]
struct ReadNodes {
    files: Vec<(PathBuf, String)>,
    /// Problem, or limitation.
    note: Option<String>,
}

/// Reads the nodes of the setting `nodes`.
fn read_nodes(config: &Config, trusted: &TrustedFolders) -> ReadNodes {
    let Some(path) = &config.nodes else { return ReadNodes::default() };
    let path = Path::new(path);
    let shown = output::visible(&display_path(path)).into_owned();
    let admitted = trusted.admit(path).map_err(anyhow::Error::from);
    match admitted.and_then(|_| NodeFiles::read(path, MAX_NODES)) {
        Ok(NodeFiles { files, total }) => {
            let note = (total > MAX_NODES).then(|| {
                format!("only the first {MAX_NODES} of {total} nodes in `{shown}` are used; `check --nodes` compiles all")
            });
            ReadNodes { files, note }
        }
        Err(error) => {
            let note = format!(
                "cannot read `{shown}` (setting `nodes`): {}",
                output::visible(&format!("{error:#}"))
            );
            ReadNodes { files: Vec::new(), note: Some(note) }
        }
    }
}

impl Workspace {
    /// Creates a workspace of the given texts and the marker files of their parent folders. `arguments` are
    /// the paths named on the command line.
    pub fn new(
        settings: Settings,
        arguments: &[PathBuf],
        texts: impl Iterator<Item = (PathBuf, Arc<str>)>,
    ) -> Workspace {
        let states = texts.map(|(path, text)| (path, DiskState::Text(text)));
        Workspace::in_host(AnalysisHost::new(), settings, arguments, states, &Folders::default())
    }

    fn in_host(
        mut host: AnalysisHost,
        settings: Settings,
        arguments: &[PathBuf],
        texts: impl Iterator<Item = (PathBuf, DiskState)>,
        known: &Folders,
    ) -> Workspace {
        let mut batch = ChangeBatch { settings: Some(settings), ..ChangeBatch::default() };
        let mut folders = HashSet::new();
        for (path, state) in texts {
            let Some(path) = absolute(&path) else { continue };
            folders.extend(path.ancestors().skip(1).take(MAX_DEPTH).map(Path::to_owned));
            batch.disk.extend(file_path(&path).map(|path| (path, state)));
        }
        for folder in &folders {
            for marker in MARKERS.into_iter().filter(|it| known.may_contain(folder, it)) {
                let path = folder.join(marker);
                if let Ok(text) = disk::path_policy::read_regular_text(&path, MAX_MARKER_SIZE) {
                    batch.disk.extend(file_path(&path).map(|path| (path, DiskState::Text(text.into()))));
                }
            }
        }
        let roots = arguments.iter().filter_map(|argument| Some(root(argument)?.to_str()?.to_owned()));
        batch.roots = Some(roots.collect());
        let loaded = batch.disk.len();
        host.apply(batch);
        let folders = arguments.iter().filter(|it| it.is_dir());
        let named = folders.filter_map(|it| absolute_path(it)).collect();
        Workspace {
            host,
            trusted: TrustedFolders::default(),
            notes: Vec::new(),
            named,
            skipped_files: Vec::new(),
            loaded,
            scanned: Vec::new(),
        }
    }

    /// Like [`Workspace::new`], but also loads everything that names in the texts may refer to: the
    /// environments, folders of modules or modules that contain the arguments.
    pub fn with_surroundings(
        config: &Config,
        arguments: &[PathBuf],
        texts: impl Iterator<Item = (PathBuf, Arc<str>)>,
    ) -> Workspace {
        let states = texts.map(|(path, text)| (path, DiskState::Text(text)));
        let workspace =
            Workspace::around(AnalysisHost::new(), config, arguments, states, &Folders::default());
        workspace.print_environments();
        workspace
    }

    /// Like [`Workspace::with_surroundings`], for a single pass that has already walked through `folders`.
    /// The contents cannot be replaced later.
    pub fn read_once(
        config: &Config,
        arguments: &[PathBuf],
        texts: impl Iterator<Item = (PathBuf, DiskState)>,
        folders: &Folders,
    ) -> Workspace {
        let mut workspace = Workspace::around(AnalysisHost::collecting(), config, arguments, texts, folders);
        workspace.host.freeze();
        workspace.print_environments();
        workspace
    }

    fn around(
        host: AnalysisHost,
        config: &Config,
        arguments: &[PathBuf],
        texts: impl Iterator<Item = (PathBuf, DiskState)>,
        known: &Folders,
    ) -> Workspace {
        let _span = tracing::info_span!("workspace").entered();
        let phase = VerbosePhase::start();
        let mut folders: Vec<PathBuf> = arguments.iter().filter_map(|it| surroundings(it)).collect();
        folders.sort();
        folders.dedup();
        let scan_settings = config.scan_settings(&config.trusted(&folders));
        let nodes = read_nodes(config, &scan_settings.trusted);
        let mut settings = config.settings.clone();
        settings.fact_files.extend(nodes.files.iter().map(|(path, _)| path.to_string_lossy().into_owned()));
        let mut workspace = Workspace::in_host(host, settings, arguments, texts, known);
        workspace.trusted = scan_settings.trusted.clone();
        workspace.notes.extend(nodes.note.clone());
        workspace.notes.extend(config.ignored.iter().cloned());
        let mut last: Option<PathBuf> = None;
        for folder in folders {
            if last.as_ref().is_some_and(|last| folder.starts_with(last)) {
                continue;
            }
            let Some(root) = file_path(&folder) else { continue };
            last = Some(folder);
            workspace.scan(&root, &scan_settings, known);
        }
        workspace.read_fact_files(&nodes);
        let mut unread = Vec::new();
        for folder in workspace.host.module_folders() {
            let is_known = last.as_ref().is_some_and(|last| Path::new(&folder.to_native()).starts_with(last));
            let native = PathBuf::from(folder.to_native());
            let is_excluded = config.settings.excluded_paths.iter().any(|it| native.starts_with(it));
            if is_known && is_usual(&folder) || is_excluded || !native.is_dir() {
                continue;
            }
            let scan_settings = ScanSettings { reads_ignored: is_known, ..scan_settings.clone() };
            match workspace.trusted.admit(&native) {
                Ok(_) => workspace.scan(&folder, &scan_settings, known),
                Err(failure) => {
                    workspace.note(&NotRead { path: native, reason: failure.to_string() });
                    unread.push(folder);
                }
            }
        }
        workspace.host.apply(ChangeBatch { unread_folders: Some(unread), ..ChangeBatch::default() });
        phase.end(|| format!("loaded {} files", workspace.loaded));
        workspace
    }

    /// Reads the fact files; those of `nodes` are not on disk.
    fn read_fact_files(&mut self, nodes: &ReadNodes) {
        let mut facts = ChangeBatch::default();
        for path in self.host.fact_file_paths() {
            let native = PathBuf::from(path.to_native());
            if let Some((_, text)) = nodes.files.iter().find(|(file, _)| *file == native) {
                facts.disk.push((path, DiskState::Text(text.as_str().into())));
                continue;
            }
            if let Err(failure @ ReadFailure::Outside) = self.trusted.admit(&native) {
                self.note(&NotRead { path: native.clone(), reason: failure.to_string() });
            }
            let state = disk::read_text(&native, &self.trusted);
            facts.disk.push((path, state));
        }
        self.host.apply(facts);
    }

    /// Prints the environments, their folders of modules, and the versions that apply, with `--verbose`.
    fn print_environments(&self) {
        let analysis = self.analysis();
        for root in analysis.environments().into_iter().filter_map(|it| analysis.environment_root(it)) {
            verbose::say(|| format!("environment: {}", root.to_native()));
        }
        verbose::say(|| {
            let folders = self.host.module_folders();
            let existing = folders.iter().map(FilePath::to_native).filter(|it| Path::new(it).is_dir());
            format!("modules from: {}", existing.collect::<Vec<_>>().join(", "))
        });
        let settings = self.host.settings();
        verbose::say(|| {
            let version = settings.puppet_version.major();
            let strict = match settings.strict() {
                ide::Strict::Off => "off",
                ide::Strict::Warning => "warning",
                ide::Strict::Error => "error",
            };
            format!("assuming Puppet {version} with strict = {strict}")
        });
    }

    fn scan(&mut self, folder: &FilePath, settings: &ScanSettings, known: &Folders) {
        let mut batch = ChangeBatch::default();
        let is_known = |path: &FilePath| self.host.is_on_disk(path);
        let not_read = disk::scan_others(folder, settings, known, &StopFlag::default(), is_known, |files| {
            batch.disk.extend(files);
        });
        not_read.iter().for_each(|it| self.note(it));
        self.scanned.push(ScannedFolder::new(folder.clone(), settings.clone()));
        self.take(batch);
    }

    fn note(&mut self, NotRead { path, reason }: &NotRead) {
        let note = format!("cannot read `{}`: {reason}", output::visible(&display_path(path)));
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Prints warnings about skipped paths and ignored settings.
    pub fn print_notes(&self, color: ColorChoice) {
        self.notes.iter().for_each(|note| terminal::print_warning(color, note));
    }

    /// Returns the number of checkable files below the named folders that were skipped because of ignore
    /// files. `found` are the files that were found but could not be read.
    pub fn skipped_files<'p>(&self, found: impl Iterator<Item = &'p Path>) -> usize {
        let found: HashSet<PathBuf> = found.filter_map(absolute).collect();
        self.skipped_files.iter().filter(|path| !found.contains(*path)).count()
    }

    pub fn may_read(&self, path: &Path) -> bool {
        self.trusted.admit(path).is_ok()
    }

    /// Returns the reader for templates and data.
    pub fn disk(&self) -> Disk {
        Disk::new(self.trusted.clone())
    }

    /// Adds files from disk, except for those whose texts were given.
    fn take(&mut self, mut batch: ChangeBatch) {
        batch.disk.retain(|(path, _)| !self.host.is_on_disk(path));
        let below = batch.disk.iter().filter(|(path, _)| self.named.iter().any(|it| path.starts_with(it)));
        let native = below.map(|(path, _)| PathBuf::from(path.to_native()));
        self.skipped_files.extend(native.filter(|path| files::is_checked_file(path)));
        self.loaded += batch.disk.len();
        if !batch.disk.is_empty() {
            self.host.apply(batch);
        }
    }

    /// Excludes parts from being compiled; their results are inconclusive.
    pub fn exclude_parts(&mut self, parts: &[NeededPart]) {
        self.host.exclude_parts(parts);
    }

    /// Replaces the contents of files.
    pub fn replace(&mut self, disk: Vec<(FilePath, DiskState)>) {
        self.host.apply(ChangeBatch { disk, ..ChangeBatch::default() });
    }

    /// Returns the stamps of all files that results may depend on.
    pub fn stamps(&self) -> Stamps {
        let mut stamps = Stamps::new();
        for folder in &self.scanned {
            stamps.extend(folder.stamps());
        }
        for path in self.host.fact_file_paths() {
            let metadata = std::fs::metadata(path.to_native()).ok();
            stamps.extend(metadata.map(|it| (path, Stamp::of(&it))));
        }
        stamps
    }

    /// Reads files again that were changed, created or removed.
    pub fn read_again(&mut self, paths: &[FilePath]) {
        let fact_files = self.host.fact_file_paths();
        let read = |path: &FilePath| {
            let native = PathBuf::from(path.to_native());
            let state = if fact_files.contains(path) {
                disk::read_text(&native, &self.trusted)
            } else {
                disk::read_file(path, &native, &self.trusted)
            };
            (path.clone(), state)
        };
        let disk = paths.iter().map(read).collect();
        self.replace(disk);
    }

    /// Adds the documentation of an installed Puppet.
    pub fn add_installed_puppet(&mut self, setting: Option<&str>) {
        let installed = Some(installed::read(setting));
        self.host.apply(ChangeBatch { installed, ..ChangeBatch::default() });
    }

    /// Returns warnings about the settings of an environment, one per line: a main manifest that does not
    /// exist, and folders of modules that are not on the module path.
    pub fn settings_warnings(&self, analysis: &Analysis, environment: EnvironmentId) -> Vec<String> {
        let absent = analysis.environment_root(environment).and_then(|root| {
            let manifest = self.host.absent_manifest(&root)?;
            let shown = manifest.strip_prefix(&root).map_or_else(|| manifest.to_native(), str::to_owned);
            let shown = output::visible(&shown);
            Some(match self.trusted.admit(Path::new(&manifest.to_native())) {
                Err(failure @ ReadFailure::Outside) => {
                    format!("cannot read main manifest `{shown}` of environment.conf: {failure}\n")
                }
                _ => format!(
                    "main manifest `{shown}` of environment.conf not found: Puppet treats it as empty\n"
                ),
            })
        });
        absent.into_iter().chain(self.extra_folders_warning(analysis, environment)).collect()
    }

    /// Returns a line that lists the folders from which modules are loaded although Puppet would not; `None`
    /// if there are none.
    fn extra_folders_warning(&self, analysis: &Analysis, environment: EnvironmentId) -> Option<String> {
        let root = analysis.environment_root(environment)?;
        let (folders, is_set) = self.host.further_folders(&root);
        let below = folders
            .iter()
            .filter_map(|folder| if *folder == root { Some(".") } else { folder.strip_prefix(&root) });
        let list = below.collect::<Vec<_>>().join(", ");
        let reason = if is_set {
            "they are not on the module path of Puppet"
        } else {
            "Puppet only does so if environment.conf lists them"
        };
        (!list.is_empty()).then(|| format!("modules are also loaded from {list}: {reason}\n"))
    }

    pub fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    /// Returns the paths at and below a folder that exist.
    pub fn paths_below(&self, folder: &FilePath) -> Vec<FilePath> {
        self.host.paths_below(folder)
    }

    /// Returns the number of files at the start of `paths` (sorted) to process before the next
    /// [`Workspace::evict`]. Files of a module stay together, because they share results.
    pub fn slice_length<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> usize {
        let analysis = self.analysis();
        let module = |path: &Path| Some(analysis.module_folder(file(&analysis, path)?)?.clone());
        let mut last = None;
        let mut length = 0;
        for path in paths.take(MAX_SLICE_LENGTH) {
            if length >= MIN_SLICE_LENGTH {
                let module = module(path);
                if module.is_none() || last.is_some_and(|last| last != module) {
                    break;
                }
                last = Some(module);
            } else if length + 1 == MIN_SLICE_LENGTH {
                last = Some(module(path));
            }
            length += 1;
        }
        length
    }

    /// Returns memory usage by kind, largest first.
    pub fn memory_parts(&mut self) -> Vec<ide::MemoryPart> {
        self.host.memory_parts()
    }

    /// Evicts results that only the files processed so far needed.
    pub fn evict(&mut self) {
        self.host.trigger_eviction();
    }
}

/// Returns the files whose stamps differ, sorted by path.
pub fn changed_files(old: &Stamps, new: &Stamps) -> Vec<FilePath> {
    let changed = new.iter().filter(|(path, stamp)| old.get(*path) != Some(*stamp)).map(|(path, _)| path);
    let removed = old.keys().filter(|path| !new.contains_key(*path));
    let mut changed: Vec<FilePath> = changed.chain(removed).cloned().collect();
    changed.sort();
    changed
}

/// Returns true for files that determine which other files are read.
pub fn decides_what_is_read(path: &FilePath) -> bool {
    ["environment.conf", "bolt-project.yaml", ".fixtures.yml"].contains(&path.file_name())
}

/// Returns true for folders of modules that are read with their environment even if they are ignored.
fn is_usual(folder: &FilePath) -> bool {
    disk::usual_module_folders().any(|it| it == folder.file_name())
}

/// Returns the folder whose settings apply to a run: the first of `paths`, or its parent if it is a file.
pub fn settings_folder(paths: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| {
        let path = absolute(path)?;
        if path.is_dir() { Some(path) } else { path.parent().map(Path::to_owned) }
    };
    paths.iter().find_map(folder).unwrap_or_else(|| PathBuf::from("."))
}

/// Allows the folders of a module path option to be read, and returns them.
///
/// # Errors
/// Fails if one of them does not exist.
pub fn trusted_module_path(config: &mut Config, paths: &str) -> anyhow::Result<Vec<String>> {
    let folders: Vec<String> =
        split_paths(paths).map(|path| existing_folder(Path::new(path))).collect::<anyhow::Result<_>>()?;
    config.trusted_folders.extend(folders.iter().cloned());
    Ok(folders)
}

/// Like [`trusted_module_path`], for folders that need not exist any more.
///
/// # Errors
/// Fails if the path of a folder is not UTF-8.
pub fn earlier_module_path(config: &mut Config, paths: &str) -> anyhow::Result<Vec<String>> {
    let folders: Vec<String> =
        split_paths(paths).map(|path| absolute_folder(Path::new(path))).collect::<anyhow::Result<_>>()?;
    config.trusted_folders.extend(folders.iter().filter(|it| Path::new(it).is_dir()).cloned());
    Ok(folders)
}

/// Splits a module path.
pub(crate) fn split_paths(paths: &str) -> impl Iterator<Item = &str> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    paths.split(separator).filter(|path| !path.is_empty())
}

/// Returns the absolute path of a folder.
///
/// # Errors
/// Fails if it does not exist.
pub fn existing_folder(path: &Path) -> anyhow::Result<String> {
    anyhow::ensure!(path.is_dir(), "folder `{}` not found", display_path(path));
    absolute_folder(path)
}

fn absolute_folder(path: &Path) -> anyhow::Result<String> {
    let absolute = std::path::absolute(path)?;
    absolute.to_str().map(str::to_owned).context("the path of a folder is not UTF-8")
}

/// Returns the file at a path, if Puppet would load a file with that name.
pub fn file(analysis: &Analysis, path: &Path) -> Option<FileId> {
    analysis.file_id(&absolute_path(path)?)
}

/// Resolves a native path against the current folder; `None` if it is not UTF-8.
pub fn absolute_path(path: &Path) -> Option<FilePath> {
    // On Unix, an absolute path needs no working directory.
    if cfg!(unix) && path.is_absolute() { file_path(path) } else { file_path(&absolute(path)?) }
}

/// Returns a folder itself, or the outermost environment or module that contains a file.
fn root(argument: &Path) -> Option<PathBuf> {
    let path = absolute(argument)?;
    if path.is_dir() {
        return Some(path);
    }
    let is_marked = |folder: &&Path| MARKERS.iter().any(|marker| folder.join(marker).is_file());
    let outermost = path.ancestors().skip(1).take(MAX_DEPTH).filter(is_marked).last();
    outermost.or(path.parent()).map(Path::to_owned)
}

/// Returns the folder whose files may affect an argument; `None` for a standalone file.
fn surroundings(argument: &Path) -> Option<PathBuf> {
    let path = absolute(argument)?;
    let is_folder = path.is_dir();
    let around = disk::project_around(&if is_folder { path.join("any") } else { path.clone() });
    around.or_else(|| is_folder.then_some(path))
}

fn absolute(path: &Path) -> Option<PathBuf> {
    std::path::absolute(path).ok()
}

fn file_path(path: &Path) -> Option<FilePath> {
    FilePath::from_native(path.to_str()?)
}

/// Loads the workspace of a folder and its surroundings, with the contents of files that may be elsewhere.
pub fn load(root: &Path, texts: Vec<(PathBuf, Arc<str>)>) -> anyhow::Result<Workspace> {
    if !root.is_dir() {
        anyhow::bail!("folder `{}` not found", display_path(root));
    }
    let config = Config::load(root)?;
    let mut arguments = vec![root.to_owned()];
    arguments.extend(texts.iter().map(|(path, _)| path.clone()).filter(|path| !is_below(path, root)));
    Ok(Workspace::with_surroundings(&config, &arguments, texts.into_iter()))
}

fn is_below(path: &Path, folder: &Path) -> bool {
    match (absolute_path(path), absolute_path(folder)) {
        (Some(path), Some(folder)) => path.starts_with(&folder),
        _ => false,
    }
}
