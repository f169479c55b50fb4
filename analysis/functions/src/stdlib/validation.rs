//! Functions that say or check what a value is. Most are deprecated, and say so.

use codes::Code;
use conversions::ruby;
use eval::{
    BuiltInFunction, Call, DELIBERATE_FAILURE, FunctionKind, LogLevel, Outcome, Overload, WhenUnknown,
};
use types::assign::Fit;
use types::{Kinds, Type, Value};
use validation::Strict;

use super::network::{Address, is_domain_name, is_mac_address};
use super::verdicts::{ValidationVerdict, is_decimal, is_email_address, verdict};
use super::{lines, paths};
use crate::legacy::{legacy, statement};
use crate::support::{function, known, open};

/// The code of deprecated things that are used while `strict` is `error`.
const DEPRECATION: Code = Code::Deprecation;
/// The code of values that are not what a function checks for.
const NOT_VALID: Code = Code::ValidationFailed;

/// `validate_*` of the 4.x API: deprecated, with arguments as they are.
const fn deprecated_check(name: &'static str, documentation: &'static str) -> BuiltInFunction {
    const OVERLOADS: &[Overload] =
        &[Overload { signature: "(Any +$values) >> Undef", when_unknown: WhenUnknown::Call, call: validate }];
    BuiltInFunction { name, documentation, kind: FunctionKind::Modern, overloads: OVERLOADS }
}

/// `is_*` of the 4.x API: deprecated, with arguments as they are.
const fn deprecated_question(name: &'static str, documentation: &'static str) -> BuiltInFunction {
    const OVERLOADS: &[Overload] =
        &[Overload { signature: "(Any $value) >> Boolean", when_unknown: WhenUnknown::Call, call: ask }];
    BuiltInFunction { name, documentation, kind: FunctionKind::Modern, overloads: OVERLOADS }
}

/// Those of which Ruby takes more arguments, and ignores them.
const fn deprecated_question_of_many(name: &'static str, documentation: &'static str) -> BuiltInFunction {
    const OVERLOADS: &[Overload] =
        &[Overload { signature: "(Any +$value) >> Boolean", when_unknown: WhenUnknown::Call, call: ask }];
    BuiltInFunction { name, documentation, kind: FunctionKind::Modern, overloads: OVERLOADS }
}

const ASK: &[Overload] =
    &[Overload { signature: "(Any $value) >> Boolean", when_unknown: WhenUnknown::Call, call: ask_quietly }];
const CHECK: &[Overload] = &[Overload {
    signature: "(Any +$values) >> Undef",
    when_unknown: WhenUnknown::Call,
    call: validate_quietly,
}];

pub(super) const TABLE: &[BuiltInFunction] = &[
    function(
        "deprecation",
        "Warns that something is deprecated, once for each key; an error if `strict` is `error`.",
        &[open(
            "(String $key, String $message, Optional[Boolean] $use_strict_setting = true) >> Any",
            deprecation,
        )],
    ),
    function(
        "is_a",
        "Is a value an instance of a type? The same as `=~`.",
        &[open("(Any $value, Type $type) >> Boolean", is_a)],
    ),
    deprecated_question(
        "is_absolute_path",
        "Deprecated: is it an absolute path? Match `Stdlib::Absolutepath` instead.",
    ),
    deprecated_question_of_many("is_array", "Deprecated: is it an array? Match `Array` instead."),
    deprecated_question("is_bool", "Deprecated: is it true or false? Match `Boolean` instead."),
    legacy("is_domain_name", "Is it a domain name?", ASK),
    legacy("is_email_address", "Is it an email address?", ASK),
    deprecated_question("is_float", "Deprecated: is it a float, or the text of one? Match `Float` instead."),
    legacy("is_hash", "Is it a hash?", ASK),
    legacy("is_integer", "Is it an integer, or the text of one?", ASK),
    deprecated_question(
        "is_ip_address",
        "Deprecated: is it an IP address? Match `Stdlib::IP::Address` instead.",
    ),
    deprecated_question(
        "is_ipv4_address",
        "Deprecated: is it an IPv4 address? Match `Stdlib::IP::Address::V4` instead.",
    ),
    deprecated_question(
        "is_ipv6_address",
        "Deprecated: is it an IPv6 address? Match `Stdlib::IP::Address::V6` instead.",
    ),
    legacy(
        "is_mac_address",
        "Is it the address of a network card?",
        &[open("(Variant[String, Default] $text) >> Boolean", ask_quietly)],
    ),
    deprecated_question(
        "is_numeric",
        "Deprecated: is it a number, or the text of one? Match `Numeric` instead.",
    ),
    deprecated_question_of_many(
        "is_string",
        "Deprecated: is it a text that is no number? Match `String` instead.",
    ),
    legacy(
        "type3x",
        "The name of what a value is: `string`, `integer`, `array`, ...",
        &[known("(Variant[Boolean, Array, Numeric, Hash, String] $value) >> String", type3x)],
    ),
    function("type_of", "The most specific type of a value.", &[known("(Any $value) >> Type", type_of)]),
    deprecated_check("validate_absolute_path", "Deprecated: fails unless all are absolute paths."),
    deprecated_check("validate_array", "Deprecated: fails unless all are arrays."),
    deprecated_check("validate_bool", "Deprecated: fails unless all are true or false."),
    statement("validate_domain_name", "Fails unless all are domain names.", CHECK),
    statement("validate_email_address", "Fails unless all are email addresses.", CHECK),
    deprecated_check("validate_hash", "Deprecated: fails unless all are hashes."),
    deprecated_check(
        "validate_integer",
        "Deprecated: fails unless the value, or each of the array, is an integer within limits.",
    ),
    deprecated_check("validate_ip_address", "Deprecated: fails unless all are IP addresses."),
    deprecated_check("validate_ipv4_address", "Deprecated: fails unless all are IPv4 addresses."),
    deprecated_check("validate_ipv6_address", "Deprecated: fails unless all are IPv6 addresses."),
    function(
        "validate_legacy",
        "Fails unless a value is of a type, or an old `validate_…` function accepts it, too.",
        &[
            open(
                "(Type $target_type, String $function_name, Any $value, Any *$arguments) >> Optional[String]",
                validate_legacy,
            ),
            open(
                "(String $type_text, String $function_name, Any $value, Any *$arguments) >> Optional[String]",
                validate_legacy,
            ),
        ],
    ),
    deprecated_check(
        "validate_numeric",
        "Deprecated: fails unless the value, or each of the array, is a number within limits.",
    ),
    deprecated_check(
        "validate_re",
        "Deprecated: fails unless a text matches one of the regular expressions.",
    ),
    deprecated_check(
        "validate_slength",
        "Deprecated: fails unless a text, or each of the array, has a length within limits.",
    ),
    deprecated_check("validate_string", "Deprecated: fails unless all are texts or `undef`."),
];

/// What the function `deprecation` does.
pub(super) fn warn_of(call: &mut Call, message: &str) -> Outcome<()> {
    match call.evaluator.world.settings.strict {
        Strict::Off => {}
        Strict::Warning => call.warn_once(message),
        Strict::Error => {
            return Err(call.fail(DEPRECATION, format!("{message} (an error while `strict` is `error`)")));
        }
    }
    Ok(())
}

fn deprecation(call: &mut Call) -> Outcome {
    let message = match call.argument(1) {
        Value::String(message) => message.to_string(),
        _ => "something is deprecated".to_owned(),
    };
    // Version 9 can be told not to fail.
    match call.argument(2) {
        Value::Boolean(false) => call.warn_once(&message),
        // Like `fail()`: the code around it decides when.
        _ if call.evaluator.world.settings.strict == Strict::Error => {
            return Err(call.fail(DELIBERATE_FAILURE, message));
        }
        _ => warn_of(call, &message)?,
    }
    Ok(Value::unknown(Type::Any, types::Origin::Ruby))
}

fn warn_of_function(call: &mut Call, instead: &str) -> Outcome<()> {
    let name = call.function.name;
    warn_of(call, &format!("{name}() is deprecated: {instead}"))
}

fn validate(call: &mut Call) -> Outcome {
    warn_of_function(call, "give the parameter a type instead")?;
    validate_quietly(call)
}

fn validate_quietly(call: &mut Call) -> Outcome {
    match verdict(call.function.name, &call.arguments, call.env()) {
        Some(ValidationVerdict::Fails(message)) => {
            let is_told =
                call.arguments.iter().filter_map(Value::least_trustworthy).all(types::Origin::is_trustworthy);
            match is_told {
                true => Err(call.fail(NOT_VALID, message)),
                false => Ok(Value::Undef),
            }
        }
        _ => Ok(Value::Undef),
    }
}

fn ask(call: &mut Call) -> Outcome {
    warn_of_function(call, "match the value against a type with =~ instead")?;
    ask_quietly(call)
}

fn ask_quietly(call: &mut Call) -> Outcome {
    let env = call.env();
    let value = call.argument(0);
    let fits = |ty: &Type| match types::assign::fits(ty, value, env) {
        Fit::Always => Some(true),
        Fit::Never => Some(false),
        Fit::Maybe => None,
    };
    // What a text says; other values are of the kinds, or not.
    let says = |kinds: Kinds, test: &dyn Fn(&str) -> bool| match value {
        Value::String(text) => Some(test(text)),
        value => {
            let possible = value.kinds(env);
            match possible.contains(Kinds::STRING) || possible.intersects(kinds) && !kinds.contains(possible)
            {
                true => None,
                false => Some(possible.intersects(kinds)),
            }
        }
    };
    let is_address = |text: &str, version_6: Option<bool>| {
        Address::parse(text)
            .is_some_and(|address| version_6.is_none_or(|wanted| address.is_version_6 == wanted))
    };
    let answer = match call.function.name {
        "is_absolute_path" => says(Kinds::empty(), &paths::is_absolute),
        "is_array" => fits(&Type::array_of(Type::Any)),
        "is_bool" => fits(&Type::BOOLEAN),
        "is_domain_name" => says(Kinds::empty(), &is_domain_name),
        "is_email_address" => says(Kinds::empty(), &is_email_address),
        "is_float" => says(Kinds::FLOAT, &|text| text == scalars::numbers::float_text(ruby::text_to_f(text))),
        "is_hash" => fits(&Type::hash_of(Type::Any, Type::Any)),
        "is_integer" => says(Kinds::INTEGER, &is_decimal),
        "is_ip_address" => says(Kinds::empty(), &|text| is_address(text, None)),
        "is_ipv4_address" => says(Kinds::empty(), &|text| is_address(text, Some(false))),
        "is_ipv6_address" => says(Kinds::empty(), &|text| is_address(text, Some(true))),
        "is_mac_address" => says(Kinds::empty(), &is_mac_address),
        // Times and versions are numbers to Ruby.
        "is_numeric" => says(Kinds::NUMBER | Kinds::TIMESTAMP | Kinds::TIMESPAN | Kinds::SEMVER, &is_number),
        "is_string" => says(Kinds::UNDEF, &|text| !is_number_text(text)),
        _ => None,
    };
    Ok(answer.map_or_else(|| call.unknown(Type::BOOLEAN), Value::Boolean))
}

/// Is a text what Ruby prints for the number in it?
fn is_number_text(text: &str) -> bool {
    text == ruby::text_to_i(text).to_string() || text == scalars::numbers::float_text(ruby::text_to_f(text))
}

/// A decimal number, perhaps with a fraction and an exponent.
fn is_number(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    lines(text).any(|line| {
        let (mantissa, exponent) = match line.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (line, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        is_decimal(whole)
            && fraction.is_none_or(is_digits)
            && exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix('-').unwrap_or(exponent)))
    })
}

fn is_a(call: &mut Call) -> Outcome {
    let (value, Value::Type(ty)) = (call.argument(0), call.argument(1)) else {
        return Ok(call.unknown(Type::BOOLEAN));
    };
    Ok(match types::assign::fits(ty, value, call.env()) {
        Fit::Always => Value::Boolean(true),
        Fit::Never => Value::Boolean(false),
        Fit::Maybe => call.unknown(Type::BOOLEAN),
    })
}

fn type_of(call: &mut Call) -> Outcome {
    Ok(Value::ty(types::infer::infer_set(call.argument(0), call.env())))
}

fn type3x(call: &mut Call) -> Outcome {
    Ok(Value::string(match call.argument(0) {
        Value::Boolean(_) => "boolean",
        Value::Array(_) => "array",
        Value::Hash(_) => "hash",
        Value::Float(_) => "float",
        Value::Integer(_) => "integer",
        Value::String(text) if *text == ruby::text_to_i(text).to_string() => "integer",
        Value::String(text) if *text == scalars::numbers::float_text(ruby::text_to_f(text)) => "float",
        _ => "string",
    }))
}

fn validate_legacy(call: &mut Call) -> Outcome {
    let env = call.env();
    let not_known = |call: &Call| Ok(call.unknown(Type::optional(Type::STRING)));
    let ty = match call.argument(0) {
        Value::Type(ty) => (**ty).clone(),
        Value::String(text) => match types::parse::parse_type(text, env) {
            Ok(ty) => ty,
            Err(_) => return Err(call.fail_at(0, Code::RuntimeError, format!("'{text}' is no type"))),
        },
        _ => return not_known(call),
    };
    let Value::String(name) = call.argument(1).clone() else { return not_known(call) };
    let value = call.argument(2).clone();
    let accepted = verdict(&name, call.arguments.get(2..).unwrap_or_default(), env);
    let is_told = value.least_trustworthy().is_none_or(types::Origin::is_trustworthy);
    match (types::assign::fits(&ty, &value, env), accepted) {
        (_, None) => not_known(call),
        (Fit::Always, Some(ValidationVerdict::Passes)) => Ok(Value::Undef),
        (Fit::Always, Some(ValidationVerdict::Fails(_))) if value.is_known() => {
            let ty = types::display::type_text(&ty, env);
            let message = format!("Accepting previously invalid value for target type '{ty}'");
            call.log(LogLevel::Notice, message.clone());
            Ok(Value::string(message))
        }
        (Fit::Never, Some(accepted)) if is_told => {
            let actual = types::infer::infer_set(&value, env);
            let subject = format!("validate_legacy({name})");
            let message = types::mismatch::describe_mismatch(&subject, &ty, &actual, env);
            match accepted {
                ValidationVerdict::Passes => {
                    warn_of(call, &message)?;
                    not_known(call)
                }
                ValidationVerdict::Fails(_) => Err(call.fail(NOT_VALID, message)),
                // It fails either way.
                ValidationVerdict::NotKnown if call.evaluator.world.settings.strict == Strict::Error => {
                    Err(call.fail(NOT_VALID, message))
                }
                ValidationVerdict::NotKnown => not_known(call),
            }
        }
        _ => not_known(call),
    }
}
