//! The workspace that a background server keeps between questions.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use disk::config::Config;
use ide::DiskState;

use crate::workspace::{self, Stamps, Workspace};

/// State between questions; `None` unless this process is a server.
static KEPT: Mutex<Option<KeptState>> = Mutex::new(None);

#[derive(Default)]
struct KeptState {
    workspace: Option<KeptWorkspace>,
}

/// A workspace with everything that it depends on.
struct KeptWorkspace {
    root: PathBuf,
    installed_puppet: Option<String>,
    config: Config,
    workspace: Workspace,
    stamps: Stamps,
}

/// Texts of files that a question names, with their paths.
type NamedTexts = Vec<(PathBuf, Arc<str>)>;

/// Keeps the workspace of each question for the next one.
pub(super) fn enable() {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(KeptState::default());
}

/// Runs `work` on the workspace of a root folder, which a server keeps.
///
/// # Errors
/// Fails if the folder does not exist or its settings are invalid, and returns the errors of `work`.
pub(crate) fn with_workspace<T>(
    root: &Path,
    installed_puppet: Option<&str>,
    texts: NamedTexts,
    work: impl FnOnce(&mut Workspace) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(state) = kept.as_mut() else {
        drop(kept);
        let mut workspace = workspace::load(root, texts)?;
        workspace.add_installed_puppet(installed_puppet);
        return work(&mut workspace);
    };
    let known = state.workspace.take().and_then(|it| it.updated(root, installed_puppet, &texts));
    let known = match known {
        Some(known) => known,
        None => KeptWorkspace::load(root, installed_puppet, texts)?,
    };
    work(&mut state.workspace.insert(known).workspace)
}

impl KeptWorkspace {
    fn load(root: &Path, installed_puppet: Option<&str>, texts: NamedTexts) -> anyhow::Result<KeptWorkspace> {
        let mut workspace = workspace::load(root, texts)?;
        workspace.add_installed_puppet(installed_puppet);
        let stamps = workspace.stamps();
        Ok(KeptWorkspace {
            root: std::path::absolute(root)?,
            installed_puppet: installed_puppet.map(str::to_owned),
            config: Config::load(root)?,
            workspace,
            stamps,
        })
    }

    /// Reads what changed since the last question; `None` if everything has to be loaded again.
    fn updated(
        mut self,
        root: &Path,
        installed_puppet: Option<&str>,
        texts: &NamedTexts,
    ) -> Option<KeptWorkspace> {
        let is_same = std::path::absolute(root).ok()? == self.root
            && installed_puppet == self.installed_puppet.as_deref()
            && Config::load(root).ok()? == self.config;
        let root = workspace::absolute_path(&self.root)?;
        let is_inside =
            |path: &PathBuf| workspace::absolute_path(path).is_some_and(|it| it.starts_with(&root));
        if !is_same || !texts.iter().all(|(path, _)| is_inside(path)) {
            return None;
        }
        let stamps = self.workspace.stamps();
        let changed = workspace::changed_files(&self.stamps, &stamps);
        if changed.iter().any(workspace::decides_what_is_read) {
            return None;
        }
        if !changed.is_empty() {
            self.workspace.read_again(&changed);
        }
        self.stamps = stamps;
        let analysis = self.workspace.analysis();
        let mut new = Vec::new();
        for (path, text) in texts {
            let known = workspace::file(&analysis, path).and_then(|file| analysis.text(file).ok()?);
            if known.as_ref() != Some(text) {
                new.push((workspace::absolute_path(path)?, DiskState::Text(text.clone())));
            }
        }
        drop(analysis);
        if !new.is_empty() {
            self.workspace.replace(new);
        }
        Some(self)
    }
}
