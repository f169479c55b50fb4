//! Type widening: generalization, common types, unions and normalization.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::assign::{is_assignable, is_certainly_assignable};
use crate::display::takes_undef;
use crate::environment::TypeEnvironment;
use crate::factory::{not_undef, pattern_of, sem_ver, sensitive, variant_of};
use crate::ty::*;
use crate::value::Value;
use scalars::timespan::TimespanLimit;
use scalars::timestamp::Timestamp;

/// Generalizes a type by dropping limits, sizes and literal strings. Aliases stay names.
pub fn generalize(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    match ty {
        Type::Integer(_) | Type::WideInteger(_) => Type::INTEGER,
        Type::Float(_) => Type::FLOAT,
        Type::String(_) | Type::LiteralString(_) => Type::STRING,
        Type::Boolean(_) => Type::BOOLEAN,
        Type::Timestamp(_) => Type::Timestamp(None),
        Type::Timespan(_) => Type::Timespan(None),
        Type::Uri(_) => Type::Uri(None),
        Type::Collection(_) => Type::Collection(IntegerRange::SIZE),
        Type::Enum(enumeration) => {
            let lengths = || enumeration.values.iter().map(|value| value.chars().count() as i64);
            match (lengths().min(), lengths().max()) {
                (Some(min), Some(max)) => Type::String(IntegerRange::new(min, max)),
                _ => Type::STRING,
            }
        }
        Type::Array(array) => Type::array_of(generalize(&array.element, env)),
        Type::Hash(hash) if hash.size == IntegerRange::exactly(0) && hash.key == Type::Unit => ty.clone(),
        Type::Hash(hash) => Type::hash_of(generalize(&hash.key, env), generalize(&hash.value, env)),
        Type::Tuple(tuple) => Type::Tuple(Arc::new(map_tuple(tuple, &mut |ty| generalize(ty, env)))),
        Type::Struct(members) => map_members(members, &mut |ty| generalize(ty, env)),
        Type::Variant(types) => {
            let general: Vec<Type> = types.iter().map(|ty| generalize(ty, env)).collect();
            if general[..] == types[..] { ty.clone() } else { variant_of(general) }
        }
        Type::Callable(callable) => map_callable(callable, &mut |ty| generalize(ty, env)),
        Type::Sensitive(Some(inner)) => sensitive(inner, env),
        Type::NotUndef(Some(inner)) => not_undef(generalize(inner, env)),
        Type::Optional(Some(inner)) => Type::optional(generalize(inner, env)),
        Type::Type(Some(inner)) => Type::type_of(generalize(inner, env)),
        Type::Iterable(Some(inner)) => Type::Iterable(Some(Arc::new(generalize(inner, env)))),
        Type::Iterator(Some(inner)) => Type::Iterator(Some(Arc::new(generalize(inner, env)))),
        Type::ObjectExtension(extension) => extension.base.clone(),
        ty => ty.clone(),
    }
}

fn map_tuple(tuple: &TupleType, map: &mut dyn FnMut(&Type) -> Type) -> TupleType {
    TupleType { types: tuple.types.iter().map(map).collect(), size: tuple.size }
}

fn map_members(members: &[StructMember], map: &mut dyn FnMut(&Type) -> Type) -> Type {
    let members = members.iter().map(|member| StructMember {
        name: member.name.clone(),
        key: member.key,
        value: map(&member.value),
    });
    Type::Struct(members.collect())
}

fn map_callable(callable: &CallableType, map: &mut dyn FnMut(&Type) -> Type) -> Type {
    let parameters = callable.parameters.as_ref().map(|parameters| map_tuple(parameters, map));
    let block = callable.block.as_ref().map(&mut *map);
    let returns = callable.returns.as_ref().map(&mut *map);
    Type::callable(parameters, block, returns)
}

/// Returns the most specific type that Puppet finds for the instances of both types. As in Puppet, `Undef` is
/// ignored: its common type with `Integer` is `Integer`.
pub fn common_type(a: &Type, b: &Type, env: &dyn TypeEnvironment) -> Type {
    match (a, b) {
        (Type::Undef | Type::Unit, other) => return other.clone(),
        (other, Type::Undef | Type::Unit) => return other.clone(),
        _ => {}
    }
    if is_assignable(a, b, env) {
        return a.clone();
    }
    if is_assignable(b, a, env) {
        return b.clone();
    }
    match (a, b) {
        (Type::Array(a), Type::Array(b)) => return Type::array_of(common_type(&a.element, &b.element, env)),
        (Type::Hash(a), Type::Hash(b)) => {
            let key = common_type(&a.key, &b.key, env);
            return Type::hash_of(key, common_type(&a.value, &b.value, env));
        }
        (Type::Class(_), Type::Class(_)) => return Type::Class(None),
        (Type::Resource(a), Type::Resource(b)) => {
            let same = a.type_name == b.type_name;
            return Type::resource(a.type_name.clone().filter(|_| same), None);
        }
        (Type::Integer(a), Type::Integer(b)) => return Type::Integer(a.hull(*b)),
        (Type::Integer(_) | Type::WideInteger(_), Type::Integer(_) | Type::WideInteger(_)) => {
            let both = WideRange::of(a).zip(WideRange::of(b)).map(|(a, b)| a.hull(b));
            return both.map_or(Type::INTEGER, WideRange::into_type);
        }
        (Type::Float(a), Type::Float(b)) => {
            return Type::Float(FloatRange::new(a.min.0.min(b.min.0), a.max.0.max(b.max.0)));
        }
        (Type::Pattern(a), Type::Pattern(b)) => return pattern_of(a.iter().chain(b.iter()).cloned()),
        (Type::Variant(a), Type::Variant(b)) => return variant_of(a.iter().chain(b.iter()).cloned()),
        (Type::Regexp(_), Type::Regexp(_)) => return Type::Regexp(None),
        (Type::Callable(_), Type::Callable(_)) => return Type::callable(None, None, None),
        _ => {}
    }
    if let Some(strings) = common_strings(a, b) {
        return strings;
    }
    let accepts_both = |ty: &Type| is_assignable(ty, a, env) && is_assignable(ty, b, env);
    let wide = [Type::Numeric, Type::ScalarData, Type::Scalar, Type::Data];
    if let Some(common) = wide.into_iter().find(|ty| accepts_both(ty)) {
        return common;
    }
    if let (Type::Type(Some(a)), Type::Type(Some(b))) = (a, b) {
        return Type::type_of(common_type(a, b, env));
    }
    if accepts_both(&Type::RichData) { Type::RichData } else { Type::Any }
}

/// Maximum number of distinct strings in a common type; more strings have the common type `String`.
pub(crate) const MAX_COMMON_STRINGS: usize = 4_096;

/// Returns the common type of two string types: an enumeration of more strings, or a range of lengths.
fn common_strings(a: &Type, b: &Type) -> Option<Type> {
    let values = |ty: &Type| match ty {
        Type::LiteralString(text) => Some(vec![text.clone()]),
        Type::Enum(enumeration) => Some(enumeration.values.to_vec()),
        _ => None,
    };
    let any_enum = || Type::enumeration::<SmolStr>([], false);
    match (a, b) {
        (Type::String(_), Type::Enum(_)) | (Type::Enum(_), Type::String(_)) => Some(any_enum()),
        (Type::String(a), Type::String(b)) if *a == IntegerRange::SIZE || *b == IntegerRange::SIZE => {
            Some(Type::STRING)
        }
        (Type::String(a), Type::String(b)) => Some(Type::String(a.hull(*b))),
        (Type::String(_), Type::LiteralString(_)) | (Type::LiteralString(_), Type::String(_)) => {
            Some(Type::STRING)
        }
        (a, b) => {
            let mut all = values(a)?;
            all.extend(values(b)?);
            let too_many = all.len() > MAX_COMMON_STRINGS;
            Some(if too_many { Type::STRING } else { Type::enumeration(all, false) })
        }
    }
}

/// Returns the simplified union of types. Types that are covered by another one are dropped, and so is
/// `Unit`, which has no instances. The union of no types is `Unit`.
pub fn union(types: impl IntoIterator<Item = Type>, env: &dyn TypeEnvironment) -> Type {
    let types = match variant_of(types) {
        Type::Variant(types) => types,
        single => return single,
    };
    let mut kept: Vec<Type> = Vec::new();
    for ty in types.iter().filter(|ty| **ty != Type::Unit) {
        if *ty == Type::Any {
            return Type::Any;
        }
        if types.len() <= MAX_COMPARED_TYPES {
            if kept.iter().any(|other| is_certainly_assignable(other, ty, env)) {
                continue;
            }
            kept.retain(|other| !is_certainly_assignable(ty, other, env));
        }
        kept.push(ty.clone());
    }
    match kept.len() {
        0 => Type::Unit,
        1 => kept.remove(0),
        _ => match normalize(&Type::variant(kept), env) {
            // Puppet reduces `Variant[Undef, Any]` to `Optional`, whose only instance is `undef`.
            Type::Optional(None) => Type::Any,
            ty => ty,
        },
    }
}

/// Maximum number of types in a union that are compared pairwise to drop covered ones.
const MAX_COMPARED_TYPES: usize = 64;

/// Message for an alias that Puppet cannot normalize.
pub const NO_SIMPLEST_FORM: &str = "Puppet cannot normalize the target of the alias: an `Init` of a type with a simpler form, \
                                    or a `Variant` with a bare `Optional`\nhelp: write the type in its simplest form";

/// Returns the target of an alias: the normalized type on its right side.
///
/// # Errors
/// If Puppet fails to normalize the type.
pub fn alias_type(ty: &Type, env: &dyn TypeEnvironment) -> Result<Type, String> {
    if breaks_in_simplest_form(ty, env) {
        return Err(NO_SIMPLEST_FORM.to_owned());
    }
    crate::object::init::catch_refusal(env, || normalize(ty, env))
}

/// Returns true if Puppet fails to normalize the type: it cannot rebuild an `Init` whose type changes, nor a
/// variant with a bare `Optional`.
fn breaks_in_simplest_form(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    let breaks_itself = match ty {
        Type::Init(Some(init)) => normalize(&init.ty, env) != init.ty || is_rebuilt(&init.ty, true),
        Type::Variant(types) if types.len() > 1 => {
            types.iter().any(|ty| normalize(ty, env) == Type::Optional(None))
        }
        _ => false,
    };
    if breaks_itself {
        return true;
    }
    let mut breaks = false;
    crate::ty::inner::for_each_inner(ty, &mut |inner| breaks |= breaks_in_simplest_form(inner, env));
    breaks
}

/// Returns true if Puppet recreates a type in `ty`, even an identical one, when it normalizes (`is_simplest`)
/// or generalizes it. The contents of a `Sensitive` are already general.
fn is_rebuilt(ty: &Type, is_simplest: bool) -> bool {
    if matches!(ty, Type::Sensitive(_)) {
        return false;
    }
    let mut is_new = match ty {
        Type::Tuple(tuple) => tuple.types.is_empty() && tuple.size.is_none(),
        Type::Struct(members) => members.is_empty(),
        Type::Hash(hash) => is_simplest && hash.size != IntegerRange::SIZE && hash.key != Type::Unit,
        Type::NotUndef(inner) => inner.is_none(),
        // No parameters besides a block.
        Type::Callable(callable) => {
            is_simplest
                && callable.block.is_some()
                && callable.parameters.as_ref().is_some_and(|it| it.types.is_empty())
        }
        _ => false,
    };
    crate::ty::inner::for_each_inner(ty, &mut |inner| is_new |= is_rebuilt(inner, is_simplest));
    is_new
}

/// Returns true if Puppet fails to generalize the type: it cannot rebuild an `Init` whose type changes.
pub(crate) fn breaks_in_general_form(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    let mut breaks = match ty {
        Type::Init(Some(init)) => generalize(&init.ty, env) != init.ty || is_rebuilt(&init.ty, false),
        _ => false,
    };
    crate::ty::inner::for_each_inner(ty, &mut |inner| breaks |= breaks_in_general_form(inner, env));
    breaks
}

/// Normalizes a type by merging optional and variant types where possible. This is the form in which aliases
/// store their targets. As in Puppet, the sizes of `Collection` and of arrays of `Any` are lost.
pub fn normalize(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    match ty {
        Type::Collection(_) => Type::Collection(IntegerRange::SIZE),
        Type::Array(array) if array.element == Type::Any => Type::array_of(Type::Any),
        Type::Array(array) => Type::array(normalize(&array.element, env), array.size),
        Type::Hash(hash) => Type::hash(normalize(&hash.key, env), normalize(&hash.value, env), hash.size),
        Type::Tuple(tuple) => Type::Tuple(Arc::new(map_tuple(tuple, &mut |ty| normalize(ty, env)))),
        Type::Struct(members) => map_members(members, &mut |ty| normalize(ty, env)),
        Type::Callable(callable) => map_callable(callable, &mut |ty| normalize(ty, env)),
        Type::Type(Some(inner)) => Type::type_of(normalize(inner, env)),
        Type::Iterable(Some(inner)) => Type::Iterable(Some(Arc::new(normalize(inner, env)))),
        Type::Iterator(Some(inner)) => Type::Iterator(Some(Arc::new(normalize(inner, env)))),
        Type::Sensitive(Some(inner)) => match normalize(inner, env) {
            unchanged if unchanged == **inner => ty.clone(),
            changed => sensitive(&changed, env),
        },
        Type::NotUndef(Some(inner)) => match normalize(inner, env) {
            Type::Optional(Some(inner)) => normalize(&not_undef((*inner).clone()), env),
            Type::Optional(None) => Type::NotUndef(None),
            inner if !accepts_undef(&inner, env) => inner,
            inner => not_undef(inner),
        },
        Type::Optional(Some(inner)) => match normalize(inner, env) {
            Type::NotUndef(Some(inner)) => normalize(&Type::optional((*inner).clone()), env),
            Type::NotUndef(None) => Type::Optional(None),
            inner if accepts_undef(&inner, env) => inner,
            inner => Type::optional(inner),
        },
        Type::Variant(types) => normalize_variant(types, env),
        ty => ty.clone(),
    }
}

/// Returns true if the type accepts `undef`. Consults `Init` types, which may note a refusal.
fn accepts_undef(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    let unfolded = crate::assign::unfold_alias(ty, env);
    match unfolded.as_ref().unwrap_or(ty) {
        asked @ (Type::Init(Some(_)) | Type::Iterable(Some(_))) if env.constructor_depth() == 0 => {
            crate::assign::is_assignable(asked, &Type::Undef, env)
        }
        Type::Variant(types) => types.iter().any(|ty| accepts_undef(ty, env)),
        _ => takes_undef(ty, env),
    }
}

fn normalize_variant(written: &[Type], env: &dyn TypeEnvironment) -> Type {
    let types: Vec<Type> = written.iter().map(|ty| normalize(ty, env)).collect();
    if let [single] = types.as_slice() {
        return single.clone();
    }
    if types.iter().any(|ty| matches!(ty, Type::Undef | Type::Optional(_))) {
        let inner: Vec<Type> = types
            .into_iter()
            .filter_map(|ty| match ty {
                // The only instance of a bare `Optional` is `undef`.
                Type::Undef | Type::Optional(None) => None,
                Type::Optional(Some(inner)) => Some((*inner).clone()),
                ty => Some(ty),
            })
            .collect();
        if inner.is_empty() {
            return Type::Undef;
        }
        return normalize(&Type::optional(variant_of(inner)), env);
    }
    let types = match variant_of(types) {
        Type::Variant(types) if !may_merge(&types) => return Type::Variant(types),
        Type::Variant(types) => types.to_vec(),
        single => return single,
    };
    let merged = merge_not_undef(types.clone(), env);
    let merged = merge_strings(merged);
    let merged = merge_patterns(merged);
    let merged = merge_versions(merged);
    let merged = merge_ranges(merged, integer_range, |a, b| {
        let touches = a.intersect(b).is_some()
            || a.max.checked_add(1) == Some(b.min)
            || b.max.checked_add(1) == Some(a.min);
        touches.then(|| a.hull(b))
    });
    let merged = merge_ranges(merged, float_range, |a, b| {
        let are_disjoint = a.max.0 < b.min.0 || b.max.0 < a.min.0;
        (!are_disjoint).then(|| FloatRange::new(a.min.0.min(b.min.0), a.max.0.max(b.max.0)))
    });
    let merged = merge_ranges(merged, timespan_range, merge_times);
    let merged = merge_ranges(merged, timestamp_range, merge_times);
    // The order changes only if something was merged.
    if merged.len() == types.len() && types[..] == *written {
        return Type::variant(types);
    }
    variant_of(merged)
}

/// Returns true if two of the types are of the same kind and that kind is mergeable.
fn may_merge(types: &[Type]) -> bool {
    let mut seen = 0_u8;
    types.iter().any(|ty| {
        let kind = match ty {
            Type::NotUndef(_) => 1,
            Type::LiteralString(_) | Type::Enum(_) => 1 << 1,
            Type::Pattern(_) => 1 << 2,
            Type::SemVer(_) => 1 << 3,
            Type::Integer(_) => 1 << 4,
            Type::Float(_) => 1 << 5,
            Type::Timespan(_) => 1 << 6,
            Type::Timestamp(_) => 1 << 7,
            _ => 0,
        };
        let is_second = seen & kind != 0;
        seen |= kind;
        is_second
    })
}

/// Removes the types for which `wanted` holds from a list, if there are at least two of them.
fn take_several(types: &mut Vec<Type>, wanted: impl Fn(&Type) -> bool) -> Option<Vec<Type>> {
    if types.iter().filter(|ty| wanted(ty)).count() < 2 {
        return None;
    }
    let (taken, others) = std::mem::take(types).into_iter().partition(wanted);
    *types = others;
    Some(taken)
}

fn merge_not_undef(mut types: Vec<Type>, env: &dyn TypeEnvironment) -> Vec<Type> {
    if let Some(taken) = take_several(&mut types, |ty| matches!(ty, Type::NotUndef(_))) {
        let inner = taken.iter().map(|ty| match ty {
            Type::NotUndef(Some(inner)) => (**inner).clone(),
            _ => Type::Any,
        });
        types.push(not_undef(normalize(&variant_of(inner), env)));
    }
    types
}

fn merge_strings(mut types: Vec<Type>) -> Vec<Type> {
    let is_exact = |ty: &Type| match ty {
        Type::LiteralString(_) => true,
        Type::Enum(enumeration) => !enumeration.values.is_empty() && !enumeration.case_insensitive,
        _ => false,
    };
    let is_inexact = |ty: &Type| match ty {
        Type::Enum(enumeration) => !enumeration.values.is_empty() && enumeration.case_insensitive,
        _ => false,
    };
    let values = |ty: Type| match ty {
        Type::LiteralString(text) => vec![text],
        Type::Enum(enumeration) => enumeration.values.to_vec(),
        _ => Vec::new(),
    };
    if let Some(taken) = take_several(&mut types, is_exact) {
        types.push(Type::enumeration(taken.into_iter().flat_map(values), false));
    }
    if let Some(taken) = take_several(&mut types, is_inexact) {
        let lower = taken.into_iter().flat_map(values).map(|value| value.to_lowercase());
        types.push(Type::enumeration(lower, true));
    }
    types
}

fn merge_patterns(mut types: Vec<Type>) -> Vec<Type> {
    if let Some(taken) = take_several(&mut types, |ty| matches!(ty, Type::Pattern(_))) {
        let all = taken.iter().flat_map(|ty| match ty {
            Type::Pattern(patterns) => patterns.to_vec(),
            _ => Vec::new(),
        });
        let any_string = taken.iter().any(|ty| matches!(ty, Type::Pattern(patterns) if patterns.is_empty()));
        types.push(if any_string { Type::Pattern(Arc::new([])) } else { pattern_of(all) });
    }
    types
}

fn merge_versions(mut types: Vec<Type>) -> Vec<Type> {
    if let Some(taken) = take_several(&mut types, |ty| matches!(ty, Type::SemVer(_))) {
        let any_version = taken.iter().any(|ty| matches!(ty, Type::SemVer(ranges) if ranges.is_empty()));
        let ranges = taken.iter().flat_map(|ty| match ty {
            Type::SemVer(ranges) => ranges.to_vec(),
            _ => Vec::new(),
        });
        let ranges: Vec<Value> = ranges.map(|range| Value::SemVerRange(Arc::new(range))).collect();
        let merged = if any_version { None } else { sem_ver(&ranges).ok() };
        types.insert(0, merged.unwrap_or_else(|| Type::SemVer(Arc::new([]))));
    }
    types
}

fn integer_range(ty: &Type) -> Option<IntegerRange> {
    match ty {
        Type::Integer(range) => Some(*range),
        _ => None,
    }
}

fn float_range(ty: &Type) -> Option<FloatRange> {
    match ty {
        Type::Float(range) => Some(*range),
        _ => None,
    }
}

fn timespan_range(ty: &Type) -> Option<TimeRange<TimespanLimit>> {
    match ty {
        Type::Timespan(range) => {
            Some(range.as_deref().copied().unwrap_or(TimeRange { from: None, to: None }))
        }
        _ => None,
    }
}

fn timestamp_range(ty: &Type) -> Option<TimeRange<Timestamp>> {
    match ty {
        Type::Timestamp(range) => {
            Some(range.as_deref().copied().unwrap_or(TimeRange { from: None, to: None }))
        }
        _ => None,
    }
}

/// Merges two ranges that have a time in common.
fn merge_times<T: Copy + Ord>(a: TimeRange<T>, b: TimeRange<T>) -> Option<TimeRange<T>> {
    let is_before = |a: TimeRange<T>, b: TimeRange<T>| a.to.zip(b.from).is_some_and(|(to, from)| to < from);
    if is_before(a, b) || is_before(b, a) {
        return None;
    }
    let from = a.from.zip(b.from).map(|(a, b)| a.min(b));
    let to = a.to.zip(b.to).map(|(a, b)| a.max(b));
    Some(TimeRange { from, to })
}

impl From<TimeRange<TimespanLimit>> for Type {
    fn from(range: TimeRange<TimespanLimit>) -> Type {
        let is_limited = range.from.is_some() || range.to.is_some();
        Type::Timespan(is_limited.then(|| Arc::new(range)))
    }
}

impl From<TimeRange<Timestamp>> for Type {
    fn from(range: TimeRange<Timestamp>) -> Type {
        let is_limited = range.from.is_some() || range.to.is_some();
        Type::Timestamp(is_limited.then(|| Arc::new(range)))
    }
}

impl From<IntegerRange> for Type {
    fn from(range: IntegerRange) -> Type {
        Type::Integer(range)
    }
}

impl From<FloatRange> for Type {
    fn from(range: FloatRange) -> Type {
        Type::Float(range)
    }
}

/// Maximum number of types in a variant whose ranges are merged.
const MAX_MERGED_TYPES: usize = 1_024;

/// Merges the ranges among the types for which `merge` succeeds. Starts with the last one, like Puppet, to
/// keep the same order; merged ranges precede all other types.
fn merge_ranges<R: Copy + Into<Type>>(
    mut types: Vec<Type>,
    range: impl Fn(&Type) -> Option<R>,
    merge: impl Fn(R, R) -> Option<R>,
) -> Vec<Type> {
    if types.len() > MAX_MERGED_TYPES {
        return types;
    }
    let Some(taken) = take_several(&mut types, |ty| range(ty).is_some()) else { return types };
    let mut ranges: Vec<R> = taken.iter().filter_map(range).collect();
    let mut merged: Vec<Type> = Vec::new();
    while let Some(mut last) = ranges.pop() {
        ranges.retain(|other| match merge(last, *other) {
            Some(both) => {
                last = both;
                false
            }
            None => true,
        });
        merged.push(last.into());
    }
    merged.extend(types);
    merged
}
