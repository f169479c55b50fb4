//! Functions that say or check what a value is. Most are deprecated, and say so.

use codes::Code;
use conversions::ruby;
use eval::{BuiltInFunction, Call, DELIBERATE_FAILURE, LogLevel, Outcome};
use types::assign::Fit;
use types::{Kinds, Type, TypeEnvironment, Value};
use validation::Strict;

use super::network::{is_domain_name, is_mac_address};
use super::verdicts::{ArgumentCheck, CHECKS, ValidationVerdict, is_address, is_decimal, is_email_address};
use super::{lines, paths};
use crate::legacy::{legacy, statement};
use crate::support::{function, known, open};

/// The code of deprecated things that are used while `strict` is `error`.
const DEPRECATION: Code = Code::Deprecation;
/// The code of values that are not what a function checks for.
const NOT_VALID: Code = Code::ValidationFailed;

/// What an `is_*` function says of its argument; `None` where that is not known.
type Question = fn(&Value, &dyn TypeEnvironment) -> Option<bool>;

/// `is_*`: its name, whether it is deprecated and how it is called, its documentation, its question.
macro_rules! question {
    ($name:literal, deprecated, $documentation:literal, $question:expr) => {
        function(
            $name,
            $documentation,
            &[open("(Any $value, Optional[Callable] &$ignored) >> Boolean", |call| {
                ask_deprecated(call, $question)
            })],
        )
    };
    // Ruby takes more arguments, and ignores them.
    ($name:literal, deprecated_of_many, $documentation:literal, $question:expr) => {
        function(
            $name,
            $documentation,
            &[open("(Any +$value, Optional[Callable] &$ignored) >> Boolean", |call| {
                ask_deprecated(call, $question)
            })],
        )
    };
    ($name:literal, legacy, $documentation:literal, $question:expr) => {
        legacy($name, $documentation, &[open("(Any $value) >> Boolean", |call| ask(call, $question))])
    };
    ($name:literal, legacy_of_texts, $documentation:literal, $question:expr) => {
        legacy(
            $name,
            $documentation,
            &[open("(Variant[String, Default] $text) >> Boolean", |call| ask(call, $question))],
        )
    };
}

/// `validate_*`: its name, whether it is deprecated, its documentation, its check. Arguments are taken as they are.
macro_rules! check {
    ($name:literal, deprecated, $documentation:literal, $check:expr) => {
        function(
            $name,
            $documentation,
            &[open("(Any +$values, Optional[Callable] &$ignored) >> Undef", |call| {
                validate_deprecated(call, $check)
            })],
        )
    };
    ($name:literal, statement, $documentation:literal, $check:expr) => {
        statement($name, $documentation, &[open("(Any +$values) >> Undef", |call| validate(call, $check))])
    };
}

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
    question!(
        "is_absolute_path",
        deprecated,
        "Deprecated: is it an absolute path? Match `Stdlib::Absolutepath` instead.",
        |value, env| says(value, Kinds::empty(), paths::is_absolute, env)
    ),
    question!(
        "is_array",
        deprecated_of_many,
        "Deprecated: is it an array? Match `Array` instead.",
        |value, env| fits(value, &Type::array_of(Type::Any), env)
    ),
    question!(
        "is_bool",
        deprecated,
        "Deprecated: is it true or false? Match `Boolean` instead.",
        |value, env| fits(value, &Type::BOOLEAN, env)
    ),
    question!("is_domain_name", legacy, "Is it a domain name?", |value, env| says(
        value,
        Kinds::empty(),
        is_domain_name,
        env
    )),
    question!("is_email_address", legacy, "Is it an email address?", |value, env| says(
        value,
        Kinds::empty(),
        is_email_address,
        env
    )),
    question!(
        "is_float",
        deprecated,
        "Deprecated: is it a float, or the text of one? Match `Float` instead.",
        |value, env| says(value, Kinds::FLOAT, is_float_text, env)
    ),
    question!("is_hash", legacy, "Is it a hash?", |value, env| fits(
        value,
        &Type::hash_of(Type::Any, Type::Any),
        env
    )),
    question!("is_integer", legacy, "Is it an integer, or the text of one?", |value, env| says(
        value,
        Kinds::INTEGER,
        is_decimal,
        env
    )),
    question!(
        "is_ip_address",
        deprecated,
        "Deprecated: is it an IP address? Match `Stdlib::IP::Address` instead.",
        |value, env| says(value, Kinds::empty(), |text| is_address(text, None), env)
    ),
    question!(
        "is_ipv4_address",
        deprecated,
        "Deprecated: is it an IPv4 address? Match `Stdlib::IP::Address::V4` instead.",
        |value, env| says(value, Kinds::empty(), |text| is_address(text, Some(4)), env)
    ),
    question!(
        "is_ipv6_address",
        deprecated,
        "Deprecated: is it an IPv6 address? Match `Stdlib::IP::Address::V6` instead.",
        |value, env| says(value, Kinds::empty(), |text| is_address(text, Some(6)), env)
    ),
    question!("is_mac_address", legacy_of_texts, "Is it the address of a network card?", |value, env| says(
        value,
        Kinds::empty(),
        is_mac_address,
        env
    )),
    question!(
        "is_numeric",
        deprecated,
        "Deprecated: is it a number, or the text of one? Match `Numeric` instead.",
        |value, env| says(value, NUMBERS_OF_RUBY, is_number, env)
    ),
    question!(
        "is_string",
        deprecated_of_many,
        "Deprecated: is it a text that is no number? Match `String` instead.",
        |value, env| says(value, Kinds::UNDEF, |text| !is_number_text(text), env)
    ),
    legacy(
        "type3x",
        "The name of what a value is: `string`, `integer`, `array`, ...",
        &[known("(Variant[Boolean, Array, Numeric, Hash, String] $value) >> String", type3x)],
    ),
    function("type_of", "The most specific type of a value.", &[known("(Any $value) >> Type", type_of)]),
    check!(
        "validate_absolute_path",
        deprecated,
        "Deprecated: fails unless all are absolute paths.",
        ArgumentCheck::ABSOLUTE_PATH
    ),
    check!("validate_array", deprecated, "Deprecated: fails unless all are arrays.", ArgumentCheck::ARRAY),
    check!(
        "validate_bool",
        deprecated,
        "Deprecated: fails unless all are true or false.",
        ArgumentCheck::BOOLEAN
    ),
    check!(
        "validate_domain_name",
        statement,
        "Fails unless all are domain names.",
        ArgumentCheck::DOMAIN_NAME
    ),
    check!(
        "validate_email_address",
        statement,
        "Fails unless all are email addresses.",
        ArgumentCheck::EMAIL_ADDRESS
    ),
    check!("validate_hash", deprecated, "Deprecated: fails unless all are hashes.", ArgumentCheck::HASH),
    check!(
        "validate_integer",
        deprecated,
        "Deprecated: fails unless the value, or each of the array, is an integer within limits.",
        ArgumentCheck::INTEGER
    ),
    check!(
        "validate_ip_address",
        deprecated,
        "Deprecated: fails unless all are IP addresses.",
        ArgumentCheck::IP_ADDRESS
    ),
    check!(
        "validate_ipv4_address",
        deprecated,
        "Deprecated: fails unless all are IPv4 addresses.",
        ArgumentCheck::IPV4_ADDRESS
    ),
    check!(
        "validate_ipv6_address",
        deprecated,
        "Deprecated: fails unless all are IPv6 addresses.",
        ArgumentCheck::IPV6_ADDRESS
    ),
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
    check!(
        "validate_numeric",
        deprecated,
        "Deprecated: fails unless the value, or each of the array, is a number within limits.",
        ArgumentCheck::NUMERIC
    ),
    check!(
        "validate_re",
        deprecated,
        "Deprecated: fails unless a text matches one of the regular expressions.",
        ArgumentCheck::PATTERN
    ),
    check!(
        "validate_slength",
        deprecated,
        "Deprecated: fails unless a text, or each of the array, has a length within limits.",
        ArgumentCheck::LENGTH
    ),
    check!(
        "validate_string",
        deprecated,
        "Deprecated: fails unless all are texts or `undef`.",
        ArgumentCheck::STRING
    ),
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
    // What the first warning gives, later ones do not.
    Ok(Value::unknown(Type::Any, types::Origin::Ruby))
}

fn warn_of_function(call: &mut Call, instead: &str) -> Outcome<()> {
    let name = call.function.name;
    if !call.evaluator.world.program.says_deprecation(name) {
        return Ok(());
    }
    warn_of(call, &format!("{name}() is deprecated: {instead}"))
}

fn validate_deprecated(call: &mut Call, check: ArgumentCheck) -> Outcome {
    warn_of_function(call, "give the parameter a type instead")?;
    validate(call, check)
}

fn validate(call: &mut Call, check: ArgumentCheck) -> Outcome {
    let ValidationVerdict::Fails(message) = check.verdict(call.function.name, &call.arguments, call.env())
    else {
        return Ok(Value::Undef);
    };
    let is_told =
        call.arguments.iter().filter_map(Value::least_trustworthy).all(types::Origin::is_trustworthy);
    match is_told {
        true => Err(call.fail(NOT_VALID, message)),
        false => Ok(Value::Undef),
    }
}

fn ask_deprecated(call: &mut Call, question: Question) -> Outcome {
    warn_of_function(call, "match the value against a type with =~ instead")?;
    ask(call, question)
}

fn ask(call: &mut Call, question: Question) -> Outcome {
    let answer = question(call.argument(0), call.env());
    Ok(answer.map_or_else(|| call.unknown(Type::BOOLEAN), Value::Boolean))
}

/// Times and versions are numbers to Ruby.
const NUMBERS_OF_RUBY: Kinds =
    Kinds::NUMBER.union(Kinds::TIMESTAMP).union(Kinds::TIMESPAN).union(Kinds::SEMVER);

fn fits(value: &Value, ty: &Type, env: &dyn TypeEnvironment) -> Option<bool> {
    match types::assign::fits(ty, value, env) {
        Fit::Always => Some(true),
        Fit::Never => Some(false),
        Fit::Maybe => None,
    }
}

/// What a text says; other values are of the kinds, or not.
fn says(value: &Value, kinds: Kinds, test: fn(&str) -> bool, env: &dyn TypeEnvironment) -> Option<bool> {
    if let Value::String(text) = value {
        return Some(test(text));
    }
    let possible = value.kinds(env);
    match possible.contains(Kinds::STRING) || possible.intersects(kinds) && !kinds.contains(possible) {
        true => None,
        false => Some(possible.intersects(kinds)),
    }
}

/// Is a text what Ruby prints for the float in it?
fn is_float_text(text: &str) -> bool {
    text == scalars::numbers::float_text(ruby::text_to_f(text))
}

/// Is a text what Ruby prints for the number in it?
fn is_number_text(text: &str) -> bool {
    text == ruby::text_to_i(text).to_string() || is_float_text(text)
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
        Value::String(text) if is_float_text(text) => "float",
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
    let check = CHECKS.iter().find(|(known, _)| *known == name).map(|(_, check)| *check);
    let accepted = check.map(|it| it.verdict(&name, call.arguments.get(2..).unwrap_or_default(), env));
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
