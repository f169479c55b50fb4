//! What `Type.new(...)` runs: the constructor of a type, and which of its signatures takes the arguments.
//!
//! What the constructors make of them is said in `conversions`; times, of which types are made too, in [`times`].

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

/// How deep types may lead to other types (`Optional` of an alias of an `Init` ...).
pub const MAX_DEPTH: usize = 64;

/// The error where a type has no constructor.
pub fn not_supported(ty: &Type, env: &dyn TypeEnvironment) -> ConversionError {
    let message = format!("a new instance of {} cannot be made", expanded_type_text(ty, env));
    ConversionError::new(ConversionErrorKind::NotSupported, message)
}

/// What a call to `new` runs.
#[derive(Clone, Debug)]
pub enum ConversionTarget {
    /// That of a type of the language.
    Constructor(Constructor),
    /// That of an object type.
    Object(Arc<ObjectType>),
    /// That of the type that an `Init` names.
    Init(Arc<InitType>),
}

/// The constructor of `ty`, through aliases; `None` if it has none.
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

/// The signatures of the constructor of `ty`, first the one that is tried first; `None` if it has none.
pub fn new_signatures(ty: &Type, env: &dyn TypeEnvironment) -> Option<Vec<CallableType>> {
    let parameters = match target(ty, env)? {
        ConversionTarget::Constructor(constructor) => constructor.signatures().to_vec(),
        ConversionTarget::Object(object) => crate::object::constructor_parameters(&object, env),
        // One value, whatever it is; what can be made of it depends on the type.
        ConversionTarget::Init(_) => vec![TupleType { types: [Type::Any].into(), size: None }],
    };
    let signature =
        |parameters| CallableType { parameters: Some(parameters), block: None, returns: Some(ty.clone()) };
    Some(parameters.into_iter().map(signature).collect())
}

/// Which signature takes the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// The one with that index.
    Certain(usize),
    /// It depends on what the arguments will be.
    Possible,
}

/// The first of the constructor's signatures that takes the arguments, or why none does.
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
