//! Fingerprint of the files and data that a compile has read.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smol_str::SmolStr;
use types::Value;

/// Hashes of what a compile has read. Values that are computed from it may be unknown; two compiles are only known
/// to have equal values if they have read the same.
#[derive(Debug, Default)]
pub(super) struct InputHashes {
    /// Hashes of files, by module and path.
    files: RefCell<FxHashMap<SmolStr, u64>>,
    /// Hashes of keys with their values.
    data: RefCell<FxHashSet<u64>>,
}

impl InputHashes {
    /// Records a file below the folder of a module; `content` is `None` if there is none, or it is unknown.
    pub(super) fn note_file(&self, module: &str, relative: &str, content: Option<&[u8]>) {
        let path = smol_str::format_smolstr!("{module}/{relative}");
        self.files.borrow_mut().entry(path).or_insert_with_key(|path| hash_of((path, content)));
    }

    /// Records the value that data has for the first of some keys.
    pub(super) fn note_data(&self, keys: &[SmolStr], value: &Value) {
        self.data.borrow_mut().insert(hash_of((keys, value)));
    }

    pub(super) fn into_hashes(self) -> Vec<u64> {
        let mut hashes: Vec<u64> = self.files.into_inner().into_values().collect();
        hashes.extend(self.data.into_inner());
        hashes.sort_unstable();
        hashes
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
