//! Variables that functions see.

use eval::{Call, VariableState};
use types::{Origin, Type, Value};

/// Variable as Ruby code sees it.
pub(crate) enum VisibleVariable {
    Value(Value),
    Unset,
    /// The variable may or may not be set.
    Unknown(Origin),
}

impl VisibleVariable {
    fn of_value(value: Value) -> VisibleVariable {
        match value {
            Value::Unknown(unknown) => VisibleVariable::Unknown(unknown.origin),
            value => VisibleVariable::Value(value),
        }
    }

    fn of_state(state: VariableState) -> VisibleVariable {
        match state {
            VariableState::Set(value) => VisibleVariable::Value(value),
            VariableState::Possible(value) => {
                VisibleVariable::Unknown(value.least_trustworthy().unwrap_or(Origin::Join))
            }
            VariableState::Unset => VisibleVariable::Unset,
        }
    }
}

/// Returns the variable of a name that is visible at a call.
pub(crate) fn variable(call: &Call, name: &str) -> VisibleVariable {
    VisibleVariable::of_state(call.evaluator.slot_by_name(call.site.frame, name))
}

/// Returns a fact by its path in `$facts`; `undef` if it is missing.
pub(crate) fn fact(call: &Call, path: &[&str]) -> VisibleVariable {
    match call.evaluator.element_by_name(call.site.frame, "facts", path) {
        Ok(value) => VisibleVariable::of_value(value),
        Err(VariableState::Set(unknown @ Value::Unknown(_))) => VisibleVariable::of_value(unknown),
        Err(VariableState::Set(_)) => VisibleVariable::Value(Value::Undef),
        Err(state) => VisibleVariable::of_state(state),
    }
}

/// Returns an unknown string that Ruby computes.
pub(crate) fn unknown_text(origin: Origin) -> Value {
    Value::unknown(Type::STRING, origin)
}
