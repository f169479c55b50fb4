//! Evaluation of `Type.new(...)`.

mod binary;
mod collections;
mod init;
mod numbers;
mod others;
mod predicted;

use types::assign::{Fit, fits};
use types::constructor::{
    Constructor, ConversionError, ConversionErrorKind, ConversionTarget, Selection, is_accepted,
    not_supported, select, target, times,
};
use types::display::expanded_type_text;
use types::{Origin, Type, TypeEnvironment, Value};

type Made = Result<Value, ConversionError>;

/// Evaluates the constructor of `ty`: `Type.new(...)` or `Type(...)`.
///
/// An argument that already is an instance of the type is returned as is. If arguments are unknown, the
/// result is an unknown value of the type. The block of a call to `new` is ignored, because it receives the
/// result.
///
/// # Errors
/// If the conversion fails. With unknown arguments, only if no arguments of these types could succeed.
pub fn new_instance(ty: &Type, arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    new_instance_at(ty, arguments, env, 0)
}

/// Returns true if [`new_instance`] of a number or boolean fails for some of the values that unknown arguments may have.
pub fn may_refuse(ty: &Type, arguments: &[Value], env: &dyn TypeEnvironment) -> bool {
    let Some(ConversionTarget::Constructor(constructor)) = target(ty, env) else { return false };
    let reads_text = matches!(
        constructor,
        Constructor::Numeric | Constructor::Integer | Constructor::Float | Constructor::Boolean
    );
    let is_instance = || matches!(arguments, [argument] if fits(ty, argument, env) == Fit::Always);
    reads_text && !is_accepted(constructor, arguments, env) && !is_instance()
}

fn new_instance_at(ty: &Type, arguments: &[Value], env: &dyn TypeEnvironment, depth: usize) -> Made {
    let mut already = Fit::Never;
    if let ([argument], false) = (arguments, matches!(ty, Type::Init(_))) {
        already = fits(ty, argument, env);
        if already == Fit::Always {
            return Ok(argument.clone());
        }
    }
    let made = match target(ty, env) {
        Some(ConversionTarget::Constructor(constructor)) => construct(constructor, ty, arguments, env),
        Some(ConversionTarget::Object(object)) => types::object::new_object(&object, arguments, env)
            .map_err(|error| ConversionError::new(ConversionErrorKind::ArgumentMismatch, error.to_string())),
        Some(ConversionTarget::Init(init)) => init::new_instance(&init, ty, arguments, env, depth),
        None => Err(not_supported(ty, env)),
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
        // The argument may already be an instance, in which case it is the result.
        Err(_) if already == Fit::Maybe => Ok(Value::unknown(ty.clone(), origin())),
        Err(error) => Err(error),
    }
}

fn wrong_result(ty: &Type, value: &Value, env: &dyn TypeEnvironment) -> ConversionError {
    let subject = format!("the result of {}.new", expanded_type_text(ty, env));
    let message = types::mismatch::describe_value_mismatch(&subject, ty, value, env);
    ConversionError::new(ConversionErrorKind::ResultMismatch, message)
}

fn construct(constructor: Constructor, ty: &Type, arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    let unknown = arguments.iter().filter_map(Value::least_trustworthy).max();
    match (select(constructor, arguments, env)?, unknown) {
        (Selection::Possible, unknown) => {
            Ok(Value::unknown(ty.clone(), unknown.unwrap_or(Origin::MissingDefinition)))
        }
        // Constructors that only inspect the outermost layer support unknown values inside.
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
            _ => Ok(Value::unknown(
                predicted::predict_type(constructor, signature, ty, arguments, env),
                origin,
            )),
        },
        (Selection::Certain(signature), None) => run(constructor, signature, arguments, env),
    }
}

fn is_array(value: Option<&Value>, env: &dyn TypeEnvironment) -> Fit {
    value.map_or(Fit::Never, |value| fits(&Type::array_of(Type::Any), value, env))
}

/// Returns true if the first argument is an array or a hash without unknown keys.
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

/// Runs a constructor with known arguments that match the signature.
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
        Constructor::Timestamp => times::timestamp(arguments),
        Constructor::Timespan => times::timespan(arguments),
        Constructor::Binary => binary::binary(arguments),
        Constructor::SemVer => others::version(arguments),
        Constructor::SemVerRange => others::version_range(arguments),
        Constructor::Uri => others::uri(arguments),
        Constructor::Sensitive => others::sensitive(arguments),
    }
}
