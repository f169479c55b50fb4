//! Requests to compile a class as its users would use it.

use crate::checked_facts::{FactSetId, checked_facts, facts_of_named_node};
use crate::class_checks::module_classes::inner_classes;
use crate::class_checks::users::{module_of_role, nodes_have_only_roles};
use crate::compile_request::{CompileRequest, EntryPoint, Facts};
use crate::puppet_settings::settings_of;
use eval::{Bounds, EvaluationSettings};
use hir::Name;
use project::{Db, Environment};
use std::sync::Arc;

/// Placeholder name of an arbitrary node.
pub(crate) const DEFAULT_NODE: &str = "node.example.com";

/// Kinds of additions that other code may make to a compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Data, variables and resources, for a class of a module.
    Part,
    /// Data and variables only: for a node, and for a role if nodes consist only of roles.
    AllResources,
}

impl Extent {
    pub(super) fn of_class(db: &dyn Db, environment: Environment, name: &Name) -> Extent {
        let module = module_of_role(name).and_then(|it| environment.modules(db).get(it));
        // A role that other roles include is only a part of a node.
        match module {
            Some(module)
                if !inner_classes(db, *module).declared.contains(name)
                    && nodes_have_only_roles(db, environment) =>
            {
                Extent::AllResources
            }
            _ => Extent::Part,
        }
    }
}

/// Returns a request to compile a class as its users would use it, with a fact set; `None` if the fact set
/// does not exist.
pub fn class_request(
    db: &dyn Db,
    environment: Environment,
    class: &Name,
    facts: FactSetId,
) -> Option<CompileRequest> {
    let (_, facts) = checked_facts(db, environment, facts)?;
    let entry = EntryPoint::ClassWithAnyParameters(class.clone());
    Some(part_request(
        db,
        environment,
        entry,
        DEFAULT_NODE.into(),
        facts,
        Extent::of_class(db, environment, class),
    ))
}

/// Returns a request to compile a class on a node: with its name, and the facts of its own fact file. If no
/// file has facts of the node, they are those of `facts`, with the name of the node.
pub fn class_request_on_node(
    db: &dyn Db,
    environment: Environment,
    class: &Name,
    facts: FactSetId,
    node: &Name,
) -> Option<CompileRequest> {
    let own = facts_of_named_node(db, environment, node);
    let request = class_request(db, environment, class, own.unwrap_or(facts))?;
    let facts = match request.facts {
        Facts::Platform { facts, of_modules } if own.is_none() => {
            Facts::Platform { facts: Arc::new(facts::of_node(&facts, node)), of_modules }
        }
        facts => facts,
    };
    Some(CompileRequest { node_name: node.clone(), has_invented_node: false, facts, ..request })
}

/// Returns a request to compile a part that other code may give data and variables.
pub(crate) fn part_request(
    db: &dyn Db,
    environment: Environment,
    entry: EntryPoint,
    node_name: Name,
    facts: Facts,
    extent: Extent,
) -> CompileRequest {
    let settings = settings_of(db, environment);
    let bounds = Bounds { steps: 1_000_000, ..settings.bounds };
    let declares_all = extent == Extent::AllResources;
    CompileRequest {
        facts,
        node_name,
        settings: Some(EvaluationSettings {
            is_part: true,
            declares_all,
            continues_after_errors: false,
            bounds,
            ..settings
        }),
        is_incomplete: true,
        has_invented_node: matches!(entry, EntryPoint::ClassWithAnyParameters(_)),
        ..CompileRequest::new(entry)
    }
}
