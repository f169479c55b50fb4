//! Values of platform expressions with a fact set.

use super::{choices, platform_expressions};
use crate::checked_facts::FactSetId;
use crate::precomputed_classes::{is_precomputed, precomputed_variable};
use crate::puppet_settings::settings_of;
use crate::top_variables::top_variables_of_classes;
use eval::{
    Definitions, EvaluationSettings, Evaluator, FactsAndData, Files, Frame, FunctionLibrary, FunctionSource,
    Loading, MissingNameKind, ModuleFolder, Observer, OtherNodes, Precomputed, ReadObserver, Unit, UnitId,
    World,
};
use hir::{ExprId, Name, ScopeId};
use project::{Db, DefinitionId, Environment};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;
use types::{CachedValue, Type, Value};

/// Returns the values of the [`platform_expressions`] of a definition on a platform; for tested expressions
/// of choices, the chosen alternative. Leaves out failing expressions and unknown values.
#[salsa::tracked(returns(clone))]
pub(crate) fn platform_values(
    db: &dyn Db,
    environment: Environment,
    definition: DefinitionId,
    facts: FactSetId,
) -> CachedValue<Arc<FxHashMap<ExprId, Value>>> {
    let variables = top_variables_of_classes(db, environment, facts).0.unwrap_or_default();
    let needs_more = Cell::new(false);
    let program = PlatformVariables { db, environment, facts, variables, needs_more };
    let settings = EvaluationSettings { is_part: true, ..settings_of(db, environment) };
    let world = World::new(&program, settings);
    let mut evaluator = Evaluator::new(&world);
    let key = definition.key(db);
    let body = project::body(db, definition);
    let unit = Unit::new(UnitId(0), key.name.clone(), key.kind, body.clone());
    let frame = evaluator.open_frame(Frame::new(unit.into(), ScopeId::ROOT));
    let choices = choices(&body);
    let expressions = platform_expressions(db, definition);
    let values = expressions.iter().filter_map(|expr| {
        program.needs_more.set(false);
        let value = evaluator.value_by_variables(frame.at(*expr))?;
        let value = match choices.get(expr) {
            Some(choice) => choice.value(&mut evaluator, frame, &body, value)?,
            None => value,
        };
        (!program.needs_more.get()).then_some((*expr, value))
    });
    CachedValue(Arc::new(values.collect()))
}

/// Program that knows the variables of the top scope and of precomputed classes, and nothing else.
pub(super) struct PlatformVariables<'db> {
    db: &'db dyn Db,
    environment: Environment,
    facts: FactSetId,
    variables: Arc<FxHashMap<Name, Value>>,
    /// True if the evaluation needed anything else, which may differ at the location of the expression.
    needs_more: Cell<bool>,
}

impl PlatformVariables<'_> {
    fn miss<T>(&self, answer: T) -> T {
        self.needs_more.set(true);
        answer
    }

    /// Returns a variable of a class or of its parents.
    fn of_class(&self, class: &str, name: &str) -> Option<Value> {
        let (db, environment) = (self.db, self.environment);
        let mut class = project::resolve_in_modules(db, environment, project::NameKind::Class, class)?;
        // A precomputed class never inherits itself.
        while *is_precomputed(db, environment, class, self.facts) {
            let value = precomputed_variable(db, environment, class, self.facts, name.into()).0;
            if value.is_some() {
                return value;
            }
            let parent = project::signature(db, class).as_ref()?.inherits.as_ref()?;
            class = project::resolve_in_modules(db, environment, project::NameKind::Class, parent)?;
        }
        None
    }
}

impl Definitions for PlatformVariables<'_> {
    fn functions(&self) -> &'static dyn FunctionLibrary {
        functions::LIBRARY
    }

    fn function(&self, _: &str) -> Option<FunctionSource> {
        self.miss(None)
    }

    fn replacement(&self, name: &str) -> Option<FunctionSource> {
        let kind = project::NameKind::Function;
        match project::resolve(self.db, self.environment, kind, name) {
            Some(_) => self.miss(None),
            None => None,
        }
    }

    fn type_alias(&self, _: &str) -> Option<Arc<Unit>> {
        self.miss(None)
    }

    fn class(&self, _: &str) -> Option<Arc<Unit>> {
        self.miss(None)
    }

    fn class_exists(&self, _: &str) -> bool {
        self.miss(false)
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        self.miss(false)
    }

    fn may_define(&self, kind: MissingNameKind, _: &str) -> bool {
        self.miss(());
        kind == MissingNameKind::Variable
    }
}

impl Precomputed for PlatformVariables<'_> {}

impl Files for PlatformVariables<'_> {
    fn module_folder(&self, _: &str) -> ModuleFolder {
        self.miss(ModuleFolder::Unclear)
    }

    fn module_file(&self, _: &str, _: &str) -> Option<Arc<[u8]>> {
        self.miss(None)
    }
}

impl FactsAndData for PlatformVariables<'_> {
    fn global(&self, name: &str) -> Option<Value> {
        let of_class = || name.rsplit_once("::").and_then(|(class, variable)| self.of_class(class, variable));
        self.variables.get(name).cloned().or_else(of_class)
    }

    fn type_of_element(&self, _: &str, _: &[Value]) -> Option<Type> {
        None
    }
}

impl OtherNodes for PlatformVariables<'_> {}

impl Loading for PlatformVariables<'_> {}

impl ReadObserver for PlatformVariables<'_> {}

impl Observer for PlatformVariables<'_> {}
