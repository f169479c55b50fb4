//! Resources that nodes export: what a database stores of them, and their collection by other nodes.

use std::sync::Arc;

use codes::Code;
use conversions::flattening::flatten;
use hir::{Name, ScopeId};
use operators::Failure;
use scalars::tags::Tags;
use smol_str::SmolStr;
use types::{Origin, Type, Value};

use crate::catalog::ids::{CollectorId, ResourceId};
use crate::catalog::model::CatalogResource;
use crate::catalog::references::referenced;
use crate::catalog::resource_types::{has_other_keys, uniqueness_key};
use crate::catalog::resources::{Attributes, DeclarationForm};
use crate::catalog::store::{CollectorQuery, Resource, ResourceKind, ResourceParameter, reference_text};
use crate::error::{Exit, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::Frame;

/// Resource that a node exports or that queries ask for, as PuppetDB stores it: without secrets, and with references as strings.
#[derive(Clone, PartialEq, Debug)]
pub struct ExportedResource {
    /// Folded name.
    pub type_name: Name,
    /// `None` if it is unknown.
    pub title: Option<SmolStr>,
    pub parameters: Vec<(Name, Value)>,
    pub tags: Tags,
    pub is_exported: bool,
    /// True if it is unknown whether the node exports the resource.
    pub is_possible: bool,
    /// True if there may be further parameters.
    pub is_incomplete: bool,
}

/// Exported resource and the node that exports it.
#[derive(Clone, Debug)]
pub struct StoredExport {
    pub certname: SmolStr,
    pub resource: Arc<ExportedResource>,
}

/// Resources of one type that other nodes export.
#[derive(Clone, Debug, Default)]
pub struct ExportsOfOthers {
    pub resources: Vec<StoredExport>,
    /// True if no node exports further ones.
    pub are_complete: bool,
}

impl ExportedResource {
    /// Returns what a database stores of a resource in a finished catalog.
    pub(in crate::catalog) fn stored(resource: &Resource, data: &CatalogResource) -> ExportedResource {
        let is_secret = |name: &SmolStr| data.sensitive.contains(name);
        let kept = data.parameters.iter().filter(|(name, _)| !is_secret(name) && name != "alias");
        let mut parameters: Vec<(Name, Value)> =
            kept.map(|(name, value)| (Name::new(name), stored_value(value))).collect();
        let mut aliases = Vec::new();
        let given = data.parameters.iter().find(|(name, _)| name == "alias");
        given.into_iter().for_each(|(_, value)| flatten(value, &mut aliases));
        let is_single = match uniqueness_key(resource).as_deref() {
            Some([name]) => {
                if !aliases.contains(name) {
                    aliases.push(name.clone());
                }
                true
            }
            Some(_) => false,
            None => !has_other_keys(&resource.kind),
        };
        match given {
            _ if is_single && !aliases.is_empty() => parameters.push(("alias".into(), Value::array(aliases))),
            Some((name, value)) => parameters.push((Name::new(name), stored_value(value))),
            None => {}
        }
        ExportedResource {
            type_name: resource.type_name.clone(),
            title: resource.title.clone(),
            parameters,
            tags: data.tags.clone(),
            is_exported: data.is_exported,
            is_possible: data.is_possible,
            is_incomplete: resource.is_incomplete || matches!(resource.kind, ResourceKind::BuiltIn(None)),
        }
    }

    fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns true if PuppetDB returns the resource for a query; `None` if that is unknown.
    fn matches_query(&self, query: &CollectorQuery) -> Option<bool> {
        query.answer(&|comparison| match comparison {
            // PuppetDB rejects a list of tags.
            CollectorQuery::Tagged(tags) => match tags.as_slice() {
                [tag] => self.has_tag(tag),
                _ => None,
            },
            CollectorQuery::Equal(name, value) => self.has_value(name, value),
            CollectorQuery::NotEqual(name, value) if name == "tag" => {
                self.has_tag(&value.as_str()?.to_lowercase().into()).map(|it| !it)
            }
            CollectorQuery::NotEqual(name, value) => self.has_value(name, value).map(|it| !it),
            _ => None,
        })
    }

    fn has_tag(&self, tag: &SmolStr) -> Option<bool> {
        let is_complete = !self.is_incomplete && !self.tags.is_incomplete();
        Some(self.tags.contains(tag)).filter(|it| *it || is_complete)
    }

    /// Returns true if PuppetDB considers a parameter equal to a value: values of other types never are, and
    /// strings are compared with case.
    fn has_value(&self, name: &str, value: &Value) -> Option<bool> {
        if name == "title" {
            return Some(self.title.as_deref()? == value.as_str()?);
        }
        match (self.parameter(name), value) {
            (_, Value::Undef | Value::Float(_) | Value::Array(_) | Value::Hash(_)) => None,
            (Some(actual), _) if !actual.is_known() => None,
            (Some(actual), value) => Some(actual == value),
            (None, _) => (!self.is_incomplete).then_some(false),
        }
    }
}

/// Returns a value as it comes back from a database, which holds JSON.
fn stored_value(value: &Value) -> Value {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => {
            value.clone()
        }
        Value::Array(elements) => Value::array(elements.iter().map(stored_value).collect::<Vec<_>>()),
        Value::Hash(entries) if entries.iter().all(|(key, _)| matches!(key, Value::String(_))) => {
            let entries = entries.iter().map(|(key, value)| (key.clone(), stored_value(value)));
            Value::Hash(Arc::new(entries.collect()))
        }
        Value::Unknown(_) => value.clone(),
        Value::Type(_) => match referenced(value) {
            Some((type_name, title)) => Value::string(reference_text(&type_name, &title)),
            None => Value::unknown(Type::Any, Origin::Join),
        },
        _ => Value::unknown(Type::Any, Origin::Join),
    }
}

impl Evaluator<'_> {
    /// Adds the matching resources that other nodes export; returns those that certainly exist.
    pub(in crate::catalog) fn collect_from_others(
        &mut self,
        collector: CollectorId,
        type_name: &Name,
        query: Option<&CollectorQuery>,
    ) -> Outcome<Vec<ResourceId>> {
        // What other nodes export does not change during a compile.
        if std::mem::replace(&mut self.catalog.collectors[collector.0].has_asked_others, true) {
            return Ok(Vec::new());
        }
        let Some(exports) = self.world.program.exports_of_others(type_name) else {
            self.note_exports_of_others(type_name);
            return Ok(Vec::new());
        };
        if !exports.are_complete {
            self.note_exports_of_others(type_name);
        }
        let mut collected = Vec::new();
        for export in &exports.resources {
            match query.map_or(Some(true), |query| export.resource.matches_query(query)) {
                Some(false) => {}
                matched => {
                    let is_certain = matched.is_some() && !export.resource.is_possible;
                    collected.extend(self.add_from_other(collector, export, is_certain)?);
                }
            }
        }
        Ok(collected)
    }

    /// Adds a resource that another node exports; returns it if it is new and certainly exists.
    fn add_from_other(
        &mut self,
        collector: CollectorId,
        export: &StoredExport,
        is_certain: bool,
    ) -> Outcome<Option<ResourceId>> {
        let StoredExport { certname, resource } = export;
        let (place, is_possible) = {
            let collector = &self.catalog.collectors[collector.0];
            (collector.place, collector.is_possible || !is_certain)
        };
        // A change of the exporting node may change this one without any change of its code.
        let are_known = resource.parameters.iter().all(|(_, value)| value.is_known());
        if !are_known || !is_certain || resource.is_incomplete || resource.title.is_none() {
            self.note_exports_of_others(&resource.type_name);
        }
        let Some(title) = &resource.title else { return Ok(None) };
        if let Some(existing) = self.catalog.find(&resource.type_name, title) {
            let existing = &self.catalog[existing];
            if existing.collected_from.as_ref() == Some(certname) && existing.title.as_ref() == Some(title) {
                return Ok(None);
            }
            if is_possible || existing.is_possible {
                self.note_exports_of_others(&resource.type_name);
                return Ok(None);
            }
            let message = format!(
                "resource `{}`, which node `{certname}` exports, is already declared",
                existing.reference()
            );
            let earlier = existing.place().into_iter().chain(existing.calls.clone()).collect();
            let mut exit = self.error_at(place, Failure::new(Code::DuplicateDeclaration, message));
            if let Exit::Error(error) = &mut exit {
                error.earlier = earlier;
            }
            return Err(exit);
        }
        let id = self.declare_from_other(collector, export, title, is_possible)?;
        Ok((!is_possible).then_some(id))
    }

    /// Declares a resource that another node exports in the scope of the collector.
    fn declare_from_other(
        &mut self,
        collector: CollectorId,
        export: &StoredExport,
        title: &SmolStr,
        is_possible: bool,
    ) -> Outcome<ResourceId> {
        let StoredExport { certname, resource } = export;
        let collector = &self.catalog.collectors[collector.0];
        let (place, scope) = (collector.place, collector.scope);
        let mut outside = Frame::new(collector.unit.clone(), ScopeId::ROOT);
        outside.dynamic_scope = scope;
        let site = self.open_frame(outside).at(place.expr);
        let source = self.source(site.frame);
        let parameter = |(name, value): &(Name, Value)| ResourceParameter {
            name: name.clone(),
            value: value.clone(),
            source,
            appends: false,
            place: None,
        };
        let parameters = resource.parameters.iter().map(parameter).collect();
        let attributes =
            Attributes { parameters, is_incomplete: resource.is_incomplete, ..Attributes::default() };
        let declared = self.resource_kind(site, &resource.type_name).and_then(|kind| {
            let (title, form) = (Value::String(title.clone()), DeclarationForm::default());
            let id = self.new_resource(site, &resource.type_name, &title, kind, attributes, form);
            let new = &mut self.catalog[id];
            new.collected_from = Some(certname.clone());
            new.is_possible |= is_possible;
            self.add_resource(site, id).map(|()| id)
        });
        self.close_frame(site.frame);
        declared
    }
}
