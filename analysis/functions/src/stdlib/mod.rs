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
mod support;
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

/// Code of functions that behave differently in other versions, whose files contain none of the fragments. Recorded by
/// running the calls of `tests/stdlib.tsv` in Puppet 7 with twelve versions of stdlib from 4.0.2 to 9.7.0.
const CURRENT_CODE: &[(&str, &[&str])] = &[
    // Empty strings, and so undefined values, are elements.
    ("any2array", &["arguments == ['']"]),
    // Takes no method.
    ("base64", &["urlsafe"]),
    // Compares strings with its own list.
    ("bool2num", &["function_str2bool"]),
    // Takes no strings.
    ("bool2str", &["arguments[1] || 'true'"]),
    // Takes two arguments, or turns hashes into arrays of pairs.
    ("concat", &["x.is_a?(Array)"]),
    // Takes one item.
    ("delete", &["Array(arguments[1])"]),
    // Only the symbol that Puppet 3 used is removed.
    ("delete_undef_values", &[".nil?"]),
    // Accepts an empty string.
    ("dirname", &["non-empty"]),
    // Forwards to a function that converts no arguments, as the next two do in version 9.
    ("fqdn_rand_string", &["charset = args.shift"]),
    // Rotates by another number.
    ("fqdn_rotate", &["deterministic_rand"]),
    // Requires facts.
    ("has_interface_with", &["factval"]),
    // Takes objects that are no strings for one.
    ("is_absolute_path", &["create_function"]),
    ("is_domain_name", &["arguments[0].is_a?(String)"]),
    ("is_float", &["create_function", "value.is_a?(Numeric)", "value.is_a? Numeric"]),
    ("is_function_available", &["arguments[0].is_a?(String)"]),
    ("is_integer", &["numeric = "]),
    ("is_numeric", &["create_function"]),
    ("is_string", &["create_function"]),
    // Joins no arrays, or keeps the string .
    ("join_keys_to_values", &["String(v) == 'undef'"]),
    // Has no default.
    ("loadyaml", &["args[1]"]),
    // Takes no arrays.
    ("member", &["item - array"]),
    // Requires two hashes, takes no block, or accepts any keys.
    ("merge", &["Hash[Scalar", "stdlib::merge"]),
    // Compares the versions in the other order, or forwards.
    ("os_version_gte", &["(facts['operatingsystemmajrelease'], version)"]),
    // Reads PSON, which has only arrays and hashes on the top level.
    ("parsejson", &["Puppet::Util::Json"]),
    // Takes no hashes.
    ("prefix", &["enumerable"]),
    ("pw_hash", &["bcrypt"]),
    // Takes two strings.
    ("range", &["Unknown range format"]),
    // Converts no elements.
    ("reject", &["ary.reject"]),
    // Returns a string.
    ("seeded_rand", &["deterministic_rand_int"]),
    // Converts arguments as functions of the 3.x API do.
    ("shell_escape", &["create_function"]),
    // Compares the case of letters.
    ("str2bool", &["Y,y"]),
    // Takes no hashes.
    ("suffix", &["enumerable"]),
    // Uses units of 1,024 bytes less.
    ("to_bytes", &["layperson"]),
    ("to_json_pretty", &["max_nesting", "stdlib::to_json_pretty"]),
    ("to_yaml", &["options", "stdlib::to_yaml"]),
    // Takes two arrays.
    ("union", &["arguments.reduce(:|)"]),
    // Calls a method that Ruby 3 removed.
    ("uriescape", &["DEFAULT_PARSER"]),
    // Does not call the function of that name.
    ("validate_legacy", &["previous_validation"]),
    // Converts arguments as functions of the 3.x API do. That of `validate_re` and `validate_absolute_path` is not
    // considered, since it only matters for wrong arguments.
    ("validate_slength", &["create_function"]),
    ("validate_string", &["create_function"]),
    // Takes no numbers.
    ("values_at", &["i = i.to_s"]),
];

/// Returns true if a function of stdlib with this code behaves like the implementation here.
pub(super) fn is_current(name: &str, code: &str) -> bool {
    CURRENT_CODE
        .iter()
        .find(|(current, _)| *current == name)
        .is_none_or(|(_, fragments)| fragments.iter().any(|fragment| code.contains(fragment)))
}
