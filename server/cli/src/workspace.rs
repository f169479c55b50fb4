//! The files of a run in the same analysis that an editor asks, so that both say the same.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::config::Config;
use disk::installed;
use disk::{Disk, Folders, NotRead, ReadFailure, ScanSettings, StopFlag, TrustedFolders};
use ide::{Analysis, AnalysisHost, ChangeBatch, DiskState, EnvironmentId, FileId, FilePath, Settings};

use super::files::{self, display_path};
use super::{ColorChoice, terminal};

/// So many files are looked at before what only they needed is forgotten, and more only where they are of one module.
const SLICE: usize = 256;
const MAX_SLICE_LENGTH: usize = 16 * SLICE;

/// So many bytes of texts a command that reads all of them once leaves in memory as they are.
pub(super) const TEXTS_IN_MEMORY: usize = 64 << 20;

/// Above this many folders nobody looks for a module.
const MAX_DEPTH: usize = 64;

/// Files that say what the folder is that they lie in.
const MARKERS: [&str; 2] = ["environment.conf", "metadata.json"];

pub(super) struct Workspace {
    host: AnalysisHost,
    /// What may be read of the disk.
    trusted: TrustedFolders,
    /// What the user should know: what was not read, and what was ignored.
    notes: Vec<String>,
    /// The folders that the user named.
    named: Vec<FilePath>,
    /// The files below them that were not among the texts, although they could be judged.
    passed_over: Vec<PathBuf>,
}

/// Longer files do not say what a folder is.
const MAX_MARKER_SIZE: u64 = 1 << 20;

impl Workspace {
    /// Takes the texts in, and what the folders around them say. `arguments` are the paths that the user named.
    pub(super) fn new(
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
            for marker in MARKERS.into_iter().filter(|it| known.may_hold(folder, it)) {
                let path = folder.join(marker);
                if let Ok(text) = disk::path_policy::read_regular_text(&path, MAX_MARKER_SIZE) {
                    batch.disk.extend(file_path(&path).map(|path| (path, DiskState::Text(text.into()))));
                }
            }
        }
        let roots = arguments.iter().filter_map(|argument| Some(root(argument)?.to_str()?.to_owned()));
        batch.roots = Some(roots.collect());
        host.apply(batch);
        let folders = arguments.iter().filter(|it| it.is_dir());
        let named = folders.filter_map(|it| absolute_path(it)).collect();
        Workspace {
            host,
            trusted: TrustedFolders::default(),
            notes: Vec::new(),
            named,
            passed_over: Vec::new(),
        }
    }

    /// The same with everything around the texts that may say what their names mean: the environments, folders of
    /// modules or modules that the arguments lie in, as they are on disk.
    pub(super) fn with_surroundings(
        config: &Config,
        arguments: &[PathBuf],
        texts: impl Iterator<Item = (PathBuf, Arc<str>)>,
    ) -> Workspace {
        let states = texts.map(|(path, text)| (path, DiskState::Text(text)));
        Workspace::around(AnalysisHost::new(), config, arguments, states, &Folders::default())
    }

    /// The same for somebody who looks through it once, and has walked through `folders` already. Nothing can be put into its place.
    pub(super) fn read_once(
        config: &Config,
        arguments: &[PathBuf],
        texts: impl Iterator<Item = (PathBuf, DiskState)>,
        folders: Folders,
    ) -> Workspace {
        let mut workspace = Workspace::around(AnalysisHost::collecting(), config, arguments, texts, &folders);
        workspace.host.settle();
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
        let mut folders: Vec<PathBuf> = arguments.iter().filter_map(|it| surroundings(it)).collect();
        folders.sort();
        folders.dedup();
        let scan_settings = config.scan_settings(&config.trusted(&folders));
        let mut workspace = Workspace::in_host(host, config.settings.clone(), arguments, texts, known);
        workspace.trusted = scan_settings.trusted.clone();
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
        let mut facts = ChangeBatch::default();
        for path in workspace.host.fact_file_paths() {
            let native = PathBuf::from(path.to_native());
            if let Err(failure @ ReadFailure::Outside) = workspace.trusted.admit(&native) {
                workspace.note(&NotRead { path: native.clone(), reason: failure.to_string() });
            }
            let state = disk::read_text(&native, &workspace.trusted);
            facts.disk.push((path, state));
        }
        workspace.host.apply(facts);
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
        workspace
    }

    fn scan(&mut self, folder: &FilePath, settings: &ScanSettings, known: &Folders) {
        let mut batch = ChangeBatch::default();
        let is_known = |path: &FilePath| self.host.is_on_disk(path);
        let not_read =
            disk::scan_beside(folder, settings, (known, &StopFlag::default()), is_known, |files| {
                batch.disk.extend(files);
            });
        not_read.iter().for_each(|it| self.note(it));
        self.take(batch);
    }

    fn note(&mut self, NotRead { path, reason }: &NotRead) {
        let note = format!("{} is not read: {reason}", output::visible(&display_path(path)));
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Says what was not read, and what was ignored.
    pub(super) fn print_notes(&self, color: ColorChoice) {
        self.notes.iter().for_each(|note| terminal::print_warning(color, note));
    }

    /// How many files below the folders that the user named could be judged, and were not looked for as ignore files name
    /// them. `found` are those that were looked for, but cannot be read.
    pub(super) fn passed_over<'p>(&self, found: impl Iterator<Item = &'p Path>) -> usize {
        let found: HashSet<PathBuf> = found.filter_map(absolute).collect();
        self.passed_over.iter().filter(|path| !found.contains(*path)).count()
    }

    pub(super) fn may_read(&self, path: &Path) -> bool {
        self.trusted.admit(path).is_ok()
    }

    /// What reads templates and data.
    pub(super) fn disk(&self) -> Disk {
        Disk(self.trusted.clone())
    }

    /// Takes in what is on disk beside the texts that were read already, which the findings are about.
    fn take(&mut self, mut batch: ChangeBatch) {
        batch.disk.retain(|(path, _)| !self.host.is_on_disk(path));
        let below = batch.disk.iter().filter(|(path, _)| self.named.iter().any(|it| path.starts_with(it)));
        let native = below.map(|(path, _)| PathBuf::from(path.to_native()));
        self.passed_over.extend(native.filter(|path| files::is_checked_file(path)));
        if !batch.disk.is_empty() {
            self.host.apply(batch);
        }
    }

    /// From now on these are not compiled, and open.
    pub(super) fn leave_out(&mut self, environment: EnvironmentId, parts: &[compile::PartCompile]) {
        self.host.leave_out(environment, parts);
    }

    /// Puts other contents in the place of what was read.
    pub(super) fn replace(&mut self, disk: Vec<(FilePath, DiskState)>) {
        self.host.apply(ChangeBatch { disk, ..ChangeBatch::default() });
    }

    /// Adds what an installed Puppet says of itself.
    pub(super) fn add_installed_puppet(&mut self, setting: Option<&str>) {
        let installed = Some(installed::read(setting));
        self.host.apply(ChangeBatch { installed, ..ChangeBatch::default() });
    }

    /// What of an environment's settings is not as it seems, a line each: the main manifest that they name is not there, and from which
    /// folders modules are taken that they do not name.
    pub(super) fn odd_settings(&self, analysis: &Analysis, environment: EnvironmentId) -> Vec<String> {
        let absent = analysis.environment_root(environment).and_then(|root| {
            let manifest = self.host.absent_manifest(&root)?;
            let shown = manifest.strip_prefix(&root).map_or_else(|| manifest.to_native(), str::to_owned);
            let shown = output::visible(&shown);
            Some(match self.trusted.admit(Path::new(&manifest.to_native())) {
                Err(failure @ ReadFailure::Outside) => format!(
                    "the main manifest {shown}, which environment.conf names, is not read: {failure}\n"
                ),
                _ => format!(
                    "there is no main manifest {shown}, which environment.conf names: to Puppet it is empty\n"
                ),
            })
        });
        absent.into_iter().chain(self.further_folders(analysis, environment)).collect()
    }

    /// A line that says from which folders of an environment modules are taken although Puppet would not look there; `None` where
    /// there are none.
    fn further_folders(&self, analysis: &Analysis, environment: EnvironmentId) -> Option<String> {
        let root = analysis.environment_root(environment)?;
        let (folders, is_set) = self.host.further_folders(&root);
        let below = folders.iter().filter_map(|folder| match *folder == root {
            true => Some("."),
            false => folder.strip_prefix(&root),
        });
        let list = below.collect::<Vec<_>>().join(", ");
        let reason = match is_set {
            true => "Puppet does not, as the module path does not name them",
            false => "Puppet does that only when environment.conf names them",
        };
        (!list.is_empty()).then(|| format!("modules are also taken from {list}: {reason}\n"))
    }

    pub(super) fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    /// How many of some files, in the order of their paths, are best looked at before [`Workspace::forget`]: those of a module
    /// together, as what one of them needs is made of all.
    pub(super) fn length_of_slice<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> usize {
        let analysis = self.analysis();
        let module = |path: &Path| Some(analysis.module_folder(file(&analysis, path)?)?.clone());
        let mut last = None;
        let mut length = 0;
        for path in paths.take(MAX_SLICE_LENGTH) {
            if length >= SLICE {
                let module = module(path);
                if module.is_none() || last.is_some_and(|last| last != module) {
                    break;
                }
                last = Some(module);
            } else if length + 1 == SLICE {
                last = Some(module(path));
            }
            length += 1;
        }
        length
    }

    /// What is kept, by kind, the largest part first.
    pub(super) fn memory_parts(&mut self) -> Vec<ide::MemoryPart> {
        self.host.memory_parts()
    }

    /// Forgets what only those files needed that were looked at so far.
    pub(super) fn forget(&mut self) {
        self.host.trigger_eviction();
    }
}

/// Is a folder of modules read with the environment around it, whatever ignore files say?
fn is_usual(folder: &FilePath) -> bool {
    disk::MODULE_FOLDERS.contains(&folder.file_name())
}

/// The folder whose settings hold for some paths: the first of them, or of those around it up to the current folder, that
/// has some.
pub(super) fn settings_folder(paths: &[PathBuf]) -> PathBuf {
    let here = absolute(Path::new(".")).unwrap_or_default();
    let names = [disk::config::FILE_NAME, disk::config::PUPPET_LINT_FILES[0]];
    let has_settings = |folder: &&Path| names.iter().any(|name| folder.join(name).exists());
    for path in paths.iter().filter_map(|it| absolute(it)) {
        let is_below = path.starts_with(&here);
        let outermost = root(&path).filter(|_| !is_below);
        let around = path.ancestors().take_while(|it| match &outermost {
            Some(outermost) => it.starts_with(outermost),
            None => it.starts_with(&here),
        });
        if let Some(found) = around.filter(|it| it.is_dir()).find(has_settings) {
            return found.to_owned();
        }
    }
    PathBuf::from(".")
}

/// The file at a path, if it has a name that Puppet would load.
pub(super) fn file(analysis: &Analysis, path: &Path) -> Option<FileId> {
    analysis.file_id(&absolute_path(path)?)
}

/// A path of this system, from the current folder on, as the analysis knows it; `None` for one that is no UTF-8.
pub(super) fn absolute_path(path: &Path) -> Option<FilePath> {
    file_path(&absolute(path)?)
}

/// The folder that a path stands for: itself, or around a file the outermost environment or module.
fn root(argument: &Path) -> Option<PathBuf> {
    let path = absolute(argument)?;
    if path.is_dir() {
        return Some(path);
    }
    let is_marked = |folder: &&Path| MARKERS.iter().any(|marker| folder.join(marker).is_file());
    let outermost = path.ancestors().skip(1).take(MAX_DEPTH).filter(is_marked).last();
    outermost.or(path.parent()).map(Path::to_owned)
}

/// The folder whose files may matter to what an argument stands for; `None` for a loose file.
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
