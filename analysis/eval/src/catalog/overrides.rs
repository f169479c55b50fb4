//! Overrides of resources that are declared elsewhere. Specification: the section on overrides.

use codes::Code;
use conversions::flattening::flatten;
use hir::{AttributeOperation, ExprId, Name, ReferenceKind};
use operators::Failure;
use smol_str::SmolStr;
use types::{Kinds, Origin, Type, Value};
use validation::Strict;

use super::ids::ResourceId;
use super::store::{Override, ResourceKind, ResourceParameter};
use crate::error::{ExprPlace, LogLevel, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::Site;

impl Evaluator<'_> {
    /// Evaluates `File['/x'] { mode => ... }`, which applies to an existing resource or to one that is
    /// declared later.
    pub(crate) fn override_resources(
        &mut self,
        site: Site,
        reference: ExprId,
        operations: &[AttributeOperation],
    ) -> Outcome {
        let value = self.evaluate(site.at(reference))?;
        let attributes = self.attributes(site.frame, operations)?;
        if let Some(name) = &attributes.duplicate {
            let message = format!("duplicate attribute `{name}`");
            return Err(self.error(site, Failure::new(Code::DuplicateAttribute, message)));
        }
        let mut references = Vec::new();
        flatten(&value, &mut references);
        for reference in references {
            // A string or number is never a reference.
            let kinds = reference.kinds(self.world);
            let is_plain = !kinds.is_empty() && Kinds::SCALAR_DATA.contains(kinds);
            let key = match &reference {
                Value::Unknown(_) if !is_plain => {
                    self.override_unknown(site, &reference, &attributes.parameters);
                    continue;
                }
                Value::Type(ty) => match &**ty {
                    Type::Resource(resource) => match (&resource.type_name, &resource.title) {
                        (Some(type_name), Some(title)) => Some((hir::fold_name(type_name), title.clone())),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            };
            let Some(key) = key.filter(|(type_name, _)| !ReferenceKind::is_class(type_name)) else {
                if self.has_external_resources() && !is_plain {
                    continue;
                }
                let text = match &reference {
                    Value::Unknown(unknown) => types::display::type_text(&unknown.ty, self.world),
                    reference => types::text::to_notation(reference, self.world),
                };
                let failure = Failure::new(
                    Code::IllegalOverriddenType,
                    format!("cannot override `{text}`; expected a resource reference"),
                );
                return Err(self.error(site, failure));
            };
            let overriding = Override {
                parameters: attributes.parameters.clone(),
                duplicate: None,
                source: self.source(site.frame),
                place: self.place(site),
                is_possible: self.may_be_skipped(),
            };
            self.override_or_wait(key, overriding)?;
        }
        Ok(value)
    }

    /// Marks the parameters of all resources that an unknown reference may denote as unknown.
    fn override_unknown(&mut self, site: Site, reference: &Value, parameters: &[ResourceParameter]) {
        let Some(type_name) = self.note_unknown_reference(site, reference) else { return };
        let overriding = Override {
            parameters: parameters.to_vec(),
            duplicate: None,
            source: self.source(site.frame),
            place: self.place(site),
            is_possible: true,
        };
        for index in 0..self.catalog.resources.len() {
            if self.catalog.resources[index].type_name == type_name {
                self.catalog.override_possibly(ResourceId(index as u32), &overriding);
            }
        }
    }

    /// Records that the code at `site` refers to an unknown resource, which may be missing. Returns its type if that
    /// is known.
    pub fn note_unknown_reference(&mut self, site: Site, reference: &Value) -> Option<Name> {
        let type_name = match reference {
            Value::Unknown(unknown) => match &unknown.ty {
                Type::Type(Some(ty)) => match &**ty {
                    Type::Resource(resource) => resource.type_name.as_deref().map(hir::fold_name),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        self.world.program.note_unknown_reference(type_name.as_deref());
        self.note_decision(site, None);
        type_name
    }

    /// Applies an override to the resources that a reference may denote, or keeps it until there is one.
    ///
    /// # Errors
    /// The overriding code has no right to override.
    pub(super) fn override_or_wait(&mut self, key: (Name, SmolStr), overriding: Override) -> Outcome<()> {
        let found = self.catalog.find_all(&key.0, &key.1);
        for id in &found {
            self.merge(overriding.place, *id, &overriding)?;
        }
        if found.is_empty() {
            self.catalog.overrides.push((key, overriding));
        }
        Ok(())
    }

    /// Applies an override to a resource.
    ///
    /// # Errors
    /// The overriding code has no right to override.
    pub(crate) fn merge(&mut self, place: ExprPlace, id: ResourceId, overriding: &Override) -> Outcome<()> {
        if overriding.is_possible || self.has_external_resources() || self.catalog[id].is_possible {
            // The final value depends on something unknown.
            for parameter in &overriding.parameters {
                let mut parameter = parameter.clone();
                if !self.has_external_resources() {
                    parameter.value = Value::unknown(Type::Any, Origin::Join);
                }
                self.catalog[id].set(parameter);
            }
            return Ok(());
        }
        let resource = &self.catalog[id];
        if resource.source != overriding.source && !self.catalog.is_child(overriding.source, resource.source)
        {
            let message = format!("only subclasses can override attributes of `{}`", resource.reference());
            return Err(self.error_at(place, Failure::new(Code::IllegalOverride, message)));
        }
        if resource.is_evaluated && matches!(resource.kind, ResourceKind::Evaluated(_)) {
            let message = format!("cannot override `{}` after its evaluation", resource.reference());
            match self.world.settings.strict {
                Strict::Off => {}
                Strict::Warning => self.log_at(place, LogLevel::Warning, message),
                Strict::Error => {
                    return Err(self.error_at(place, Failure::new(Code::LateOverride, message)));
                }
            }
        }
        if let Some(name) = &overriding.duplicate {
            let message = format!("duplicate attribute `{name}` on `{}`", self.catalog[id].reference());
            return Err(self.error_at(place, Failure::new(Code::DuplicateAttribute, message)));
        }
        for parameter in &overriding.parameters {
            self.override_parameter(place, id, parameter)?;
        }
        Ok(())
    }

    fn override_parameter(
        &mut self,
        place: ExprPlace,
        id: ResourceId,
        parameter: &ResourceParameter,
    ) -> Outcome<()> {
        if parameter.name == "tag"
            && let Some(tag) = self.invalid_tag(&parameter.value)
        {
            return Err(self.error_at(place, Failure::new(Code::InvalidTag, format!("invalid tag `{tag}`"))));
        }
        let resource = &self.catalog[id];
        let (scope, type_name) = (resource.scope, resource.type_name.clone());
        let Some(current) = resource.parameters.iter().find(|it| it.name == parameter.name).cloned() else {
            self.catalog[id].set(parameter.clone());
            return Ok(());
        };
        if self.catalog.is_default(scope, &type_name, &parameter.name, &parameter.value) {
            return Ok(());
        }
        let may = self.catalog.is_child(parameter.source, current.source)
            || parameter.source == current.source
                && self.catalog.is_default(scope, &type_name, &parameter.name, &current.value);
        if !may {
            let message = format!(
                "attribute `{}` is already set on `{}`",
                parameter.name,
                self.catalog[id].reference()
            );
            return Err(self.error_at(place, Failure::new(Code::IllegalOverride, message)));
        }
        let mut parameter = parameter.clone();
        if parameter.appends {
            let mut all = Vec::new();
            flatten(&current.value, &mut all);
            flatten(&parameter.value, &mut all);
            parameter.value = Value::array(all);
        }
        self.catalog[id].set(parameter);
        Ok(())
    }
}
