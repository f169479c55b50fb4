//! Checks of the deprecated `validate_*` functions, for known and unknown arguments.
//!
//! Messages are those of stdlib, since tests of modules match on them.

use conversions::ruby;
use scalars::numbers::{float_from_text, integer_from_text};
use scalars::regexp::Regexp;
use types::assign::Fit;
use types::{IntegerRange, Kinds, Type, TypeEnvironment, Value};

use super::network::{Address, is_domain_name};
use super::paths;
use super::support::lines;

/// Result of a validation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ValidationVerdict {
    Passes,
    Fails(String),
    /// Depends on unknown values.
    Unknown,
}

impl ValidationVerdict {
    fn when(passes: bool, message: impl FnOnce() -> String) -> ValidationVerdict {
        if passes { ValidationVerdict::Passes } else { ValidationVerdict::Fails(message()) }
    }

    /// Passes if all pass; fails with the first certain failure.
    fn all(verdicts: impl IntoIterator<Item = ValidationVerdict>) -> ValidationVerdict {
        let mut all = ValidationVerdict::Passes;
        for verdict in verdicts {
            match verdict {
                ValidationVerdict::Passes => {}
                ValidationVerdict::Fails(_) => return verdict,
                ValidationVerdict::Unknown => all = ValidationVerdict::Unknown,
            }
        }
        all
    }
}

/// Check of a `validate_*` function.
#[derive(Clone, Copy)]
pub(super) enum ArgumentCheck {
    /// Applies to each argument separately; there must be at least one.
    Each(fn(&Value, &dyn TypeEnvironment) -> ValidationVerdict),
    /// Applies to all arguments together.
    Whole(fn(&[Value], &dyn TypeEnvironment) -> ValidationVerdict),
}

impl ArgumentCheck {
    pub(super) const ABSOLUTE_PATH: ArgumentCheck = ArgumentCheck::Each(absolute_path);
    pub(super) const ARRAY: ArgumentCheck =
        ArgumentCheck::Each(|value, env| of_type(value, &Type::array_of(Type::Any), "an Array", env));
    pub(super) const BOOLEAN: ArgumentCheck =
        ArgumentCheck::Each(|value, env| of_type(value, &Type::BOOLEAN, "a boolean", env));
    pub(super) const DOMAIN_NAME: ArgumentCheck = ArgumentCheck::Each(|value, env| {
        text(value, "a syntactically correct domain name", env, is_domain_name)
    });
    pub(super) const EMAIL_ADDRESS: ArgumentCheck =
        ArgumentCheck::Each(|value, env| text(value, "a valid email address", env, is_email_address));
    pub(super) const HASH: ArgumentCheck =
        ArgumentCheck::Each(|value, env| of_type(value, &Type::hash_of(Type::Any, Type::Any), "a Hash", env));
    pub(super) const INTEGER: ArgumentCheck =
        ArgumentCheck::Whole(|arguments, env| number(arguments, &WHOLE, env));
    pub(super) const IP_ADDRESS: ArgumentCheck =
        ArgumentCheck::Each(|value, env| text(value, "a valid IP address", env, |it| is_address(it, None)));
    pub(super) const IPV4_ADDRESS: ArgumentCheck = ArgumentCheck::Each(|value, env| {
        text(value, "a valid IPv4 address", env, |it| is_address(it, Some(4)))
    });
    pub(super) const IPV6_ADDRESS: ArgumentCheck = ArgumentCheck::Each(|value, env| {
        text(value, "a valid IPv6 address", env, |it| is_address(it, Some(6)))
    });
    pub(super) const NUMERIC: ArgumentCheck =
        ArgumentCheck::Whole(|arguments, env| number(arguments, &ANY_NUMBER, env));
    pub(super) const PATTERN: ArgumentCheck = ArgumentCheck::Whole(pattern);
    pub(super) const LENGTH: ArgumentCheck = ArgumentCheck::Whole(length);
    pub(super) const STRING: ArgumentCheck = ArgumentCheck::Each(|value, env| {
        of_type(value, &Type::variant([Type::STRING, Type::Undef]), "a string", env)
    });

    /// Checks the arguments of a function.
    pub(super) fn verdict(
        self,
        function: &str,
        arguments: &[Value],
        env: &dyn TypeEnvironment,
    ) -> ValidationVerdict {
        match self {
            ArgumentCheck::Each(_) if arguments.is_empty() => {
                ValidationVerdict::Fails(format!("`{function}()` requires an argument"))
            }
            ArgumentCheck::Each(check) => {
                ValidationVerdict::all(arguments.iter().map(|value| check(value, env)))
            }
            ArgumentCheck::Whole(check) => check(arguments, env),
        }
    }
}

/// Checks available through `validate_legacy`, by function name.
pub(super) static CHECKS: &[(&str, ArgumentCheck)] = &[
    ("validate_absolute_path", ArgumentCheck::ABSOLUTE_PATH),
    ("validate_array", ArgumentCheck::ARRAY),
    ("validate_bool", ArgumentCheck::BOOLEAN),
    ("validate_domain_name", ArgumentCheck::DOMAIN_NAME),
    ("validate_email_address", ArgumentCheck::EMAIL_ADDRESS),
    ("validate_hash", ArgumentCheck::HASH),
    ("validate_integer", ArgumentCheck::INTEGER),
    ("validate_ip_address", ArgumentCheck::IP_ADDRESS),
    ("validate_ipv4_address", ArgumentCheck::IPV4_ADDRESS),
    ("validate_ipv6_address", ArgumentCheck::IPV6_ADDRESS),
    ("validate_numeric", ArgumentCheck::NUMERIC),
    ("validate_re", ArgumentCheck::PATTERN),
    ("validate_slength", ArgumentCheck::LENGTH),
    ("validate_string", ArgumentCheck::STRING),
];

/// Returns true for an IP address, of the given version if any.
pub(super) fn is_address(text: &str, version: Option<u8>) -> bool {
    Address::parse(text)
        .is_some_and(|address| version.is_none_or(|version| address.is_version_6 == (version == 6)))
}

/// Formats a value like Ruby's `inspect`.
fn describe(value: &Value, env: &dyn TypeEnvironment) -> String {
    const MAX_COUNT: usize = 80;
    let text = ruby::inspect(value, env).unwrap_or_else(|| types::text::to_notation(value, env));
    match text.char_indices().nth(MAX_COUNT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

fn of_type(value: &Value, ty: &Type, wanted: &str, env: &dyn TypeEnvironment) -> ValidationVerdict {
    match types::assign::fits(ty, value, env) {
        Fit::Always => ValidationVerdict::Passes,
        Fit::Maybe => ValidationVerdict::Unknown,
        Fit::Never => ValidationVerdict::Fails(format!(
            "{} is not {wanted}.  It looks to be a {}",
            describe(value, env),
            class_of(value, env)
        )),
    }
}

/// Returns the name of a value's Ruby class, or of its type if it is unknown.
fn class_of(value: &Value, env: &dyn TypeEnvironment) -> String {
    let class = match value {
        Value::Undef => "NilClass",
        Value::Default => "Symbol",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Unknown(unknown) => return types::display::type_text(&unknown.ty, env),
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        value => return types::display::type_text(&types::infer::infer_generic(value, env), env),
    };
    class.to_owned()
}

/// Checks a string with a predicate.
fn text(
    value: &Value,
    wanted: &str,
    env: &dyn TypeEnvironment,
    passes: impl Fn(&str) -> bool,
) -> ValidationVerdict {
    let message = || format!("{} is not {wanted}.", describe(value, env));
    match value {
        Value::String(text) => ValidationVerdict::when(passes(text), message),
        Value::Unknown(unknown) if unknown.ty.kinds(env).contains(Kinds::STRING) => {
            ValidationVerdict::Unknown
        }
        _ => ValidationVerdict::Fails(message()),
    }
}

fn absolute_path(value: &Value, env: &dyn TypeEnvironment) -> ValidationVerdict {
    let one = |value: &Value| text(value, "an absolute path", env, paths::is_absolute);
    match value {
        Value::Array(paths) => ValidationVerdict::all(paths.iter().map(one)),
        Value::Unknown(unknown) if unknown.ty.kinds(env).contains(Kinds::ARRAY) => ValidationVerdict::Unknown,
        other => one(other),
    }
}

/// Returns true if the string, or one of its lines, is an integer without surrounding characters.
pub(super) fn is_decimal(text: &str) -> bool {
    lines(text).any(|line| {
        let digits = line.strip_prefix('-').unwrap_or(line);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (digits == "0" || !digits.starts_with('0'))
    })
}

/// Returns true for letters, digits and `_ + - .`, followed by `@` and a host name in lower case that
/// contains a dot.
pub(super) fn is_email_address(text: &str) -> bool {
    Regexp::new(r"\A([\w+\-].?)+@[a-z\d\-]+(\.[a-z]+)*\.[a-z]+\z")
        .is_ok_and(|regexp| regexp.is_match(text).unwrap_or(false))
}

/// Number format of a function.
struct NumberKind {
    function: &'static str,
    wanted: &'static str,
    /// Kinds of values that may hold a number of this format, directly or as a string.
    kinds: Kinds,
    read: fn(&str) -> Option<f64>,
}

const WHOLE: NumberKind = NumberKind {
    function: "validate_integer",
    wanted: "an Integer",
    kinds: Kinds::INTEGER.union(Kinds::STRING),
    read: |text| integer_from_text(text, None).ok().map(|number| number as f64),
};

const ANY_NUMBER: NumberKind = NumberKind {
    function: "validate_numeric",
    wanted: "a Numeric",
    kinds: Kinds::NUMBER.union(Kinds::STRING),
    read: |text| float_from_text(text).ok(),
};

/// Implements `validate_integer` and `validate_numeric`: a value or values, and optionally a maximum and a
/// minimum.
fn number(arguments: &[Value], kind: &NumberKind, env: &dyn TypeEnvironment) -> ValidationVerdict {
    let Some((input, limits)) = arguments.split_first().filter(|(_, limits)| limits.len() <= 2) else {
        return ValidationVerdict::Fails("expected one to three arguments".to_owned());
    };
    let read = |value: &Value| ruby::to_s(value, env).and_then(|text| (kind.read)(&text));
    let mut bounds = [f64::INFINITY, f64::NEG_INFINITY];
    for (index, limit) in limits.iter().enumerate() {
        if !limit.is_known() {
            return ValidationVerdict::Unknown;
        }
        if index == 0 && limits.len() == 2 && ruby::to_s(limit, env).is_some_and(|text| text.is_empty()) {
            continue;
        }
        match read(limit) {
            Some(limit) => bounds[index] = limit,
            None => {
                return ValidationVerdict::Fails(format!(
                    "limit {} is not {}",
                    describe(limit, env),
                    kind.wanted
                ));
            }
        }
    }
    let [max, min] = bounds;
    if min > max {
        return ValidationVerdict::Fails("maximum is less than minimum".to_owned());
    }
    let one = |value: &Value| {
        let message = || {
            let (function, wanted, class) = (kind.function, kind.wanted, class_of(value, env));
            format!("{function}(): Expected first argument to be {wanted} or Array, got {class}")
        };
        match value {
            Value::Unknown(unknown) if unknown.ty.kinds(env).intersects(kind.kinds) => {
                ValidationVerdict::Unknown
            }
            Value::Unknown(_) | Value::Hash(_) => ValidationVerdict::Fails(message()),
            value => match read(value) {
                Some(number) => ValidationVerdict::when(number <= max && number >= min, || {
                    let (word, limit) = if number > max { ("smaller", max) } else { ("greater", min) };
                    let (function, value) = (kind.function, describe(value, env));
                    format!("{function}(): Expected {value} to be {word} or equal to {limit}, got {value}.")
                }),
                None => ValidationVerdict::Fails(message()),
            },
        }
    };
    match input {
        Value::Array(numbers) => ValidationVerdict::all(numbers.iter().map(one)),
        Value::Unknown(unknown) if unknown.ty.kinds(env).contains(Kinds::ARRAY) => ValidationVerdict::Unknown,
        input => one(input),
    }
}

fn pattern(arguments: &[Value], env: &dyn TypeEnvironment) -> ValidationVerdict {
    let (2 | 3, [input, patterns, ..]) = (arguments.len(), arguments) else {
        return ValidationVerdict::Fails("expected two or three arguments".to_owned());
    };
    let input = match input {
        Value::String(input) => Some(input),
        Value::Unknown(unknown) if unknown.ty.kinds(env).contains(Kinds::STRING) => None,
        other => {
            let class = class_of(other, env);
            return ValidationVerdict::Fails(format!(
                "validate_re(): input needs to be a String, not a {class}"
            ));
        }
    };
    let patterns = match patterns {
        Value::Array(patterns) => ruby::flatten(patterns),
        other => vec![other.clone()],
    };
    let (Some(input), true) = (input, patterns.iter().all(Value::is_known)) else {
        return ValidationVerdict::Unknown;
    };
    for pattern in &patterns {
        let regexp = match pattern {
            Value::Regexp(regexp) => Ok(regexp.clone()),
            Value::String(source) => Regexp::new(source),
            other => {
                return ValidationVerdict::Fails(format!(
                    "`{}` is not a regular expression",
                    describe(other, env)
                ));
            }
        };
        match regexp.and_then(|regexp| regexp.is_match(input)) {
            Ok(true) => return ValidationVerdict::Passes,
            Ok(false) => {}
            Err(scalars::regexp::RegexpError::Syntax(failure)) => return ValidationVerdict::Fails(failure),
            Err(_) => return ValidationVerdict::Unknown,
        }
    }
    ValidationVerdict::Fails(match arguments.get(2) {
        Some(Value::String(message)) => message.to_string(),
        _ => format!(
            "validate_re(): {} does not match {}",
            describe(&arguments[0], env),
            describe(&arguments[1], env)
        ),
    })
}

fn length(arguments: &[Value], env: &dyn TypeEnvironment) -> ValidationVerdict {
    let (2 | 3, [input, max, ..]) = (arguments.len(), arguments) else {
        return ValidationVerdict::Fails("expected two or three arguments".to_owned());
    };
    let min = arguments.get(2).filter(|min| min.truth() != Some(false));
    if !max.is_known() || min.is_some_and(|min| !min.is_known()) {
        return ValidationVerdict::Unknown;
    }
    let limit = |value: &Value, least: i64| super::hashes::index(value).filter(|limit| *limit >= least);
    let (Some(max), Some(min)) = (limit(max, 1), min.map_or(Some(0), |min| limit(min, 0))) else {
        return ValidationVerdict::Fails("limits of a length must be non-negative integers".to_owned());
    };
    if max < min {
        return ValidationVerdict::Fails("maximum length is less than minimum length".to_owned());
    }
    let ty = Type::String(IntegerRange { min, max });
    let one = |text: &Value| match types::assign::fits(&ty, text, env) {
        Fit::Always => ValidationVerdict::Passes,
        Fit::Maybe => ValidationVerdict::Unknown,
        Fit::Never => ValidationVerdict::Fails(match text {
            Value::String(given) => format!(
                "validate_slength(): Expected length of {} to be between {min} and {max}, was {}",
                describe(text, env),
                given.chars().count()
            ),
            _ => format!(
                "validate_slength(): Expected first argument to be a String or Array, got {}",
                class_of(text, env)
            ),
        }),
    };
    match input {
        Value::Array(texts) => ValidationVerdict::all(texts.iter().map(one)),
        Value::Unknown(unknown) if unknown.ty.kinds(env).contains(Kinds::ARRAY) => ValidationVerdict::Unknown,
        input => one(input),
    }
}
