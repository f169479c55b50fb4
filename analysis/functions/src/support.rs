//! Helpers for the tables of functions.

use eval::{BuiltInFunction, Call, FunctionKind, Outcome, Overload, WhenUnknown};
use types::Value;

pub(super) const fn function(
    name: &'static str,
    documentation: &'static str,
    overloads: &'static [Overload],
) -> BuiltInFunction {
    BuiltInFunction { name, documentation, kind: FunctionKind::Modern, overloads }
}

/// Returns the same function with another name.
pub(super) const fn also(name: &'static str, row: BuiltInFunction) -> BuiltInFunction {
    BuiltInFunction { name, ..row }
}

/// Returns an overload whose implementation handles known arguments only.
pub(super) const fn known(signature: &'static str, call: fn(&mut Call) -> Outcome) -> Overload {
    Overload { signature, when_unknown: WhenUnknown::ReturnType, call }
}

/// Returns an overload whose implementation handles unknown arguments, too.
pub(super) const fn open(signature: &'static str, call: fn(&mut Call) -> Outcome) -> Overload {
    Overload { signature, when_unknown: WhenUnknown::Call, call }
}

/// Implements Ruby's `==`: numbers are compared by value, strings exactly.
pub(super) fn ruby_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        _ if a.as_number().is_some() && b.as_number().is_some() => {
            match (a.as_wide_integer(), b.as_wide_integer()) {
                (Some(a), Some(b)) => a == b,
                _ => a.as_number() == b.as_number(),
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| ruby_equal(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| ruby_equal(value, other)))
        }
        (a, b) => a == b,
    }
}
