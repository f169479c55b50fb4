//! Platform properties that the compile of a class reads. Another platform that agrees in all of them has the
//! same outcome, and need not be compiled.

use std::cell::RefCell;
use std::sync::Arc;

use hir::{ExprId, Name};
use project::{Db, DefinitionId, Environment};
use rustc_hash::FxHashSet;
use types::CachedValue;

use crate::checked_facts::FactSetId;
use crate::platform_expressions::platform_values;
use crate::precomputed_classes::{is_precomputed, precomputed_variable};
use crate::top_variables::top_variables_of_classes;

/// Property that may differ between platforms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PlatformRead {
    /// Top-scope variable.
    Variable(Name),
    /// Availability of a class's variables from [`precomputed_variable`].
    IsPrecomputed(DefinitionId),
    PrecomputedVariable(DefinitionId, Name),
    /// One of the [`platform_expressions`](crate::platform_expressions::platform_expressions) of a
    /// definition.
    Expression(DefinitionId, ExprId),
}

/// Returns true if two fact sets agree in everything that was read.
pub(crate) fn agree(
    db: &dyn Db,
    environment: Environment,
    reads: &[PlatformRead],
    one: FactSetId,
    other: FactSetId,
) -> bool {
    reads.iter().all(|read| match read {
        PlatformRead::Variable(name) => {
            let variables = |facts| top_variables_of_classes(db, environment, facts).0;
            let variable = |facts| CachedValue(variables(facts).and_then(|them| them.get(name).cloned()));
            variable(one) == variable(other)
        }
        PlatformRead::IsPrecomputed(class) => {
            is_precomputed(db, environment, *class, one) == is_precomputed(db, environment, *class, other)
        }
        PlatformRead::PrecomputedVariable(class, name) => {
            let variable = |facts| precomputed_variable(db, environment, *class, facts, name.clone());
            variable(one) == variable(other)
        }
        PlatformRead::Expression(definition, expr) => {
            let value = |facts| platform_values(db, environment, *definition, facts).get(expr).cloned();
            value(one).is_some() && CachedValue(value(one)) == CachedValue(value(other))
        }
    })
}

/// Recorder of the platform properties that a compile reads.
#[derive(Default, Debug)]
pub(crate) struct PlatformReads {
    reads: RefCell<ReadLog>,
}

#[derive(Default, Debug)]
struct ReadLog {
    all: FxHashSet<PlatformRead>,
    /// Reads in the order of their first occurrence.
    ordered: Vec<PlatformRead>,
    /// Reads of the platform expressions that are being evaluated, innermost last.
    inner: Vec<Vec<PlatformRead>>,
}

impl ReadLog {
    fn add(&mut self, read: PlatformRead) {
        match self.inner.last_mut() {
            Some(inner) => inner.push(read),
            None if self.all.insert(read.clone()) => self.ordered.push(read),
            None => {}
        }
    }
}

impl PlatformReads {
    pub(crate) fn record(&self, read: PlatformRead) {
        self.reads.borrow_mut().add(read);
    }

    /// Starts the evaluation of a platform expression.
    pub(crate) fn begin_expression(&self) {
        self.reads.borrow_mut().inner.push(Vec::new());
    }

    /// Ends the evaluation of a platform expression. `says_all` is true if its value is all that the compile
    /// has learned from it.
    pub(crate) fn end_expression(&self, definition: DefinitionId, expr: ExprId, says_all: bool) {
        let mut log = self.reads.borrow_mut();
        let inner = log.inner.pop().unwrap_or_default();
        if says_all {
            log.add(PlatformRead::Expression(definition, expr))
        } else {
            inner.into_iter().for_each(|read| log.add(read))
        }
    }

    pub(crate) fn into_reads(self) -> Arc<[PlatformRead]> {
        self.reads.into_inner().ordered.into()
    }
}
