//! Summaries: separate evaluation of each definition with unknown parameters, for an editor's results on each
//! keystroke.

use std::sync::Arc;

use eval::{
    Bounds, EvaluationSettings, Evaluator, Exit, Finding, RecordedValue, RubyReason, UnitId, ValueRecorder,
    World,
};
use hir::{DefinitionKind, ExprId, SlotId};
use project::{Db, DefinitionId, Environment, File};
use types::{CachedValue, Indistinguishable, Type};

use super::puppet_settings::settings_of;
use crate::project_program::ProjectProgram;

/// Result of evaluating one definition with unknown inputs.
#[derive(Clone, Debug)]
pub struct Summary {
    pub findings: Vec<(ExprLocation, Finding)>,
    recorder: ValueRecorder,
    /// Return type of a function without a declared one.
    pub returns: Type,
    /// Reasons why calls of Ruby functions have unknown results.
    ruby_reasons: Vec<RubyReason>,
    /// Amount of work, in [`Bounds::steps`].
    steps: u64,
}

impl PartialEq for Summary {
    fn eq(&self, other: &Summary) -> bool {
        // No result depends on the amount of work.
        let Summary { findings, recorder, returns, ruby_reasons, steps: _ } = self;
        *findings == other.findings
            && *ruby_reasons == other.ruby_reasons
            && *recorder == other.recorder
            && returns.is_indistinguishable(&other.returns)
    }
}

/// Expression of a definition in the project.
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

    /// Creates a summary from the values that a compile recorded for a definition.
    pub(crate) fn of_compile(recorder: ValueRecorder) -> Summary {
        Summary { recorder, ..Summary::empty() }
    }

    /// Masks values that are Sensitive elsewhere in the definition, for display.
    pub fn shown(self: Arc<Summary>) -> Arc<Summary> {
        if !self.recorder.has_secrets() {
            return self;
        }
        let mut shown = Summary::clone(&self);
        shown.recorder.drop_secrets();
        Arc::new(shown)
    }

    /// Returns the value of an expression of the definition; `None` if it was never evaluated.
    pub fn value(&self, expr: ExprId) -> Option<&RecordedValue> {
        self.recorder.value(expr)
    }

    /// Returns the reason why a call of a Ruby function has an unknown result.
    pub fn ruby_reason(&self, expr: ExprId) -> Option<&RubyReason> {
        self.ruby_reasons.iter().find(|reason| reason.place.expr == expr)
    }

    /// Returns the value of a parameter of the definition, or of a lambda in it.
    pub fn parameter(&self, slot: SlotId) -> Option<&RecordedValue> {
        self.recorder.parameter(slot)
    }
}

/// Runs `ask` on the world as seen from a definition, with the names visible to it. `None` if the file
/// belongs to no environment.
pub fn with_world<T>(db: &dyn Db, definition: DefinitionId, ask: impl FnOnce(&World<'_>) -> T) -> Option<T> {
    world_of_file(db, definition.file(db), definition.key(db).kind, ask)
}

/// Runs `ask` on the world as seen from a file that is no manifest, such as the metadata of a task.
pub fn with_world_of_file<T>(db: &dyn Db, file: File, ask: impl FnOnce(&World<'_>) -> T) -> Option<T> {
    world_of_file(db, file, DefinitionKind::Main, ask)
}

fn world_of_file<T>(
    db: &dyn Db,
    file: File,
    kind: DefinitionKind,
    ask: impl FnOnce(&World<'_>) -> T,
) -> Option<T> {
    let environment = file.environments(db).first().copied()?;
    let program = ProjectProgram::new(db, file, environment, kind);
    Some(ask(&World::new(&program, settings(db, environment))))
}

/// Evaluates a definition with unknown parameters, facts and callers.
pub fn summary(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    match definition.key(db).kind {
        DefinitionKind::Function => summary_of_function(db, definition),
        _ => summary_of_other(db, definition),
    }
}

// No LRU: salsa treats an evicted result of a query that may be in a cycle as one that has panicked.
#[salsa::tracked(returns(clone), cycle_initial = summary_in_cycle, cycle_fn = summary_of_cycle)]
fn summary_of_function(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    evaluated(db, definition)
}

/// Evaluates a definition on which no other summary depends.
#[salsa::tracked(returns(clone), lru = 0)]
fn summary_of_other(db: &dyn Db, definition: DefinitionId) -> Arc<Summary> {
    evaluated(db, definition)
}

/// Returns the amount of work for the summaries of a file's definitions. Evaluates those that have not been
/// evaluated before.
pub fn summary_work(db: &dyn Db, file: File) -> u64 {
    project::definitions(db, file).iter().map(|it| summary(db, *it).steps).sum()
}

/// Returns the maximum amount of work for the summaries of a run, given the size of its texts. Real code
/// takes about a tenth of a step per byte.
pub fn summary_limit(bytes: usize) -> u64 {
    const MIN_LIMIT: u64 = 5_000_000;
    const WORK_PER_BYTE: u64 = 20;
    MIN_LIMIT + WORK_PER_BYTE * bytes as u64
}

/// Sets the LRU capacity, in definitions, of the summaries that no other result depends on.
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
                evaluator.report(*error, eval::Certainty::Certain);
            }
            Type::Any
        }
        Err(_) => Type::Any,
    };
    evaluator.mask_unwrapped(None);
    // Errors in an inline template are reported at the call that renders it.
    let located = |finding: &Finding| {
        let mut places = std::iter::once(&finding.error.place).chain(&finding.error.calls);
        let (definition, expr) =
            places.find_map(|place| Some((program.definition(place.unit)?, place.expr)))?;
        Some((ExprLocation { definition, expr }, finding.clone()))
    };
    let findings = evaluator.diagnostics.findings().iter().filter_map(located).collect();
    let recorder = evaluator.diagnostics.recorder.take().unwrap_or_else(|| ValueRecorder::new(unit.id));
    let ruby_reasons = std::mem::take(&mut evaluator.diagnostics.ruby_reasons);
    let ruby_reasons = ruby_reasons.into_iter().filter(|reason| reason.place.unit == unit.id).collect();
    Arc::new(Summary { findings, recorder, returns, ruby_reasons, steps: evaluator.steps() })
}

fn summary_in_cycle(_: &dyn Db, _: salsa::Id, _: DefinitionId) -> Arc<Summary> {
    Arc::new(Summary::empty())
}

/// Computes the return type of a recursive function, starting from unknown results of inner calls.
fn summary_of_cycle(
    _: &dyn Db,
    _: &salsa::Cycle,
    last: &Arc<Summary>,
    value: Arc<Summary>,
    _: DefinitionId,
) -> Arc<Summary> {
    if last.returns.is_indistinguishable(&value.returns) {
        value
    } else {
        Arc::new(Summary { returns: Type::Any, ..(*value).clone() })
    }
}

/// Returns the declared types of the parameters of a class, defined type, function or template, in order;
/// `None` where there is no type, or it cannot be evaluated.
pub fn parameter_types(db: &dyn Db, definition: DefinitionId) -> Arc<[Option<Type>]> {
    remembered_parameter_types(db, definition).0
}

#[salsa::tracked(returns(clone), lru = 0)]
fn remembered_parameter_types(db: &dyn Db, definition: DefinitionId) -> CachedValue<Arc<[Option<Type>]>> {
    let Some(environment) = definition.file(db).environments(db).first().copied() else {
        return CachedValue(Arc::new([]));
    };
    let program = ProjectProgram::new(db, definition.file(db), environment, definition.key(db).kind);
    let world = World::new(&program, settings(db, environment));
    let unit = program.types_of(definition).unwrap_or_else(|| program.unit(definition));
    CachedValue(Evaluator::new(&world).parameter_types(&unit).into())
}

pub(crate) fn settings(db: &dyn Db, environment: Environment) -> EvaluationSettings {
    let settings = settings_of(db, environment);
    // Loops over unknown values are short; anything longer is too slow while typing.
    let bounds = Bounds { steps: 1_000_000, ..settings.bounds };
    EvaluationSettings { continues_after_errors: true, bounds, ..settings }
}
