//! The functions of the 3.x API that ship with Puppet and have no twin in the 4.x API.

mod catalog;
mod files;
mod texts;

use types::{Origin, Type, Value};

pub(super) use catalog::{GivenAttributes, declare, type_and_title};
pub(super) use scalars::random::Random;
pub(super) use texts::{formatted, hexadecimal, random_of_md5};

use super::support::{known, open};
use eval::Call;
use eval::VariableState;
use eval::{BuiltInFunction, FunctionKind, Overload};

/// A function of the 3.x API that is called for its value.
pub(super) const fn legacy(
    name: &'static str,
    documentation: &'static str,
    overloads: &'static [Overload],
) -> BuiltInFunction {
    BuiltInFunction { name, documentation, kind: FunctionKind::Legacy, overloads }
}

/// A function of the 3.x API that is called for what it does.
pub(super) const fn statement(
    name: &'static str,
    documentation: &'static str,
    overloads: &'static [Overload],
) -> BuiltInFunction {
    BuiltInFunction { name, documentation, kind: FunctionKind::LegacyStatement, overloads }
}

/// A function of the 3.x API that hands its call on to the newer one of its name, where there is none:
/// it calls itself for ever.
pub static CALLS_ITSELF: BuiltInFunction = statement(
    "calls_itself",
    "Hands its call on to itself.",
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
        "The checksum of a text, made with the algorithm of the setting `digest_algorithm`: SHA-256 if it is not set.",
        &[known("(String $text) >> String[64, 64]", texts::sha256)],
    ),
    statement(
        "fail",
        "Ends the compilation with an error whose message are the arguments, with spaces in between.",
        &[open("(Any *$values) >> Undef", texts::fail)],
    ),
    legacy(
        "file",
        "The content of the first of several files that exists: `module/name` below the folder `files` of a module, or an absolute path.",
        &[open("(String +$paths) >> String", files::file)],
    ),
    legacy(
        "fqdn_rand",
        "A random number from 0 to below a maximum that stays the same for a node and a seed.",
        &[open(
            "(Variant[Numeric, String] $max, Any $seed = '', Any $downcase = false, Any *$more) >> Integer[0]",
            texts::fqdn_rand,
        )],
    ),
    legacy(
        "generate",
        "What a command prints that runs on the server; its path must be absolute.",
        &[open("(String $command, Any *$arguments) >> String", texts::generate)],
    ),
    legacy(
        "inline_template",
        "Renders texts as ERB templates, and joins what they give.",
        &[open("(String +$templates) >> String", files::inline_template)],
    ),
    legacy(
        "md5",
        "The MD5 checksum of a text, in hexadecimal digits.",
        &[known("(String $text) >> String[32, 32]", texts::md5)],
    ),
    statement(
        "realize",
        "Makes virtual resources real; takes references to them.",
        &[open("(Any +$references) >> Undef", catalog::realize)],
    ),
    legacy(
        "sha1",
        "The SHA-1 checksum of a text, in hexadecimal digits.",
        &[known("(String $text) >> String[40, 40]", texts::sha1)],
    ),
    legacy(
        "sha256",
        "The SHA-256 checksum of a text, in hexadecimal digits.",
        &[known("(String $text) >> String[64, 64]", texts::sha256)],
    ),
    legacy(
        "shellquote",
        "Quotes words for a Bourne shell, and joins them with spaces; the elements of arrays are words, too.",
        &[known("(Variant[String, Array] *$words) >> String", texts::shellquote)],
    ),
    legacy(
        "sprintf",
        "Formats values as Ruby's `sprintf` does: `sprintf('%05.1f %s', 3.14159, 'a')`. A hash gives values for `%<name>s`.",
        &[known("(String $format, Any *$arguments) >> String", texts::sprintf)],
    ),
    statement(
        "tag",
        "Adds tags to the class or defined type around the call, and to what it contains.",
        &[open("(Any +$tags) >> Undef", catalog::tag)],
    ),
    legacy(
        "tagged",
        "Does the class or defined type around the call have all of the tags?",
        &[open("(Any +$tags) >> Boolean", catalog::tagged)],
    ),
    legacy(
        "template",
        "Renders ERB templates, and joins what they give: `module/name` below the folder `templates` of a module, or an absolute path.",
        &[open("(String +$files) >> String", files::template)],
    ),
];

/// What code in Ruby sees when it asks for a variable.
pub(super) enum Seen {
    Value(Value),
    Nothing,
    /// There may be one, or none.
    NotKnown(Origin),
}

/// The variable of a name that is visible at a call.
pub(super) fn variable(call: &Call, name: &str) -> Seen {
    match call.evaluator.slot_by_name(call.frame, name) {
        VariableState::Set(value) => Seen::Value(value),
        VariableState::Possible(value) => Seen::NotKnown(value.least_trustworthy().unwrap_or(Origin::Join)),
        VariableState::Unset => Seen::Nothing,
    }
}

/// A fact by its path in `$facts`; `undef` where there is none.
pub(super) fn fact(call: &Call, path: &[&str]) -> Seen {
    let mut value = match variable(call, "facts") {
        Seen::Value(value) => value,
        Seen::Nothing => return Seen::Nothing,
        Seen::NotKnown(origin) => return Seen::NotKnown(origin),
    };
    for key in path {
        value = match &value {
            Value::Hash(entries) => entries.get_text(key).cloned().unwrap_or(Value::Undef),
            Value::Unknown(unknown) => return Seen::NotKnown(unknown.origin),
            _ => return Seen::Value(Value::Undef),
        };
    }
    match value {
        Value::Unknown(unknown) => Seen::NotKnown(unknown.origin),
        value => Seen::Value(value),
    }
}

/// A text of which nothing is known, because Ruby makes it.
pub(super) fn unknown_text(origin: Origin) -> Value {
    Value::unknown(Type::STRING, origin)
}
