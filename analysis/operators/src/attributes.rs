//! Attributes passed as a hash: `* => $hash`.

use codes::Code;
use smol_str::SmolStr;
use types::{TypeEnvironment, Value};

use crate::Failure;

/// Returns the attribute that a key of the hash names, or `None` if it is unknown.
///
/// # Errors
/// If the key is neither a string nor `default`.
pub fn attribute_name(key: &Value, env: &dyn TypeEnvironment) -> Result<Option<SmolStr>, Failure> {
    match key {
        Value::String(name) => Ok(Some(name.clone())),
        Value::Default => Ok(Some("default".into())),
        Value::Unknown(_) => Ok(None),
        key => {
            let message = format!("attribute name must be a string, got `{}`", general(key, env));
            Err(Failure::new(Code::TypeMismatch, message))
        }
    }
}

/// Creates the error for a value other than a hash.
pub fn no_attributes(value: &Value, env: &dyn TypeEnvironment) -> Failure {
    let message = format!("attributes must be a hash, got `{}`", general(value, env));
    Failure::new(Code::TypeMismatch, message)
}

fn general(value: &Value, env: &dyn TypeEnvironment) -> String {
    let ty = types::common::generalize(&types::infer::infer(value, env), env);
    types::display::type_text(&ty, env).to_string()
}
