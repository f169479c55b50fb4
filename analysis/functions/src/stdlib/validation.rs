//! Functions that test or validate types and formats. Most of them are deprecated and log a warning.

use codes::Code;
use conversions::ruby;
use eval::{BuiltInFunction, Call, DELIBERATE_FAILURE, LogLevel, MissingNameKind, Outcome};
use types::assign::Fit;
use types::{Kinds, Type, TypeEnvironment, Value};
use validation::Strict;

use super::checks::{ArgumentCheck, CHECKS, ValidationVerdict, is_address, is_decimal, is_email_address};
use super::network::{is_domain_name, is_mac_address};
use super::paths;
use super::support::lines;
use crate::legacy::{legacy, statement};
use crate::support::{function, known, open};

/// Code for the use of deprecated functions while `strict` is `error`.
const DEPRECATION: Code = Code::Deprecation;
/// Code for values that fail a validation.
const NOT_VALID: Code = Code::ValidationFailed;

/// Predicate of an `is_*` function; `None` if the result is unknown.
type ValuePredicate = fn(&Value, &dyn TypeEnvironment) -> Option<bool>;

/// Declares an `is_*` function: name, deprecation and calling convention, documentation, predicate.
macro_rules! predicate {
    ($name:literal, deprecated, $documentation:literal, $predicate:expr) => {
        function(
            $name,
            $documentation,
            &[open("(Any $value, Optional[Callable] &$ignored) >> Boolean", |call| {
                test_deprecated(call, $predicate)
            })],
        )
    };
    // Ruby accepts and ignores further arguments.
    ($name:literal, deprecated_of_many, $documentation:literal, $predicate:expr) => {
        function(
            $name,
            $documentation,
            &[open("(Any +$value, Optional[Callable] &$ignored) >> Boolean", |call| {
                test_deprecated(call, $predicate)
            })],
        )
    };
    ($name:literal, legacy, $documentation:literal, $predicate:expr) => {
        legacy($name, $documentation, &[open("(Any $value) >> Boolean", |call| test(call, $predicate))])
    };
    ($name:literal, legacy_of_texts, $documentation:literal, $predicate:expr) => {
        legacy(
            $name,
            $documentation,
            &[open("(Variant[String, Default] $text) >> Boolean", |call| test(call, $predicate))],
        )
    };
}

/// Declares a `validate_*` function: name, deprecation, documentation, check. Arguments are not converted.
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
        "Logs a deprecation warning once per key; fails if `strict` is `error`.",
        &[open(
            "(String $key, String $message, Optional[Boolean] $use_strict_setting = true) >> Any",
            deprecation,
        )],
    ),
    function(
        "is_a",
        "Returns true if a value is an instance of a type, like `=~`.",
        &[open("(Any $value, Type $type) >> Boolean", is_a)],
    ),
    predicate!(
        "is_absolute_path",
        deprecated,
        "Deprecated: returns true for an absolute path. Match `Stdlib::Absolutepath` instead.",
        |value, env| test_string(value, Kinds::empty(), paths::is_absolute, env)
    ),
    predicate!(
        "is_array",
        deprecated_of_many,
        "Deprecated: returns true for an array. Match `Array` instead.",
        |value, env| fits(value, &Type::array_of(Type::Any), env)
    ),
    predicate!(
        "is_bool",
        deprecated,
        "Deprecated: returns true for a Boolean. Match `Boolean` instead.",
        |value, env| fits(value, &Type::BOOLEAN, env)
    ),
    predicate!("is_domain_name", legacy, "Returns true for a domain name.", |value, env| test_string(
        value,
        Kinds::empty(),
        is_domain_name,
        env
    )),
    predicate!("is_email_address", legacy, "Returns true for an email address.", |value, env| test_string(
        value,
        Kinds::empty(),
        is_email_address,
        env
    )),
    predicate!(
        "is_float",
        deprecated,
        "Deprecated: returns true for a float, or a string with one. Match `Float` instead.",
        |value, env| test_string(value, Kinds::FLOAT, is_float_text, env)
    ),
    predicate!("is_hash", legacy, "Returns true for a hash.", |value, env| fits(
        value,
        &Type::hash_of(Type::Any, Type::Any),
        env
    )),
    predicate!("is_integer", legacy, "Returns true for an integer, or a string with one.", |value, env| {
        test_string(value, Kinds::INTEGER, is_decimal, env)
    }),
    predicate!(
        "is_ip_address",
        deprecated,
        "Deprecated: returns true for an IP address. Match `Stdlib::IP::Address` instead.",
        |value, env| test_string(value, Kinds::empty(), |text| is_address(text, None), env)
    ),
    predicate!(
        "is_ipv4_address",
        deprecated,
        "Deprecated: returns true for an IPv4 address. Match `Stdlib::IP::Address::V4` instead.",
        |value, env| test_string(value, Kinds::empty(), |text| is_address(text, Some(4)), env)
    ),
    predicate!(
        "is_ipv6_address",
        deprecated,
        "Deprecated: returns true for an IPv6 address. Match `Stdlib::IP::Address::V6` instead.",
        |value, env| test_string(value, Kinds::empty(), |text| is_address(text, Some(6)), env)
    ),
    predicate!("is_mac_address", legacy_of_texts, "Returns true for a MAC address.", |value, env| {
        test_string(value, Kinds::empty(), is_mac_address, env)
    }),
    predicate!(
        "is_numeric",
        deprecated,
        "Deprecated: returns true for a number, or a string with one. Match `Numeric` instead.",
        |value, env| test_string(value, NUMBERS_OF_RUBY, is_number, env)
    ),
    predicate!(
        "is_string",
        deprecated_of_many,
        "Deprecated: returns true for a string that is not a number. Match `String` instead.",
        |value, env| test_string(value, Kinds::UNDEF, |text| !is_number_text(text), env)
    ),
    legacy(
        "type3x",
        "Returns the name of a value's type: `string`, `integer`, `array`, ...",
        &[known("(Variant[Boolean, Array, Numeric, Hash, String] $value) >> String", type3x)],
    ),
    function(
        "type_of",
        "Returns the most specific type of a value.",
        &[known("(Any $value) >> Type", type_of)],
    ),
    check!(
        "validate_absolute_path",
        deprecated,
        "Deprecated: fails unless all arguments are absolute paths.",
        ArgumentCheck::ABSOLUTE_PATH
    ),
    check!(
        "validate_array",
        deprecated,
        "Deprecated: fails unless all arguments are arrays.",
        ArgumentCheck::ARRAY
    ),
    check!(
        "validate_bool",
        deprecated,
        "Deprecated: fails unless all arguments are Booleans.",
        ArgumentCheck::BOOLEAN
    ),
    check!(
        "validate_domain_name",
        statement,
        "Fails unless all arguments are domain names.",
        ArgumentCheck::DOMAIN_NAME
    ),
    check!(
        "validate_email_address",
        statement,
        "Fails unless all arguments are email addresses.",
        ArgumentCheck::EMAIL_ADDRESS
    ),
    check!(
        "validate_hash",
        deprecated,
        "Deprecated: fails unless all arguments are hashes.",
        ArgumentCheck::HASH
    ),
    check!(
        "validate_integer",
        deprecated,
        "Deprecated: fails unless the value, or each element of an array, is an integer within limits.",
        ArgumentCheck::INTEGER
    ),
    check!(
        "validate_ip_address",
        deprecated,
        "Deprecated: fails unless all arguments are IP addresses.",
        ArgumentCheck::IP_ADDRESS
    ),
    check!(
        "validate_ipv4_address",
        deprecated,
        "Deprecated: fails unless all arguments are IPv4 addresses.",
        ArgumentCheck::IPV4_ADDRESS
    ),
    check!(
        "validate_ipv6_address",
        deprecated,
        "Deprecated: fails unless all arguments are IPv6 addresses.",
        ArgumentCheck::IPV6_ADDRESS
    ),
    function(
        "validate_legacy",
        "Fails unless a value is of a type, or a deprecated `validate_…` function accepts it.",
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
        "Deprecated: fails unless the value, or each element of an array, is a number within limits.",
        ArgumentCheck::NUMERIC
    ),
    check!(
        "validate_re",
        deprecated,
        "Deprecated: fails unless a string matches one of the regular expressions.",
        ArgumentCheck::PATTERN
    ),
    check!(
        "validate_slength",
        deprecated,
        "Deprecated: fails unless a string, or each element of an array, has a length within limits.",
        ArgumentCheck::LENGTH
    ),
    check!(
        "validate_string",
        deprecated,
        "Deprecated: fails unless all arguments are strings or `undef`.",
        ArgumentCheck::STRING
    ),
];

/// Reports a deprecation like the function `deprecation`.
pub(super) fn report_deprecation(call: &mut Call, problem: &str, help: Option<&str>) -> Outcome<()> {
    match (call.evaluator.world.settings.strict, help) {
        (Strict::Off, _) => Ok(()),
        (Strict::Warning, None) => {
            call.warn_once(problem);
            Ok(())
        }
        (Strict::Warning, Some(help)) => {
            call.warn_once(&format!("{problem}; {help}"));
            Ok(())
        }
        (Strict::Error, None) => Err(call.fail(DEPRECATION, problem)),
        (Strict::Error, Some(help)) => Err(call.fail(DEPRECATION, codes::with_help(problem, help))),
    }
}

fn deprecation(call: &mut Call) -> Outcome {
    let message = match call.argument(1) {
        Value::String(message) => message.to_string(),
        _ => "deprecated code".to_owned(),
    };
    // In version 9, an argument can prevent the failure.
    match call.argument(2) {
        Value::Boolean(false) => call.warn_once(&message),
        // Like `fail()`: the surrounding code determines when it happens.
        _ if call.evaluator.world.settings.strict == Strict::Error => {
            return Err(call.fail(DELIBERATE_FAILURE, message));
        }
        _ => report_deprecation(call, &message, None)?,
    }
    // The first call returns a value that later ones do not.
    Ok(Value::unknown(Type::Any, types::Origin::Ruby))
}

fn report_deprecated_function(call: &mut Call, instead: &str) -> Outcome<()> {
    let name = call.function.name;
    if !call.evaluator.world.program.logs_deprecation(name) {
        return Ok(());
    }
    report_deprecation(call, &format!("`{name}()` is deprecated"), Some(instead))
}

fn validate_deprecated(call: &mut Call, check: ArgumentCheck) -> Outcome {
    report_deprecated_function(call, "use a parameter type")?;
    validate(call, check)
}

fn validate(call: &mut Call, check: ArgumentCheck) -> Outcome {
    let ValidationVerdict::Fails(message) = check.verdict(call.function.name, &call.arguments, call.env())
    else {
        return Ok(Value::Undef);
    };
    let is_reported =
        call.arguments.iter().filter_map(Value::least_trustworthy).all(types::Origin::is_trustworthy);
    if is_reported { Err(call.fail(NOT_VALID, message)) } else { Ok(Value::Undef) }
}

fn test_deprecated(call: &mut Call, predicate: ValuePredicate) -> Outcome {
    report_deprecated_function(call, "match the value against a type with `=~`")?;
    test(call, predicate)
}

fn test(call: &mut Call, predicate: ValuePredicate) -> Outcome {
    let result = predicate(call.argument(0), call.env());
    Ok(result.map_or_else(|| call.unknown(Type::BOOLEAN), Value::Boolean))
}

/// For Ruby, timestamps, timespans and versions are numeric.
const NUMBERS_OF_RUBY: Kinds =
    Kinds::NUMBER.union(Kinds::TIMESTAMP).union(Kinds::TIMESPAN).union(Kinds::SEMVER);

fn fits(value: &Value, ty: &Type, env: &dyn TypeEnvironment) -> Option<bool> {
    match types::assign::fits(ty, value, env) {
        Fit::Always => Some(true),
        Fit::Never => Some(false),
        Fit::Maybe => None,
    }
}

/// Applies `test` to a string; other values are tested for their kind.
fn test_string(
    value: &Value,
    kinds: Kinds,
    test: fn(&str) -> bool,
    env: &dyn TypeEnvironment,
) -> Option<bool> {
    if let Value::String(text) = value {
        return Some(test(text));
    }
    let possible = value.kinds(env);
    if possible.contains(Kinds::STRING) || possible.intersects(kinds) && !kinds.contains(possible) {
        None
    } else {
        Some(possible.intersects(kinds))
    }
}

/// Returns true if the string is in the form in which Ruby prints floats.
fn is_float_text(text: &str) -> bool {
    text == scalars::numbers::float_text(ruby::text_to_f(text))
}

/// Returns true if the string is in the form in which Ruby prints numbers.
fn is_number_text(text: &str) -> bool {
    text == ruby::text_to_i(text).to_string() || is_float_text(text)
}

/// Returns true for a decimal number, optionally with a fraction and an exponent.
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

/// Returns an error if there certainly is no function of that name for `validate_legacy` to call.
fn refuse_missing_function(call: &Call, name: &str) -> Outcome<()> {
    let program = call.evaluator.world.program;
    let is_missing = crate::built_in(name).is_none()
        && program.function(name).is_none()
        && !program.may_define(MissingNameKind::Function, name);
    // Version 9 does not call it.
    if is_missing && !super::support::is_stdlib_since(call, "9.0.0") {
        return Err(call.fail_at(1, Code::RuntimeError, format!("unknown function `{name}`")));
    }
    Ok(())
}

fn validate_legacy(call: &mut Call) -> Outcome {
    let env = call.env();
    let not_known = |call: &Call| Ok(call.unknown(Type::optional(Type::STRING)));
    let ty = match call.argument(0) {
        Value::Type(ty) => (**ty).clone(),
        Value::String(text) => match types::parse::parse_type(text, env) {
            Ok(ty) => ty,
            Err(_) => return Err(call.fail_at(0, Code::RuntimeError, format!("`{text}` is not a type"))),
        },
        _ => return not_known(call),
    };
    let Value::String(name) = call.argument(1).clone() else { return not_known(call) };
    refuse_missing_function(call, &name)?;
    let value = call.argument(2).clone();
    let check = CHECKS.iter().find(|(known, _)| *known == name).map(|(_, check)| *check);
    let accepted = check.map(|it| it.verdict(&name, call.arguments.get(2..).unwrap_or_default(), env));
    let is_reported = value.least_trustworthy().is_none_or(types::Origin::is_trustworthy);
    match (types::assign::fits(&ty, &value, env), accepted) {
        (_, None) => not_known(call),
        (Fit::Always, Some(ValidationVerdict::Passes)) => Ok(Value::Undef),
        (Fit::Always, Some(ValidationVerdict::Fails(_))) if value.is_known() => {
            let ty = types::display::type_text(&ty, env);
            let message = format!("Accepting previously invalid value for target type '{ty}'");
            call.log(LogLevel::Notice, message.clone());
            Ok(Value::string(message))
        }
        (Fit::Never, Some(accepted)) if is_reported => {
            let actual = types::infer::infer_set(&value, env);
            let subject = format!("validate_legacy({name})");
            let message = types::mismatch::describe_mismatch(&subject, &ty, &actual, env);
            match accepted {
                ValidationVerdict::Passes => {
                    report_deprecation(call, &message, None)?;
                    not_known(call)
                }
                ValidationVerdict::Fails(_) => Err(call.fail(NOT_VALID, message)),
                // It fails in either case.
                ValidationVerdict::Unknown if call.evaluator.world.settings.strict == Strict::Error => {
                    Err(call.fail(NOT_VALID, message))
                }
                ValidationVerdict::Unknown => not_known(call),
            }
        }
        _ => not_known(call),
    }
}
