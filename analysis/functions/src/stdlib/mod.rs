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

use std::cmp::Ordering;

use eval::{BuiltInFunction, Call};

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

/// Code of functions that behave differently in older versions, whose files contain none of the fragments. Recorded
/// by running the calls of `tests/stdlib.tsv` in Puppet 7 with stdlib 4.25.1.
const CURRENT_CODE: &[(&str, &[&str])] = &[
    // Empty strings, and so undefined values, are elements.
    ("any2array", &["arguments == ['']"]),
    // Only the symbol that Puppet 3 used is removed.
    ("delete_undef_values", &[".nil?"]),
    // Accepts an empty string.
    ("dirname", &["non-empty"]),
    // Requires two hashes, and takes no block.
    ("merge", &["create_function"]),
    // Reads PSON, which has only arrays and hashes on the top level.
    ("parsejson", &["Puppet::Util::Json"]),
    ("pw_hash", &["bcrypt"]),
    // Returns a string.
    ("seeded_rand", &["deterministic_rand_int"]),
    // Converts arguments as functions of the 3.x API do.
    ("shell_escape", &["create_function"]),
    ("to_json_pretty", &["max_nesting", "stdlib::to_json_pretty"]),
    ("to_yaml", &["options", "stdlib::to_yaml"]),
    // Calls a method that Ruby 3 removed.
    ("uriescape", &["DEFAULT_PARSER"]),
];

/// Returns true if a function of stdlib with this code behaves like the implementation here.
pub(super) fn is_current(name: &str, code: &str) -> bool {
    CURRENT_CODE
        .iter()
        .find(|(current, _)| *current == name)
        .is_none_or(|(_, fragments)| fragments.iter().any(|fragment| code.contains(fragment)))
}

/// Returns true if the environment's stdlib is known to be older than a version.
fn is_stdlib_before(call: &Call, version: &str) -> bool {
    order_of_stdlib(call, version).is_some_and(Ordering::is_lt)
}

/// Returns true if the environment's stdlib is known to have a version or a later one.
fn is_stdlib_since(call: &Call, version: &str) -> bool {
    order_of_stdlib(call, version).is_some_and(Ordering::is_ge)
}

/// Compares the version of the environment's stdlib; `None` if it is unknown.
fn order_of_stdlib(call: &Call, version: &str) -> Option<Ordering> {
    let metadata = call.evaluator.world.program.module_metadata("stdlib")?;
    let own = metadata.as_hash()?.get_text("version")?.as_str()?;
    Some(scalars::version_compare::version_compare(own, version, false))
}

/// Splits a string into lines as `^` and `$` of Ruby do.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}
