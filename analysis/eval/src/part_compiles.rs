//! The compiles that the checks of classes and nodes need, one by one: several threads can do them ahead.

use hir::Name;
use project::{Db, DefinitionId, Environment, File, FilePlace};

use crate::{checked_facts, class_checks, node_checks};

/// A compile of a part of an environment, whose outcome is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartCompile {
    /// A class with some facts, by their number.
    Class { class: DefinitionId, facts: u16 },
    /// A node with some of its possible facts, by their number.
    Node { node: Name, facts: u16 },
}

/// What has to be compiled to know how the classes of a file's module, or the nodes of a file of the main manifest, fail.
pub fn part_compiles(db: &dyn Db, environment: Environment, file: File) -> Vec<PartCompile> {
    match file.place(db) {
        FilePlace::Module { module, .. } => {
            let numbers = checked_facts::facts_of_module(db, environment, *module);
            let classes = class_checks::classes_of_module(db, *module);
            let with_facts =
                |class| numbers.iter().map(move |facts| PartCompile::Class { class, facts: *facts });
            classes.into_iter().flat_map(with_facts).collect()
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
        PartCompile::Class { class, facts } => {
            class_checks::class_outcome(db, environment, *class, *facts);
        }
        PartCompile::Node { node, facts } => {
            node_checks::node_outcome(db, environment, node.clone(), *facts);
        }
    }
}
