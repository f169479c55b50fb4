//! When are two values the same to every program? What is remembered, shared or taken over is compared by this, and by nothing
//! else: `==` of values is that of hash keys, which says that `{a => 1, b => 2}` and `{b => 2, a => 1}` are equal, although
//! programs can tell them apart.

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
    ObjectAttribute, ObjectAttributeKind, ObjectFunction, ObjectType, ObjectValue, TypeSet, TypeSetReference,
};
use crate::ty::*;
use crate::value::{Float, HashValue, Origin, Unknown, Value};

/// Can no program tell the two apart, whatever it does with them? What is not certain counts as different.
pub trait Indistinguishable {
    fn is_indistinguishable(&self, other: &Self) -> bool;
}

/// What a cache holds: equal only to what no program can tell from it.
#[derive(Clone, Default, Debug)]
pub struct Remembered<T>(pub T);

impl<T: Indistinguishable> PartialEq for Remembered<T> {
    fn eq(&self, other: &Remembered<T>) -> bool {
        self.0.is_indistinguishable(&other.0)
    }
}

impl<T: Indistinguishable> Eq for Remembered<T> {}

impl<T> Deref for Remembered<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Those whose `==` sees all there is.
macro_rules! by_equality {
    ($($name:ty),* $(,)?) => {$(
        impl Indistinguishable for $name {
            fn is_indistinguishable(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

/// Those of which all parts count; one that is not named here does not compile.
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
    ObjectType { name, parent, type_parameters, attributes, functions, equality, equality_include_type }
    ObjectAttribute { name, ty, kind, is_final, overrides, value }
    ObjectFunction { name, ty, is_final, overrides }
    ObjectValue { ty, names, values }
    TypeSet { name, name_authority, version, pcore_uri, pcore_version, types, references }
    TypeSetReference { name, version_range, name_authority }
    // Where it comes from decides what is reported.
    Unknown { ty, origin }
);

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

/// A table that no program sees as one, so that it has no order.
impl<K: Eq + Hash, V: Indistinguishable, S: BuildHasher> Indistinguishable
    for std::collections::HashMap<K, V, S>
{
    fn is_indistinguishable(&self, other: &Self) -> bool {
        let is_there =
            |(key, value): (&K, &V)| other.get(key).is_some_and(|it| value.is_indistinguishable(it));
        self.len() == other.len() && self.iter().all(is_there)
    }
}

/// `0.0` and `-0.0` print differently.
impl Indistinguishable for Float {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

/// Equal ranges may print differently: `1.x` and `>=1.0.0 <2.0.0`.
impl Indistinguishable for VersionRange {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        self == other && self.to_string() == other.to_string()
    }
}

/// Equal URIs may be written differently.
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

/// The order of the entries is seen by whatever goes over them.
impl Indistinguishable for HashValue {
    fn is_indistinguishable(&self, other: &Self) -> bool {
        let is_same = |((a, one), (b, other)): ((&Value, &Value), (&Value, &Value))| {
            a.is_indistinguishable(b) && one.is_indistinguishable(other)
        };
        self.len() == other.len() && self.iter().zip(other.iter()).all(is_same)
    }
}

/// The same variant, with the same in it; a variant that is not named here does not compile.
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
            // As keys of hashes these are told apart by what they are, not by their value, and so are types with such limits.
            (Value::Timestamp(a), Value::Timestamp(b)) => Arc::ptr_eq(a, b),
            (Value::Timespan(a), Value::Timespan(b)) => Arc::ptr_eq(a, b),
            // Whoever goes over one takes its elements.
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
    /// Is it an iterator, or does it hold one at any depth? What goes over one takes its elements.
    pub fn holds_iterator(&self) -> bool {
        match self {
            Value::Iterator(_) => true,
            Value::Array(elements) => elements.iter().any(Value::holds_iterator),
            Value::Hash(entries) => {
                entries.iter().any(|(key, value)| key.holds_iterator() || value.holds_iterator())
            }
            Value::Sensitive(inner) => inner.holds_iterator(),
            Value::Object(object) => object.values.iter().any(Value::holds_iterator),
            // A type may hold values, too: the arguments of an `Init`, the defaults of attributes. None of them is iterated.
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
