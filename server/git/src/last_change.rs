//! Times of the last changes of files.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashSet};

use anyhow::Context;

use crate::object::ObjectKind;
use crate::revision::header;
use crate::tree::next_entry;
use crate::{ObjectContents, ObjectName, Repository};

/// Maximum number of commits that are read.
const MAX_COMMITS: usize = 5_000;

/// Entries of a folder: objects by name.
type FolderEntries = BTreeMap<String, ObjectName>;

impl Repository {
    /// Returns the times of the last commits before HEAD that changed files, in seconds since 1970, by path from
    /// the top of the repository. Files without a known change are left out: older ones than a shallow clone has,
    /// or than 5,000 commits. Merges count for what they change in comparison with all parents.
    ///
    /// # Errors
    /// Fails if commits cannot be read.
    pub fn last_changes(&self, paths: &BTreeSet<String>) -> anyhow::Result<BTreeMap<String, u64>> {
        let mut found = BTreeMap::new();
        let Some(head) = self.head()? else { return Ok(found) };
        let mut wanted = paths.clone();
        let mut seen = HashSet::from([head]);
        let mut waiting = BinaryHeap::from([(self.time(&head)?, head)]);
        let mut read = 0;
        while let Some((time, commit)) = waiting.pop() {
            read += 1;
            if wanted.is_empty() || read > MAX_COMMITS {
                break;
            }
            let parents = self.parents(&commit)?;
            let data = self.object(&commit, ObjectKind::Commit)?;
            // The parents of the last commits of a shallow clone are missing.
            if parents.is_empty() && header(&data, "parent", 1).is_some() {
                continue;
            }
            let changed = self.changed(&commit, &parents, &wanted)?;
            for path in changed {
                wanted.remove(&path);
                found.insert(path, time);
            }
            for parent in parents {
                if seen.insert(parent) {
                    waiting.push((self.time(&parent)?, parent));
                }
            }
        }
        Ok(found)
    }

    /// Returns those of the paths whose object differs from that of each parent.
    fn changed(
        &self,
        commit: &ObjectName,
        parents: &[ObjectName],
        paths: &BTreeSet<String>,
    ) -> anyhow::Result<Vec<String>> {
        let root = |commit: &ObjectName| -> anyhow::Result<ObjectName> {
            let data = self.object(commit, ObjectKind::Commit)?;
            header(&data, "tree", 1).context("the commit has no tree")
        };
        let trees = parents.iter().map(root).collect::<anyhow::Result<Vec<_>>>()?;
        let mut changed = Vec::new();
        let mut waiting =
            vec![(String::new(), root(commit)?, trees.into_iter().map(Some).collect::<Vec<_>>())];
        while let Some((folder, tree, others)) = waiting.pop() {
            if others.contains(&Some(tree)) {
                continue;
            }
            let entries = self.folder(&tree)?;
            let of_others =
                others.iter().map(|it| it.map_or(Ok(FolderEntries::new()), |it| self.folder(&it)));
            let of_others = of_others.collect::<anyhow::Result<Vec<_>>>()?;
            for (name, object) in entries {
                let before: Vec<Option<ObjectName>> =
                    of_others.iter().map(|it| it.get(&name).copied()).collect();
                if before.contains(&Some(object)) {
                    continue;
                }
                let path = format!("{folder}{name}");
                let inner = format!("{path}/");
                if paths.contains(&path) {
                    changed.push(path);
                } else if paths.range(inner.clone()..).next().is_some_and(|it| it.starts_with(&inner)) {
                    waiting.push((inner, object, before));
                }
            }
        }
        Ok(changed)
    }

    /// Returns the entries of a folder; empty for anything that is no folder.
    fn folder(&self, tree: &ObjectName) -> anyhow::Result<FolderEntries> {
        let Ok(data) = self.object(tree, ObjectKind::Tree) else { return Ok(FolderEntries::new()) };
        let mut rest = data.as_slice();
        let mut entries = FolderEntries::new();
        while !rest.is_empty() {
            let next = next_entry(&mut rest, self.objects.name_length());
            let (_, name, object) = next.with_context(|| format!("tree {} is corrupt", tree.short()))?;
            if let Ok(name) = std::str::from_utf8(name) {
                entries.insert(name.to_owned(), object);
            }
        }
        Ok(entries)
    }

    /// Returns true if the file at a path has the bytes of an object.
    fn is_equal(&self, path: &str, object: ObjectName) -> bool {
        let file = self.top.join(path);
        if !file.symlink_metadata().is_ok_and(|it| it.is_file()) {
            return false;
        }
        let Ok(found) = std::fs::read(file) else { return false };
        let committed = self.read(object, found.len() as u64);
        matches!(committed, Ok(ObjectContents::Bytes(bytes)) if bytes == found)
    }

    /// Returns paths that differ between HEAD, the index, and the work tree; untracked files are not looked at. A
    /// file that a checkout converts may count as changed until Git has looked at it.
    ///
    /// # Errors
    /// Fails if the index or HEAD cannot be read.
    pub fn changed_files(&self) -> anyhow::Result<Vec<String>> {
        let index = self.index()?;
        let head = self.head()?.context("the repository has no commit")?;
        let tree = self.tree(head)?;
        let is_changed = |path: &String| match (index.entries.get(path), tree.entries.get(path)) {
            (Some(entry), Some(committed)) => {
                let is_file = entry.kind == crate::EntryKind::File;
                let is_in_doubt = is_file && !entry.is_as_checked_out && !entry.is_sparse;
                entry.object != committed.object || (is_in_doubt && !self.is_equal(path, entry.object))
            }
            _ => true,
        };
        let all: BTreeSet<&String> = index.entries.keys().chain(tree.entries.keys()).collect();
        Ok(all.into_iter().filter(|path| is_changed(path)).cloned().collect())
    }
}
