//! Instance checks of values against types.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::{element_of, entry_of, iterable, length, matching, size_of_tuple, unfold_alias};
use crate::environment::{TypeEnvironment, WithoutRefusals};
use crate::infer::{infer, infer_set};
use crate::object::built_in::metatype_of;
use crate::object::init::note_if_refused;
use crate::ty::inner::for_each_alias;
use crate::ty::{
    BARE_ALIAS, EnumType, HashType, InitType, StructKey, StructMember, TupleType, Type, WideRange,
};
use crate::value::Value;
use scalars::regexp::Regexp;
use scalars::timespan::TimespanLimit;

/// Result of an instance check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    Always,
    /// Only some of the possible values are instances, or the type is unknown.
    Maybe,
    Never,
}

/// Returns true if `value` is an instance of `ty`. The value should be known; for unknown parts, their type
/// is checked for assignability instead.
pub fn is_instance(ty: &Type, value: &Value, env: &dyn TypeEnvironment) -> bool {
    InstanceChecker::new(env).check(ty, value)
}

/// Checks if `value`, which may be unknown or contain unknown values, is an instance of `ty`.
pub fn fits(ty: &Type, value: &Value, env: &dyn TypeEnvironment) -> Fit {
    if value.is_known() {
        return if is_instance(ty, value, env) {
            Fit::Always
        } else if mentions_unknown_name(ty, env) {
            Fit::Maybe
        } else {
            Fit::Never
        };
    }
    let given = infer_set(value, env);
    if super::is_certainly_assignable(ty, &given, env) {
        Fit::Always
    } else if super::overlaps(ty, &given, env) {
        Fit::Maybe
    } else {
        Fit::Never
    }
}

/// Returns true if the type depends on an unresolved name.
fn mentions_unknown_name(ty: &Type, env: &dyn TypeEnvironment) -> bool {
    fn mentions(ty: &Type, env: &dyn TypeEnvironment, seen: &mut FxHashSet<SmolStr>) -> bool {
        match ty {
            Type::Reference(_) => !env.knows_all_names(),
            Type::Alias(name) if name == BARE_ALIAS => false,
            Type::Alias(name) => {
                if seen.len() >= ALIAS_LIMIT {
                    return true;
                }
                if !seen.insert(name.clone()) {
                    return false;
                }
                unfold_alias(ty, env).is_none_or(|unfolded| mentions(&unfolded, env, seen))
            }
            Type::Variant(types) => types.iter().any(|ty| mentions(ty, env, seen)),
            Type::Array(array) => mentions(&array.element, env, seen),
            Type::Hash(hash) => mentions(&hash.key, env, seen) || mentions(&hash.value, env, seen),
            Type::Tuple(tuple) => tuple.types.iter().any(|ty| mentions(ty, env, seen)),
            Type::Struct(members) => members.iter().any(|member| mentions(&member.value, env, seen)),
            Type::Iterable(inner)
            | Type::Iterator(inner)
            | Type::Optional(inner)
            | Type::NotUndef(inner)
            | Type::Sensitive(inner)
            | Type::Type(inner) => inner.as_deref().is_some_and(|inner| mentions(inner, env, seen)),
            Type::Init(init) => init.as_deref().is_some_and(|init| mentions(&init.ty, env, seen)),
            Type::ObjectExtension(extension) => mentions(&extension.base, env, seen),
            Type::Object(Some(object)) => {
                object.parent.as_ref().is_some_and(|parent| mentions(parent, env, seen))
            }
            _ => false,
        }
    }
    mentions(ty, env, &mut FxHashSet::default())
}

/// Returns true if the string is one of the values.
pub(super) fn enum_has(enumeration: &EnumType, text: &str) -> bool {
    if enumeration.case_insensitive {
        enumeration.values.iter().any(|value| value.eq_ignore_ascii_case(text))
    } else {
        enumeration.values.iter().any(|value| value == text)
    }
}

/// Returns true if one of the patterns matches. A pattern that exceeds its match limit counts as a mismatch.
pub(super) fn pattern_has(patterns: &[Regexp], text: &str) -> bool {
    patterns.is_empty() || patterns.iter().any(|pattern| pattern.is_match(text).unwrap_or(false))
}

const DEPTH_LIMIT: u32 = 384;
/// Maximum number of steps of one check, after which everything counts as an instance. Large values of
/// composed types have too many pairs to check them all.
const STEP_LIMIT: u32 = 8_000_000;
/// Number of consecutive aliases above which answers are cached.
const CACHE_THRESHOLD: u32 = 16;
/// Maximum number of aliases that are followed in search of recursion or of an unresolved name.
const ALIAS_LIMIT: usize = 500;

/// Instance checker.
///
/// Recursive aliases end where they end in Puppet: when both an alias and a value recur. As a consequence,
/// mutually recursive aliases may refuse values that they describe.
struct InstanceChecker<'env> {
    env: &'env dyn TypeEnvironment,
    /// Recursive aliases that are being unfolded. `alias_recurs` is set once one of them recurs.
    aliases: Vec<Type>,
    alias_recurs: bool,
    /// Values that are being checked against them. `value_recurs` is set once one of them recurs.
    values: Vec<*const Value>,
    value_recurs: bool,
    /// Cache of aliases that lead back to themselves, by name.
    is_recursive: FxHashMap<SmolStr, bool>,
    /// Value of the latest check of an alias, and the number of aliases unfolded for it so far.
    latest: (*const Value, u32),
    /// Cache of failed checks, used for long chains of aliases.
    refused: FxHashSet<(Type, *const Value)>,
    /// `Init` types whose constructors are being checked, each with the argument. A check that leads back to
    /// one of them fails.
    inits: Vec<(InitType, *const Value)>,
    depth: u32,
    steps: u32,
}

impl<'env> InstanceChecker<'env> {
    fn new(env: &'env dyn TypeEnvironment) -> InstanceChecker<'env> {
        InstanceChecker {
            env,
            aliases: Vec::new(),
            alias_recurs: false,
            values: Vec::new(),
            value_recurs: false,
            is_recursive: FxHashMap::default(),
            latest: (std::ptr::null(), 0),
            refused: FxHashSet::default(),
            inits: Vec::new(),
            depth: 0,
            steps: 0,
        }
    }

    fn check(&mut self, ty: &Type, value: &Value) -> bool {
        if self.depth >= DEPTH_LIMIT {
            return false;
        }
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return true;
        }
        self.depth += 1;
        let answer = self.check_kind(ty, value);
        self.depth -= 1;
        answer
    }

    fn check_kind(&mut self, ty: &Type, value: &Value) -> bool {
        if let Value::Unknown(unknown) = value {
            if let Type::Init(Some(init)) = ty {
                note_if_refused(init, self.env);
            }
            return super::is_assignable(ty, &unknown.ty, &WithoutRefusals::of_unknown(self.env));
        }
        match ty {
            Type::Any | Type::Unit => true,
            Type::Collection(size) => match value {
                Value::Array(elements) => size.contains(elements.len() as i64),
                Value::Hash(entries) => size.contains(entries.len() as i64),
                _ => false,
            },
            Type::Array(array) => value.as_array().is_some_and(|elements| {
                array.size.contains(elements.len() as i64)
                    && elements.iter().all(|element| self.check(element_of(array), element))
            }),
            Type::Tuple(tuple) => value.as_array().is_some_and(|elements| self.check_tuple(tuple, elements)),
            Type::Hash(hash) => self.check_hash(hash, value),
            Type::Struct(members) => self.check_struct(members, value),
            Type::Iterable(element) => self.check_iterable(ty, element.as_deref(), value),
            Type::Variant(types) => types.iter().any(|ty| self.check(ty, value)),
            Type::Optional(inner) => {
                value.is_undef() || inner.as_deref().is_some_and(|inner| self.check(inner, value))
            }
            Type::NotUndef(inner) => {
                !value.is_undef() && inner.as_deref().is_none_or(|inner| self.check(inner, value))
            }
            Type::Sensitive(inner) => match value {
                Value::Sensitive(value) => inner.as_deref().is_none_or(|inner| self.check(inner, value)),
                _ => false,
            },
            // Lambdas and functions are not values.
            Type::Callable(_) => false,
            // `File['/a']` is an instance of `Type[File]`.
            Type::CatalogEntry
            | Type::Class(_)
            | Type::Resource(_)
            | Type::Runtime(_)
            | Type::Reference(_) => false,
            Type::Init(None) => self.check(&Type::RichData, value),
            Type::Init(Some(init)) => self.check_init(init, value),
            Type::Object(_) => self.check_object(ty, value),
            Type::ObjectExtension(extension) => {
                self.check(&extension.base, value) && self.has_parameters(extension, value)
            }
            Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey => self.check_alias(ty, value),
            _ => self.check_single(ty, value),
        }
    }

    /// Checks a value against a type without nested types.
    fn check_single(&self, ty: &Type, value: &Value) -> bool {
        match (ty, value) {
            (Type::Undef, _) => value.is_undef(),
            (Type::Scalar, _) => is_scalar(value),
            (Type::ScalarData, _) => is_scalar_data(value),
            (Type::Numeric, _) => value.as_number().is_some_and(|number| !number.is_nan()),
            (Type::Integer(range), Value::Integer(value)) => range.contains(*value),
            (Type::Integer(_), Value::WideInteger(value)) => {
                WideRange::of(ty).is_some_and(|range| range.contains(**value))
            }
            (Type::WideInteger(range), _) => {
                value.as_wide_integer().is_some_and(|value| range.contains(value))
            }
            (Type::Float(range), Value::Float(value)) => range.contains(value.0),
            (Type::String(range), Value::String(text)) => {
                *range == crate::ty::IntegerRange::SIZE || range.contains(length(text))
            }
            (Type::LiteralString(wanted), _) => value.as_str() == Some(wanted),
            (Type::Enum(wanted), _) => value.as_str().is_some_and(|text| enum_has(wanted, text)),
            (Type::Pattern(wanted), _) => value.as_str().is_some_and(|text| pattern_has(wanted, text)),
            (Type::Regexp(wanted), Value::Regexp(value)) => {
                wanted.as_ref().is_none_or(|wanted| wanted == value)
            }
            (Type::Boolean(wanted), Value::Boolean(value)) => wanted.is_none_or(|wanted| wanted == *value),
            (Type::SemVer(ranges), Value::SemVer(version)) => {
                matching::version_ranges_include(ranges, version)
            }
            (Type::Timestamp(range), Value::Timestamp(time)) => {
                matching::is_in_time_range(range.as_deref(), time)
            }
            (Type::Timespan(range), Value::Timespan(time)) => {
                matching::is_in_time_range(range.as_deref(), &TimespanLimit::from(**time))
            }
            (Type::Uri(wanted), Value::Uri(uri)) => matching::uri_matches(wanted.as_deref(), uri, self.env),
            (Type::Default, Value::Default)
            | (Type::Binary, Value::Binary(_))
            | (Type::SemVerRange, Value::SemVerRange(_)) => true,
            (Type::Iterator(element), Value::Iterator(iterator)) => element
                .as_deref()
                .is_none_or(|element| super::is_assignable(element, &iterator.element, self.env)),
            (Type::Type(wanted), Value::Type(given)) => {
                wanted.as_deref().is_none_or(|wanted| super::is_assignable(wanted, given, self.env))
            }
            (Type::TypeSet(_), Value::Type(given)) => matches!(**given, Type::TypeSet(_)),
            _ => false,
        }
    }

    fn check_object(&self, ty: &Type, value: &Value) -> bool {
        match value {
            Value::Object(object) => {
                super::is_assignable(ty, &Type::Object(Some(object.ty.clone())), self.env)
            }
            // Types are objects: `Integer` is a `Pcore::IntegerType`.
            Value::Type(given) => {
                metatype_of(given).is_some_and(|metatype| super::is_assignable(ty, &metatype, self.env))
            }
            _ => false,
        }
    }

    /// Returns true if the attribute values of an object match the type parameters of an extension of its
    /// type.
    fn has_parameters(&self, extension: &crate::ty::ObjectExtension, value: &Value) -> bool {
        let Value::Object(object) = value else { return false };
        extension.parameters.iter().all(|(name, wanted)| {
            matches!(wanted, Value::Default)
                || object.get(name).is_some_and(|given| matching::matches(given, wanted, self.env))
        })
    }

    fn check_alias(&mut self, alias: &Type, value: &Value) -> bool {
        let address = std::ptr::from_ref(value);
        let before = self.latest;
        self.latest = (address, if before.0 == address { before.1 + 1 } else { 0 });
        let may_repeat = self.latest.1 > CACHE_THRESHOLD;
        let answer = !(may_repeat && self.refused.contains(&(alias.clone(), address)))
            && self.check_unfolded(alias, value, address);
        if may_repeat && !answer {
            self.refused.insert((alias.clone(), address));
        }
        self.latest = before;
        answer
    }

    fn check_unfolded(&mut self, alias: &Type, value: &Value, address: *const Value) -> bool {
        let Some(unfolded) = unfold_alias(alias, self.env) else { return false };
        if !self.is_recursive(alias, &unfolded) {
            return self.check(&unfolded, value);
        }
        let is_new_value = !self.value_recurs && !self.values.contains(&address);
        if is_new_value {
            self.values.push(address);
        } else {
            self.value_recurs = true;
        }
        let is_new_alias = !self.alias_recurs && !self.aliases.contains(alias);
        if is_new_alias {
            self.aliases.push(alias.clone());
        } else {
            self.alias_recurs = true;
        }
        let answer = !(self.alias_recurs && self.value_recurs) && self.check(&unfolded, value);
        if is_new_alias {
            self.aliases.pop();
            self.alias_recurs = false;
        }
        if is_new_value {
            self.values.pop();
            self.value_recurs = false;
        }
        answer
    }

    fn is_recursive(&mut self, alias: &Type, unfolded: &Type) -> bool {
        match alias {
            Type::Alias(name) => {
                let mut names_aliases = false;
                for_each_alias(unfolded, &mut |_| names_aliases = true);
                if !names_aliases {
                    return false;
                }
                if let Some(known) = self.is_recursive.get(name) {
                    return *known;
                }
                let answer = is_recursive_alias(name, self.env);
                self.is_recursive.insert(name.clone(), answer);
                answer
            }
            alias => *alias != Type::RichDataKey,
        }
    }

    fn check_tuple(&mut self, tuple: &TupleType, elements: &[Value]) -> bool {
        size_of_tuple(tuple).contains(elements.len() as i64)
            && elements.iter().enumerate().all(|(at, element)| match tuple.element(at) {
                Some(ty) => self.check(ty, element),
                None => true,
            })
    }

    fn check_hash(&mut self, hash: &HashType, value: &Value) -> bool {
        let Value::Hash(entries) = value else { return false };
        let (key, entry) = entry_of(hash);
        hash.size.contains(entries.len() as i64)
            && entries.iter().all(|(given_key, given)| self.check(key, given_key) && self.check(entry, given))
    }

    fn check_struct(&mut self, members: &[StructMember], value: &Value) -> bool {
        let Value::Hash(entries) = value else { return false };
        let mut matched = 0;
        members.iter().all(|member| match entries.get_text(&member.name) {
            None => member.key == StructKey::Optional,
            Some(value) => {
                matched += 1;
                self.check(&member.value, value)
            }
        }) && matched == entries.len()
    }

    fn check_iterable(&mut self, ty: &Type, element: Option<&Type>, value: &Value) -> bool {
        let takes_all = element.is_none_or(|element| super::is_assignable(element, &Type::Any, self.env));
        if !takes_all {
            return super::is_assignable(ty, &infer(value, self.env), self.env);
        }
        match value {
            Value::Iterator(_) | Value::String(_) | Value::Hash(_) | Value::Array(_) => true,
            Value::Integer(_) | Value::WideInteger(_) => value.as_wide_integer() >= Some(0),
            Value::Type(given) => iterable::is_iterable_as_value(given, self.env),
            _ => false,
        }
    }

    fn check_init(&mut self, init: &InitType, value: &Value) -> bool {
        note_if_refused(init, self.env);
        if self.check(&init.ty, value) {
            return true;
        }
        if self.inits.iter().any(|(ty, looked_at)| ty == init && std::ptr::eq(*looked_at, value)) {
            return false;
        }
        self.inits.push((init.clone(), value));
        let answer = self.constructor_takes(init, value);
        self.inits.pop();
        answer
    }

    fn constructor_takes(&mut self, init: &InitType, value: &Value) -> bool {
        let takes = crate::object::init::init_arguments(init, self.env);
        takes.single.iter().any(|single| self.check(single, value))
            || takes.several.iter().any(|several| {
                value.as_array().is_some_and(|elements| self.check_tuple(several, elements))
                    || takes.has_optional_single && self.check_tuple(several, std::slice::from_ref(value))
            })
    }
}

/// Returns true if an alias is reachable from its own target, or if too many aliases are involved.
pub fn is_recursive_alias(name: &str, env: &dyn TypeEnvironment) -> bool {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut waiting = vec![SmolStr::from(name)];
    let mut leads_back = false;
    while let Some(alias) = waiting.pop() {
        if leads_back || seen.len() >= ALIAS_LIMIT {
            return true;
        }
        let Some(unfolded) = unfold_alias(&Type::Alias(alias), env) else { continue };
        for_each_alias(&unfolded, &mut |found| {
            leads_back |= found.eq_ignore_ascii_case(name);
            if seen.insert(found.to_ascii_lowercase()) {
                waiting.push(found.clone());
            }
        });
    }
    leads_back
}

fn is_scalar_data(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Boolean(_)) || value.as_number().is_some()
}

fn is_scalar(value: &Value) -> bool {
    is_scalar_data(value)
        || matches!(
            value,
            Value::Regexp(_)
                | Value::SemVer(_)
                | Value::SemVerRange(_)
                | Value::Timestamp(_)
                | Value::Timespan(_)
        )
}
