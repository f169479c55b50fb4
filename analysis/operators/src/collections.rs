//! Operators `+ - <<` with arrays and hashes on the left, `+` with URIs and binaries, and unfolding.

use std::cmp::Ordering;
use std::sync::Arc;

use scalars::uri::Uri;
use syntax::ast::BinaryOperator;
use types::{HashValue, IntegerRange, Kinds, StructKey, StructMember, Type, TypeEnvironment, Value};
use validation::VersionDifference;

use super::OperationContext;
use super::arithmetic::{number_of, order};
use super::comparison::size_of;
use super::rules::{NOT_APPLICABLE, RUNTIME_ERROR, RuleFailure, not_applicable};
use super::unknown::{Alternative, alternatives, shown};
use crate::failure::Failure;

/// Maximum number of types in an inferred tuple.
const MAX_TUPLE_LENGTH: usize = 64;
/// Maximum number of elements unfolded from an iterator.
const MAX_UNFOLDED_ELEMENTS: usize = 4 << 20;

/// Evaluates `array + any`.
pub(super) fn concatenate(
    _: BinaryOperator,
    left: &Value,
    right: &Value,
    _: &mut OperationContext,
) -> Result<Value, Failure> {
    let left = left.as_array().unwrap_or_default();
    let mut all = Vec::with_capacity(left.len() + 1);
    all.extend_from_slice(left);
    match right {
        Value::Array(elements) => all.extend_from_slice(elements),
        Value::Hash(entries) => all.extend(pairs(entries)),
        other => all.push(other.clone()),
    }
    Ok(Value::array(all))
}

/// Evaluates `array << any`.
pub(super) fn append(
    _: BinaryOperator,
    left: &Value,
    right: &Value,
    _: &mut OperationContext,
) -> Result<Value, Failure> {
    let left = left.as_array().unwrap_or_default();
    let mut all = Vec::with_capacity(left.len() + 1);
    all.extend_from_slice(left);
    all.push(right.clone());
    Ok(Value::array(all))
}

pub(super) fn nothing_to_append(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    Err(not_applicable(operator, NOT_APPLICABLE, left, right, ctx))
}

pub(super) fn nothing_to_add(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    Err(not_applicable(operator, RUNTIME_ERROR, left, right, ctx))
}

fn pairs(entries: &HashValue) -> impl Iterator<Item = Value> {
    entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()]))
}

/// Evaluates `hash + hash`; entries of the right operand win.
pub(super) fn merge(
    _: BinaryOperator,
    left: &Value,
    right: &Value,
    _: &mut OperationContext,
) -> Result<Value, Failure> {
    let mut merged = left.as_hash().cloned().unwrap_or_default();
    if let Value::Hash(entries) = right {
        merged.extend(entries.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    Ok(Value::Hash(Arc::new(merged)))
}

/// Evaluates `hash + array`, where the array is a list of pairs or of alternating keys and values.
pub(super) fn merge_array(
    _: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let mut merged = left.as_hash().cloned().unwrap_or_default();
    let elements = right.as_array().unwrap_or_default();
    let are_pairs = !elements.is_empty() && elements.iter().all(|element| matches!(element, Value::Array(_)));
    if are_pairs {
        for element in elements {
            match element.as_array().unwrap_or_default() {
                [key] if !ctx.version.has(VersionDifference::HashFromPairs) => {
                    merged.insert(key.clone(), Value::Undef)
                }
                [key, value] => merged.insert(key.clone(), value.clone()),
                other => {
                    let message =
                        format!("expected a pair of key and value, got an array of {} elements", other.len());
                    return Err(Failure::new(RUNTIME_ERROR.0, message));
                }
            };
        }
        return Ok(Value::Hash(Arc::new(merged)));
    }
    match elements {
        [Value::Hash(entries)] => {
            merged.extend(entries.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        [Value::Timespan(span)] => merged.extend(timespan_entries(**span)),
        elements if elements.len() % 2 == 1 => {
            let message = format!("odd number of keys and values: {} elements", elements.len());
            return Err(Failure::new(RUNTIME_ERROR.0, message));
        }
        elements => {
            for pair in elements.chunks_exact(2) {
                merged.insert(pair[0].clone(), pair[1].clone());
            }
        }
    }
    Ok(Value::Hash(Arc::new(merged)))
}

/// Returns the nonzero parts of a timespan in Puppet's order.
fn timespan_entries(span: scalars::timespan::Timespan) -> Vec<(Value, Value)> {
    let [days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds] = span.fields();
    let parts = [days, hours, minutes, seconds, nanoseconds, microseconds, milliseconds];
    let parts = parts.into_iter().filter(|(_, amount)| *amount != 0);
    let entry = |(name, amount): (&'static str, i128)| {
        (Value::string(name), Value::Integer(i64::try_from(amount).unwrap_or(i64::MAX)))
    };
    let mut entries: Vec<_> = parts.map(entry).collect();
    if span.nanoseconds < 0 {
        entries.push((Value::string("negative"), Value::Boolean(true)));
    }
    entries
}

/// Evaluates `array - any` by removing the elements that the right operand lists.
#[expect(clippy::mutable_key_type, reason = "the hash of a pattern ignores its compiled form")]
pub(super) fn array_difference(
    _: BinaryOperator,
    left: &Value,
    right: &Value,
    _: &mut OperationContext,
) -> Result<Value, Failure> {
    let unwanted: Vec<Value> = match right {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(entries) => pairs(entries).collect(),
        other => vec![other.clone()],
    };
    // Most values are equal only to the same hash key, so a set finds them quickly.
    let plain: rustc_hash::FxHashSet<&Value> = unwanted.iter().collect();
    let others: Vec<&Value> = unwanted.iter().filter(|value| may_equal_another(value)).collect();
    let is_wanted = |element: &&Value| {
        !plain.contains(element) && !others.iter().any(|unwanted| strictly_equal(element, unwanted))
    };
    let kept: Vec<Value> = left.as_array().unwrap_or_default().iter().filter(is_wanted).cloned().collect();
    Ok(Value::array(kept))
}

/// Returns true if the value may be equal to a different hash key: numbers, times, and values that contain
/// them.
fn may_equal_another(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(may_equal_another),
        Value::Hash(entries) => entries.values().any(may_equal_another),
        value => number_of(value).is_some(),
    }
}

/// Compares with case-sensitive strings: `1` and `1.0` are equal, `'a'` and `'A'` are not.
fn strictly_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right.iter()).all(|(left, right)| strictly_equal(left, right))
        }
        (Value::Hash(left), Value::Hash(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, value)| right.get(key).is_some_and(|other| strictly_equal(value, other)))
        }
        _ => match (number_of(left), number_of(right)) {
            (Some(left), Some(right)) => order(left, right) == Some(Ordering::Equal),
            _ => left == right,
        },
    }
}

/// Evaluates `hash - any` by removing the keys that the right operand lists.
#[expect(clippy::mutable_key_type, reason = "the hash of a pattern ignores its compiled form")]
pub(super) fn hash_difference(
    _: BinaryOperator,
    left: &Value,
    right: &Value,
    _: &mut OperationContext,
) -> Result<Value, Failure> {
    let mut kept = left.as_hash().cloned().unwrap_or_default();
    match right {
        Value::Array(keys) => {
            let keys: rustc_hash::FxHashSet<&Value> = keys.iter().collect();
            kept.retain(|key, _| !keys.contains(key));
        }
        Value::Hash(entries) => kept.retain(|key, _| !entries.contains_key(key)),
        key => {
            kept.shift_remove(key);
        }
    }
    Ok(Value::Hash(Arc::new(kept)))
}

/// Evaluates `URI + URI` and `URI + string`.
pub(super) fn join_uri(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let Value::Uri(base) = left else { return nothing_to_add(operator, left, right, ctx) };
    let joined = match right {
        Value::String(text) => Uri::parse(text).and_then(|other| base.merge(&other)),
        Value::Uri(other) => base.merge(other),
        _ => return nothing_to_add(operator, left, right, ctx),
    };
    match joined {
        Ok(uri) => Ok(Value::Uri(Arc::new(uri))),
        Err(error) => {
            let message = format!("cannot add {} to a URI: {}", shown(right, ctx.env), error.0);
            Err(Failure::new(RUNTIME_ERROR.0, message))
        }
    }
}

/// Evaluates `Binary + Binary`.
pub(super) fn join_binary(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    match (left, right) {
        (Value::Binary(left), Value::Binary(right)) => {
            Ok(Value::Binary([&left[..], &right[..]].concat().into()))
        }
        _ => nothing_to_add(operator, left, right, ctx),
    }
}

/// Returns the elements that `*value` unfolds to, or `None` if they are unknown.
pub(super) fn unfold(value: &Value, env: &dyn TypeEnvironment) -> Option<Vec<Value>> {
    match value {
        Value::Undef => Some(Vec::new()),
        Value::Array(elements) => Some(elements.to_vec()),
        Value::Hash(entries) => Some(pairs(entries).collect()),
        Value::Iterator(_) => {
            let elements = types::iterate::elements(value, env, MAX_UNFOLDED_ELEMENTS + 1)?;
            let elements: Vec<Value> = elements.collect();
            (elements.len() <= MAX_UNFOLDED_ELEMENTS).then_some(elements)
        }
        Value::Unknown(unknown) => {
            let all = alternatives(&unknown.ty, env);
            let unfolds = Kinds::UNDEF | Kinds::COLLECTION | Kinds::ITERATOR;
            if !all.is_empty() && !all.iter().any(|it| it.may_be(unfolds)) {
                return Some(vec![value.clone()]);
            }
            match all.as_slice() {
                [Alternative { ty: ty @ (Type::Tuple(_) | Type::Array(_)), .. }] => {
                    let size = size_of(ty);
                    if size.min != size.max || size.max > MAX_TUPLE_LENGTH as i64 {
                        return None;
                    }
                    let element = |index| Value::unknown(element_of(ty, index), unknown.origin);
                    Some((0..size.max as usize).map(element).collect())
                }
                _ => None,
            }
        }
        other => Some(vec![other.clone()]),
    }
}

/// Returns the type of the variable at `index` when a value of type `ty` is assigned to several variables.
pub(super) fn element_type(ty: &Type, index: usize, env: &dyn TypeEnvironment) -> Type {
    let of_alternative = |it: Alternative| {
        if it.is_certainly(Kinds::ARRAY) {
            return element_of(&it.ty, index);
        }
        // A hash assigns the value of a key that is unknown here; any other value counts as the only
        // element.
        if !it.may_be(Kinds::COLLECTION) {
            it.ty
        } else if it.is_certainly(Kinds::HASH) {
            entries_of(&it).1
        } else {
            Type::Any
        }
    };
    let types: Vec<Type> = alternatives(ty, env).into_iter().map(of_alternative).collect();
    if types.is_empty() { Type::Any } else { types::common::union(types, env) }
}

/// Returns the type of the element at `index` of an array type.
pub(super) fn element_of(ty: &Type, index: usize) -> Type {
    match ty {
        Type::Array(array) => array.element.clone(),
        Type::Tuple(tuple) => tuple.element(index).cloned().unwrap_or(Type::Any),
        _ => Type::Any,
    }
}

/// Returns the union of the element types of an array type.
pub(super) fn any_element_of(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    match ty {
        Type::Array(array) => array.element.clone(),
        Type::Tuple(tuple) if !tuple.types.is_empty() => {
            types::common::union(tuple.types.iter().cloned(), env)
        }
        _ => Type::Any,
    }
}

/// Returns the key and value types of a hash type.
pub(super) fn entries_of(hash: &Alternative) -> (Type, Type) {
    match &hash.ty {
        Type::Hash(hash) => (hash.key.clone(), hash.value.clone()),
        Type::Struct(members) if !members.is_empty() => {
            let key = Type::enumeration(members.iter().map(|member| member.name.clone()), false);
            (key, Type::variant(members.iter().map(|member| member.value.clone()).collect::<Vec<_>>()))
        }
        _ => (Type::Any, Type::Any),
    }
}

/// Returns the type of an array with the elements of `more` appended.
fn longer(left: &Alternative, more: &Type, env: &dyn TypeEnvironment) -> Type {
    let (left_size, more_size) = (size_of(&left.ty), size_of(more));
    if let (Some(left), Some(more)) = (fixed_types(&left.ty), fixed_types(more))
        && left.len() + more.len() <= MAX_TUPLE_LENGTH
    {
        let types = [left, more].concat();
        return if types.is_empty() {
            Type::array(Type::Unit, IntegerRange::exactly(0))
        } else {
            Type::tuple(types, None)
        };
    }
    let element = types::common::union([any_element_of(&left.ty, env), any_element_of(more, env)], env);
    Type::array(element, sum(left_size, more_size))
}

/// Returns the element types of an array of fixed length.
fn fixed_types(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Tuple(tuple) if tuple.size.is_none() && !tuple.types.is_empty() => Some(tuple.types.to_vec()),
        Type::Array(array) if array.size == IntegerRange::exactly(0) => Some(Vec::new()),
        _ => None,
    }
}

fn sum(a: IntegerRange, b: IntegerRange) -> IntegerRange {
    let max = if a.is_unlimited() || b.is_unlimited() { i64::MAX } else { a.max.saturating_add(b.max) };
    IntegerRange::new(a.min.saturating_add(b.min), max)
}

/// Returns the type of `array + any`.
pub(super) fn type_of_concatenation(
    _: BinaryOperator,
    left: &Alternative,
    right: &Alternative,
    ctx: &OperationContext,
) -> Result<Type, RuleFailure> {
    if right.is_certainly(Kinds::ARRAY) {
        return Ok(longer(left, &right.ty, ctx.env));
    }
    if right.is_certainly(Kinds::HASH) {
        let (key, value) = entries_of(right);
        let pairs = Type::array(Type::tuple([key, value], None), size_of(&right.ty));
        return Ok(longer(left, &pairs, ctx.env));
    }
    if !right.may_be(Kinds::COLLECTION) {
        return Ok(longer(left, &Type::tuple([right.ty.clone()], None), ctx.env));
    }
    let size = size_of(&left.ty);
    Ok(Type::array(Type::Any, IntegerRange::new(size.min, i64::MAX)))
}

/// Returns the type of `array << any`.
pub(super) fn type_of_append(
    _: BinaryOperator,
    left: &Alternative,
    right: &Alternative,
    ctx: &OperationContext,
) -> Result<Type, RuleFailure> {
    Ok(longer(left, &Type::tuple([right.ty.clone()], None), ctx.env))
}

/// Returns the type of `array - any`, which may have fewer elements.
pub(super) fn type_of_difference(
    _: BinaryOperator,
    left: &Alternative,
    _: &Alternative,
    ctx: &OperationContext,
) -> Result<Type, RuleFailure> {
    Ok(Type::array(any_element_of(&left.ty, ctx.env), IntegerRange::new(0, size_of(&left.ty).max)))
}

/// Returns the type of `hash + hash`.
pub(super) fn type_of_merge(
    _: BinaryOperator,
    left: &Alternative,
    right: &Alternative,
    ctx: &OperationContext,
) -> Result<Type, RuleFailure> {
    if let (Type::Struct(left), Type::Struct(right)) = (&left.ty, &right.ty)
        && !left.is_empty()
        && !right.is_empty()
    {
        return Ok(merged_struct(left, right, ctx.env));
    }
    let (left_size, right_size) = (size_of(&left.ty), size_of(&right.ty));
    let ((left_key, left_value), (right_key, right_value)) = (entries_of(left), entries_of(right));
    let size = IntegerRange::new(left_size.min.max(right_size.min), sum(left_size, right_size).max);
    let key = types::common::union([left_key, right_key], ctx.env);
    Ok(Type::hash(key, types::common::union([left_value, right_value], ctx.env), size))
}

fn merged_struct(left: &[StructMember], right: &[StructMember], env: &dyn TypeEnvironment) -> Type {
    let merge_member = |member: &StructMember| match right.iter().find(|it| it.name == member.name) {
        None => member.clone(),
        Some(over) if over.key == StructKey::Required => over.clone(),
        Some(over) => StructMember {
            value: types::common::union([member.value.clone(), over.value.clone()], env),
            ..member.clone()
        },
    };
    let added = right.iter().filter(|member| !left.iter().any(|it| it.name == member.name));
    Type::Struct(left.iter().map(merge_member).chain(added.cloned()).collect())
}

/// Returns the type of `hash + array`.
pub(super) fn type_of_merge_with_array(
    _: BinaryOperator,
    left: &Alternative,
    right: &Alternative,
    _: &OperationContext,
) -> Result<Type, RuleFailure> {
    if size_of(&right.ty) == IntegerRange::exactly(0) {
        return Ok(left.ty.clone());
    }
    Ok(Type::hash(Type::Any, Type::Any, IntegerRange::new(size_of(&left.ty).min, i64::MAX)))
}

/// Returns the type of `hash - any`, which may have fewer entries.
pub(super) fn type_of_hash_difference(
    _: BinaryOperator,
    left: &Alternative,
    right: &Alternative,
    _: &OperationContext,
) -> Result<Type, RuleFailure> {
    if let Type::Struct(members) = &left.ty
        && !members.is_empty()
    {
        let kept = members.iter().filter(|member| right.ty != Type::LiteralString(member.name.clone()));
        let is_single = matches!(&right.ty, Type::LiteralString(_));
        let key = |member: &StructMember| if is_single { member.key } else { StructKey::Optional };
        let kept: Vec<StructMember> =
            kept.map(|member| StructMember { key: key(member), ..member.clone() }).collect();
        if !kept.is_empty() {
            return Ok(Type::Struct(kept.into()));
        }
    }
    let (key, value) = entries_of(left);
    Ok(Type::hash(key, value, IntegerRange::new(0, size_of(&left.ty).max)))
}
