//! Units of a run: definitions with their bodies.

use crate::platform_expressions::platform_expressions;
use eval::{Unit, UnitId};
use hir::{DefinitionKind, Name};
use project::{Db, DefinitionId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Source of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum UnitSource {
    /// A definition in a file of the project.
    Definition(DefinitionId),
    /// A definition of the text that is compiled, by its index.
    Code(usize),
}

/// Units of one run, one per definition.
pub(crate) struct UnitTable<'db> {
    db: &'db dyn Db,
    /// True if platform expressions are recorded.
    compares_platforms: bool,
    /// Units, indexed by [`UnitId`].
    units: RefCell<Vec<(UnitSource, Arc<Unit>)>>,
    known: RefCell<FxHashMap<DefinitionId, Arc<Unit>>>,
}

impl<'db> UnitTable<'db> {
    pub(crate) fn new(db: &'db dyn Db, compares_platforms: bool) -> UnitTable<'db> {
        UnitTable { db, compares_platforms, units: RefCell::default(), known: RefCell::default() }
    }

    /// Returns the unit of a definition, and whether it is new.
    pub(crate) fn unit(&self, definition: DefinitionId) -> (Arc<Unit>, bool) {
        if let Some(unit) = self.known.borrow().get(&definition) {
            return (unit.clone(), false);
        }
        let key = definition.key(self.db);
        let name = match project::signature(self.db, definition) {
            Some(signature) => signature.name.clone(),
            None => key.name.clone(),
        };
        let mut unit = Unit::new(UnitId(0), name, key.kind, project::body(self.db, definition));
        unit.platform_expressions = self
            .compares_platforms
            .then(|| platform_expressions(self.db, definition))
            .filter(|it| !it.is_empty());
        let unit = self.push(UnitSource::Definition(definition), unit);
        self.known.borrow_mut().insert(definition, unit.clone());
        (unit, true)
    }

    /// Adds a unit for a precomputed class, which is not evaluated.
    pub(crate) fn precomputed(&self, definition: DefinitionId) -> Option<Arc<Unit>> {
        let signature = project::signature(self.db, definition).as_ref()?;
        let body = hir::Body::of_nothing(signature.inherits.clone());
        let unit = Unit::new(UnitId(0), signature.name.clone(), DefinitionKind::Class, Arc::new(body));
        Some(self.push(UnitSource::Definition(definition), Unit { is_precomputed: true, ..unit }))
    }

    /// Adds a unit that is not a definition of a file.
    pub(crate) fn add(
        &self,
        source: UnitSource,
        name: Name,
        kind: DefinitionKind,
        body: Arc<hir::Body>,
    ) -> Arc<Unit> {
        self.push(source, Unit::new(UnitId(0), name, kind, body))
    }

    /// Adds a unit and assigns its number.
    fn push(&self, source: UnitSource, unit: Unit) -> Arc<Unit> {
        let mut units = self.units.borrow_mut();
        let unit = Arc::new(Unit { id: UnitId(units.len() as u32), ..unit });
        units.push((source, unit.clone()));
        unit
    }

    /// Returns the source of a unit; `None` for an inline template.
    pub(crate) fn source(&self, unit: UnitId) -> Option<UnitSource> {
        Some(self.units.borrow().get(unit.0 as usize)?.0)
    }

    pub(crate) fn by_id(&self, id: UnitId) -> Option<Arc<Unit>> {
        Some(self.units.borrow().get(id.0 as usize)?.1.clone())
    }

    /// Returns the sources of all units, by [`UnitId`].
    pub(crate) fn into_sources(self) -> Vec<UnitSource> {
        self.units.into_inner().into_iter().map(|(source, _)| source).collect()
    }
}
