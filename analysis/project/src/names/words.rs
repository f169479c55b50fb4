//! Filter for the manifests and EPP templates that may contain a word. **An edit to one file never rescans
//! all others**: the words are kept compactly for each module, and for each open file.

use std::hash::BuildHasher;

use hir::Name;
use rustc_hash::FxBuildHasher;

use crate::{Db, Environment, File, ModuleTree, file_kind, text};
use memchr::memmem;

/// Bloom filter of names.
#[derive(PartialEq, Eq, Debug)]
struct WordFilter(Box<[u64]>);

/// Number of bytes of text per bit of a filter. With [`BITS_PER_WORD`], the false positive rate is 1 % for
/// manifests and 5 % for files of a few lines.
const BYTES_PER_BIT: usize = 4;
const BITS_PER_WORD: u64 = 3;

impl WordFilter {
    /// Creates a filter for a text of this many bytes.
    fn new(bytes: usize) -> WordFilter {
        WordFilter(vec![0; (bytes / BYTES_PER_BIT / 64).max(1)].into())
    }

    /// Returns the bits of a word; the hash is scaled to the length of the filter.
    fn bits(&self, word: u64) -> impl Iterator<Item = usize> + use<> {
        let (length, step) = (self.0.len() as u64 * 64, word >> 32 | 1);
        (0..BITS_PER_WORD).map(move |it| {
            let share = word.wrapping_add(it.wrapping_mul(step)) & u64::from(u32::MAX);
            ((share * length) >> 32) as usize
        })
    }

    fn add_words(&mut self, text: &str) {
        for (start, word) in words(text) {
            if is_name(word) && !text[..start].ends_with('$') {
                for bit in self.bits(hash(word)) {
                    self.0[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
    }

    fn may_have(&self, word: &str) -> bool {
        !is_name(word) || self.bits(hash(word)).all(|bit| self.0[bit / 64] & 1 << (bit % 64) != 0)
    }
}

/// Returns true if the word can be the name of a module or function. Most words of a text are numbers, types
/// and variables.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Words of a module's files.
#[derive(PartialEq, Eq, Debug)]
struct ModuleSources {
    /// Words of the files that are not open.
    closed: WordFilter,
    /// Open files, ordered by path.
    open: Box<[File]>,
}

#[salsa::tracked(returns(ref))]
fn sources_of_module(db: &dyn Db, module: ModuleTree) -> ModuleSources {
    let _span = tracing::info_span!("source_words").entered();
    let files = module.files(db).values().copied().filter(|it| is_source(db, *it));
    let (open, closed): (Vec<File>, Vec<File>) = files.partition(|it| it.is_open_in_editor(db));
    ModuleSources { closed: words_of_files(db, &closed), open: open.into() }
}

/// Returns the words of an open file.
#[salsa::tracked(returns(ref))]
fn words_of_open_file(db: &dyn Db, file: File) -> WordFilter {
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

/// Returns the words of a text (letters, digits and `_`) with their offsets.
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

/// Bytes that are part of a word.
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

/// Returns the manifests and EPP templates of an environment: those of its modules, then its main manifests.
pub fn sources(db: &dyn Db, environment: Environment) -> impl Iterator<Item = File> {
    let of_modules = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let all = of_modules.chain(environment.main_manifests(db).iter()).copied();
    all.filter(|file| is_source(db, *file))
}

/// Returns the files of a module that are not open and contain a word.
#[salsa::tracked(returns(ref))]
fn closed_files_with(db: &dyn Db, module: ModuleTree, wanted: Name) -> Box<[File]> {
    find_closed_files_with(db, module.files(db).values(), &wanted)
}

/// Returns the main manifests of an environment that are not open and contain a word.
#[salsa::tracked(returns(ref))]
fn closed_main_manifests_with(db: &dyn Db, environment: Environment, wanted: Name) -> Box<[File]> {
    find_closed_files_with(db, environment.main_manifests(db).iter(), &wanted)
}

fn find_closed_files_with<'f>(
    db: &dyn Db,
    files: impl Iterator<Item = &'f File>,
    wanted: &str,
) -> Box<[File]> {
    let _span = tracing::info_span!("source_words").entered();
    let has_word =
        |file: &File| text(db, *file).is_some_and(|text| words(&text).any(|(_, word)| word == wanted));
    files.copied().filter(|it| is_source(db, *it) && !it.is_open_in_editor(db) && has_word(it)).collect()
}

/// Returns the first source that may contain one of the `wanted` words and satisfies `is_match`.
pub fn first_source_with(
    db: &dyn Db,
    environment: Environment,
    wanted: &[Name],
    is_match: impl Fn(&File) -> bool,
) -> Option<File> {
    let may_have = |filter: &WordFilter| wanted.iter().any(|word| filter.may_have(word));
    let is_open_with = |file: &File| file.is_open_in_editor(db) && may_have(words_of_open_file(db, *file));
    let first_of = |mut files: Vec<File>| {
        files.sort_by_cached_key(|file| file.path(db));
        files.into_iter().find(&is_match)
    };
    let first_of_module = |module: &ModuleTree| {
        let sources = sources_of_module(db, *module);
        let mut files: Vec<File> = sources.open.iter().copied().filter(is_open_with).collect();
        if may_have(&sources.closed) {
            files.extend(wanted.iter().flat_map(|word| closed_files_with(db, *module, word.clone())));
        }
        first_of(files)
    };
    let in_modules = environment.modules(db).values().find_map(first_of_module);
    in_modules.or_else(|| {
        let closed =
            wanted.iter().flat_map(|word| closed_main_manifests_with(db, environment, word.clone())).copied();
        let open = environment.main_manifests(db).iter().copied().filter(is_open_with);
        first_of(closed.chain(open.filter(|it| is_source(db, *it))).collect())
    })
}

/// Returns the fingerprints of words that may be names of templates.
pub(super) fn template_words(text: &str) -> Vec<u32> {
    let mut words = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), b".erb") {
        let end = at + ".erb".len();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let start = text[..at]
            .rfind(|c: char| !is_part(c))
            .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
        words.push(fingerprint(&text[start..end]));
    }
    words
}

/// Returns a hash by which words are compared.
pub(super) fn fingerprint(word: &str) -> u32 {
    FxBuildHasher.hash_one(word) as u32
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
