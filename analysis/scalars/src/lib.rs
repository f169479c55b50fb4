//! Pure functions on strings and numbers that Puppet inherits from Ruby and its libraries: formats, regular
//! expressions, versions, times, URIs, random numbers, JSON; and name similarity. Independent of Puppet's
//! values and types.
//!
//! * `ruby_regex` parses and validates Ruby's regular expressions; `regexp` runs them, with `regex` or, if a
//!   pattern requires backtracking, `fancy-regex`. There is one engine for short strings and one for long
//!   ones. See `docs/decisions/ruby-regexp.md`.
//! * `json` is the only reader of JSON in code and data: for heredocs, data, functions and templates.
//! * `similar` finds misspelled names.
//!
//! The size of results, patterns, numbers and nesting is bounded. Ruby's behavior is recorded in tables in
//! `tests/recorded`.

pub mod characters;
pub mod ip_address;
pub mod json;
pub mod letters;
pub mod numbers;
pub mod pattern_example;
pub mod random;
pub mod regexp;
pub mod ruby_regex;
pub mod semver;
pub mod shell_words;
pub mod similar;
pub mod sprintf;
pub mod tags;
pub mod timespan;
pub mod timestamp;
pub mod uri;
pub mod version_compare;
