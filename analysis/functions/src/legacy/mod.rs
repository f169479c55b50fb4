//! Functions of the 3.x API that ship with Puppet and have no counterpart in the 4.x API.

mod catalog;
mod files;
mod strings;
pub(crate) mod variables;

pub(super) use catalog::{GivenAttributes, declare, type_and_title};
pub(super) use scalars::random::Random;
pub(super) use strings::{formatted, hexadecimal, random_of_md5};

use super::support::{known, open};
use eval::{BuiltInFunction, FunctionKind, Overload};

/// Returns a function of the 3.x API that is called for its value.
pub(super) const fn legacy(
    name: &'static str,
    documentation: &'static str,
    overloads: &'static [Overload],
) -> BuiltInFunction {
    BuiltInFunction { name, documentation, kind: FunctionKind::Legacy, overloads }
}

/// Returns a function of the 3.x API that is called for its side effects.
pub(super) const fn statement(
    name: &'static str,
    documentation: &'static str,
    overloads: &'static [Overload],
) -> BuiltInFunction {
    BuiltInFunction { name, documentation, kind: FunctionKind::LegacyStatement, overloads }
}

/// Function of the 3.x API that forwards to the 4.x function of the same name although there is none: it
/// calls itself endlessly.
pub static CALLS_ITSELF: BuiltInFunction = statement(
    "calls_itself",
    "Calls itself.",
    &[open("(Any *$arguments) >> Undef", |call| Err(call.refuse("stack level too deep")))],
);

pub(super) const TABLE: &[BuiltInFunction] = &[
    statement(
        "create_resources",
        "Declares a resource for each entry of a hash: its title, and a hash of its attributes.",
        &[open(
            "(String $type, Hash[Any, Hash] $resources, Hash $defaults = {}) >> Undef",
            catalog::create_resources,
        )],
    ),
    legacy(
        "digest",
        "Returns the checksum of a string, by the algorithm of the setting `digest_algorithm` (default: SHA-256).",
        &[known("(String $text) >> String[64, 64]", strings::sha256)],
    ),
    statement(
        "fail",
        "Ends the compilation with an error; its message consists of the arguments, separated by spaces.",
        &[open("(Any *$values) >> Undef", strings::fail)],
    ),
    legacy(
        "file",
        "Returns the content of the first existing file: `module/name` in the folder `files` of a module, or an absolute path.",
        &[open("(String +$paths) >> String", files::file)],
    ),
    legacy(
        "fqdn_rand",
        "Returns a random number from 0 to below a maximum, which is stable for a node and a seed.",
        &[open(
            "(Variant[Numeric, String] $max, Any $seed = '', Any $downcase = false, Any *$more) >> Integer[0]",
            strings::fqdn_rand,
        )],
    ),
    legacy(
        "generate",
        "Returns the output of a command that runs on the server; its path must be absolute.",
        &[open("(String $command, Any *$arguments) >> String", strings::generate)],
    ),
    legacy(
        "inline_template",
        "Renders strings as ERB templates, and concatenates the results.",
        &[open("(String +$templates) >> String", files::inline_template)],
    ),
    legacy(
        "md5",
        "Returns the MD5 checksum of a string, in hexadecimal digits.",
        &[known("(String $text) >> String[32, 32]", strings::md5)],
    ),
    statement(
        "realize",
        "Realizes virtual resources, given by references.",
        &[open("(Any +$references) >> Undef", catalog::realize)],
    ),
    legacy(
        "sha1",
        "Returns the SHA-1 checksum of a string, in hexadecimal digits.",
        &[known("(String $text) >> String[40, 40]", strings::sha1)],
    ),
    legacy(
        "sha256",
        "Returns the SHA-256 checksum of a string, in hexadecimal digits.",
        &[known("(String $text) >> String[64, 64]", strings::sha256)],
    ),
    legacy(
        "shellquote",
        "Quotes words for a Bourne shell, and joins them with spaces; arrays are flattened.",
        &[known("(Variant[String, Array] *$words) >> String", strings::shellquote)],
    ),
    legacy(
        "sprintf",
        "Formats values like Ruby's `sprintf`: `sprintf('%05.1f %s', 3.14159, 'a')`. A hash provides values for `%<name>s`.",
        &[known("(String $format, Any *$arguments) >> String", strings::sprintf)],
    ),
    statement(
        "tag",
        "Adds tags to the enclosing class or defined type, and to everything that it contains.",
        &[open("(Any +$tags) >> Undef", catalog::tag)],
    ),
    legacy(
        "tagged",
        "Returns true if the enclosing class or defined type has all of the tags.",
        &[open("(Any +$tags) >> Boolean", catalog::tagged)],
    ),
    legacy(
        "template",
        "Renders ERB templates, and concatenates the results: `module/name` in the folder `templates` of a module, or an absolute path.",
        &[open("(String +$files) >> String", files::template)],
    ),
];
