//! What the expressions of one definition were worth: what an editor shows.

use hir::{ExprId, SlotId};
use types::{Type, TypeEnvironment, Value};

use crate::program::UnitId;

/// Notes values of the expressions of one unit while it runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorder {
    pub unit: UnitId,
    facts: Vec<Option<Fact>>,
    /// What the parameters of definitions and lambdas were given, by slot.
    parameters: Vec<Option<Fact>>,
}

/// What an expression was worth, over all times it was evaluated.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// At most four values, in the order in which they came.
    Values(Vec<Value>),
    Type(Type),
}

const MOST_VALUES: usize = 4;

impl Recorder {
    pub fn new(unit: UnitId) -> Recorder {
        Recorder { unit, facts: Vec::new(), parameters: Vec::new() }
    }

    pub fn fact(&self, expr: ExprId) -> Option<&Fact> {
        self.facts.get(expr.index())?.as_ref()
    }

    /// What a parameter was given.
    pub fn parameter(&self, slot: SlotId) -> Option<&Fact> {
        self.parameters.get(slot.index())?.as_ref()
    }

    /// Forgets the values that hold something which is Sensitive elsewhere in the same unit: what was unwrapped.
    pub fn forget_secrets(&mut self) {
        let mut secrets = Vec::new();
        for fact in self.facts.iter().chain(&self.parameters).flatten() {
            if let Fact::Values(values) = fact {
                values.iter().for_each(|value| find_secrets(value, false, &mut secrets));
            }
        }
        if secrets.is_empty() {
            return;
        }
        for fact in self.facts.iter_mut().chain(&mut self.parameters) {
            if let Some(Fact::Values(values)) = fact
                && values.iter().any(|value| holds_any(value, &secrets))
            {
                *fact = None;
            }
        }
    }

    pub(crate) fn note(&mut self, expr: ExprId, value: &Value, env: &dyn TypeEnvironment) {
        note_at(&mut self.facts, expr.index(), value, env);
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

fn note_at(facts: &mut Vec<Option<Fact>>, index: usize, value: &Value, env: &dyn TypeEnvironment) {
    if facts.len() <= index {
        facts.resize(index + 1, None);
    }
    let fact = &mut facts[index];
    match fact {
        None => *fact = Some(Fact::Values(vec![value.clone()])),
        Some(Fact::Values(values)) if values.contains(value) => {}
        Some(Fact::Values(values)) if values.len() < MOST_VALUES => values.push(value.clone()),
        Some(Fact::Values(values)) => {
            let all = values.iter().chain([value]).map(|value| types::infer::infer(value, env));
            *fact = Some(Fact::Type(types::common::union(all, env)));
        }
        Some(Fact::Type(ty)) => {
            if types::assign::fits(ty, value, env) != types::assign::Fit::Always {
                let joined = types::common::common_type(ty, &types::infer::infer(value, env), env);
                *fact = Some(Fact::Type(joined));
            }
        }
    }
}
