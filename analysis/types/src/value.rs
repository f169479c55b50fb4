//! What an expression is worth.

pub mod indistinguishable;

use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use indexmap::IndexMap;
use rustc_hash::FxHasher;
use smol_str::SmolStr;

use crate::object::ObjectValue;
use crate::ty::Type;
use scalars::regexp::Regexp;
use scalars::semver::{Version, VersionRange};
use scalars::timespan::Timespan;
use scalars::timestamp::Timestamp;
use scalars::uri::Uri;

/// A value of the language, known or unknown. 24 bytes, cheap to clone.
///
/// `==` and `hash` are those of hash keys (`1` and `1.0` differ, so do `'a'` and `'A'`), not the language's `==`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Undef,
    /// The literal `default`.
    Default,
    Boolean(bool),
    Integer(i64),
    /// An integer that 64 bits cannot hold: conversions may give one, arithmetic never does.
    WideInteger(Arc<i128>),
    Float(Float),
    String(SmolStr),
    Regexp(Regexp),
    Array(Arc<Vec<Value>>),
    Hash(Arc<HashValue>),
    /// A type is a value, too; so is a reference to a resource or class.
    Type(Arc<Type>),
    Sensitive(Arc<Value>),
    Binary(Arc<[u8]>),
    Timestamp(Arc<Timestamp>),
    Timespan(Arc<Timespan>),
    SemVer(Arc<Version>),
    SemVerRange(Arc<VersionRange>),
    Uri(Arc<Uri>),
    Iterator(Arc<IteratorValue>),
    /// An instance of an `Object` type: `Error`, `Target`, `Deferred` and those that users define.
    Object(Arc<ObjectValue>),
    Unknown(Arc<Unknown>),
}

const _: () = assert!(size_of::<Value>() == 24);

/// The entries of a hash, in the order in which they were added; the order does not matter for `==`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HashValue(IndexMap<Value, Value, BuildHasherDefault<FxHasher>>);

impl Deref for HashValue {
    type Target = IndexMap<Value, Value, BuildHasherDefault<FxHasher>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for HashValue {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl FromIterator<(Value, Value)> for HashValue {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> HashValue {
        HashValue(entries.into_iter().collect())
    }
}

impl Hash for HashValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash_of_entry =
            |entry: (&Value, &Value)| BuildHasherDefault::<FxHasher>::default().hash_one(entry);
        let sum = self.0.iter().map(hash_of_entry).fold(0u64, u64::wrapping_add);
        state.write_u64(sum);
    }
}

impl HashValue {
    /// The value of a string key.
    pub fn get_text(&self, key: &str) -> Option<&Value> {
        self.0.get(&Value::String(key.into()))
    }

    /// The value of a key as `[ ]` finds it: a time, or what holds one, is found by itself only, and not by an equal one.
    pub fn find(&self, key: &Value) -> Option<&Value> {
        let (stored, value) = self.0.get_key_value(key)?;
        is_same_key(stored, key).then_some(value)
    }
}

/// Are two equal keys the same one? Puppet tells times and iterators apart by what they are, and not by their value.
fn is_same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Timespan(a), Value::Timespan(b)) => Arc::ptr_eq(a, b),
        (Value::Timestamp(a), Value::Timestamp(b)) => Arc::ptr_eq(a, b),
        (Value::Iterator(a), Value::Iterator(b)) => Arc::ptr_eq(a, b),
        (Value::Type(a), Value::Type(b)) => {
            !matches!(**a, Type::Timespan(Some(_)) | Type::Timestamp(Some(_))) || Arc::ptr_eq(a, b)
        }
        (Value::Array(a), Value::Array(b)) => {
            Arc::ptr_eq(a, b) || a.iter().zip(b.iter()).all(|(a, b)| is_same_key(a, b))
        }
        _ => true,
    }
}

/// A floating-point number; equal when its bits are, `0.0` and `-0.0` included.
#[derive(Clone, Copy, Debug)]
pub struct Float(pub f64);

impl Float {
    fn key(self) -> u64 {
        if self.0 == 0.0 { 0 } else { self.0.to_bits() }
    }
}

impl PartialEq for Float {
    fn eq(&self, other: &Float) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Float {}

impl Hash for Float {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Some instance of a type.
#[derive(Clone, Debug)]
pub struct Unknown {
    pub ty: Type,
    pub origin: Origin,
}

/// Where a value is not known from does not tell two unknown values apart.
impl PartialEq for Unknown {
    fn eq(&self, other: &Unknown) -> bool {
        self.ty == other.ty
    }
}

impl Eq for Unknown {}

impl Hash for Unknown {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
    }
}

/// Why a value is not known. The later ones are less trustworthy; a join keeps the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    Parameter,
    Fact,
    /// A function or type written in Ruby.
    Ruby,
    Template,
    /// Branches that gave different values.
    Join,
    /// What is not there: an operation that touches it reports nothing.
    MissingDefinition,
    SyntaxError,
    Bound,
}

impl Origin {
    /// May an operation on such a value be reported?
    pub fn is_trustworthy(self) -> bool {
        self < Origin::MissingDefinition
    }
}

/// What `Iterable` things become when a function iterates them lazily.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IteratorValue {
    /// An array, hash, string, integer (`0` up to it), integer range or enumeration type, or another iterator.
    pub source: Value,
    pub operation: IteratorOperation,
    /// The type of the elements.
    pub element: Type,
    pub taken: IteratorPosition,
}

/// How many elements were taken from an iterator, which gives each of them once. No part of what the iterator is. Behind an
/// unknown condition it may be unknown.
#[derive(Default, Debug)]
pub struct IteratorPosition(AtomicUsize);

impl IteratorPosition {
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub fn add(&self, more: usize) {
        self.set(self.count().saturating_add(more));
    }

    pub fn set(&self, count: usize) {
        self.0.store(count, Ordering::Relaxed);
    }

    /// From now on it is not known how many.
    pub fn lose(&self) {
        self.set(usize::MAX);
    }

    pub fn is_known(&self) -> bool {
        self.count() != usize::MAX
    }
}

impl Clone for IteratorPosition {
    fn clone(&self) -> IteratorPosition {
        IteratorPosition(AtomicUsize::new(self.count()))
    }
}

impl PartialEq for IteratorPosition {
    fn eq(&self, _: &IteratorPosition) -> bool {
        true
    }
}

impl Eq for IteratorPosition {}

impl std::hash::Hash for IteratorPosition {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IteratorOperation {
    /// All elements as they come.
    Each,
    /// From the last to the first.
    Reverse,
    /// Each nth element, beginning with the first.
    Step(i64),
    /// All elements as they come, one by one: what `tree_each` gives, which most functions do not know for an Iterator.
    Tree(TreeOrder),
}

/// In which order `tree_each` goes through a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TreeOrder {
    DepthFirst,
    BreadthFirst,
}

/// How large a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// How many values and types it consists of.
    pub weight: usize,
    pub depth: usize,
}

impl Value {
    pub fn string(text: impl Into<SmolStr>) -> Value {
        Value::String(text.into())
    }

    /// An integer, as large as it may be.
    pub fn integer(value: i128) -> Value {
        i64::try_from(value).map_or_else(|_| Value::WideInteger(Arc::new(value)), Value::Integer)
    }

    pub fn float(value: f64) -> Value {
        Value::Float(Float(value))
    }

    pub fn array(elements: impl Into<Vec<Value>>) -> Value {
        Value::Array(Arc::new(elements.into()))
    }

    pub fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(Arc::new(entries.into_iter().collect()))
    }

    pub fn ty(ty: Type) -> Value {
        Value::Type(Arc::new(ty))
    }

    pub fn sensitive(value: Value) -> Value {
        Value::Sensitive(Arc::new(value))
    }

    pub fn unknown(ty: Type, origin: Origin) -> Value {
        Value::Unknown(Arc::new(Unknown { ty, origin }))
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// An integer, as large as it may be.
    pub fn as_wide_integer(&self) -> Option<i128> {
        match self {
            Value::Integer(value) => Some((*value).into()),
            Value::WideInteger(value) => Some(**value),
            _ => None,
        }
    }

    /// An integer or float as a float.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Integer(value) => Some(*value as f64),
            Value::WideInteger(value) => Some(**value as f64),
            Value::Float(value) => Some(value.0),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }

    pub fn as_hash(&self) -> Option<&HashValue> {
        match self {
            Value::Hash(entries) => Some(entries),
            _ => None,
        }
    }

    pub fn as_type(&self) -> Option<&Type> {
        match self {
            Value::Type(ty) => Some(ty),
            _ => None,
        }
    }

    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    /// Is it, and everything in it, known?
    pub fn is_known(&self) -> bool {
        self.least_trustworthy().is_none()
    }

    /// The least trustworthy origin of the unknown values in it; `None` when all of it is known.
    pub fn least_trustworthy(&self) -> Option<Origin> {
        match self {
            Value::Unknown(unknown) => Some(unknown.origin),
            Value::Array(elements) => elements.iter().filter_map(Value::least_trustworthy).max(),
            Value::Hash(entries) => entries
                .iter()
                .flat_map(|(key, value)| [key, value])
                .filter_map(Value::least_trustworthy)
                .max(),
            Value::Sensitive(inner) => inner.least_trustworthy(),
            Value::Iterator(iterator) if !iterator.taken.is_known() => {
                Some(iterator.source.least_trustworthy().unwrap_or(Origin::Join))
            }
            Value::Iterator(iterator) => iterator.source.least_trustworthy(),
            Value::Object(object) => object.values.iter().filter_map(Value::least_trustworthy).max(),
            _ => None,
        }
    }

    /// How many values it consists of (what stands in several places counts for each), and how deep they are nested.
    /// Counting ends above `most` values, or [`Value::MAX_DEPTH`] levels.
    pub fn measure(&self, most: usize) -> Measure {
        let mut measure = Measure { weight: 0, depth: 0 };
        self.measure_into(&mut measure, most, 1);
        measure
    }

    /// Values are not nested more deeply than this.
    pub const MAX_DEPTH: usize = 256;

    fn measure_into(&self, measure: &mut Measure, most: usize, depth: usize) {
        measure.weight += 1;
        measure.depth = measure.depth.max(depth);
        if measure.weight > most || depth > Value::MAX_DEPTH {
            return;
        }
        let mut visit = |value: &Value| value.measure_into(measure, most, depth + 1);
        match self {
            Value::Array(elements) => elements.iter().for_each(&mut visit),
            Value::Hash(entries) => entries.iter().for_each(|(key, value)| {
                visit(key);
                visit(value);
            }),
            Value::Sensitive(inner) => visit(inner),
            Value::Iterator(iterator) => visit(&iterator.source),
            Value::Object(object) => object.values.iter().for_each(&mut visit),
            Value::Type(ty) => {
                let inside = crate::ty::inner::measure(ty, most - measure.weight);
                measure.weight += inside.weight;
                measure.depth = measure.depth.max(depth + inside.depth - 1);
            }
            _ => {}
        }
    }

    /// The same with every sensitive content replaced, to be shown.
    pub fn redacted(&self) -> Value {
        match self {
            Value::Sensitive(_) => Value::sensitive(Value::string("[value redacted]")),
            Value::Array(elements) => Value::array(elements.iter().map(Value::redacted).collect::<Vec<_>>()),
            Value::Hash(entries) => {
                Value::hash(entries.iter().map(|(key, value)| (key.redacted(), value.redacted())))
            }
            Value::Object(object) => {
                let values = object.values.iter().map(Value::redacted).collect();
                Value::Object(Arc::new(ObjectValue { values, ..(**object).clone() }))
            }
            value => value.clone(),
        }
    }

    /// `undef`, `false`, and an unknown value that may be either, are not certainly true.
    ///
    /// `None` when it is not known which.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Undef => Some(false),
            Value::Boolean(value) => Some(*value),
            Value::Unknown(unknown) => unknown.ty.truth(),
            _ => Some(true),
        }
    }
}
