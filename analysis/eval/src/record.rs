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

    pub(crate) fn note(&mut self, expr: ExprId, value: &Value, env: &dyn TypeEnvironment) {
        note_at(&mut self.facts, expr.index(), value, env);
    }

    pub(crate) fn note_parameter(&mut self, slot: SlotId, value: &Value, env: &dyn TypeEnvironment) {
        note_at(&mut self.parameters, slot.index(), value, env);
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
