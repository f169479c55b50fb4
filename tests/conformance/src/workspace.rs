//! The corpus as a workspace, for programs that send the queries of an editor.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use ide::{AnalysisHost, ChangeBatch, DiskState, FilePath};

/// Folder of modules: an analysis with the settings of version 7, and the file contents.
pub struct Workspace {
    pub host: AnalysisHost,
    pub texts: BTreeMap<FilePath, Arc<str>>,
}

impl Workspace {
    /// Reads the files of a folder that an analysis needs, skipping unreadable ones.
    pub fn load(folder: &Path) -> Workspace {
        let root = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let mut disk = Vec::new();
        let mut texts = BTreeMap::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for path in entries.filter_map(|it| Some(it.ok()?.path())) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Some(file) = path.to_str().and_then(FilePath::from_native) else { continue };
                if !ide::is_interesting(&file) {
                    continue;
                }
                let state = match std::fs::read_to_string(&path) {
                    Ok(text) => {
                        let text: Arc<str> = text.into();
                        texts.insert(file.clone(), text.clone());
                        DiskState::Text(text)
                    }
                    Err(_) => DiskState::NotUtf8(None),
                };
                disk.push((file, state));
            }
        }
        let settings = ide::Settings { puppet_version: ide::PuppetVersion::V7, ..ide::Settings::default() };
        let roots = Some(root.to_str().into_iter().map(str::to_owned).collect());
        let mut host = AnalysisHost::new();
        host.apply(ChangeBatch { disk, roots, settings: Some(settings), ..ChangeBatch::default() });
        Workspace { host, texts }
    }
}

/// Runs a program on the stack that evaluation needs. Fails if `run` returns false or panics.
pub fn run_on_deep_stack(run: impl FnOnce() -> bool + Send + 'static) -> ExitCode {
    let thread = std::thread::Builder::new().stack_size(ide::STACK_SIZE).spawn(run);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Returns the command-line argument after `name`.
pub fn option(arguments: &[String], name: &str) -> Option<String> {
    let at = arguments.iter().position(|it| it == name)?;
    arguments.get(at + 1).cloned()
}

/// Deterministic random number generator (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn next_number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            let other = (self.next_number() % (at as u64 + 1)) as usize;
            list.swap(at, other);
        }
    }
}
