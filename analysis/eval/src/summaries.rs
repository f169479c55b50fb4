//! Summary evaluation: each definition on its own, its parameters unknown. What an editor shows while one types.

use std::cell::RefCell;
use std::sync::Arc;

use hir::{DefinitionKind, ExprId, Name, SlotId};
use project::{Db, DefinitionId, Environment, File, FilePlace, FunctionTarget, PuppetVersion};
use types::{Origin, Type, Value};

use crate::declared::{declared_function, declared_ruby_function};
use crate::error::{Exit, Finding};
use crate::evaluator::Evaluator;
use crate::fact_types;
use crate::functions;
use crate::misspelling;
use crate::program::{FunctionSource, ModuleFolder, NameKind, Program, Unit, UnitId};
use crate::record::{Fact, Recorder};
use crate::settings::{Bounds, Settings, Strict};
use crate::world::World;

/// What evaluating one definition with unknown inputs showed.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    pub findings: Vec<(Located, Finding)>,
    recorder: Recorder,
    /// What a function returns, when nothing is declared.
    pub returns: Type,
}

/// An expression of a definition of the project.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Located {
    pub definition: DefinitionId,
    pub expr: ExprId,
}

impl Summary {
    fn empty() -> Summary {
        Summary { findings: Vec::new(), recorder: Recorder::new(UnitId(0)), returns: Type::Any }
    }

    /// What an expression of the definition was worth; `None` where it was never evaluated.
    pub fn fact(&self, expr: ExprId) -> Option<&Fact> {
        self.recorder.fact(expr)
    }

    /// What a parameter of the definition, or of a lambda in it, was given.
    pub fn parameter(&self, slot: SlotId) -> Option<&Fact> {
        self.recorder.parameter(slot)
    }
}

/// Asks something about the world as code of a definition sees it: which names it knows. `None` where the file belongs
/// to no environment.
pub fn with_world<T>(db: &dyn Db, definition: DefinitionId, ask: impl FnOnce(&World<'_>) -> T) -> Option<T> {
    let file = definition.file(db);
    let environment = file.environments(db).first().copied()?;
    let program = ProjectProgram::new(db, file, environment, definition.key(db).kind);
    Some(ask(&World::new(&program, settings(db, environment))))
}

/// Evaluates a definition with unknown parameters, facts and callers.
// No LRU: salsa takes an evicted result of a query that may be in a cycle for one that has panicked.
#[salsa::tracked(returns(clone), cycle_initial = summary_in_cycle, cycle_fn = summary_of_cycle)]
pub fn summary(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    let file = definition.file(db);
    let Some(environment) = file.environments(db).first().copied() else { return Arc::new(Summary::empty()) };
    let program = ProjectProgram::new(db, file, environment, definition.key(db).kind);
    let world = World::new(&program, settings(db, environment));
    let unit = program.unit(definition);
    let mut evaluator = Evaluator::new(&world).cancel_when(|| {
        db.unwind_if_revision_cancelled();
        false
    });
    evaluator.record(unit.id);
    let returns = match evaluator.evaluate_definition(&unit) {
        Ok(value) => types::common::generalize(&types::infer::infer(&value, &world), &world),
        Err(Exit::Error(error)) => {
            if error.code != functions::DELIBERATE_FAILURE {
                evaluator.find(*error, crate::Certainty::Certain);
            }
            Type::Any
        }
        Err(_) => Type::Any,
    };
    // What goes wrong in a template that is a text of the program goes wrong where it is rendered.
    let located = |finding: &Finding| {
        let mut places = std::iter::once(&finding.error.place).chain(&finding.error.calls);
        let (definition, expr) =
            places.find_map(|place| Some((program.definition(place.unit)?, place.expr)))?;
        Some((Located { definition, expr }, finding.clone()))
    };
    let findings = evaluator.findings().iter().filter_map(located).collect();
    let recorder = evaluator.recorder.take().unwrap_or_else(|| Recorder::new(unit.id));
    Arc::new(Summary { findings, recorder, returns })
}

fn summary_in_cycle(_: &dyn Db, _: salsa::Id, _: DefinitionId) -> Arc<Summary> {
    Arc::new(Summary::empty())
}

/// A function that calls itself returns what it returns when nothing is known of the inner call.
fn summary_of_cycle(
    _: &dyn Db,
    _: &salsa::Cycle,
    last: &Arc<Summary>,
    value: Arc<Summary>,
    _: DefinitionId,
) -> Arc<Summary> {
    match last.returns == value.returns {
        true => value,
        false => Arc::new(Summary { returns: Type::Any, ..(*value).clone() }),
    }
}

/// The declared types of the parameters of a class, defined type, function or template, in their order; `None` where there
/// is none, or it cannot be evaluated.
#[salsa::tracked(returns(clone))]
pub fn parameter_types(db: &dyn Db, definition: DefinitionId) -> Arc<[Option<Type>]> {
    let Some(environment) = definition.file(db).environments(db).first().copied() else {
        return Arc::new([]);
    };
    let program = ProjectProgram::new(db, definition.file(db), environment, definition.key(db).kind);
    let world = World::new(&program, settings(db, environment));
    Evaluator::new(&world).parameter_types(&program.unit(definition)).into()
}

pub(crate) fn settings(db: &dyn Db, environment: Environment) -> Settings {
    let version = match environment.puppet_version(db) {
        PuppetVersion::V7 => Settings::version_7(),
        PuppetVersion::V8 => Settings::version_8(),
    };
    let strict = match environment.strict(db) {
        syntax::validation::Strict::Off => Strict::Off,
        syntax::validation::Strict::Warning => Strict::Warning,
        syntax::validation::Strict::Error => Strict::Error,
    };
    // Loops over unknown values are short; what runs longer is not worth waiting for while somebody types.
    let bounds = Bounds { steps: 1_000_000, ..version.bounds };
    Settings { strict, goes_on: true, bounds, ..version }
}

/// The project, as a file of it sees it.
pub(crate) struct ProjectProgram<'db> {
    db: &'db dyn Db,
    file: File,
    environment: Environment,
    /// Of the definition that is evaluated.
    kind: DefinitionKind,
    /// By [`UnitId`].
    units: RefCell<Vec<(DefinitionId, Arc<Unit>)>>,
}

impl<'db> ProjectProgram<'db> {
    /// As a definition of some kind in a file sees it.
    pub(crate) fn new(
        db: &'db dyn Db,
        file: File,
        environment: Environment,
        kind: DefinitionKind,
    ) -> ProjectProgram<'db> {
        ProjectProgram { db, file, environment, kind, units: RefCell::default() }
    }

    pub(crate) fn unit(&self, definition: DefinitionId) -> Arc<Unit> {
        let known =
            self.units.borrow().iter().find(|(known, _)| *known == definition).map(|(_, unit)| unit.clone());
        if let Some(unit) = known {
            return unit;
        }
        let key = definition.key(self.db);
        let id = UnitId(self.units.borrow().len() as u32);
        let name = match project::signature(self.db, definition) {
            Some(signature) => signature.name.clone(),
            None => key.name.clone(),
        };
        let body = project::body(self.db, definition);
        let unit = Arc::new(Unit { id, name, kind: key.kind, body });
        self.units.borrow_mut().push((definition, unit.clone()));
        unit
    }

    /// `None` for a template that is a text of the program.
    fn definition(&self, unit: UnitId) -> Option<DefinitionId> {
        Some(self.units.borrow().get(unit.0 as usize)?.0)
    }

    fn find(&self, kind: project::NameKind, name: &str) -> Option<DefinitionId> {
        project::resolve_in_file(self.db, self.file, kind, name)
    }

    /// A module may give a fact of Facter's another value.
    fn has_custom_fact(&self, name: &str) -> bool {
        project::custom_facts(self.db, self.environment).iter().any(|(_, fact)| fact.name == name)
    }
}

fn is_in_stdlib(db: &dyn Db, file: File) -> bool {
    matches!(file.place(db), FilePlace::Module { module, .. } if module.name(db) == "stdlib")
}

impl Program for ProjectProgram<'_> {
    fn function(&self, name: &str) -> Option<FunctionSource> {
        match project::resolve_function(self.db, self.file, name)? {
            FunctionTarget::Puppet(definition) => {
                Some(FunctionSource::Declared(declared_function(self.db, definition)))
            }
            FunctionTarget::Ruby { file, .. }
                if functions::of_stdlib(name).is_some() && is_in_stdlib(self.db, file) =>
            {
                Some(FunctionSource::Stdlib)
            }
            FunctionTarget::Ruby { file, index } => {
                declared_ruby_function(self.db, file, index).map(FunctionSource::Declared)
            }
        }
    }

    // What modules see of it is not clear, so that Puppet's own are meant there.
    fn replacement(&self, name: &str) -> Option<FunctionSource> {
        if matches!(self.file.place(self.db), FilePlace::Module { .. }) || functions::built_in(name).is_none()
        {
            return None;
        }
        let definition = self.find(project::NameKind::Function, name)?;
        Some(FunctionSource::Declared(declared_function(self.db, definition)))
    }

    fn type_alias(&self, name: &str) -> Option<Arc<Unit>> {
        Some(self.unit(self.find(project::NameKind::TypeAlias, name)?))
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        project::resolve_resource_type(self.db, self.file, name).is_some()
    }

    fn class_exists(&self, name: &str) -> bool {
        self.find(project::NameKind::Class, name).is_some()
    }

    fn class(&self, _: &str) -> Option<Arc<Unit>> {
        None
    }

    // Plug-ins in Ruby are not known, nor is what a node or an including class sets. Only what looks like a misspelt name
    // of Puppet's own is doubted.
    fn may_define(&self, kind: NameKind, name: &str) -> bool {
        match kind {
            NameKind::Function => misspelling::similar_function(name).is_none(),
            NameKind::Type => misspelling::similar_type(name).is_none(),
            NameKind::Variable | NameKind::Class | NameKind::Resource => true,
        }
    }

    fn global(&self, name: &str) -> Option<Value> {
        let in_declaration = matches!(self.kind, DefinitionKind::Class | DefinitionKind::DefinedType);
        match name {
            "facts" | "trusted" | "server_facts" | "environment" | "servername" | "serverip"
            | "serverversion" | "clientcert" | "clientversion" => {
                Some(Value::unknown(fact_types::type_of(name, &[]).unwrap_or(Type::Any), Origin::Fact))
            }
            "title" | "name" if in_declaration => Some(Value::unknown(Type::STRING, Origin::Parameter)),
            "module_name" => match self.file.place(self.db) {
                FilePlace::Module { module, .. } if module.name_is_certain(self.db) => {
                    Some(Value::String(Name::new(module.name(self.db).as_str())))
                }
                _ => Some(Value::unknown(Type::STRING, Origin::Fact)),
            },
            "caller_module_name" => Some(Value::unknown(Type::STRING, Origin::Fact)),
            _ => None,
        }
    }

    fn type_of_element(&self, variable: &str, keys: &[Value]) -> Option<Type> {
        if let Some(name) = fact_types::fact_name(variable, keys)
            && self.has_custom_fact(name)
        {
            return None;
        }
        fact_types::type_of(variable, keys)
    }

    fn module_folder(&self, _: &str) -> ModuleFolder {
        ModuleFolder::Unclear
    }

    fn module_file(&self, _: &str, _: &str) -> Option<Arc<[u8]>> {
        None
    }
}
