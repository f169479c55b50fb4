//! Type narrowing in branches: intersection with a type, and exclusion of a type.
//!
//! Results are never too narrow: if the exact type cannot be expressed, a wider one is returned. A type
//! without values is an empty `Variant`.

use std::cell::Cell;
use std::sync::Arc;

use crate::assign::{is_certainly_assignable, is_instance, overlaps, unfold_alias};
use crate::common::union;
use crate::environment::TypeEnvironment;
use crate::ty::{FloatRange, IntegerRange, StructKey, StructMember, Type, WideRange};
use crate::value::Value;

const DEPTH_LIMIT: u32 = 16;
/// Maximum number of steps of one operation, after which the original type is returned.
const STEP_LIMIT: u32 = 1_000;

/// Returns the type of the values that are instances of both types.
pub fn intersect(a: &Type, b: &Type, env: &dyn TypeEnvironment) -> Type {
    Narrower::new(env).intersect(a, b, 0)
}

/// Returns the type of the instances of `a` that are not instances of `b`.
pub fn exclude(a: &Type, b: &Type, env: &dyn TypeEnvironment) -> Type {
    Narrower::new(env).exclude(a, b, 0)
}

/// Returns true if the type has no values.
pub fn is_never(ty: &Type) -> bool {
    matches!(ty, Type::Variant(types) if types.is_empty())
}

fn never() -> Type {
    Type::variant([])
}

struct Narrower<'env> {
    env: &'env dyn TypeEnvironment,
    steps: Cell<u32>,
}

impl<'env> Narrower<'env> {
    fn new(env: &'env dyn TypeEnvironment) -> Narrower<'env> {
        Narrower { env, steps: Cell::new(0) }
    }

    /// Returns true if a limit is exceeded.
    fn is_exhausted(&self, depth: u32) -> bool {
        self.steps.set(self.steps.get() + 1);
        depth >= DEPTH_LIMIT || self.steps.get() > STEP_LIMIT
    }

    fn union(&self, types: Vec<Type>) -> Type {
        let mut types: Vec<Type> = types.into_iter().filter(|ty| !is_never(ty)).collect();
        match types.len() {
            0 => never(),
            1 => types.remove(0),
            _ => union(types, self.env),
        }
    }

    fn intersect(&self, a: &Type, b: &Type, depth: u32) -> Type {
        if self.is_exhausted(depth) {
            return a.clone();
        }
        if is_certainly_assignable(b, a, self.env) {
            return a.clone();
        }
        if is_certainly_assignable(a, b, self.env) {
            return b.clone();
        }
        if !overlaps(a, b, self.env) {
            return never();
        }
        let each = |part: &Type, other: &Type| self.intersect(part, other, depth + 1);
        if let Some(parts) = self.parts(a) {
            return self.union(parts.iter().map(|part| each(part, b)).collect());
        }
        if let Some(parts) = self.parts(b) {
            return self.union(parts.iter().map(|part| each(a, part)).collect());
        }
        match (a, b) {
            (Type::NotUndef(inner), other) | (other, Type::NotUndef(inner)) => match inner {
                Some(inner) => each(inner, &self.exclude(other, &Type::Undef, depth + 1)),
                None => self.exclude(other, &Type::Undef, depth + 1),
            },
            (Type::Integer(a), Type::Integer(b)) => a.intersect(*b).map_or_else(never, Type::Integer),
            (Type::Integer(_) | Type::WideInteger(_), Type::Integer(_) | Type::WideInteger(_)) => {
                let both = WideRange::of(a).zip(WideRange::of(b)).and_then(|(a, b)| a.intersect(b));
                both.map_or_else(never, WideRange::into_type)
            }
            (Type::Float(a), Type::Float(b)) => {
                let (min, max) = (a.min.0.max(b.min.0), a.max.0.min(b.max.0));
                if min <= max { Type::Float(FloatRange::new(min, max)) } else { never() }
            }
            (Type::String(a), Type::String(b)) => a.intersect(*b).map_or_else(never, Type::String),
            (Type::Enum(values), other) | (other, Type::Enum(values)) if !values.values.is_empty() => {
                self.intersect_enum(values, other, a)
            }
            (Type::Iterable(_) | Type::Collection(_), other)
            | (other, Type::Iterable(_) | Type::Collection(_)) => {
                self.with_size_of(a, b).unwrap_or_else(|| other.clone())
            }
            (Type::Array(_) | Type::Tuple(_), Type::Array(_) | Type::Tuple(_)) => {
                self.intersect_arrays(a, b, depth)
            }
            (Type::Hash(x), Type::Hash(y)) => match x.size.intersect(y.size) {
                Some(size) => {
                    let (key, value) = (each(&x.key, &y.key), each(&x.value, &y.value));
                    match (is_never(&key) || is_never(&value), size.min <= 0) {
                        (false, _) => Type::hash(key, value, size),
                        (true, true) => Type::hash(Type::Unit, Type::Unit, IntegerRange::exactly(0)),
                        (true, false) => never(),
                    }
                }
                None => never(),
            },
            (Type::Struct(members), Type::Hash(hash)) | (Type::Hash(hash), Type::Struct(members)) => {
                self.intersect_struct(members, |member| Some(each(&member.value, &hash.value)))
            }
            (Type::Struct(x), Type::Struct(y)) => self.intersect_struct(x, |member| {
                let other = y.iter().find(|other| other.name == member.name)?;
                Some(each(&member.value, &other.value))
            }),
            (Type::Sensitive(Some(x)), Type::Sensitive(Some(y))) => {
                Type::Sensitive(Some(Arc::new(each(x, y))))
            }
            _ => a.clone(),
        }
    }

    /// Returns the alternatives that a type consists of, if there are several.
    fn parts(&self, ty: &Type) -> Option<Vec<Type>> {
        match ty {
            Type::Variant(types) => Some(types.to_vec()),
            Type::Optional(None) => Some(vec![Type::Undef]),
            Type::Optional(Some(inner)) => Some(vec![Type::Undef, (**inner).clone()]),
            Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => {
                unfold_alias(ty, self.env).map(|unfolded| vec![unfolded])
            }
            Type::Scalar => Some(vec![
                Type::ScalarData,
                Type::Regexp(None),
                Type::SemVer(Arc::new([])),
                Type::SemVerRange,
                Type::Timestamp(None),
                Type::Timespan(None),
            ]),
            Type::ScalarData => Some(vec![Type::STRING, Type::Numeric, Type::BOOLEAN]),
            Type::Numeric => Some(vec![Type::INTEGER, Type::FLOAT]),
            _ => None,
        }
    }

    fn intersect_enum(&self, values: &crate::ty::EnumType, other: &Type, whole: &Type) -> Type {
        if values.case_insensitive {
            // It is unknown which spellings belong to the other type, but values without any matching
            // spelling can be dropped.
            let other_takes = |value: &smol_str::SmolStr| {
                overlaps(&Type::enumeration([value.clone()], true), other, self.env)
            };
            if let Type::Enum(other) = other
                && !other.case_insensitive
            {
                let taken =
                    other.values.iter().filter(|it| values.values.iter().any(|v| v.eq_ignore_ascii_case(it)));
                return self.enumeration(taken.cloned().collect(), false);
            }
            if !matches!(other, Type::Enum(_) | Type::String(_) | Type::LiteralString(_) | Type::Pattern(_)) {
                return whole.clone();
            }
            return self
                .enumeration(values.values.iter().filter(|it| other_takes(it)).cloned().collect(), true);
        }
        let takes =
            |value: &&smol_str::SmolStr| is_instance(other, &Value::String((*value).clone()), self.env);
        self.enumeration(values.values.iter().filter(takes).cloned().collect(), false)
    }

    fn enumeration(&self, values: Vec<smol_str::SmolStr>, case_insensitive: bool) -> Type {
        if values.is_empty() { never() } else { Type::enumeration(values, case_insensitive) }
    }

    /// Intersects a general collection or iterable type with a more specific one: the result is the latter
    /// with the intersection of the sizes.
    fn with_size_of(&self, a: &Type, b: &Type) -> Option<Type> {
        let (size, other) = match (a, b) {
            (Type::Collection(size), other) | (other, Type::Collection(size)) => (*size, other),
            _ => return None,
        };
        match other {
            Type::Array(array) => Some(
                array
                    .size
                    .intersect(size)
                    .map_or_else(never, |size| Type::array(array.element.clone(), size)),
            ),
            Type::Hash(hash) => Some(
                hash.size
                    .intersect(size)
                    .map_or_else(never, |size| Type::hash(hash.key.clone(), hash.value.clone(), size)),
            ),
            _ => None,
        }
    }

    fn intersect_arrays(&self, a: &Type, b: &Type, depth: u32) -> Type {
        let size_and_places = |ty: &Type| match ty {
            Type::Array(array) => Some((array.size, vec![array.element.clone()])),
            Type::Tuple(tuple) if tuple.types.is_empty() && tuple.size.is_none() => {
                Some((IntegerRange::SIZE, vec![Type::Any]))
            }
            Type::Tuple(tuple) if tuple.types.is_empty() => Some((tuple.size(), vec![Type::Any])),
            Type::Tuple(tuple) => Some((tuple.size(), tuple.types.to_vec())),
            _ => None,
        };
        let (Some((size_a, places_a)), Some((size_b, places_b))) = (size_and_places(a), size_and_places(b))
        else {
            return a.clone();
        };
        let Some(mut size) = size_a.intersect(size_b) else { return never() };
        let mut elements = Vec::new();
        for at in 0..places_a.len().max(places_b.len()) {
            let element =
                |elements: &[Type]| elements.get(at).or(elements.last()).cloned().unwrap_or(Type::Any);
            let both = self.intersect(&element(&places_a), &element(&places_b), depth + 1);
            if is_never(&both) {
                // No element fits at this position.
                size = match size.intersect(IntegerRange::new(0, at as i64)) {
                    Some(size) => size,
                    None => return never(),
                };
                break;
            }
            elements.push(both);
        }
        match (elements.len(), size) {
            (0, _) => Type::array(Type::Unit, IntegerRange::exactly(0)),
            (1, size) => Type::array(elements.remove(0), size),
            (count, size) if size == IntegerRange::exactly(count as i64) => Type::tuple(elements, None),
            (_, size) => Type::tuple(elements, Some(size)),
        }
    }

    /// Intersects the members of a struct. `value` returns the intersection for a member, or `None` if the
    /// other type has no such member.
    fn intersect_struct(
        &self,
        members: &[StructMember],
        value: impl Fn(&StructMember) -> Option<Type>,
    ) -> Type {
        let mut both = Vec::new();
        for member in members {
            match value(member).filter(|ty| !is_never(ty)) {
                Some(value) => both.push(StructMember { value, ..member.clone() }),
                None if member.key == StructKey::Required => return never(),
                None => {}
            }
        }
        Type::Struct(both.into())
    }

    fn exclude(&self, a: &Type, b: &Type, depth: u32) -> Type {
        if self.is_exhausted(depth) {
            return a.clone();
        }
        if is_certainly_assignable(b, a, self.env) {
            return never();
        }
        if !overlaps(a, b, self.env) {
            return a.clone();
        }
        if let Some(parts) = self.parts(a) {
            let left: Vec<Type> = parts.iter().map(|part| self.exclude(part, b, depth + 1)).collect();
            return if left == parts { a.clone() } else { self.union(left) };
        }
        match b {
            Type::Variant(_) | Type::Optional(_) => {
                if let Some(parts) = self.parts(b) {
                    return parts.iter().fold(a.clone(), |left, part| self.exclude(&left, part, depth + 1));
                }
            }
            Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => {
                if let Some(unfolded) = unfold_alias(b, self.env) {
                    return self.exclude(a, &unfolded, depth + 1);
                }
            }
            _ => {}
        }
        match (a, b) {
            (Type::Any, Type::Undef) => Type::NotUndef(None),
            (Type::NotUndef(Some(inner)), _) => {
                let left = self.exclude(&self.exclude(inner, &Type::Undef, depth + 1), b, depth + 1);
                if left == **inner { a.clone() } else { left }
            }
            (Type::Boolean(None), Type::Boolean(Some(value))) => Type::Boolean(Some(!value)),
            (Type::Integer(range), Type::Integer(excluded)) => Type::Integer(without(*range, *excluded)),
            (
                Type::Enum(values),
                Type::Enum(_) | Type::LiteralString(_) | Type::String(_) | Type::Pattern(_),
            ) => self.without_values(a, values, b),
            (Type::String(range), Type::String(excluded)) => Type::String(without(*range, *excluded)),
            (Type::String(range), Type::LiteralString(text)) if text.is_empty() => {
                Type::String(without(*range, IntegerRange::exactly(0)))
            }
            (Type::String(range), Type::Enum(values))
                if values.values.iter().any(|value| value.is_empty()) =>
            {
                Type::String(without(*range, IntegerRange::exactly(0)))
            }
            (Type::Collection(size), _) => {
                let parts = [Type::array(Type::Any, *size), Type::hash(Type::Any, Type::Any, *size)];
                let left: Vec<Type> = parts.iter().map(|part| self.exclude(part, b, depth + 1)).collect();
                if left == parts { a.clone() } else { self.union(left) }
            }
            (Type::Array(array), _) => {
                self.without_sizes(a, array.size, b, |size| Type::array(array.element.clone(), size))
            }
            (Type::Hash(hash), _) => self.without_sizes(a, hash.size, b, |size| {
                Type::hash(hash.key.clone(), hash.value.clone(), size)
            }),
            _ => a.clone(),
        }
    }

    /// Removes the values that are instances of `b` from the enumeration `a`.
    fn without_values(&self, a: &Type, values: &crate::ty::EnumType, b: &Type) -> Type {
        let is_gone = |value: &smol_str::SmolStr| {
            is_certainly_assignable(b, &Type::enumeration([value.clone()], values.case_insensitive), self.env)
        };
        let left: Vec<smol_str::SmolStr> = values.values.iter().filter(|it| !is_gone(it)).cloned().collect();
        if left.len() == values.values.len() {
            return a.clone();
        }
        self.enumeration(left, values.case_insensitive)
    }

    /// Removes the sizes at which all values of the collection are instances of `b`.
    fn without_sizes(
        &self,
        a: &Type,
        size: IntegerRange,
        b: &Type,
        sized: impl Fn(IntegerRange) -> Type,
    ) -> Type {
        let excluded = match b {
            Type::Array(array) => array.size,
            Type::Hash(hash) => hash.size,
            Type::Collection(size) => *size,
            _ => return a.clone(),
        };
        let Some(both) = size.intersect(excluded) else { return a.clone() };
        if !is_certainly_assignable(b, &sized(both), self.env) {
            return a.clone();
        }
        sized(without(size, both))
    }
}

/// Returns `range` without the numbers in `excluded`, if the result is a range. The two must overlap, and `excluded`
/// must not contain all of `range`.
fn without(range: IntegerRange, excluded: IntegerRange) -> IntegerRange {
    if excluded.min <= range.min && excluded.max < range.max {
        IntegerRange::new(excluded.max.saturating_add(1), range.max)
    } else if excluded.max >= range.max && excluded.min > range.min {
        IntegerRange::new(range.min, excluded.min.saturating_sub(1))
    } else {
        range
    }
}
