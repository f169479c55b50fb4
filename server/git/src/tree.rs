//! Files of a revision.

use std::collections::BTreeMap;

use anyhow::Context;

use crate::object::ObjectKind;
use crate::revision::header;
use crate::{ObjectName, Repository};

/// Maximum number of entries. A tree that contains itself repeatedly can have exponentially many.
const MAX_ENTRIES: usize = 2_000_000;
/// Maximum number of folders, each of which is read.
const MAX_FOLDERS: usize = 100_000;

/// Maximum nesting depth.
const MAX_DEPTH: usize = 512;

/// A revision and its files.
#[derive(Clone, Debug)]
pub struct RevisionTree {
    pub commit: ObjectName,
    /// Entries by path from the top of the repository, with `/`. Paths that are not UTF-8 are left out.
    pub entries: BTreeMap<String, TreeEntry>,
}

/// Entry of a revision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeEntry {
    pub kind: EntryKind,
    pub object: ObjectName,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    File,
    /// Symbolic link; the object contains its target.
    Link,
    /// Submodule; the object is a commit of another repository.
    Submodule,
}

impl Repository {
    /// Lists the files of a commit.
    ///
    /// # Errors
    /// Fails if objects are missing, or the tree exceeds a limit.
    pub fn tree(&self, commit: ObjectName) -> anyhow::Result<RevisionTree> {
        let data = self.object(&commit, ObjectKind::Commit)?;
        let root = header(&data, "tree", 1).context("the commit has no tree")?;
        let mut entries = BTreeMap::new();
        let mut waiting = vec![(String::new(), 0, root)];
        let (mut count, mut folders) = (0, 0);
        while let Some((folder, depth, name)) = waiting.pop() {
            anyhow::ensure!(depth <= MAX_DEPTH, "the revision has more than {MAX_DEPTH} nested folders");
            folders += 1;
            anyhow::ensure!(folders <= MAX_FOLDERS, "the revision has more than {MAX_FOLDERS} folders");
            let data = self.object(&name, ObjectKind::Tree)?;
            let mut rest = data.as_slice();
            while !rest.is_empty() {
                count += 1;
                anyhow::ensure!(count <= MAX_ENTRIES, "the revision has more than {MAX_ENTRIES} files");
                let next = next_entry(&mut rest, self.objects.name_length());
                let (mode, file_name, object) =
                    next.with_context(|| format!("tree {} is corrupt", name.short()))?;
                let Some(file_name) = std::str::from_utf8(file_name).ok().filter(|it| is_plain(it)) else {
                    continue;
                };
                let path = format!("{folder}{file_name}");
                let kind = match mode {
                    b"40000" | b"040000" => {
                        waiting.push((path + "/", depth + 1, object));
                        continue;
                    }
                    b"120000" => EntryKind::Link,
                    b"160000" => EntryKind::Submodule,
                    _ => EntryKind::File,
                };
                entries.insert(path, TreeEntry { kind, object });
            }
        }
        Ok(RevisionTree { commit, entries })
    }
}

/// Parses the next entry of a tree: mode, file name and object, stored as `100644 site.pp`, a NUL, and the
/// bytes of the object name.
pub(crate) fn next_entry<'d>(
    rest: &mut &'d [u8],
    name_length: usize,
) -> Option<(&'d [u8], &'d [u8], ObjectName)> {
    let space = rest.iter().position(|byte| *byte == b' ')?;
    let zero = rest.iter().position(|byte| *byte == 0).filter(|zero| *zero > space)?;
    let (mode, name) = (&rest[..space], &rest[space + 1..zero]);
    let (object, tail) = rest[zero + 1..].split_at_checked(name_length)?;
    *rest = tail;
    Some((mode, name, ObjectName::from_bytes(object)?))
}

/// Returns true for names that stay in their folder.
fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\']) && !name.eq_ignore_ascii_case(".git")
}
