//! Summary evaluation: each definition on its own, its parameters unknown. What an editor shows while one types.

use std::sync::Arc;

use eval::{
    Bounds, EvaluationSettings, Evaluator, Exit, Finding, RecordedValue, RubyReason, UnitId, ValueRecorder,
    World,
};
use hir::{DefinitionKind, ExprId, SlotId};
use project::{Db, DefinitionId, Environment, File};
use types::{Indistinguishable, Remembered, Type};
use validation::PuppetVersion;

use crate::project_program::ProjectProgram;

/// What evaluating one definition with unknown inputs showed.
#[derive(Clone, Debug)]
pub struct Summary {
    pub findings: Vec<(ExprLocation, Finding)>,
    recorder: ValueRecorder,
    /// What a function returns, when nothing is declared.
    pub returns: Type,
    /// Why calls of functions in Ruby gave nothing that is known.
    ruby_reasons: Vec<RubyReason>,
    /// How much work it was, in [`Bounds::steps`].
    steps: u64,
}

impl PartialEq for Summary {
    fn eq(&self, other: &Summary) -> bool {
        // Nothing is made of how much work it was.
        let Summary { findings, recorder, returns, ruby_reasons, steps: _ } = self;
        *findings == other.findings
            && *ruby_reasons == other.ruby_reasons
            && *recorder == other.recorder
            && returns.is_indistinguishable(&other.returns)
    }
}

/// An expression of a definition of the project.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprLocation {
    pub definition: DefinitionId,
    pub expr: ExprId,
}

impl Summary {
    fn empty() -> Summary {
        Summary {
            findings: Vec::new(),
            recorder: ValueRecorder::new(UnitId(0)),
            returns: Type::Any,
            ruby_reasons: Vec::new(),
            steps: 0,
        }
    }

    /// What a compile showed of a definition.
    pub(crate) fn of_compile(recorder: ValueRecorder) -> Summary {
        Summary { recorder, ..Summary::empty() }
    }

    /// The same for people: without the values that hold what is Sensitive elsewhere in the definition.
    pub fn shown(self: Arc<Summary>) -> Arc<Summary> {
        if !self.recorder.has_secrets() {
            return self;
        }
        let mut shown = Summary::clone(&self);
        shown.recorder.forget_secrets();
        Arc::new(shown)
    }

    /// What an expression of the definition was worth; `None` where it was never evaluated.
    pub fn worth(&self, expr: ExprId) -> Option<&RecordedValue> {
        self.recorder.worth(expr)
    }

    /// Why a call of a function in Ruby gave nothing that is known.
    pub fn ruby_reason(&self, expr: ExprId) -> Option<&RubyReason> {
        self.ruby_reasons.iter().find(|reason| reason.place.expr == expr)
    }

    /// What a parameter of the definition, or of a lambda in it, was given.
    pub fn parameter(&self, slot: SlotId) -> Option<&RecordedValue> {
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
pub fn summary(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    match definition.key(db).kind {
        DefinitionKind::Function => summary_of_function(db, definition),
        _ => summary_of_other(db, definition),
    }
}

// No LRU: salsa takes an evicted result of a query that may be in a cycle for one that has panicked.
#[salsa::tracked(returns(clone), cycle_initial = summary_in_cycle, cycle_fn = summary_of_cycle)]
fn summary_of_function(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    evaluated(db, definition)
}

/// Of what no other definition's summary is made.
#[salsa::tracked(returns(clone), lru = 0)]
fn summary_of_other(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    evaluated(db, definition)
}

/// How much work the summaries of a file's definitions are. Evaluates what was not evaluated before.
pub fn summary_work(db: &dyn Db, file: File) -> u64 {
    project::definitions(db, file).iter().map(|it| summary(db, *it).steps).sum()
}

/// How much work the summaries of a run may be, with texts of so many bytes. Real code takes about a tenth of a step for a byte.
pub fn summary_limit(bytes: usize) -> u64 {
    const LEAST: u64 = 5_000_000;
    const OF_BYTE: u64 = 20;
    LEAST + OF_BYTE * bytes as u64
}

/// From now on summaries are forgotten that nothing else is made of, but for so many that were asked last.
pub fn set_lru_capacities(db: &mut dyn Db, definitions: usize) {
    summary_of_other::set_lru_capacity(db, definitions);
    remembered_parameter_types::set_lru_capacity(db, definitions);
}

fn evaluated(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    let file = definition.file(db);
    let Some(environment) = file.environments(db).first().copied() else { return Arc::new(Summary::empty()) };
    let program = ProjectProgram::new(db, file, environment, definition.key(db).kind);
    let world = World::new(&program, settings(db, environment));
    let unit = program.unit(definition);
    let size = unit.body.exprs.len();
    let _span =
        tracing::info_span!("evaluate", definition = unit.name.as_str(), expressions = size).entered();
    let mut evaluator = Evaluator::new(&world).cancel_when(|| {
        db.unwind_if_revision_cancelled();
        false
    });
    evaluator.record(unit.id);
    let returns = match evaluator.evaluate_definition(&unit) {
        Ok(value) => types::common::generalize(&types::infer::infer(&value, &world), &world),
        Err(Exit::Error(error)) => {
            if error.code != eval::DELIBERATE_FAILURE {
                evaluator.find(*error, eval::Certainty::Certain);
            }
            Type::Any
        }
        Err(_) => Type::Any,
    };
    evaluator.mask_unwrapped(None);
    // What goes wrong in a template that is a text of the program goes wrong where it is rendered.
    let located = |finding: &Finding| {
        let mut places = std::iter::once(&finding.error.place).chain(&finding.error.calls);
        let (definition, expr) =
            places.find_map(|place| Some((program.definition(place.unit)?, place.expr)))?;
        Some((ExprLocation { definition, expr }, finding.clone()))
    };
    let findings = evaluator.findings().iter().filter_map(located).collect();
    let recorder = evaluator.recorder.take().unwrap_or_else(|| ValueRecorder::new(unit.id));
    let ruby_reasons = std::mem::take(&mut evaluator.ruby_reasons);
    let ruby_reasons = ruby_reasons.into_iter().filter(|reason| reason.place.unit == unit.id).collect();
    Arc::new(Summary { findings, recorder, returns, ruby_reasons, steps: evaluator.steps() })
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
    match last.returns.is_indistinguishable(&value.returns) {
        true => value,
        false => Arc::new(Summary { returns: Type::Any, ..(*value).clone() }),
    }
}

/// The declared types of the parameters of a class, defined type, function or template, in their order; `None` where there
/// is none, or it cannot be evaluated.
pub fn parameter_types(db: &dyn Db, definition: DefinitionId) -> Arc<[Option<Type>]> {
    remembered_parameter_types(db, definition).0
}

#[salsa::tracked(returns(clone), lru = 0)]
fn remembered_parameter_types(db: &dyn Db, definition: DefinitionId) -> Remembered<Arc<[Option<Type>]>> {
    let Some(environment) = definition.file(db).environments(db).first().copied() else {
        return Remembered(Arc::new([]));
    };
    let program = ProjectProgram::new(db, definition.file(db), environment, definition.key(db).kind);
    let world = World::new(&program, settings(db, environment));
    let unit = program.types_of(definition).unwrap_or_else(|| program.unit(definition));
    Remembered(Evaluator::new(&world).parameter_types(&unit).into())
}

pub(crate) fn settings(db: &dyn Db, environment: Environment) -> EvaluationSettings {
    let settings = settings_of(db, environment);
    // Loops over unknown values are short; what runs longer is not worth waiting for while somebody types.
    let bounds = Bounds { steps: 1_000_000, ..settings.bounds };
    EvaluationSettings { goes_on: true, bounds, ..settings }
}

/// What the settings of an environment say.
pub(crate) fn settings_of(db: &dyn Db, environment: Environment) -> EvaluationSettings {
    let version = match environment.puppet_version(db) {
        PuppetVersion::V7 => EvaluationSettings::version_7(),
        PuppetVersion::V8 => EvaluationSettings::version_8(),
    };
    EvaluationSettings { strict: environment.strict(db), ..version }
}
