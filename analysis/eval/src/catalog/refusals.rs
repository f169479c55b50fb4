//! Resources that no agent accepts: it applies nothing of a catalog with such a resource.

use codes::Code;
use hir::Name;
use operators::Failure;
use plugins::built_in;
use resources::{AgentResource, agent_refusal, provider_to_resolve};
use types::{Origin, Type, Value};

use super::ids::ResourceId;
use super::model::RefusedResource;
use super::store::{Collector, CollectorKind, Override, ResourceKind, ResourceParameter};
use crate::error::{EvaluationError, Exit};
use crate::evaluator::Evaluator;
use crate::program::MissingNameKind;
use crate::suggestion::with_suggestion;

/// Maximum number of resources that are reported per catalog.
const MAX_REFUSALS: usize = 100;

impl Evaluator<'_> {
    /// Returns the refused resources among those that certainly are in the catalog, in order.
    pub(super) fn find_refusals(&self) -> Vec<RefusedResource> {
        if self.has_external_resources() {
            return Vec::new();
        }
        let ids = (0..self.catalog.resources.len() as u32).map(ResourceId);
        ids.filter_map(|id| self.refusal_of(id)).take(MAX_REFUSALS).collect()
    }

    fn refusal_of(&self, id: ResourceId) -> Option<RefusedResource> {
        let resource = &self.catalog[id];
        let is_applied = !resource.is_virtual && !resource.is_possible && resource.declared.is_some();
        let resource_type = built_in::resource_type(&resource.type_name)?;
        let ResourceKind::BuiltIn(actual_type) = &resource.kind else { return None };
        if !is_applied || self.catalog.is_discarded(id) {
            return None;
        }
        let overrides = self.open_overrides(id);
        let is_open =
            |name: &Name| overrides.iter().any(|it| it.parameters.iter().any(|set| set.name == *name));
        let attribute = |parameter: &ResourceParameter| {
            let value = match &parameter.value {
                _ if is_open(&parameter.name) => Value::unknown(Type::Any, Origin::Join),
                value if resource.sensitive.contains(&parameter.name) => Value::sensitive(value.clone()),
                value => value.clone(),
            };
            (parameter.name.clone(), value)
        };
        let attributes: Vec<(Name, Value)> = resource.parameters.iter().map(attribute).collect();
        let refusal = agent_refusal(&AgentResource {
            type_name: &resource.type_name,
            title: resource.title.as_deref(),
            attributes: &attributes,
            is_complete: !resource.is_incomplete && !self.catalog.has_unknown && overrides.is_empty(),
            is_of_module: actual_type.as_ref().is_some_and(|it| it != resource_type),
            has_provider: self.may_have_provider(&resource.type_name, &attributes),
        })?;
        let declared = resource.place()?;
        let place = refusal.cause.as_deref().and_then(|it| resource.location_of(it)).unwrap_or(declared);
        let message = match &refusal.unlisted {
            Some((name, listed)) => with_suggestion(refusal.message, name, listed.iter().map(Name::as_str)),
            None => refusal.message,
        };
        let Exit::Error(error) = self.error_at(place, Failure::new(Code::ResourceValue, message)) else {
            return None;
        };
        // A default or an override is set elsewhere.
        let declaration = (place.unit != declared.unit).then_some(declared);
        let calls = declaration.into_iter().chain(resource.calls.iter().copied()).collect();
        Some(RefusedResource {
            error: EvaluationError { calls, ..*error },
            type_name: resource.type_name.clone(),
            missing: refusal.missing,
        })
    }

    /// Returns true unless the provider that attributes set certainly does not exist.
    fn may_have_provider(&self, type_name: &str, attributes: &[(Name, Value)]) -> bool {
        let program = self.world.program;
        provider_to_resolve(type_name, attributes).is_none_or(|provider| {
            program.ruby_providers(type_name).iter().any(|(name, _)| name == provider)
                || program.may_define(MissingNameKind::Type, provider)
        })
    }

    /// Returns the overrides of collectors that possibly, but not certainly, match a resource.
    fn open_overrides(&self, id: ResourceId) -> Vec<&Override> {
        let may_collect = |collector: &&Collector| match &collector.kind {
            CollectorKind::Query { type_name, query, .. } => {
                *type_name == self.catalog[id].type_name
                    && !collector.collected.contains(&id)
                    && match query {
                        _ if collector.is_possible => true,
                        None => true,
                        Some(query) => self.matches_query(query, id) != Some(false),
                    }
            }
            CollectorKind::References(_) => false,
        };
        let collectors = self.catalog.collectors.iter().filter(may_collect);
        collectors.filter_map(|it| it.overrides.as_ref()).collect()
    }
}
