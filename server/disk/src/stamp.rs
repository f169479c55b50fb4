//! File stamps: metadata that changes whenever the contents of a file or folder change.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Resolution of file times: up to two seconds. Two changes within this interval may have the same time.
pub(crate) const TIME_RESOLUTION: Duration = Duration::from_secs(2);

/// Stamp of a file or folder. Equal stamps mean the same, unchanged file. Times are in nanoseconds since
/// 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    length: u64,
    modified: i64,
    /// Time of the last status change, which cannot be set by a program; the creation time on systems without
    /// it.
    changed: i64,
    device: u64,
    inode: u64,
}

impl Stamp {
    #[cfg(unix)]
    /// Returns the stamp of a file or folder.
    pub fn of(metadata: &Metadata) -> Stamp {
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
    /// Returns the stamp of a file or folder.
    pub fn of(metadata: &Metadata) -> Stamp {
        let (modified, changed) = (metadata.modified(), metadata.created());
        Stamp {
            length: metadata.len(),
            modified: modified.map_or(i64::MAX, nanoseconds),
            changed: changed.map_or(i64::MAX, nanoseconds),
            device: 0,
            inode: 0,
        }
    }

    /// Returns the identity of a file or folder, independent of its contents.
    pub(crate) fn identity(metadata: &Metadata) -> Stamp {
        Stamp { length: 0, modified: 0, changed: 0, ..Stamp::of(metadata) }
    }

    /// Returns the stamp of a file or folder that is about to be read, unless it has changed so recently that
    /// the next change may not be detectable.
    pub(crate) fn if_stable(metadata: &Metadata, clock: FileClock) -> Option<Stamp> {
        Some(Stamp::of(metadata)).filter(|it| it.is_stable_at(clock.now()))
    }

    /// Returns true if the file may have changed at `time` or later.
    pub fn is_since(&self, time: SystemTime) -> bool {
        self.modified.max(self.changed) >= nanoseconds(time)
    }

    /// Returns true if every change from `time` on is detectable, that is, unless the last change was at
    /// about that time or later.
    pub(crate) fn is_stable_at(&self, time: SystemTime) -> bool {
        self.modified.max(self.changed) < nanoseconds(time - TIME_RESOLUTION)
    }
}

/// Time that stamps are compared with.
#[derive(Clone, Copy, Default, Debug)]
pub enum FileClock {
    #[default]
    System,
    /// Time that does not pass. For tests.
    At(SystemTime),
}

impl FileClock {
    pub(crate) fn now(self) -> SystemTime {
        match self {
            FileClock::System => SystemTime::now(),
            FileClock::At(time) => time,
        }
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
