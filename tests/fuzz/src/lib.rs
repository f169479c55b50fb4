//! Fuzz targets: functions that check invariants for arbitrary bytes. The crate `fuzz` runs them
//! under libFuzzer, the program of this package with mutations of its seeds.

mod targets {
    pub(crate) mod data;
    #[cfg(feature = "host")]
    pub(crate) mod edits;
    #[cfg(feature = "host")]
    pub(crate) mod frames;
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
    ("lexer", targets::syntax::any_text, SMALL),
    ("parser", targets::syntax::pieces, SMALL),
    ("epp", targets::syntax::templates, SMALL),
    ("trees", targets::trees::run, SMALL),
    ("data", targets::data::run, SMALL),
    ("ruby", targets::ruby::run, SMALL),
    ("texts", targets::texts::run, SMALL),
    #[cfg(feature = "host")]
    ("edits", targets::edits::run, ide::STACK_SIZE),
    #[cfg(feature = "host")]
    ("project", targets::project::run, ide::STACK_SIZE),
    #[cfg(feature = "host")]
    ("frames", targets::frames::run, SMALL),
];

/// Default stack size of a thread, in bytes.
const SMALL: usize = 2 << 20;

/// Runs the target called `name`.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|it| it.0 == name).expect("the target is in the table");
    (target.1)(bytes);
}
