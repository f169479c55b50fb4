//! Assignability between types, and instance checks of values.

mod instance;
mod iterable;
mod matching;
mod overlap;

use std::sync::{Arc, OnceLock};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::environment::TypeEnvironment;
use crate::object::ObjectType;
use crate::object::init::note_if_refused;
use crate::ty::{
    ArrayType, CallableType, EnumType, FloatRange, HashType, InitType, IntegerRange, ResourceType,
    RuntimeType, StructKey, StructMember, TimeRange, TupleType, Type, WideRange,
};
use crate::value::Value;
use scalars::regexp::Regexp;

pub use instance::{Fit, fits, is_instance, is_recursive_alias};
pub use overlap::overlaps;

/// Returns true if every value of `from` is accepted where `to` is expected. This is the language's
/// `from <= to`, including Puppet's unsound cases.
pub fn is_assignable(to: &Type, from: &Type, env: &dyn TypeEnvironment) -> bool {
    Checker::new(env, Rules::Puppet).assignable(to, from)
}

/// Returns true if every value of `from` is certainly an instance of `to`.
///
/// Unlike [`is_assignable`], this excludes the cases in which Puppet accepts a type but refuses some of its
/// values.
pub fn is_certainly_assignable(to: &Type, from: &Type, env: &dyn TypeEnvironment) -> bool {
    Checker::new(env, Rules::Sound).assignable(to, from)
}

/// Compares types like the `==` operator of the language: identical, or assignable in both directions.
pub fn equal_types(a: &Type, b: &Type, env: &dyn TypeEnvironment) -> bool {
    a == b || (is_assignable(b, a, env) && is_assignable(a, b, env))
}

/// Evaluates the language's `a < b`.
pub fn is_narrower(a: &Type, b: &Type, env: &dyn TypeEnvironment) -> bool {
    is_assignable(b, a, env) && !equal_types(a, b, env)
}

/// Returns the target of an alias that is known to the environment or built in, such as `Data`. Returns
/// `None` if `ty` is not an alias or the alias is unknown.
pub fn unfold_alias(ty: &Type, env: &dyn TypeEnvironment) -> Option<Type> {
    match ty {
        Type::Data => Some(data().clone()),
        Type::RichData => Some(rich_data().clone()),
        Type::RichDataKey => Some(rich_data_key().clone()),
        Type::Alias(name) => {
            env.named_type(name).or_else(|| crate::object::built_in_named_type(name)).map(|named| named.ty)
        }
        _ => None,
    }
}

fn data() -> &'static Type {
    static DATA: OnceLock<Type> = OnceLock::new();
    DATA.get_or_init(|| {
        Type::variant([
            Type::ScalarData,
            Type::Undef,
            Type::hash_of(Type::STRING, Type::Data),
            Type::array_of(Type::Data),
        ])
    })
}

fn rich_data_key() -> &'static Type {
    static RICH_DATA_KEY: OnceLock<Type> = OnceLock::new();
    RICH_DATA_KEY.get_or_init(|| Type::variant([Type::STRING, Type::Numeric]))
}

fn rich_data() -> &'static Type {
    static RICH_DATA: OnceLock<Type> = OnceLock::new();
    RICH_DATA.get_or_init(|| {
        Type::variant([
            Type::Scalar,
            Type::SemVerRange,
            Type::Binary,
            Type::Sensitive(None),
            Type::Type(None),
            Type::TypeSet(None),
            Type::Uri(None),
            Type::Object(None),
            Type::Undef,
            Type::Default,
            Type::hash_of(Type::RichDataKey, Type::RichData),
            Type::array_of(Type::RichData),
        ])
    })
}

/// Rules for the cases in which Puppet accepts a type although it would refuse some of its values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Puppet,
    Sound,
}

const DEPTH_LIMIT: u32 = 384;

/// Maximum number of steps of one check, after which [`Rules::Puppet`] accepts the type and [`Rules::Sound`]
/// refuses it. Deeply composed types have too many pairs to compare them all.
const STEP_LIMIT: u32 = 2_000_000;

struct Checker<'env> {
    env: &'env dyn TypeEnvironment,
    rules: Rules,
    /// Pairs with an alias whose check is in progress, or succeeded while another one was in progress. They
    /// are assignable until refuted.
    assumed: IndexSet<(Type, Type), FxBuildHasher>,
    refuted: FxHashSet<(Type, Type)>,
    /// `Init` types whose constructors are being checked, each with the argument type. A check that leads
    /// back to one of them fails.
    inits: Vec<(InitType, Type)>,
    depth: u32,
    steps: u32,
}

impl<'env> Checker<'env> {
    fn new(env: &'env dyn TypeEnvironment, rules: Rules) -> Checker<'env> {
        let (assumed, refuted, inits) = (IndexSet::default(), FxHashSet::default(), Vec::new());
        Checker { env, rules, assumed, refuted, inits, depth: 0, steps: 0 }
    }

    fn is_sound(&self) -> bool {
        self.rules == Rules::Sound
    }

    fn assignable(&mut self, to: &Type, from: &Type) -> bool {
        if self.depth >= DEPTH_LIMIT {
            return false;
        }
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return !self.is_sound();
        }
        self.depth += 1;
        let answer = self.split(to, from);
        self.depth -= 1;
        answer
    }

    /// Decomposes `from`: a composite type is assignable if all of its parts are.
    fn split(&mut self, to: &Type, from: &Type) -> bool {
        match (to, from) {
            (_, Type::Unit) => return true,
            (Type::Any, Type::Variant(_)) => return true,
            (Type::Variant(wanted), Type::Variant(_)) if wanted.is_empty() && !self.is_sound() => {
                return true;
            }
            (Type::NotUndef(_), Type::Variant(given)) if given.is_empty() => return self.direct(to, from),
            (Type::Alias(a), Type::Alias(b)) if a == b => return true,
            _ => {}
        }
        match from {
            Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => {
                match unfold_alias(from, self.env) {
                    Some(unfolded) => self.with_alias(to, from, to, &unfolded),
                    None => self.direct(to, from),
                }
            }
            Type::Variant(given) => {
                (!given.is_empty() || self.is_sound()) && given.iter().all(|given| self.assignable(to, given))
            }
            Type::Optional(given) => {
                self.assignable(to, &Type::Undef)
                    && given.as_deref().is_none_or(|given| self.assignable(to, given))
            }
            Type::NotUndef(Some(given)) if !self.takes_undef(given) => self.assignable(to, given),
            _ => self.direct(to, from),
        }
    }

    fn with_alias(&mut self, to: &Type, from: &Type, to_unfolded: &Type, from_unfolded: &Type) -> bool {
        let pair = (to.clone(), from.clone());
        if self.refuted.contains(&pair) {
            return false;
        }
        let (at, is_new) = self.assumed.insert_full(pair.clone());
        if !is_new {
            return true;
        }
        let answer = self.assignable(to_unfolded, from_unfolded);
        if !answer {
            // Later results may depend on the assumption about this pair.
            self.assumed.truncate(at);
            self.refuted.insert(pair);
        }
        answer
    }

    /// Returns true if the type accepts `undef`. Ignores the assumed pairs, because the result is used in
    /// negated conditions.
    fn takes_undef(&self, ty: &Type) -> bool {
        match ty {
            Type::Any | Type::Undef | Type::Unit | Type::Optional(_) => true,
            Type::Variant(_)
            | Type::Alias(_)
            | Type::Data
            | Type::RichData
            | Type::RichDataKey
            | Type::Init(_) => {
                let mut checker = Checker::new(self.env, Rules::Puppet);
                checker.depth = self.depth;
                checker.steps = self.steps;
                checker.assignable(ty, &Type::Undef)
            }
            _ => false,
        }
    }

    /// Checks a `from` that is not a variant, an optional type or a known alias.
    fn direct(&mut self, to: &Type, from: &Type) -> bool {
        match to {
            Type::Any => true,
            // Puppet assigns it to anything, but nothing is an instance of it.
            Type::Unit => !self.is_sound(),
            Type::Collection(wanted) => {
                size_of_collection(from, self.is_sound()).is_some_and(|given| wanted.includes(given))
            }
            Type::Array(wanted) => self.array_takes(wanted, from),
            Type::Tuple(wanted) => self.tuple_takes(wanted, from),
            Type::Hash(wanted) => self.hash_takes(wanted, from),
            Type::Struct(wanted) => self.struct_takes(wanted, from),
            Type::Iterable(wanted) => self.iterable_takes(wanted.as_deref(), from),
            Type::Iterator(wanted) => match (wanted, from) {
                (None, Type::Iterator(_)) => true,
                (Some(wanted), Type::Iterator(Some(given))) => self.assignable(wanted, given),
                (Some(wanted), Type::Iterator(None)) => self.assignable(wanted, &Type::Any),
                _ => false,
            },
            Type::Variant(wanted) => {
                wanted.iter().any(|wanted| self.assignable(wanted, from))
                    || (self.is_sound() && self.variant_takes_in_parts(wanted, from))
            }
            Type::Optional(_) if matches!(from, Type::Undef) => true,
            Type::Optional(None) => !self.is_sound(),
            Type::Optional(Some(wanted)) => self.assignable(wanted, from),
            Type::NotUndef(wanted) => {
                !self.takes_undef(from)
                    && wanted.as_deref().is_none_or(|wanted| self.assignable(wanted, from))
            }
            Type::Sensitive(wanted) => match (wanted, from) {
                (None, Type::Sensitive(_)) => true,
                (Some(wanted), Type::Sensitive(given)) => {
                    self.assignable(wanted, given.as_deref().unwrap_or(&Type::Any))
                }
                _ => false,
            },
            Type::Type(wanted) => match (wanted, from) {
                (None, Type::Type(_)) => true,
                (Some(wanted), Type::Type(Some(given))) => self.assignable(wanted, given),
                _ => false,
            },
            Type::Callable(wanted) => {
                matches!(from, Type::Callable(given) if self.callable_takes(wanted, given))
            }
            Type::Init(wanted) => self.init_takes(wanted.as_deref(), from),
            Type::Object(_) | Type::ObjectExtension(_) | Type::TypeSet(_) => self.definition_takes(to, from),
            Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => {
                match unfold_alias(to, self.env) {
                    Some(unfolded) => self.with_alias(to, from, &unfolded, from),
                    None => to == from,
                }
            }
            _ => self.single_takes(to, from),
        }
    }

    /// Checks a `to` without nested types: scalars and catalog types.
    fn single_takes(&mut self, to: &Type, from: &Type) -> bool {
        match (to, from) {
            (Type::Scalar, _) => is_scalar(from),
            (Type::ScalarData, _) => is_scalar_data(from),
            (Type::Numeric, _) => {
                matches!(from, Type::Numeric | Type::Integer(_) | Type::WideInteger(_) | Type::Float(_))
            }
            // `includes` would treat the second largest integer as the explicit "no limit" of sizes.
            (Type::Integer(wanted), Type::Integer(given)) => {
                wanted.min <= given.min && given.max <= wanted.max
            }
            (Type::Integer(_) | Type::WideInteger(_), _) => WideRange::of(to)
                .zip(WideRange::of(from))
                .is_some_and(|(wanted, given)| wanted.includes(given)),
            (Type::Float(wanted), Type::Float(given)) => includes_floats(*wanted, *given),
            (Type::String(wanted), _) => takes_string(*wanted, from),
            // Puppet does not compare the values here.
            (Type::LiteralString(wanted), Type::Enum(given)) => {
                given.values.len() == 1
                    && !given.case_insensitive
                    && (!self.is_sound() || given.values[0] == *wanted)
            }
            (Type::Enum(wanted), _) => self.enum_takes(wanted, from),
            (Type::Pattern(wanted), _) => pattern_takes(wanted, from, self.is_sound()),
            (Type::Regexp(wanted), Type::Regexp(given)) => wanted.is_none() || wanted == given,
            (Type::Boolean(wanted), Type::Boolean(given)) => wanted.is_none() || wanted == given,
            (Type::SemVer(wanted), Type::SemVer(given)) => matching::version_ranges_cover(wanted, given),
            (Type::Timestamp(wanted), Type::Timestamp(given)) => {
                includes_times(wanted.as_deref(), given.as_deref())
            }
            (Type::Timespan(wanted), Type::Timespan(given)) => {
                includes_times(wanted.as_deref(), given.as_deref())
            }
            (Type::Uri(wanted), Type::Uri(given)) => {
                matching::uri_takes(wanted.as_deref(), given.as_deref(), self.env)
            }
            (Type::CatalogEntry, _) => {
                matches!(from, Type::CatalogEntry | Type::Class(_) | Type::Resource(_))
            }
            (Type::Class(wanted), Type::Class(given)) => wanted.is_none() || wanted == given,
            (Type::Resource(wanted), Type::Resource(given)) => resource_takes(wanted, given),
            (Type::Runtime(wanted), Type::Runtime(given)) => runtime_takes(wanted, given),
            // All other types accept only themselves.
            _ => to == from,
        }
    }

    /// Checks a `to` that is a user-defined type.
    fn definition_takes(&mut self, to: &Type, from: &Type) -> bool {
        match (to, from) {
            (Type::Object(wanted), Type::Object(given)) => self.object_takes(wanted.as_ref(), given.as_ref()),
            (Type::Object(_), Type::ObjectExtension(given)) => self.assignable(to, &given.base),
            (Type::ObjectExtension(wanted), Type::ObjectExtension(given)) => {
                self.assignable(&wanted.base, &given.base)
                    && matching::type_parameters_match(&wanted.parameters, &given.parameters, self.env)
            }
            (Type::TypeSet(None), Type::TypeSet(_)) => true,
            (Type::TypeSet(Some(wanted)), Type::TypeSet(Some(given))) => {
                wanted.name_authority == given.name_authority
                    && wanted.name == given.name
                    && wanted.version == given.version
            }
            _ => false,
        }
    }

    fn enum_takes(&mut self, wanted: &EnumType, from: &Type) -> bool {
        if wanted.values.is_empty() {
            return !self.is_sound()
                && matches!(
                    from,
                    Type::String(_) | Type::LiteralString(_) | Type::Enum(_) | Type::Pattern(_)
                );
        }
        match from {
            Type::LiteralString(given) => instance::enum_has(wanted, given),
            Type::Enum(given) => {
                *wanted == **given
                    || !given.values.is_empty()
                        && (wanted.case_insensitive || !given.case_insensitive)
                        && given.values.iter().all(|value| instance::enum_has(wanted, value))
            }
            _ => false,
        }
    }

    /// Checks if several members of a variant together cover a type that no single member accepts.
    fn variant_takes_in_parts(&mut self, wanted: &[Type], from: &Type) -> bool {
        let mut any_takes = |part: &Type| wanted.iter().any(|wanted| self.assignable(wanted, part));
        match from {
            Type::Boolean(None) => {
                any_takes(&Type::Boolean(Some(true))) && any_takes(&Type::Boolean(Some(false)))
            }
            Type::Enum(given) if !given.values.is_empty() && !given.case_insensitive => {
                given.values.iter().all(|value| any_takes(&Type::LiteralString(value.clone())))
            }
            Type::Numeric => any_takes(&Type::INTEGER) && any_takes(&Type::FLOAT),
            Type::ScalarData => {
                [Type::STRING, Type::INTEGER, Type::FLOAT, Type::BOOLEAN].iter().all(any_takes)
            }
            _ => false,
        }
    }

    fn array_takes(&mut self, wanted: &ArrayType, from: &Type) -> bool {
        match from {
            Type::Array(given) => {
                wanted.size.includes(given.size)
                    && (element_of(wanted) == &Type::Any
                        || self.assignable(element_of(wanted), element_of(given)))
            }
            Type::Tuple(given) => {
                if self.is_sound() && given.types.is_empty() && given.size.is_none() {
                    return wanted.size.includes(IntegerRange::SIZE)
                        && self.assignable(&wanted.element, &Type::Any);
                }
                wanted.size.includes(given.size())
                    && given.types.iter().all(|given| self.assignable(element_of(wanted), given))
            }
            _ => false,
        }
    }

    fn tuple_takes(&mut self, wanted: &TupleType, from: &Type) -> bool {
        match from {
            Type::Tuple(given) => self.tuple_takes_tuple(wanted, given),
            Type::Array(given) => {
                if !size_of_tuple(wanted).includes(given.size) {
                    return false;
                }
                let count = wanted.types.len().min(usize::try_from(given.size.max).unwrap_or(0));
                wanted.types[..count].iter().all(|wanted| self.assignable(wanted, element_of(given)))
            }
            _ => false,
        }
    }

    fn tuple_takes_tuple(&mut self, wanted: &TupleType, given: &TupleType) -> bool {
        if wanted == given {
            return true;
        }
        let size = size_of_tuple(wanted);
        if !size.includes(size_of_tuple(given)) {
            return false;
        }
        if wanted.types.is_empty() {
            return true;
        }
        if given.types.is_empty() {
            if self.is_sound() && size_of_tuple(given).max > 0 {
                return wanted.types.iter().all(|wanted| self.assignable(wanted, &Type::Any));
            }
            return size.min == 0;
        }
        if self.is_sound() && size_of_tuple(given).max > given.types.len() as i64 {
            // The last type of `given` repeats at positions for which `wanted` may have different types.
            let count = wanted.types.len().max(given.types.len());
            return (0..count).all(|at| match (wanted.element(at), given.element(at)) {
                (Some(wanted), Some(given)) => self.assignable(wanted, given),
                _ => true,
            });
        }
        given.types.iter().enumerate().all(|(at, given)| match wanted.element(at) {
            Some(wanted) => self.assignable(wanted, given),
            None => true,
        })
    }

    fn hash_takes(&mut self, wanted: &HashType, from: &Type) -> bool {
        match from {
            Type::Hash(given) => {
                let (wanted_key, wanted_value) = entry_of(wanted);
                let (given_key, given_value) = entry_of(given);
                wanted.size.includes(given.size)
                    && self.assignable(wanted_key, given_key)
                    && self.assignable(wanted_value, given_value)
            }
            Type::Struct(given) => {
                let (wanted_key, wanted_value) = entry_of(wanted);
                let size_fits = if self.is_sound() {
                    wanted.size.includes(IntegerRange::of_struct(given))
                } else {
                    wanted.size.contains(given.len() as i64)
                };
                size_fits
                    && given.iter().all(|member| {
                        is_instance(wanted_key, &Value::String(member.name.clone()), self.env)
                            && self.assignable(wanted_value, &member.value)
                    })
            }
            _ => false,
        }
    }

    fn struct_takes(&mut self, wanted: &[StructMember], from: &Type) -> bool {
        match from {
            Type::Struct(given) => {
                // The last of several members with the same name wins.
                let given: FxHashMap<&str, &StructMember> =
                    given.iter().map(|member| (member.name.as_str(), member)).collect();
                let mut matched = 0;
                wanted.iter().all(|wanted| match given.get(wanted.name.as_str()) {
                    None => wanted.key == StructKey::Optional,
                    Some(given) => {
                        matched += 1;
                        (wanted.key == StructKey::Optional || given.key == StructKey::Required)
                            && self.assignable(&wanted.value, &given.value)
                    }
                }) && matched == given.len()
            }
            Type::Hash(given) => {
                if given.size.max == 0 {
                    return wanted.iter().all(|wanted| wanted.key == StructKey::Optional);
                }
                let (key, value) = entry_of(given);
                let mut required = 0;
                wanted.iter().all(|member| {
                    if member.key == StructKey::Optional {
                        // Puppet ignores the values of these.
                        return !self.is_sound();
                    }
                    required += 1;
                    self.assignable(&member.value, value)
                        && self.assignable(&Type::STRING, key)
                        && !self.is_sound()
                }) && IntegerRange::new(required, wanted.len() as i64).includes(given.size)
            }
            _ => false,
        }
    }

    fn iterable_takes(&mut self, wanted: Option<&Type>, from: &Type) -> bool {
        let wanted = wanted.filter(|wanted| !self.assignable(wanted, &Type::Any));
        match iterable::elements_of_type(from, self.is_sound()) {
            None => false,
            Some(given) => match wanted {
                // A negative number is an `Iterable[Integer]`, but not a plain `Iterable`.
                None if self.is_sound() && matches!(from, Type::Iterable(Some(_))) => {
                    given.is_some_and(|given| !self.assignable(&given, &Type::INTEGER))
                }
                None => true,
                Some(wanted) => given.is_some_and(|given| self.assignable(wanted, &given)),
            },
        }
    }

    fn callable_takes(&mut self, wanted: &CallableType, given: &CallableType) -> bool {
        if let Some(wanted) = &wanted.returns
            && !self.assignable(wanted, given.returns.as_ref().unwrap_or(&Type::Any))
        {
            return false;
        }
        let Some(wanted_parameters) = &wanted.parameters else { return true };
        // Parameters are contravariant: `given` must accept everything that is passed to `wanted`.
        let Some(given_parameters) = &given.parameters else { return false };
        self.tuple_takes_tuple(given_parameters, wanted_parameters)
            && self.assignable(
                given.block.as_ref().unwrap_or(&Type::Undef),
                wanted.block.as_ref().unwrap_or(&Type::Undef),
            )
    }

    fn object_takes(&mut self, wanted: Option<&Arc<ObjectType>>, given: Option<&Arc<ObjectType>>) -> bool {
        let Some(wanted) = wanted else { return true };
        given.is_some_and(|given| matching::inherits(given, wanted, self.env))
    }

    fn init_takes(&mut self, wanted: Option<&InitType>, from: &Type) -> bool {
        if let (Some(wanted), false) = (wanted, self.is_sound()) {
            note_if_refused(wanted, self.env);
        }
        match (wanted, from) {
            (wanted, Type::Init(given)) if self.is_sound() => wanted == given.as_deref(),
            (None, Type::Init(_)) => true,
            (Some(wanted), Type::Init(given)) => match given {
                Some(given) => self.assignable(&wanted.ty, &given.ty),
                None => false,
            },
            (None, _) => self.assignable(&Type::RichData, from),
            (Some(wanted), _) => {
                if self.assignable(&wanted.ty, from) {
                    return true;
                }
                if self.inits.iter().any(|(ty, looked_at)| ty == wanted && looked_at == from) {
                    return false;
                }
                self.inits.push((wanted.clone(), from.clone()));
                let answer = self.constructor_takes(wanted, from);
                self.inits.pop();
                answer
            }
        }
    }

    fn constructor_takes(&mut self, wanted: &InitType, from: &Type) -> bool {
        let takes = crate::object::init::init_arguments(wanted, self.env);
        takes.single.iter().any(|single| self.assignable(single, from))
            || takes.several.iter().any(|several| {
                self.tuple_takes(several, from)
                    || (takes.has_optional_single
                        && self.tuple_takes_tuple(
                            several,
                            &TupleType { types: [from.clone()].into(), size: None },
                        ))
            })
    }
}

/// Returns the element type; an array type with only empty instances has none.
fn element_of(array: &ArrayType) -> &Type {
    if array.size.max == 0 { &Type::Unit } else { &array.element }
}

fn entry_of(hash: &HashType) -> (&Type, &Type) {
    if hash.size.max == 0 { (&Type::Unit, &Type::Unit) } else { (&hash.key, &hash.value) }
}

fn size_of_tuple(tuple: &TupleType) -> IntegerRange {
    tuple.element_count()
}

/// Returns the number of elements of the instances of a collection type. Unless `sound` is set, this follows
/// Puppet in counting optional struct members as present and a tuple without types as empty.
fn size_of_collection(ty: &Type, sound: bool) -> Option<IntegerRange> {
    match ty {
        Type::Collection(size) => Some(*size),
        Type::Array(array) => Some(array.size),
        Type::Hash(hash) => Some(hash.size),
        Type::Tuple(tuple) if sound => Some(size_of_tuple(tuple)),
        Type::Tuple(tuple) => Some(tuple.size()),
        Type::Struct(members) if sound => Some(IntegerRange::of_struct(members)),
        Type::Struct(members) => Some(IntegerRange::exactly(members.len() as i64)),
        _ => None,
    }
}

fn is_scalar_data(ty: &Type) -> bool {
    matches!(
        ty,
        Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::WideInteger(_)
            | Type::Float(_)
            | Type::String(_)
            | Type::LiteralString(_)
            | Type::Enum(_)
            | Type::Pattern(_)
            | Type::Boolean(_)
    )
}

fn is_scalar(ty: &Type) -> bool {
    is_scalar_data(ty)
        || matches!(
            ty,
            Type::Scalar
                | Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timestamp(_)
                | Type::Timespan(_)
        )
}

fn includes_floats(wanted: FloatRange, given: FloatRange) -> bool {
    wanted.min.0 <= given.min.0 && given.max.0 <= wanted.max.0
}

fn includes_times<T: PartialOrd>(wanted: Option<&TimeRange<T>>, given: Option<&TimeRange<T>>) -> bool {
    let Some(wanted) = wanted else { return true };
    let from_fits = match (&wanted.from, given.and_then(|given| given.from.as_ref())) {
        (None, _) => true,
        (Some(wanted), Some(given)) => wanted <= given,
        (Some(_), None) => false,
    };
    let to_fits = match (&wanted.to, given.and_then(|given| given.to.as_ref())) {
        (None, _) => true,
        (Some(wanted), Some(given)) => given <= wanted,
        (Some(_), None) => false,
    };
    from_fits && to_fits
}

fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

fn takes_string(wanted: IntegerRange, from: &Type) -> bool {
    match from {
        Type::String(given) => wanted.includes(*given),
        Type::LiteralString(given) => wanted == IntegerRange::SIZE || wanted.contains(length(given)),
        Type::Enum(given) if given.values.is_empty() => wanted.includes(IntegerRange::SIZE),
        Type::Enum(given) => given.values.iter().all(|value| wanted.contains(length(value))),
        Type::Pattern(_) => wanted.includes(IntegerRange::SIZE),
        _ => false,
    }
}

fn pattern_takes(wanted: &[Regexp], from: &Type, sound: bool) -> bool {
    match from {
        Type::String(_) => wanted.is_empty(),
        Type::LiteralString(given) => instance::pattern_has(wanted, given),
        Type::Enum(given) if given.values.is_empty() => wanted.is_empty(),
        Type::Enum(given) => {
            wanted.is_empty()
                || !(sound && given.case_insensitive)
                    && given.values.iter().all(|value| instance::pattern_has(wanted, value))
        }
        Type::Pattern(given) => {
            wanted.is_empty()
                || wanted.len() == given.len() && wanted.iter().all(|wanted| given.contains(wanted))
        }
        _ => false,
    }
}

fn resource_takes(wanted: &ResourceType, given: &ResourceType) -> bool {
    let Some(wanted_name) = &wanted.type_name else { return true };
    given.type_name.as_ref().is_some_and(|given| given.eq_ignore_ascii_case(wanted_name))
        && (wanted.title.is_none() || wanted.title == given.title)
}

fn runtime_takes(wanted: &RuntimeType, given: &RuntimeType) -> bool {
    (wanted.runtime.is_none() || wanted.runtime == given.runtime)
        && ((wanted.name.is_none() && wanted.pattern.is_none())
            || (wanted.name == given.name && wanted.pattern == given.pattern))
}
