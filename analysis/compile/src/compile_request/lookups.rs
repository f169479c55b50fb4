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

/// Looks up a key in the Hiera data of an environment, and explains the lookup. The scope is the top scope of
/// the request's node.
///
/// # Errors
///
/// Returns Puppet's error message if the lookup fails.
pub fn look_up_key(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    key: &str,
    merge: Option<Value>,
    reader: Option<&dyn FileReader>,
) -> (Result<Answer, String>, Explanation) {
    let (found, explanation, depends_on_unknown_inputs) =
        look_up_as(db, environment, request, key, merge.clone(), reader);
    if depends_on_unknown_inputs && !request.is_incomplete {
        // Data outside of the project may differ.

        let incomplete = CompileRequest { is_incomplete: true, ..request.clone() };
        let (found, explanation, _) = look_up_as(db, environment, &incomplete, key, merge, reader);
        (found, explanation)
    } else {
        (found, explanation)
    }
}

/// Returns a request with its top-scope variables, for many lookups on the same node.
pub fn with_top_variables(db: &dyn Db, environment: Environment, request: &CompileRequest) -> CompileRequest {
    let variables = top_variables(db, environment, request);
    CompileRequest { variables: Some(Arc::new(variables)), ..request.clone() }
}

/// Looks up a key; also returns the explanation, and whether the lookup depended on unknown inputs.
pub(super) fn look_up_as(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    key: &str,
    merge: Option<Value>,
    reader: Option<&dyn FileReader>,
) -> (Result<Answer, String>, Explanation, bool) {
    let question = LookupRequest {
        names: vec![key.into()],
        merge,
        explains_lower_levels: true,
        ..LookupRequest::default()
    };
    let scope = NodeLookups { db, environment, request, reader };
    let answer = scope.run(|program, world, main| {
        let (found, explanation) = Evaluator::new(world).explain_lookup(main, &question);
        (found, explanation, program.has_unknown_inputs())
    });
    answer.unwrap_or((Ok(Answer::Missing), Explanation::default(), false))
}

/// Node and files of lookups that no code makes.
pub(super) struct NodeLookups<'a> {
    pub(super) db: &'a dyn Db,
    pub(super) environment: Environment,
    pub(super) request: &'a CompileRequest,
    pub(super) reader: Option<&'a dyn FileReader>,
}

impl NodeLookups<'_> {
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
