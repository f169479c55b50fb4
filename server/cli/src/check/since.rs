//! Lines changed since a Git revision.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use git::lines::changed_runs;
use git::{EntryKind, ObjectContents, Repository, RevisionTree};

use crate::files::display_path;
use crate::printed_diagnostic::PrintedDiagnostic;

/// Changed lines of each file, as ranges counted from 0. Files without an entry are unchanged.
pub(super) struct LinesSince {
    changed: HashMap<PathBuf, Vec<std::ops::Range<usize>>>,
}

impl LinesSince {
    /// Compares texts with the contents of their files in a revision.
    pub(super) fn new(revision: &str, texts: &[(PathBuf, Arc<str>)]) -> anyhow::Result<LinesSince> {
        let mut repositories: Vec<(Repository, RevisionTree)> = Vec::new();
        let mut changed = HashMap::new();
        for (path, text) in texts {
            let absolute = path.canonicalize().or_else(|_| std::path::absolute(path))?;
            let folder = absolute.parent().unwrap_or(Path::new("/"));
            if !repositories
                .iter()
                .any(|(it, _)| folder.starts_with(it.top()) && !is_in_nested_repository(it, folder))
            {
                let repository = Repository::around(folder)?;
                let repository = repository
                    .with_context(|| format!("`{}` is not in a Git repository", display_path(path)))?;
                let tree = repository.tree(repository.commit(revision)?)?;
                repositories.push((repository, tree));
            }
            let around = repositories.iter().filter(|(it, _)| folder.starts_with(it.top()));
            let Some((repository, tree)) = around.max_by_key(|(it, _)| it.top().as_os_str().len()) else {
                continue;
            };
            let runs = changed_lines(repository, tree, &absolute, text)?;
            if !runs.is_empty() {
                changed.insert(path.clone(), runs);
            }
        }
        Ok(LinesSince { changed })
    }

    /// Keeps the findings that touch a changed line.
    pub(super) fn only_changed(
        &self,
        path: &Path,
        mut found: Vec<PrintedDiagnostic>,
    ) -> Vec<PrintedDiagnostic> {
        let runs = self.changed.get(path).map(Vec::as_slice).unwrap_or_default();
        found.retain(|it| {
            let (first, last) = (it.span.start.line as usize, it.span.end.line as usize);
            runs.iter().any(|run| run.start <= last && first < run.end)
        });
        found
    }
}

/// Returns true if a nested repository contains the folder.
fn is_in_nested_repository(repository: &Repository, folder: &Path) -> bool {
    let below = folder.ancestors().take_while(|it| *it != repository.top());
    below.into_iter().any(|it| it.join(".git").exists())
}

/// Returns the lines of a text that are not in the revision.
fn changed_lines(
    repository: &Repository,
    tree: &RevisionTree,
    path: &Path,
    text: &str,
) -> anyhow::Result<Vec<std::ops::Range<usize>>> {
    let below = path.strip_prefix(repository.top()).unwrap_or(path);
    let entry = tree.entries.get(&display_path(below)).filter(|it| it.kind == EntryKind::File);
    let old = match entry {
        None => Vec::new(),
        Some(entry) => match repository.read(entry.object, disk::MAX_FILE_SIZE)? {
            ObjectContents::Bytes(bytes) => bytes,
            ObjectContents::TooLarge(_) => Vec::new(),
        },
    };
    let old = String::from_utf8_lossy(&old);
    // A checkout may convert line endings.
    let lines = |text| -> Vec<&str> { str::lines(text).collect() };
    let (old, new) = (lines(&old), lines(text));
    Ok(changed_runs(&old, &new)
        .into_iter()
        .map(|(_, inserted)| inserted)
        .filter(|it| !it.is_empty())
        .collect())
}
