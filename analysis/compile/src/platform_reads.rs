//! What the compile of a class learns of its platform. Another platform that says the same of all that has the same outcome,
//! and need not be compiled.

use std::cell::RefCell;
use std::sync::Arc;

use hir::{ExprId, Name};
use project::{Db, DefinitionId, Environment};
use rustc_hash::FxHashSet;

use crate::checked_facts::FactSetId;
use crate::platform_expressions::platform_values;
use crate::settled_classes::{is_settled, settled_variable};
use crate::top_variables::top_variables_of_classes;

/// Something that may differ between platforms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PlatformRead {
    /// A variable of the top scope.
    Variable(Name),
    /// May the variables of a class be taken from [`settled_variable`]?
    IsSettled(DefinitionId),
    SettledVariable(DefinitionId, Name),
    /// One of the [`platform_expressions`](crate::platform_expressions::platform_expressions) of a definition.
    Expression(DefinitionId, ExprId),
}

/// Do two sets of facts say the same of everything that is read?
pub(crate) fn agree(
    db: &dyn Db,
    environment: Environment,
    reads: &[PlatformRead],
    one: FactSetId,
    other: FactSetId,
) -> bool {
    reads.iter().all(|read| match read {
        PlatformRead::Variable(name) => {
            let variable = |facts| top_variables_of_classes(db, environment, facts)?.get(name).cloned();
            variable(one) == variable(other)
        }
        PlatformRead::IsSettled(class) => {
            is_settled(db, environment, *class, one) == is_settled(db, environment, *class, other)
        }
        PlatformRead::SettledVariable(class, name) => {
            let variable = |facts| settled_variable(db, environment, *class, facts, name.clone());
            variable(one) == variable(other)
        }
        PlatformRead::Expression(definition, expr) => {
            let values = |facts| platform_values(db, environment, *definition, facts);
            values(one).get(expr).is_some_and(|value| values(other).get(expr) == Some(value))
        }
    })
}

/// Notes what a compile reads.
#[derive(Default, Debug)]
pub(crate) struct PlatformReads {
    reads: RefCell<Noted>,
}

#[derive(Default, Debug)]
struct Noted {
    all: FxHashSet<PlatformRead>,
    /// In the order in which they were read first.
    ordered: Vec<PlatformRead>,
    /// What the platform expression reads that is being evaluated.
    inner: Option<Vec<PlatformRead>>,
}

impl Noted {
    fn add(&mut self, read: PlatformRead) {
        if self.all.insert(read.clone()) {
            self.ordered.push(read);
        }
    }
}

impl PlatformReads {
    pub(crate) fn note(&self, read: PlatformRead) {
        let mut noted = self.reads.borrow_mut();
        match &mut noted.inner {
            Some(inner) => inner.push(read),
            None => noted.add(read),
        }
    }

    /// A platform expression is evaluated from now on.
    pub(crate) fn begin_expression(&self) {
        self.reads.borrow_mut().inner = Some(Vec::new());
    }

    /// It has been. Does its value say all that the compile has learnt from it?
    pub(crate) fn end_expression(&self, definition: DefinitionId, expr: ExprId, says_all: bool) {
        let mut noted = self.reads.borrow_mut();
        let inner = noted.inner.take().unwrap_or_default();
        match says_all {
            true => noted.add(PlatformRead::Expression(definition, expr)),
            false => inner.into_iter().for_each(|read| noted.add(read)),
        }
    }

    pub(crate) fn into_reads(self) -> Arc<[PlatformRead]> {
        self.reads.into_inner().ordered.into()
    }
}
