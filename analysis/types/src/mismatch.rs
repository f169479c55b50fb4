//! Why a value or an argument does not fit, in words.

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

/// What an alias stands for is shown when it is no longer than this.
const SHOWN_MEANING: usize = 60;

/// So much of one type is shown.
const SHOWN_LENGTH: usize = 160;

/// Why a value of the type `actual` does not fit `expected`: `subject, entry 'a': expected Integer, got 'x'`; several
/// reasons stand on lines of their own.
pub fn describe_mismatch(subject: &str, expected: &Type, actual: &Type, env: &dyn TypeEnvironment) -> String {
    report(subject, &describe::mismatches(expected, actual, env), expected, actual, env)
}

/// As [`describe_mismatch`], for a value.
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
            let got = given_text(expected, actual, env);
            format!("{subject}: {}", expected_and_got(&expected_text(expected, env), &got))
        }
        [mismatch] => format!("{subject}{}", mismatch.text(", ")),
        mismatches => {
            let mut text = format!("{subject} has {} problems:", mismatches.len());
            for mismatch in mismatches {
                text.push_str("\n  ");
                text.push_str(&mismatch.text(""));
            }
            text
        }
    }
}

fn expected_and_got(expected: &str, got: &str) -> String {
    format!("expected {expected}, got {got}")
}

/// So many types are looked at for what is sensitive; one with more may be.
const SENSITIVE_STEPS: u32 = 1_000;

/// May a value of a type, or a part of one, be sensitive? What was given in its place is not to be shown, then.
pub fn may_be_sensitive(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    holds_sensitive(ty, env, &mut { SENSITIVE_STEPS }, &mut Vec::new())
}

/// `seen` are the aliases that were looked into.
fn holds_sensitive(ty: &Type, env: &dyn TypeEnvironment, steps: &mut u32, seen: &mut Vec<Type>) -> bool {
    let Some(left) = steps.checked_sub(1) else { return true };
    *steps = left;
    if matches!(ty, Type::Alias(_)) {
        if seen.contains(ty) {
            return false;
        }
        seen.push(ty.clone());
        let unfolded = crate::assign::unfold_alias(ty, env);
        return unfolded.is_some_and(|unfolded| holds_sensitive(&unfolded, env, steps, seen));
    }
    let mut holds = |ty: &Type| holds_sensitive(ty, env, steps, seen);
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

/// What was given where a type is expected: a value where its type holds only one, unless it may be sensitive.
fn given_text(expected: &Type, actual: &Type, env: &dyn TypeEnvironment) -> String {
    match actual {
        Type::Struct(_) | Type::Undef | Type::Default => actual_text(actual, env),
        _ if may_be_sensitive(expected, env) => actual_text(&crate::common::generalize(actual, env), env),
        _ => actual_text(actual, env),
    }
}

/// A type that is asked for: an alias by its name, with what it stands for when that is short.
pub fn expected_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    match ty {
        Type::Alias(name) => {
            let unfolded = match crate::assign::unfold_alias(ty, env) {
                Some(Type::Object(_) | Type::TypeSet(_)) | None => return name.to_string(),
                Some(unfolded) => embedded_type_text(&unfolded, env),
            };
            match unfolded.len() <= SHOWN_MEANING {
                true => format!("{name} ({unfolded})"),
                false => name.to_string(),
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

/// What was given: a value where its type holds only one.
fn actual_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
    match ty {
        Type::LiteralString(text) => shortened(crate::text::quoted(text)),
        Type::Integer(IntegerRange { min, max }) if min == max => min.to_string(),
        Type::WideInteger(range) if range.min == range.max => {
            range.min.map_or_else(String::new, |min| min.to_string())
        }
        Type::Float(range) if range.min == range.max => {
            crate::text::to_notation(&Value::Float(range.min), env)
        }
        Type::Boolean(Some(value)) => value.to_string(),
        Type::Undef => "undef".to_owned(),
        Type::Default => "default".to_owned(),
        Type::Array(array) if array.size.max == 0 => "an empty array".to_owned(),
        Type::Hash(hash) if hash.size.max == 0 => "an empty hash".to_owned(),
        Type::Struct(members) => {
            let names: Vec<String> = members.iter().map(|member| crate::text::quoted(&member.name)).collect();
            shortened(format!("a hash with {}", names.join(", ")))
        }
        Type::Object(Some(object)) => match &object.name {
            Some(name) => name.to_string(),
            None => shortened(expanded_type_text(ty, env)),
        },
        ty => shortened(embedded_type_text(ty, env)),
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(SHOWN_LENGTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// `1`, `at least 2`, `2 to 4`
fn range_text(range: IntegerRange) -> String {
    match (range.min.max(0), range.max) {
        (min, max) if min == max => min.to_string(),
        (0, i64::MAX) => "any number of".to_owned(),
        (0, max) => format!("at most {max}"),
        (min, i64::MAX) => format!("at least {min}"),
        (min, max) => format!("{min} to {max}"),
    }
}

/// `a`, `a or b`, `a, b or c`
fn alternatives(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
