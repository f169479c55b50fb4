//! Indistinguishability: equality of values as far as any program can observe it.
//!
//! Caches must compare with this trait only. The `==` of values implements hash key semantics, under which
//! `{a => 1, b => 2}` equals `{b => 2, a => 1}` although programs can tell the two apart.

use std::hash::{BuildHasher, Hash};
use std::ops::Deref;
use std::sync::Arc;

use scalars::regexp::Regexp;
use scalars::semver::{Version, VersionRange};
use scalars::timespan::{Timespan, TimespanLimit};
use scalars::timestamp::Timestamp;
use scalars::uri::Uri;
use smol_str::SmolStr;

use crate::object::{
    Annotations, ObjectAttribute, ObjectAttributeKind, ObjectFunction, ObjectType, ObjectValue, TypeSet,
    TypeSetReference,
};
use crate::ty::*;
use crate::value::{Float, HashValue, Origin, Unknown, Value};

/// Equality that no program can tell apart, whatever it does with the two values. Errs on the side of
/// "different".
pub trait Indistinguishable {
    fn is_indistinguishable(&self, other: &Self) -> bool;
}

/// Cached value that is equal only to values indistinguishable from it.
#[derive(Clone, Default, Debug)]
pub struct CachedValue<T>(pub T);

impl<T: Indistinguishable> PartialEq for CachedValue<T> {
    fn eq(&self, other: &CachedValue<T>) -> bool {
        self.0.is_indistinguishable(&other.0)
    }
}

impl<T: Indistinguishable> Eq for CachedValue<T> {}

impl<T> Deref for CachedValue<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Implements [`Indistinguishable`] by `==` for types whose `==` compares everything.
macro_rules! by_equality {
    ($($name:ty),* $(,)?) => {$(
        impl Indistinguishable for $name {
            fn is_indistinguishable(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

/// Implements [`Indistinguishable`] field by field. Omitting a field is a compile error.
macro_rules! by_parts {
    ($($name:ident { $($part:ident),* $(,)? })*) => {$(
        impl Indistinguishable for $name {
            fn is_indistinguishable(&self, other: &Self) -> bool {
                let $name { $($part),* } = self;
                $($part.is_indistinguishable(&other.$part))&&*
            }
        }
    )*};
}

by_equality!(bool, i64, i128, u8, SmolStr, Regexp, Version, Timespan, Timestamp, IntegerRange, WideRange);
by_equality!(Origin, StructKey, ObjectAttributeKind);

by_parts!(
    FloatRange { min, max }
    EnumType { values, case_insensitive }
    ArrayType { element, size }
    TupleType { types, size }
    HashType { key, value, size }
    StructMember { name, key, value }
    CallableType { parameters, block, returns }
    ResourceType { type_name, title, is_object }
    RuntimeType { runtime, name, pattern }
    InitType { ty, arguments }
    ObjectExtension { base, parameters }
    ObjectType { name, parent, type_parameters, attributes, functions, equality, equality_include_type, checks, annotations }
    ObjectAttribute { name, ty, kind, is_final, overrides, value, annotations }
    ObjectFunction { name, ty, is_final, overrides, annotations }
    ObjectValue { ty, names, values }
    TypeSet { name, name_authority, version, pcore_uri, pcore_version, types, references, annotations }
    TypeSetReference { name, version_range, name_authority }
    // The origin decides what is reported.
    Unknown { ty, origin }
);

impl Indistinguishable for Annotations {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self.0.is_indistinguishable(&other.0)
    }
}

impl<T: Indistinguishable> Indistinguishable for TimeRange<T> {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        let TimeRange { from, to } = self;
        from.is_indistinguishable(&other.from) && to.is_indistinguishable(&other.to)
    }
}

impl<T: Indistinguishable> Indistinguishable for Option<T> {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.is_indistinguishable(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Indistinguishable> Indistinguishable for [T] {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.is_indistinguishable(b))
    }
}

impl<T: Indistinguishable> Indistinguishable for Vec<T> {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self[..].is_indistinguishable(&other[..])
    }
}

impl<T: Indistinguishable + ?Sized> Indistinguishable for Box<T> {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        (**self).is_indistinguishable(&**other)
    }
}

impl<T: Indistinguishable + ?Sized> Indistinguishable for Arc<T> {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        Arc::ptr_eq(self, other) || (**self).is_indistinguishable(&**other)
    }
}

impl<A: Indistinguishable, B: Indistinguishable> Indistinguishable for (A, B) {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self.0.is_indistinguishable(&other.0) && self.1.is_indistinguishable(&other.1)
    }
}

/// Ignores the order of the entries: programs never see these tables as a whole.
impl<K: Eq + Hash, V: Indistinguishable, S: BuildHasher> Indistinguishable
    for std::collections::HashMap<K, V, S>
{
    fn is_indistinguishable(&self, other: &Self) -> bool {
        let is_there =
            |(key, value): (&K, &V)| other.get(key).is_some_and(|it| value.is_indistinguishable(it));
        self.len() == other.len() && self.iter().all(is_there)
    }
}

/// Distinguishes `0.0` from `-0.0`, which print differently.
impl Indistinguishable for Float {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

/// Distinguishes equal ranges that may print differently, such as `1.x` and `>=1.0.0 <2.0.0`.
impl Indistinguishable for VersionRange {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self == other && self.to_string() == other.to_string()
    }
}

/// Distinguishes equal URIs with different spellings.
impl Indistinguishable for Uri {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self.has_same_parts(other)
    }
}

impl Indistinguishable for TimespanLimit {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        match (self, other) {
            (TimespanLimit::Whole(a), TimespanLimit::Whole(b)) => a == b,
            (TimespanLimit::Fraction(a), TimespanLimit::Fraction(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

/// Compares the order of the entries, too, because iteration exposes it.
impl Indistinguishable for HashValue {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        let is_same = |((a, one), (b, other)): ((&Value, &Value), (&Value, &Value))| {
            a.is_indistinguishable(b) && one.is_indistinguishable(other)
        };
        self.len() == other.len() && self.iter().zip(other.iter()).all(is_same)
    }
}

/// Returns true if both sides are the same variant with indistinguishable fields. Omitting a variant is a
/// compile error.
macro_rules! same_variant {
    ($a:expr, $b:expr, $enum:ident, [$($plain:ident),* $(,)?], [$($holding:ident),* $(,)?], $($rest:tt)*) => {
        match ($a, $b) {
            $(($enum::$plain, other) => matches!(other, $enum::$plain),)*
            $(($enum::$holding(a), $enum::$holding(b)) => a.is_indistinguishable(b),
              ($enum::$holding(_), _) => false,)*
            $($rest)*
        }
    };
}

impl Indistinguishable for Value {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        same_variant!(
            self, other, Value,
            [Undef, Default],
            [
                Boolean, Integer, WideInteger, Float, String, Regexp, Array, Hash, Sensitive, Binary, SemVer,
                SemVerRange, Uri, Object, Unknown,
            ],
            // As hash keys, these are compared by identity, and so are types that have such limits.
            (Value::Timestamp(a), Value::Timestamp(b)) => Arc::ptr_eq(a, b),
            (Value::Timespan(a), Value::Timespan(b)) => Arc::ptr_eq(a, b),
            // Iterating over an iterator consumes its elements.
            (Value::Iterator(a), Value::Iterator(b)) => Arc::ptr_eq(a, b),
            (Value::Type(a), Value::Type(b)) => {
                let is_time = matches!(**a, Type::Timespan(Some(_)) | Type::Timestamp(Some(_)));
                if is_time { Arc::ptr_eq(a, b) } else { a.is_indistinguishable(b) }
            }
            (Value::Timestamp(_) | Value::Timespan(_) | Value::Iterator(_) | Value::Type(_), _) => false,
        )
    }
}

impl Indistinguishable for Type {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        same_variant!(
            self,
            other,
            Type,
            [
                Any,
                Unit,
                Undef,
                Default,
                Scalar,
                ScalarData,
                Data,
                RichData,
                RichDataKey,
                Numeric,
                Binary,
                SemVerRange,
                CatalogEntry,
            ],
            [
                Integer,
                WideInteger,
                Float,
                String,
                LiteralString,
                Enum,
                Pattern,
                Regexp,
                Boolean,
                SemVer,
                Timestamp,
                Timespan,
                Uri,
                Collection,
                Array,
                Tuple,
                Hash,
                Struct,
                Iterable,
                Iterator,
                Variant,
                Optional,
                NotUndef,
                Sensitive,
                Type,
                Callable,
                Class,
                Resource,
                Runtime,
                Init,
                Object,
                ObjectExtension,
                TypeSet,
                Alias,
                Reference,
            ],
        )
    }
}

impl Value {
    /// Returns true if the value is an iterator or contains one at any depth. Iterating over an iterator
    /// consumes its elements.
    pub fn contains_iterator(&self) -> bool {
        match self {
            Value::Iterator(_) => true,
            Value::Array(elements) => elements.iter().any(Value::contains_iterator),
            Value::Hash(entries) => {
                entries.iter().any(|(key, value)| key.contains_iterator() || value.contains_iterator())
            }
            Value::Sensitive(inner) => inner.contains_iterator(),
            Value::Object(object) => object.values.iter().any(Value::contains_iterator),
            // Types may contain values, too: arguments of an `Init`, defaults of attributes. Those are never
            // iterated.
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
