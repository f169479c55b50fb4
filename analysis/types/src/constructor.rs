//! Constructor lookup for `Type.new(...)`, and selection of the signature that accepts the arguments.
//!
//! The conversions themselves are in the `conversions` crate, except for times, which are also needed to
//! construct types and are in [`times`].

mod error;
mod signatures;
pub mod times;

use std::sync::Arc;

pub use error::{ConversionError, ConversionErrorKind};
pub use signatures::Constructor;

use crate::assign::{Fit, fits};
use crate::display::expanded_type_text;
use crate::environment::TypeEnvironment;
use crate::object::ObjectType;
use crate::ty::{CallableType, InitType, TupleType, Type};
use crate::value::Value;

/// Maximum number of types that are followed in search of a constructor, as in `Optional` of an alias of an
/// `Init`.
pub const MAX_DEPTH: usize = 64;

/// Returns the error for a type without a constructor.
pub fn not_supported(ty: &Type, env: &dyn TypeEnvironment) -> ConversionError {
    let message = format!("cannot create an instance of type `{}`", expanded_type_text(ty, env));
    ConversionError::new(ConversionErrorKind::NotSupported, message)
}

/// Target of a call to `new`.
#[derive(Clone, Debug)]
pub enum ConversionTarget {
    /// Constructor of a built-in type.
    Constructor(Constructor),
    /// Constructor of an object type.
    Object(Arc<ObjectType>),
    /// Constructor of the type wrapped in an `Init`.
    Init(Arc<InitType>),
}

/// Returns the constructor of `ty`, following aliases, or `None` if it has none.
pub fn target(ty: &Type, env: &dyn TypeEnvironment) -> Option<ConversionTarget> {
    target_at(ty, env, 0)
}

fn target_at(ty: &Type, env: &dyn TypeEnvironment, depth: usize) -> Option<ConversionTarget> {
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
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => return target_at(inner, env, depth + 1),
        Type::Alias(name) => return target_at(&env.named_type(name)?.ty, env, depth + 1),
        Type::ObjectExtension(extension) => return target_at(&extension.base, env, depth + 1),
        Type::Object(Some(object)) => return Some(ConversionTarget::Object(object.clone())),
        Type::Init(Some(init)) => return Some(ConversionTarget::Init(init.clone())),
        _ => return None,
    };
    Some(ConversionTarget::Constructor(constructor))
}

/// Returns the constructor signatures of `ty` in the order in which they are tried, or `None` if it has no
/// constructor.
pub fn new_signatures(ty: &Type, env: &dyn TypeEnvironment) -> Option<Vec<CallableType>> {
    let parameters = match target(ty, env)? {
        ConversionTarget::Constructor(constructor) => constructor.signatures().to_vec(),
        ConversionTarget::Object(object) => crate::object::constructor_parameters(&object, env),
        // Accepts one arbitrary value; the wrapped type decides if it can be converted.
        ConversionTarget::Init(_) => vec![TupleType { types: [Type::Any].into(), size: None }],
    };
    let signature =
        |parameters| CallableType { parameters: Some(parameters), block: None, returns: Some(ty.clone()) };
    Some(parameters.into_iter().map(signature).collect())
}

/// Outcome of a signature selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Index of the signature that accepts the arguments.
    Certain(usize),
    /// Several signatures may accept the arguments once they are known.
    Possible,
}

/// Selects the first signature of the constructor that accepts the arguments.
///
/// # Errors
/// If no signature accepts them.
pub fn select(
    constructor: Constructor,
    arguments: &[Value],
    env: &dyn TypeEnvironment,
) -> Result<Selection, ConversionError> {
    let mut is_possible = false;
    for (index, signature) in constructor.signatures().iter().enumerate() {
        match accepts(signature, arguments, env) {
            Fit::Always if is_possible => return Ok(Selection::Possible),
            Fit::Always => return Ok(Selection::Certain(index)),
            Fit::Maybe => is_possible = true,
            Fit::Never => {}
        }
    }
    if is_possible { Ok(Selection::Possible) } else { Err(mismatch(constructor, arguments, env)) }
}

/// Returns true if a signature of the constructor accepts all values that the arguments may have.
pub fn is_accepted(constructor: Constructor, arguments: &[Value], env: &dyn TypeEnvironment) -> bool {
    constructor.signatures().iter().any(|signature| accepts(signature, arguments, env) == Fit::Always)
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

/// Describes why no signature accepts the arguments.
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
