//! Files that changed since the merge base.

use std::path::{Path, PathBuf};

use anyhow::Context;
use disk::config::Config;
use git::{EntryKind, ObjectContents, Repository};

use super::step::CiStep;
use crate::files::{self, display_path};

/// Branches that a change is likely based on, in order of preference.
const LIKELY_BASES: [&str; 4] = ["@{upstream}", "origin/HEAD", "origin/main", "origin/master"];

/// The merge base and the manifests and templates that changed since then.
pub(super) struct ChangedFiles {
    /// Name of the commit; `None` outside of a repository, and if no base is known.
    pub(super) base: Option<String>,
    /// All files if there is no base.
    files: Vec<PathBuf>,
}

impl ChangedFiles {
    /// Compares the files below a folder with the merge base of the checked-out commit and `base`.
    ///
    /// # Errors
    /// Fails if a named base does not exist or has no common history.
    pub(super) fn since_merge_base(folder: &Path, base: Option<&str>) -> anyhow::Result<ChangedFiles> {
        let absolute = std::path::absolute(folder)?;
        let excluded = Config::load(&absolute)?.settings.excluded_paths;
        let (mut files, _) = files::find_files(&[folder.to_owned()], &excluded, files::is_evaluated_file);
        let Some(repository) = Repository::around(&absolute)? else {
            anyhow::ensure!(base.is_none(), "`{}` is not in a Git repository", display_path(folder));
            return Ok(ChangedFiles { base: None, files });
        };
        let Some(head) = repository.head()? else { return Ok(ChangedFiles { base: None, files }) };
        let named = match base {
            Some(name) => Some((name, repository.commit(name)?)),
            None => LIKELY_BASES.iter().find_map(|it| Some((*it, repository.commit(it).ok()?))),
        };
        let Some((name, named)) = named else { return Ok(ChangedFiles { base: None, files }) };
        let found = repository.merge_base(head, named)?;
        let found = found.with_context(|| {
            let problem = format!("`HEAD` and `{name}` have no common commit");
            if repository.is_shallow() {
                codes::with_help(problem, "run `git fetch --unshallow` to fetch older revisions")
            } else {
                problem
            }
        })?;
        let tree = repository.tree(found)?;
        let is_changed = |path: &PathBuf| -> anyhow::Result<bool> {
            let absolute = std::path::absolute(path)?;
            let canonical = absolute.canonicalize().unwrap_or_else(|_| absolute.clone());
            let below = canonical.strip_prefix(repository.top()).unwrap_or(&canonical);
            let entry = tree.entries.get(&display_path(below)).filter(|it| it.kind == EntryKind::File);
            let Some(entry) = entry else { return Ok(true) };
            let old = match repository.read(entry.object, disk::MAX_FILE_SIZE)? {
                ObjectContents::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                ObjectContents::TooLarge(_) => return Ok(true),
            };
            // A checkout may convert line endings.
            let new = files::read_named_text(path).unwrap_or_default();
            Ok(!old.lines().eq(new.lines()))
        };
        let mut changed = Vec::new();
        for path in files.drain(..) {
            if is_changed(&path)? {
                changed.push(path);
            }
        }
        Ok(ChangedFiles { base: Some(found.to_string()), files: changed })
    }

    /// Returns the files for a step, in a form that is not mistaken for an option.
    pub(super) fn manifests(&self, step: CiStep) -> Vec<String> {
        let is_wanted = |it: &&PathBuf| step != CiStep::Lint || it.extension().is_some_and(|it| it == "pp");
        let shown = |it: &PathBuf| {
            let path = display_path(it);
            if path.starts_with('-') { format!("./{path}") } else { path }
        };
        self.files.iter().filter(is_wanted).map(shown).collect()
    }
}
