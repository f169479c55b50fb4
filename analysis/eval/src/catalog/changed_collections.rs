//! Arrays and hashes that Ruby code changes in place. All variables that refer to them see the change.

use std::cell::Cell;

use hir::{Name, ScopeId};
use ruby::ChangedCollection;
use rustc_hash::FxHashMap;
use types::{HashValue, Origin, Type, Value};

use super::ids::DynamicScopeId;
use super::store::CatalogBuilder;
use crate::evaluator::{Evaluator, VariableTarget};
use crate::frame::{FrameId, VariableState};

/// Variables with collections that Puppet freezes.
const FROZEN: &[&str] = &["facts", "trusted", "server_facts"];

/// Variable that refers to a changed collection.
struct Holder {
    target: VariableTarget,
    scope: DynamicScopeId,
    /// State after the change.
    after: VariableState,
    /// True for a parameter of the resource.
    is_passed: bool,
    /// True for a variable of a function, whose parameters refer to the arguments.
    is_in_function: bool,
}

impl Evaluator<'_> {
    /// Replaces changed collections in all variables and in the parameters of the container of `frame`.
    ///
    /// `is_held` is true if variables are known to refer to them. Returns false if the effect is not known.
    pub fn change_collections(
        &mut self,
        frame: FrameId,
        changes: &[ChangedCollection],
        is_held: bool,
    ) -> bool {
        let scope = self.dynamic_scope(frame);
        // Parameters are copies of values. Which of several with the same value was changed is not known.
        let is_shared = changes.iter().any(|change| {
            let change = CollectionChanges::new(std::slice::from_ref(change));
            self.catalog.changed_parameters(scope, &change).len() > 1
        });
        let changes = CollectionChanges::new(changes);
        let passed = self.catalog.changed_parameters(scope, &changes);
        let mut is_certain =
            !self.holds_frozen(&changes) && (!passed.is_empty() || !self.holds_precomputed(&changes));
        let mut holders = self.holders(&changes, scope, &passed);
        is_certain &= !is_held || !holders.is_empty();
        // A function may have the copy or the value itself.
        let is_unclear =
            holders.iter().any(|it| it.is_in_function) && holders.iter().any(|it| it.scope != scope);
        if !passed.is_empty() {
            holders.retain(|it| it.scope == scope || it.is_in_function);
        }
        for mut holder in holders {
            if !is_certain || is_shared || is_unclear && !holder.is_passed {
                holder.after = holder.after.into_unknown();
            }
            self.variables.drop_narrowing(&holder.target);
            self.write(holder.target, holder.after);
        }
        let is_exact = is_certain && !is_shared && !self.is_forked();
        self.catalog.change_container(scope, &changes, is_exact);
        // The next step fails if this is too much.
        self.machine.add_steps(changes.visited.get() / 16);
        is_certain
    }

    fn holds_frozen(&self, changes: &CollectionChanges<'_>) -> bool {
        let mut frozen = FROZEN.iter().filter_map(|name| self.world.program.unnoted_global(name));
        frozen.any(|value| changes.apply(&value, 0).is_some())
    }

    /// Returns true if a class whose variables are precomputed refers to a changed collection.
    fn holds_precomputed(&self, changes: &CollectionChanges<'_>) -> bool {
        let frames = self.catalog.classes.values().filter_map(|class| self.variables.open(class.frame?));
        frames.filter(|frame| frame.unit.is_precomputed).any(|frame| {
            let names = frame.unit.body.slots.iter().map(|slot| &slot.name);
            let values = names.filter_map(|name| self.world.program.precomputed_variable(&frame.unit, name));
            values.into_iter().any(|value| changes.apply(&value, 0).is_some())
        })
    }

    fn holders(
        &self,
        changes: &CollectionChanges<'_>,
        scope: DynamicScopeId,
        passed: &[Name],
    ) -> Vec<Holder> {
        let mut holders = Vec::new();
        for (id, frame) in self.variables.open_frames() {
            let is_own = frame.dynamic_scope == scope && frame.scope == ScopeId::ROOT;
            let kind = frame.unit.kind;
            for slot in frame.unit.body.slots.iter().filter(|slot| slot.scope == frame.scope) {
                let Some(state) = frame.slots.get(slot.index_in_scope as usize) else { continue };
                let Some(after) = changes.state(state) else { continue };
                holders.push(Holder {
                    target: VariableTarget::Slot(id, slot.index_in_scope),
                    scope: frame.dynamic_scope,
                    after,
                    is_passed: is_own && passed.contains(&slot.name),
                    is_in_function: kind == hir::DefinitionKind::Function,
                });
            }
        }
        for (name, state) in &self.variables.globals {
            let Some(after) = changes.state(state) else { continue };
            holders.push(Holder {
                target: VariableTarget::Global(name.clone()),
                scope: DynamicScopeId::TOP,
                after,
                is_passed: false,
                is_in_function: false,
            });
        }
        holders
    }
}

impl CatalogBuilder {
    /// Returns the parameters of a scope's resource whose values change.
    fn changed_parameters(&self, scope: DynamicScopeId, changes: &CollectionChanges<'_>) -> Vec<Name> {
        let parameters = self[self.scope(scope).resource].parameters.iter();
        parameters.filter(|it| changes.apply(&it.value, 0).is_some()).map(|it| it.name.clone()).collect()
    }

    /// Changes the parameters in the catalog, which are the variables' values.
    fn change_container(&mut self, scope: DynamicScopeId, changes: &CollectionChanges<'_>, is_exact: bool) {
        let container = self.scope(scope).resource;
        for parameter in &mut self[container].parameters {
            let Some(after) = changes.apply(&parameter.value, 0) else { continue };
            parameter.value = if is_exact { after } else { unknown_like(&after) };
        }
    }
}

impl VariableState {
    fn into_unknown(self) -> VariableState {
        match self {
            VariableState::Unset => VariableState::Unset,
            VariableState::Set(value) => VariableState::Set(unknown_like(&value)),
            VariableState::Possible(value) => VariableState::Possible(unknown_like(&value)),
        }
    }
}

fn unknown_like(value: &Value) -> Value {
    let ty = match value {
        Value::Array(_) => Type::array_of(Type::Any),
        Value::Hash(_) => Type::hash_of(Type::Any, Type::Any),
        _ => Type::Any,
    };
    Value::unknown(ty, Origin::Template)
}

/// Changed collections by address.
struct CollectionChanges<'c> {
    after: FxHashMap<usize, &'c Value>,
    /// Number of visited values.
    visited: Cell<u64>,
}

impl<'c> CollectionChanges<'c> {
    fn new(changes: &'c [ChangedCollection]) -> CollectionChanges<'c> {
        let after = changes.iter().filter_map(|it| Some((it.before.collection_address()?, &it.after)));
        CollectionChanges { after: after.collect(), visited: Cell::new(0) }
    }

    fn state(&self, state: &VariableState) -> Option<VariableState> {
        match state {
            VariableState::Unset => None,
            VariableState::Set(value) => self.apply(value, 0).map(VariableState::Set),
            VariableState::Possible(value) => self.apply(value, 0).map(VariableState::Possible),
        }
    }

    /// Returns the value after the change; `None` if it does not refer to a changed collection.
    fn apply(&self, value: &Value, depth: usize) -> Option<Value> {
        self.visited.set(self.visited.get() + 1);
        if depth > Value::MAX_DEPTH {
            return None;
        }
        if let Some(after) = self.after.get(&value.collection_address()?) {
            return Some((*after).clone());
        }
        match value {
            Value::Array(elements) => {
                let after: Vec<Option<Value>> = elements.iter().map(|it| self.apply(it, depth + 1)).collect();
                if after.iter().all(Option::is_none) {
                    return None;
                }
                let parts = after.into_iter().zip(elements.iter());
                Some(Value::array(
                    parts.map(|(after, before)| after.unwrap_or_else(|| before.clone())).collect::<Vec<_>>(),
                ))
            }
            Value::Hash(entries) => {
                let mut after: Option<HashValue> = None;
                for (key, part) in entries.iter() {
                    if let Some(part) = self.apply(part, depth + 1) {
                        after.get_or_insert_with(|| (**entries).clone()).insert(key.clone(), part);
                    }
                }
                after.map(|entries| Value::Hash(entries.into()))
            }
            _ => None,
        }
    }
}
