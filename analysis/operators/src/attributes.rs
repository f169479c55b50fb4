//! The attributes that a hash gives: `* => $hash`.

use codes::Code;
use smol_str::SmolStr;
use types::{TypeEnvironment, Value};

use crate::Failure;

/// The attribute that a key of the hash names; `None` when it is not known.
///
/// # Errors
/// Only texts, and `default`, are names.
pub fn attribute_name(key: &Value, env: &dyn TypeEnvironment) -> Result<Option<SmolStr>, Failure> {
    match key {
        Value::String(name) => Ok(Some(name.clone())),
        Value::Default => Ok(Some("default".into())),
        Value::Unknown(_) => Ok(None),
        key => {
            let message =
                format!("the name of an attribute is a text: this key is of type {}", general(key, env));
            Err(Failure::new(Code::TypeMismatch, message))
        }
    }
}

/// What is told where something else than a hash is to give attributes.
pub fn no_attributes(value: &Value, env: &dyn TypeEnvironment) -> Failure {
    let message = format!("attributes come in a hash: this is of type {}", general(value, env));
    Failure::new(Code::TypeMismatch, message)
}

fn general(value: &Value, env: &dyn TypeEnvironment) -> String {
    let ty = types::common::generalize(&types::infer::infer(value, env), env);
    types::display::type_text(&ty, env).to_string()
}
