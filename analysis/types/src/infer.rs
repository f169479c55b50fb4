//! Type inference for values.

use std::collections::BTreeSet;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::common::{MAX_COMMON_STRINGS, common_type, generalize};
use crate::environment::TypeEnvironment;
use crate::factory::{sensitive, uri, variant_of};
use crate::object::ObjectValue;
use crate::object::members::type_parameters;
use crate::ty::*;
use crate::value::{IteratorOperation, TreeOrder, Value};
use scalars::semver::VersionRange;
use scalars::timespan::TimespanLimit;

/// Infers the type of a value, reducing the elements of an array and the keys and values of a hash to their
/// common types. Returns the declared type of an unknown value.
pub fn infer(value: &Value, env: &dyn TypeEnvironment) -> Type {
    match value {
        Value::Array(elements) if elements.is_empty() => empty_array(),
        Value::Array(elements) => Type::array(reduced(elements.iter(), env), exact_size(elements.len())),
        Value::Hash(entries) if entries.is_empty() => empty_hash(),
        Value::Hash(entries) => Type::hash(
            reduced(entries.keys(), env),
            reduced(entries.values(), env),
            exact_size(entries.len()),
        ),
        Value::SemVer(_) => Type::SemVer(Arc::new([])),
        value => infer_single(value, env),
    }
}

/// Infers the most specific type of a value: arrays become tuples, and hashes with string keys become
/// structs. Returns the declared type of an unknown value.
pub fn infer_set(value: &Value, env: &dyn TypeEnvironment) -> Type {
    match value {
        Value::Array(elements) if elements.is_empty() => empty_array(),
        Value::Array(elements) => {
            Type::tuple(elements.iter().map(|element| infer_set(element, env)).collect::<Vec<_>>(), None)
        }
        Value::Hash(entries) if entries.is_empty() => empty_hash(),
        Value::Hash(entries) => {
            let is_name = |key: &Value| key.as_str().is_some_and(|key| !key.is_empty());
            if entries.keys().all(is_name) {
                let members = entries.iter().map(|(key, value)| StructMember {
                    name: key.as_str().unwrap_or_default().into(),
                    key: StructKey::Required,
                    value: infer_set(value, env),
                });
                return Type::Struct(members.collect());
            }
            let key = variant_of(entries.keys().map(|key| infer_set(key, env)));
            let value = variant_of(entries.values().map(|value| infer_set(value, env)));
            Type::hash(key, value, exact_size(entries.len()))
        }
        Value::SemVer(version) => {
            Type::SemVer(Arc::new([VersionRange::new((**version).clone(), (**version).clone(), false)]))
        }
        value => infer_single(value, env),
    }
}

/// Puppet's Ruby classes for the results of `tree_each`, which type inference does not recognize as an
/// `Iterator`.
const DEPTH_FIRST: &str = "Puppet::Pops::Types::Iterable::DepthFirstTreeIterator";
const BREADTH_FIRST: &str = "Puppet::Pops::Types::Iterable::BreadthFirstTreeIterator";

/// Infers the type of a value other than an array, a hash or a version.
fn infer_single(value: &Value, env: &dyn TypeEnvironment) -> Type {
    match value {
        Value::Undef => Type::Undef,
        Value::Default => Type::Default,
        Value::Boolean(value) => Type::Boolean(Some(*value)),
        Value::Integer(value) => Type::Integer(IntegerRange::exactly(*value)),
        Value::WideInteger(value) => WideRange { min: Some(**value), max: Some(**value) }.into_type(),
        Value::Float(value) => Type::Float(FloatRange { min: *value, max: *value }),
        Value::String(text) => Type::LiteralString(text.clone()),
        Value::Regexp(regexp) => Type::Regexp(Some(regexp.clone())),
        Value::Type(ty) => match &**ty {
            Type::Resource(it) if it.is_object => {
                Type::type_of(Type::resource(it.type_name.clone(), it.title.clone()))
            }
            _ => Type::Type(Some(ty.clone())),
        },
        Value::Sensitive(inner) => sensitive(&infer(inner, env), env),
        Value::Binary(_) => Type::Binary,
        Value::Timestamp(time) => {
            Type::Timestamp(Some(Arc::new(TimeRange { from: Some(**time), to: Some(**time) })))
        }
        Value::Timespan(time) => {
            let limit = Some(TimespanLimit::from(**time));
            Type::Timespan(Some(Arc::new(TimeRange { from: limit, to: limit })))
        }
        Value::SemVerRange(_) => Type::SemVerRange,
        Value::Uri(_) => uri(value).unwrap_or(Type::Uri(None)),
        Value::Iterator(iterator) => match iterator.operation {
            IteratorOperation::Tree(TreeOrder::DepthFirst) => Type::ruby_class(DEPTH_FIRST),
            IteratorOperation::Tree(TreeOrder::BreadthFirst) => Type::ruby_class(BREADTH_FIRST),
            _ => Type::Iterator(Some(Arc::new(iterator.element.clone()))),
        },
        Value::Object(object) => infer_object(object, env),
        Value::Unknown(unknown) => unknown.ty.clone(),
        Value::Array(_) | Value::Hash(_) | Value::SemVer(_) => infer(value, env),
    }
}

/// Infers the type of an object. Type parameters take the values of the attributes with the same names.
fn infer_object(object: &ObjectValue, env: &dyn TypeEnvironment) -> Type {
    let base = Type::Object(Some(object.ty.clone()));
    let declared = type_parameters(&object.ty, env);
    if declared.is_empty() {
        return base;
    }
    let value_of = |name: &str| object.get(name).cloned().unwrap_or(Value::Undef);
    let parameters = declared.into_iter().map(|(name, _)| (name.clone(), value_of(&name))).collect();
    Type::ObjectExtension(Arc::new(ObjectExtension { base, parameters }))
}

/// Returns the common type of all values.
fn reduced<'a>(values: impl Iterator<Item = &'a Value>, env: &dyn TypeEnvironment) -> Type {
    let mut values = values.peekable();
    // The common type of distinct strings is an enumeration. Building it at once for the leading strings
    // avoids quadratic time.
    let mut strings: BTreeSet<SmolStr> = BTreeSet::new();
    while let Some(Value::String(text)) = values.peek() {
        strings.insert(text.clone());
        values.next();
    }
    let first = match (strings.pop_first(), strings.len()) {
        (None, _) => None,
        (Some(only), 0) => Some(Type::LiteralString(only)),
        (Some(_), others) if others > MAX_COMMON_STRINGS => Some(Type::STRING),
        (Some(first), _) => Some(Type::enumeration(strings.into_iter().chain([first]), false)),
    };
    let reduce = |common: Option<Type>, value: &Value| {
        let ty = infer(value, env);
        Some(match common {
            None => ty,
            Some(Type::Any) => Type::Any,
            Some(common) if common == ty => common,
            Some(common) => common_type(&common, &ty, env),
        })
    };
    values.fold(first, reduce).unwrap_or(Type::Unit)
}

fn exact_size(length: usize) -> IntegerRange {
    IntegerRange::exactly(length as i64)
}

/// Returns `Array[0, 0]`.
pub(crate) fn empty_array() -> Type {
    Type::array(Type::Unit, IntegerRange::exactly(0))
}

/// Returns `Hash[0, 0]`.
pub(crate) fn empty_hash() -> Type {
    Type::hash(Type::Unit, Type::Unit, IntegerRange::exactly(0))
}

/// Infers the generalized type of a value, as shown in messages.
pub fn infer_generic(value: &Value, env: &dyn TypeEnvironment) -> Type {
    generalize(&infer(value, env), env)
}
