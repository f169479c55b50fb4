//! What a file or a folder says of itself that is another when what it holds is another.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// What changes within so long may change again and show the same time: file systems count in steps of up to two seconds.
const STEP: Duration = Duration::from_secs(2);

/// Equal ones are of the same file or folder, and it has not changed in between. Times are in nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Stamp {
    length: u64,
    modified: i64,
    /// When something about it changed last, which nobody can set; where the system does not say, when it was made.
    changed: i64,
    device: u64,
    inode: u64,
}

impl Stamp {
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Stamp {
        use std::os::unix::fs::MetadataExt;
        let time = |seconds: i64, nanoseconds: i64| {
            seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
        };
        Stamp {
            length: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            changed: time(metadata.ctime(), metadata.ctime_nsec()),
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata) -> Stamp {
        let (modified, changed) = (metadata.modified(), metadata.created());
        Stamp {
            length: metadata.len(),
            modified: modified.map_or(i64::MAX, nanoseconds),
            changed: changed.map_or(i64::MAX, nanoseconds),
            device: 0,
            inode: 0,
        }
    }

    /// Which one it is, whatever it holds by now.
    pub(crate) fn identity(metadata: &Metadata) -> Stamp {
        Stamp { length: 0, modified: 0, changed: 0, ..Stamp::of(metadata) }
    }

    /// That of a file or folder about to be read, unless it has changed so shortly before that its next change may not show.
    pub(crate) fn settled(metadata: &Metadata) -> Option<Stamp> {
        Some(Stamp::of(metadata)).filter(|it| it.is_settled_at(SystemTime::now()))
    }

    /// Does every change from then on show? Not if it was changed at about that time, or later.
    pub(crate) fn is_settled_at(&self, time: SystemTime) -> bool {
        self.modified.max(self.changed) < nanoseconds(time - STEP)
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
