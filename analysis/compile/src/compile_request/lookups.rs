//! Lookups of data with the variables of a node.

use super::request::{CompileRequest, FileReader};
use crate::compile_program::CompileProgram;
use crate::loading::CodeText;
use crate::puppet_settings::settings_of;
use crate::top_variables::top_variables;
use eval::{Evaluator, Unit, World};
use hiera::config::Layer;
use hiera::lookup::{Explanation, LayerLocations, LookupRequest};
use hiera::merge::Answer;
use project::{Db, Environment};
use std::sync::Arc;
use types::Value;

/// Result of a lookup, or Puppet's error message if the lookup fails; with an explanation.
pub type ExplainedLookup = (Result<Answer, String>, Explanation);

/// Looks up keys in the Hiera data of an environment, and explains the lookups. The scope is the top scope of the
/// request's node. Returns one result for each key.
pub fn look_up_keys(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    keys: &[&str],
    merge: Option<&Value>,
    reader: Option<&dyn FileReader>,
) -> Vec<ExplainedLookup> {
    let variables =
        request.variables.clone().or_else(|| Some(top_variables(db, environment, request).into()));
    let request = CompileRequest { variables, ..request.clone() };
    let lookups = NodeLookups { db, environment, request: &request, reader };
    let incomplete = CompileRequest { is_incomplete: true, ..request.clone() };
    let incomplete = NodeLookups { request: &incomplete, ..lookups };
    let mut found: Vec<ExplainedLookup> = Vec::with_capacity(keys.len());
    while let Some(rest @ [_, ..]) = keys.get(found.len()..) {
        let (of_program, depends_on_unknown_inputs) = lookups.explain(rest, merge);
        found.extend(of_program);
        if depends_on_unknown_inputs && !request.is_incomplete {
            // Data outside of the project may differ.
            let last = found.len() - 1;
            found.truncate(last);
            found.extend(incomplete.explain(&keys[last..=last], merge).0);
        }
    }
    found
}

/// Node and files of lookups that no code makes.
#[derive(Clone, Copy)]
pub(super) struct NodeLookups<'a> {
    pub(super) db: &'a dyn Db,
    pub(super) environment: Environment,
    pub(super) request: &'a CompileRequest,
    pub(super) reader: Option<&'a dyn FileReader>,
}

impl NodeLookups<'_> {
    /// Looks up keys with one program, until a lookup depends on unknown inputs, which is returned too. Looks up at
    /// least one key.
    fn explain(&self, keys: &[&str], merge: Option<&Value>) -> (Vec<ExplainedLookup>, bool) {
        let found = self.run(|program, world, main| {
            let mut found = Vec::with_capacity(keys.len());
            for key in keys {
                let question = LookupRequest {
                    names: vec![(*key).into()],
                    merge: merge.cloned(),
                    explains_lower_levels: true,
                    ..LookupRequest::default()
                };
                found.push(Evaluator::new(world).explain_lookup(main, &question));
                if program.has_unknown_inputs() {
                    break;
                }
            }
            (found, program.has_unknown_inputs())
        });
        let missing = || (Ok(Answer::Missing), Explanation::default());
        found.unwrap_or_else(|| (keys.iter().map(|_| missing()).collect(), false))
    }

    /// Calls `run` with the program of the node, its world, and the unit in whose top scope lookups are made.
    /// Returns `None` if the environment has no such unit.
    pub(super) fn run<T>(
        &self,
        run: impl for<'w> FnOnce(&CompileProgram<'_>, &'w World<'w>, &Arc<Unit>) -> T,
    ) -> Option<T> {
        let code = CodeText::new(self.db, self.environment, "");
        let program =
            CompileProgram::new(self.db, self.environment, self.request, Some(code), self.reader, None);
        let settings = self.request.settings.unwrap_or_else(|| settings_of(self.db, self.environment));
        let entry = program.entry();
        let world = World::new(&program, settings);
        Some(run(&program, &world, entry.main.first()?))
    }
}

/// Returns the locations that lookups on the request's node search: those of the global layer, of the environment, and
/// of each module. The error of a layer makes all lookups in it fail.
pub fn data_locations(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    reader: Option<&dyn FileReader>,
) -> Vec<LayerLocations> {
    let own = project::environment_tree(db, environment);
    let modules = environment.modules(db).iter().filter(|(_, tree)| Some(**tree) != own);
    let mut layers = vec![Layer::Global, Layer::Environment];
    layers.extend(modules.map(|(name, _)| Layer::Module(name.clone())));
    let scope = NodeLookups { db, environment, request, reader };
    let located = scope.run(|_, world, main| {
        let locations = |layer: Layer| {
            let locations = Evaluator::new(world).data_locations(main, &layer);
            LayerLocations { layer, locations }
        };
        layers.into_iter().map(locations).collect()
    });
    located.unwrap_or_default()
}
