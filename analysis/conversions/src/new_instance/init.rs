//! Constructor `Init[...].new`.

use types::assign::{Fit, fits};
use types::constructor::{ConversionError, ConversionErrorKind, MAX_DEPTH, new_signatures, not_supported};
use types::display::expanded_type_text;
use types::object::init::init_arguments;
use types::{InitType, Origin, Type, TypeEnvironment, Value};

use super::{Made, new_instance_at};

/// Evaluates the constructor. An array provides the arguments, unless the constructor accepts the array
/// itself.
pub(super) fn new_instance(
    init: &InitType,
    whole: &Type,
    arguments: &[Value],
    env: &dyn TypeEnvironment,
    depth: usize,
) -> Made {
    if depth > MAX_DEPTH {
        return Err(not_supported(whole, env));
    }
    let single = check(init, env)?;
    let [argument] = arguments else {
        let message = format!("`Init` takes 1 argument, got {}", arguments.len());
        return Err(ConversionError::new(ConversionErrorKind::ArgumentMismatch, message));
    };
    if !init.arguments.is_empty() {
        let all: Vec<Value> = [argument].into_iter().chain(&init.arguments).cloned().collect();
        return new_instance_at(&init.ty, &all, env, depth + 1);
    }
    let is_single = |fit| single.iter().any(|ty| fits(ty, argument, env) == fit);
    match argument {
        Value::Array(_) if is_single(Fit::Always) => {}
        Value::Array(elements) if !is_single(Fit::Maybe) => {
            return new_instance_at(&init.ty, elements, env, depth + 1);
        }
        Value::Unknown(unknown) if !matches!(fits(&Type::array_of(Type::Any), argument, env), Fit::Never) => {
            return Ok(Value::unknown(init.ty.clone(), unknown.origin));
        }
        Value::Array(_) => {
            return Ok(Value::unknown(
                init.ty.clone(),
                argument.least_trustworthy().unwrap_or(Origin::Bound),
            ));
        }
        _ => {}
    }
    new_instance_at(&init.ty, std::slice::from_ref(argument), env, depth + 1)
}

/// Returns the types of single values that the constructor accepts.
///
/// # Errors
/// If the type has no constructor, or the constructor does not accept the arguments of the `Init`.
fn check(init: &InitType, env: &dyn TypeEnvironment) -> Result<Vec<Type>, ConversionError> {
    let no_target = matches!(init.ty, Type::Init(_) | Type::Optional(_) | Type::NotUndef(_));
    if no_target || new_signatures(&init.ty, env).is_none() {
        return Err(not_supported(&init.ty, env));
    }
    let single = init_arguments(init, env).single;
    if init.arguments.is_empty() || !single.is_empty() {
        return Ok(single.into_iter().chain([init.ty.clone()]).collect());
    }
    let text = expanded_type_text(&Type::Init(Some(std::sync::Arc::new(init.clone()))), env);
    let message = format!(
        "arguments of `{text}` do not match the constructor of `{}`",
        expanded_type_text(&init.ty, env)
    );
    Err(ConversionError::new(ConversionErrorKind::NotSupported, message))
}
