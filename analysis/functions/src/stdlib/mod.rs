//! The functions of puppetlabs-stdlib that real code uses. They exist where the environment's own stdlib has them.
//!
//! Those that stdlib writes in Puppet are evaluated from their source.

mod arrays;
mod catalog;
mod conversions;
pub(super) mod data;
mod hashes;
mod indices;
mod loading;
mod network;
mod paths;
mod random;
mod texts;
mod toml;
mod validation;
mod verdicts;
mod version_9;

use eval::BuiltInFunction;

/// The tables, one for each subject.
pub(super) const TABLES: &[&[BuiltInFunction]] = &[
    arrays::TABLE,
    catalog::TABLE,
    conversions::TABLE,
    data::TABLE,
    hashes::TABLE,
    indices::TABLE,
    loading::TABLE,
    network::TABLE,
    paths::TABLE,
    random::TABLE,
    texts::TABLE,
    validation::TABLE,
    version_9::TABLE,
];

/// The lines of a text as `^` and `$` of Ruby see them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}
