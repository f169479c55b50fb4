//! The function of the module openstacklib that every OpenStack module asks. It exists where the environment has it.

use eval::{BuiltInFunction, Call, Outcome};
use types::Value;

use super::support::{function, known};

/// What parameters are given whose settings shall stay as the service has them.
const SERVICE_DEFAULT: &str = "<SERVICE DEFAULT>";

pub(super) const TABLE: &[BuiltInFunction] = &[function(
    "is_service_default",
    "Is it the text `<SERVICE DEFAULT>`, which stands for what the service itself says?",
    &[known("(Any $value) >> Boolean", is_service_default)],
)];

fn is_service_default(call: &mut Call) -> Outcome {
    Ok(Value::Boolean(call.argument(0).as_str() == Some(SERVICE_DEFAULT)))
}
