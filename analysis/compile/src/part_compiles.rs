//! The compiles that the checks of classes and nodes need, one by one: several threads can do them ahead.

use hir::{DefinitionKind, Name};
use project::{Db, DefinitionId, Environment, File, FileRole};
use rustc_hash::FxHashSet;

use crate::checked_facts::FactSetId;
use crate::class_checks::{Nearby, nearby_of_file};
use crate::{class_checks, node_checks};

/// Compiles of a part of an environment, whose outcome is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartCompile {
    /// A class with the facts of its module, one after the other, as far as findings need them: what comes of one often holds for the
    /// next.
    Class(DefinitionId),
    /// A class with the first of these facts.
    ClassOnce(DefinitionId),
    /// A node with some of its possible facts.
    Node { node: Name, facts: FactSetId },
}

/// What has to be compiled to know how the classes of a file's module, or the nodes of a file of the main manifest, fail.
fn part_compiles(db: &dyn Db, environment: Environment, file: File) -> Vec<PartCompile> {
    match file.place(db) {
        FileRole::Module { module, .. } => {
            class_checks::classes_of_module(db, *module).into_iter().map(PartCompile::Class).collect()
        }
        FileRole::MainManifest => node_checks::first_compiles(db, environment)
            .into_iter()
            .map(|(node, facts)| PartCompile::Node { node, facts })
            .collect(),
        _ => Vec::new(),
    }
}

/// What has to be compiled for several files, each once.
pub fn parts_of_files(db: &dyn Db, files: impl Iterator<Item = File>) -> Vec<(Environment, PartCompile)> {
    let mut seen = FxHashSet::default();
    let mut parts = Vec::new();
    for file in files {
        let Some(environment) = file.environments(db).first().copied() else { continue };
        let module = match file.place(db) {
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

/// What has to be compiled for a file, of the roles and nodes that lead to it.
pub fn nearby_parts(db: &dyn Db, environment: Environment, file: File) -> Vec<PartCompile> {
    let Nearby { roles, nodes } = nearby_of_file(db, environment, file);
    let of_nodes = node_checks::first_compiles(db, environment).into_iter();
    let of_nodes = of_nodes.filter(|(node, _)| nodes.contains(node));
    let of_nodes = of_nodes.map(|(node, facts)| PartCompile::Node { node, facts });
    roles.iter().copied().map(PartCompile::ClassOnce).chain(of_nodes).collect()
}

/// Compiles, unless the outcome is known, and says how much work that is.
pub fn part_work(db: &dyn Db, environment: Environment, part: &PartCompile) -> u64 {
    match part {
        PartCompile::Class(class) => class_checks::class_work(db, environment, *class),
        PartCompile::ClassOnce(class) => class_checks::first_class_work(db, environment, *class),
        PartCompile::Node { node, facts } => {
            node_checks::compiled_node(db, environment, node.clone(), *facts).1
        }
    }
}

/// How much work all compiles of a run may be: it grows with the texts that there are.
pub fn work_limit(db: &dyn Db, environment: Environment) -> u64 {
    let files = environment.modules(db).values().flat_map(|module| module.files(db).values());
    let files = files.chain(environment.main_manifests(db).iter());
    let bytes: usize = files.map(|file| file.contents(db).length()).sum();
    MIN_LIMIT + WORK_OF_BYTE * bytes as u64
}

/// However little there is, so much may be done with it.
const MIN_LIMIT: u64 = 500_000;

/// Real repositories want less than a fifth of this.
const WORK_OF_BYTE: u64 = 5;

impl PartCompile {
    /// What is compiled, by kind and name.
    pub fn name(&self, db: &dyn Db) -> (DefinitionKind, Name) {
        match self {
            PartCompile::Class(class) | PartCompile::ClassOnce(class) => {
                (DefinitionKind::Class, class.key(db).name.clone())
            }
            PartCompile::Node { node, .. } => (DefinitionKind::Node, node.clone()),
        }
    }
}
