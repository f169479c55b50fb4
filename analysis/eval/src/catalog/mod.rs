//! Catalogs: what a node is to be, as Puppet's compiler works it out.
//!
//! Specification: the chapter on catalogs.

mod classes;
mod collectors;
mod compile;
mod cycles;
mod data;
mod model;
mod overrides;
mod questions;
mod resource_types;
mod resources;
mod store;

use smol_str::SmolStr;
use types::{Type, Value};

pub(crate) use compile::compile_with;
pub use compile::{Compilation, Entry, NodeClass, compile};
pub use model::{Catalog, CatalogResource};
pub(crate) use resources::Form;
pub(crate) use store::{DynamicScopeId, ResourceId, Store, is_valid_tag};

/// All elements of nested arrays.
fn flatten(value: &Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element, flat)),
        other => flat.push(other.clone()),
    }
}

/// A reference to a resource.
fn reference(type_name: &str, title: &str) -> Value {
    let title = match type_name {
        // Written like a type name, as the original does it.
        "class" => crate::expressions::capitalized(&hir::fold_name(title)),
        _ => title.into(),
    };
    Value::ty(Type::resource(Some(crate::expressions::capitalized(type_name)), Some(title)))
}

/// The text of a reference to a resource or class: `File[/etc/motd]`.
fn rendered_reference(value: &Value) -> Option<SmolStr> {
    let Value::Type(ty) = value else { return None };
    match &**ty {
        Type::Class(Some(name)) => Some(store::reference_text("class", &hir::fold_name(name)).into()),
        Type::Resource(resource) => {
            let type_name = hir::fold_name(resource.type_name.as_ref()?);
            Some(store::reference_text(&type_name, resource.title.as_ref()?).into())
        }
        _ => None,
    }
}
