//! Which manifests and EPP templates may have a word. **Who types in one file makes nobody read all others**: it is known in little room
//! of each module, and of each file that is open.

use std::hash::BuildHasher;

use hir::Name;
use rustc_hash::FxBuildHasher;

use crate::{Db, Environment, File, ModuleTree, file_kind, text};

/// A set of names that takes a few others for its own (a Bloom filter).
#[derive(PartialEq, Eq, Debug)]
struct WordFilter(Box<[u64]>);

/// With a bit for so many bytes of text, and so many bits set for each word, few other words seem to be there: of manifests one in a
/// hundred, of a few lines one in twenty.
const BYTES_FOR_BIT: usize = 4;
const BITS_SET: u64 = 3;

impl WordFilter {
    /// For texts of so many bytes.
    fn new(bytes: usize) -> WordFilter {
        WordFilter(vec![0; (bytes / BYTES_FOR_BIT / 64).max(1)].into())
    }

    /// Where the bits of a word are: each place is a share of the length.
    fn places(&self, word: u64) -> impl Iterator<Item = usize> + use<> {
        let (length, step) = (self.0.len() as u64 * 64, word >> 32 | 1);
        (0..BITS_SET).map(move |it| {
            let share = word.wrapping_add(it.wrapping_mul(step)) & u64::from(u32::MAX);
            ((share * length) >> 32) as usize
        })
    }

    fn add_words(&mut self, text: &str) {
        for (start, word) in words(text) {
            if is_name(word) && !text[..start].ends_with('$') {
                for bit in self.places(hash(word)) {
                    self.0[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
    }

    fn may_have(&self, word: &str) -> bool {
        !is_name(word) || self.places(hash(word)).all(|bit| self.0[bit / 64] & 1 << (bit % 64) != 0)
    }
}

/// May a module or a function be called so? Numbers, types and variables are most of the words of a text.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
}

/// The words of a module's files.
#[derive(PartialEq, Eq, Debug)]
struct ModuleSources {
    /// Of those that are not open.
    closed: WordFilter,
    /// In the order of their paths.
    open: Box<[File]>,
}

#[salsa::tracked(returns(ref))]
fn sources_of_module(db: &dyn Db, module: ModuleTree) -> ModuleSources {
    let _span = tracing::info_span!("source_words").entered();
    let files = module.files(db).values().copied().filter(|it| is_source(db, *it));
    let (open, closed): (Vec<File>, Vec<File>) = files.partition(|it| it.is_open(db));
    ModuleSources { closed: words_of_files(db, &closed), open: open.into() }
}

/// The words of a file that is open.
#[salsa::tracked(returns(ref))]
fn words_of_open(db: &dyn Db, file: File) -> WordFilter {
    let _span = tracing::info_span!("source_words").entered();
    words_of_files(db, &[file])
}

fn words_of_files(db: &dyn Db, files: &[File]) -> WordFilter {
    let lengths = files.iter().map(|file| file.contents(db).length());
    let mut filter = WordFilter::new(lengths.sum());
    for text in files.iter().filter_map(|file| text(db, *file)) {
        filter.add_words(&text);
    }
    filter
}

/// The words of a text, each with where it begins: letters, digits and `_`.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| IS_WORD[usize::from(*byte)];
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(is_word)?;
        at = start + bytes[start..].iter().take_while(|byte| is_word(byte)).count();
        Some((start, &text[start..at]))
    })
}

/// By byte: is it part of a word?
const IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

fn hash(word: &str) -> u64 {
    FxBuildHasher.hash_one(word)
}

fn is_source(db: &dyn Db, file: File) -> bool {
    file_kind(db, file).is_source()
}

/// The manifests and EPP templates of an environment, those of its modules first, then its main manifests.
pub fn sources(db: &dyn Db, environment: Environment) -> impl Iterator<Item = File> {
    let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let all = of_modules.chain(environment.main_manifests(db).iter()).copied();
    all.filter(|file| is_source(db, *file))
}

/// Those of a module's files that are not open and have a word.
#[salsa::tracked(returns(ref))]
fn closed_with(db: &dyn Db, module: ModuleTree, wanted: Name) -> Box<[File]> {
    find_closed_with(db, module.files(db).values(), &wanted)
}

/// The same of the main manifests of an environment.
#[salsa::tracked(returns(ref))]
fn closed_main_with(db: &dyn Db, environment: Environment, wanted: Name) -> Box<[File]> {
    find_closed_with(db, environment.main_manifests(db).iter(), &wanted)
}

fn find_closed_with<'f>(db: &dyn Db, files: impl Iterator<Item = &'f File>, wanted: &str) -> Box<[File]> {
    let _span = tracing::info_span!("source_words").entered();
    let has_word =
        |file: &File| text(db, *file).is_some_and(|text| words(&text).any(|(_, word)| word == wanted));
    files.copied().filter(|it| is_source(db, *it) && !it.is_open(db) && has_word(it)).collect()
}

/// The first of those that may have one of some words, and are what is looked for.
pub fn first_source_with(
    db: &dyn Db,
    environment: Environment,
    wanted: &[Name],
    is_it: impl Fn(&File) -> bool,
) -> Option<File> {
    let may_have = |filter: &WordFilter| wanted.iter().any(|word| filter.may_have(word));
    let is_open_with = |file: &File| file.is_open(db) && may_have(words_of_open(db, *file));
    let first_of = |mut files: Vec<File>| {
        files.sort_by_cached_key(|file| file.path(db));
        files.into_iter().find(&is_it)
    };
    let first_of_module = |module: &ModuleTree| {
        let sources = sources_of_module(db, *module);
        let mut files: Vec<File> = sources.open.iter().copied().filter(is_open_with).collect();
        if may_have(&sources.closed) {
            files.extend(wanted.iter().flat_map(|word| closed_with(db, *module, word.clone())));
        }
        first_of(files)
    };
    let in_modules = environment.modules(db).values().find_map(first_of_module);
    in_modules.or_else(|| {
        let closed = wanted.iter().flat_map(|word| closed_main_with(db, environment, word.clone())).copied();
        let open = environment.main_manifests(db).iter().copied().filter(is_open_with);
        first_of(closed.chain(open.filter(|it| is_source(db, *it))).collect())
    })
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
