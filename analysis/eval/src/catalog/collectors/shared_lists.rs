//! Lists of related resources that several resources share.
//!
//! Puppet evaluates an attribute once for all titles of a declaration, all resources of a default, and all collected
//! resources. Where its value is an array, a relationship of one of these resources is added to this very array, and
//! so applies to the others as well.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use types::{Origin, Type, Value};

use super::super::ids::ResourceId;
use super::super::store::{CatalogBuilder, ResourceParameter};
use crate::error::ExprPlace;

/// Metaparameters to which relationships are added.
const EXTENDED: [&str; 2] = ["before", "notify"];

/// Returns the value of an attribute for one evaluation: an array that no other evaluation shares.
pub fn evaluated_once(name: &str, value: Value) -> Value {
    match value {
        Value::Array(elements) if EXTENDED.contains(&name) => Value::array(elements.to_vec()),
        value => value,
    }
}

struct SharedList {
    name: &'static str,
    resources: Vec<ResourceId>,
    /// `None` if an undecided relationship may add to it.
    elements: Option<Vec<Value>>,
    /// Relationship that was added last.
    place: Option<ExprPlace>,
}

/// Arrays that are parameters of several resources.
#[derive(Default)]
pub(super) struct SharedLists {
    lists: Vec<SharedList>,
    indices: FxHashMap<(&'static str, ResourceId), usize>,
}

impl SharedLists {
    pub(super) fn of(catalog: &CatalogBuilder) -> SharedLists {
        let mut shared = SharedLists::default();
        for name in EXTENDED {
            let mut owners: FxHashMap<*const Vec<Value>, (&Vec<Value>, Vec<ResourceId>)> =
                FxHashMap::default();
            for (index, resource) in catalog.resources.iter().enumerate() {
                if let Some(Value::Array(elements)) = resource.parameter(name) {
                    let id = ResourceId(index as u32);
                    owners.entry(Arc::as_ptr(elements)).or_insert_with(|| (elements, Vec::new())).1.push(id);
                }
            }
            for (elements, resources) in owners.into_values().filter(|(_, resources)| resources.len() > 1) {
                let index = shared.lists.len();
                shared.indices.extend(resources.iter().map(|id| ((name, *id), index)));
                let elements = Some(elements.clone());
                shared.lists.push(SharedList { name, resources, elements, place: None });
            }
        }
        shared
    }

    /// Adds references to the list of a resource. Returns the resources that share it; none if it is its own.
    pub(super) fn extend(
        &mut self,
        catalog: &CatalogBuilder,
        name: &'static str,
        resource: ResourceId,
        texts: &[Value],
        place: ExprPlace,
    ) -> &[ResourceId] {
        let Some(index) = self.indices.get(&(name, resource)) else { return &[] };
        let list = &mut self.lists[*index];
        list.place = Some(place);
        // A resource that may be missing may not add to the lists of those that exist.
        let is_certain =
            !catalog[resource].is_possible || list.resources.iter().all(|it| catalog[*it].is_possible);
        match &mut list.elements {
            Some(elements) if is_certain => elements.extend_from_slice(texts),
            elements => *elements = None,
        }
        &list.resources
    }

    /// Marks the list of a resource as unknown.
    pub(super) fn extend_possibly(&mut self, name: &'static str, resource: ResourceId, place: ExprPlace) {
        if let Some(index) = self.indices.get(&(name, resource)) {
            let list = &mut self.lists[*index];
            (list.elements, list.place) = (None, Some(place));
        }
    }

    /// Sets the parameters of the resources whose lists have changed.
    pub(super) fn write(self, catalog: &mut CatalogBuilder) {
        for list in self.lists {
            let Some(place) = list.place else { continue };
            let value = list.elements.map_or(Value::unknown(Type::Any, Origin::Join), Value::array);
            for id in list.resources {
                let resource = &mut catalog[id];
                let (name, source, place) = (list.name.into(), resource.source, Some(place));
                resource.set(ResourceParameter { name, value: value.clone(), source, appends: false, place });
            }
        }
    }
}
