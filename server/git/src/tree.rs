//! The files of a revision.

use std::collections::BTreeMap;

use anyhow::Context;

use crate::objects::ObjectKind;
use crate::revision::header;
use crate::{ObjectName, Repository};

/// A tree that holds itself many times has more entries than anybody wrote.
const MAX_ENTRIES: usize = 2_000_000;
/// The same of folders, each of which is read.
const MAX_FOLDERS: usize = 100_000;

/// Folders within folders.
const MAX_DEPTH: usize = 512;

/// What a revision consists of.
#[derive(Clone, Debug)]
pub struct RevisionTree {
    pub commit: ObjectName,
    /// By path from the top of the repository, with `/`. Paths that are no UTF-8 are left out.
    pub entries: BTreeMap<String, TreeEntry>,
}

/// What stands at a path of a revision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeEntry {
    pub kind: EntryKind,
    pub object: ObjectName,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    File,
    /// A symbolic link: the object holds its target.
    Link,
    /// Another repository: the object is a commit there.
    Submodule,
}

impl Repository {
    /// The files of a commit.
    ///
    /// # Errors
    /// When something of it is not here, or it is no tree that anybody would write.
    pub fn tree(&self, commit: ObjectName) -> anyhow::Result<RevisionTree> {
        let data = self.object(&commit, ObjectKind::Commit)?;
        let root = header(&data, "tree", 1).context("the commit has no tree")?;
        let mut entries = BTreeMap::new();
        let mut waiting = vec![(String::new(), 0, root)];
        let (mut count, mut folders) = (0, 0);
        while let Some((folder, depth, name)) = waiting.pop() {
            anyhow::ensure!(
                depth <= MAX_DEPTH,
                "the revision has more than {MAX_DEPTH} folders in each other"
            );
            folders += 1;
            anyhow::ensure!(folders <= MAX_FOLDERS, "the revision has more than {MAX_FOLDERS} folders");
            let data = self.object(&name, ObjectKind::Tree)?;
            let mut rest = data.as_slice();
            while !rest.is_empty() {
                count += 1;
                anyhow::ensure!(count <= MAX_ENTRIES, "the revision has more than {MAX_ENTRIES} files");
                let next = next_entry(&mut rest, self.objects.name_length());
                let (mode, file_name, object) =
                    next.with_context(|| format!("the tree {} is damaged", name.short()))?;
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

/// The mode, name and object at the begin of a tree: `100644 site.pp`, a zero, and the bytes of the name of the object.
fn next_entry<'d>(rest: &mut &'d [u8], name_length: usize) -> Option<(&'d [u8], &'d [u8], ObjectName)> {
    let blank = rest.iter().position(|byte| *byte == b' ')?;
    let zero = rest.iter().position(|byte| *byte == 0).filter(|zero| *zero > blank)?;
    let (mode, name) = (&rest[..blank], &rest[blank + 1..zero]);
    let (object, behind) = rest[zero + 1..].split_at_checked(name_length)?;
    *rest = behind;
    Some((mode, name, ObjectName::from_bytes(object)?))
}

/// A name that leads to a file in its folder, and nowhere else.
fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\']) && !name.eq_ignore_ascii_case(".git")
}
