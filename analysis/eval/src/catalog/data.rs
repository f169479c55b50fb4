//! Conversion of the finished catalog to plain data.

use conversions::flattening::{contains_resource_objects, flat, flattened};
use plugins::built_in::RelationshipMetaparameter;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, StrExt};
use types::Value;

use super::model::{Catalog, CatalogResource};
use super::resource_types::{TitleParts, name_variable, title_parts};
use super::store::{MAIN_CLASS, MAIN_STAGE, ResourceId, ResourceKind, title_display, type_display};
use crate::evaluator::Evaluator;

impl Evaluator<'_> {
    /// Returns the current catalog, without virtual resources.
    pub fn catalog_as_data(&self) -> Catalog {
        let mut indices: FxHashMap<ResourceId, usize> = FxHashMap::default();
        let (mut resources, mut exported) = (Vec::new(), Vec::new());
        for index in 0..self.catalog.resources.len() {
            let id = ResourceId(index as u32);
            let resource = &self.catalog[id];
            if resource.is_virtual || self.is_discarded(id) {
                if resource.is_exported && self.world.settings.storeconfigs && !self.is_discarded(id) {
                    exported.push(self.resource_as_data(id));
                }
                continue;
            }
            indices.insert(id, resources.len());
            resources.push(self.resource_as_data(id));
        }
        let edges = self.catalog.edges.iter();
        let edges = edges.filter_map(|(from, to)| Some((*indices.get(from)?, *indices.get(to)?))).collect();
        Catalog { resources, exported, edges, classes: self.catalog.class_list.clone() }
    }

    fn resource_as_data(&self, id: ResourceId) -> CatalogResource {
        let resource = &self.catalog[id];
        let name_variable = name_variable(&resource.kind);
        let title = resource.title.as_ref().map(|title| title_display(&resource.type_name, title));
        let mut parameters: Vec<(SmolStr, Value)> = Vec::new();
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
                    Some(at) => parameters[at].1 = value,
                    None => parameters.push((name, value)),
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
        // Attributes derived from the title that do not repeat it.
        if let Some(title) = &resource.title
            && let TitleParts::Known(parts) = title_parts(&resource.kind, &resource.type_name, title)
        {
            for (name, value) in parts {
                let is_title = name_variable.as_ref() == Some(&name) && value.as_str() == Some(title);
                let is_set = |name: &str| resource.parameter(name).is_some_and(|it| !it.is_undef());
                let is_known = is_set(&name) || name_variable.as_ref() == Some(&name) && is_set("name");
                if !is_title && !is_known && !value.is_undef() {
                    parameters.push((name, value));
                }
            }
        }
        CatalogResource {
            type_name: type_display(&resource.type_name),
            title,
            parameters,
            is_exported: resource.is_exported,
            is_possible: resource.is_possible,
            tags: resource.tags.clone(),
            sensitive: resource.sensitive.iter().map(|name| name.to_lowercase_smolstr()).collect(),
            place: resource.place(),
        }
    }
}
