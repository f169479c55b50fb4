//! Functions of puppetlabs-stdlib that are used in practice. They exist if the environment's own stdlib has
//! them.
//!
//! Functions that stdlib implements in Puppet are evaluated from their source.

mod arrays;
mod catalog;
mod checks;
mod conversions;
pub(super) mod data;
mod hashes;
mod indices;
mod loading;
mod network;
mod paths;
mod random;
mod strings;
mod toml;
mod validation;
mod version_9;

use eval::BuiltInFunction;

/// Tables, one per subject.
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
    strings::TABLE,
    validation::TABLE,
    version_9::TABLE,
];

/// Splits a string into lines as `^` and `$` of Ruby do.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}
