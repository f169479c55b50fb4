//! Properties of a node that a compile reads. Another node that agrees in all of them has the same catalog, and
//! need not be compiled.

use std::fmt::Write;
use std::sync::Arc;

use eval::UnitId;
use hir::{DefinitionKey, Name};
use project::{Db, DefinitionId, Environment, File};
use rustc_hash::FxHashMap;
use types::Value;

use super::read_log::LoggedRead;
use crate::compile_program::nodes_for;
use crate::compile_request::{CompileRequest, FleetExports};

use crate::project_program::units::UnitTable;
use crate::top_variables::top_variables;

/// Property of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NodeRead {
    /// The node definition for its name.
    Definition,
    /// Top-scope variable, or the element at a path of keys in it.
    Variable { name: Name, path: Vec<Value> },
    /// Resources of a type that other nodes export.
    Exports(Name),
}

impl LoggedRead for NodeRead {
    fn path(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            NodeRead::Variable { path, .. } => Some(path),
            NodeRead::Definition | NodeRead::Exports(_) => None,
        }
    }
}

/// Values of the properties of a node that a compile may read.
#[derive(Debug)]
pub struct NodeValues {
    /// Top-scope variables, for [`CompileRequest::variables`].
    pub variables: Arc<FxHashMap<Name, Value>>,
    /// Description of the node definition that applies.
    definition: String,
    /// Name of the node.
    name: Name,
    exports: Option<Arc<FleetExports>>,
}

impl NodeValues {
    /// Returns the values for the node of a request.
    pub fn new(db: &dyn Db, environment: Environment, request: &CompileRequest) -> NodeValues {
        let variables = Arc::new(top_variables(db, environment, request));
        NodeValues {
            variables,
            definition: node_definition(db, environment, &request.node_name),
            name: request.node_name.clone(),
            exports: request.exports.clone(),
        }
    }

    /// Writes the value of a property. Two values have the same text only if no code can distinguish them.
    pub fn write(&self, read: &NodeRead, text: &mut String) {
        let written = match read {
            NodeRead::Definition => write!(text, "{}", self.definition),
            NodeRead::Variable { name, path } => {
                write!(text, "{:?}", element_at(self.variables.get(name), path))
            }
            // The exports are those of one fleet, of which each node collects all but its own.
            NodeRead::Exports(type_name) => {
                let is_among =
                    self.exports.as_ref().is_some_and(|it| it.distinguishes(type_name, &self.name));
                write!(text, "{:?}", is_among.then_some(&self.name))
            }
        };
        written.unwrap_or_default();
    }
}

/// Returns what the evaluation of a path of keys in a variable depends on: where the path ends, and the value there.
/// A value that is not a hash, a hash without the next key, and a missing variable differ, since code may fail on them.
pub(crate) fn element_at<'v>(variable: Option<&'v Value>, path: &[Value]) -> (usize, Option<&'v Value>) {
    let Some(mut value) = variable else { return (0, None) };
    for (depth, key) in path.iter().enumerate() {
        let Value::Hash(entries) = value else { return (depth, Some(value)) };
        match entries.get(key) {
            Some(element) => value = element,
            None => return (depth + 1, None),
        }
    }
    (path.len(), Some(value))
}

/// Describes the node definition for a name, with the match of its regular expression.
fn node_definition(db: &dyn Db, environment: Environment, name: &str) -> String {
    let units = UnitTable::new(db, false);
    let definitions: Vec<(File, DefinitionKey)> = nodes_for(db, environment, name);
    let unit = |(file, key): &(File, DefinitionKey)| units.unit(DefinitionId::new(db, *file, key.clone())).0;
    let nodes: Vec<_> = definitions.iter().map(unit).collect();
    match eval::node_definition(&nodes, name) {
        Some((UnitId(number), title, groups)) => {
            let index = nodes.iter().position(|unit| unit.id == UnitId(number));
            let definition = index.and_then(|index| definitions.get(index));
            let place = definition.map(|(file, key)| (file.path(db).as_str(), key));
            format!("{place:?} {title} {groups:?}")
        }
        None if nodes.is_empty() => "no node definitions".to_owned(),
        None => format!("no node definition for {name}"),
    }
}
