//! Finished catalog as plain data, for other crates.

use std::collections::BTreeSet;
use std::sync::Arc;

use scalars::tags::Tags;
use smol_str::SmolStr;
use types::Value;

use super::collectors::ExportedResource;
use crate::error::{EvaluationError, ExprPlace};
use crate::evaluator::UnknownDecision;

/// Compiled catalog.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Catalog {
    /// Resources in order of declaration, without unrealized virtual ones.
    pub resources: Vec<CatalogResource>,
    /// Resources that are exported to other nodes and not collected by the node itself. Puppet stores them,
    /// but does not send them to the node.
    pub exported: Vec<CatalogResource>,
    /// All exported resources and those that queries ask for, as PuppetDB stores them.
    pub stored: Vec<Arc<ExportedResource>>,
    /// Containment edges, as indices of the container and its content.
    pub edges: Vec<(usize, usize)>,
    /// Names of the classes, in order of evaluation.
    pub classes: Vec<SmolStr>,
    /// Collectors that collected resources.
    pub collectors: Vec<CatalogCollector>,
    /// Decisions that depend on something unknown, in the order of their digests.
    pub decisions: Vec<UnknownDecision>,
}

impl Catalog {
    /// Returns the indices of some resources and of everything that they contain.
    pub fn contents(&self, roots: &[usize]) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut open = roots.to_vec();
        while let Some(index) = open.pop() {
            if found.insert(index) {
                open.extend(self.edges.iter().filter(|(from, _)| *from == index).map(|(_, to)| *to));
            }
        }
        found
    }
}

/// Collector, or call of `realize()`.
#[derive(Clone, PartialEq, Debug)]
pub struct CatalogCollector {
    pub place: ExprPlace,
    /// Indices of the collected resources.
    pub collected: Vec<usize>,
}

/// Resource of a catalog.
#[derive(Clone, PartialEq, Debug)]
pub struct CatalogResource {
    /// Type name as in references: `Apache::Vhost`.
    pub type_name: SmolStr,
    /// Title as in references; `None` if it is unknown.
    pub title: Option<SmolStr>,
    /// Parameters by name, without those that are `undef`. `Sensitive` values are unwrapped: see `sensitive`.
    pub parameters: Vec<(SmolStr, Value)>,
    /// Location of the code that set each parameter; `None` for those set by data, defaults of parameters, and
    /// Puppet itself.
    pub parameter_places: Vec<Option<ExprPlace>>,
    pub is_exported: bool,
    /// True if the existence of the resource depends on something unknown.
    pub is_possible: bool,
    pub tags: Tags,
    /// Names of the parameters that must not be shown.
    pub sensitive: Vec<SmolStr>,
    /// Location of the declaration; `None` for resources that Puppet adds itself.
    pub place: Option<ExprPlace>,
    /// Index of the class, node, or resource of a defined type whose code declared the resource.
    pub declared_in: Option<usize>,
}

/// Kind of a resource in a catalog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CatalogResourceKind {
    Class,
    Stage,
    Node,
    /// Resource of a resource type or defined type, as declared.
    OfType,
}

impl CatalogResource {
    pub fn kind(&self) -> CatalogResourceKind {
        match self.type_name.as_str() {
            "Class" => CatalogResourceKind::Class,
            "Stage" => CatalogResourceKind::Stage,
            "Node" => CatalogResourceKind::Node,
            _ => CatalogResourceKind::OfType,
        }
    }

    pub fn is_class(&self) -> bool {
        self.kind() == CatalogResourceKind::Class
    }

    /// Returns true for the class that contains all code outside of classes.
    pub fn is_main_class(&self) -> bool {
        self.is_class() && self.title.as_deref() == Some("main")
    }

    /// Returns true for the class of Puppet's settings, which is in every catalog.
    pub fn is_settings_class(&self) -> bool {
        self.is_class() && self.title.as_deref() == Some("Settings")
    }

    /// Returns true for the main stage, which is in every catalog.
    pub fn is_main_stage(&self) -> bool {
        self.kind() == CatalogResourceKind::Stage && self.title.as_deref() == Some("main")
    }
}

/// Resource that no agent accepts.
#[derive(Clone, PartialEq, Debug)]
pub struct RefusedResource {
    pub error: EvaluationError,
    /// Type of the resource in lower case.
    pub type_name: SmolStr,
    /// Attributes that are not set; the resource may be accepted if one of them were.
    pub missing: &'static [&'static str],
}
