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

/// What a file names of other modules and of the top scope.
#[derive(PartialEq, Eq, Default, Debug)]
struct FarNames {
    /// Fingerprints of names with a `::` inside, without one in front.
    qualified: FxHashSet<u32>,
    /// Fingerprints of the variables that are read of the top scope: `$::name`.
    top: FxHashSet<u32>,
    /// Fingerprints of the classes of other modules that something inherits from.
    parents: FxHashSet<u32>,
    /// Fingerprints of what an ERB template reads: `@name`.
    of_template: FxHashSet<u32>,
}

#[salsa::tracked(returns(ref))]
fn far_names_in(db: &dyn Db, file: File) -> FarNames {
    let Some(text) = project::text(db, file) else { return FarNames::default() };
    let module = match file.place(db) {
        FilePlace::Module { module, .. } => module.name(db).as_str(),
        FilePlace::Loose | FilePlace::MainManifest => "",
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let mut names = FarNames::default();
    if file.path(db).extension() == Some("erb") {
        let behind_signs = text.split('@').skip(1);
        let length = |it: &str| it.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        names.of_template.extend(behind_signs.map(|it| fingerprint(&it[..length(it)])));
    }
    let mut before = "";
    for word in text.split(|c: char| !is_part(c)).filter(|it| !it.is_empty()) {
        let name = word.trim_matches(':');
        if name.contains("::") {
            names.qualified.insert(fingerprint(name));
        } else if word.starts_with("::") {
            names.top.insert(fingerprint(name));
        }
        if before == "inherits" && name.split("::").next() != Some(module) {
            names.parents.insert(fingerprint(name));
        }
        before = word;
    }
    names
}

/// The [`FarNames`] of all files of an environment.
#[salsa::tracked(returns(ref))]
fn far_names(db: &dyn Db, environment: Environment) -> FarNames {
    let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let mut all = FarNames::default();
    for file in of_modules.chain(environment.main_manifests(db).iter()) {
        let names = far_names_in(db, *file);
        all.qualified.extend(&names.qualified);
        all.top.extend(&names.top);
        all.parents.extend(&names.parents);
    }
    all
}

/// What the templates of more than one module read.
#[salsa::tracked(returns(ref))]
fn read_by_several_modules(db: &dyn Db, environment: Environment) -> FxHashSet<u32> {
    let (mut once, mut more) = (FxHashSet::default(), FxHashSet::default());
    for module in environment.modules(db).values() {
        let files = module.files(db).values();
        let own: FxHashSet<u32> =
            files.flat_map(|file| far_names_in(db, *file).of_template.iter().copied()).collect();
        more.extend(own.into_iter().filter(|word| !once.insert(*word)));
    }
    more
}

/// Do templates of several modules read a variable of this name? Then it may be one that all have: an external fact.
pub(super) fn is_read_by_several_modules(db: &dyn Db, environment: Environment, name: &str) -> bool {
    read_by_several_modules(db, environment).contains(&fingerprint(name))
}

/// Does a manifest read a variable of this name of the top scope? Then something that nobody sees here sets it there.
pub(super) fn is_read_of_top_scope(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).top.contains(&fingerprint(name))
}

/// Does a file of an environment name something in full: `class::variable`?
pub(super) fn is_named_in_full(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).qualified.contains(&fingerprint(name))
}

/// Does a class of another module, or of a main manifest, inherit from a class?
pub(super) fn is_inherited_elsewhere(db: &dyn Db, environment: Environment, class: &str) -> bool {
    far_names(db, environment).parents.contains(&fingerprint(class))
}

/// Does a file name something in full: `class::variable`?
pub(crate) fn names_in_full(db: &dyn Db, file: File, name: &str) -> bool {
    far_names_in(db, file).qualified.contains(&fingerprint(name))
}

/// Does another file of the module have a hash with such a key (`name => 1`), as a template is given its variables?
pub(super) fn is_key_elsewhere(db: &dyn Db, file: File, name: &str) -> bool {
    let FilePlace::Module { module, .. } = file.place(db) else { return true };
    module.files(db).values().filter(|other| **other != file).any(|other| {
        let Some(text) = project::text(db, *other) else { return false };
        text.match_indices(name).any(|(at, _)| text[at + name.len()..].trim_start().starts_with("=>"))
    })
}
