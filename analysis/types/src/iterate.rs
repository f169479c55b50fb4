//! Element iteration of values, as performed by the iteration functions.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::assign::unfold_alias;
use crate::common::union;
use crate::environment::TypeEnvironment;
use crate::factory::variant_of;
use crate::infer::infer_set;
use crate::ty::*;
use crate::value::{HashValue, IteratorOperation, IteratorPosition, IteratorValue, Value};

/// Lazy sequence of the elements of an iterable value.
#[derive(Clone, Debug)]
pub struct Elements {
    source: ElementSource,
    positions: Positions,
    /// Number of elements that may still be yielded.
    left: usize,
    /// Iterator from which the elements are taken, and the number of its elements consumed per step.
    taken_from: Option<(Arc<IteratorValue>, usize)>,
    /// Number of elements of `taken_from` that were consumed at the last access; others may have consumed
    /// more since then.
    consumed: usize,
}

/// Indexable source of elements.
#[derive(Clone, Debug)]
enum ElementSource {
    /// Integers, each position being its own element.
    Integers,
    Array(Arc<Vec<Value>>),
    /// Pairs of key and value.
    Hash(Arc<HashValue>),
    /// String of ASCII characters only.
    Ascii(SmolStr),
    Characters(Arc<[char]>),
    Enum(Arc<EnumType>),
}

/// Positions from `from` up to `to` in steps of `step`, or down from `to` to `from` if `step` is negative.
#[derive(Clone, Copy, Debug)]
struct Positions {
    from: i128,
    to: i128,
    step: i128,
}

/// Returns the remaining elements for functions that consume them one by one, without those already taken
/// from an iterator. Returns `None` if the value is not iterable or the position of the iterator is unknown.
pub fn remaining(value: &Value, env: &dyn TypeEnvironment, limit: usize) -> Option<Elements> {
    let Value::Iterator(iterator) = value else { return all_elements(value, env, limit) };
    if has_unknown_position(value) {
        return None;
    }
    let (holder, stride) = holder(iterator);
    env.note_iteration(&holder);
    let mut elements = all_elements(&Value::Iterator(holder.clone()), env, limit)?;
    elements.consumed = holder.taken.count();
    elements.positions = elements.positions.without(elements.consumed).each_nth(stride as i64, false);
    elements.taken_from = Some((holder, stride));
    Some(elements)
}

/// Returns true if the position of an iterator, or of its source, is unknown.
fn has_unknown_position(mut value: &Value) -> bool {
    while let Value::Iterator(iterator) = value {
        if !iterator.taken.is_known() {
            return true;
        }
        value = &iterator.source;
    }
    false
}

/// Returns the iterator whose elements `iterator` consumes, and the number consumed per element.
fn holder(iterator: &Arc<IteratorValue>) -> (Arc<IteratorValue>, usize) {
    match (&iterator.source, iterator.operation) {
        (Value::Iterator(source), IteratorOperation::Step(step)) if !is_integers(&iterator.source) => {
            let (holder, stride) = holder(source);
            (holder, stride.saturating_mul(usize::try_from(step).unwrap_or(1).max(1)))
        }
        (Value::Iterator(source), IteratorOperation::Tree(_)) => holder(source),
        _ => (iterator.clone(), 1),
    }
}

/// Returns the maximum slice length that Ruby uses for an iterable: it rounds the number of elements down
/// when dividing by a step, and counts one too few for integers.
pub fn max_slice_length(value: &Value, env: &dyn TypeEnvironment) -> Option<usize> {
    if is_integers(value) {
        let count = all_elements(value, env, MAX_COUNTED_INTEGERS)?.count();
        return if count < MAX_COUNTED_INTEGERS { count.checked_sub(1) } else { None };
    }
    let Value::Iterator(iterator) = value else { return None };
    let IteratorOperation::Step(step) = iterator.operation else { return None };
    let count = match max_slice_length(&iterator.source, env) {
        Some(count) => count,
        None => all_elements(&iterator.source, env, usize::MAX)?.count(),
    };
    Some(count / usize::try_from(step).unwrap_or(1).max(1))
}

/// Maximum number of integers that are counted.
const MAX_COUNTED_INTEGERS: usize = 100_000;

/// Returns true for a step iterator over the result of `tree_each`, whose length Ruby does not know.
pub fn is_step_over_tree(value: &Value) -> bool {
    let Value::Iterator(iterator) = value else { return false };
    matches!(iterator.operation, IteratorOperation::Step(_))
        && (is_tree(&iterator.source) || is_step_over_tree(&iterator.source))
}

/// Returns true if iterating over the value consumes its elements. Most functions restart other iterators.
pub fn is_single_use(value: &Value) -> bool {
    match value {
        Value::Iterator(iterator) => {
            matches!(iterator.operation, IteratorOperation::Step(_) | IteratorOperation::Tree(_))
                || is_integers(value)
        }
        _ => false,
    }
}

/// Returns the elements that iteration functions visit, consuming those of a single-use iterator. Returns
/// `None` if the value is not iterable or the position of the iterator is unknown.
pub fn elements(value: &Value, env: &dyn TypeEnvironment, limit: usize) -> Option<Elements> {
    if is_single_use(value) {
        remaining(value, env, limit)
    } else if has_unknown_position(value) {
        None
    } else {
        all_elements(value, env, limit)
    }
}

/// Returns the elements that iteration functions visit, at most `limit` of them: elements of arrays,
/// `[key, value]` pairs of hashes, characters of strings, integers below a positive one, members of finite ranges
/// and of `Enum`, and elements of iterators. Returns `None` for unknown values and for values that are not
/// iterable.
pub fn all_elements(value: &Value, env: &dyn TypeEnvironment, limit: usize) -> Option<Elements> {
    let mut operations = Vec::new();
    let mut value = value;
    while let Value::Iterator(iterator) = value {
        operations.push(iterator.operation);
        value = &iterator.source;
    }
    let (source, mut positions) = base_of(value, env)?;
    let is_range = matches!(source, ElementSource::Integers);
    for operation in operations.into_iter().rev() {
        match operation {
            IteratorOperation::Each | IteratorOperation::Tree(_) => {}
            IteratorOperation::Reverse => positions.step = -positions.step,
            IteratorOperation::Step(step) => positions = positions.each_nth(step, is_range),
        }
    }
    Some(Elements { source, positions, left: limit, taken_from: None, consumed: 0 })
}

fn base_of(value: &Value, env: &dyn TypeEnvironment) -> Option<(ElementSource, Positions)> {
    let all = |length: usize| Positions { from: 0, to: length as i128 - 1, step: 1 };
    Some(match value {
        Value::Array(elements) => (ElementSource::Array(elements.clone()), all(elements.len())),
        Value::Hash(entries) => (ElementSource::Hash(entries.clone()), all(entries.len())),
        Value::String(text) if text.is_ascii() => (ElementSource::Ascii(text.clone()), all(text.len())),
        Value::String(text) => {
            let characters: Arc<[char]> = text.chars().collect();
            let positions = all(characters.len());
            (ElementSource::Characters(characters), positions)
        }
        Value::Integer(_) | Value::WideInteger(_) => {
            let count = value.as_wide_integer().filter(|count| *count >= 0)?;
            (ElementSource::Integers, Positions { from: 0, to: count - 1, step: 1 })
        }
        Value::Type(ty) => match finite_type(ty, env)? {
            Type::Integer(range) => {
                (ElementSource::Integers, Positions { from: range.min.into(), to: range.max.into(), step: 1 })
            }
            Type::WideInteger(range) => {
                (ElementSource::Integers, Positions { from: range.min?, to: range.max?, step: 1 })
            }
            Type::Enum(enumeration) => {
                let positions = all(enumeration.values.len());
                (ElementSource::Enum(enumeration), positions)
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the finite integer range or enumeration that the type denotes, following aliases.
fn finite_type(ty: &Type, env: &dyn TypeEnvironment) -> Option<Type> {
    let mut ty = ty.clone();
    for _ in 0..MAX_ALIASES {
        match ty {
            Type::Integer(range) if range.min == i64::MIN || range.max == i64::MAX => return None,
            Type::WideInteger(range) if range.min.is_none() || range.max.is_none() => return None,
            Type::Integer(_) | Type::WideInteger(_) | Type::Enum(_) => return Some(ty),
            Type::Alias(_) => ty = unfold_alias(&ty, env)?,
            _ => return None,
        }
    }
    None
}

/// Maximum number of aliases that are followed.
const MAX_ALIASES: usize = 64;

/// Step length that exceeds every range.
const MAX_STEP_LENGTH: i128 = 1 << 100;

impl Positions {
    /// Returns every nth position, starting with the first.
    ///
    /// In a descending integer range, Puppet adjusts the end by the remainder of the division with the wrong
    /// sign and usually loses the last element: `Integer[1, 10].reverse_each.step(4)` yields 10 and 6.
    fn each_nth(self, step: i64, is_range: bool) -> Positions {
        if step <= 1 || self.to < self.from {
            return self;
        }
        let step = self.step.saturating_mul(step.into()).clamp(-MAX_STEP_LENGTH, MAX_STEP_LENGTH);
        let span = self.to - self.from;
        let rest = span % step.abs();
        if step > 0 {
            Positions { to: self.to - rest, step, ..self }
        } else if is_range && rest != 0 {
            Positions { from: self.from + step.abs() - rest, step, ..self }
        } else {
            Positions { from: self.from + rest, step, ..self }
        }
    }

    fn next(&mut self) -> Option<i128> {
        if self.from > self.to {
            return None;
        }
        if self.step > 0 {
            let position = self.from;
            self.from = position.saturating_add(self.step);
            Some(position)
        } else {
            let position = self.to;
            self.to = position.saturating_add(self.step);
            Some(position)
        }
    }

    /// Skips the first `count` positions.
    fn without(self, count: usize) -> Positions {
        let consumed = self.step.saturating_mul(count as i128);
        if self.step > 0 {
            Positions { from: self.from.saturating_add(consumed), ..self }
        } else {
            Positions { to: self.to.saturating_add(consumed), ..self }
        }
    }

    fn count(&self) -> u128 {
        if self.from > self.to { 0 } else { ((self.to - self.from) / self.step.abs() + 1) as u128 }
    }
}

impl Iterator for Elements {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        if let Some((holder, stride)) = &self.taken_from
            && holder.taken.is_known()
        {
            let taken = holder.taken.count().saturating_sub(self.consumed).div_ceil((*stride).max(1));
            self.positions = self.positions.without(taken);
        }
        let position = self.positions.next()?;
        if let Some((holder, stride)) = &self.taken_from {
            if holder.taken.is_known() {
                holder.taken.add(*stride);
            }
            self.consumed = holder.taken.count();
        }
        let index = || usize::try_from(position).ok();
        match &self.source {
            ElementSource::Integers => i64::try_from(position).ok().map(Value::Integer),
            ElementSource::Array(elements) => elements.get(index()?).cloned(),
            ElementSource::Hash(entries) => {
                let (key, value) = entries.get_index(index()?)?;
                Some(Value::array([key.clone(), value.clone()]))
            }
            ElementSource::Ascii(text) => {
                let at = index()?;
                text.get(at..at + 1).map(Value::string)
            }
            ElementSource::Characters(characters) => {
                characters.get(index()?).map(|c| Value::string(c.to_string()))
            }
            ElementSource::Enum(enumeration) => enumeration.values.get(index()?).cloned().map(Value::String),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = usize::try_from(self.positions.count()).unwrap_or(usize::MAX).min(self.left);
        (count, Some(count))
    }
}

/// Creates the iterator that functions like `reverse_each` and `step` return for a known value, or `None` if
/// it is not iterable.
pub fn iterator(
    source: &Value,
    operation: IteratorOperation,
    env: &dyn TypeEnvironment,
) -> Option<IteratorValue> {
    let mut element = element_type(source, env)?;
    let positions = all_elements(source, env, 0)?.positions;
    if let (Type::Integer(range), IteratorOperation::Step(step)) = (&mut element, operation)
        && is_integers(source)
    {
        let stepped = positions.each_nth(step, true);
        let limit = |limit: i128, otherwise: i64| i64::try_from(limit).unwrap_or(otherwise);
        *range = IntegerRange::new(limit(stepped.from, range.min), limit(stepped.to, range.max));
    }
    Some(IteratorValue { source: source.clone(), operation, element, taken: IteratorPosition::default() })
}

/// Returns true if the elements are computed integers rather than stored values.
pub fn is_integers(mut source: &Value) -> bool {
    while let Value::Iterator(iterator) = source {
        source = &iterator.source;
    }
    match source {
        Value::Integer(_) | Value::WideInteger(_) => true,
        Value::Type(ty) => !matches!(**ty, Type::Enum(_)),
        _ => false,
    }
}

/// Returns true for the result of `tree_each`.
pub fn is_tree(value: &Value) -> bool {
    matches!(value, Value::Iterator(iterator) if matches!(iterator.operation, IteratorOperation::Tree(_)))
}

/// Returns true if the value is iterated by key and value, so that a lambda with two parameters receives
/// both. Step and reverse iterators yield the pairs as arrays instead.
pub fn is_hash_style(value: &Value) -> bool {
    match value {
        Value::Hash(_) => true,
        Value::Iterator(iterator) => {
            iterator.operation == IteratorOperation::Each && matches!(iterator.source, Value::Hash(_))
        }
        _ => false,
    }
}

/// Returns the element type of an iterator over a known value, or `None` if it is not iterable.
pub fn element_type(value: &Value, env: &dyn TypeEnvironment) -> Option<Type> {
    Some(match value {
        Value::Array(elements) if elements.is_empty() => Type::Unit,
        Value::Array(elements) => variant_of(elements.iter().map(|element| infer_set(element, env))),
        Value::Hash(entries) if entries.is_empty() => key_value_pair(Type::Unit, Type::Unit),
        Value::Hash(entries) => key_value_pair(
            variant_of(entries.keys().map(|key| infer_set(key, env))),
            variant_of(entries.values().map(|value| infer_set(value, env))),
        ),
        Value::String(_) => Type::String(IntegerRange::exactly(1)),
        Value::Integer(0) => Type::Unit,
        Value::Integer(count) if *count > 0 => Type::integer(0, count - 1),
        Value::WideInteger(count) if **count > 0 => {
            WideRange { min: Some(0), max: Some(**count - 1) }.into_type()
        }
        Value::Type(ty) => finite_type(ty, env)?,
        Value::Iterator(iterator) => iterator.element.clone(),
        Value::Unknown(unknown) => iterated_type(&unknown.ty, env)?,
        _ => return None,
    })
}

fn key_value_pair(key: Type, value: Type) -> Type {
    Type::tuple([key, value], Some(IntegerRange::exactly(2)))
}

/// Returns the element type of an unknown instance of `ty`, which is a pair of key and value for hashes.
/// Returns `None` if no instance is iterable.
pub fn iterated_type(ty: &Type, env: &dyn TypeEnvironment) -> Option<Type> {
    iterated_within(ty, env, &mut Vec::new())
}

/// Computes [`iterated_type`]. `seen` holds the aliases that are already part of the result.
fn iterated_within(ty: &Type, env: &dyn TypeEnvironment, seen: &mut Vec<SmolStr>) -> Option<Type> {
    let one_character = || Type::String(IntegerRange::exactly(1));
    Some(match ty {
        Type::Array(array) => array.element.clone(),
        Type::Tuple(tuple) if tuple.types.is_empty() => Type::Any,
        Type::Tuple(tuple) => union(tuple.types.iter().cloned(), env),
        Type::Hash(hash) => key_value_pair(hash.key.clone(), hash.value.clone()),
        Type::Struct(members) if members.is_empty() => key_value_pair(Type::Unit, Type::Unit),
        Type::Struct(members) => key_value_pair(
            Type::enumeration(members.iter().map(|member| member.name.clone()), false),
            union(members.iter().map(|member| member.value.clone()), env),
        ),
        Type::String(_) | Type::LiteralString(_) | Type::Enum(_) | Type::Pattern(_) => one_character(),
        Type::WideInteger(range) if range.max.is_some_and(|max| max < 0) => return None,
        Type::WideInteger(_) => Type::integer(0, i64::MAX),
        Type::Integer(range) if range.max < 0 => return None,
        Type::Integer(range) if range.max == i64::MAX => Type::integer(0, i64::MAX),
        Type::Integer(range) => Type::integer(0, (range.max - 1).max(0)),
        Type::Numeric => Type::integer(0, i64::MAX),
        Type::Scalar | Type::ScalarData => union([one_character(), Type::integer(0, i64::MAX)], env),
        Type::Data | Type::RichDataKey | Type::RichData => Type::Any,
        Type::Iterable(element) | Type::Iterator(element) => element.as_deref().cloned().unwrap_or(Type::Any),
        Type::Type(Some(inner)) => return iterated_instances(inner),
        Type::Variant(types) => {
            let elements: Vec<Type> = types.iter().filter_map(|ty| iterated_within(ty, env, seen)).collect();
            return (!elements.is_empty()).then(|| union(elements, env));
        }
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => {
            return iterated_within(inner, env, seen);
        }
        Type::Alias(name) if seen.contains(name) => return None,
        Type::Alias(name) => match unfold_alias(ty, env) {
            Some(target) => {
                seen.push(name.clone());
                return iterated_within(&target, env, seen);
            }
            None => Type::Any,
        },
        Type::Any
        | Type::Unit
        | Type::Collection(_)
        | Type::Optional(None)
        | Type::NotUndef(None)
        | Type::Type(None)
        | Type::Init(_)
        | Type::Runtime(_)
        | Type::Reference(_) => Type::Any,
        _ => return None,
    })
}

/// Returns the element type of a type whose finite instances are enumerated.
fn iterated_instances(inner: &Type) -> Option<Type> {
    Some(match inner {
        Type::Integer(_) | Type::WideInteger(_) => Type::INTEGER,
        Type::Enum(enumeration) if enumeration.values.is_empty() => Type::STRING,
        Type::Enum(_) => inner.clone(),
        Type::Any | Type::Scalar | Type::ScalarData | Type::Numeric | Type::Alias(_) | Type::Variant(_) => {
            Type::Any
        }
        Type::String(_) | Type::Data | Type::RichData | Type::Optional(_) | Type::NotUndef(_) => Type::Any,
        _ => return None,
    })
}
