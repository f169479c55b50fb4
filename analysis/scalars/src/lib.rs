//! Pure functions on strings and numbers that Puppet inherits from Ruby and its libraries: formats, regular
//! expressions, versions, times, URIs, random numbers, JSON; and name similarity. Independent of Puppet's
//! values and types.

pub mod characters;
pub mod json;
pub mod letters;
pub mod numbers;
pub mod pattern_example;
pub mod random;
pub mod regexp;
pub mod ruby_regex;
pub mod semver;
pub mod similar;
pub mod sprintf;
pub mod tags;
pub mod timespan;
pub mod timestamp;
pub mod uri;
pub mod version_compare;
