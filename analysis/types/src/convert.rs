//! `Type.new(...)`: values from other values.

mod binary;
mod collections;
mod foretold;
mod init;
mod numbers;
mod others;
mod signatures;

use std::fmt;
use std::sync::Arc;

use self::signatures::Constructor;
use crate::assign::{Fit, fits};
use crate::display::expanded_type_text;
use crate::environment::TypeEnvironment;
use crate::object::ObjectType;
use crate::ty::{CallableType, InitType, TupleType, Type};
use crate::value::{Origin, Value};

/// Why no value can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConversionError {
    pub kind: ConversionErrorKind,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionErrorKind {
    /// The type has no constructor.
    NotSupported,
    /// No signature of the constructor takes the arguments.
    ArgumentMismatch,
    /// The arguments are of the right types, but nothing can be made of them.
    Impossible,
    /// What was made is no instance of the type.
    ResultMismatch,
    /// The result would be too large.
    TooLarge,
}

impl ConversionError {
    fn new(kind: ConversionErrorKind, message: impl Into<String>) -> ConversionError {
        ConversionError { kind, message: message.into() }
    }

    fn impossible(message: impl Into<String>) -> ConversionError {
        ConversionError::new(ConversionErrorKind::Impossible, message)
    }

    fn not_supported(ty: &Type, env: &dyn TypeEnvironment) -> ConversionError {
        let message = format!("a new instance of {} cannot be made", expanded_type_text(ty, env));
        ConversionError::new(ConversionErrorKind::NotSupported, message)
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConversionError {}

type Made = Result<Value, ConversionError>;

/// How deep types may lead to other types (`Optional` of an alias of an `Init` ...).
const MAX_DEPTH: usize = 64;

/// What the constructor of `ty` makes of the arguments: `Type.new(...)`, or `Type(...)`.
///
/// An argument that is an instance of the type already is the result. Where arguments are not known, the result is an
/// unknown value of the type, unless no arguments of these types could succeed. The block of a call to `new` is not
/// looked at: it takes the result.
pub fn new_instance(ty: &Type, arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    new_instance_at(ty, arguments, env, 0)
}

/// The signatures of the constructor of `ty`, first the one that is tried first; `None` if it has none.
pub fn new_signatures(ty: &Type, env: &dyn TypeEnvironment) -> Option<Vec<CallableType>> {
    let parameters = match target(ty, env, 0)? {
        Target::Constructor(constructor) => constructor.signatures().to_vec(),
        Target::Object(object) => crate::object::constructor_parameters(&object, env),
        Target::Init(_) => init::parameters(),
    };
    let signature =
        |parameters| CallableType { parameters: Some(parameters), block: None, returns: Some(ty.clone()) };
    Some(parameters.into_iter().map(signature).collect())
}

fn new_instance_at(ty: &Type, arguments: &[Value], env: &dyn TypeEnvironment, depth: usize) -> Made {
    let mut already = Fit::Never;
    if let ([argument], false) = (arguments, matches!(ty, Type::Init(_))) {
        already = fits(ty, argument, env);
        if already == Fit::Always {
            return Ok(argument.clone());
        }
    }
    let made = match target(ty, env, 0) {
        Some(Target::Constructor(constructor)) => construct(constructor, ty, arguments, env),
        Some(Target::Object(object)) => crate::object::new_object(&object, arguments, env)
            .map_err(|error| ConversionError::new(ConversionErrorKind::ArgumentMismatch, error.to_string())),
        Some(Target::Init(init)) => init::new_instance(&init, ty, arguments, env, depth),
        None => Err(ConversionError::not_supported(ty, env)),
    };
    let origin =
        || arguments.iter().filter_map(Value::least_trustworthy).max().unwrap_or(Origin::MissingDefinition);
    match made {
        Ok(value) => match fits(ty, &value, env) {
            _ if already == Fit::Maybe => Ok(Value::unknown(ty.clone(), origin())),
            Fit::Always => Ok(value),
            Fit::Maybe => Ok(Value::unknown(ty.clone(), value.least_trustworthy().unwrap_or_else(origin))),
            Fit::Never => Err(wrong_result(ty, &value, env)),
        },
        // The argument may be an instance already, and then it is the result.
        Err(_) if already == Fit::Maybe => Ok(Value::unknown(ty.clone(), origin())),
        Err(error) => Err(error),
    }
}

fn wrong_result(ty: &Type, value: &Value, env: &dyn TypeEnvironment) -> ConversionError {
    let subject = format!("the result of {}.new", expanded_type_text(ty, env));
    let message = crate::mismatch::describe_value_mismatch(&subject, ty, value, env);
    ConversionError::new(ConversionErrorKind::ResultMismatch, message)
}

/// What a call to `new` runs.
enum Target {
    Constructor(Constructor),
    Object(Arc<ObjectType>),
    Init(Arc<InitType>),
}

fn target(ty: &Type, env: &dyn TypeEnvironment, depth: usize) -> Option<Target> {
    if depth > MAX_DEPTH {
        return None;
    }
    let constructor = match ty {
        Type::Type(_) => Constructor::Type,
        Type::Unit | Type::NotUndef(None) => Constructor::Unit,
        Type::Numeric => Constructor::Numeric,
        Type::Integer(_) | Type::WideInteger(_) => Constructor::Integer,
        Type::Float(_) => Constructor::Float,
        Type::String(_) | Type::LiteralString(_) => Constructor::String,
        Type::Regexp(_) => Constructor::Regexp,
        Type::Boolean(_) => Constructor::Boolean,
        Type::Array(_) | Type::Tuple(_) => Constructor::Array,
        Type::Hash(_) | Type::Struct(_) => Constructor::Hash,
        Type::Timestamp(_) => Constructor::Timestamp,
        Type::Timespan(_) => Constructor::Timespan,
        Type::Binary => Constructor::Binary,
        Type::SemVer(_) => Constructor::SemVer,
        Type::SemVerRange => Constructor::SemVerRange,
        Type::Uri(_) => Constructor::Uri,
        Type::Sensitive(_) => Constructor::Sensitive,
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => return target(inner, env, depth + 1),
        Type::Alias(name) => return target(&env.named_type(name)?.ty, env, depth + 1),
        Type::ObjectExtension(extension) => return target(&extension.base, env, depth + 1),
        Type::Object(Some(object)) => return Some(Target::Object(object.clone())),
        Type::Init(Some(init)) => return Some(Target::Init(init.clone())),
        _ => return None,
    };
    Some(Target::Constructor(constructor))
}

/// Which signature takes the arguments.
enum Selection {
    Certain(usize),
    /// It depends on what the arguments will be.
    Possible,
}

fn construct(constructor: Constructor, ty: &Type, arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    let unknown = arguments.iter().filter_map(Value::least_trustworthy).max();
    let selection = match select(constructor.signatures(), arguments, env) {
        Some(selection) => selection,
        None => return Err(mismatch(constructor, arguments, env)),
    };
    match (selection, unknown) {
        (Selection::Possible, unknown) => {
            Ok(Value::unknown(ty.clone(), unknown.unwrap_or(Origin::MissingDefinition)))
        }
        // What only looks at the outermost layer can go on with unknown values inside.
        (Selection::Certain(signature), Some(origin)) => match constructor {
            Constructor::Unit => others::unit(arguments),
            Constructor::Sensitive => others::sensitive(arguments),
            Constructor::Array if signature == 1 => match is_array(arguments.first(), env) {
                Fit::Maybe => Ok(Value::unknown(ty.clone(), origin)),
                Fit::Always => Ok(arguments.first().cloned().unwrap_or(Value::Undef)),
                Fit::Never => collections::wrapped(arguments),
            },
            Constructor::Array if has_known_shape(arguments) => collections::array(arguments, env),
            Constructor::Hash if has_known_shape(arguments) && arguments.len() == 1 => {
                collections::hash(signature, arguments, env)
            }
            _ => Ok(Value::unknown(foretold::foretold(constructor, signature, ty, arguments, env), origin)),
        },
        (Selection::Certain(signature), None) => run(constructor, signature, arguments, env),
    }
}

fn is_array(value: Option<&Value>, env: &dyn TypeEnvironment) -> Fit {
    value.map_or(Fit::Never, |value| fits(&Type::array_of(Type::Any), value, env))
}

/// Is the first argument an array or hash that holds no unknown key?
fn has_known_shape(arguments: &[Value]) -> bool {
    let is_known_key = |value: Option<&Value>| value.is_none_or(Value::is_known);
    match arguments.first() {
        Some(Value::Hash(entries)) => entries.keys().all(Value::is_known),
        Some(Value::Array(elements)) => elements.iter().all(|element| match element {
            Value::Array(pair) => is_known_key(pair.first()),
            element => element.is_known(),
        }),
        _ => false,
    }
}

fn select(signatures: &[TupleType], arguments: &[Value], env: &dyn TypeEnvironment) -> Option<Selection> {
    let mut is_possible = false;
    for (index, signature) in signatures.iter().enumerate() {
        match accepts(signature, arguments, env) {
            Fit::Always if is_possible => return Some(Selection::Possible),
            Fit::Always => return Some(Selection::Certain(index)),
            Fit::Maybe => is_possible = true,
            Fit::Never => {}
        }
    }
    is_possible.then_some(Selection::Possible)
}

fn accepts(signature: &TupleType, arguments: &[Value], env: &dyn TypeEnvironment) -> Fit {
    if !signature.size().contains(arguments.len() as i64) {
        return Fit::Never;
    }
    let mut fit = Fit::Always;
    for (index, argument) in arguments.iter().enumerate() {
        let Some(parameter) = signature.element(index) else { return Fit::Never };
        match fits(parameter, argument, env) {
            Fit::Always => {}
            Fit::Maybe => fit = Fit::Maybe,
            Fit::Never => return Fit::Never,
        }
    }
    fit
}

/// Why no signature takes the arguments.
fn mismatch(constructor: Constructor, arguments: &[Value], env: &dyn TypeEnvironment) -> ConversionError {
    let message = match (arguments, constructor.conversion_name()) {
        ([Value::String(text), ..], Some(name)) => {
            Some(format!("the string {} cannot be converted to {name}", crate::text::quoted(text)))
        }
        ([value], Some(name)) if !matches!(value, Value::Hash(_)) => {
            let ty = crate::infer::infer_generic(value, env);
            Some(format!("a value of type {} cannot be converted to {name}", expanded_type_text(&ty, env)))
        }
        _ => None,
    };
    let message = message.unwrap_or_else(|| {
        let signatures: Vec<CallableType> = constructor
            .signatures()
            .iter()
            .map(|parameters| CallableType {
                parameters: Some(parameters.clone()),
                block: None,
                returns: None,
            })
            .collect();
        crate::mismatch::describe_constructor_mismatch(constructor.type_name(), &signatures, arguments, env)
    });
    ConversionError::new(ConversionErrorKind::ArgumentMismatch, message)
}

/// All arguments are known, and the signature takes them.
fn run(constructor: Constructor, signature: usize, arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    match constructor {
        Constructor::Type => others::type_from_text(arguments, env),
        Constructor::Unit => others::unit(arguments),
        Constructor::Numeric => numbers::numeric(signature, arguments),
        Constructor::Integer => numbers::integer(signature, arguments),
        Constructor::Float => numbers::float(signature, arguments),
        Constructor::String => others::string(arguments, env),
        Constructor::Regexp => others::regular_expression(arguments),
        Constructor::Boolean => others::boolean(arguments),
        Constructor::Array if signature == 1 => collections::wrapped(arguments),
        Constructor::Array => collections::array(arguments, env),
        Constructor::Hash => collections::hash(signature, arguments, env),
        Constructor::Timestamp => others::timestamp(arguments),
        Constructor::Timespan => others::timespan(arguments),
        Constructor::Binary => binary::binary(arguments),
        Constructor::SemVer => others::version(arguments),
        Constructor::SemVerRange => others::version_range(arguments),
        Constructor::Uri => others::uri(arguments),
        Constructor::Sensitive => others::sensitive(arguments),
    }
}
