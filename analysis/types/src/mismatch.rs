//! Messages about values and arguments that do not match their types.

mod call;
mod describe;

use crate::display::{embedded_type_text, expanded_type_text};
use crate::environment::TypeEnvironment;
use crate::infer::infer_set;
use crate::ty::{IntegerRange, Type};
use crate::value::Value;

pub use call::{
    NamedSignature, ParameterDeclaration, ParameterMismatch, describe_call_mismatch,
    describe_callable_mismatch, describe_constructor_mismatch, describe_named_call_mismatch,
    misfitting_argument, parameter_mismatches,
};

/// Maximum length of the target of an alias that is shown next to its name.
const MAX_ALIAS_TARGET_LENGTH: usize = 60;

/// Maximum length of a type in a message.
const MAX_TYPE_LENGTH: usize = 160;

/// Describes why a value of the type `actual` does not match `expected`, in Puppet's own wording:
/// `subject, entry 'a' expects an Integer value, got String 'x'`. Several problems are listed one per line.
pub fn describe_mismatch(subject: &str, expected: &Type, actual: &Type, env: &dyn TypeEnvironment) -> String {
    report(subject, &describe::mismatches(expected, actual, env), expected, actual, env)
}

/// Describes a mismatch like [`describe_mismatch`], for a value.
pub fn describe_value_mismatch(
    subject: &str,
    expected: &Type,
    value: &Value,
    env: &dyn TypeEnvironment,
) -> String {
    describe_mismatch(subject, expected, &infer_set(value, env), env)
}

fn report(
    subject: &str,
    mismatches: &[describe::DescribedMismatch],
    expected: &Type,
    actual: &Type,
    env: &dyn TypeEnvironment,
) -> String {
    match mismatches {
        [] => {
            let got = actual_value_text(expected, actual, env);
            format!("{subject} {}", expects_and_got(&expectation_text(expected, env), &got))
        }
        [mismatch] => mismatch.text_of(subject),
        mismatches => {
            let mut text = format!("{subject} has {} problems:", mismatches.len());
            for mismatch in mismatches {
                text.push_str("\n  ");
                text.push_str(&mismatch.text_of(""));
            }
            text
        }
    }
}

fn expects_and_got(wanted: &str, got: &str) -> String {
    format!("expects {wanted}, got {got}")
}

/// Returns the object of "expects": `an Integer value`, `a match for Enum['a', 'b']`, or
/// `a value of type Undef or Integer`.
fn expectation_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    match ty {
        Type::Undef => "an Undef value".to_owned(),
        Type::Optional(Some(inner)) if is_matched(inner, env) => {
            format!("an undef value or a match for {}", expected_text(inner, env))
        }
        Type::Optional(Some(inner)) => match &**inner {
            Type::Variant(types) => value_of_types(std::iter::once(&Type::Undef).chain(types.iter()), env),
            inner => value_of_types([&Type::Undef, inner], env),
        },
        Type::Variant(types) => value_of_types(types.iter(), env),
        ty if is_matched(ty, env) => format!("a match for {}", expected_text(ty, env)),
        ty => {
            let text = expected_text(ty, env);
            let article = if text.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
            format!("{article} {text} value")
        }
    }
}

/// Returns `a value of type Integer, Float, or String`.
fn value_of_types<'t>(types: impl IntoIterator<Item = &'t Type>, env: &dyn TypeEnvironment) -> String {
    let mut strings: Vec<String> = Vec::new();
    for ty in types {
        let text = if *ty == Type::Undef { "Undef".to_owned() } else { expected_text(ty, env) };
        if !strings.contains(&text) {
            strings.push(text);
        }
    }
    format!("a value of type {}", shortened(alternatives(&strings)))
}

/// Returns true if the type constrains the contents of a string by an enumeration or patterns.
fn is_matched(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    match ty {
        Type::Enum(_) | Type::Pattern(_) => true,
        Type::Alias(_) => crate::assign::unfold_alias(ty, env)
            .is_some_and(|unfolded| matches!(unfolded, Type::Enum(_) | Type::Pattern(_))),
        _ => false,
    }
}

/// Maximum number of types that are searched for sensitive parts; larger types count as sensitive.
const SENSITIVE_STEP_LIMIT: u32 = 1_000;

/// Returns true if a value of the type, or a part of it, may be sensitive. Messages must not show values that
/// were passed for such a type.
pub fn may_be_sensitive(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    contains_sensitive(ty, env, &mut { SENSITIVE_STEP_LIMIT }, &mut Vec::new())
}

/// Searches a type for sensitive parts. `seen` holds the aliases that were already unfolded.
fn contains_sensitive(ty: &Type, env: &dyn TypeEnvironment, steps: &mut u32, seen: &mut Vec<Type>) -> bool {
    let Some(left) = steps.checked_sub(1) else { return true };
    *steps = left;
    if matches!(ty, Type::Alias(_)) {
        if seen.contains(ty) {
            return false;
        }
        seen.push(ty.clone());
        let unfolded = crate::assign::unfold_alias(ty, env);
        return unfolded.is_some_and(|unfolded| contains_sensitive(&unfolded, env, steps, seen));
    }
    let mut holds = |ty: &Type| contains_sensitive(ty, env, steps, seen);
    match ty {
        Type::Sensitive(_) => true,
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => holds(inner),
        Type::Variant(types) => types.iter().any(holds),
        Type::Array(array) => holds(&array.element),
        Type::Tuple(tuple) => tuple.types.iter().any(holds),
        Type::Hash(hash) => holds(&hash.value),
        Type::Struct(members) => members.iter().any(|member| holds(&member.value)),
        _ => false,
    }
}

/// Describes the value that was passed for the type `expected`: its type, followed by the value if the type
/// has exactly one and it cannot be sensitive. A string that does not match is shown without its type.
fn actual_value_text(expected: &Type, actual: &Type, env: &dyn TypeEnvironment) -> String {
    let wanted = match expected {
        Type::Optional(Some(inner)) => inner,
        expected => expected,
    };
    match actual {
        Type::LiteralString(text) if is_matched(wanted, env) => shortened(crate::text::quoted(text)),
        Type::Struct(_) | Type::Undef | Type::Default => actual_text(actual, env),
        _ if may_be_sensitive(expected, env) => actual_text(&crate::common::generalize(actual, env), env),
        _ => actual_text(actual, env),
    }
}

/// Returns an expected type for display: aliases by name, followed by their target if it is short.
pub fn expected_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    match ty {
        Type::Alias(name) => {
            let unfolded = match crate::assign::unfold_alias(ty, env) {
                Some(Type::Object(_) | Type::TypeSet(_)) | None => return name.to_string(),
                Some(unfolded) => embedded_type_text(&unfolded, env),
            };
            if unfolded.len() <= MAX_ALIAS_TARGET_LENGTH {
                format!("{name} ({unfolded})")
            } else {
                name.to_string()
            }
        }
        Type::Object(Some(object)) => match &object.name {
            Some(name) => name.to_string(),
            None => shortened(expanded_type_text(ty, env)),
        },
        Type::Undef => "undef".to_owned(),
        Type::Optional(Some(inner)) => format!("undef or {}", expected_text(inner, env)),
        ty => shortened(embedded_type_text(ty, env)),
    }
}

/// Returns an actual type for display, followed by the value if the type has exactly one.
fn actual_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    match ty {
        Type::LiteralString(text) => format!("String {}", shortened(crate::text::quoted(text))),
        Type::Integer(IntegerRange { min, max }) if min == max => format!("Integer {min}"),
        Type::WideInteger(range) if range.min == range.max => {
            range.min.map_or_else(|| "Integer".to_owned(), |min| format!("Integer {min}"))
        }
        Type::Float(range) if range.min == range.max => {
            format!("Float {}", crate::text::to_notation(&Value::Float(range.min), env))
        }
        Type::Boolean(Some(value)) => format!("Boolean {value}"),
        Type::Undef => "Undef".to_owned(),
        Type::Default => "Default".to_owned(),
        Type::Array(array) if array.size.max == 0 => "an empty Array".to_owned(),
        Type::Hash(hash) if hash.size.max == 0 => "an empty Hash".to_owned(),
        Type::Struct(members) => {
            let names: Vec<String> = members.iter().map(|member| crate::text::quoted(&member.name)).collect();
            shortened(format!("a Hash with {}", names.join(", ")))
        }
        Type::Object(Some(object)) => match &object.name {
            Some(name) => name.to_string(),
            None => shortened(expanded_type_text(ty, env)),
        },
        ty => shortened(embedded_type_text(ty, env)),
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_TYPE_LENGTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Formats a size as `1`, `at least 2` or `between 2 and 4`.
fn size_text(range: IntegerRange) -> String {
    match (range.min.max(0), range.max) {
        (min, max) if min == max || min == 0 || max == i64::MAX => range_text(range),
        (min, max) => format!("between {min} and {max}"),
    }
}

/// Formats a range as `1`, `at least 2` or `2 to 4`.
fn range_text(range: IntegerRange) -> String {
    match (range.min.max(0), range.max) {
        (min, max) if min == max => min.to_string(),
        (0, i64::MAX) => "any number of".to_owned(),
        (0, max) => format!("at most {max}"),
        (min, i64::MAX) => format!("at least {min}"),
        (min, max) => format!("{min} to {max}"),
    }
}

/// Formats alternatives as `a`, `a or b` or `a, b, or c`.
fn alternatives(strings: &[String]) -> String {
    match strings {
        [] => String::new(),
        [one] => one.clone(),
        [first, last] => format!("{first} or {last}"),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
    }
}
