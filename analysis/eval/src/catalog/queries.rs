//! Queries of code about the catalog under construction. `None` means that the answer is unknown.

use codes::Code;
use conversions::ruby;
use hir::ReferenceKind;
use operators::Failure;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use super::resource_types;
use crate::error::Outcome;
use crate::evaluator::Evaluator;
use crate::frame::{FrameId, Site};

impl Evaluator<'_> {
    /// Evaluates `Type['title'][name]`; `None` if `left` is not a reference to a resource.
    pub(crate) fn resource_attribute(&self, site: Site, left: &Value, keys: &[Value]) -> Option<Outcome> {
        let Value::Type(ty) = left else { return None };
        let (type_name, title) = match &**ty {
            Type::Class(Some(name)) => (ReferenceKind::CLASS, name),
            Type::Resource(resource) => (resource.type_name.as_deref()?, resource.title.as_ref()?),
            _ => return None,
        };
        self.dependencies.note_external_state();
        let mut values = Vec::new();
        for key in keys {
            let name = match key {
                Value::String(name) => name.clone(),
                Value::Undef | Value::Array(_) | Value::Unknown(_) => return None,
                key => ruby::to_s(key, self.world)?.into(),
            };
            match self.attribute_of(type_name, title, &name) {
                Ok(value) => values.push(value),
                Err(failure) => return Some(Err(self.error(site, failure))),
            }
        }
        Some(Ok(match values.pop() {
            Some(value) if values.is_empty() => value,
            Some(last) => {
                values.push(last);
                Value::array(values)
            }
            None => return None,
        }))
    }

    /// Returns the value of an attribute or of its default. Fails if there certainly is no such resource or
    /// attribute.
    fn attribute_of(&self, type_name: &str, title: &str, name: &str) -> Result<Value, Failure> {
        let unknown = || Value::unknown(Type::Any, Origin::MissingDefinition);
        // While definitions are evaluated one by one, the variables of other classes are known.
        if ReferenceKind::is_class(type_name)
            && self.has_external_resources()
            && let Some(value) = self.class_variable(title, name)
        {
            return Ok(value);
        }
        let Some(id) = self.catalog.find(type_name, title) else {
            return if self.may_have_more_resources() {
                Ok(unknown())
            } else {
                let message = format!("resource `{type_name}['{title}']` not found");
                Err(Failure::new(Code::UnknownResource, message))
            };
        };
        let resource = &self.catalog[id];
        if resource.is_possible && !self.is_forked() {
            return Ok(unknown());
        }
        let given = resource.parameter(name).filter(|value| !value.is_undef()).cloned();
        let value = given.or_else(|| {
            let defaults = self.catalog.defaults(resource.scope, &resource.type_name);
            defaults.into_iter().find(|default| default.name == name).map(|default| default.value)
        });
        match value {
            Some(value) => Ok(value),
            None if self.has_external_resources() => Ok(unknown()),
            None if resource.parameter(name).is_some() => Ok(Value::Undef),
            None => match resource_types::has_attribute(resource, name) {
                Some(true) => Ok(Value::Undef),
                Some(false) => {
                    let message = format!("resource `{}` has no attribute `{name}`", resource.reference());
                    Err(Failure::new(Code::UnknownResourceParameter, message))
                }
                None => Ok(unknown()),
            },
        }
    }

    /// Returns true if a resource has been declared so far; `None` if that is unknown.
    pub fn is_declared(&self, type_name: &str, title: &str) -> Option<bool> {
        self.dependencies.note_external_state();
        let found = self.catalog.find(type_name, title);
        match found {
            _ if self.catalog.is_present(type_name, title) => Some(true),
            Some(id) if self.catalog[id].is_possible => None,
            Some(_) if self.is_forked() && self.has_external_resources() => None,
            Some(_) => Some(true),
            None if self.may_have_more_of(type_name) => None,
            None => Some(false),
        }
    }

    /// Returns true if a branch of the code evaluated so far has declared a resource.
    pub fn holds(&self, type_name: &str, title: &str) -> bool {
        self.dependencies.note_external_state();
        self.catalog.find(type_name, title).is_some()
    }

    /// Records that a resource exists from now on, whichever code declared it.
    pub fn note_presence(&mut self, site: Site, type_name: &str, title: &str) {
        if self.is_forked() || self.has_external_resources() {
            return;
        }
        let here = self.place(site);
        let places = std::iter::once(here).chain(self.machine.calls::<Vec<_>>()).collect();
        self.catalog.present.entry((hir::fold_name(type_name), title.into())).or_insert(places);
    }

    /// Returns true if a resource was declared with the given attributes; `None` if that is unknown.
    pub fn is_declared_with(&self, type_name: &str, title: &str, wanted: &HashValue) -> Option<bool> {
        if !self.is_declared(type_name, title)? {
            return Some(false);
        }
        let resource = &self.catalog[self.catalog.find(type_name, title)?];
        if resource.is_possible {
            return None;
        }
        let mut result = Some(true);
        for (name, wanted) in wanted.iter() {
            let actual =
                resource.parameter(name.as_str().unwrap_or_default()).cloned().unwrap_or(Value::Undef);
            if !actual.is_known() || !wanted.is_known() || self.has_external_resources() {
                result = None;
                continue;
            }
            if !ruby::is_equal(&actual, wanted, self.world) {
                return Some(false);
            }
        }
        result
    }

    /// Returns the explicit value of an attribute; `None` if it is unknown, `Some(None)` if it is not set.
    pub fn set_attribute(&self, type_name: &str, title: &str, name: &str) -> Option<Option<Value>> {
        if !self.is_declared(type_name, title)? || self.has_external_resources() {
            return (!self.has_external_resources()).then_some(None);
        }
        let resource = &self.catalog[self.catalog.find(type_name, title)?];
        if resource.is_possible {
            return None;
        }
        Some(resource.parameter(name).filter(|value| !value.is_undef()).cloned())
    }

    /// Returns the attributes of a type that have defaults in the scope of a frame; `None` if they are
    /// unknown.
    pub fn attributes_with_defaults(&self, frame: FrameId, type_name: &str) -> Option<Vec<SmolStr>> {
        let (scope, type_name) = (self.dynamic_scope(frame), type_name.to_ascii_lowercase());
        if self.has_external_resources() || self.catalog.has_incomplete_defaults(scope, &type_name) {
            return None;
        }
        let defaults = self.catalog.defaults(scope, &type_name);
        Some(defaults.into_iter().map(|default| default.name).collect())
    }

    /// Returns true if classes and defined types are evaluated when they are declared.
    pub fn is_followed(&self) -> bool {
        !self.has_external_resources()
    }

    /// Implements `tagged()`; `None` if the answer is unknown.
    pub fn is_container_tagged(&self, frame: FrameId, tags: &[SmolStr]) -> Option<bool> {
        self.dependencies.note_external_state();
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        let has = |tag: &SmolStr| {
            if self.catalog.tags.contains(tag) {
                return Some(true);
            }
            let is_tagged = self.catalog.is_tagged(container, std::slice::from_ref(tag));
            is_tagged.filter(|it| *it || !self.catalog.tags.is_incomplete())
        };
        let answers: Vec<Option<bool>> = tags.iter().map(has).collect();
        if answers.iter().all(|it| *it == Some(true)) {
            return Some(true);
        }
        (answers.contains(&Some(false)) && !self.may_have_more_classes()).then_some(false)
    }
}
