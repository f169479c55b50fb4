//! Where variables live while code runs.

use std::sync::Arc;

use hir::{ScopeId, SlotId};
use operators::MatchData;
use types::{HashValue, Value};

use crate::catalog::DynamicScopeId;
use crate::program::Unit;

/// A frame by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrameId(pub(crate) u32);

/// One run of a scope of a body: of a function, a lambda, the main program.
#[derive(Debug)]
pub struct Frame {
    pub(crate) unit: Arc<Unit>,
    pub(crate) scope: ScopeId,
    /// By [`hir::Slot::index_in_scope`].
    pub(crate) slots: Vec<VariableState>,
    /// The frame of the code around a lambda.
    pub(crate) outer: Option<FrameId>,
    /// What contains the resources that are declared, with its resource defaults.
    pub(crate) dynamic_scope: DynamicScopeId,
    /// What `$0`, `$1`, ... are.
    pub(crate) matched: Option<Arc<MatchData>>,
    /// What they are where nothing has matched here: what the main program or the node had matched by then.
    pub(crate) outer_matched: Option<Arc<MatchData>>,
    /// Do assignments set variables of the top scope?
    pub(crate) is_top: bool,
    /// Where a template finds variables by name: what it was given, then the frame that renders it.
    pub(crate) given: Option<Arc<HashValue>>,
    pub(crate) caller: Option<FrameId>,
    /// While a parameter's default is evaluated: assignments are errors, and parameters not yet set must not be read.
    pub(crate) parameters: Option<ParameterPhase>,
}

/// The state of a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum VariableState {
    Unset,
    Set(Value),
    /// Set on some of the ways that led here.
    Possible(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParameterPhase {
    /// The index of the parameter whose default is being evaluated.
    pub(crate) current: usize,
}

impl Frame {
    pub fn new(unit: Arc<Unit>, scope: ScopeId) -> Frame {
        let slots = vec![VariableState::Unset; unit.body.scopes[scope.index()].slot_count as usize];
        Frame {
            unit,
            scope,
            slots,
            outer: None,
            dynamic_scope: DynamicScopeId::TOP,
            matched: None,
            outer_matched: None,
            is_top: false,
            given: None,
            caller: None,
            parameters: None,
        }
    }

    pub(crate) fn slot(&self, slot: SlotId) -> &VariableState {
        &self.slots[self.unit.body.slots[slot.index()].index_in_scope as usize]
    }
}
