//! A compile from its entry to the finished catalog, in Puppet's order.

use std::sync::Arc;

use hir::Name;
use types::HashValue;

use super::model::Catalog;
use crate::error::{EvaluationError, Finding, LogEntry};
use crate::program::Unit;
use crate::world::World;

/// What a compile starts from. Facts and other variables of the top scope come through [`crate::Program::global`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entry {
    /// The main manifest: each of its files, in order.
    pub main: Vec<Arc<Unit>>,
    /// The node definitions of the main manifest, in order.
    pub nodes: Vec<Arc<Unit>>,
    /// The name of the node: its certname.
    pub node_name: Name,
    /// Classes that an external node classifier gives.
    pub classes: Vec<NodeClass>,
}

/// A class that the node has without code.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeClass {
    pub name: Name,
    pub parameters: HashValue,
}

/// What came of a compile.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Compilation {
    /// Whole if there is no error, else what was there when it happened.
    pub catalog: Catalog,
    /// What ended it, if something did.
    pub error: Option<EvaluationError>,
    pub logs: Vec<LogEntry>,
    /// What is wrong besides, or may be wrong.
    pub findings: Vec<Finding>,
    /// How much work it was, in [`crate::Bounds::steps`].
    pub steps: u64,
}

/// Compiles a catalog. With unknown inputs, some of its resources are possible only, and values may be unknown.
pub fn compile(world: &World<'_>, entry: &Entry) -> Compilation {
    let _ = (world, entry);
    Compilation::default()
}
