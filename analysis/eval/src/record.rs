//! Recorded values of the expressions of one definition, for editors.

pub(crate) mod unwrapped;

use hir::{ExprId, SlotId};
use types::{Indistinguishable, Type, TypeEnvironment, Value};

use crate::program::UnitId;

/// Records the values of one unit's expressions while it runs.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueRecorder {
    pub unit: UnitId,
    recorded: Vec<Option<RecordedValue>>,
    /// Values of the parameters of definitions and lambdas, by slot.
    parameters: Vec<Option<RecordedValue>>,
}

/// Value of an expression, merged over all its evaluations.
#[derive(Clone, Debug)]
pub enum RecordedValue {
    /// Up to four values, in order of evaluation.
    Values(Vec<Value>),
    Type(Type),
}

impl PartialEq for RecordedValue {
    fn eq(&self, other: &RecordedValue) -> bool {
        match (self, other) {
            (RecordedValue::Values(a), RecordedValue::Values(b)) => a.is_indistinguishable(b),
            (RecordedValue::Type(a), RecordedValue::Type(b)) => a.is_indistinguishable(b),
            _ => false,
        }
    }
}

const MAX_VALUES: usize = 4;

/// Maximum number of distinct strings before the type becomes `String`: each new string costs as much as all
/// previous ones.
const MAX_STRINGS: usize = 64;

impl ValueRecorder {
    pub fn new(unit: UnitId) -> ValueRecorder {
        ValueRecorder { unit, recorded: Vec::new(), parameters: Vec::new() }
    }

    pub fn value(&self, expr: ExprId) -> Option<&RecordedValue> {
        self.recorded.get(expr.index())?.as_ref()
    }

    /// Returns the recorded value of a parameter.
    pub fn parameter(&self, slot: SlotId) -> Option<&RecordedValue> {
        self.parameters.get(slot.index())?.as_ref()
    }

    /// Returns true if anything in the unit is `Sensitive` with content that may be known.
    pub fn has_secrets(&self) -> bool {
        !self.secrets().is_empty()
    }

    fn secrets(&self) -> Vec<Value> {
        let mut secrets = Vec::new();
        for recorded_value in self.recorded.iter().chain(&self.parameters).flatten() {
            if let RecordedValue::Values(values) = recorded_value {
                values.iter().for_each(|value| find_secrets(value, false, &mut secrets));
            }
        }
        secrets
    }

    /// Drops the recorded values that hold something that is `Sensitive` elsewhere in the same unit, such as
    /// unwrapped secrets.
    pub fn drop_secrets(&mut self) {
        let secrets = self.secrets();
        if secrets.is_empty() {
            return;
        }
        for recorded_value in self.recorded.iter_mut().chain(&mut self.parameters) {
            if let Some(RecordedValue::Values(values)) = recorded_value
                && values.iter().any(|value| holds_any(value, &secrets))
            {
                *recorded_value = None;
            }
        }
    }

    pub(crate) fn note(&mut self, expr: ExprId, value: &Value, env: &dyn TypeEnvironment) {
        note_at(&mut self.recorded, expr.index(), value, env);
    }

    pub(crate) fn note_parameter(&mut self, slot: SlotId, value: &Value, env: &dyn TypeEnvironment) {
        note_at(&mut self.parameters, slot.index(), value, env);
    }
}

/// Collects the values inside of `Sensitive` values.
fn find_secrets(value: &Value, is_secret: bool, found: &mut Vec<Value>) {
    match value {
        Value::Sensitive(inner) => find_secrets(inner, true, found),
        Value::Array(elements) => elements.iter().for_each(|it| find_secrets(it, is_secret, found)),
        Value::Hash(entries) => entries.iter().for_each(|(_, it)| find_secrets(it, is_secret, found)),
        Value::Undef | Value::Boolean(_) | Value::Default | Value::Unknown(_) => {}
        value if is_secret && value.as_str() != Some("") => found.push(value.clone()),
        _ => {}
    }
}

/// Returns true if a value outside of `Sensitive` holds one of `secrets`, or a string that contains one.
fn holds_any(value: &Value, secrets: &[Value]) -> bool {
    match value {
        Value::Sensitive(_) => false,
        Value::Array(elements) => elements.iter().any(|it| holds_any(it, secrets)),
        Value::Hash(entries) => {
            entries.iter().any(|(key, value)| holds_any(key, secrets) || holds_any(value, secrets))
        }
        Value::String(text) => secrets.iter().any(|it| it.as_str().is_some_and(|it| text.contains(it))),
        value => secrets.contains(value),
    }
}

fn note_at(
    recorded: &mut Vec<Option<RecordedValue>>,
    index: usize,
    value: &Value,
    env: &dyn TypeEnvironment,
) {
    if recorded.len() <= index {
        recorded.resize(index + 1, None);
    }
    let recorded_value = &mut recorded[index];
    match recorded_value {
        None => *recorded_value = Some(RecordedValue::Values(vec![value.clone()])),
        Some(RecordedValue::Values(values)) if values.iter().any(|it| it.is_indistinguishable(value)) => {}
        Some(RecordedValue::Values(values)) if values.len() < MAX_VALUES => values.push(value.clone()),
        Some(RecordedValue::Values(values)) => {
            let all = values.iter().chain([value]).map(|value| types::infer::infer(value, env));
            *recorded_value = Some(RecordedValue::Type(types::common::union(all, env)));
        }
        Some(RecordedValue::Type(ty)) => {
            if types::assign::fits(ty, value, env) != types::assign::Fit::Always {
                let joined = match types::common::common_type(ty, &types::infer::infer(value, env), env) {
                    Type::Enum(strings) if strings.values.len() > MAX_STRINGS => Type::STRING,
                    joined => joined,
                };
                *recorded_value = Some(RecordedValue::Type(joined));
            }
        }
    }
}

/// Reason that a call of a function in Ruby gave no known value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RubyReason {
    /// Location of the call.
    pub place: crate::error::ExprPlace,
    pub function: hir::Name,
    /// Description of the unknown part.
    pub what: String,
    /// Path of the Ruby file, relative to its module's folder; the 1-based line follows, 0 if unknown.
    pub path: smol_str::SmolStr,
    pub line: u32,
}
