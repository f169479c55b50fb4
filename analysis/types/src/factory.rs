//! Construction of types from validated parameters, shared by `[ ]` expressions and by types parsed from
//! strings.
//!
//! Errors are plain messages; callers add the location.

use std::sync::Arc;

use codes::Code;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use scalars::regexp::Regexp;
use scalars::semver::VersionRange;
use scalars::timespan::{Timespan, TimespanLimit};
use scalars::timestamp::Timestamp;
use scalars::uri::Uri;
use smol_str::SmolStr;

use crate::assign::{is_assignable, is_instance, unfold_alias};
use crate::common::generalize;
use crate::constructor::{Constructor, Selection, select, times};
use crate::display::takes_undef;
use crate::environment::TypeEnvironment;
use crate::infer::infer;
use crate::object::init::catch_refusal;
use crate::object::members::type_parameters;
use crate::object::{ObjectError, object_type_from_hash, type_set_from_hash};
use crate::ty::*;
use crate::value::{HashValue, Value};

type FactoryResult = Result<Type, String>;

/// Creates a range from one or two limits: integers, `default`, or `undef`, which means `default`.
pub(crate) fn integer_range(from: &Value, to: Option<&Value>) -> Result<IntegerRange, String> {
    let limit = |value: &Value, unlimited: i64| match value {
        Value::Integer(value) => Ok(*value),
        Value::Default | Value::Undef => Ok(unlimited),
        _ => Err("range limits must be integers or `default`".to_owned()),
    };
    let min = limit(from, i64::MIN)?;
    let max = to.map_or(Ok(i64::MAX), |to| limit(to, i64::MAX))?;
    if min > max {
        return Err(format!("range minimum {min} exceeds the maximum {max}"));
    }
    Ok(IntegerRange { min, max })
}

/// Creates `Integer[from, to]`; the limits may exceed 64 bits.
pub(crate) fn integer_type(from: &Value, to: Option<&Value>) -> FactoryResult {
    let limit = |value: &Value| match value {
        Value::Default | Value::Undef => Ok(None),
        value => value
            .as_wide_integer()
            .map(Some)
            .ok_or_else(|| "range limits must be integers or `default`".to_owned()),
    };
    let range = WideRange { min: limit(from)?, max: to.map_or(Ok(None), limit)? };
    if let (Some(min), Some(max)) = (range.min, range.max)
        && min > max
    {
        return Err(format!("range minimum {min} exceeds the maximum {max}"));
    }
    Ok(range.into_type())
}

/// Creates a range from one or two limits: numbers, `default`, or `undef`, which means `default`.
pub(crate) fn float_range(from: &Value, to: Option<&Value>) -> Result<FloatRange, String> {
    let limit = |value: &Value, unlimited: f64| match value {
        Value::Default | Value::Undef => Ok(unlimited),
        value => value.as_number().ok_or_else(|| "range limits must be numbers or `default`".to_owned()),
    };
    let min = limit(from, f64::NEG_INFINITY)?;
    let max = to.map_or(Ok(f64::INFINITY), |to| limit(to, f64::INFINITY))?;
    if min > max {
        return Err(format!("range minimum {min} exceeds the maximum {max}"));
    }
    Ok(FloatRange::new(min, max))
}

/// Clamps a range to a valid explicit size, which is never negative.
pub(crate) fn as_size(range: IntegerRange) -> IntegerRange {
    match IntegerRange::new(range.min.max(0), range.max.max(0)) {
        IntegerRange::SIZE => IntegerRange::WRITTEN_SIZE,
        size => size,
    }
}

/// Creates `Array[element, range]`. If all instances are empty, the element type is dropped.
pub(crate) fn sized_array(element: Type, range: IntegerRange) -> Type {
    let element = if range == IntegerRange::exactly(0) { Type::Unit } else { element };
    Type::array(element, as_size(range))
}

/// Creates `Hash[key, value, range]`.
pub(crate) fn sized_hash(key: Type, value: Type, range: IntegerRange) -> Type {
    if range == IntegerRange::exactly(0) {
        Type::hash(Type::Unit, Type::Unit, range)
    } else {
        Type::hash(key, value, as_size(range))
    }
}

/// Returns true if the value may be a size limit at the end of a list of types.
pub(crate) fn is_range_limit(value: &Value) -> bool {
    matches!(value, Value::Integer(_) | Value::Default) || value.as_str() == Some("default")
}

/// Removes one or two size limits from the end of a list and returns their range.
pub(crate) fn trailing_range(keys: &mut Vec<Value>) -> Result<Option<IntegerRange>, String> {
    let limits = keys.iter().rev().take(2).take_while(|key| is_range_limit(key)).count();
    let limits = keys.split_off(keys.len() - limits);
    match limits.as_slice() {
        [] => Ok(None),
        [from, rest @ ..] => {
            if from.as_str().is_some() {
                return Err("minimum size must be an integer or `default`".to_owned());
            }
            let to = rest.first().map(|to| if to.as_str().is_some() { &Value::Default } else { to });
            integer_range(from, to).map(Some)
        }
    }
}

/// Creates `Variant[types]` with nested variants flattened and duplicates removed. A single type is returned
/// as is.
pub(crate) fn variant_of(types: impl IntoIterator<Item = Type>) -> Type {
    let mut flat = Vec::new();
    for ty in types {
        match ty {
            Type::Variant(inner) => flat.extend(inner.iter().cloned()),
            ty => flat.push(ty),
        }
    }
    let mut flat = without_repetitions(flat);
    match flat.len() {
        1 => flat.swap_remove(0),
        _ => Type::variant(flat),
    }
}

/// Removes duplicates. Short lists are compared pairwise, which is faster than hashing.
fn without_repetitions(types: Vec<Type>) -> Vec<Type> {
    const FEW: usize = 8;
    if types.len() > FEW {
        return types.into_iter().collect::<IndexSet<Type, FxBuildHasher>>().into_iter().collect();
    }
    let mut unique: Vec<Type> = Vec::with_capacity(types.len());
    for ty in types {
        if !unique.contains(&ty) {
            unique.push(ty);
        }
    }
    unique
}

/// Creates `Pattern[patterns]` without duplicates.
pub(crate) fn pattern_of(patterns: impl IntoIterator<Item = Regexp>) -> Type {
    let mut unique: Vec<Regexp> = Vec::new();
    for pattern in patterns {
        if !unique.contains(&pattern) {
            unique.push(pattern);
        }
    }
    Type::Pattern(unique.into())
}

pub(crate) fn not_undef(ty: Type) -> Type {
    Type::NotUndef(Some(ty).filter(|ty| *ty != Type::Any).map(Arc::new))
}

/// Creates `Sensitive[ty]`, which always contains the generalized type.
pub(crate) fn sensitive(ty: &Type, env: &dyn TypeEnvironment) -> Type {
    let general = generalize(ty, env);
    Type::Sensitive(Some(general).filter(|ty| *ty != Type::Any).map(Arc::new))
}

/// Creates `Sensitive[type]`.
pub(crate) fn sensitive_of(ty: &Type, env: &dyn TypeEnvironment) -> FactoryResult {
    if crate::common::breaks_in_general_form(ty, env) {
        Err("Puppet cannot generalize the `Init` in `Sensitive[...]`".to_owned())
    } else {
        Ok(sensitive(ty, env))
    }
}

pub(crate) fn init(ty: Type, arguments: &[Value]) -> Type {
    Type::Init(Some(Arc::new(InitType { ty, arguments: arguments.into() })))
}

/// Returns the type that a value denotes where a type is expected: a type itself, the Ruby class named by a
/// string, or the generalized type of any other value.
pub(crate) fn type_of(value: &Value, env: &dyn TypeEnvironment) -> FactoryResult {
    match value {
        Value::Type(ty) => Ok((**ty).clone()),
        Value::String(name) if name.is_empty() => Err("type name is empty".to_owned()),
        Value::String(name) => Ok(Type::runtime(Some("ruby".into()), Some(name.clone()))),
        value => Ok(generalize(&infer(value, env), env)),
    }
}

/// Creates `Struct[entries]`.
pub(crate) fn struct_from_hash(entries: &HashValue, env: &dyn TypeEnvironment) -> FactoryResult {
    let mut members = Vec::with_capacity(entries.len());
    for (key, value) in entries.iter() {
        let value = type_of(value, env)?;
        let (name, key) = match key {
            Value::String(name) if name.is_empty() => {
                return Err("`Struct` key is empty".to_owned());
            }
            Value::String(name) if may_be_left_out(&value, env)? => (name.clone(), StructKey::Optional),
            Value::String(name) => (name.clone(), StructKey::Required),
            Value::Type(ty) => struct_key(ty)?,
            _ => return Err(struct_key_error()),
        };
        members.push(StructMember { name, key, value });
    }
    Ok(Type::Struct(members.into()))
}

/// Returns true if the value type of an entry accepts `undef`.
///
/// # Errors
/// The refusal, if Puppet fails on an `Init`.
fn may_be_left_out(ty: &Type, env: &dyn TypeEnvironment) -> Result<bool, String> {
    let alternatives = match ty {
        Type::Variant(types) => &types[..],
        single => std::slice::from_ref(single),
    };
    for ty in alternatives {
        let takes = match ty {
            Type::Init(Some(_)) | Type::Iterable(Some(_)) if env.constructor_depth() == 0 => {
                catch_refusal(env, || is_assignable(ty, &Type::Undef, env))?
            }
            ty => takes_undef(ty, env),
        };
        if takes {
            return Ok(true);
        }
    }
    Ok(false)
}

fn struct_key(ty: &Type) -> Result<(SmolStr, StructKey), String> {
    let (inner, key) = match ty {
        Type::NotUndef(Some(inner)) => (&**inner, StructKey::Required),
        Type::Optional(Some(inner)) => (&**inner, StructKey::Optional),
        ty => (ty, StructKey::Required),
    };
    match inner {
        Type::LiteralString(name) if !name.is_empty() => Ok((name.clone(), key)),
        _ => Err(struct_key_error()),
    }
}

fn struct_key_error() -> String {
    "`Struct` key must be a string, `Optional['name']` or `NotUndef['name']`".to_owned()
}

/// Creates `Callable[keys]`. Arrays are not flattened: a leading array holds the parameters, and the second
/// key is the return type.
pub(crate) fn callable_from(keys: &[Value], env: &dyn TypeEnvironment) -> FactoryResult {
    let (mut keys, returns) = match keys {
        [Value::Array(parameters), returns] => (parameters.to_vec(), Some(type_of(returns, env)?)),
        keys => (keys.to_vec(), None),
    };
    let last_is_block =
        keys.last().and_then(Value::as_type).is_some_and(|ty| is_block_type(ty, env, &mut Vec::new()));
    let block = keys.pop_if(|_| last_is_block).and_then(|block| block.as_type().cloned());
    let size = trailing_range(&mut keys)?;
    let mut types = keys.iter().map(|key| type_of(key, env)).collect::<Result<Vec<Type>, String>>()?;
    if types.is_empty() && size.is_some_and(|size| size.max > 0) {
        types.push(Type::Unit);
    }
    let parameters = TupleType { types: types.into(), size: size.map(as_size) };
    Ok(Type::callable(Some(parameters), block, returns.filter(|returns| *returns != Type::Any)))
}

/// Returns true for `Callable` and `Optional[Callable]`, which denote the block if they are the last
/// parameter of a `Callable`.
///
/// `known` caches the answers for aliases; those that are being resolved count as false.
fn is_block_type(ty: &Type, env: &dyn TypeEnvironment, known: &mut Vec<(SmolStr, bool)>) -> bool {
    match ty {
        Type::Callable(_) => true,
        Type::Optional(Some(inner)) => is_block_type(inner, env, known),
        Type::Variant(types) => types.iter().all(|ty| is_block_type(ty, env, known)),
        Type::Alias(name) => {
            if let Some((_, answer)) = known.iter().find(|(alias, _)| alias == name) {
                return *answer;
            }
            let at = known.len();
            known.push((name.clone(), false));
            let answer = unfold_alias(ty, env).is_some_and(|target| is_block_type(&target, env, known));
            known[at].1 = answer;
            answer
        }
        _ => false,
    }
}

/// Creates `SemVer[ranges]` from strings and ranges, merging adjacent ranges.
pub(crate) fn sem_ver(keys: &[Value]) -> FactoryResult {
    let range = |key: &Value| match key {
        Value::SemVerRange(range) => Ok((**range).clone()),
        Value::String(text) => VersionRange::parse(text).map_err(|error| error.to_string()),
        _ => Err("arguments of `SemVer[ ]` must be version ranges".to_owned()),
    };
    let ranges = keys.iter().map(range).collect::<Result<Vec<_>, _>>()?;
    Ok(Type::SemVer(VersionRange::merge_all(ranges).into()))
}

/// Creates `Timestamp[from, to]`.
pub(crate) fn timestamp(keys: &[Value], env: &dyn TypeEnvironment) -> FactoryResult {
    let point = |key: &Value| match key {
        Value::Undef | Value::Default => Ok(None),
        Value::Timestamp(time) => Ok(Some(**time)),
        Value::Integer(_) | Value::WideInteger(_) => {
            Ok(Some(Timestamp { nanoseconds: whole_seconds_as_nanoseconds(key)? }))
        }
        Value::Float(seconds) => Ok(Some(Timestamp { nanoseconds: seconds_as_nanoseconds(seconds.0)? })),
        Value::String(_) | Value::Hash(_) => match construct_time(Constructor::Timestamp, key, env)? {
            Some(Value::Timestamp(time)) => Ok(Some(*time)),
            _ => Err(NO_TIME.to_owned()),
        },
        _ => Err(NO_TIME.to_owned()),
    };
    let range = time_range(keys, point)?;
    Ok(Type::Timestamp(range.map(Arc::new)))
}

/// Creates `Timespan[from, to]`.
pub(crate) fn timespan(keys: &[Value], env: &dyn TypeEnvironment) -> FactoryResult {
    let span = |key: &Value| match key {
        Value::Undef | Value::Default => Ok(None),
        Value::Timespan(time) => Ok(Some(TimespanLimit::from(**time))),
        Value::Integer(_) | Value::WideInteger(_) => {
            Ok(Some(Timespan { nanoseconds: whole_seconds_as_nanoseconds(key)? }.into()))
        }
        Value::Float(seconds) => match seconds.0 * NANOSECONDS as f64 {
            nanoseconds if nanoseconds.is_finite() => Ok(Some(TimespanLimit::Fraction(nanoseconds))),
            _ => Err(INFINITE_TIME.to_owned()),
        },
        Value::String(_) | Value::Hash(_) => {
            match construct_time(Constructor::Timespan, &known_fields(key), env)? {
                Some(Value::Timespan(time)) => Ok(Some(TimespanLimit::from(*time))),
                _ => Err(NO_TIME.to_owned()),
            }
        }
        _ => Err(NO_TIME.to_owned()),
    };
    let range = time_range(keys, span)?;
    Ok(Type::Timespan(range.map(Arc::new)))
}

/// Drops unknown keys, which `Timespan[ ]` ignores.
fn known_fields(key: &Value) -> Value {
    const FIELDS: [&str; 10] = [
        "string",
        "format",
        "negative",
        "days",
        "hours",
        "minutes",
        "seconds",
        "milliseconds",
        "microseconds",
        "nanoseconds",
    ];
    match key {
        Value::Hash(entries) => {
            let known =
                entries.iter().filter(|(name, _)| name.as_str().is_some_and(|name| FIELDS.contains(&name)));
            Value::hash(known.map(|(name, value)| (name.clone(), value.clone())))
        }
        key => key.clone(),
    }
}

const INFINITE_TIME: &str = "time is infinite";
const NO_TIME: &str = "time must be a string, a number, or a hash";

/// Constructs a time from a string or a hash. Returns `None` if the result is unknown.
fn construct_time(
    constructor: Constructor,
    key: &Value,
    env: &dyn TypeEnvironment,
) -> Result<Option<Value>, String> {
    let arguments = std::slice::from_ref(key);
    let selection = select(constructor, arguments, env).map_err(|error| error.to_string())?;
    if selection == Selection::Possible || key.least_trustworthy().is_some() {
        return Ok(None);
    }
    let made = match constructor {
        Constructor::Timestamp => times::timestamp(arguments),
        _ => times::timespan(arguments),
    };
    made.map(Some).map_err(|error| error.to_string())
}

const NANOSECONDS: i128 = 1_000_000_000;

fn whole_seconds_as_nanoseconds(seconds: &Value) -> Result<i128, String> {
    let nanoseconds = seconds.as_wide_integer().and_then(|seconds| seconds.checked_mul(NANOSECONDS));
    nanoseconds.ok_or_else(|| INFINITE_TIME.to_owned())
}

fn seconds_as_nanoseconds(seconds: f64) -> Result<i128, String> {
    let nanoseconds = seconds * NANOSECONDS as f64;
    if nanoseconds.is_finite() { Ok(nanoseconds as i128) } else { Err(INFINITE_TIME.to_owned()) }
}

/// Creates a range of times, or `None` if both ends are open.
fn time_range<T: Copy + Ord>(
    keys: &[Value],
    limit: impl Fn(&Value) -> Result<Option<T>, String>,
) -> Result<Option<TimeRange<T>>, String> {
    let from = keys.first().map_or(Ok(None), &limit)?;
    let to = keys.get(1).map_or(Ok(None), &limit)?;
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        return Err("time range ends before it begins".to_owned());
    }
    Ok((from.is_some() || to.is_some()).then_some(TimeRange { from, to }))
}

/// Components of a URI.
const URI_PARTS: [&str; 8] = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];

/// Returns true if the value is a valid argument of `URI[ ]`: a string, or a hash of components with values
/// to match them against.
pub(crate) fn is_uri_parameter(value: &Value, env: &dyn TypeEnvironment) -> bool {
    let takes_part = |name: &str, value: &Value| match value {
        Value::Undef => true,
        Value::Type(ty) => **ty == Type::Undef || !takes_undef(ty, env),
        Value::Integer(number) => name == "port" && *number >= 0,
        Value::String(text) => name != "port" && !text.is_empty(),
        Value::Regexp(_) => name != "port",
        _ => false,
    };
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Hash(parts) => parts.iter().all(|(name, value)| match name.as_str() {
            Some(name) => URI_PARTS.contains(&name) && takes_part(name, value),
            None => false,
        }),
        _ => false,
    }
}

/// Creates `URI[parameter]`.
pub(crate) fn uri(parameter: &Value) -> FactoryResult {
    let parts = match parameter {
        Value::String(text) => {
            let uri = Uri::parse(text).map_err(|error| error.to_string())?;
            if uri.scheme().is_none() {
                return Err(format!("`{text}` is not an absolute URI"));
            }
            uri_parts(&uri)
        }
        Value::Uri(uri) => uri_parts(uri),
        Value::Hash(parts) => (**parts).clone(),
        _ => return Err("argument of `URI[ ]` must be a URI or a hash of its components".to_owned()),
    };
    if parts.is_empty() {
        return Ok(Type::Uri(None));
    }
    Ok(Type::Uri(Some(Arc::new(Value::Hash(Arc::new(parts))))))
}

/// Returns the components of a URI as `URI[ ]` compares them: without default ports, scheme and host in
/// lowercase.
fn uri_parts(uri: &Uri) -> HashValue {
    let scheme = uri.scheme().map(str::to_lowercase);
    let implied = match scheme.as_deref() {
        Some("http") => Some(80),
        Some("https") => Some(443),
        _ => None,
    };
    let port = uri.port().filter(|port| Some(i64::from(*port)) != implied).map(|port| port.to_string());
    let text = |part: Option<&str>| part.map(str::to_owned);
    let parts = [
        ("scheme", scheme),
        ("userinfo", text(uri.userinfo())),
        ("host", uri.host().filter(|host| !host.is_empty()).map(str::to_lowercase)),
        ("port", port),
        ("path", text(uri.path().filter(|path| !path.is_empty()))),
        ("query", text(uri.query())),
        ("fragment", text(uri.fragment())),
        ("opaque", text(uri.opaque())),
    ];
    let present = parts.into_iter().filter_map(|(name, part)| Some((name, part?)));
    present.map(|(name, part)| (Value::string(name), Value::string(part))).collect()
}

/// Creates `Runtime[runtime, name]` or `Runtime[runtime, [pattern, replacement]]`.
pub(crate) fn runtime_from(keys: &[Value]) -> FactoryResult {
    let [system, name] = keys else {
        return Err("`Runtime[ ]` takes two arguments".to_owned());
    };
    let system = match system {
        Value::String(system) => Some(system.clone()),
        Value::Undef => None,
        _ => return Err("runtime name must be a string".to_owned()),
    };
    let (name, pattern) = match name {
        Value::Undef => (None, None),
        Value::String(name) if !name.is_empty() => (Some(name.clone()), None),
        Value::Array(pair) => match pair.as_slice() {
            [Value::Regexp(pattern), Value::String(replacement)] if !replacement.is_empty() => {
                (None, Some((pattern.clone(), replacement.clone())))
            }
            _ => return Err(RUNTIME_NAME.to_owned()),
        },
        _ => return Err(RUNTIME_NAME.to_owned()),
    };
    Ok(Type::Runtime(Arc::new(RuntimeType { runtime: system, name, pattern })))
}

const RUNTIME_NAME: &str = "runtime type name must be a nonempty string, or a pattern and its replacement";

/// Returns the initialization hash of `Object[ ]` or `TypeSet[ ]`, or `None` if the argument is not a hash.
fn entries_of<'v>(key: &'v Value, what: &str) -> Result<Option<&'v HashValue>, ObjectError> {
    match key {
        Value::Undef => Ok(None),
        Value::String(text) if text.is_empty() => Ok(None),
        Value::Hash(entries) => Ok((!entries.is_empty()).then_some(entries)),
        _ => Err(ObjectError {
            code: Code::RuntimeError,
            message: format!("argument of `{what}[ ]` must be a hash"),
        }),
    }
}

/// Creates `Object[{...}]`.
pub(crate) fn object_from(key: &Value, env: &dyn TypeEnvironment) -> Result<Type, ObjectError> {
    let entries = entries_of(key, "Object")?;
    let object = entries.map(|it| object_type_from_hash(it, None, env)).transpose()?;
    Ok(Type::Object(object.map(Arc::new)))
}

/// Creates `TypeSet[{...}]`.
pub(crate) fn type_set_from(key: &Value, env: &dyn TypeEnvironment) -> Result<Type, ObjectError> {
    let entries = entries_of(key, "TypeSet")?;
    let set = entries.map(|it| type_set_from_hash(it, None, env)).transpose()?;
    Ok(Type::TypeSet(set.map(Arc::new)))
}

/// Creates `Base[keys]` for an object type with type parameters, given by position or as a hash of names.
pub(crate) fn object_extension(base: &Type, keys: &[Value], env: &dyn TypeEnvironment) -> FactoryResult {
    let Type::Object(Some(object)) = base else {
        return Err("only object types have type parameters".to_owned());
    };
    let name = object.name.as_deref().unwrap_or("Object");
    let declared = type_parameters(object, env);
    let Some((_, first)) = declared.first() else {
        return Err(format!("type `{name}` has no type parameters"));
    };
    let takes = |ty: &Type, value: &Value| value.is_undef() || is_instance(ty, value, env);
    let mut parameters: Vec<(SmolStr, Value)> =
        declared.iter().map(|(name, _)| (name.clone(), Value::Default)).collect();
    let mut set = |at: usize, value: &Value| {
        let (parameter, ty) = &declared[at];
        if *value != Value::Default && !takes(ty, value) {
            return Err(format!("type parameter `{parameter}` of `{name}` must be of type `{ty}`"));
        }
        parameters[at].1 = value.clone();
        Ok(())
    };
    match keys {
        [named @ Value::Hash(by_name)] if !takes(first, named) => {
            for (key, value) in by_name.iter() {
                let at = declared.iter().position(|(parameter, _)| key.as_str() == Some(parameter));
                let Some(at) = at else {
                    return Err(format!("unknown type parameter of `{name}`"));
                };
                set(at, value)?;
            }
        }
        keys => {
            for (at, value) in keys.iter().enumerate().take(declared.len()) {
                set(at, value)?;
            }
        }
    }
    if parameters.iter().all(|(_, value)| *value == Value::Default) {
        return Err(format!("`{name}[ ]` requires a value for at least one type parameter"));
    }
    let base = base.clone();
    Ok(Type::ObjectExtension(Arc::new(ObjectExtension { base, parameters: parameters.into() })))
}
