//! Merge bases of two commits.

use std::collections::{BinaryHeap, HashMap};

use crate::object::ObjectKind;
use crate::revision::header;
use crate::{ObjectName, Repository};

/// Maximum number of commits that are read.
const MAX_COMMITS: usize = 500_000;

/// Sides from which a commit is reachable.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Reached {
    from_first: bool,
    from_second: bool,
    /// True if a merge base has been found among its descendants.
    is_older: bool,
}

impl Repository {
    /// Returns the newest common ancestor of two commits; `None` if they have none, or it is not part of a
    /// shallow clone.
    ///
    /// # Errors
    /// Fails if commits cannot be read, or there are too many.
    pub fn merge_base(&self, first: ObjectName, second: ObjectName) -> anyhow::Result<Option<ObjectName>> {
        let mut reached: HashMap<ObjectName, Reached> = HashMap::new();
        let mut waiting = BinaryHeap::new();
        for (commit, side) in [
            (first, Reached { from_first: true, ..Reached::default() }),
            (second, Reached { from_second: true, ..Reached::default() }),
        ] {
            let known = reached.entry(commit).or_default();
            known.from_first |= side.from_first;
            known.from_second |= side.from_second;
            waiting.push((self.time(&commit)?, commit));
        }
        let mut candidates = Vec::new();
        let mut oldest_candidate = u64::MAX;
        let mut read = 0;
        while let Some((time, commit)) = waiting.pop() {
            // Everything else is an ancestor of a candidate, and none of several candidates is left to be reached from another.
            if (candidates.len() == 1 || time < oldest_candidate)
                && reached[&commit].is_older
                && waiting.iter().all(|(_, it)| reached[it].is_older)
            {
                break;
            }
            read += 1;
            anyhow::ensure!(read <= MAX_COMMITS, "the history has more than {MAX_COMMITS} commits");
            let mut state = reached[&commit];
            if state.from_first && state.from_second && !state.is_older {
                if !candidates.contains(&commit) {
                    candidates.push(commit);
                    oldest_candidate = oldest_candidate.min(time);
                }
                state.is_older = true;
            }
            for parent in self.parents(&commit)? {
                let known = reached.get(&parent).copied();
                let old = known.unwrap_or_default();
                let new = Reached {
                    from_first: old.from_first || state.from_first,
                    from_second: old.from_second || state.from_second,
                    is_older: old.is_older || state.is_older,
                };
                if known != Some(new) {
                    reached.insert(parent, new);
                    waiting.push((self.time(&parent)?, parent));
                }
            }
        }
        Ok(candidates.into_iter().find(|it| !reached[it].is_older))
    }

    /// Returns the parents of a commit that the repository has.
    pub(crate) fn parents(&self, commit: &ObjectName) -> anyhow::Result<Vec<ObjectName>> {
        let bytes = self.object(commit, ObjectKind::Commit)?;
        let parents = (1..).map_while(|n| header(&bytes, "parent", n));
        let is_known = |it: &ObjectName| !self.is_shallow() || self.object(it, ObjectKind::Commit).is_ok();
        Ok(parents.filter(is_known).collect())
    }

    /// Returns the time of a commit, in seconds since 1970.
    pub(crate) fn time(&self, commit: &ObjectName) -> anyhow::Result<u64> {
        let bytes = self.object(commit, ObjectKind::Commit)?;
        let headers = bytes.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
        let mut committer = headers.filter(|line| line.starts_with(b"committer "));
        // `committer NAME <EMAIL> SECONDS ZONE`
        let seconds = committer.next().and_then(|line| line.rsplit(|byte| *byte == b' ').nth(1));
        let seconds = seconds.and_then(|it| std::str::from_utf8(it).ok()?.parse().ok());
        Ok(seconds.unwrap_or_default())
    }
}
