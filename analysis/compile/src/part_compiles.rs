//! The compiles that the checks of classes and nodes need, one by one: several threads can do them ahead.

use hir::Name;
use project::{Db, DefinitionId, Environment, File, FilePlace};

use crate::checked_facts::FactSetId;
use crate::{class_checks, node_checks};

/// Compiles of a part of an environment, whose outcome is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartCompile {
    /// A class with each of the facts of its module, one after the other: what comes of one often holds for the next.
    Class(DefinitionId),
    /// A node with some of its possible facts.
    Node { node: Name, facts: FactSetId },
}

/// What has to be compiled to know how the classes of a file's module, or the nodes of a file of the main manifest, fail.
pub fn part_compiles(db: &dyn Db, environment: Environment, file: File) -> Vec<PartCompile> {
    match file.place(db) {
        FilePlace::Module { module, .. } => {
            class_checks::classes_of_module(db, *module).into_iter().map(PartCompile::Class).collect()
        }
        FilePlace::MainManifest => node_checks::first_compiles(db, environment)
            .into_iter()
            .map(|(node, facts)| PartCompile::Node { node, facts })
            .collect(),
        _ => Vec::new(),
    }
}

/// Compiles, unless the outcome is known.
pub fn compile_part(db: &dyn Db, environment: Environment, part: &PartCompile) {
    match part {
        PartCompile::Class(class) => {
            for facts in class_checks::facts_of_class(db, environment, *class).iter() {
                class_checks::class_outcome(db, environment, *class, *facts);
            }
        }
        PartCompile::Node { node, facts } => {
            node_checks::node_outcome(db, environment, node.clone(), *facts);
        }
    }
}
