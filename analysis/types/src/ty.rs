//! Puppet types.

pub mod inner;

use std::sync::Arc;

use smol_str::SmolStr;

use crate::object::{ObjectType, TypeSet};
use crate::value::{Float, Value};
use scalars::regexp::Regexp;
use scalars::semver::VersionRange;
use scalars::timespan::TimespanLimit;
use scalars::timestamp::Timestamp;

/// Name of the alias that the bare name `TypeAlias` denotes. It has no instances.
pub(crate) const BARE_ALIAS: &str = "UnresolvedAlias";

/// Puppet type. Cheap to clone. A parameter that is `None` was omitted in the source.
///
/// `==` is structural; [`crate::assign::equal_types`] implements the `==` operator of the language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Any,
    /// Bottom type that is assignable to everything, such as the element type of an empty array.
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
    /// Integers with limits that an [`IntegerRange`] cannot represent: beyond 64 bits, or at their very end.
    WideInteger(Arc<WideRange>),
    Float(FloatRange),
    /// Strings with the given range of lengths in characters.
    String(IntegerRange),
    /// A single string.
    LiteralString(SmolStr),
    Enum(Arc<EnumType>),
    /// Strings that match one of the patterns; all strings if there are none.
    Pattern(Arc<[Regexp]>),
    Regexp(Option<Regexp>),
    Boolean(Option<bool>),
    Binary,
    /// Versions in any of the ranges; all versions if there are none.
    SemVer(Arc<[VersionRange]>),
    SemVerRange,
    Timestamp(Option<Arc<TimeRange<Timestamp>>>),
    Timespan(Option<Arc<TimeRange<TimespanLimit>>>),
    /// URIs that match a URI or a hash of components.
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
    /// Types that are assignable to the given one.
    Type(Option<Arc<Type>>),
    Callable(Arc<CallableType>),
    CatalogEntry,
    /// `Class`, or a single class by its lowercase name without a leading `::`.
    Class(Option<SmolStr>),
    Resource(Arc<ResourceType>),
    Runtime(Arc<RuntimeType>),
    Init(Option<Arc<InitType>>),
    /// Instances of an object type, or `None` for plain `Object`.
    Object(Option<Arc<ObjectType>>),
    /// Object type with arguments for its type parameters.
    ObjectExtension(Arc<ObjectExtension>),
    TypeSet(Option<Arc<TypeSet>>),
    /// Unexpanded name that the environment resolves: an alias, or an object type whose definition is in
    /// progress.
    Alias(SmolStr),
    /// `TypeReference['...']` with the source of an unresolved type.
    Reference(SmolStr),
}

const _: () = assert!(size_of::<Type>() <= 32);

/// Inclusive range of integers; `i64::MIN` and `i64::MAX` mean "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntegerRange {
    pub min: i64,
    pub max: i64,
}

impl IntegerRange {
    pub const ALL: IntegerRange = IntegerRange { min: i64::MIN, max: i64::MAX };
    /// Default range of sizes.
    pub const SIZE: IntegerRange = IntegerRange { min: 0, max: i64::MAX };
    /// Range that contains the same sizes as [`IntegerRange::SIZE`], but was written explicitly, as in
    /// `Array[String, 0]`. It prints differently and is a different type.
    pub const WRITTEN_SIZE: IntegerRange = IntegerRange { min: 0, max: i64::MAX - 1 };

    pub fn new(min: i64, max: i64) -> IntegerRange {
        IntegerRange { min, max }
    }

    pub fn exactly(value: i64) -> IntegerRange {
        IntegerRange { min: value, max: value }
    }

    /// Returns the number of entries of the instances of a `Struct`.
    pub fn of_struct(members: &[StructMember]) -> IntegerRange {
        let required = members.iter().filter(|member| member.key == StructKey::Required).count();
        IntegerRange::new(required as i64, members.len() as i64)
    }

    pub fn contains(self, value: i64) -> bool {
        self.min <= value && value <= self.max
    }

    /// Returns true if the range has no upper limit.
    pub fn is_unlimited(self) -> bool {
        self.max >= IntegerRange::WRITTEN_SIZE.max
    }

    /// Returns true if every number of `other` is in the range.
    pub fn includes(self, other: IntegerRange) -> bool {
        self.min <= other.min && (other.max <= self.max || self.is_unlimited())
    }

    pub fn intersect(self, other: IntegerRange) -> Option<IntegerRange> {
        let both = IntegerRange { min: self.min.max(other.min), max: self.max.min(other.max) };
        (both.min <= both.max).then_some(both)
    }

    /// Returns the smallest range that includes both.
    pub fn hull(self, other: IntegerRange) -> IntegerRange {
        IntegerRange { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// Inclusive range of wide integers; `None` means "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WideRange {
    pub min: Option<i128>,
    pub max: Option<i128>,
}

impl WideRange {
    /// Returns the limits of an integer type, or `None` for other types.
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

    /// Returns true if every number of `other` is in the range.
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

    /// Returns the smallest range that includes both.
    pub fn hull(self, other: WideRange) -> WideRange {
        WideRange {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// Converts the range to a type, to a plain `Integer` if that can represent it.
    pub fn into_type(self) -> Type {
        // In an `IntegerRange` the extreme numbers mean "no limit".
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

/// Inclusive range of floats; the infinities mean "no limit".
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

/// Inclusive range of times; `None` means "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeRange<T> {
    pub from: Option<T>,
    pub to: Option<T>,
}

/// `Enum[...]`; all strings if there are no values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnumType {
    /// Sorted values without duplicates.
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
    /// Explicit size; by default, the number of types. The last type repeats.
    pub size: Option<IntegerRange>,
}

impl TupleType {
    /// Returns the number of parameters that the tuple describes, which is zero without types.
    pub fn size(&self) -> IntegerRange {
        self.size.unwrap_or(IntegerRange::exactly(self.types.len() as i64))
    }

    /// Returns the number of elements of the instances. A plain `Tuple` accepts arrays of any size.
    pub fn element_count(&self) -> IntegerRange {
        if self.types.is_empty() && self.size.is_none() { IntegerRange::SIZE } else { self.size() }
    }

    /// Returns the type of the element at `index`, or `None` if the tuple has no types.
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

/// Member of a `Struct`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructMember {
    pub name: SmolStr,
    /// Notation of the key: `'a'` (required unless `value` accepts `undef`), `Optional['a']` or
    /// `NotUndef['a']`.
    pub key: StructKey,
    pub value: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StructKey {
    /// Required key: `'a'` with a value that does not accept `undef`, or `NotUndef['a']`.
    Required,
    /// Optional key: `Optional['a']`, or `'a'` with a value that accepts `undef`.
    Optional,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallableType {
    /// Parameters, or `None` if any arguments are accepted (plain `Callable`).
    pub parameters: Option<TupleType>,
    /// `Callable` or `Optional[Callable]` of the block, or `None` if no block is accepted.
    pub block: Option<Type>,
    /// Return type, or `None` for any.
    pub returns: Option<Type>,
}

/// `Resource`, `Resource[type]` or `Type['title']`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceType {
    /// Type name with capitalized segments, such as `File` or `Apache::Vhost`.
    pub type_name: Option<SmolStr>,
    pub title: Option<SmolStr>,
    /// True for the resource object that a parameter receives in place of a reference. It prints as
    /// `File[/x]`, and no reference is equal to it.
    pub is_object: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuntimeType {
    pub runtime: Option<SmolStr>,
    pub name: Option<SmolStr>,
    /// Pattern and replacement of a name mapping.
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
    /// Type parameters and their values in declaration order; `Value::Default` means "any".
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

    /// Returns `Array[element]`.
    pub fn array_of(element: Type) -> Type {
        Type::array(element, IntegerRange::SIZE)
    }

    pub fn tuple(types: impl Into<Box<[Type]>>, size: Option<IntegerRange>) -> Type {
        Type::Tuple(Arc::new(TupleType { types: types.into(), size }))
    }

    pub fn hash(key: Type, value: Type, size: IntegerRange) -> Type {
        Type::Hash(Arc::new(HashType { key, value, size }))
    }

    /// Returns `Hash[key, value]`.
    pub fn hash_of(key: Type, value: Type) -> Type {
        Type::hash(key, value, IntegerRange::SIZE)
    }

    /// Returns a variant of exactly these types; see [`crate::common::union`] for a simplified one.
    pub fn variant(types: impl Into<Arc<[Type]>>) -> Type {
        Type::Variant(types.into())
    }

    pub fn optional(ty: Type) -> Type {
        Type::Optional(Some(Arc::new(ty)))
    }

    /// Returns the type of Ruby objects of the given class.
    pub fn ruby_class(name: &'static str) -> Type {
        Type::runtime(Some(SmolStr::new_static("ruby")), Some(SmolStr::new_static(name)))
    }

    /// Returns `Runtime` or `Runtime[runtime, name]`.
    pub fn runtime(runtime: Option<SmolStr>, name: Option<SmolStr>) -> Type {
        Type::Runtime(Arc::new(RuntimeType { runtime, name, pattern: None }))
    }

    pub fn type_of(ty: Type) -> Type {
        Type::Type(Some(Arc::new(ty)))
    }

    /// Returns an `Enum` of `values`, which may be in any order.
    pub fn enumeration<T: Into<SmolStr>>(
        values: impl IntoIterator<Item = T>,
        case_insensitive: bool,
    ) -> Type {
        let mut values: Vec<SmolStr> = values.into_iter().map(Into::into).collect();
        values.sort();
        values.dedup();
        Type::Enum(Arc::new(EnumType { values: values.into(), case_insensitive }))
    }

    /// Returns `Resource`, `File` or `File['/x']`.
    pub fn resource(type_name: Option<SmolStr>, title: Option<SmolStr>) -> Type {
        Type::Resource(Arc::new(ResourceType { type_name, title, is_object: false }))
    }

    /// Returns the type of the resource object that a parameter receives in place of a reference. It is used
    /// as a value only.
    pub fn resource_object(type_name: SmolStr, title: SmolStr) -> Type {
        let (type_name, title) = (Some(type_name), Some(title));
        Type::Resource(Arc::new(ResourceType { type_name, title, is_object: true }))
    }

    /// Returns true for the resource object that a parameter receives in place of a reference.
    pub fn is_resource_object(&self) -> bool {
        matches!(self, Type::Resource(resource) if resource.is_object)
    }

    pub fn callable(parameters: Option<TupleType>, block: Option<Type>, returns: Option<Type>) -> Type {
        Type::Callable(Arc::new(CallableType { parameters, block, returns }))
    }

    /// Returns the name of the type without arguments, such as `Integer` for `Integer[1]`.
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

    /// Returns the truth of all instances, or `None` if it is not certain, as for aliases.
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
