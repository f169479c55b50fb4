//! Which variables the files of a module mention, whoever means them: what keeps a class's variable from being unused.

use std::sync::Arc;

use project::{Db, File, FilePlace};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;

/// Fingerprints of the words in a file that may name a variable, sorted.
#[salsa::tracked(returns(clone))]
fn mentioned_words(db: &dyn Db, file: File) -> Arc<[u32]> {
    let Some(text) = project::text(db, file) else { return Arc::new([]) };
    let is_puppet = file.path(db).extension() == Some("pp");
    let mut words = FxHashSet::default();
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        // In a manifest a variable has a sign in front, or its name is a text.
        let sign = start.checked_sub(1).map(|before| bytes[before]);
        if !is_puppet || matches!(sign, Some(b'$' | b'{' | b':' | b'\'' | b'"' | b'@')) {
            words.insert(fingerprint(&text[start..at]));
        }
    }
    let mut words: Vec<u32> = words.into_iter().collect();
    words.sort_unstable();
    words.into()
}

fn fingerprint(word: &str) -> u32 {
    FxBuildHasher.hash_one(word) as u32
}

/// Does another file of the module mention a variable of this name? True for a file in no module.
pub(super) fn is_mentioned_elsewhere(db: &dyn Db, file: File, name: &str) -> bool {
    let FilePlace::Module { module, .. } = file.place(db) else { return true };
    let word = fingerprint(name);
    let mut others = module.files(db).values().filter(|other| **other != file);
    others.any(|other| mentioned_words(db, *other).binary_search(&word).is_ok())
}
