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
mod model;
mod overrides;
pub(crate) mod parameter_checks;
mod parameter_fit;
mod queries;
mod refusals;
mod resource_objects;
mod resource_types;
mod resources;
mod store;

use conversions::flattening::flatten;
use hir::ReferenceKind;
use smol_str::SmolStr;
use types::display::capitalized_segments;
use types::{Type, Value};

pub use classes::UNLOADABLE_FILE;
pub use compile::{Compilation, CompileStart, NodeClass, RESERVED_FOR_NODES, compile, compile_with};
pub use cycles::DEPENDENCY_CYCLE;
pub use model::{Catalog, CatalogCollector, CatalogResource, CatalogResourceKind, RefusedResource};
pub(crate) use parameter_checks::{Mistake, ParameterTypes};
pub use parameter_fit::fits_parameter;
pub use resource_objects::{parameter_value, resource_object};
pub use resources::DeclarationForm;
pub use store::ResourceId;
pub(crate) use store::{DynamicScopeId, Store};

/// Returns a reference to a resource.
fn reference(type_name: &str, title: &str) -> Value {
    let title = match ReferenceKind::of(type_name) {
        // Capitalized like a type name, as in Puppet.
        ReferenceKind::Class => capitalized_segments(&hir::fold_name(title)),
        _ => title.into(),
    };
    Value::ty(Type::resource(Some(capitalized_segments(type_name)), Some(title)))
}

/// Returns the type, in lower case, and the title of a reference to a resource or class, given as a type or
/// as a string.
fn referenced(value: &Value) -> Option<(SmolStr, SmolStr)> {
    match value {
        Value::Type(ty) => match &**ty {
            Type::Class(Some(name)) => Some((ReferenceKind::CLASS.into(), hir::fold_name(name))),
            Type::Resource(resource) => {
                let (type_name, title) =
                    (hir::fold_name(resource.type_name.as_ref()?), resource.title.as_ref()?);
                let title = ReferenceKind::of(&type_name).folded_title(title);
                Some((type_name, title))
            }
            _ => None,
        },
        Value::String(text) => {
            let (type_name, title) = text.strip_suffix(']')?.split_once('[')?;
            Some((hir::fold_name(type_name), title.into()))
        }
        _ => None,
    }
}
