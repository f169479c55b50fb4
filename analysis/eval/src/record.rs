//! What the expressions of one definition were worth: what an editor shows.

pub(crate) mod unwrapped;

use hir::{ExprId, SlotId};
use types::{Indistinguishable, Type, TypeEnvironment, Value};

use crate::program::UnitId;

/// Notes values of the expressions of one unit while it runs.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueRecorder {
    pub unit: UnitId,
    worths: Vec<Option<RecordedValue>>,
    /// What the parameters of definitions and lambdas were given, by slot.
    parameters: Vec<Option<RecordedValue>>,
}

/// What an expression was worth, over all times it was evaluated.
#[derive(Clone, Debug)]
pub enum RecordedValue {
    /// At most four values, in the order in which they came.
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

/// More different strings than this are told as `String`: each new one would cost as much as all that are there.
const MAX_STRINGS: usize = 64;

impl ValueRecorder {
    pub fn new(unit: UnitId) -> ValueRecorder {
        ValueRecorder { unit, worths: Vec::new(), parameters: Vec::new() }
    }

    pub fn worth(&self, expr: ExprId) -> Option<&RecordedValue> {
        self.worths.get(expr.index())?.as_ref()
    }

    /// What a parameter was given.
    pub fn parameter(&self, slot: SlotId) -> Option<&RecordedValue> {
        self.parameters.get(slot.index())?.as_ref()
    }

    /// Is anything in the unit Sensitive, whose content may be known?
    pub fn has_secrets(&self) -> bool {
        !self.secrets().is_empty()
    }

    fn secrets(&self) -> Vec<Value> {
        let mut secrets = Vec::new();
        for worth in self.worths.iter().chain(&self.parameters).flatten() {
            if let RecordedValue::Values(values) = worth {
                values.iter().for_each(|value| find_secrets(value, false, &mut secrets));
            }
        }
        secrets
    }

    /// Forgets the values that hold something which is Sensitive elsewhere in the same unit: what was unwrapped.
    pub fn forget_secrets(&mut self) {
        let secrets = self.secrets();
        if secrets.is_empty() {
            return;
        }
        for worth in self.worths.iter_mut().chain(&mut self.parameters) {
            if let Some(RecordedValue::Values(values)) = worth
                && values.iter().any(|value| holds_any(value, &secrets))
            {
                *worth = None;
            }
        }
    }

    pub(crate) fn note(&mut self, expr: ExprId, value: &Value, env: &dyn TypeEnvironment) {
        note_at(&mut self.worths, expr.index(), value, env);
    }

    pub(crate) fn note_parameter(&mut self, slot: SlotId, value: &Value, env: &dyn TypeEnvironment) {
        note_at(&mut self.parameters, slot.index(), value, env);
    }
}

/// The values inside of what is Sensitive.
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

/// Does a value that is not Sensitive itself hold one of some secrets, or a text with one in it?
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

fn note_at(worths: &mut Vec<Option<RecordedValue>>, index: usize, value: &Value, env: &dyn TypeEnvironment) {
    if worths.len() <= index {
        worths.resize(index + 1, None);
    }
    let worth = &mut worths[index];
    match worth {
        None => *worth = Some(RecordedValue::Values(vec![value.clone()])),
        Some(RecordedValue::Values(values)) if values.iter().any(|it| it.is_indistinguishable(value)) => {}
        Some(RecordedValue::Values(values)) if values.len() < MAX_VALUES => values.push(value.clone()),
        Some(RecordedValue::Values(values)) => {
            let all = values.iter().chain([value]).map(|value| types::infer::infer(value, env));
            *worth = Some(RecordedValue::Type(types::common::union(all, env)));
        }
        Some(RecordedValue::Type(ty)) => {
            if types::assign::fits(ty, value, env) != types::assign::Fit::Always {
                let joined = match types::common::common_type(ty, &types::infer::infer(value, env), env) {
                    Type::Enum(strings) if strings.values.len() > MAX_STRINGS => Type::STRING,
                    joined => joined,
                };
                *worth = Some(RecordedValue::Type(joined));
            }
        }
    }
}

/// Why a call of a function in Ruby gave nothing that is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RubyReason {
    /// The call.
    pub place: crate::error::ExprPlace,
    pub function: hir::Name,
    /// What is not known, in words.
    pub what: String,
    /// The Ruby file, below its module's folder, and the line, from 1; 0 where it is not known.
    pub path: smol_str::SmolStr,
    pub line: u32,
}
