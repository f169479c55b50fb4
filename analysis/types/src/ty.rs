//! The types of the language.

pub mod inner;

use std::sync::Arc;

use smol_str::SmolStr;

use crate::object::{ObjectType, TypeSet};
use crate::value::{Float, Value};
use scalars::regexp::Regexp;
use scalars::semver::VersionRange;
use scalars::timespan::TimespanLimit;
use scalars::timestamp::Timestamp;

/// The name of the alias that the bare name `TypeAlias` stands for. Nothing is an instance of it.
pub(crate) const BARE_ALIAS: &str = "UnresolvedAlias";

/// A type. Cheap to clone. Where a parameter is `None`, the type was written without it.
///
/// `==` is "written the same"; the language's `==` is [`crate::assign::equal_types`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Any,
    /// What fits everywhere: the type of nothing, as the element of an empty array.
    Unit,
    Undef,
    Default,
    Scalar,
    ScalarData,
    Data,
    RichData,
    RichDataKey,
    Numeric,
    Integer(IntegerRange),
    /// Integers whose limits an [`IntegerRange`] cannot say: beyond 64 bits, or the last numbers of 64 bits.
    WideInteger(Arc<WideRange>),
    Float(FloatRange),
    /// Strings by their length in characters.
    String(IntegerRange),
    /// One certain string.
    LiteralString(SmolStr),
    Enum(Arc<EnumType>),
    /// No pattern means every string.
    Pattern(Arc<[Regexp]>),
    Regexp(Option<Regexp>),
    Boolean(Option<bool>),
    Binary,
    /// Versions in any of the ranges; no range means every version.
    SemVer(Arc<[VersionRange]>),
    SemVerRange,
    Timestamp(Option<Arc<TimeRange<Timestamp>>>),
    Timespan(Option<Arc<TimeRange<TimespanLimit>>>),
    /// With the URI or the hash of components that it must match.
    Uri(Option<Arc<Value>>),
    Collection(IntegerRange),
    Array(Arc<ArrayType>),
    Tuple(Arc<TupleType>),
    Hash(Arc<HashType>),
    Struct(Arc<[StructMember]>),
    Iterable(Option<Arc<Type>>),
    Iterator(Option<Arc<Type>>),
    Variant(Arc<[Type]>),
    Optional(Option<Arc<Type>>),
    NotUndef(Option<Arc<Type>>),
    Sensitive(Option<Arc<Type>>),
    /// The type of types.
    Type(Option<Arc<Type>>),
    Callable(Arc<CallableType>),
    CatalogEntry,
    /// `Class`, or one class; the name is lower case, without `::` in front.
    Class(Option<SmolStr>),
    Resource(Arc<ResourceType>),
    Runtime(Arc<RuntimeType>),
    Init(Option<Arc<InitType>>),
    /// `Object` alone is `None`.
    Object(Option<Arc<ObjectType>>),
    /// An object type with values for its type parameters.
    ObjectExtension(Arc<ObjectExtension>),
    TypeSet(Option<Arc<TypeSet>>),
    /// A name that the environment knows: an alias, or an object type that is still being defined. Unexpanded.
    Alias(SmolStr),
    /// `TypeReference['...']`: the text of a type that could not be found.
    Reference(SmolStr),
}

const _: () = assert!(size_of::<Type>() <= 32);

/// From `min` to `max`, both included; `i64::MIN` and `i64::MAX` are "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntegerRange {
    pub min: i64,
    pub max: i64,
}

impl IntegerRange {
    pub const ALL: IntegerRange = IntegerRange { min: i64::MIN, max: i64::MAX };
    /// What a size may be, where none is written.
    pub const SIZE: IntegerRange = IntegerRange { min: 0, max: i64::MAX };
    /// The same sizes where they are written: `Array[String, 0]`, which prints differently and is not the same type.
    pub const WRITTEN_SIZE: IntegerRange = IntegerRange { min: 0, max: i64::MAX - 1 };

    pub fn new(min: i64, max: i64) -> IntegerRange {
        IntegerRange { min, max }
    }

    pub fn exactly(value: i64) -> IntegerRange {
        IntegerRange { min: value, max: value }
    }

    /// How many entries the hashes of a `Struct` have.
    pub fn of_struct(members: &[StructMember]) -> IntegerRange {
        let required = members.iter().filter(|member| member.key == StructKey::Required).count();
        IntegerRange::new(required as i64, members.len() as i64)
    }

    pub fn contains(self, value: i64) -> bool {
        self.min <= value && value <= self.max
    }

    /// Has it no upper limit?
    pub fn is_unlimited(self) -> bool {
        self.max >= IntegerRange::WRITTEN_SIZE.max
    }

    /// Is every number of `other` in it?
    pub fn includes(self, other: IntegerRange) -> bool {
        self.min <= other.min && (other.max <= self.max || self.is_unlimited())
    }

    pub fn intersect(self, other: IntegerRange) -> Option<IntegerRange> {
        let both = IntegerRange { min: self.min.max(other.min), max: self.max.min(other.max) };
        (both.min <= both.max).then_some(both)
    }

    /// The smallest range that includes both.
    pub fn hull(self, other: IntegerRange) -> IntegerRange {
        IntegerRange { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// From `min` to `max`, both included; `None` is "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WideRange {
    pub min: Option<i128>,
    pub max: Option<i128>,
}

impl WideRange {
    /// The limits of an integer type; `None` for other types.
    pub fn of(ty: &Type) -> Option<WideRange> {
        match ty {
            Type::Integer(IntegerRange { min, max }) if min == max => {
                Some(WideRange { min: Some((*min).into()), max: Some((*max).into()) })
            }
            Type::Integer(IntegerRange { min, max }) => Some(WideRange {
                min: (*min != i64::MIN).then(|| (*min).into()),
                max: (*max != i64::MAX).then(|| (*max).into()),
            }),
            Type::WideInteger(range) => Some(**range),
            _ => None,
        }
    }

    pub fn contains(self, value: i128) -> bool {
        self.min.is_none_or(|min| min <= value) && self.max.is_none_or(|max| value <= max)
    }

    /// Is every number of `other` in it?
    pub fn includes(self, other: WideRange) -> bool {
        self.min.is_none_or(|min| other.min.is_some_and(|it| min <= it))
            && self.max.is_none_or(|max| other.max.is_some_and(|it| it <= max))
    }

    pub fn intersect(self, other: WideRange) -> Option<WideRange> {
        let both = WideRange {
            min: self.min.max(other.min),
            max: self.max.map_or(other.max, |max| Some(other.max.map_or(max, |it| max.min(it)))),
        };
        (both.min.zip(both.max).is_none_or(|(min, max)| min <= max)).then_some(both)
    }

    /// The smallest range that includes both.
    pub fn hull(self, other: WideRange) -> WideRange {
        WideRange {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// As a type: the plain one where that can say it.
    pub fn into_type(self) -> Type {
        // The largest numbers mean "no limit" in an `IntegerRange`.
        let narrow = |limit: Option<i128>, none: i64| match limit {
            None => Some(none),
            Some(limit) => i64::try_from(limit).ok().filter(|it| (i64::MIN + 1..i64::MAX - 1).contains(it)),
        };
        match (narrow(self.min, i64::MIN), narrow(self.max, i64::MAX)) {
            (Some(min), Some(max)) => Type::Integer(IntegerRange { min, max }),
            _ => match (self.min, self.max) {
                (Some(min), Some(max)) if min == max && i64::try_from(min).is_ok() => {
                    Type::Integer(IntegerRange::exactly(min as i64))
                }
                _ => Type::WideInteger(Arc::new(self)),
            },
        }
    }
}

/// From `min` to `max`, both included; the infinities are "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatRange {
    pub min: Float,
    pub max: Float,
}

impl FloatRange {
    pub const ALL: FloatRange = FloatRange { min: Float(f64::NEG_INFINITY), max: Float(f64::INFINITY) };

    pub fn new(min: f64, max: f64) -> FloatRange {
        FloatRange { min: Float(min), max: Float(max) }
    }

    pub fn contains(self, value: f64) -> bool {
        self.min.0 <= value && value <= self.max.0
    }
}

/// `None` is "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeRange<T> {
    pub from: Option<T>,
    pub to: Option<T>,
}

/// `Enum[...]`; no values means every string.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnumType {
    /// Sorted, each once.
    pub values: Box<[SmolStr]>,
    pub case_insensitive: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    pub element: Type,
    pub size: IntegerRange,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleType {
    pub types: Box<[Type]>,
    /// Written size; without it exactly as many elements as types. The last type repeats.
    pub size: Option<IntegerRange>,
}

impl TupleType {
    /// How many parameters it stands for; without types none.
    pub fn size(&self) -> IntegerRange {
        self.size.unwrap_or(IntegerRange::exactly(self.types.len() as i64))
    }

    /// How many elements an array of this type may have: plain `Tuple` is every array.
    pub fn element_count(&self) -> IntegerRange {
        if self.types.is_empty() && self.size.is_none() { IntegerRange::SIZE } else { self.size() }
    }

    /// The type of the element at `index`; `None` for a tuple without types.
    pub fn element(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HashType {
    pub key: Type,
    pub value: Type,
    pub size: IntegerRange,
}

/// An entry of a `Struct`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructMember {
    pub name: SmolStr,
    /// How the key was written: `'a'` (then it is required unless `value` takes `undef`), `Optional['a']`, `NotUndef['a']`.
    pub key: StructKey,
    pub value: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StructKey {
    /// `'a'` whose value does not take `undef`, or `NotUndef['a']`: it must be there.
    Required,
    /// `Optional['a']`, or `'a'` whose value takes `undef`: it may be missing.
    Optional,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallableType {
    /// `None`: any arguments (plain `Callable`).
    pub parameters: Option<TupleType>,
    /// `None`: no block; a `Callable`, or an `Optional` of one.
    pub block: Option<Type>,
    /// `None`: anything.
    pub returns: Option<Type>,
}

/// `Resource`, `Resource[type]` and `Type['title']`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceType {
    /// Each segment begins with a capital letter: `File`, `Apache::Vhost`.
    pub type_name: Option<SmolStr>,
    pub title: Option<SmolStr>,
    /// Is it the object that a parameter gets for a reference? It prints as `File[/x]`, and no reference is equal to it.
    pub is_object: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuntimeType {
    pub runtime: Option<SmolStr>,
    pub name: Option<SmolStr>,
    /// The pattern and replacement of a mapping.
    pub pattern: Option<(Regexp, SmolStr)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InitType {
    pub ty: Type,
    pub arguments: Box<[Value]>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectExtension {
    pub base: Type,
    /// Type parameter and its value, in the order of the declaration; `Value::Default` for "any".
    pub parameters: Box<[(SmolStr, Value)]>,
}

impl Type {
    pub const INTEGER: Type = Type::Integer(IntegerRange::ALL);
    pub const FLOAT: Type = Type::Float(FloatRange::ALL);
    pub const STRING: Type = Type::String(IntegerRange::SIZE);
    pub const BOOLEAN: Type = Type::Boolean(None);

    pub fn integer(min: i64, max: i64) -> Type {
        Type::Integer(IntegerRange { min, max })
    }

    pub fn array(element: Type, size: IntegerRange) -> Type {
        Type::Array(Arc::new(ArrayType { element, size }))
    }

    /// `Array[element]`
    pub fn array_of(element: Type) -> Type {
        Type::array(element, IntegerRange::SIZE)
    }

    pub fn tuple(types: impl Into<Box<[Type]>>, size: Option<IntegerRange>) -> Type {
        Type::Tuple(Arc::new(TupleType { types: types.into(), size }))
    }

    pub fn hash(key: Type, value: Type, size: IntegerRange) -> Type {
        Type::Hash(Arc::new(HashType { key, value, size }))
    }

    /// `Hash[key, value]`
    pub fn hash_of(key: Type, value: Type) -> Type {
        Type::hash(key, value, IntegerRange::SIZE)
    }

    /// A variant as it is written; see [`crate::common::union`] for one without repetitions.
    pub fn variant(types: impl Into<Arc<[Type]>>) -> Type {
        Type::Variant(types.into())
    }

    pub fn optional(ty: Type) -> Type {
        Type::Optional(Some(Arc::new(ty)))
    }

    /// The type of what only Ruby knows, by its class there.
    pub fn ruby_class(name: &'static str) -> Type {
        let (runtime, name) = (SmolStr::new_static("ruby"), SmolStr::new_static(name));
        Type::Runtime(Arc::new(RuntimeType { runtime: Some(runtime), name: Some(name), pattern: None }))
    }

    pub fn type_of(ty: Type) -> Type {
        Type::Type(Some(Arc::new(ty)))
    }

    /// `values` in any order.
    pub fn enumeration<T: Into<SmolStr>>(
        values: impl IntoIterator<Item = T>,
        case_insensitive: bool,
    ) -> Type {
        let mut values: Vec<SmolStr> = values.into_iter().map(Into::into).collect();
        values.sort();
        values.dedup();
        Type::Enum(Arc::new(EnumType { values: values.into(), case_insensitive }))
    }

    /// `Resource`, `File`, `File['/x']`.
    pub fn resource(type_name: Option<SmolStr>, title: Option<SmolStr>) -> Type {
        Type::Resource(Arc::new(ResourceType { type_name, title, is_object: false }))
    }

    /// What a parameter gets for a reference. Only values are made of it.
    pub fn resource_object(type_name: SmolStr, title: SmolStr) -> Type {
        let (type_name, title) = (Some(type_name), Some(title));
        Type::Resource(Arc::new(ResourceType { type_name, title, is_object: true }))
    }

    /// Is it what a parameter gets for a reference?
    pub fn is_resource_object(&self) -> bool {
        matches!(self, Type::Resource(resource) if resource.is_object)
    }

    pub fn callable(parameters: Option<TupleType>, block: Option<Type>, returns: Option<Type>) -> Type {
        Type::Callable(Arc::new(CallableType { parameters, block, returns }))
    }

    /// The name of its kind, without arguments: `Integer` for `Integer[1]`.
    pub fn base_name(&self) -> &'static str {
        match self {
            Type::Any => "Any",
            Type::Unit => "Unit",
            Type::Undef => "Undef",
            Type::Default => "Default",
            Type::Scalar => "Scalar",
            Type::ScalarData => "ScalarData",
            Type::Data => "Data",
            Type::RichData => "RichData",
            Type::RichDataKey => "RichDataKey",
            Type::Numeric => "Numeric",
            Type::Integer(_) | Type::WideInteger(_) => "Integer",
            Type::Float(_) => "Float",
            Type::String(_) | Type::LiteralString(_) => "String",
            Type::Enum(_) => "Enum",
            Type::Pattern(_) => "Pattern",
            Type::Regexp(_) => "Regexp",
            Type::Boolean(_) => "Boolean",
            Type::Binary => "Binary",
            Type::SemVer(_) => "SemVer",
            Type::SemVerRange => "SemVerRange",
            Type::Timestamp(_) => "Timestamp",
            Type::Timespan(_) => "Timespan",
            Type::Uri(_) => "URI",
            Type::Collection(_) => "Collection",
            Type::Array(_) => "Array",
            Type::Tuple(_) => "Tuple",
            Type::Hash(_) => "Hash",
            Type::Struct(_) => "Struct",
            Type::Iterable(_) => "Iterable",
            Type::Iterator(_) => "Iterator",
            Type::Variant(_) => "Variant",
            Type::Optional(_) => "Optional",
            Type::NotUndef(_) => "NotUndef",
            Type::Sensitive(_) => "Sensitive",
            Type::Type(_) => "Type",
            Type::Callable(_) => "Callable",
            Type::CatalogEntry => "CatalogEntry",
            Type::Class(_) => "Class",
            Type::Resource(_) => "Resource",
            Type::Runtime(_) => "Runtime",
            Type::Init(_) => "Init",
            Type::Object(_) => "Object",
            Type::ObjectExtension(_) => "ObjectTypeExtension",
            Type::TypeSet(_) => "TypeSet",
            Type::Alias(_) => "TypeAlias",
            Type::Reference(_) => "TypeReference",
        }
    }

    /// Are its instances true, false, or is that not certain (`None`)? Aliases are not certain.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Type::Undef => Some(false),
            Type::Boolean(value) => *value,
            Type::Any
            | Type::Unit
            | Type::Scalar
            | Type::ScalarData
            | Type::Data
            | Type::RichData
            | Type::RichDataKey
            | Type::Alias(_)
            | Type::Reference(_)
            | Type::NotUndef(None)
            | Type::Init(_)
            | Type::Optional(_) => None,
            Type::NotUndef(Some(inner)) => match &**inner {
                Type::Boolean(value) => *value,
                inner => inner.truth().filter(|is_true| *is_true),
            },
            Type::Variant(types) => {
                let mut truths = types.iter().map(Type::truth);
                let first = truths.next()??;
                truths.all(|truth| truth == Some(first)).then_some(first)
            }
            _ => Some(true),
        }
    }
}
