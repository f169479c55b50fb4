//! Function of the module openstacklib that all OpenStack modules call. It exists if the environment has the
//! module.

use eval::{BuiltInFunction, Call, Outcome};
use types::Value;

use super::support::{function, known};

/// Parameter value that leaves a setting at the default of the service.
const SERVICE_DEFAULT: &str = "<SERVICE DEFAULT>";

pub(super) const TABLE: &[BuiltInFunction] = &[function(
    "is_service_default",
    "Returns true for the string `<SERVICE DEFAULT>`, which denotes the default of the service.",
    &[known("(Any $value) >> Boolean", is_service_default)],
)];

fn is_service_default(call: &mut Call) -> Outcome {
    Ok(Value::Boolean(call.argument(0).as_str() == Some(SERVICE_DEFAULT)))
}
