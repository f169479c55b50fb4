//! What iteration functions go over: the elements of a value, one after the other.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::assign::unfold_alias;
use crate::common::union;
use crate::environment::TypeEnvironment;
use crate::factory::variant_of;
use crate::infer::infer_set;
use crate::ty::*;
use crate::value::{HashValue, IteratorOperation, IteratorPosition, IteratorValue, Value};

/// The elements of something iterable; none is made before it is asked for.
#[derive(Clone, Debug)]
pub struct Elements {
    base: IterationBase,
    positions: Positions,
    /// How many elements may still be given.
    left: usize,
    /// What each element is taken from, and how many that has less then.
    taken_from: Option<(Arc<IteratorValue>, usize)>,
    /// How many were gone from that when it was last looked at: others may have taken some since.
    gone: usize,
}

/// What has elements by position.
#[derive(Clone, Debug)]
enum IterationBase {
    /// Each position is its own element.
    Integers,
    Array(Arc<Vec<Value>>),
    /// As pairs of key and value.
    Hash(Arc<HashValue>),
    /// A string of ASCII characters only.
    Ascii(SmolStr),
    Characters(Arc<[char]>),
    Enum(Arc<EnumType>),
}

/// From `from` up to `to` in steps of `step`, or, when that is negative, from `to` down to `from`.
#[derive(Clone, Copy, Debug)]
struct Positions {
    from: i128,
    to: i128,
    step: i128,
}

/// The elements as functions take them one by one: what was taken from an iterator is gone. `None` also where it is not known
/// what was.
pub fn remaining(value: &Value, env: &dyn TypeEnvironment, limit: usize) -> Option<Elements> {
    let Value::Iterator(iterator) = value else { return all_elements(value, env, limit) };
    if has_unknown_position(value) {
        return None;
    }
    let (holder, stride) = holder(iterator);
    env.note_walk(&holder);
    let mut elements = all_elements(&Value::Iterator(holder.clone()), env, limit)?;
    elements.gone = holder.taken.count();
    elements.positions = elements.positions.without(elements.gone).each_nth(stride as i64, false);
    elements.taken_from = Some((holder, stride));
    Some(elements)
}

/// Is it unknown what was taken from an iterator, or from what it goes over?
fn has_unknown_position(mut value: &Value) -> bool {
    while let Value::Iterator(iterator) = value {
        if !iterator.taken.is_known() {
            return true;
        }
        value = &iterator.source;
    }
    false
}

/// Whose elements an iterator takes, and how many for each of its own.
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

/// Into how large slices at most Ruby divides what is iterated: it takes the quotient for how many elements there are, and for
/// integers one too few.
pub fn most_in_slice(value: &Value, env: &dyn TypeEnvironment) -> Option<usize> {
    if is_integers(value) {
        let count = all_elements(value, env, MAX_COUNTED)?.count();
        return if count < MAX_COUNTED { count.checked_sub(1) } else { None };
    }
    let Value::Iterator(iterator) = value else { return None };
    let IteratorOperation::Step(step) = iterator.operation else { return None };
    let count = match most_in_slice(&iterator.source, env) {
        Some(count) => count,
        None => all_elements(&iterator.source, env, usize::MAX)?.count(),
    };
    Some(count / usize::try_from(step).unwrap_or(1).max(1))
}

/// More integers than this are not counted.
const MAX_COUNTED: usize = 100_000;

/// Does it step over what `tree_each` gives? Of that Ruby does not know how many elements it has.
pub fn steps_over_tree(value: &Value) -> bool {
    let Value::Iterator(iterator) = value else { return false };
    matches!(iterator.operation, IteratorOperation::Step(_))
        && (is_tree(&iterator.source) || steps_over_tree(&iterator.source))
}

/// Does whatever goes over the value take its elements from it? Other iterators begin anew for most functions.
pub fn is_walked_once(value: &Value) -> bool {
    match value {
        Value::Iterator(iterator) => {
            matches!(iterator.operation, IteratorOperation::Step(_) | IteratorOperation::Tree(_))
                || is_integers(value)
        }
        _ => false,
    }
}

/// The elements that the value has for the language's iteration functions; those of an iterator that is walked once are
/// taken from it. `None` also where it is not known what was taken before.
pub fn elements(value: &Value, env: &dyn TypeEnvironment, limit: usize) -> Option<Elements> {
    match is_walked_once(value) {
        true => remaining(value, env, limit),
        false if has_unknown_position(value) => None,
        false => all_elements(value, env, limit),
    }
}

/// The elements that the value has for the language's iteration functions, at most `limit` of them: those of arrays,
/// `[key, value]` pairs of hashes, characters of strings, the integers below a positive one, the members of finite
/// ranges and of `Enum`, and what an iterator gives. `None` for what cannot be iterated, and for what is not known.
pub fn all_elements(value: &Value, env: &dyn TypeEnvironment, limit: usize) -> Option<Elements> {
    let mut operations = Vec::new();
    let mut value = value;
    while let Value::Iterator(iterator) = value {
        operations.push(iterator.operation);
        value = &iterator.source;
    }
    let (base, mut positions) = base_of(value, env)?;
    let is_range = matches!(base, IterationBase::Integers);
    for operation in operations.into_iter().rev() {
        match operation {
            IteratorOperation::Each | IteratorOperation::Tree(_) => {}
            IteratorOperation::Reverse => positions.step = -positions.step,
            IteratorOperation::Step(step) => positions = positions.each_nth(step, is_range),
        }
    }
    Some(Elements { base, positions, left: limit, taken_from: None, gone: 0 })
}

fn base_of(value: &Value, env: &dyn TypeEnvironment) -> Option<(IterationBase, Positions)> {
    let all = |length: usize| Positions { from: 0, to: length as i128 - 1, step: 1 };
    Some(match value {
        Value::Array(elements) => (IterationBase::Array(elements.clone()), all(elements.len())),
        Value::Hash(entries) => (IterationBase::Hash(entries.clone()), all(entries.len())),
        Value::String(text) if text.is_ascii() => (IterationBase::Ascii(text.clone()), all(text.len())),
        Value::String(text) => {
            let characters: Arc<[char]> = text.chars().collect();
            let positions = all(characters.len());
            (IterationBase::Characters(characters), positions)
        }
        Value::Integer(_) | Value::WideInteger(_) => {
            let count = value.as_wide_integer().filter(|count| *count >= 0)?;
            (IterationBase::Integers, Positions { from: 0, to: count - 1, step: 1 })
        }
        Value::Type(ty) => match finite_type(ty, env)? {
            Type::Integer(range) => {
                (IterationBase::Integers, Positions { from: range.min.into(), to: range.max.into(), step: 1 })
            }
            Type::WideInteger(range) => {
                (IterationBase::Integers, Positions { from: range.min?, to: range.max?, step: 1 })
            }
            Type::Enum(enumeration) => {
                let positions = all(enumeration.values.len());
                (IterationBase::Enum(enumeration), positions)
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// The finite integer range or enumeration that the type is, or is an alias of.
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

/// An alias of an alias of an alias ... is followed so far.
const MAX_ALIASES: usize = 64;

/// Longer than any range.
const MAX_STEP_LENGTH: i128 = 1 << 100;

impl Positions {
    /// Every nth of them, beginning with the first.
    ///
    /// When going down, Puppet takes the rest of the division off integer ranges with the wrong sign, and so loses the
    /// last one in most cases: `Integer[1, 10].reverse_each.step(4)` gives 10 and 6.
    fn each_nth(self, step: i64, is_range: bool) -> Positions {
        if step <= 1 || self.to < self.from {
            return self;
        }
        let step = self.step.saturating_mul(step.into()).clamp(-MAX_STEP_LENGTH, MAX_STEP_LENGTH);
        let span = self.to - self.from;
        let rest = span % step.abs();
        match step > 0 {
            true => Positions { to: self.to - rest, step, ..self },
            false if is_range && rest != 0 => Positions { from: self.from + step.abs() - rest, step, ..self },
            false => Positions { from: self.from + rest, step, ..self },
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

    /// Without the first ones.
    fn without(self, count: usize) -> Positions {
        let gone = self.step.saturating_mul(count as i128);
        match self.step > 0 {
            true => Positions { from: self.from.saturating_add(gone), ..self },
            false => Positions { to: self.to.saturating_add(gone), ..self },
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
            let taken = holder.taken.count().saturating_sub(self.gone).div_ceil((*stride).max(1));
            self.positions = self.positions.without(taken);
        }
        let position = self.positions.next()?;
        if let Some((holder, stride)) = &self.taken_from {
            if holder.taken.is_known() {
                holder.taken.add(*stride);
            }
            self.gone = holder.taken.count();
        }
        let index = || usize::try_from(position).ok();
        match &self.base {
            IterationBase::Integers => i64::try_from(position).ok().map(Value::Integer),
            IterationBase::Array(elements) => elements.get(index()?).cloned(),
            IterationBase::Hash(entries) => {
                let (key, value) = entries.get_index(index()?)?;
                Some(Value::array([key.clone(), value.clone()]))
            }
            IterationBase::Ascii(text) => {
                let at = index()?;
                text.get(at..at + 1).map(Value::string)
            }
            IterationBase::Characters(characters) => {
                characters.get(index()?).map(|c| Value::string(c.to_string()))
            }
            IterationBase::Enum(enumeration) => enumeration.values.get(index()?).cloned().map(Value::String),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = usize::try_from(self.positions.count()).unwrap_or(usize::MAX).min(self.left);
        (count, Some(count))
    }
}

/// The iterator that `reverse_each`, `step` and their like make of a known value; `None` for what cannot be iterated.
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

/// Does it go over integers that are nowhere stored?
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

/// Is it what `tree_each` gives?
pub fn is_tree(value: &Value) -> bool {
    matches!(value, Value::Iterator(iterator) if matches!(iterator.operation, IteratorOperation::Tree(_)))
}

/// Is the value iterated by key and value, so that a lambda with two parameters gets both? Iterators that step or go
/// backwards give the pairs as arrays.
pub fn is_hash_style(value: &Value) -> bool {
    match value {
        Value::Hash(_) => true,
        Value::Iterator(iterator) => {
            iterator.operation == IteratorOperation::Each && matches!(iterator.source, Value::Hash(_))
        }
        _ => false,
    }
}

/// The type that an iterator over a known value has for its elements; `None` for what cannot be iterated.
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

/// The type of the elements of an instance of `ty` that is not known; hashes have pairs of key and value. `None` when
/// no instance can be iterated.
pub fn iterated_type(ty: &Type, env: &dyn TypeEnvironment) -> Option<Type> {
    iterated_within(ty, env, &mut Vec::new())
}

/// `seen` are the aliases that are already part of the result.
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

/// What iterating a type whose instances are counted gives.
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
