//! Parameterized types (`[ ]` on types) and lookup of types by name.

mod named;

use codes::Code;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::common::{generalize, union};
use crate::display::capitalized_segments;
use crate::environment::TypeEnvironment;
use crate::factory::*;
use crate::infer::infer;
use crate::kind::Kinds;
use crate::ty::*;
use crate::value::{Origin, Value};
use scalars::regexp::Regexp;

pub(crate) use named::is_type_name;
pub use named::{alias_target, built_in_type, named_type};

/// Maximum nesting depth of a type.
pub const MAX_TYPE_DEPTH: usize = 256;

/// Maximum number of types and values in a type, counting shared ones once per occurrence: a few types that
/// contain each other twice amount to many.
pub const MAX_TYPE_WEIGHT: usize = 1 << 16;

/// Error of a type that does not accept its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessError {
    /// Puppet's issue code in lowercase with dashes.
    pub code: Code,
    pub message: String,
    /// Index of the offending argument, or `None` for the whole expression.
    pub argument: Option<usize>,
}

/// Evaluates `base[keys]`: a parameterized type, or an array for `File['a', 'b']`. Unknown keys produce an
/// unknown type.
///
/// # Errors
/// In the same cases as in Puppet. `File['a']['mode']` and `Class['a']['b']`, which access the catalog and
/// not the type, fail with the code `unknown-resource`.
pub fn access_type(base: &Type, keys: &[Value], env: &dyn TypeEnvironment) -> Result<Value, AccessError> {
    let access = TypeAccess { base, written: keys, env };
    if let Some(origin) = keys.iter().filter_map(Value::least_trustworthy).max() {
        return if takes_parameters(base) {
            Ok(unknown_access(base, keys, origin, env))
        } else {
            access.parameterized(Vec::new()).map(Value::ty)
        };
    }
    access.check_size()?;
    match base {
        Type::Class(name) => return access.class(name.as_deref()),
        Type::Resource(resource) => return access.resource(resource),
        _ => {}
    }
    // These take arrays as they are; all other types flatten them.
    let keys: Vec<Value> = match base {
        Type::Callable(_) | Type::Struct(_) | Type::Init(_) => keys.to_vec(),
        _ => flatten(keys),
    };
    let ty = access.parameterized(keys)?;
    Ok(Value::ty(ty))
}

/// Evaluates `base[...]` with unknown arguments to a type that covers all possible results.
fn unknown_access(base: &Type, keys: &[Value], origin: Origin, env: &dyn TypeEnvironment) -> Value {
    let (one, titles) = match base {
        // Accesses the value of a parameter in the catalog.
        Type::Class(Some(_)) => return Value::unknown(Type::Any, origin),
        Type::Resource(resource) if resource.title.is_some() => return Value::unknown(Type::Any, origin),
        Type::Class(None) => (Type::Class(None), keys),
        Type::Resource(resource) => match (&resource.type_name, keys) {
            (Some(name), keys) => (Type::resource(Some(name.clone()), None), keys),
            (None, [Value::String(name), titles @ ..]) => {
                (Type::resource(Some(capitalized_segments(name)), None), titles)
            }
            (None, keys) => (Type::resource(None, None), keys.get(1..).unwrap_or_default()),
        },
        base => return Value::unknown(Type::type_of(without_parameters(base, env)), origin),
    };
    let one = Type::type_of(one);
    let ty = match titles {
        [] => one,
        [title] => {
            // An array produces an array, and `undef` produces `undef`.
            let kinds = title.kinds(env);
            let mut results = Vec::new();
            if kinds.intersects(Kinds::STRING) {
                results.push(one.clone());
            }
            if kinds.intersects(Kinds::ARRAY) {
                results.push(Type::array_of(one));
            }
            if kinds.intersects(Kinds::UNDEF) {
                results.push(Type::Undef);
            }
            union(results, env)
        }
        _ => Type::array_of(one),
    };
    Value::unknown(ty, origin)
}

/// Returns a supertype of all types that `base[...]` can create.
fn without_parameters(base: &Type, env: &dyn TypeEnvironment) -> Type {
    match base {
        // A struct is assignable only to structs with its entries, and a variant of one type is that type.
        Type::Struct(_) | Type::Variant(_) => Type::Any,
        Type::Optional(_) => Type::Optional(None),
        Type::NotUndef(_) => Type::NotUndef(None),
        Type::Init(_) => Type::Init(None),
        Type::Object(Some(object)) if object.name.is_none() => Type::Object(None),
        Type::Enum(_) | Type::Pattern(_) => Type::STRING,
        Type::Array(_) => Type::array_of(Type::Any),
        Type::Hash(_) => Type::hash_of(Type::Any, Type::Any),
        Type::Tuple(_) => Type::tuple([], None),
        Type::Callable(_) => Type::callable(None, None, None),
        Type::Regexp(_) => Type::Regexp(None),
        Type::SemVer(_) => Type::SemVer(Arc::new([])),
        Type::Sensitive(_) => Type::Sensitive(None),
        Type::Type(_) => Type::Type(None),
        Type::Iterable(_) => Type::Iterable(None),
        Type::Iterator(_) => Type::Iterator(None),
        Type::Runtime(_) => Type::runtime(None, None),
        Type::TypeSet(_) => Type::TypeSet(None),
        base => generalize(base, env),
    }
}

/// Returns true if the type accepts any arguments.
fn takes_parameters(base: &Type) -> bool {
    !matches!(
        base,
        Type::Any
            | Type::Unit
            | Type::Undef
            | Type::Default
            | Type::Scalar
            | Type::ScalarData
            | Type::Data
            | Type::RichData
            | Type::RichDataKey
            | Type::Numeric
            | Type::Binary
            | Type::SemVerRange
            | Type::CatalogEntry
            | Type::ObjectExtension(_)
            | Type::Alias(_)
            | Type::Reference(_)
    )
}

/// Flattens nested arrays.
fn flatten(keys: &[Value]) -> Vec<Value> {
    fn push_all(keys: &[Value], flat: &mut Vec<Value>) {
        for key in keys {
            match key {
                Value::Array(elements) => push_all(elements, flat),
                key => flat.push(key.clone()),
            }
        }
    }
    let mut flat = Vec::with_capacity(keys.len());
    push_all(keys, &mut flat);
    flat
}

/// Returns true if the string is a syntactically valid name, such as `foo::bar`.
fn is_name(text: &str) -> bool {
    let text = text.strip_prefix("::").unwrap_or(text);
    text.split("::").all(|segment| {
        let mut chars = segment.chars();
        chars.next().is_some_and(|c| c.is_ascii_lowercase())
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

type TypeResult = Result<Type, AccessError>;

/// Single access with its base and keys.
struct TypeAccess<'a> {
    base: &'a Type,
    /// Keys before arrays were flattened.
    written: &'a [Value],
    env: &'a dyn TypeEnvironment,
}

impl TypeAccess<'_> {
    fn name(&self) -> String {
        match self.base {
            Type::Resource(_) | Type::Class(_) => self.base.to_string(),
            base => base.to_string().split('[').next().unwrap_or_default().to_owned(),
        }
    }

    fn error(&self, code: Code, message: impl Into<String>) -> AccessError {
        AccessError { code, message: message.into(), argument: None }
    }

    fn error_at(&self, argument: usize, code: Code, message: impl Into<String>) -> AccessError {
        let argument = Some(argument).filter(|argument| *argument < self.written.len());
        AccessError { code, message: message.into(), argument }
    }

    /// Creates an error for problems that Puppet reports without an issue code.
    fn runtime_error(&self, message: impl Into<String>) -> AccessError {
        self.error(Code::RuntimeError, message)
    }

    fn arity(&self, code: Code, wanted: &str, given: usize) -> AccessError {
        self.error(code, format!("`{}[ ]` takes {wanted}, got {given}", self.name()))
    }

    fn limits_arity(&self, given: usize) -> AccessError {
        self.arity(Code::BadIntegerSliceArity, "one or two arguments (from, to)", given)
    }

    fn check_size(&self) -> Result<(), AccessError> {
        let mut weight = 0;
        for key in self.written {
            let measure = key.measure(MAX_TYPE_WEIGHT);
            if key.as_type().is_some() && measure.depth >= MAX_TYPE_DEPTH {
                return Err(self.error(
                    Code::NestingTooDeep,
                    format!("types are nested more than {MAX_TYPE_DEPTH} levels deep"),
                ));
            }
            weight += measure.weight;
        }
        if weight > MAX_TYPE_WEIGHT {
            return Err(self.error(Code::TooLarge, "type is too large"));
        }
        Ok(())
    }

    /// Returns the generalized type of a key for messages.
    fn described(&self, key: &Value) -> String {
        generalize(&infer(key, self.env), self.env).to_string()
    }

    fn needs_type(&self, at: usize, key: &Value) -> AccessError {
        let got = self.described(key);
        self.error_at(
            at,
            Code::BadTypeSliceType,
            format!("arguments of `{}[ ]` must be types, got `{got}`", self.name()),
        )
    }

    fn bad_argument(&self, at: usize, key: &Value, wanted: &str) -> AccessError {
        let got = self.described(key);
        self.error_at(
            at,
            Code::BadTypeSpecialization,
            format!("argument of `{}[ ]` must be {wanted}, got `{got}`", self.name()),
        )
    }

    /// Returns `keys` as types, or an error if one of them is not a type.
    fn all_types(&self, keys: &[Value]) -> Result<Vec<Type>, AccessError> {
        let type_at = |(at, key): (usize, &Value)| match key.as_type() {
            Some(ty) => Ok(ty.clone()),
            None => Err(self.bad_argument(at, key, "a type")),
        };
        keys.iter().enumerate().map(type_at).collect()
    }

    fn all_strings(&self, keys: &[Value]) -> Result<Vec<SmolStr>, AccessError> {
        let string_at = |(at, key): (usize, &Value)| match key {
            Value::String(text) => Ok(text.clone()),
            key => Err(self.bad_argument(at, key, "a string")),
        };
        keys.iter().enumerate().map(string_at).collect()
    }

    /// Returns the type that is the only argument.
    fn single_type(&self, keys: &[Value]) -> TypeResult {
        match self.one(keys)? {
            Value::Type(ty) => Ok((**ty).clone()),
            key => Err(self.needs_type(0, key)),
        }
    }

    fn parameterized(&self, keys: Vec<Value>) -> TypeResult {
        match self.base {
            Type::Integer(_) | Type::WideInteger(_) => self.integer(&keys),
            Type::Float(_) => self.float(&keys),
            Type::String(_) | Type::LiteralString(_) => {
                self.size(Code::BadStringSliceArity, &keys).map(Type::String)
            }
            Type::Collection(_) => self.size(Code::BadTypeSliceArity, &keys).map(Type::Collection),
            Type::Array(_) => self.array(&keys),
            Type::Hash(_) => self.hash(&keys),
            Type::Tuple(_) => self.tuple(keys),
            Type::Struct(_) => match self.one(&keys)? {
                Value::Hash(entries) => self.refused(struct_from_hash(entries, self.env)),
                key => Err(self.bad_argument(0, key, "a hash")),
            },
            Type::Callable(_) => self.callable(&keys),
            Type::Boolean(_) => match self.one(&keys)? {
                Value::Boolean(value) => Ok(Type::Boolean(Some(*value))),
                key => Err(self.bad_argument(0, key, "true or false")),
            },
            Type::Enum(_) => self.enumeration(&keys),
            Type::Variant(_) => {
                self.at_least_one(&keys)?;
                Ok(variant_of(self.all_types(&keys)?))
            }
            Type::Pattern(_) => self.pattern(&keys),
            Type::Regexp(_) => self.regexp(&keys),
            Type::SemVer(_) => {
                self.at_least_one(&keys)?;
                self.check_version_ranges(&keys)?;
                self.refused(sem_ver(&keys))
            }
            Type::Timestamp(_) | Type::Timespan(_) => self.time(&keys),
            Type::Uri(_) => self.uri(&keys),
            Type::Optional(_) => match keys.as_slice() {
                [Value::String(text)] => Ok(Type::optional(Type::LiteralString(text.clone()))),
                keys => Ok(Type::optional(self.single_type(keys)?)),
            },
            Type::NotUndef(_) => self.not_undef(&keys),
            Type::Sensitive(_) => {
                let inner = self.single_type(&keys)?;
                self.refused(sensitive_of(&inner, self.env))
            }
            Type::Type(_) => Ok(Type::type_of(self.single_type(&keys)?)),
            Type::Iterable(_) => Ok(Type::Iterable(Some(Arc::new(self.single_type(&keys)?)))),
            Type::Iterator(_) => Ok(Type::Iterator(Some(Arc::new(self.single_type(&keys)?)))),
            Type::Init(_) => match keys.split_first() {
                Some((Value::Type(ty), arguments)) => Ok(init((**ty).clone(), arguments)),
                first => Err(self.needs_type(0, first.map_or(&Value::Undef, |(first, _)| first))),
            },
            Type::Runtime(_) => self.runtime(&keys),
            Type::Object(Some(object)) if object.name.is_some() => {
                self.refused(object_extension(self.base, &keys, self.env))
            }
            Type::Object(_) => {
                object_from(self.one(&keys)?, self.env).map_err(|it| self.error(it.code, it.message))
            }
            Type::TypeSet(_) => {
                type_set_from(self.one(&keys)?, self.env).map_err(|it| self.error(it.code, it.message))
            }
            Type::Reference(text) => {
                Err(self.error(Code::UnknownResourceType, format!("unknown data type `{text}`")))
            }
            _ => {
                Err(self
                    .error(Code::OperatorNotApplicable, format!("type `{}` takes no arguments", self.name())))
            }
        }
    }

    /// Converts an error from `factory` to an error of this access.
    fn refused(&self, made: Result<Type, String>) -> TypeResult {
        made.map_err(|message| self.runtime_error(message))
    }

    /// Returns the only argument.
    fn one<'k>(&self, keys: &'k [Value]) -> Result<&'k Value, AccessError> {
        match keys {
            [key] => Ok(key),
            keys => Err(self.arity(Code::BadTypeSliceArity, "one argument", keys.len())),
        }
    }

    /// Returns the size of a string or collection type. `arity` is the code for a wrong number of arguments.
    fn size(&self, arity: Code, keys: &[Value]) -> Result<IntegerRange, AccessError> {
        match keys.len() {
            1 | 2 => Ok(as_size(self.range(0, keys)?)),
            given => Err(self.arity(arity, "one or two arguments", given)),
        }
    }

    fn regexp(&self, keys: &[Value]) -> TypeResult {
        match keys {
            [Value::Regexp(regexp)] => Ok(Type::Regexp(Some(regexp.clone()))),
            // The pattern is compiled only when something is matched.
            [Value::String(text)] => Ok(Type::Regexp(Some(Regexp::unchecked(text)))),
            [key] => Err(self.bad_argument(0, key, "a string or a regular expression")),
            [] => Err(self.arity(Code::BadTypeSliceArity, "one argument", 0)),
            keys => {
                let error = self.arity(Code::BadTypeSliceArity, "one argument", keys.len());
                Err(AccessError { argument: Some(1).filter(|at| *at < self.written.len()), ..error })
            }
        }
    }

    fn time(&self, keys: &[Value]) -> TypeResult {
        if keys.len() > 2 {
            return Err(self.arity(Code::BadTypeSliceArity, "at most two arguments", keys.len()));
        }
        self.refused(match self.base {
            Type::Timestamp(_) => timestamp(keys, self.env),
            _ => timespan(keys, self.env),
        })
    }

    fn uri(&self, keys: &[Value]) -> TypeResult {
        match self.one(keys)? {
            key if is_uri_parameter(key, self.env) => self.refused(uri(key)),
            key => Err(self.error_at(
                0,
                Code::BadTypeSliceType,
                format!(
                    "argument of `URI[ ]` must be a URI or a hash of its components, got `{}`",
                    self.described(key)
                ),
            )),
        }
    }

    fn not_undef(&self, keys: &[Value]) -> TypeResult {
        match keys {
            [] => Ok(Type::NotUndef(None)),
            [Value::String(text)] => Ok(Type::NotUndef(Some(Arc::new(Type::LiteralString(text.clone()))))),
            [Value::Type(ty)] => Ok(not_undef((**ty).clone())),
            keys => {
                let got = self.described(self.one(keys)?);
                let message = format!("argument of `NotUndef[ ]` must be a type or a string, got `{got}`");
                Err(self.error_at(0, Code::BadNotUndefSliceType, message))
            }
        }
    }

    fn runtime(&self, keys: &[Value]) -> TypeResult {
        if keys.len() != 2 {
            return Err(self.arity(Code::BadTypeSliceArity, "two arguments", keys.len()));
        }
        self.all_strings(keys)?;
        self.refused(runtime_from(keys))
    }

    fn at_least_one(&self, keys: &[Value]) -> Result<(), AccessError> {
        match keys {
            [] => Err(self.arity(Code::BadTypeSliceArity, "one or more arguments", 0)),
            _ => Ok(()),
        }
    }

    /// Rejects the first of `keys` that is not one of the kinds described by `what`. `start` is the index of
    /// the first key.
    fn all_keys(
        &self,
        start: usize,
        keys: &[Value],
        is_fine: impl Fn(&Value) -> bool,
        code: Code,
        what: &str,
    ) -> Result<(), AccessError> {
        match keys.iter().enumerate().find(|(_, key)| !is_fine(key)) {
            Some((at, key)) => {
                Err(self.error_at(start + at, code, format!("{what}, got `{}`", self.described(key))))
            }
            None => Ok(()),
        }
    }

    fn integer(&self, keys: &[Value]) -> TypeResult {
        if keys.is_empty() || keys.len() > 2 {
            return Err(self.limits_arity(keys.len()));
        }
        let is_limit =
            |key: &Value| matches!(key, Value::Integer(_) | Value::WideInteger(_) | Value::Default);
        let what = "limits of `Integer[ ]` must be integers or `default`";
        self.all_keys(0, keys, is_limit, Code::BadIntegerSliceType, what)?;
        integer_type(&keys[0], keys.get(1)).map_err(|message| self.runtime_error(message))
    }

    fn float(&self, keys: &[Value]) -> TypeResult {
        if keys.is_empty() || keys.len() > 2 {
            return Err(self.limits_arity(keys.len()));
        }
        let is_limit = |key: &Value| key.as_number().is_some() || matches!(key, Value::Default);
        let what = "limits of `Float[ ]` must be numbers or `default`";
        self.all_keys(0, keys, is_limit, Code::BadIntegerSliceType, what)?;
        float_range(&keys[0], keys.get(1)).map(Type::Float).map_err(|message| self.runtime_error(message))
    }

    /// Creates a size range from one or two arguments. `start` is the index of the first one.
    fn range(&self, start: usize, keys: &[Value]) -> Result<IntegerRange, AccessError> {
        if let [Value::Type(ty)] = keys
            && let Type::Integer(range) = **ty
        {
            return Ok(range);
        }
        let is_limit = |key: &Value| matches!(key, Value::Integer(_) | Value::Default);
        let what = "size must be an `Integer` type or at most two limits, each an integer or `default`";
        self.all_keys(start, keys, is_limit, Code::BadCollectionSliceType, what)?;
        let range = integer_range(keys.first().unwrap_or(&Value::Default), keys.get(1));
        range.map_err(|message| self.runtime_error(message))
    }

    fn array(&self, keys: &[Value]) -> TypeResult {
        match keys {
            [Value::Type(ty)] => Ok(Type::array_of((**ty).clone())),
            [key] | [key, _, _] if key.as_type().is_none() => Err(self.needs_type(0, key)),
            [Value::Type(ty), size @ ..] if size.len() <= 2 => {
                Ok(sized_array((**ty).clone(), self.range(1, size)?))
            }
            [_, _] => Ok(sized_array(Type::Any, self.range(0, keys)?)),
            keys => Err(self.arity(Code::BadTypeSliceArity, "one to three arguments", keys.len())),
        }
    }

    fn hash(&self, keys: &[Value]) -> TypeResult {
        if let [from @ Value::Integer(_), to @ Value::Integer(_)] = keys {
            let range = integer_range(from, Some(to)).map_err(|message| self.runtime_error(message))?;
            return Ok(sized_hash(Type::Any, Type::Any, range));
        }
        if let Some((at, key)) = keys.iter().take(2).enumerate().find(|(_, key)| key.as_type().is_none()) {
            return Err(self.needs_type(at, key));
        }
        let [Value::Type(key), Value::Type(value), size @ ..] = keys else {
            return Err(self.arity(Code::BadTypeSliceArity, "two to four arguments", keys.len()));
        };
        let (key, value) = ((**key).clone(), (**value).clone());
        let range = match size {
            [] => return Ok(Type::hash_of(key, value)),
            [Value::Type(_)] | [_, _] => self.range(2, size)?,
            [limit] => integer_range(limit, None).map_err(|message| self.runtime_error(message))?,
            _ => return Err(self.arity(Code::BadTypeSliceArity, "two to four arguments", keys.len())),
        };
        Ok(sized_hash(key, value, range))
    }

    fn tuple(&self, mut keys: Vec<Value>) -> TypeResult {
        let size = trailing_range(&mut keys).map_err(|message| self.runtime_error(message))?;
        self.at_least_one(&keys)?;
        Ok(Type::tuple(self.all_types(&keys)?, size.map(as_size)))
    }

    fn callable(&self, keys: &[Value]) -> TypeResult {
        if let Some(Value::Array(_)) = keys.first() {
            match keys {
                [_, Value::Type(_)] => {}
                [_, _] => return Err(self.runtime_error("return type of a `Callable` must be a type")),
                keys => return Err(self.arity(Code::BadTypeSliceArity, "two arguments", keys.len())),
            }
        }
        callable_from(keys, self.env).map_err(|message| self.runtime_error(message))
    }

    fn enumeration(&self, keys: &[Value]) -> TypeResult {
        let (keys, case_insensitive) = match keys {
            [values @ .., Value::Boolean(flag)] => (values, *flag),
            keys => (keys, false),
        };
        self.at_least_one(keys)?;
        Ok(Type::enumeration(self.all_strings(keys)?, case_insensitive))
    }

    fn compile(&self, pattern: &str) -> Result<Regexp, AccessError> {
        Regexp::new(pattern).map_err(|error| self.runtime_error(error.to_string()))
    }

    fn pattern(&self, keys: &[Value]) -> TypeResult {
        self.at_least_one(keys)?;
        let mut patterns = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            match key {
                Value::String(text) => patterns.push(self.compile(text)?),
                Value::Regexp(regexp) => patterns.push(regexp.clone()),
                Value::Type(ty) => match &**ty {
                    Type::Pattern(others) => patterns.extend(others.iter().cloned()),
                    Type::Regexp(Some(regexp)) => patterns.push(regexp.clone()),
                    Type::Regexp(None) => patterns.push(self.compile("")?),
                    _ => return Err(self.bad_argument(at, key, EXPECTED_PATTERN)),
                },
                key => return Err(self.bad_argument(at, key, EXPECTED_PATTERN)),
            }
        }
        Ok(pattern_of(patterns))
    }

    fn check_version_ranges(&self, keys: &[Value]) -> Result<(), AccessError> {
        let is_range = |key: &Value| matches!(key, Value::String(_) | Value::SemVerRange(_));
        match keys.iter().enumerate().find(|(_, key)| !is_range(key)) {
            Some((at, key)) => Err(self.bad_argument(at, key, "a version range or a string")),
            None => Ok(()),
        }
    }

    /// Evaluates `Class[...]`.
    fn class(&self, name: Option<&str>) -> Result<Value, AccessError> {
        if self.written.is_empty() {
            return Err(self.arity(Code::BadTypeSliceArity, "one or more arguments", 0));
        }
        let many = self.written.len() > 1 || matches!(self.written[0], Value::Array(_));
        let keys = without_undef(flatten(self.written));
        if keys.is_empty() {
            return Ok(if many { Value::array([]) } else { Value::Undef });
        }
        if let Some(name) = name {
            return Err(self.catalog_needed("class", name));
        }
        let mut classes = Vec::with_capacity(keys.len());
        for (at, key) in keys.iter().enumerate() {
            let Value::String(name) = key else {
                let got = self.described(key);
                let mut message = format!("class name must be a string, got `{got}`");
                if let Some(name) = written_type_name(key) {
                    let name = name.to_lowercase();
                    message = codes::with_help(message, format!("write `Class['{name}']`"));
                }
                return Err(self.error_at(at, Code::IllegalHostclassName, message));
            };
            let lower = name.to_lowercase();
            let lower = lower.strip_prefix("::").unwrap_or(&lower);
            if !is_name(lower) {
                return Err(self.error_at(at, Code::IllegalName, format!("invalid class name `'{name}'`")));
            }
            classes.push(Value::ty(Type::Class(Some(lower.into()))));
        }
        Ok(one_or_array(classes, many))
    }

    fn catalog_needed(&self, kind: &str, title: &str) -> AccessError {
        self.error(Code::UnknownResource, format!("{kind} `{title}` not found in the catalog"))
    }

    /// Evaluates `Resource[...]` and `File[...]`.
    fn resource(&self, resource: &ResourceType) -> Result<Value, AccessError> {
        if let (None, [Value::Type(ty)]) = (&resource.type_name, self.written)
            && let Type::Resource(_) = **ty
        {
            return Ok(self.written[0].clone());
        }
        let Some(first) = self.written.first() else {
            return Err(self.arity(Code::BadTypeSliceArity, "one or more arguments", 0));
        };
        let (type_name, titles) = match &resource.type_name {
            Some(name) => (name.clone(), self.written),
            None => (self.resource_type_name(first)?, &self.written[1..]),
        };
        if !is_type_name(&type_name) {
            return Err(self.error_at(
                0,
                Code::IllegalClassref,
                format!("invalid resource type name `{type_name}`"),
            ));
        }
        let many = titles.len() > 1 || matches!(titles.first(), Some(Value::Array(_)));
        let keys = without_undef(flatten(titles));
        if keys.is_empty() {
            return Ok(match titles {
                [] => Value::ty(Type::resource(Some(type_name), None)),
                _ if many => Value::array([]),
                _ => Value::Undef,
            });
        }
        if let Some(title) = &resource.title {
            return Err(self.catalog_needed(&type_name, title));
        }
        let shift = usize::from(titles.len() != keys.len());
        let mut references = Vec::with_capacity(keys.len());
        for (at, key) in keys.iter().enumerate() {
            let Value::String(title) = key else {
                return Err(self.bad_argument(at + shift, key, "a string"));
            };
            references.push(Value::ty(Type::resource(Some(type_name.clone()), Some(title.clone()))));
        }
        Ok(one_or_array(references, many))
    }

    fn resource_type_name(&self, key: &Value) -> Result<SmolStr, AccessError> {
        let name = match key {
            Value::String(name) => Some(capitalized_segments(name)),
            Value::Type(ty) => match &**ty {
                Type::Resource(resource) => resource.type_name.clone(),
                _ => None,
            },
            _ => None,
        };
        name.ok_or_else(|| {
            let got = self.described(key);
            self.error_at(
                0,
                Code::IllegalResourceSpecialization,
                format!("first argument of `Resource[ ]` must be a resource type or its name, got `{got}`"),
            )
        })
    }
}

const EXPECTED_PATTERN: &str = "a string, a regular expression, or a `Pattern` or `Regexp` type";

fn without_undef(keys: Vec<Value>) -> Vec<Value> {
    keys.into_iter().filter(|key| !key.is_undef()).collect()
}

fn one_or_array(mut values: Vec<Value>, many: bool) -> Value {
    if many { Value::array(values) } else { values.pop().unwrap_or(Value::Undef) }
}

/// Returns the name in a reference like `Foo::Bar`, which may be meant as the name of a class.
fn written_type_name(value: &Value) -> Option<&str> {
    let Value::Type(ty) = value else { return None };
    match &**ty {
        Type::Resource(it) if it.title.is_none() => it.type_name.as_deref(),
        Type::Reference(text) => {
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
            Some(text.as_str()).filter(|it| it.chars().all(is_name))
        }
        _ => None,
    }
}
