//! Random values that are stable for a node or a seed.

use codes::Code;
use conversions::ruby;
use eval::{BuiltInFunction, Call, FunctionKind, Outcome};
use md5::Digest;
use sha2::Sha256;
use types::{Type, Value};

use crate::legacy::variables::{VisibleVariable, fact, variable};
use crate::legacy::{Random, hexadecimal, legacy, random_of_md5};
use crate::support::{function, known, open};

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "fqdn_rand_string",
        "Returns a random string of a length, from a set of characters, which is stable for a node and a seed.",
        &[known(
            "(Variant[Integer, String] $length, String $charset = '', Any *$seed) >> String[1]",
            fqdn_rand_string,
        )],
    ),
    legacy(
        "fqdn_rotate",
        "Rotates an array or string by a random number of positions, which is stable for a node and a seed.",
        &[
            open("(Array $value, Any *$seed) >> Array", fqdn_rotate),
            open("(String $value, Any *$seed) >> String", fqdn_rotate),
        ],
    ),
    legacy(
        "fqdn_uuid",
        "Returns the UUID (version 5, in the DNS namespace) of a name.",
        &[known("(String $name) >> String[36, 36]", fqdn_uuid)],
    ),
    legacy(
        "seeded_rand",
        "Returns a random number from 0 to below a maximum, which is stable for a seed.",
        &[known("(Variant[Integer, String] $max, String $seed) >> Integer[0]", seeded_rand)],
    ),
    function(
        "seeded_rand_string",
        "Returns a random string of a length, from a set of characters, which is stable for a seed.",
        &[known(
            "(Integer[1] $length, String $seed, String[2] $charset = '') >> String[1]",
            seeded_rand_string,
        )],
    ),
    legacy(
        "shuffle",
        "Shuffles an array or string.",
        &[
            open("(Array $value, Any *$more) >> Array", shuffle),
            open("(String $value, Any *$more) >> String", shuffle),
        ],
    ),
    function(
        "stdlib::seeded_rand",
        "Returns a random number from 0 to below a maximum, which is stable for a seed.",
        &[known("(Integer[1] $max, String $seed) >> Integer[0]", seeded_rand)],
    ),
    function(
        "stdlib::seeded_rand_string",
        "Returns a random string of a length, from a set of characters, which is stable for a seed.",
        &[known(
            "(Integer[1] $length, String $seed, Optional[String[2]] $charset = undef) >> String[1]",
            seeded_rand_string,
        )],
    ),
];

/// Returns a positive integer, given as a number or a string.
fn positive(call: &Call, index: usize) -> Outcome<u64> {
    let number = match call.argument(index) {
        Value::Integer(number) => i128::from(*number),
        Value::String(text) if super::checks::is_decimal(text) => ruby::text_to_i(text),
        _ => 0,
    };
    match u64::try_from(number) {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(call.fail_at(index, Code::RuntimeError, "expected a positive integer")),
    }
}

fn seeded_rand(call: &mut Call) -> Outcome {
    let max = positive(call, 0)?;
    let number = random_of_md5(call.string(1)).below(max) as i64;
    let is_text = super::support::is_stdlib_before(call, "6.6.0");
    Ok(if is_text { Value::string(number.to_string()) } else { Value::Integer(number) })
}

const LETTERS_AND_DIGITS: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn seeded_rand_string(call: &mut Call) -> Outcome {
    let length = call.integer(0).max(0) as usize;
    call.grow(length)?;
    call.step(length)?;
    let charset = Some(call.string(2)).filter(|charset| !charset.is_empty()).unwrap_or(LETTERS_AND_DIGITS);
    let characters: Vec<char> = charset.chars().collect();
    let mut random = Random::from_hexadecimal(&hexadecimal(&Sha256::digest(call.string(1))));
    let text: String =
        (0..length).map(|_| characters[random.below(characters.len() as u64) as usize]).collect();
    Ok(Value::string(text))
}

pub(super) fn fqdn_rand_string(call: &mut Call) -> Outcome {
    let length = positive(call, 0)? as usize;
    call.grow(length)?;
    call.step(length.saturating_mul(16))?;
    let unknown = |origin| Ok(Value::unknown(Type::STRING, origin));
    let fqdn = match fact(call, &["networking", "fqdn"]) {
        VisibleVariable::Value(value) => value,
        VisibleVariable::Unset => Value::Undef,
        VisibleVariable::Unknown(origin) => return unknown(origin),
    };
    let default: String = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let charset = Some(call.string(1)).filter(|charset| !charset.is_empty()).unwrap_or(&default);
    let characters: Vec<char> = charset.chars().collect();
    let seed = call.arguments.get(2..).unwrap_or_default();
    let mut text = String::new();
    for place in 1..=length {
        let mut parts = vec![fqdn.clone(), Value::Integer(characters.len() as i64)];
        parts.extend(seed.iter().cloned());
        parts.push(Value::Integer(place as i64));
        let Some(seed) = ruby::join(&parts, ":", call.env()) else { return unknown(types::Origin::Ruby) };
        text.push(characters[random_of_md5(&seed).below(characters.len() as u64) as usize]);
    }
    Ok(Value::string(text))
}

/// Returns the type of a permutation of the argument.
fn reordered(call: &Call) -> Type {
    let env = call.env();
    match types::infer::infer_set(call.argument(0), env) {
        Type::Tuple(tuple) => {
            Type::array(types::common::union(tuple.types.iter().cloned(), env), tuple.element_count())
        }
        Type::LiteralString(text) => Type::String(types::IntegerRange::exactly(text.chars().count() as i64)),
        ty @ (Type::Array(_) | Type::String(_)) => ty,
        ty => match ty.kinds(env) {
            types::Kinds::STRING => Type::STRING,
            types::Kinds::ARRAY => Type::array_of(Type::Any),
            _ => Type::variant([Type::STRING, Type::array_of(Type::Any)]),
        },
    }
}

pub(super) fn fqdn_rotate(call: &mut Call) -> Outcome {
    // Version 9 reads the structured fact.
    let fqdn = match call.function.kind {
        FunctionKind::Modern => fact(call, &["networking", "fqdn"]),
        FunctionKind::Legacy | FunctionKind::LegacyStatement => variable(call, "fqdn"),
    };
    let fqdn = match fqdn {
        VisibleVariable::Value(value) => value,
        VisibleVariable::Unset => Value::Undef,
        VisibleVariable::Unknown(origin) => return Ok(Value::unknown(reordered(call), origin)),
    };
    let mut elements: Vec<Value> = match call.argument(0) {
        Value::Array(elements) => elements.to_vec(),
        Value::String(text) => text.chars().map(|c| Value::string(c.to_string())).collect(),
        _ => return Ok(call.unknown(reordered(call))),
    };
    if elements.len() <= 1 {
        return Ok(call.argument(0).clone());
    }
    let seed = Value::array(call.arguments.get(1..).unwrap_or_default());
    let Some(seed) = ruby::join(&[fqdn, seed], ":", call.env()) else {
        return Ok(call.unknown(reordered(call)));
    };
    let offset = random_of_md5(&seed).below(elements.len() as u64) as usize;
    elements.rotate_left(offset);
    Ok(match call.argument(0) {
        Value::String(_) => Value::string(elements.iter().filter_map(Value::as_str).collect::<String>()),
        _ => Value::array(elements),
    })
}

fn shuffle(call: &mut Call) -> Outcome {
    let is_short = match call.argument(0) {
        Value::Array(elements) => elements.len() <= 1,
        Value::String(text) => text.chars().count() <= 1,
        _ => false,
    };
    Ok(if is_short { call.argument(0).clone() } else { Value::unknown(reordered(call), types::Origin::Ruby) })
}

fn fqdn_uuid(call: &mut Call) -> Outcome {
    const HOST_NAMES: [u8; 16] =
        [0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];
    let mut sum = sha1::Sha1::new();
    sum.update(HOST_NAMES);
    sum.update(call.string(0));
    let mut bytes = sum.finalize();
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes[..16]);
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    Ok(Value::string(parts.join("-")))
}
