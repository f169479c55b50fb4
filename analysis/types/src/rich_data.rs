//! Values as plain data, in Puppet's rich data format: what a catalog holds, and what `eval --format json` prints.
//!
//! What data has no form for is a hash with the key `__ptype`; see the Pcore data representation of the specification.

mod json;

use std::fmt;
use std::sync::Arc;

pub use json::{from_json, to_json};
use smol_str::SmolStr;

use crate::access::alias_target;
use crate::display::{capitalized_segments, embedded_type_text, is_plain_constant};
use crate::environment::TypeEnvironment;
use crate::object::{ObjectAttribute, ObjectAttributeKind, ObjectFunction, ObjectType};
use crate::text::{DEPTH_LIMIT, TextError, VALUE_LIMIT, initialization_entries, plain_text};
use crate::ty::*;
use crate::value::{HashValue, Origin, Value};

/// Why there is no such data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RichDataError {
    /// Part of the value is not known.
    Unknown(Origin),
    /// It has no such form: functions, iterators, type sets, types that hold themselves.
    NotSerializable(String),
    /// It is too large.
    TooLarge,
}

impl RichDataError {
    fn holds_itself(name: &str) -> RichDataError {
        RichDataError::NotSerializable(format!("the type {name}, which holds itself"))
    }
}

impl From<TextError> for RichDataError {
    fn from(error: TextError) -> RichDataError {
        match error {
            TextError::Unknown(origin) => RichDataError::Unknown(origin),
            TextError::TooLong => RichDataError::TooLarge,
        }
    }
}

type RichDataResult = Result<Value, RichDataError>;

/// The value as data: only strings, numbers, booleans, `undef`, arrays, and hashes with strings for keys. What is inside
/// a `Sensitive` is part of it.
pub fn rich_data(value: &Value, env: &dyn TypeEnvironment) -> RichDataResult {
    Serializer::new(env, false).value(value)
}

/// So deep may names of types lead to each other.
const MAX_UNFOLDED: usize = 64;

struct Serializer<'e> {
    env: &'e dyn TypeEnvironment,
    /// The aliases inside which we are.
    unfolding: Vec<SmolStr>,
    budget: usize,
    depth: usize,
    /// Is what is not known told by its type, instead of being an error?
    keeps_unknown: bool,
}

/// The hash of a thing that data has no form for.
struct Tagged(HashValue);

impl Tagged {
    fn new(name: &str) -> Tagged {
        Tagged(HashValue::from_iter([(Value::string("__ptype"), Value::string(name))]))
    }

    fn with(mut self, key: &str, value: impl Into<Option<Value>>) -> Tagged {
        if let Some(value) = value.into() {
            self.0.insert(Value::string(key), value);
        }
        self
    }

    /// The limits of a range; where it begins is said whenever it ends somewhere.
    fn with_limits(self, from: Option<Value>, to: Option<Value>) -> Tagged {
        let from = from.or_else(|| to.is_some().then_some(Value::Undef));
        self.with("from", from).with("to", to)
    }

    fn done(self) -> RichDataResult {
        Ok(Value::Hash(Arc::new(self.0)))
    }
}

/// A value that its text says completely.
fn textual(name: &str, text: String) -> RichDataResult {
    Tagged::new(name).with("__pvalue", Value::string(text)).done()
}

impl<'e> Serializer<'e> {
    fn new(env: &'e dyn TypeEnvironment, keeps_unknown: bool) -> Serializer<'e> {
        Serializer { env, unfolding: Vec::new(), budget: VALUE_LIMIT, depth: 0, keeps_unknown }
    }

    fn value(&mut self, value: &Value) -> RichDataResult {
        self.enter()?;
        let data = self.value_inside(value);
        self.depth -= 1;
        data
    }

    /// Counts values and types.
    fn enter(&mut self) -> Result<(), RichDataError> {
        self.budget = self.budget.checked_sub(1).ok_or(RichDataError::TooLarge)?;
        self.depth += 1;
        if self.depth > DEPTH_LIMIT { Err(RichDataError::TooLarge) } else { Ok(()) }
    }

    fn value_inside(&mut self, value: &Value) -> RichDataResult {
        match value {
            Value::Undef
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::WideInteger(_)
            | Value::Float(_)
            | Value::String(_) => Ok(value.clone()),
            Value::Default => Tagged::new("Default").done(),
            Value::Array(elements) => {
                let elements: Result<Vec<Value>, _> =
                    elements.iter().map(|element| self.value(element)).collect();
                Ok(Value::array(elements?))
            }
            Value::Hash(entries) => self.hash(entries),
            Value::Sensitive(inner) => Tagged::new("Sensitive").with("__pvalue", self.value(inner)?).done(),
            Value::Regexp(regexp) => textual("Regexp", regexp.to_source_text()),
            Value::Binary(_) => textual("Binary", plain_text(value, self.env)?),
            Value::Timestamp(_) => textual("Timestamp", plain_text(value, self.env)?),
            Value::Timespan(_) => textual("Timespan", plain_text(value, self.env)?),
            Value::SemVer(_) => textual("SemVer", plain_text(value, self.env)?),
            Value::SemVerRange(_) => textual("SemVerRange", plain_text(value, self.env)?),
            Value::Uri(_) => textual("URI", plain_text(value, self.env)?),
            Value::Type(ty) => self.ty(ty),
            Value::Object(object) => {
                let Some(name) = &object.ty.name else {
                    return Err(RichDataError::NotSerializable("an object type without a name".into()));
                };
                let mut tagged = Tagged::new(name);
                for (key, value) in initialization_entries(object, self.env).iter() {
                    let value = self.value(value)?;
                    tagged.0.insert(key.clone(), value);
                }
                tagged.done()
            }
            Value::Iterator(_) => Err(RichDataError::NotSerializable("an iterator".into())),
            Value::Unknown(unknown) if self.keeps_unknown => {
                let ty = embedded_type_text(&unknown.ty, self.env);
                Tagged::new("Unknown").with("type", Value::string(ty)).done()
            }
            Value::Unknown(unknown) => Err(RichDataError::Unknown(unknown.origin)),
        }
    }

    fn hash(&mut self, entries: &HashValue) -> RichDataResult {
        if entries.keys().all(|key| key.as_str().is_some_and(|key| key != "__ptype")) {
            let entries: Result<HashValue, RichDataError> =
                entries.iter().map(|(key, value)| Ok((key.clone(), self.value(value)?))).collect();
            return Ok(Value::Hash(Arc::new(entries?)));
        }
        let mut flat = Vec::with_capacity(entries.len() * 2);
        for (key, value) in entries.iter() {
            flat.push(self.value(key)?);
            flat.push(self.value(value)?);
        }
        Tagged::new("Hash").with("__pvalue", Value::array(flat)).done()
    }

    fn types(&mut self, types: &[Type]) -> RichDataResult {
        let types: Result<Vec<Value>, _> = types.iter().map(|ty| self.ty(ty)).collect();
        Ok(Value::array(types?))
    }

    fn ty(&mut self, ty: &Type) -> RichDataResult {
        self.enter()?;
        let data = self.type_inside(ty);
        self.depth -= 1;
        data
    }

    fn type_inside(&mut self, ty: &Type) -> RichDataResult {
        let tagged = Tagged::new(&format!("Pcore::{}Type", ty.base_name()));
        match ty {
            Type::Integer(range) => integer_type(*range),
            Type::WideInteger(range) => {
                tagged.with_limits(range.min.map(Value::integer), range.max.map(Value::integer)).done()
            }
            Type::Float(range) => {
                let limit = |value: f64| value.is_finite().then(|| Value::float(value));
                tagged.with_limits(limit(range.min.0), limit(range.max.0)).done()
            }
            Type::String(size) => tagged.with("size_type_or_value", size_type(*size)?).done(),
            Type::LiteralString(text) => {
                tagged.with("size_type_or_value", Value::String(text.clone())).done()
            }
            Type::Enum(of) => {
                let values = Value::array(of.values.iter().cloned().map(Value::String).collect::<Vec<_>>());
                let insensitive = of.case_insensitive.then_some(Value::Boolean(true));
                tagged.with("values", values).with("case_insensitive", insensitive).done()
            }
            Type::Pattern(patterns) => {
                let patterns: Vec<Type> = patterns.iter().cloned().map(|it| Type::Regexp(Some(it))).collect();
                tagged.with("patterns", self.types(&patterns)?).done()
            }
            Type::Regexp(regexp) => {
                let source = regexp.as_ref().map(|regexp| Value::string(regexp.source()));
                tagged.with("pattern", source).done()
            }
            Type::SemVer(ranges) => {
                let ranges: Result<Vec<Value>, _> =
                    ranges.iter().map(|range| textual("SemVerRange", range.to_string())).collect();
                let ranges = Some(ranges?).filter(|ranges| !ranges.is_empty());
                tagged.with("ranges", ranges.map(Value::array)).done()
            }
            Type::Timestamp(range) => time_type(tagged, "Timestamp", range.as_deref()),
            Type::Timespan(range) => time_type(tagged, "Timespan", range.as_deref()),
            Type::Uri(parameters) => {
                let parameters = parameters.as_ref().map(|it| self.value(it)).transpose()?;
                tagged.with("parameters", parameters).done()
            }
            Type::Collection(_)
            | Type::Array(_)
            | Type::Hash(_)
            | Type::Tuple(_)
            | Type::Struct(_)
            | Type::Variant(_)
            | Type::Iterable(_)
            | Type::Iterator(_)
            | Type::Optional(_)
            | Type::NotUndef(_)
            | Type::Type(_) => self.type_of_types(ty, tagged),
            _ => self.named_type(ty, tagged),
        }
    }

    /// A type that is made of others.
    fn type_of_types(&mut self, ty: &Type, tagged: Tagged) -> RichDataResult {
        match ty {
            Type::Collection(size) => tagged.with("size_type", size_type(*size)?).done(),
            Type::Array(of) => {
                let size = size_type(of.size)?;
                let element = self.unless_trailing_any(&of.element, size.is_none())?;
                tagged.with("element_type", element).with("size_type", size).done()
            }
            Type::Hash(of) => {
                let size = size_type(of.size)?;
                let value = self.unless_trailing_any(&of.value, size.is_none())?;
                let key = self.unless_trailing_any(&of.key, value.is_none())?;
                tagged.with("key_type", key).with("value_type", value).with("size_type", size).done()
            }
            Type::Tuple(tuple) => self.tuple(tuple),
            Type::Struct(members) => {
                let members: Result<Vec<Value>, _> =
                    members.iter().map(|member| self.member(member)).collect();
                tagged.with("elements", Value::array(members?)).done()
            }
            Type::Variant(types) => tagged.with("types", self.types(types)?).done(),
            Type::Iterable(of)
            | Type::Iterator(of)
            | Type::Optional(of)
            | Type::NotUndef(of)
            | Type::Type(of) => {
                let inner = of.as_deref().map(|inner| self.ty(inner)).transpose()?;
                tagged.with("type", inner).done()
            }
            _ => tagged.done(),
        }
    }

    /// A type of what catalogs and programs name, or one without arguments. What a Boolean or Sensitive type was
    /// written with is not part of their data.
    fn named_type(&mut self, ty: &Type, tagged: Tagged) -> RichDataResult {
        match ty {
            Type::Callable(callable) => {
                let parameters = callable.parameters.as_ref().map(|it| self.tuple(it)).transpose()?;
                let block = callable.block.as_ref().map(|it| self.ty(it)).transpose()?;
                let returns = callable.returns.as_ref().map(|it| self.ty(it)).transpose()?;
                tagged
                    .with("param_types", parameters.unwrap_or(Value::Undef))
                    .with("block_type", block.unwrap_or(Value::Undef))
                    .with("return_type", returns.unwrap_or(Value::Undef))
                    .done()
            }
            Type::Class(name) => tagged.with("class_name", name.clone().map(Value::String)).done(),
            Type::Resource(resource) => {
                let name =
                    resource.type_name.as_deref().map(|name| Value::String(capitalized_segments(name)));
                tagged.with("type_name", name).with("title", resource.title.clone().map(Value::String)).done()
            }
            Type::Runtime(runtime) => {
                let symbol = |name: &SmolStr| textual("Symbol", name.to_string());
                let system = runtime.runtime.as_ref().map(symbol).transpose()?;
                let name = runtime.name.clone().map(Value::String);
                tagged.with("runtime", system).with("name_or_pattern", name).done()
            }
            Type::Init(Some(init)) => {
                let arguments = self.value(&Value::array(init.arguments.to_vec()))?;
                let arguments = (!init.arguments.is_empty()).then_some(arguments);
                tagged.with("type", self.ty(&init.ty)?).with("init_args", arguments).done()
            }
            Type::Object(None) => tagged.with("_pcore_init_hash", Value::hash([])).done(),
            Type::Object(Some(object)) => {
                let definition = self.object_type(object)?;
                tagged.with("_pcore_init_hash", definition).done()
            }
            Type::ObjectExtension(extension) => {
                let parameters: Result<Vec<(Value, Value)>, RichDataError> = extension
                    .parameters
                    .iter()
                    .map(|(name, value)| Ok((Value::String(name.clone()), self.value(value)?)))
                    .collect();
                Tagged::new("Pcore::ObjectTypeExtension::Type")
                    .with("base_type", self.ty(&extension.base)?)
                    .with("init_parameters", Value::hash(parameters?))
                    .done()
            }
            Type::TypeSet(_) => Err(RichDataError::NotSerializable("a type set".into())),
            Type::RichDataKey => {
                self.resolved_alias("RichDataKey", &Type::variant([Type::STRING, Type::Numeric]))
            }
            Type::Data | Type::RichData => Err(RichDataError::holds_itself(&ty.to_string())),
            Type::Alias(name) => self.alias(name),
            Type::Reference(text) => tagged.with("type_string", Value::String(text.clone())).done(),
            _ => tagged.done(),
        }
    }

    /// Parameters at the end that say nothing are left out.
    fn unless_trailing_any(&mut self, ty: &Type, is_trailing: bool) -> Result<Option<Value>, RichDataError> {
        if is_trailing && *ty == Type::Any { Ok(None) } else { self.ty(ty).map(Some) }
    }

    fn tuple(&mut self, tuple: &TupleType) -> RichDataResult {
        let size = tuple.size.map(integer_type).transpose()?;
        Tagged::new("Pcore::TupleType")
            .with("types", self.types(&tuple.types)?)
            .with("size_type", size)
            .done()
    }

    fn member(&mut self, member: &StructMember) -> RichDataResult {
        let name = Type::LiteralString(member.name.clone());
        let key = match member.key {
            StructKey::Required => name,
            StructKey::Optional => Type::optional(name),
        };
        Tagged::new("Pcore::StructElement")
            .with("key_type", self.ty(&key)?)
            .with("value_type", self.ty(&member.value)?)
            .done()
    }

    fn alias(&mut self, name: &str) -> RichDataResult {
        if self.unfolding.iter().any(|outer| outer == name) || self.unfolding.len() > MAX_UNFOLDED {
            return Err(RichDataError::holds_itself(name));
        }
        let Some(resolved) = alias_target(name, self.env) else {
            return Err(RichDataError::NotSerializable(format!("the unknown type {name}")));
        };
        self.unfolding.push(name.into());
        let data = self.resolved_alias(name, &resolved);
        self.unfolding.pop();
        data
    }

    fn resolved_alias(&mut self, name: &str, resolved: &Type) -> RichDataResult {
        Tagged::new("Pcore::TypeAliasType")
            .with("name", Value::string(name))
            .with("type_expr", Value::Undef)
            .with("resolved_type", self.ty(resolved)?)
            .done()
    }

    /// The hash that defines an object type. Its functions are types like those of its attributes.
    fn object_type(&mut self, object: &ObjectType) -> RichDataResult {
        let Some(name) = &object.name else { return self.definition(object) };
        if self.unfolding.contains(name) || self.unfolding.len() > MAX_UNFOLDED {
            return Err(RichDataError::holds_itself(name));
        }
        self.unfolding.push(name.clone());
        let definition = self.definition(object);
        self.unfolding.pop();
        definition
    }

    fn definition(&mut self, object: &ObjectType) -> RichDataResult {
        let mut definition = HashValue::default();
        let mut add = |key: &str, value: Value| definition.insert(Value::string(key), value);
        if let Some(name) = &object.name {
            add("name", Value::String(name.clone()));
        }
        if let Some(parent) = &object.parent {
            add("parent", self.ty(parent)?);
        }
        if !object.type_parameters.is_empty() {
            let data = |(name, ty): &(SmolStr, Type)| {
                let ty = match ty {
                    Type::Optional(Some(inner)) => inner,
                    ty => ty,
                };
                Ok((Value::String(name.clone()), self.ty(ty)?))
            };
            add("type_parameters", Value::hash(all(object.type_parameters.iter().map(data))?));
        }
        let (constants, attributes): (Vec<&ObjectAttribute>, Vec<&ObjectAttribute>) =
            object.attributes.iter().partition(|it| is_plain_constant(it, self.env));
        if !attributes.is_empty() {
            let data = |it: &ObjectAttribute| Ok((Value::String(it.name.clone()), self.attribute(it)?));
            add("attributes", Value::hash(all(attributes.into_iter().map(data))?));
        }
        if !constants.is_empty() {
            let data = |it: &ObjectAttribute| {
                let value = it.value.as_ref().unwrap_or(&Value::Undef);
                Ok((Value::String(it.name.clone()), self.value(value)?))
            };
            add("constants", Value::hash(all(constants.into_iter().map(data))?));
        }
        if !object.functions.is_empty() {
            let data = |it: &ObjectFunction| {
                let ty = self.ty(&it.ty)?;
                Ok((Value::String(it.name.clone()), member(ty, it.is_final, it.overrides, None, None)))
            };
            add("functions", Value::hash(all(object.functions.iter().map(data))?));
        }
        if let Some(equality) = &object.equality {
            add("equality", Value::array(equality.iter().cloned().map(Value::String).collect::<Vec<_>>()));
        }
        Ok(Value::Hash(Arc::new(definition)))
    }

    fn attribute(&mut self, attribute: &ObjectAttribute) -> RichDataResult {
        let is_final = attribute.is_final && attribute.kind != ObjectAttributeKind::Constant;
        let value = attribute.value.as_ref().map(|value| self.value(value)).transpose()?;
        Ok(member(self.ty(&attribute.ty)?, is_final, attribute.overrides, attribute.kind.word(), value))
    }
}

/// Only the type, if there is nothing else to say.
fn member(ty: Value, is_final: bool, overrides: bool, kind: Option<&str>, value: Option<Value>) -> Value {
    if !is_final && !overrides && kind.is_none() && value.is_none() {
        return ty;
    }
    let mut entries = vec![("type", ty)];
    entries.extend(is_final.then_some(("final", Value::Boolean(true))));
    entries.extend(overrides.then_some(("override", Value::Boolean(true))));
    entries.extend(kind.map(|kind| ("kind", Value::string(kind))));
    entries.extend(value.map(|value| ("value", value)));
    Value::hash(entries.into_iter().map(|(key, value)| (Value::string(key), value)))
}

fn all<T>(data: impl Iterator<Item = Result<T, RichDataError>>) -> Result<Vec<T>, RichDataError> {
    data.collect()
}

fn integer_type(range: IntegerRange) -> RichDataResult {
    let from = (range.min != i64::MIN).then_some(Value::Integer(range.min));
    let to = (!range.is_unlimited()).then_some(Value::Integer(range.max));
    Tagged::new("Pcore::IntegerType").with_limits(from, to).done()
}

fn time_type<T: fmt::Display>(tagged: Tagged, name: &str, range: Option<&TimeRange<T>>) -> RichDataResult {
    let limit = |limit: Option<&T>| limit.map(|limit| textual(name, limit.to_string())).transpose();
    let from = limit(range.and_then(|range| range.from.as_ref()))?;
    let to = limit(range.and_then(|range| range.to.as_ref()))?;
    tagged.with_limits(from, to).done()
}

/// Nothing where no size was written.
fn size_type(size: IntegerRange) -> Result<Option<Value>, RichDataError> {
    if size == IntegerRange::SIZE { Ok(None) } else { integer_type(size).map(Some) }
}
