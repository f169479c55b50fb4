//! Individual compiles needed by the checks of classes and nodes, so that several threads can run them in
//! advance.

use hir::{DefinitionKind, Name};
use project::{Db, DefinitionId, Environment, File, FileRole};
use rustc_hash::FxHashSet;

use crate::checked_facts::FactSetId;
use crate::class_checks::{Nearby, nearby_of_file};
use crate::{class_checks, node_checks};

/// Compile of a part of an environment, whose outcome is memoized.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartCompile {
    /// Class with the fact sets of its module, one after the other, as far as findings need them: the outcome
    /// with one fact set often holds for the next.
    Class(DefinitionId),
    /// Class with the first of these fact sets.
    ClassOnce(DefinitionId),
    /// Node with one of its possible fact sets.
    Node { node: Name, facts: FactSetId },
}

/// Returns the compiles that determine the failures of the classes of a file's module, or of the nodes of a
/// main manifest.
fn part_compiles(db: &dyn Db, environment: Environment, file: File) -> Vec<PartCompile> {
    match file.role(db) {
        FileRole::Module { module, .. } => class_checks::module_classes::classes_of_module(db, *module)
            .into_iter()
            .map(PartCompile::Class)
            .collect(),
        FileRole::MainManifest => node_checks::first_compiles(db, environment)
            .into_iter()
            .map(|(node, facts)| PartCompile::Node { node, facts })
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the compiles for several files, without duplicates.
pub fn parts_of_files(db: &dyn Db, files: impl Iterator<Item = File>) -> Vec<(Environment, PartCompile)> {
    let mut seen = FxHashSet::default();
    let mut parts = Vec::new();
    for file in files {
        let Some(environment) = file.environments(db).first().copied() else { continue };
        let module = match file.role(db) {
            FileRole::Module { module, .. } => Some(*module),
            FileRole::MainManifest => None,
            _ => continue,
        };
        if seen.insert((environment, module)) {
            parts.extend(part_compiles(db, environment, file).into_iter().map(|part| (environment, part)));
        }
    }
    parts
}

/// Returns the compiles for a file of the roles and nodes that lead to it.
pub fn nearby_parts(db: &dyn Db, environment: Environment, file: File) -> Vec<PartCompile> {
    let Nearby { roles, nodes } = nearby_of_file(db, environment, file);
    let of_nodes = node_checks::first_compiles(db, environment).into_iter();
    let of_nodes = of_nodes.filter(|(node, _)| nodes.contains(node));
    let of_nodes = of_nodes.map(|(node, facts)| PartCompile::Node { node, facts });
    roles.iter().copied().map(PartCompile::ClassOnce).chain(of_nodes).collect()
}

/// Compiles a part unless its outcome is memoized, and returns the amount of work.
pub fn part_work(db: &dyn Db, environment: Environment, part: &PartCompile) -> u64 {
    match part {
        PartCompile::Class(class) => class_checks::class_work(db, environment, *class),
        PartCompile::ClassOnce(class) => class_checks::first_class_work(db, environment, *class),
        PartCompile::Node { node, facts } => {
            node_checks::compiled_node(db, environment, node.clone(), *facts).1
        }
    }
}

/// Returns the maximum amount of work for all compiles of a run: it grows with the size of the project's
/// texts.
pub fn work_limit(db: &dyn Db, environment: Environment) -> u64 {
    let files = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let files = files.chain(environment.main_manifests(db).iter());
    let bytes: usize = files.map(|file| file.contents(db).length()).sum();
    MIN_WORK_LIMIT + WORK_PER_BYTE * bytes as u64
}

/// Work limit of an empty project.
const MIN_WORK_LIMIT: u64 = 500_000;

/// Additional work per byte of text. Real repositories need less than a fifth of this.
const WORK_PER_BYTE: u64 = 5;

impl PartCompile {
    /// Returns the kind and name of the compiled definition.
    pub fn name(&self, db: &dyn Db) -> (DefinitionKind, Name) {
        match self {
            PartCompile::Class(class) | PartCompile::ClassOnce(class) => {
                (DefinitionKind::Class, class.key(db).name.clone())
            }
            PartCompile::Node { node, .. } => (DefinitionKind::Node, node.clone()),
        }
    }
}
