//! Conversion of the finished catalog to plain data.

use std::sync::Arc;

use conversions::flattening::{contains_resource_objects, flat, flattened};
use plugins::built_in::RelationshipMetaparameter;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, StrExt};
use types::Value;

use super::collectors::ExportedResource;
use super::ids::ResourceId;
use super::model::{Catalog, CatalogCollector, CatalogResource};
use super::resource_types::{TitleParts, name_variable, title_parts};
use super::store::{
    CatalogBuilder, MAIN_CLASS, MAIN_STAGE, Resource, ResourceKind, title_display, type_display,
};
use crate::evaluator::{Evaluator, UnknownDecision};

impl Evaluator<'_> {
    /// Returns the current catalog, without virtual resources.
    pub fn catalog_as_data(&self) -> Catalog {
        let is_queried = |type_name: &str| self.world.program.is_queried(type_name);
        self.catalog.as_data(self.world.settings.storeconfigs, &is_queried)
    }
}

impl CatalogBuilder {
    /// Returns the catalog without virtual resources. With `storeconfigs`, exported resources are listed separately.
    fn as_data(&self, storeconfigs: bool, is_queried: &dyn Fn(&str) -> bool) -> Catalog {
        let mut indices: FxHashMap<ResourceId, usize> = FxHashMap::default();
        let (mut resources, mut exported) = (Vec::new(), Vec::new());
        let (mut kept, mut only_exported) = (Vec::new(), Vec::new());
        for index in 0..self.resources.len() {
            let id = ResourceId(index as u32);
            let resource = &self[id];
            if resource.is_virtual || self.is_discarded(id) {
                if resource.is_exported && storeconfigs && !self.is_discarded(id) {
                    only_exported.push(id);
                }
                continue;
            }
            indices.insert(id, kept.len());
            kept.push(id);
        }
        for (ids, data) in [(kept, &mut resources), (only_exported, &mut exported)] {
            data.extend(ids.into_iter().map(|id| self.resource_as_data(id, &indices)));
        }
        let stored = self.stored_resources(&indices, storeconfigs, is_queried);
        let edges = self.edges.iter();
        let edges = edges.filter_map(|(from, to)| Some((*indices.get(from)?, *indices.get(to)?))).collect();
        let collected = |collected: &[ResourceId]| -> Vec<usize> {
            collected.iter().filter_map(|it| indices.get(it).copied()).collect()
        };
        let collectors = self.collectors.iter();
        let collectors = collectors
            .map(|it| CatalogCollector { place: it.place, collected: collected(&it.collected) })
            .filter(|it| !it.collected.is_empty())
            .collect();
        let mut decisions: Vec<UnknownDecision> = self.decisions.iter().copied().collect();
        decisions.sort_unstable_by_key(|it| (it.digest, it.place.unit.0, it.place.expr));
        let classes = self.class_list.clone();
        Catalog { resources, exported, stored, edges, classes, collectors, decisions }
    }

    /// Returns the exported and the queried resources as a database stores them.
    fn stored_resources(
        &self,
        indices: &FxHashMap<ResourceId, usize>,
        storeconfigs: bool,
        is_queried: &dyn Fn(&str) -> bool,
    ) -> Vec<Arc<ExportedResource>> {
        let all = (0..self.resources.len()).map(|index| ResourceId(index as u32));
        let is_stored = |id: &ResourceId| {
            let resource = &self[*id];
            let is_kept = resource.is_exported || !resource.is_virtual && is_queried(&resource.type_name);
            storeconfigs && is_kept && !self.is_discarded(*id)
        };
        let stored = |id| ExportedResource::stored(&self[id], &self.resource_as_data(id, indices));
        all.filter(is_stored).map(|id| Arc::new(stored(id))).collect()
    }

    fn resource_as_data(&self, id: ResourceId, indices: &FxHashMap<ResourceId, usize>) -> CatalogResource {
        let resource = &self[id];
        let name_variable = name_variable(&resource.kind);
        let title = resource.title.as_ref().map(|title| title_display(&resource.type_name, title));
        let mut parameters: Vec<(SmolStr, Value)> = Vec::new();
        let mut parameter_places = Vec::new();
        for parameter in &resource.parameters {
            // In the result, `name` is the attribute that holds the title.
            let name = match (parameter.name.as_str(), &name_variable) {
                ("name", Some(variable)) => variable.clone(),
                // Names in a catalog are in lower case.
                (name, _) => name.to_lowercase_smolstr(),
            };
            let earlier = parameters.iter().position(|(known, _)| *known == name);
            let is_title =
                name_variable.as_ref() == Some(&name) && parameter.value.as_str() == title.as_deref();
            if !parameter.value.is_undef() && !is_title {
                let value = match RelationshipMetaparameter::from_name(&parameter.name) {
                    Some(_) => flat(&parameter.value),
                    None if contains_resource_objects(&parameter.value) => flattened(&parameter.value),
                    None => parameter.value.clone(),
                };
                match earlier {
                    Some(at) => (parameters[at].1, parameter_places[at]) = (value, parameter.place),
                    None => {
                        parameters.push((name, value));
                        parameter_places.push(parameter.place);
                    }
                }
            }
        }
        if id == MAIN_CLASS || id == MAIN_STAGE {
            parameters.push(("name".into(), Value::string("main")));
        }
        if !matches!(resource.title_value, Value::String(_))
            && let (Some(title), ResourceKind::Evaluated(_)) = (&resource.title, &resource.kind)
        {
            parameters.push(("name".into(), Value::String(title.clone())));
        }
        parameters.extend(parameters_of_title(resource, name_variable.as_ref()));
        parameter_places.resize(parameters.len(), None);
        let container = self.scope(resource.scope).resource;
        CatalogResource {
            type_name: type_display(&resource.type_name),
            title,
            parameters,
            parameter_places,
            is_exported: resource.is_exported,
            is_possible: resource.is_possible,
            tags: resource.tags.clone(),
            sensitive: resource.sensitive.iter().map(|name| name.to_lowercase_smolstr()).collect(),
            place: resource.place(),
            declared_in: indices.get(&container).copied().filter(|_| container != id),
        }
    }
}

/// Returns the attributes derived from the title that do not repeat it.
fn parameters_of_title(resource: &Resource, name_variable: Option<&SmolStr>) -> Vec<(SmolStr, Value)> {
    let Some(title) = &resource.title else { return Vec::new() };
    let TitleParts::Known(parts) = title_parts(&resource.kind, &resource.type_name, title) else {
        return Vec::new();
    };
    let is_derived = |(name, value): &(SmolStr, Value)| {
        let is_title = name_variable == Some(name) && value.as_str() == Some(title);
        let is_set = |name: &str| resource.parameter(name).is_some_and(|it| !it.is_undef());
        let is_known = is_set(name) || name_variable == Some(name) && is_set("name");
        !is_title && !is_known && !value.is_undef()
    };
    parts.into_iter().filter(is_derived).collect()
}
