//! Functions that only version 9 of stdlib has, or that take different arguments there.

use conversions::ruby;
use eval::{BuiltInFunction, Call, MissingNameKind, Outcome};
use sha2::{Digest, Sha256};
use types::{Origin, Type, Value};

use super::random::{fqdn_rand_string, fqdn_rotate};
use crate::legacy::hexadecimal;
use crate::legacy::variables::{VisibleVariable, fact};
use crate::support::{function, known, open};

const DATA: &str =
    "(Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data) >> String";

pub(super) const TABLE: &[BuiltInFunction] = &[
    function(
        "stdlib::crc32",
        "Returns the CRC-32 checksum of a value's string form, in hexadecimal digits.",
        &[known(DATA, crc32)],
    ),
    function(
        "stdlib::fqdn_rand_string",
        "Returns a random string of a length, from a set of characters, which is stable for a node and a seed.",
        &[known(
            "(Integer[1] $length, Optional[String] $charset = undef, Any *$seed) >> String",
            fqdn_rand_string,
        )],
    ),
    function(
        "stdlib::fqdn_rotate",
        "Rotates an array or string by a random number of positions, which is stable for a node and a seed.",
        &[
            open("(String $input, Variant[Integer, String] *$seeds) >> String", fqdn_rotate),
            open("(Array $input, Variant[Integer, String] *$seeds) >> Array", fqdn_rotate),
        ],
    ),
    function(
        "stdlib::has_function",
        "Returns true if there is a function of that name.",
        &[known("(String[1] $function_name) >> Boolean", has_function)],
    ),
    function(
        "stdlib::has_interface_with",
        "Returns true if the machine has a network interface of that name, or one with that address.",
        &[
            known("(String[1] $interface) >> Boolean", has_interface_with),
            known(
                "(Enum['ip', 'ipaddress', 'mac', 'macaddress', 'netmask', 'network'] $kind, String[1] $value) >> Boolean",
                has_interface_with,
            ),
        ],
    ),
    function(
        "stdlib::nested_values",
        "Returns the values of a hash, with nested hashes replaced by their values.",
        &[known("(Hash $hash) >> Array", nested_values)],
    ),
    function(
        "stdlib::sha256",
        "Returns the SHA-256 checksum of a value's string form, in hexadecimal digits.",
        &[known(DATA, sha256)],
    ),
];

/// Returns the string form of the first argument, unwrapped if it is sensitive.
fn data(call: &Call) -> String {
    let value = match call.argument(0) {
        Value::Sensitive(inner) => inner,
        other => other,
    };
    ruby::modern_to_s(value, call.env()).unwrap_or_default()
}

fn sha256(call: &mut Call) -> Outcome {
    Ok(Value::string(hexadecimal(&Sha256::digest(data(call)))))
}

fn crc32(call: &mut Call) -> Outcome {
    Ok(Value::string(format!("{:x}", crc32fast::hash(data(call).as_bytes()))))
}

fn has_function(call: &mut Call) -> Outcome {
    let name = call.string(0);
    let program = call.evaluator.world.program;
    let folded = hir::fold_name(name);
    Ok(if crate::built_in(name).is_some() || program.function(&folded).is_some() {
        Value::Boolean(true)
    } else if program.may_define(MissingNameKind::Function, &folded) {
        Value::unknown(Type::BOOLEAN, Origin::MissingDefinition)
    } else {
        Value::Boolean(false)
    })
}

fn has_interface_with(call: &mut Call) -> Outcome {
    let interfaces = match fact(call, &["networking", "interfaces"]) {
        VisibleVariable::Value(Value::Hash(interfaces)) => interfaces,
        VisibleVariable::Unknown(origin) => return Ok(Value::unknown(Type::BOOLEAN, origin)),
        VisibleVariable::Value(_) | VisibleVariable::Unset => {
            return Err(call.refuse("unknown fact `networking.interfaces`"));
        }
    };
    if !call.has(1) {
        return Ok(Value::Boolean(interfaces.contains_key(call.argument(0))));
    }
    let kind = match call.string(0) {
        "ipaddress" => "ip",
        "macaddress" => "mac",
        kind => kind,
    };
    let has = |interface: &Value| match interface {
        Value::Hash(attributes) => attributes.get_text(kind) == Some(call.argument(1)),
        _ => false,
    };
    Ok(if interfaces.values().any(has) {
        Value::Boolean(true)
    } else {
        match interfaces.values().filter_map(Value::least_trustworthy).max() {
            Some(origin) => Value::unknown(Type::BOOLEAN, origin),
            None => Value::Boolean(false),
        }
    })
}

fn nested_values(call: &mut Call) -> Outcome {
    let mut values = Vec::new();
    collect(call.argument(0), &mut values);
    call.grow(values.len())?;
    Ok(Value::array(values))
}

fn collect(value: &Value, values: &mut Vec<Value>) {
    match value {
        Value::Hash(entries) => entries.values().for_each(|value| collect(value, values)),
        other => values.push(other.clone()),
    }
}
