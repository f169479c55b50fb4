//! Compiles of a class for whole groups of platforms, where the values of facts that differ are unknown.

use std::sync::Arc;

use hir::Name;
use project::{Db, DefinitionId, Environment};
use rustc_hash::FxHashMap;
use types::{CachedValue, Value};

use super::finding::{CompileFinding, CompileOutcome};
use super::outcomes::{class_outcome, compiled_class, outcome, representative};
use super::requests::{DEFAULT_NODE, Extent, part_request};
use crate::checked_facts::{FactSetId, facts_of_all_platforms, platform_groups};
use crate::compile_program::node_reads::{NodeRead, element_at};
use crate::compile_request::{CompileRequest, EntryPoint, compile_for_errors};
use crate::top_variables::top_variables;

/// Compile that determines the outcome of a class with a fact set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SufficientCompile {
    /// With this fact set.
    Alone(FactSetId),
    /// With what is known about several platforms.
    Group(PlatformSet),
}

/// Platforms for which a class is compiled once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum PlatformSet {
    /// One of the [`platform_groups`], by its index.
    Group(usize),
    /// All platforms, with the facts that all of them have.
    All,
}

impl SufficientCompile {
    pub(super) fn outcome(
        self,
        db: &dyn Db,
        environment: Environment,
        class: DefinitionId,
    ) -> CompileOutcome {
        match self {
            SufficientCompile::Alone(facts) => class_outcome(db, environment, class, facts),
            SufficientCompile::Group(group) => compiled_for_group(db, environment, class, group).outcome,
        }
    }

    /// Returns the compile that was run, which several fact sets may share.
    pub(super) fn shared(
        self,
        db: &dyn Db,
        environment: Environment,
        class: DefinitionId,
    ) -> SufficientCompile {
        match self {
            SufficientCompile::Alone(facts) => {
                SufficientCompile::Alone(*representative(db, environment, class, facts))
            }
            SufficientCompile::Group(_) => self,
        }
    }

    pub(super) fn work(self, db: &dyn Db, environment: Environment, class: DefinitionId) -> u64 {
        match self {
            SufficientCompile::Alone(facts) => compiled_class(db, environment, class, facts).work,
            SufficientCompile::Group(group) => compiled_for_group(db, environment, class, group).work,
        }
    }
}

/// Returns the compile that determines the outcome of a class with a fact set, given a failure with another one. If the
/// whole group of the platform certainly fails, its platforms need not be compiled one by one; nor need other groups if
/// the class fails alike with the facts of all platforms, or with those of the largest group, and reads nothing in which
/// they differ.
pub(super) fn sufficient_compile(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
    failure: &CompileFinding,
) -> SufficientCompile {
    let alone = SufficientCompile::Alone(facts);
    let own = platform_groups(db, environment).position(|(members, _)| members.contains(&facts));
    let largest = platform_groups(db, environment).map(|(members, _)| members.len()).enumerate();
    let largest = largest.max_by_key(|(_, length)| *length).map(|(index, _)| index);
    // It does not matter on which platforms a class fails deliberately.
    let (Some(own), Some(largest)) = (own, largest) else { return alone };
    if failure.code == eval::DELIBERATE_FAILURE {
        return alone;
    }
    let (own, largest) = (PlatformSet::Group(own), PlatformSet::Group(largest));
    for group in [PlatformSet::All, largest] {
        let compiled = compiled_for_group(db, environment, class, group);
        let fails_alike = matches!(&compiled.outcome, CompileOutcome::Fails(it) if it.is_like(failure));
        // Some platforms may fail otherwise, before that.
        let fails_alike = fails_alike && !(group == PlatformSet::All && compiled.may_fail_otherwise);
        if fails_alike && (own == group || covers_group(db, environment, &compiled.reads, group, own)) {
            return SufficientCompile::Group(group);
        }
    }
    match compiled_for_group(db, environment, class, own).outcome {
        CompileOutcome::Fails(_) => SufficientCompile::Group(own),
        _ => alone,
    }
}

/// Returns true if another group has the values that a compile for a group has read, or such values as it assumed.
fn covers_group(
    db: &dyn Db,
    environment: Environment,
    reads: &[NodeRead],
    group: PlatformSet,
    other: PlatformSet,
) -> bool {
    let group = top_variables_of_group(db, environment, group).0;
    let other = top_variables_of_group(db, environment, other).0;
    reads.iter().all(|read| match read {
        NodeRead::Variable { name, path } => {
            let (depth, value) = element_at(group.get(name), path);
            match value {
                // The path may end at an unknown value.
                Some(value) => {
                    let (other_depth, other) = element_at(other.get(name), &path[..depth]);
                    other_depth == depth && other.is_some_and(|other| facts::covers(value, other))
                }
                None => matches!(element_at(other.get(name), path), (other, None) if other == depth),
            }
        }
        NodeRead::Definition | NodeRead::Exports(_) => false,
    })
}

/// Compile of a class for a group of platforms. A failure is certain: it happens on each of the platforms.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CompiledForGroup {
    outcome: CompileOutcome,
    /// True if code that only some platforms evaluate may fail as well.
    may_fail_otherwise: bool,
    /// Properties that the compile has read.
    reads: Arc<[NodeRead]>,
    work: u64,
}

/// Compiles a class with the facts that all platforms of a group have.
#[salsa::tracked(returns(clone))]
fn compiled_for_group(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    group: PlatformSet,
) -> CompiledForGroup {
    let name = &class.key(db).name;
    let Some(request) = group_request(db, environment, name, group) else {
        let outcome = CompileOutcome::Inconclusive(Arc::default());
        return CompiledForGroup { outcome, may_fail_otherwise: false, reads: Arc::default(), work: 0 };
    };
    let variables = Some(top_variables_of_group(db, environment, group).0);
    let request = CompileRequest { variables, ..request };
    let _span = tracing::info_span!("compile", class = name.as_str(), ?group).entered();
    let compiled = compile_for_errors(db, environment, &request, None);
    let (outcome, work) = (outcome(&compiled), compiled.work());
    let may_fail_otherwise = !compiled.compilation.possible_failures.is_empty();
    CompiledForGroup { outcome, may_fail_otherwise, reads: compiled.node_reads, work }
}

/// Returns the top-scope variables of compiles for a group.
#[salsa::tracked(returns(clone))]
fn top_variables_of_group(
    db: &dyn Db,
    environment: Environment,
    group: PlatformSet,
) -> CachedValue<Arc<FxHashMap<Name, Value>>> {
    // They do not depend on the class.
    let request = group_request(db, environment, &Name::default(), group);
    CachedValue(Arc::new(request.map(|it| top_variables(db, environment, &it)).unwrap_or_default()))
}

fn group_request(
    db: &dyn Db,
    environment: Environment,
    class: &Name,
    group: PlatformSet,
) -> Option<CompileRequest> {
    let facts = match group {
        PlatformSet::Group(index) => platform_groups(db, environment).nth(index)?.1,
        PlatformSet::All => facts_of_all_platforms(db, environment),
    };
    let entry = EntryPoint::ClassWithAnyParameters(class.clone());
    let extent = Extent::of_class(db, environment, class);
    let request = part_request(db, environment, entry, DEFAULT_NODE.into(), facts, extent);
    Some(CompileRequest { records_reads: true, ..request })
}

#[cfg(test)]
#[path = "platform_groups_tests.rs"]
mod tests;
