//! Values that expressions evaluate to.

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

/// Puppet value, known or unknown. Takes 24 bytes and is cheap to clone.
///
/// `==` and `hash` implement hash key semantics (`1` and `1.0` differ, and so do `'a'` and `'A'`), not the
/// `==` operator of the language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Undef,
    /// The `default` literal.
    Default,
    Boolean(bool),
    Integer(i64),
    /// Integer that does not fit into 64 bits. Only conversions produce one, arithmetic never does.
    WideInteger(Arc<i128>),
    Float(Float),
    String(SmolStr),
    Regexp(Regexp),
    Array(Arc<Vec<Value>>),
    Hash(Arc<HashValue>),
    /// Type used as a value, including references to resources and classes.
    Type(Arc<Type>),
    Sensitive(Arc<Value>),
    Binary(Arc<[u8]>),
    Timestamp(Arc<Timestamp>),
    Timespan(Arc<Timespan>),
    SemVer(Arc<Version>),
    SemVerRange(Arc<VersionRange>),
    Uri(Arc<Uri>),
    Iterator(Arc<IteratorValue>),
    /// Instance of an `Object` type: `Error`, `Target`, `Deferred` and user-defined types.
    Object(Arc<ObjectValue>),
    Unknown(Arc<Unknown>),
}

const _: () = assert!(size_of::<Value>() == 24);

/// Entries of a hash in insertion order. `==` ignores the order.
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
    /// Returns the value of a string key.
    pub fn get_text(&self, key: &str) -> Option<&Value> {
        self.0.get(&Value::String(key.into()))
    }

    /// Returns the value of a key with the semantics of `[ ]`: a timestamp, timespan or iterator, or a key
    /// that contains one, is found by identity only, not by equality.
    pub fn find(&self, key: &Value) -> Option<&Value> {
        let (stored, value) = self.0.get_key_value(key)?;
        is_same_key(stored, key).then_some(value)
    }
}

/// Returns true if two equal keys are the same key. Puppet compares timestamps, timespans and iterators by
/// identity here, not by value.
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

/// Floating-point number compared by its bits, so `0.0` and `-0.0` differ.
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

/// Unknown instance of a type.
#[derive(Clone, Debug)]
pub struct Unknown {
    pub ty: Type,
    pub origin: Origin,
}

/// Ignores `origin`: two unknown values that differ only in their origin are equal.
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

/// Reason for a value being unknown, ordered by decreasing trustworthiness; a join keeps the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    Parameter,
    Fact,
    /// Result of a function or type implemented in Ruby.
    Ruby,
    Template,
    /// Join of branches with different values.
    Join,
    /// Missing definition. Operations on such a value report nothing.
    MissingDefinition,
    SyntaxError,
    Bound,
}

impl Origin {
    /// Returns true if operations on a value of this origin may report errors.
    pub fn is_trustworthy(self) -> bool {
        self < Origin::MissingDefinition
    }
}

/// Lazy iterator over an `Iterable` value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IteratorValue {
    /// Array, hash, string, integer `n` (iterated from `0` to `n - 1`), integer range type, enumeration type,
    /// or another iterator.
    pub source: Value,
    pub operation: IteratorOperation,
    /// Type of the elements.
    pub element: Type,
    pub taken: IteratorPosition,
}

/// Number of elements already taken from an iterator, which yields each element once.
///
/// The position is not part of the iterator's identity. It may become unknown after a branch whose condition
/// is unknown.
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

    /// Marks the position as unknown.
    pub fn mark_unknown(&self) {
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
    /// All elements in order.
    Each,
    /// All elements in reverse order.
    Reverse,
    /// Every nth element, starting with the first.
    Step(i64),
    /// All elements one by one, as `tree_each` yields them. Most functions do not recognize its result as an
    /// `Iterator`.
    Tree(TreeOrder),
}

/// Order in which `tree_each` traverses a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TreeOrder {
    DepthFirst,
    BreadthFirst,
}

/// Size of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Number of values and types in it.
    pub weight: usize,
    pub depth: usize,
}

impl Value {
    pub fn string(text: impl Into<SmolStr>) -> Value {
        Value::String(text.into())
    }

    /// Creates an integer of any size.
    pub fn integer(value: i128) -> Value {
        i64::try_from(value).map_or_else(|_| Value::WideInteger(Arc::new(value)), Value::Integer)
    }

    pub fn float(value: f64) -> Value {
        Value::Float(Float(value))
    }

    pub fn array(elements: impl Into<Vec<Value>>) -> Value {
        Value::Array(Arc::new(elements.into()))
    }

    /// Returns the address of an array or a hash, which its clones share.
    pub fn collection_address(&self) -> Option<usize> {
        match self {
            Value::Array(elements) => Some(Arc::as_ptr(elements).addr()),
            Value::Hash(entries) => Some(Arc::as_ptr(entries).addr()),
            _ => None,
        }
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

    /// Returns the contents of a string.
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

    /// Returns an integer of any size.
    pub fn as_wide_integer(&self) -> Option<i128> {
        match self {
            Value::Integer(value) => Some((*value).into()),
            Value::WideInteger(value) => Some(**value),
            _ => None,
        }
    }

    /// Returns an integer or float as a float.
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

    /// Returns true if the value and everything in it are known.
    pub fn is_known(&self) -> bool {
        self.least_trustworthy().is_none()
    }

    /// Returns the least trustworthy origin of the unknown values in it, or `None` if everything is known.
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

    /// Returns the number of values in it, counting a shared value once per occurrence, and their nesting
    /// depth. Stops counting above `limit` values or [`Value::MAX_DEPTH`] levels.
    pub fn measure(&self, limit: usize) -> Measure {
        let mut measure = Measure { weight: 0, depth: 0 };
        self.measure_into(&mut measure, limit, 1);
        measure
    }

    /// Maximum nesting depth of a value.
    pub const MAX_DEPTH: usize = 256;

    fn measure_into(&self, measure: &mut Measure, limit: usize, depth: usize) {
        measure.weight += 1;
        measure.depth = measure.depth.max(depth);
        if measure.weight > limit || depth > Value::MAX_DEPTH {
            return;
        }
        let mut visit = |value: &Value| value.measure_into(measure, limit, depth + 1);
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
                let inside = crate::ty::inner::measure(ty, limit - measure.weight);
                measure.weight += inside.weight;
                measure.depth = measure.depth.max(depth + inside.depth - 1);
            }
            _ => {}
        }
    }

    /// Returns a copy for display with all sensitive contents replaced.
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

    /// Returns the truth of the value, or `None` if it is not certain.
    ///
    /// `undef` and `false` are false. An unknown value that may be either of them is uncertain.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Undef => Some(false),
            Value::Boolean(value) => Some(*value),
            Value::Unknown(unknown) => unknown.ty.truth(),
            _ => Some(true),
        }
    }
}
