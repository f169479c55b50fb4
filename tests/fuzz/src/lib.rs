//! Fuzz targets: functions that check invariants for arbitrary bytes. The crate `fuzz` runs them
//! under libFuzzer, the program of this package with mutations of its seeds.

mod targets {
    #[cfg(feature = "host")]
    pub(crate) mod cache;
    pub(crate) mod data;
    #[cfg(feature = "host")]
    pub(crate) mod edits;
    #[cfg(feature = "host")]
    pub(crate) mod frames;
    pub(crate) mod git;
    #[cfg(feature = "host")]
    pub(crate) mod project;
    pub(crate) mod ruby;
    pub(crate) mod syntax;
    pub(crate) mod texts;
    pub(crate) mod trees;
}
pub mod mutation;
mod pieces;

use pieces::text_of_pieces;

/// Function that processes bytes and panics if an invariant is violated.
pub type Target = fn(&[u8]);

/// All targets with their names and stack sizes in bytes.
pub const TARGETS: &[(&str, Target, usize)] = &[
    ("lexer", targets::syntax::any_text, DEFAULT_STACK),
    ("parser", targets::syntax::pieces, DEFAULT_STACK),
    ("epp", targets::syntax::templates, DEFAULT_STACK),
    ("trees", targets::trees::run, DEFAULT_STACK),
    ("data", targets::data::run, DEFAULT_STACK),
    ("ruby", targets::ruby::run, DEFAULT_STACK),
    ("texts", targets::texts::run, DEFAULT_STACK),
    ("git", targets::git::run, DEFAULT_STACK),
    #[cfg(feature = "host")]
    ("edits", targets::edits::run, ide::STACK_SIZE),
    #[cfg(feature = "host")]
    ("project", targets::project::run, ide::STACK_SIZE),
    #[cfg(feature = "host")]
    ("frames", targets::frames::run, DEFAULT_STACK),
    #[cfg(feature = "host")]
    ("cache", targets::cache::run, DEFAULT_STACK),
];

/// Default stack size of a thread, in bytes.
const DEFAULT_STACK: usize = 2 << 20;

/// Runs the target called `name`.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|it| it.0 == name).expect("the target is in the table");
    (target.1)(bytes);
}

/// Returns the number of index entries and blobs that the target `git` reads from an input.
pub fn git_contents(bytes: &[u8]) -> (usize, usize) {
    targets::git::read(bytes)
}
