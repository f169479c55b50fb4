//! Platform properties that the compile of a class reads. Another platform that agrees in all of them has the
//! same outcome, and need not be compiled.

use std::cell::RefCell;

use hir::{ExprId, Name};
use project::DefinitionId;
use types::Value;

use crate::compile_program::read_log::{LoggedRead, ReadLog};

/// Property that may differ between platforms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PlatformRead {
    /// Top-scope variable, or the element at a path of keys in it.
    Variable {
        name: Name,
        path: Vec<Value>,
    },
    /// Availability of a class's variables from [`precomputed_variable`].
    IsPrecomputed(DefinitionId),
    PrecomputedVariable(DefinitionId, Name),
    /// One of the [`platform_expressions`](crate::platform_expressions::platform_expressions) of a
    /// definition.
    Expression(DefinitionId, ExprId),
}

impl LoggedRead for PlatformRead {
    fn path(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            PlatformRead::Variable { path, .. } => Some(path),
            _ => None,
        }
    }
}

/// Recorder of the platform properties that a compile reads.
#[derive(Default, Debug)]
pub(crate) struct PlatformReads {
    pub(crate) log: ReadLog<PlatformRead>,
    /// Number of reads before each of the platform expressions that are being evaluated, innermost last.
    expressions: RefCell<Vec<usize>>,
}

impl PlatformReads {
    /// Starts the evaluation of a platform expression.
    pub(crate) fn begin_expression(&self) {
        self.expressions.borrow_mut().push(self.log.len());
    }

    /// Ends the evaluation of a platform expression. `says_all` is true if its value is all that the compile
    /// has learned from it.
    pub(crate) fn end_expression(&self, definition: DefinitionId, expr: ExprId, says_all: bool) {
        let before = self.expressions.borrow_mut().pop();
        if let Some(before) = before.filter(|_| says_all) {
            self.log.truncate(before);
            self.log.record(PlatformRead::Expression(definition, expr));
        }
    }
}
