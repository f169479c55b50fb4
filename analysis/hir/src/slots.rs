//! Resolution of plain variable names to slots.

use rustc_hash::FxHashMap;

use crate::body::{Expr, ExprId, Scope, ScopeId, Slot, SlotId, VariableRef};
use crate::{ExprArena, Name};

/// Scopes of a body that is being lowered.
pub(crate) struct Scopes {
    pub(crate) scopes: Vec<Scope>,
    pub(crate) slots: Vec<Slot>,
    by_name: FxHashMap<(ScopeId, Name), SlotId>,
    /// Reads of plain names, resolved when all assignments are known.
    reads: Vec<(ExprId, ScopeId)>,
}

impl Scopes {
    /// Creates the scopes with that of the definition itself.
    pub(crate) fn new() -> Scopes {
        let scopes = vec![Scope { parent: None, slot_count: 0 }];
        Scopes { scopes, slots: Vec::new(), by_name: FxHashMap::default(), reads: Vec::new() }
    }

    pub(crate) fn open(&mut self, parent: ScopeId) -> ScopeId {
        self.scopes.push(Scope { parent: Some(parent), slot_count: 0 });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Returns the slot of `name` in `scope` itself, creating it if necessary.
    pub(crate) fn declare(&mut self, scope: ScopeId, name: &Name) -> SlotId {
        if let Some(slot) = self.by_name.get(&(scope, name.clone())) {
            return *slot;
        }
        let slot = SlotId(self.slots.len() as u32);
        let count = &mut self.scopes[scope.index()].slot_count;
        self.slots.push(Slot { name: name.clone(), scope, index_in_scope: *count, outer: None });
        *count += 1;
        self.by_name.insert((scope, name.clone()), slot);
        slot
    }

    pub(crate) fn record_read(&mut self, expr: ExprId, scope: ScopeId) {
        self.reads.push((expr, scope));
    }

    /// Resolves plain names to slots where a scope sets them.
    pub(crate) fn resolve(&mut self, exprs: &mut ExprArena) {
        for index in 0..self.slots.len() {
            let slot = &self.slots[index];
            let outer =
                self.scopes[slot.scope.index()].parent.and_then(|parent| self.find(parent, &slot.name));
            self.slots[index].outer = outer;
        }
        for (expr, scope) in std::mem::take(&mut self.reads) {
            let Expr::Variable(VariableRef::Free(name)) = &exprs[expr] else { continue };
            if let Some(slot) = self.find(scope, name) {
                exprs.exprs[expr.index()] = Expr::Variable(VariableRef::Slot(slot));
            }
        }
    }

    /// Returns the slot of `name` in `scope` or the nearest enclosing scope.
    fn find(&self, scope: ScopeId, name: &Name) -> Option<SlotId> {
        let mut scope = Some(scope);
        while let Some(current) = scope {
            if let Some(slot) = self.by_name.get(&(current, name.clone())) {
                return Some(*slot);
            }
            scope = self.scopes[current.index()].parent;
        }
        None
    }
}
