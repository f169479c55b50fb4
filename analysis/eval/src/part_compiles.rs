//! The compiles that the checks of classes and nodes need, one by one: several threads can do them ahead.

use hir::Name;
use project::{Db, DefinitionId, Environment, File, FilePlace};

use crate::{class_checks, node_checks};

/// A compile of a part of an environment, whose outcome is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartCompile {
    /// A class on a platform, by its index.
    Class { class: DefinitionId, platform: u16 },
    /// A node with some of its possible facts.
    Node { node: Name, facts: u16 },
}

/// What has to be compiled to know how the classes of a file's module, or the nodes of a file of the main manifest, fail.
pub fn part_compiles(db: &dyn Db, environment: Environment, file: File) -> Vec<PartCompile> {
    match file.place(db) {
        FilePlace::Module { module, .. } => {
            let platforms = class_checks::module_platforms(db, *module);
            let classes = class_checks::classes_of_module(db, *module);
            let on_platforms = |class| {
                platforms.iter().map(move |platform| PartCompile::Class { class, platform: *platform })
            };
            classes.into_iter().flat_map(on_platforms).collect()
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
        PartCompile::Class { class, platform } => {
            class_checks::class_outcome(db, environment, *class, *platform);
        }
        PartCompile::Node { node, facts } => {
            node_checks::node_outcome(db, environment, node.clone(), *facts);
        }
    }
}
