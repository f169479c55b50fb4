//! Coarse kinds of values, by which operators choose their rules.

use smol_str::SmolStr;

use crate::assign::unfold_alias;
use crate::environment::TypeEnvironment;
use crate::ty::Type;
use crate::value::Value;

bitflags::bitflags! {
    /// Set of kinds of values. A known value has exactly one kind; an unknown value has those that its type
    /// allows.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Kinds: u32 {
        const UNDEF = 1;
        const DEFAULT = 1 << 1;
        const BOOLEAN = 1 << 2;
        const INTEGER = 1 << 3;
        const FLOAT = 1 << 4;
        const STRING = 1 << 5;
        const REGEXP = 1 << 6;
        const ARRAY = 1 << 7;
        const HASH = 1 << 8;
        const TYPE = 1 << 9;
        const SENSITIVE = 1 << 10;
        const BINARY = 1 << 11;
        const TIMESTAMP = 1 << 12;
        const TIMESPAN = 1 << 13;
        const SEMVER = 1 << 14;
        const SEMVER_RANGE = 1 << 15;
        const URI = 1 << 16;
        const ITERATOR = 1 << 17;
        const CALLABLE = 1 << 18;
        const OBJECT = 1 << 19;
        /// Puppet-internal object, such as the value of a collector.
        const RUNTIME = 1 << 20;
        const NUMBER = Self::INTEGER.bits() | Self::FLOAT.bits();
        const SCALAR_DATA = Self::NUMBER.bits() | Self::STRING.bits() | Self::BOOLEAN.bits();
        const SCALAR = Self::SCALAR_DATA.bits() | Self::REGEXP.bits() | Self::TIMESTAMP.bits()
            | Self::TIMESPAN.bits() | Self::SEMVER.bits() | Self::SEMVER_RANGE.bits();
        const COLLECTION = Self::ARRAY.bits() | Self::HASH.bits();
        const DATA = Self::SCALAR_DATA.bits() | Self::UNDEF.bits() | Self::COLLECTION.bits();
    }
}

impl Value {
    /// Returns the kinds that the value may have: exactly one, unless it is unknown.
    pub fn kinds(&self, env: &dyn TypeEnvironment) -> Kinds {
        match self {
            Value::Undef => Kinds::UNDEF,
            Value::Default => Kinds::DEFAULT,
            Value::Boolean(_) => Kinds::BOOLEAN,
            Value::Integer(_) | Value::WideInteger(_) => Kinds::INTEGER,
            Value::Float(_) => Kinds::FLOAT,
            Value::String(_) => Kinds::STRING,
            Value::Regexp(_) => Kinds::REGEXP,
            Value::Array(_) => Kinds::ARRAY,
            Value::Hash(_) => Kinds::HASH,
            Value::Type(_) => Kinds::TYPE,
            Value::Sensitive(_) => Kinds::SENSITIVE,
            Value::Binary(_) => Kinds::BINARY,
            Value::Timestamp(_) => Kinds::TIMESTAMP,
            Value::Timespan(_) => Kinds::TIMESPAN,
            Value::SemVer(_) => Kinds::SEMVER,
            Value::SemVerRange(_) => Kinds::SEMVER_RANGE,
            Value::Uri(_) => Kinds::URI,
            Value::Iterator(_) => Kinds::ITERATOR,
            Value::Object(_) => Kinds::OBJECT,
            Value::Unknown(unknown) => unknown.ty.kinds(env),
        }
    }
}

impl Type {
    /// Returns the kinds that the instances may have. The set is never too small.
    pub fn kinds(&self, env: &dyn TypeEnvironment) -> Kinds {
        KindFinder { env, unfolding: Vec::new(), steps: 0 }.of(self)
    }
}

/// Maximum number of steps, after which any kind is possible.
const STEP_LIMIT: u32 = 2_000;
const DEPTH_LIMIT: usize = 64;

struct KindFinder<'env> {
    env: &'env dyn TypeEnvironment,
    /// Aliases that are being resolved; encountering one again adds nothing.
    unfolding: Vec<SmolStr>,
    steps: u32,
}

impl KindFinder<'_> {
    fn of(&mut self, ty: &Type) -> Kinds {
        self.steps += 1;
        if self.steps > STEP_LIMIT || self.unfolding.len() > DEPTH_LIMIT {
            return Kinds::all();
        }
        match ty {
            Type::Any | Type::Unit | Type::Reference(_) | Type::Init(_) => Kinds::all(),
            // The results of `tree_each` are iterators.
            Type::Runtime(_) => Kinds::RUNTIME | Kinds::ITERATOR,
            Type::Undef => Kinds::UNDEF,
            Type::Default => Kinds::DEFAULT,
            Type::Scalar => Kinds::SCALAR,
            Type::ScalarData => Kinds::SCALAR_DATA,
            Type::Data => Kinds::DATA,
            Type::RichData => Kinds::all() - Kinds::CALLABLE - Kinds::ITERATOR - Kinds::RUNTIME,
            Type::RichDataKey => Kinds::STRING | Kinds::NUMBER,
            Type::Numeric => Kinds::NUMBER,
            Type::Integer(_) | Type::WideInteger(_) => Kinds::INTEGER,
            Type::Float(_) => Kinds::FLOAT,
            Type::String(_) | Type::LiteralString(_) | Type::Enum(_) | Type::Pattern(_) => Kinds::STRING,
            Type::Regexp(_) => Kinds::REGEXP,
            Type::Boolean(_) => Kinds::BOOLEAN,
            Type::Binary => Kinds::BINARY,
            Type::SemVer(_) => Kinds::SEMVER,
            Type::SemVerRange => Kinds::SEMVER_RANGE,
            Type::Timestamp(_) => Kinds::TIMESTAMP,
            Type::Timespan(_) => Kinds::TIMESPAN,
            Type::Uri(_) => Kinds::URI,
            Type::Collection(_) => Kinds::COLLECTION,
            Type::Array(_) | Type::Tuple(_) => Kinds::ARRAY,
            Type::Hash(_) | Type::Struct(_) => Kinds::HASH,
            Type::Iterable(_) => {
                Kinds::COLLECTION
                    | Kinds::STRING
                    | Kinds::INTEGER
                    | Kinds::ITERATOR
                    | Kinds::TYPE
                    | Kinds::BINARY
            }
            Type::Iterator(_) => Kinds::ITERATOR,
            Type::Variant(types) => {
                types.iter().map(|ty| self.of(ty)).fold(Kinds::empty(), |all, one| all | one)
            }
            Type::Optional(None) => Kinds::all(),
            Type::Optional(Some(inner)) => self.of(inner) | Kinds::UNDEF,
            Type::NotUndef(None) => Kinds::all() - Kinds::UNDEF,
            Type::NotUndef(Some(inner)) => self.of(inner) - Kinds::UNDEF,
            Type::Sensitive(_) => Kinds::SENSITIVE,
            Type::Type(_) | Type::CatalogEntry | Type::Class(_) | Type::Resource(_) => Kinds::TYPE,
            Type::Callable(_) => Kinds::CALLABLE,
            // Types are objects, too.
            Type::Object(_) | Type::ObjectExtension(_) => Kinds::OBJECT | Kinds::TYPE,
            Type::TypeSet(_) => Kinds::TYPE,
            Type::Alias(name) => {
                if self.unfolding.contains(name) {
                    return Kinds::empty();
                }
                let Some(unfolded) = unfold_alias(ty, self.env) else { return Kinds::all() };
                self.unfolding.push(name.clone());
                let kinds = self.of(&unfolded);
                self.unfolding.pop();
                kinds
            }
        }
    }
}
