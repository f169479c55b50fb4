//! What the compile of a class learns of its platform. Another platform that says the same of all that has the same outcome,
//! and need not be compiled.

use std::cell::RefCell;
use std::sync::Arc;

use hir::{ExprId, Name};
use project::{Db, DefinitionId, Environment};
use rustc_hash::FxHashSet;
use types::Remembered;

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
            let variables = |facts| top_variables_of_classes(db, environment, facts).0;
            let variable = |facts| Remembered(variables(facts).and_then(|them| them.get(name).cloned()));
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
            let value = |facts| platform_values(db, environment, *definition, facts).get(expr).cloned();
            value(one).is_some() && Remembered(value(one)) == Remembered(value(other))
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
    /// What the platform expressions read that are being evaluated, innermost last.
    inner: Vec<Vec<PlatformRead>>,
}

impl Noted {
    fn add(&mut self, read: PlatformRead) {
        match self.inner.last_mut() {
            Some(inner) => inner.push(read),
            None if self.all.insert(read.clone()) => self.ordered.push(read),
            None => {}
        }
    }
}

impl PlatformReads {
    pub(crate) fn note(&self, read: PlatformRead) {
        self.reads.borrow_mut().add(read);
    }

    /// A platform expression is evaluated from now on.
    pub(crate) fn begin_expression(&self) {
        self.reads.borrow_mut().inner.push(Vec::new());
    }

    /// It has been. Does its value say all that the compile has learnt from it?
    pub(crate) fn end_expression(&self, definition: DefinitionId, expr: ExprId, says_all: bool) {
        let mut noted = self.reads.borrow_mut();
        let inner = noted.inner.pop().unwrap_or_default();
        match says_all {
            true => noted.add(PlatformRead::Expression(definition, expr)),
            false => inner.into_iter().for_each(|read| noted.add(read)),
        }
    }

    pub(crate) fn into_reads(self) -> Arc<[PlatformRead]> {
        self.reads.into_inner().ordered.into()
    }
}
