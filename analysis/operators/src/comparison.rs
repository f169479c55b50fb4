//! Operators `== != < <= > >=`.

use codes::Code;
use std::cmp::Ordering;
use std::sync::Arc;

use smol_str::SmolStr;
use syntax::ast::BinaryOperator;
use types::object::init::catch_refusal;
use types::{HashValue, IntegerRange, Kinds, Type, TypeEnvironment, Value};

use super::OperationContext;
use super::arithmetic::{number_of, order};
use super::rules::{NOT_COMPARABLE, not_applicable};
use super::unknown::{Alternative, alternatives, and, truth_value, type_of};
use crate::failure::Failure;

/// Maximum nesting depth of compared types.
const MAX_DEPTH: u32 = 16;

/// Numbers and times, which may be equal to each other.
const NUMERIC: Kinds = Kinds::NUMBER.union(Kinds::TIMESPAN).union(Kinds::TIMESTAMP);

/// Evaluates `==` and `!=`.
pub(super) fn equality(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    if compares_object_with_reference(left, right) {
        let message = "cannot compare a resource object with a reference";
        return Err(Failure::new(Code::RuntimeError, message));
    }
    let equal = match (left, right) {
        (Value::Type(left), Value::Type(right))
            if left.is_resource_object() || right.is_resource_object() =>
        {
            Some(left == right)
        }
        (Value::Type(left), Value::Type(right)) => {
            let answer = catch_refusal(ctx.env, || types::assign::equal_types(left, right, ctx.env));
            let answer = answer.map_err(|why| Failure::new(Code::RuntimeError, why))?;
            if !answer && operator == BinaryOperator::Equal && compares_as_undef(right, left, ctx) {
                return Ok(Value::Undef);
            }
            Some(answer)
        }
        _ => equal(left, right, ctx.env),
    };
    let wanted = operator == BinaryOperator::Equal;
    Ok(truth_value(equal.map(|equal| equal == wanted), [left, right]))
}

/// Returns true if Puppet answers `undef` instead of `false`: `to` is an `Init` that does not accept `from`,
/// and its constructor has no signature with several parameters. If `from` is a union of types, Puppet
/// answers `false`.
fn compares_as_undef(to: &Type, from: &Type, ctx: &OperationContext) -> bool {
    let unfolded = types::assign::unfold_alias(to, ctx.env);
    let Type::Init(Some(init)) = unfolded.as_ref().unwrap_or(to) else { return false };
    let unfolded = types::assign::unfold_alias(from, ctx.env);
    let is_several =
        |ty: &Type| matches!(ty, Type::Variant(_) | Type::Data | Type::RichData | Type::RichDataKey);
    !matches!(from, Type::Init(_))
        && !is_several(unfolded.as_ref().unwrap_or(from))
        && types::object::init::init_arguments(init, ctx.env).several.is_empty()
        && !types::assign::is_assignable(to, from, ctx.env)
}

/// Returns true if Puppet fails on the comparison: Ruby calls a method on the reference on the right that
/// only resource objects have.
fn compares_object_with_reference(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Type(left), Value::Type(right)) => {
            left.is_resource_object() && matches!(**right, Type::Resource(_)) && !right.is_resource_object()
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            // Elements after the first difference are not compared.
            let pair = left.iter().zip(right.iter()).find(|(left, right)| left != right);
            pair.is_some_and(|(left, right)| compares_object_with_reference(left, right))
        }
        _ => false,
    }
}

/// Compares two values like the language. Returns `None` if the result is unknown.
pub(super) fn equal(left: &Value, right: &Value, env: &dyn TypeEnvironment) -> Option<bool> {
    match (left, right) {
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => {
            types_equal(&type_of(left, env), &type_of(right, env), env, 0)
        }
        // Only ASCII letters are compared case-insensitively.
        (Value::String(left), Value::String(right)) => Some(left.eq_ignore_ascii_case(right)),
        (Value::Array(left), Value::Array(right)) => {
            if left.len() != right.len() {
                return Some(false);
            }
            let mut pairs = left.iter().zip(right.iter());
            all(&mut pairs, |(left, right)| equal(left, right, env))
        }
        (Value::Hash(left), Value::Hash(right)) => equal_hashes(left, right, env),
        (Value::Type(left), Value::Type(right)) => Some(same_type(left, right)),
        (Value::Sensitive(left), Value::Sensitive(right)) => {
            (left.is_known() && right.is_known()).then(|| left == right)
        }
        (Value::Object(_), Value::Object(_)) if !left.is_known() || !right.is_known() => None,
        (Value::Object(left), Value::Object(right)) => {
            Some(types::object::construct::equal_objects(left, right, env))
        }
        (Value::Iterator(left), Value::Iterator(right)) => Some(Arc::ptr_eq(left, right)),
        _ => match (number_of(left), number_of(right)) {
            (Some(left), Some(right)) => Some(order(left, right) == Some(Ordering::Equal)),
            _ => Some(left == right),
        },
    }
}

fn equal_hashes(left: &HashValue, right: &HashValue, env: &dyn TypeEnvironment) -> Option<bool> {
    if !left.keys().chain(right.keys()).all(Value::is_known) {
        return None;
    }
    if left.len() != right.len() {
        return Some(false);
    }
    // A missing key counts as an entry with the value `undef`.
    let mut entries = left.iter();
    all(&mut entries, |(key, value)| equal(right.get(key).unwrap_or(&Value::Undef), value, env))
}

fn all<T>(items: &mut dyn Iterator<Item = T>, mut test: impl FnMut(T) -> Option<bool>) -> Option<bool> {
    let mut result = Some(true);
    for item in items {
        result = and(result, || test(item));
        if result == Some(false) {
            break;
        }
    }
    result
}

/// Compares types inside arrays and hashes structurally, except for the order of a variant's members.
fn same_type(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Variant(left), Type::Variant(right)) => {
            left.iter().all(|ty| right.contains(ty)) && right.iter().all(|ty| left.contains(ty))
        }
        (left, right) => left == right,
    }
}

/// Returns true if all instances of both types are equal, false if none are, and `None` otherwise.
pub(super) fn types_equal(left: &Type, right: &Type, env: &dyn TypeEnvironment, depth: u32) -> Option<bool> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (lefts, rights) = (alternatives(left, env), alternatives(right, env));
    let mut result = None;
    for (left, right) in lefts.iter().flat_map(|left| rights.iter().map(move |right| (left, right))) {
        let equal = alternatives_equal(left, right, env, depth)?;
        if result.is_some_and(|known| known != equal) {
            return None;
        }
        result = Some(equal);
    }
    result
}

fn alternatives_equal(
    left: &Alternative,
    right: &Alternative,
    env: &dyn TypeEnvironment,
    depth: u32,
) -> Option<bool> {
    let with_numeric = |kinds: Kinds| if kinds.intersects(NUMERIC) { kinds | NUMERIC } else { kinds };
    if !with_numeric(left.kinds).intersects(right.kinds) {
        return Some(false);
    }
    match (&left.ty, &right.ty) {
        (Type::Undef, Type::Undef) | (Type::Default, Type::Default) => Some(true),
        (Type::Boolean(Some(left)), Type::Boolean(Some(right))) => Some(left == right),
        (Type::Integer(left), Type::Integer(right)) => match left.intersect(*right) {
            None => Some(false),
            Some(_) => (left.min == left.max && left == right).then_some(true),
        },
        (Type::Array(_) | Type::Tuple(_), Type::Array(_) | Type::Tuple(_)) => {
            arrays_equal(&left.ty, &right.ty, env, depth)
        }
        (Type::Hash(_) | Type::Struct(_), Type::Hash(_) | Type::Struct(_)) => {
            let disjoint = size_of(&left.ty).intersect(size_of(&right.ty)).is_none();
            disjoint.then_some(false)
        }
        (left, right) => {
            let (left, right) = (literals(left)?, literals(right)?);
            if left.iter().any(|text| right.iter().any(|other| text.eq_ignore_ascii_case(other))) {
                return (left.len() == 1 && right.len() == 1).then_some(true);
            }
            Some(false)
        }
    }
}

fn arrays_equal(left: &Type, right: &Type, env: &dyn TypeEnvironment, depth: u32) -> Option<bool> {
    if size_of(left).intersect(size_of(right)).is_none() {
        return Some(false);
    }
    match (left, right) {
        (Type::Tuple(left), Type::Tuple(right)) if left.size.is_none() && right.size.is_none() => {
            let mut pairs = left.types.iter().zip(&right.types);
            all(&mut pairs, |(left, right)| types_equal(left, right, env, depth + 1))
        }
        _ => None,
    }
}

/// Returns the number of elements of the instances of an array or hash type.
pub(super) fn size_of(ty: &Type) -> IntegerRange {
    match ty {
        Type::Array(array) => array.size,
        Type::Tuple(tuple) => tuple.element_count(),
        Type::Hash(hash) => hash.size,
        Type::Collection(size) => *size,
        Type::Struct(members) => IntegerRange::of_struct(members),
        _ => IntegerRange::SIZE,
    }
}

/// Returns the strings that a type enumerates, if it does.
pub(super) fn literals(ty: &Type) -> Option<&[SmolStr]> {
    match ty {
        Type::LiteralString(text) => Some(std::slice::from_ref(text)),
        Type::Enum(enumeration) if !enumeration.values.is_empty() => Some(&enumeration.values),
        _ => None,
    }
}

/// Evaluates `<`, `<=`, `>` and `>=` between values other than types.
pub(super) fn compare(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let ordering = match (left, right) {
        (Value::String(left), Value::String(right)) => Some(compare_texts(left, right)),
        (Value::SemVer(left), Value::SemVer(right)) => Some(left.compare(right)),
        (Value::Default, Value::Default) => Some(Ordering::Equal),
        _ => match (number_of(left), number_of(right)) {
            (Some(left), Some(right)) => order(left, right),
            _ => None,
        },
    };
    match ordering {
        Some(ordering) => Ok(Value::Boolean(match operator {
            BinaryOperator::Less => ordering.is_lt(),
            BinaryOperator::LessOrEqual => ordering.is_le(),
            BinaryOperator::Greater => ordering.is_gt(),
            _ => ordering.is_ge(),
        })),
        None => Err(not_applicable(operator, NOT_COMPARABLE, left, right, ctx)),
    }
}

/// Compares by bytes with ASCII letters in lowercase.
fn compare_texts(left: &str, right: &str) -> Ordering {
    left.bytes().map(|c| c.to_ascii_lowercase()).cmp(right.bytes().map(|c| c.to_ascii_lowercase()))
}

/// Evaluates `<`, `<=`, `>` and `>=` between types, by assignability. Types cannot be compared with other
/// values.
pub(super) fn compare_types(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let (Value::Type(left), Value::Type(right)) = (left, right) else { return Ok(Value::Boolean(false)) };
    if left.is_resource_object() {
        let (left, right) = (Value::Type(left.clone()), Value::Type(right.clone()));
        return Err(not_applicable(operator, NOT_COMPARABLE, &left, &right, ctx));
    }
    let env = ctx.env;
    let answer = catch_refusal(env, || match operator {
        BinaryOperator::Less => types::assign::is_narrower(left, right, env),
        BinaryOperator::LessOrEqual => types::assign::is_assignable(right, left, env),
        BinaryOperator::Greater => types::assign::is_narrower(right, left, env),
        _ => types::assign::is_assignable(left, right, env),
    });
    let answer = answer.map_err(|why| Failure::new(Code::RuntimeError, why))?;
    let (to, from) = match operator {
        BinaryOperator::Less | BinaryOperator::LessOrEqual => (right, left),
        _ => (left, right),
    };
    Ok(if !answer && compares_as_undef(to, from, ctx) { Value::Undef } else { Value::Boolean(answer) })
}
