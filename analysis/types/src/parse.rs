//! Parser for types given as strings, as declared by functions and plug-ins and as printed by types.
//!
//! This differs from evaluating the string as an expression: there are no variables and operators, unknown
//! names without parameters become references, and the rules for parameters are older and more lenient.

use std::fmt;
use std::sync::Arc;

use smol_str::SmolStr;
use syntax::ast::{
    AccessExpr, AccessOrCallArgument, AstNode, Expr, Heredoc, KeyedEntry, LiteralNumber, NumberValue,
    StringPart, UnaryOperator,
};
use syntax::{Language, Severity, SyntaxNode, TextRange};

use crate::access::{MAX_TYPE_DEPTH, named_type};
use crate::display::capitalized_segments;
use crate::environment::TypeEnvironment;
use crate::factory::*;
use crate::ty::*;
use crate::value::Value;
use scalars::regexp::Regexp;

/// Error of a string that is not a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeParseError {
    pub message: String,
    /// Location in the string.
    pub range: TextRange,
}

impl fmt::Display for TypeParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TypeParseError {}

/// Parses a type such as `Array[String[1], 0, 5]`. Unknown names become [`Type::Reference`]; aliases stay
/// names.
///
/// # Errors
/// If the string has syntax errors, is not a type, has parameters that the type does not accept, or is nested
/// more deeply than [`MAX_TYPE_DEPTH`].
pub fn parse_type(text: &str, env: &dyn TypeEnvironment) -> Result<Type, TypeParseError> {
    // Puppet accepts only this exact string; nested in another type, the argument is refused.
    if text == "Array[1]" {
        return Ok(Type::array(Type::Any, IntegerRange::new(1, i64::MAX)));
    }
    let parse = syntax::parse(text, Language::Manifest);
    if let Some(error) = parse.errors().iter().find(|error| error.severity() == Severity::Error) {
        return Err(TypeParseError { message: error.message.clone(), range: error.range });
    }
    let mut statements = parse.tree().statements();
    let (Some(statement), None) = (statements.next(), statements.next()) else {
        let range = TextRange { start: 0, end: text.len() as u32 };
        return Err(TypeParseError { message: "expected exactly one type".to_owned(), range });
    };
    TypeInterpreter { env, depth: 0 }.ty(&statement)
}

struct TypeInterpreter<'a> {
    env: &'a dyn TypeEnvironment,
    depth: usize,
}

type Interpreted<T> = Result<T, TypeParseError>;

fn error<T>(node: &SyntaxNode, message: impl Into<String>) -> Interpreted<T> {
    Err(TypeParseError { message: message.into(), range: node.text_range() })
}

fn no_type<T>(node: &SyntaxNode) -> Interpreted<T> {
    error(node, format!("`{}` is not a type", shortened(node.text())))
}

/// Truncates the string for messages.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

impl TypeInterpreter<'_> {
    fn ty(&mut self, expr: &Expr) -> Interpreted<Type> {
        match self.value(expr)? {
            Value::Type(ty) => Ok(Arc::unwrap_or_clone(ty)),
            _ => no_type(expr.syntax()),
        }
    }

    /// Interprets an expression in a type: a type, a literal, or a list or hash of these.
    fn value(&mut self, expr: &Expr) -> Interpreted<Value> {
        if self.depth >= MAX_TYPE_DEPTH {
            return error(expr.syntax(), format!("types are nested more than {MAX_TYPE_DEPTH} levels deep"));
        }
        self.depth += 1;
        let value = self.value_at_depth(expr);
        self.depth -= 1;
        value
    }

    fn value_at_depth(&mut self, expr: &Expr) -> Interpreted<Value> {
        Ok(match expr {
            Expr::QualifiedReference(reference) => {
                let name = reference.text();
                let ty = named_type(&name, self.env).unwrap_or_else(|| Type::Reference(name.into()));
                Value::ty(ty)
            }
            Expr::AccessExpr(access) => Value::ty(self.access(access)?),
            Expr::QualifiedName(name) => Value::string(name.text()),
            Expr::LiteralString(literal) => Value::string(literal.value()),
            Expr::LiteralBoolean(literal) => Value::Boolean(literal.value()),
            Expr::LiteralUndef(_) => Value::Undef,
            Expr::LiteralDefault(_) => Value::Default,
            Expr::LiteralNumber(number) => number_value(number, false)?,
            Expr::UnaryExpr(unary) if unary.operator() == Some(UnaryOperator::Minus) => match unary.operand()
            {
                Some(Expr::LiteralNumber(number)) => number_value(&number, true)?,
                _ => return no_type(expr.syntax()),
            },
            Expr::LiteralRegex(literal) => {
                let pattern = literal.pattern().unwrap_or_default();
                match Regexp::new(&pattern) {
                    Ok(regexp) => Value::Regexp(regexp),
                    Err(reason) => return error(expr.syntax(), reason.to_string()),
                }
            }
            Expr::ArrayExpr(array) => Value::array(self.arguments(array.elements())?),
            Expr::HashExpr(hash) => self.hash(hash.entries())?,
            Expr::Heredoc(heredoc) => match heredoc_text(heredoc) {
                Some(text) => Value::string(text),
                None => return no_type(expr.syntax()),
            },
            expr => return no_type(expr.syntax()),
        })
    }

    fn hash(&mut self, entries: impl IntoIterator<Item = KeyedEntry>) -> Interpreted<Value> {
        let mut pairs = Vec::new();
        for entry in entries {
            let (Some(key), Some(value)) = (entry.key(), entry.value()) else {
                return no_type(entry.syntax());
            };
            pairs.push((self.value(&key)?, self.value(&value)?));
        }
        Ok(Value::hash(pairs))
    }

    fn arguments(&mut self, arguments: Vec<AccessOrCallArgument>) -> Interpreted<Vec<Value>> {
        let value = |argument| match argument {
            AccessOrCallArgument::Expr(expr) => self.value(&expr),
            AccessOrCallArgument::BareHash(entries) => self.hash(entries),
        };
        arguments.into_iter().map(value).collect()
    }

    fn access(&mut self, access: &AccessExpr) -> Interpreted<Type> {
        let keys = access.keys().map(|keys| keys.arguments()).unwrap_or_default();
        let keys = self.arguments(keys)?;
        let Some(Expr::QualifiedReference(reference)) = access.lhs() else {
            return no_type(access.syntax());
        };
        let name = reference.text();
        let parameterized = match named_type(&name, self.env) {
            Some(base) if name.starts_with("::") && !matches!(base, Type::Resource(_) | Type::Object(_)) => {
                Err(Refusal::NoParameters)
            }
            Some(base) => parameterized(&base, &keys, self.env),
            None => Ok(Type::Reference(access.syntax().text().into())),
        };
        parameterized.or_else(|refusal| match refusal {
            Refusal::NoType => no_type(access.syntax()),
            Refusal::NoParameters => error(access.syntax(), format!("type `{name}` takes no parameters")),
            Refusal::Count(wanted) => {
                error(access.syntax(), format!("`{name}` takes {wanted}, got {}", keys.len()))
            }
            Refusal::Other(message) => error(access.syntax(), message),
        })
    }
}

/// Reason why a type refuses its parameters.
enum Refusal {
    /// Something other than a type where a type is expected.
    NoType,
    NoParameters,
    /// Wrong number of parameters, with a description of the expected number.
    Count(&'static str),
    Other(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Other(message)
    }
}

fn number_value(number: &LiteralNumber, negative: bool) -> Interpreted<Value> {
    match number.value() {
        Some(NumberValue::Integer { value, .. }) => {
            let value = i128::try_from(value).unwrap_or(i128::MAX);
            match i64::try_from(if negative { -value } else { value }) {
                Ok(value) => Ok(Value::Integer(value)),
                Err(_) => error(number.syntax(), "number does not fit into 64 bits"),
            }
        }
        Some(NumberValue::Float(value)) => Ok(Value::float(if negative { -value } else { value })),
        None => error(number.syntax(), "invalid number"),
    }
}

/// Returns the contents of a heredoc without interpolation.
fn heredoc_text(heredoc: &Heredoc) -> Option<String> {
    let mut parts = heredoc.body()?.parts(&heredoc.header()?);
    match (parts.pop(), parts.is_empty()) {
        (None, _) => Some(String::new()),
        (Some(StringPart::Text(text)), true) => Some(text),
        _ => None,
    }
}

fn as_type(key: &Value) -> Result<Type, Refusal> {
    key.as_type().cloned().ok_or(Refusal::NoType)
}

fn single_type(keys: &[Value]) -> Result<Type, Refusal> {
    as_type(one(keys)?)
}

/// Creates a size range from an `Integer` type or from one or two limits.
fn range(keys: &[Value]) -> Result<IntegerRange, Refusal> {
    if let [Value::Type(ty)] = keys {
        return match **ty {
            Type::Integer(range) => Ok(range),
            _ => Err(Refusal::NoType),
        };
    }
    if !keys.iter().all(is_range_limit) {
        return Err(Refusal::NoType);
    }
    let mut keys = keys.to_vec();
    let range = trailing_range(&mut keys)?;
    Ok(range.unwrap_or(IntegerRange::ALL))
}

fn parameterized(base: &Type, keys: &[Value], env: &dyn TypeEnvironment) -> Result<Type, Refusal> {
    Ok(match base {
        Type::Array(_) => array(keys)?,
        Type::Hash(_) => hash(keys)?,
        Type::Collection(_) => Type::Collection(size(keys)?),
        Type::String(_) => Type::String(size(keys)?),
        Type::Integer(_) | Type::WideInteger(_) => match keys {
            [from @ (Value::Integer(_) | Value::Default)] => integer_type(from, None)?,
            [_] => return Err(Refusal::NoType),
            [from, to] => integer_type(from, Some(to))?,
            _ => return Err(Refusal::Count("one or two parameters")),
        },
        Type::Float(_) => match keys {
            [from @ (Value::Integer(_) | Value::Float(_) | Value::Default)] => {
                Type::Float(float_range(from, None)?)
            }
            [_] => return Err(Refusal::NoType),
            [from, to] => Type::Float(float_range(from, Some(to))?),
            _ => return Err(Refusal::Count("one or two parameters")),
        },
        Type::Boolean(_) => match one(keys)? {
            Value::Boolean(value) => Type::Boolean(Some(*value)),
            _ => return Err("parameter of `Boolean` must be `true` or `false`".to_owned().into()),
        },
        Type::Enum(_) => enumeration(keys)?,
        Type::Pattern(_) => pattern(keys)?,
        Type::Regexp(_) => match one(keys)? {
            Value::Regexp(regexp) => Type::Regexp(Some(regexp.clone())),
            Value::String(text) => Type::Regexp(Some(compile(text)?)),
            Value::Undef => Type::Regexp(None),
            _ => return Err("parameter of `Regexp` must be a regular expression".to_owned().into()),
        },
        Type::SemVer(_) | Type::Variant(_) if keys.is_empty() => {
            return Err(Refusal::Count("one or more parameters"));
        }
        Type::SemVer(_) => sem_ver(keys)?,
        Type::Timestamp(_) | Type::Timespan(_) if keys.len() > 2 => {
            return Err(Refusal::Count("at most two parameters"));
        }
        Type::Timestamp(_) => timestamp(keys, env)?,
        Type::Timespan(_) => timespan(keys, env)?,
        Type::Uri(_) => match one(keys)? {
            key if is_uri_parameter(key, env) => uri(key)?,
            Value::String(_) | Value::Hash(_) => {
                return Err("parameter of `URI` must be a URI or a hash of its components".to_owned().into());
            }
            // Any other argument is ignored.
            _ => Type::Uri(None),
        },
        Type::Variant(_) => variant_of(keys.iter().map(as_type).collect::<Result<Vec<_>, _>>()?),
        _ => return parameterized_by_types(base, keys, env),
    })
}

/// Parses the types whose parameters are types or names.
fn parameterized_by_types(base: &Type, keys: &[Value], env: &dyn TypeEnvironment) -> Result<Type, Refusal> {
    Ok(match base {
        Type::Tuple(_) => tuple(keys, env)?,
        Type::Callable(_) => match keys {
            [Value::Array(_), _, _, ..] => return Err(Refusal::Count("two parameters after a list")),
            keys => callable_from(keys, env)?,
        },
        Type::Struct(_) => match one(keys)? {
            Value::Hash(entries) => struct_from_hash(entries, env)?,
            _ => return Err(Refusal::NoType),
        },
        Type::Optional(_) => match keys {
            [Value::String(text)] => Type::optional(Type::LiteralString(text.clone())),
            keys => Type::optional(single_type(keys)?),
        },
        Type::NotUndef(_) => match keys {
            [] => Type::NotUndef(None),
            [Value::String(text)] => Type::NotUndef(Some(Arc::new(Type::LiteralString(text.clone())))),
            keys => not_undef(single_type(keys)?),
        },
        Type::Sensitive(_) if keys.is_empty() => Type::Sensitive(None),
        Type::Sensitive(_) => sensitive_of(&single_type(keys)?, env)?,
        Type::Type(_) => Type::type_of(single_type(keys)?),
        Type::Iterable(_) => Type::Iterable(Some(Arc::new(single_type(keys)?))),
        Type::Iterator(_) => Type::Iterator(Some(Arc::new(single_type(keys)?))),
        Type::Init(_) => match keys {
            [ty, arguments @ ..] => init(as_type(ty)?, arguments),
            [] => return Err(Refusal::NoType),
        },
        Type::Runtime(_) => match keys {
            [_, _] => runtime_from(keys)?,
            _ => return Err(Refusal::Count("two parameters")),
        },
        Type::Class(_) => match one(keys)? {
            Value::Undef => Type::Class(None),
            Value::String(name) => Type::Class(Some(name.strip_prefix("::").unwrap_or(name).into())),
            _ => return Err(Refusal::NoType),
        },
        Type::Resource(resource) => match &resource.type_name {
            None => resource_of(keys, env)?,
            Some(name) => titled(name.clone(), one(keys)?)?,
        },
        Type::Object(None) => object_from(one(keys)?, env).map_err(|it| it.message)?,
        Type::Object(Some(_)) => object_extension(base, keys, env)?,
        Type::TypeSet(None) => type_set_from(one(keys)?, env).map_err(|it| it.message)?,
        _ => return Err(Refusal::NoParameters),
    })
}

fn one(keys: &[Value]) -> Result<&Value, Refusal> {
    match keys {
        [key] => Ok(key),
        _ => Err(Refusal::Count("one parameter")),
    }
}

fn array(keys: &[Value]) -> Result<Type, Refusal> {
    Ok(match keys {
        [key] => Type::array_of(as_type(key)?),
        [Value::Type(element), limits @ ..] if limits.len() <= 2 => {
            sized_array((**element).clone(), range(limits)?)
        }
        // Without an element type, the element type is that of `default`.
        [_, _] => sized_array(Type::Default, range(keys)?),
        [_, _, _] => return Err(Refusal::NoType),
        _ => return Err(Refusal::Count("one to three parameters")),
    })
}

fn hash(keys: &[Value]) -> Result<Type, Refusal> {
    Ok(match keys {
        [Value::Type(key), Value::Type(value)] => Type::hash_of((**key).clone(), (**value).clone()),
        [_, _] => sized_hash(Type::Default, Type::Default, range(keys)?),
        [key, value, limits @ ..] if limits.len() <= 2 => {
            let range = range(limits)?;
            sized_hash(as_type(key)?, as_type(value)?, range)
        }
        _ => return Err(Refusal::Count("two to four parameters")),
    })
}

fn size(keys: &[Value]) -> Result<IntegerRange, Refusal> {
    match keys.len() {
        1 | 2 => Ok(as_size(range(keys)?)),
        _ => Err(Refusal::Count("one or two parameters")),
    }
}

fn enumeration(keys: &[Value]) -> Result<Type, Refusal> {
    let (keys, case_insensitive) = match keys {
        [values @ .., Value::Boolean(flag)] => (values, *flag),
        keys => (keys, false),
    };
    if keys.is_empty() {
        return Err(Refusal::Count("one or more strings"));
    }
    let values: Option<Vec<SmolStr>> = keys.iter().map(|key| key.as_str().map(SmolStr::from)).collect();
    match values {
        Some(values) => Ok(Type::enumeration(values, case_insensitive)),
        None => Err("parameters of `Enum` must be names or strings".to_owned().into()),
    }
}

fn compile(pattern: &str) -> Result<Regexp, Refusal> {
    Regexp::new(pattern).map_err(|reason| reason.to_string().into())
}

fn pattern(keys: &[Value]) -> Result<Type, Refusal> {
    if keys.is_empty() {
        return Err(Refusal::Count("one or more parameters"));
    }
    let mut patterns = Vec::new();
    for key in keys {
        match key {
            Value::String(text) => patterns.push(compile(text)?),
            Value::Regexp(regexp) => patterns.push(regexp.clone()),
            Value::Type(ty) => match &**ty {
                Type::Pattern(others) => patterns.extend(others.iter().cloned()),
                Type::Regexp(Some(regexp)) => patterns.push(regexp.clone()),
                Type::Regexp(None) => patterns.push(compile("")?),
                _ => return Err(Refusal::Other(EXPECTED_PATTERN.to_owned())),
            },
            _ => return Err(Refusal::Other(EXPECTED_PATTERN.to_owned())),
        }
    }
    Ok(pattern_of(patterns))
}

const EXPECTED_PATTERN: &str =
    "parameters of `Pattern` must be strings, regular expressions, or `Pattern` or `Regexp` types";

fn tuple(keys: &[Value], env: &dyn TypeEnvironment) -> Result<Type, Refusal> {
    if keys.is_empty() {
        return Err(Refusal::Count("one or more parameters"));
    }
    let limits = match keys {
        [.., from, to] if is_range_limit(from) => {
            if is_range_limit(to) {
                2
            } else {
                return Err(Refusal::NoType);
            }
        }
        [.., from] if is_range_limit(from) => 1,
        _ => 0,
    };
    let (types, limits) = keys.split_at(keys.len() - limits);
    // Here, `'default'` is equivalent to `default`.
    let limit = |limit: &Value, otherwise: Value| {
        if limit.as_integer().is_some() { limit.clone() } else { otherwise }
    };
    let size = match limits {
        [] => None,
        [from, rest @ ..] => {
            let to = rest.first().map(|to| limit(to, Value::Default));
            Some(integer_range(&limit(from, Value::Integer(0)), to.as_ref())?)
        }
    };
    let types = types.iter().map(|key| type_of(key, env)).collect::<Result<Vec<_>, _>>()?;
    Ok(Type::tuple(types, size.map(as_size)))
}

/// Creates `Resource[name]` or `Resource[name, title]`, also for unknown resource types.
fn resource_of(keys: &[Value], env: &dyn TypeEnvironment) -> Result<Type, Refusal> {
    let (first, titles) = match keys {
        [first, titles @ ..] if titles.len() <= 1 => (first, titles),
        _ => return Err(Refusal::Count("one or two parameters")),
    };
    let name = match first {
        Value::Undef if titles.is_empty() => return Ok(Type::resource(None, None)),
        Value::String(name) => capitalized_segments(name),
        Value::Type(ty) => match &**ty {
            Type::Resource(resource) => match &resource.type_name {
                Some(name) => name.clone(),
                None => return Ok(Type::resource(None, None)),
            },
            Type::Reference(text) => match text.split_once('[') {
                None => capitalized_segments(text),
                // `Resource[Unknown['title']]`
                Some((name, _)) => {
                    let title = reference_title(&text[name.len()..], env)?;
                    return resource_of(&[Value::string(name), title], env);
                }
            },
            _ => return Err(Refusal::NoType),
        },
        _ => return Err(Refusal::NoType),
    };
    if !crate::access::is_type_name(&name) {
        return Err(format!("invalid resource type name `{name}`").into());
    }
    match titles {
        [title] => titled(name, title),
        _ => Ok(Type::resource(Some(name), None)),
    }
}

fn titled(name: SmolStr, title: &Value) -> Result<Type, Refusal> {
    match title {
        Value::String(title) => Ok(Type::resource(Some(name), Some(title.clone()))),
        Value::Undef => Ok(Type::resource(Some(name), None)),
        _ => Err("resource title must be a string".to_owned().into()),
    }
}

/// Returns the only element of the list `['title']`.
fn reference_title(list: &str, env: &dyn TypeEnvironment) -> Result<Value, Refusal> {
    let parse = syntax::parse(list, Language::Manifest);
    let Some(Expr::ArrayExpr(array)) = parse.tree().statements().next() else {
        return Err(Refusal::NoType);
    };
    let mut titles = TypeInterpreter { env, depth: 0 }
        .arguments(array.elements())
        .map_err(|error| Refusal::Other(error.message))?;
    match (titles.pop(), titles.is_empty()) {
        (Some(title), true) => Ok(title),
        _ => Err(Refusal::Count("one title")),
    }
}
