//! Settings files of a repository: the nearest one upwards, and those that it extends.

use std::path::{Path, PathBuf};

use ide::FilePath;

use super::{FILE_NAME, SettingsLayer, read_root_file};
use crate::ReadFailure;

/// Maximum number of parent folders that are searched.
const MAX_DEPTH: usize = 64;

/// Maximum number of settings files that extend each other.
const MAX_EXTENDS: usize = 8;

/// Returns the root of the Git work tree that contains a folder.
pub fn repository_root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().take(MAX_DEPTH).find(|it| it.join(".git").exists()).map(Path::to_owned)
}

/// Returns the nearest folder with a settings file: `folder` or one of its parents, up to the root of the Git
/// work tree.
pub fn settings_folder(folder: &Path) -> Option<PathBuf> {
    folders_upwards(folder).find(|it| it.join(FILE_NAME).is_file()).map(Path::to_owned)
}

/// Returns a folder and its parents, up to the root of the Git work tree if there is one.
pub(super) fn folders_upwards(folder: &Path) -> impl Iterator<Item = &Path> {
    let root = repository_root(folder);
    folder
        .ancestors()
        .take(MAX_DEPTH)
        .take_while(move |it| root.as_ref().is_none_or(|root| it.starts_with(root)))
}

/// The settings files that apply to a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepositorySettings {
    /// Path and contents of each file, lowest layer first.
    files: Vec<(FilePath, String)>,
    /// Reason for which the files could not be read.
    problem: Option<String>,
}

impl RepositorySettings {
    /// Reads a settings file and those that it extends. A missing file yields no settings; other failures are
    /// in [`RepositorySettings::problem`].
    pub fn read(file: &Path) -> RepositorySettings {
        let mut settings = RepositorySettings::default();
        let root = file.parent().and_then(repository_root);
        let mut next = Some(file.to_owned());
        let mut seen: Vec<PathBuf> = Vec::new();
        while let Some(file) = next.take() {
            match settings.read_one(&file, seen.is_empty()) {
                Ok(Some(extended)) => {
                    let is_outside = root.as_ref().is_some_and(|root| !extended.starts_with(root));
                    seen.push(file.clone());
                    let problem = if is_outside {
                        Some("file outside of the repository".to_owned())
                    } else if seen.contains(&extended) {
                        Some("the settings files extend each other".to_owned())
                    } else if seen.len() >= MAX_EXTENDS {
                        Some(format!("more than {MAX_EXTENDS} settings files"))
                    } else {
                        None
                    };
                    settings.problem = problem.map(|it| {
                        format!("cannot extend `{}` in `{}`: {it}", extended.display(), file.display())
                    });
                    next = Some(extended).filter(|_| settings.problem.is_none());
                }
                Ok(None) => {}
                Err(problem) => settings.problem = Some(problem),
            }
        }
        settings.files.reverse();
        settings
    }

    /// Adds a file. Returns the file that it extends.
    fn read_one(&mut self, file: &Path, may_be_missing: bool) -> Result<Option<PathBuf>, String> {
        let text = match read_root_file(file) {
            Ok(text) => text,
            Err(ReadFailure::Missing) if may_be_missing => return Ok(None),
            Err(error) => return Err(format!("cannot read `{}`: {error}", file.display())),
        };
        let Some(path) = file.to_str().and_then(FilePath::from_native) else {
            return Err(format!("cannot read `{}`: its path is not UTF-8", file.display()));
        };
        let folder = path.parent().unwrap_or_else(|| path.clone());
        // An invalid file is reported by its reader.
        let extended = SettingsLayer::from_toml(&text).0.and_then(|it| it.extend);
        let extended = extended.map(|it| {
            // Also resolves `..`.
            let path = match FilePath::from_native(&it) {
                Some(path) => PathBuf::from(path.to_native()),
                None => PathBuf::from(folder.join(&it).to_native()),
            };
            if path.is_dir() { path.join(FILE_NAME) } else { path }
        });
        self.files.push((path, text));
        Ok(extended)
    }

    /// Creates the settings of one file.
    #[cfg(test)]
    pub(super) fn of_text(file: FilePath, text: &str) -> RepositorySettings {
        RepositorySettings { files: vec![(file, text.to_owned())], problem: None }
    }

    /// Returns true if there is no settings file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the path and contents of each file, lowest layer first.
    pub fn files(&self) -> impl DoubleEndedIterator<Item = (&FilePath, &str)> {
        self.files.iter().map(|(path, text)| (path, text.as_str()))
    }

    /// Returns the reason for which a file could not be read.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}
