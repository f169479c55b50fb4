//! Storage of variables while code runs.

use std::sync::Arc;

use hir::{ExprId, ScopeId, SlotId};
use operators::MatchData;
use types::{HashValue, Value};

use crate::catalog::DynamicScopeId;
use crate::program::Unit;

/// Index of a frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrameId(pub(crate) u32);

impl FrameId {
    /// Returns the site of an expression in the body that the frame runs.
    pub fn at(self, expr: ExprId) -> Site {
        Site { frame: self, expr }
    }
}

/// Expression in a frame: where evaluation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    pub frame: FrameId,
    pub expr: ExprId,
}

impl Site {
    /// Returns the site of another expression in the same frame.
    pub fn at(self, expr: ExprId) -> Site {
        Site { expr, ..self }
    }
}

/// Activation of a scope: of a function, a lambda or the main program.
#[derive(Debug)]
pub struct Frame {
    pub(crate) unit: Arc<Unit>,
    pub(crate) scope: ScopeId,
    /// Variables, by [`hir::Slot::index_in_scope`].
    pub(crate) slots: Vec<VariableState>,
    /// Frame of the code that encloses a lambda.
    pub(crate) outer: Option<FrameId>,
    /// Scope that contains declared resources, with its resource defaults.
    pub(crate) dynamic_scope: DynamicScopeId,
    /// Values of `$0`, `$1`, ….
    pub(crate) matched: Option<Arc<MatchData>>,
    /// Match to use if this frame has matched nothing: the match of the main program or the node at that
    /// time.
    pub(crate) outer_matched: Option<Arc<MatchData>>,
    /// True if assignments set top-scope variables.
    pub(crate) is_top: bool,
    /// Variables passed to a template, which are looked up by name before those of the frame that renders it.
    pub(crate) given: Option<Arc<HashValue>>,
    pub(crate) caller: Option<FrameId>,
    /// Set while the default of a parameter is evaluated: assignments are errors, and later parameters must
    /// not be read.
    pub(crate) parameters: Option<ParameterPhase>,
}

/// State of a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum VariableState {
    Unset,
    Set(Value),
    /// Set in some of the branches that led here.
    Possible(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParameterPhase {
    /// Index of the parameter whose default is being evaluated.
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
