//! Which variables the files of a module mention, whoever means them: what keeps a class's variable from being unused.

use std::sync::Arc;

use project::{Db, Environment, File, FilePlace};
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

/// Fingerprints of the names in a file that have a `::` inside, without one in front, sorted.
#[salsa::tracked(returns(clone))]
fn qualified_words(db: &dyn Db, file: File) -> Arc<[u32]> {
    let Some(text) = project::text(db, file) else { return Arc::new([]) };
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let names = text.split(|c: char| !is_part(c)).map(|it| it.trim_matches(':'));
    let words: FxHashSet<u32> = names.filter(|it| it.contains("::")).map(fingerprint).collect();
    let mut words: Vec<u32> = words.into_iter().collect();
    words.sort_unstable();
    words.into()
}

/// Fingerprints of the variables that a file reads of the top scope, `$::name`, sorted.
#[salsa::tracked(returns(clone))]
fn top_words(db: &dyn Db, file: File) -> Arc<[u32]> {
    let Some(text) = project::text(db, file) else { return Arc::new([]) };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = ["$::", "${::"].into_iter().flat_map(|sign| text.split(sign).skip(1));
    let mut words: Vec<u32> =
        names.map(|rest| fingerprint(rest.split(|c| !is_part(c)).next().unwrap_or_default())).collect();
    words.sort_unstable();
    words.dedup();
    words.into()
}

/// The [`qualified_words`] and [`top_words`] of all files of an environment, sorted.
#[salsa::tracked(returns(clone))]
fn words_of_environment(db: &dyn Db, environment: Environment) -> [Arc<[u32]>; 2] {
    let sorted = |words: fn(&dyn Db, File) -> Arc<[u32]>| -> Arc<[u32]> {
        let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
        let files = of_modules.chain(environment.main_manifests(db).iter());
        let mut all: Vec<u32> = files.flat_map(|file| words(db, *file).to_vec()).collect();
        all.sort_unstable();
        all.dedup();
        all.into()
    };
    [sorted(|db, file| qualified_words(db, file)), sorted(|db, file| top_words(db, file))]
}

/// Does a manifest read a variable of this name of the top scope? Then something that nobody sees here sets it there.
pub(super) fn is_read_of_top_scope(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let [_, top] = words_of_environment(db, environment);
    top.binary_search(&fingerprint(name)).is_ok()
}

/// Does a file of an environment name something in full: `class::variable`?
pub(super) fn is_named_in_full(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let [qualified, _] = words_of_environment(db, environment);
    qualified.binary_search(&fingerprint(name)).is_ok()
}

/// Does a file name something in full: `class::variable`?
pub(super) fn names_in_full(db: &dyn Db, file: File, name: &str) -> bool {
    qualified_words(db, file).binary_search(&fingerprint(name)).is_ok()
}
