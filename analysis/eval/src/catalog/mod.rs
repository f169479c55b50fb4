//! Catalogs: the desired state of a node, as Puppet's compiler computes it.
//!
//! Specification: the chapter on catalogs.

mod changed_collections;
mod classes;
mod collectors;
mod compile;
mod cycles;
mod data;
mod guards;
mod ids;
mod model;
mod overrides;
pub(crate) mod parameter_checks;
mod parameter_fit;
mod queries;
mod references;
mod refusals;
mod resource_objects;
mod resource_types;
mod resources;
mod store;

pub use classes::UNLOADABLE_FILE;
pub use collectors::{ExportedResource, ExportsOfOthers, StoredExport, evaluated_once};
pub use compile::{
    Compilation, CompileStart, NodeClass, RESERVED_FOR_NODES, compile, compile_with, node_definition,
};
pub use cycles::DEPENDENCY_CYCLE;
pub(crate) use ids::DynamicScopeId;
pub use ids::ResourceId;
pub use model::{Catalog, CatalogCollector, CatalogResource, CatalogResourceKind, RefusedResource};
pub(crate) use parameter_checks::Mistake;
pub use parameter_fit::fits_parameter;
pub use resource_objects::{parameter_value, resource_object};
pub use resources::DeclarationForm;
pub(crate) use store::CatalogBuilder;
