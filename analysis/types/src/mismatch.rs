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

/// Why a value of the type `actual` does not fit `expected`, in the words that Puppet's users know: `subject, entry 'a' expects
/// an Integer value, got String 'x'`; several reasons stand on lines of their own.
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
            format!("{subject} {}", expects_and_got(&wanted_text(expected, env), &got))
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

/// What stands behind "expects": `an Integer value`, `a match for Enum['a', 'b']`, `a value of type Undef or Integer`.
fn wanted_text(ty: &Type, env: &dyn TypeEnvironment) -> String {
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

/// `a value of type Integer, Float, or String`
fn value_of_types<'t>(types: impl IntoIterator<Item = &'t Type>, env: &dyn TypeEnvironment) -> String {
    let mut texts: Vec<String> = Vec::new();
    for ty in types {
        let text = if *ty == Type::Undef { "Undef".to_owned() } else { expected_text(ty, env) };
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    format!("a value of type {}", shortened(alternatives(&texts)))
}

/// Does a type ask what a text is like, by its words or by patterns?
fn is_matched(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    match ty {
        Type::Enum(_) | Type::Pattern(_) => true,
        Type::Alias(_) => crate::assign::unfold_alias(ty, env)
            .is_some_and(|unfolded| matches!(unfolded, Type::Enum(_) | Type::Pattern(_))),
        _ => false,
    }
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

/// What was given where a type is expected: a value behind its type where the type holds only one, unless it may be sensitive.
/// A text that does not match is shown alone.
fn given_text(expected: &Type, actual: &Type, env: &dyn TypeEnvironment) -> String {
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

/// What was given: a value behind its type where the type holds only one.
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
    match text.char_indices().nth(SHOWN_LENGTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// `1`, `at least 2`, `between 2 and 4`, of a size.
fn size_text(range: IntegerRange) -> String {
    match (range.min.max(0), range.max) {
        (min, max) if min == max || min == 0 || max == i64::MAX => range_text(range),
        (min, max) => format!("between {min} and {max}"),
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

/// `a`, `a or b`, `a, b, or c`
fn alternatives(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first, last] => format!("{first} or {last}"),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
    }
}
