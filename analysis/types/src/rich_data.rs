//! Serialization of values to plain data in Puppet's rich data format, as used by catalogs and by
//! `eval --format json`.
//!
//! Values without a plain data form become hashes with the key `__ptype`; see "Pcore data representation" in
//! the Puppet specification.

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

/// Reason why a value cannot be serialized.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RichDataError {
    /// A part of the value is unknown.
    Unknown(Origin),
    /// The value has no data form: functions, iterators, type sets, recursive types.
    NotSerializable(String),
    /// The value is too large.
    TooLarge,
}

impl RichDataError {
    fn recursive_type(name: &str) -> RichDataError {
        RichDataError::NotSerializable(format!("the recursive type `{name}`"))
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

/// Converts a value to data: strings, numbers, booleans, `undef`, arrays, and hashes with string keys.
/// Includes the contents of a `Sensitive`.
pub fn rich_data(value: &Value, env: &dyn TypeEnvironment) -> RichDataResult {
    Serializer::new(env, false).serialize(value)
}

/// Maximum nesting of type names that are unfolded.
const MAX_UNFOLD_DEPTH: usize = 64;

struct Serializer<'e> {
    env: &'e dyn TypeEnvironment,
    /// Aliases that are being unfolded.
    unfolding: Vec<SmolStr>,
    budget: usize,
    depth: usize,
    /// True if unknown values are represented by their type instead of causing an error.
    keeps_unknown: bool,
}

/// Tagged hash for a value without a plain data form.
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

    /// Adds the limits of a range. `from` is always present if `to` is.
    fn with_limits(self, from: Option<Value>, to: Option<Value>) -> Tagged {
        let from = from.or_else(|| to.is_some().then_some(Value::Undef));
        self.with("from", from).with("to", to)
    }

    fn done(self) -> RichDataResult {
        Ok(Value::Hash(Arc::new(self.0)))
    }
}

/// Creates a tagged hash for a value that is fully described by its string form.
fn textual(name: &str, text: String) -> RichDataResult {
    Tagged::new(name).with("__pvalue", Value::string(text)).done()
}

impl<'e> Serializer<'e> {
    fn new(env: &'e dyn TypeEnvironment, keeps_unknown: bool) -> Serializer<'e> {
        Serializer { env, unfolding: Vec::new(), budget: VALUE_LIMIT, depth: 0, keeps_unknown }
    }

    fn serialize(&mut self, value: &Value) -> RichDataResult {
        self.enter()?;
        let data = self.serialize_value(value);
        self.depth -= 1;
        data
    }

    /// Counts a value or type against the limits.
    fn enter(&mut self) -> Result<(), RichDataError> {
        self.budget = self.budget.checked_sub(1).ok_or(RichDataError::TooLarge)?;
        self.depth += 1;
        if self.depth > DEPTH_LIMIT { Err(RichDataError::TooLarge) } else { Ok(()) }
    }

    fn serialize_value(&mut self, value: &Value) -> RichDataResult {
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
                    elements.iter().map(|element| self.serialize(element)).collect();
                Ok(Value::array(elements?))
            }
            Value::Hash(entries) => self.serialize_hash(entries),
            Value::Sensitive(inner) => {
                Tagged::new("Sensitive").with("__pvalue", self.serialize(inner)?).done()
            }
            Value::Regexp(regexp) => textual("Regexp", regexp.to_source_text()),
            Value::Binary(_) => textual("Binary", plain_text(value, self.env)?),
            Value::Timestamp(_) => textual("Timestamp", plain_text(value, self.env)?),
            Value::Timespan(_) => textual("Timespan", plain_text(value, self.env)?),
            Value::SemVer(_) => textual("SemVer", plain_text(value, self.env)?),
            Value::SemVerRange(_) => textual("SemVerRange", plain_text(value, self.env)?),
            Value::Uri(_) => textual("URI", plain_text(value, self.env)?),
            Value::Type(ty) => self.serialize_type(ty),
            Value::Object(object) => {
                let Some(name) = &object.ty.name else {
                    return Err(RichDataError::NotSerializable("an object type without a name".into()));
                };
                let mut tagged = Tagged::new(name);
                for (key, value) in initialization_entries(object, self.env).iter() {
                    let value = self.serialize(value)?;
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

    fn serialize_hash(&mut self, entries: &HashValue) -> RichDataResult {
        if entries.keys().all(|key| key.as_str().is_some_and(|key| key != "__ptype")) {
            let entries: Result<HashValue, RichDataError> =
                entries.iter().map(|(key, value)| Ok((key.clone(), self.serialize(value)?))).collect();
            return Ok(Value::Hash(Arc::new(entries?)));
        }
        let mut flat = Vec::with_capacity(entries.len() * 2);
        for (key, value) in entries.iter() {
            flat.push(self.serialize(key)?);
            flat.push(self.serialize(value)?);
        }
        Tagged::new("Hash").with("__pvalue", Value::array(flat)).done()
    }

    fn serialize_types(&mut self, types: &[Type]) -> RichDataResult {
        let types: Result<Vec<Value>, _> = types.iter().map(|ty| self.serialize_type(ty)).collect();
        Ok(Value::array(types?))
    }

    fn serialize_type(&mut self, ty: &Type) -> RichDataResult {
        self.enter()?;
        let data = self.serialize_type_kind(ty);
        self.depth -= 1;
        data
    }

    fn serialize_type_kind(&mut self, ty: &Type) -> RichDataResult {
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
                tagged.with("patterns", self.serialize_types(&patterns)?).done()
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
                let parameters = parameters.as_ref().map(|it| self.serialize(it)).transpose()?;
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
            | Type::Type(_) => self.serialize_composite_type(ty, tagged),
            _ => self.serialize_named_type(ty, tagged),
        }
    }

    /// Serializes a type that is composed of other types.
    fn serialize_composite_type(&mut self, ty: &Type, tagged: Tagged) -> RichDataResult {
        match ty {
            Type::Collection(size) => tagged.with("size_type", size_type(*size)?).done(),
            Type::Array(of) => {
                let size = size_type(of.size)?;
                let element = self.serialize_unless_trailing_any(&of.element, size.is_none())?;
                tagged.with("element_type", element).with("size_type", size).done()
            }
            Type::Hash(of) => {
                let size = size_type(of.size)?;
                let value = self.serialize_unless_trailing_any(&of.value, size.is_none())?;
                let key = self.serialize_unless_trailing_any(&of.key, value.is_none())?;
                tagged.with("key_type", key).with("value_type", value).with("size_type", size).done()
            }
            Type::Tuple(tuple) => self.serialize_tuple(tuple),
            Type::Struct(members) => {
                let members: Result<Vec<Value>, _> =
                    members.iter().map(|member| self.serialize_member(member)).collect();
                tagged.with("elements", Value::array(members?)).done()
            }
            Type::Variant(types) => tagged.with("types", self.serialize_types(types)?).done(),
            Type::Iterable(of)
            | Type::Iterator(of)
            | Type::Optional(of)
            | Type::NotUndef(of)
            | Type::Type(of) => {
                let inner = of.as_deref().map(|inner| self.serialize_type(inner)).transpose()?;
                tagged.with("type", inner).done()
            }
            _ => tagged.done(),
        }
    }

    /// Serializes a catalog type, a user-defined type or a type without arguments. The arguments of Boolean
    /// and Sensitive types are not part of their data.
    fn serialize_named_type(&mut self, ty: &Type, tagged: Tagged) -> RichDataResult {
        match ty {
            Type::Callable(callable) => {
                let parameters =
                    callable.parameters.as_ref().map(|it| self.serialize_tuple(it)).transpose()?;
                let block = callable.block.as_ref().map(|it| self.serialize_type(it)).transpose()?;
                let returns = callable.returns.as_ref().map(|it| self.serialize_type(it)).transpose()?;
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
                let arguments = self.serialize(&Value::array(init.arguments.to_vec()))?;
                let arguments = (!init.arguments.is_empty()).then_some(arguments);
                tagged.with("type", self.serialize_type(&init.ty)?).with("init_args", arguments).done()
            }
            Type::Object(None) => tagged.with("_pcore_init_hash", Value::hash([])).done(),
            Type::Object(Some(object)) => {
                let definition = self.serialize_object_type(object)?;
                tagged.with("_pcore_init_hash", definition).done()
            }
            Type::ObjectExtension(extension) => {
                let parameters: Result<Vec<(Value, Value)>, RichDataError> = extension
                    .parameters
                    .iter()
                    .map(|(name, value)| Ok((Value::String(name.clone()), self.serialize(value)?)))
                    .collect();
                Tagged::new("Pcore::ObjectTypeExtension::Type")
                    .with("base_type", self.serialize_type(&extension.base)?)
                    .with("init_parameters", Value::hash(parameters?))
                    .done()
            }
            Type::TypeSet(_) => Err(RichDataError::NotSerializable("a type set".into())),
            Type::RichDataKey => {
                self.serialize_resolved_alias("RichDataKey", &Type::variant([Type::STRING, Type::Numeric]))
            }
            Type::Data | Type::RichData => Err(RichDataError::recursive_type(&ty.to_string())),
            Type::Alias(name) => self.serialize_alias(name),
            Type::Reference(text) => tagged.with("type_string", Value::String(text.clone())).done(),
            _ => tagged.done(),
        }
    }

    /// Serializes a type, or returns `None` if it is a redundant trailing `Any`.
    fn serialize_unless_trailing_any(
        &mut self,
        ty: &Type,
        is_trailing: bool,
    ) -> Result<Option<Value>, RichDataError> {
        if is_trailing && *ty == Type::Any { Ok(None) } else { self.serialize_type(ty).map(Some) }
    }

    fn serialize_tuple(&mut self, tuple: &TupleType) -> RichDataResult {
        let size = tuple.size.map(integer_type).transpose()?;
        Tagged::new("Pcore::TupleType")
            .with("types", self.serialize_types(&tuple.types)?)
            .with("size_type", size)
            .done()
    }

    fn serialize_member(&mut self, member: &StructMember) -> RichDataResult {
        let name = Type::LiteralString(member.name.clone());
        let key = match member.key {
            StructKey::Required => name,
            StructKey::Optional => Type::optional(name),
        };
        Tagged::new("Pcore::StructElement")
            .with("key_type", self.serialize_type(&key)?)
            .with("value_type", self.serialize_type(&member.value)?)
            .done()
    }

    fn serialize_alias(&mut self, name: &str) -> RichDataResult {
        if self.unfolding.iter().any(|outer| outer == name) || self.unfolding.len() > MAX_UNFOLD_DEPTH {
            return Err(RichDataError::recursive_type(name));
        }
        let Some(resolved) = alias_target(name, self.env) else {
            return Err(RichDataError::NotSerializable(format!("the unknown type `{name}`")));
        };
        self.unfolding.push(name.into());
        let data = self.serialize_resolved_alias(name, &resolved);
        self.unfolding.pop();
        data
    }

    fn serialize_resolved_alias(&mut self, name: &str, resolved: &Type) -> RichDataResult {
        Tagged::new("Pcore::TypeAliasType")
            .with("name", Value::string(name))
            .with("type_expr", Value::Undef)
            .with("resolved_type", self.serialize_type(resolved)?)
            .done()
    }

    /// Creates the initialization hash of an object type. Functions are represented by their types, like
    /// attributes.
    fn serialize_object_type(&mut self, object: &ObjectType) -> RichDataResult {
        let Some(name) = &object.name else { return self.serialize_definition(object) };
        if self.unfolding.contains(name) || self.unfolding.len() > MAX_UNFOLD_DEPTH {
            return Err(RichDataError::recursive_type(name));
        }
        self.unfolding.push(name.clone());
        let definition = self.serialize_definition(object);
        self.unfolding.pop();
        definition
    }

    fn serialize_definition(&mut self, object: &ObjectType) -> RichDataResult {
        let mut definition = HashValue::default();
        let mut add = |key: &str, value: Value| definition.insert(Value::string(key), value);
        if let Some(name) = &object.name {
            add("name", Value::String(name.clone()));
        }
        if let Some(parent) = &object.parent {
            add("parent", self.serialize_type(parent)?);
        }
        if !object.type_parameters.is_empty() {
            let data = |(name, ty): &(SmolStr, Type)| {
                let ty = match ty {
                    Type::Optional(Some(inner)) => inner,
                    ty => ty,
                };
                Ok((Value::String(name.clone()), self.serialize_type(ty)?))
            };
            add("type_parameters", Value::hash(all(object.type_parameters.iter().map(data))?));
        }
        let (constants, attributes): (Vec<&ObjectAttribute>, Vec<&ObjectAttribute>) =
            object.attributes.iter().partition(|it| is_plain_constant(it, self.env));
        if !attributes.is_empty() {
            let data =
                |it: &ObjectAttribute| Ok((Value::String(it.name.clone()), self.serialize_attribute(it)?));
            add("attributes", Value::hash(all(attributes.into_iter().map(data))?));
        }
        if !constants.is_empty() {
            let data = |it: &ObjectAttribute| {
                let value = it.value.as_ref().unwrap_or(&Value::Undef);
                Ok((Value::String(it.name.clone()), self.serialize(value)?))
            };
            add("constants", Value::hash(all(constants.into_iter().map(data))?));
        }
        if !object.functions.is_empty() {
            let data = |it: &ObjectFunction| {
                let ty = self.serialize_type(&it.ty)?;
                Ok((Value::String(it.name.clone()), member(ty, it.is_final, it.overrides, None, None)))
            };
            add("functions", Value::hash(all(object.functions.iter().map(data))?));
        }
        if let Some(equality) = &object.equality {
            add("equality", Value::array(equality.iter().cloned().map(Value::String).collect::<Vec<_>>()));
        }
        Ok(Value::Hash(Arc::new(definition)))
    }

    fn serialize_attribute(&mut self, attribute: &ObjectAttribute) -> RichDataResult {
        let is_final = attribute.is_final && attribute.kind != ObjectAttributeKind::Constant;
        let value = attribute.value.as_ref().map(|value| self.serialize(value)).transpose()?;
        Ok(member(
            self.serialize_type(&attribute.ty)?,
            is_final,
            attribute.overrides,
            attribute.kind.word(),
            value,
        ))
    }
}

/// Creates the data of a member, which is just its type if nothing else is set.
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

/// Serializes an explicit size, or returns `None` if none was written.
fn size_type(size: IntegerRange) -> Result<Option<Value>, RichDataError> {
    if size == IntegerRange::SIZE { Ok(None) } else { integer_type(size).map(Some) }
}
