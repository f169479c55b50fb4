//! Compiles of a class with one fact set, shared by those that agree in everything that is read.

use crate::checked_facts::{FactSetId, all_platforms, are_in_one_group, facts_of_module};
use crate::compile_request::{ProjectCompilation, compile_for_errors};
use crate::platform_reads::PlatformRead;
use eval::EvaluationError;
use hir::{DefinitionKind, Name};
use project::{Db, DefinitionId, Environment, FileRole};
use std::sync::Arc;

use crate::class_checks::finding::{CompileFinding, CompileOutcome};
use crate::class_checks::requests::class_request;
use crate::compile_program::node_reads::element_at;
use types::CachedValue;

use crate::platform_expressions::values::platform_values;
use crate::precomputed_classes::{is_precomputed, precomputed_variable};
use crate::top_variables::top_variables_of_classes;

/// Returns the fact sets that a class is compiled with; empty outside of modules.
pub(crate) fn facts_of_class(db: &dyn Db, environment: Environment, class: DefinitionId) -> Arc<[FactSetId]> {
    match class.file(db).role(db) {
        FileRole::Module { module, .. } => facts_of_module(db, environment, *module),
        _ => Arc::default(),
    }
}

/// Returns the outcome of compiling a class with a fact set.
pub(crate) fn class_outcome(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> CompileOutcome {
    if is_excluded(db, environment, DefinitionKind::Class, class.key(db).name.clone()) {
        return excluded_outcome();
    }
    compiled_class(db, environment, class, *representative(db, environment, class, facts)).outcome
}

/// Returns true if a class or node is excluded from compilation because the whole run would exceed its
/// budget.
///
/// A separate query, so that excluding a definition does not recompile the others.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_excluded(db: &dyn Db, environment: Environment, kind: DefinitionKind, name: Name) -> bool {
    environment.excluded_definitions(db).contains(&(kind, name))
}

/// Returns the outcome of a definition that is excluded from compilation.
pub(crate) fn excluded_outcome() -> CompileOutcome {
    CompileOutcome::Inconclusive([EXCLUDED_FROM_COMPILATION.to_owned()].into())
}

/// Reason for excluding a definition from compilation.
pub const EXCLUDED_FROM_COMPILATION: &str = "not compiled: the project exceeds the work limit for its size";

/// Returns the representative of a fact set for a class: the first fact set that agrees in everything that
/// its compile reads. The fact sets of the class precede the other platforms, of which only similar ones are tried.
#[salsa::tracked]
pub(crate) fn representative(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> FactSetId {
    let sets = facts_of_class(db, environment, class);
    let is_similar = |id: &FactSetId| are_in_one_group(db, environment, *id, facts);
    let others = all_platforms().filter(|id| !sets.contains(id)).filter(is_similar);
    let mut before = sets.iter().copied().chain(others).take_while(|id| *id != facts);
    let is_equivalent = |earlier: &FactSetId| {
        *representative(db, environment, class, *earlier) == *earlier && {
            let reads = compiled_class(db, environment, class, *earlier).reads;
            agree(db, environment, &reads, *earlier, facts)
        }
    };
    before.find(is_equivalent).unwrap_or(facts)
}

/// Compile of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CompiledClass {
    outcome: CompileOutcome,
    /// Platform properties that the compile has read.
    reads: Arc<[PlatformRead]>,
    pub(super) work: u64,
}

#[salsa::tracked(returns(clone))]
pub(super) fn compiled_class(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> CompiledClass {
    let Some(request) = class_request(db, environment, &class.key(db).name, facts) else {
        let outcome = CompileOutcome::Inconclusive(Arc::default());
        return CompiledClass { outcome, reads: Arc::default(), work: 0 };
    };
    let name = class.key(db).name.as_str();
    let _span = tracing::info_span!("compile", class = name, ?facts).entered();
    let compiled = compile_for_errors(db, environment, &request, Some(facts));
    let (outcome, work) = (outcome(&compiled), compiled.work());
    CompiledClass { outcome, reads: compiled.platform_reads, work }
}

/// Returns the outcome of a compile.
pub(crate) fn outcome(compiled: &ProjectCompilation) -> CompileOutcome {
    let compilation = &compiled.compilation;
    let error = compilation.error.as_ref().or(compilation.cycle.as_ref());
    let error = error.filter(|_| !compiled.has_load_finding() && !compiled.is_undecided());
    let mut refused: Vec<CompileFinding> = match error {
        None if !compiled.has_load_finding() => {
            compilation.refused.iter().map(|it| finding_of(compiled, &it.error)).collect()
        }
        _ => Vec::new(),
    };
    if !refused.is_empty() {
        let further = refused.split_off(1);
        return match refused.pop() {
            Some(first) => CompileOutcome::Fails(Arc::new(CompileFinding { further, ..first })),
            None => CompileOutcome::Compiles,
        };
    }
    let Some(error) = error else {
        let reasons = compiled.inconclusive_reasons();
        return if reasons.is_empty() {
            CompileOutcome::Compiles
        } else {
            CompileOutcome::Inconclusive(reasons.into())
        };
    };
    CompileOutcome::Fails(Arc::new(finding_of(compiled, error)))
}

pub(super) fn finding_of(compiled: &ProjectCompilation, error: &EvaluationError) -> CompileFinding {
    let places = std::iter::once(&error.place).chain(&error.calls);
    let places = places.filter_map(|place| compiled.expr_location(*place)).collect();
    let earlier = error.earlier.iter().filter_map(|place| compiled.expr_location(*place)).collect();
    let (code, message) = (error.code, error.message.clone());
    CompileFinding { code, message, places, earlier, further: Vec::new() }
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
        PlatformRead::Variable { name, path } => {
            let element = |facts| {
                let variables = top_variables_of_classes(db, environment, facts).0;
                let (depth, value) = element_at(variables.as_ref().and_then(|them| them.get(name)), path);
                (depth, CachedValue(value.cloned()))
            };
            element(one) == element(other)
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
