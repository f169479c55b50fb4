//! What code asks of the catalog while it grows. `None` stands for what is not known.

use codes::Code;
use conversions::ruby;
use hir::{ExprId, ReferenceKind};
use operators::Failure;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use super::resource_types;
use crate::error::Outcome;
use crate::evaluator::Evaluator;
use crate::frame::FrameId;

impl Evaluator<'_> {
    /// `Type['title'][name]`; `None` where `left` is no reference to a resource.
    pub(crate) fn resource_attribute(
        &self,
        frame: FrameId,
        expr: ExprId,
        left: &Value,
        keys: &[Value],
    ) -> Option<Outcome> {
        let Value::Type(ty) = left else { return None };
        let (type_name, title) = match &**ty {
            Type::Class(Some(name)) => (ReferenceKind::CLASS, name),
            Type::Resource(resource) => (resource.type_name.as_deref()?, resource.title.as_ref()?),
            _ => return None,
        };
        self.asks_around.set(true);
        let mut values = Vec::new();
        for key in keys {
            let name = match key {
                Value::String(name) => name.clone(),
                Value::Undef | Value::Array(_) | Value::Unknown(_) => return None,
                key => ruby::to_s(key, self.world)?.into(),
            };
            match self.attribute_of(type_name, title, &name) {
                Ok(value) => values.push(value),
                Err(failure) => return Some(Err(self.error(frame, expr, failure))),
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

    /// The value of an attribute, or of a default for it; a failure when there is certainly no such resource or attribute.
    fn attribute_of(&self, type_name: &str, title: &str, name: &str) -> Result<Value, Failure> {
        let unknown = || Value::unknown(Type::Any, Origin::MissingDefinition);
        // While definitions are evaluated one by one, what others say of a class is known.
        if ReferenceKind::is_class(type_name)
            && self.is_open_catalog()
            && let Some(value) = self.class_variable(title, name)
        {
            return Ok(value);
        }
        let Some(id) = self.catalog.find(type_name, title) else {
            return match self.may_have_more_resources() {
                true => Ok(unknown()),
                false => {
                    let message = format!("there is no resource {type_name}['{title}']");
                    Err(Failure::new(Code::UnknownResource, message))
                }
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
            None if self.is_open_catalog() => Ok(unknown()),
            None if resource.parameter(name).is_some() => Ok(Value::Undef),
            None => match resource_types::has_attribute(resource, name) {
                Some(true) => Ok(Value::Undef),
                Some(false) => {
                    let message = format!("{} has no attribute '{name}'", resource.reference());
                    Err(Failure::new(Code::UnknownResourceParameter, message))
                }
                None => Ok(unknown()),
            },
        }
    }

    /// Was a resource declared before now? `None` when that is not known.
    pub fn is_declared(&self, type_name: &str, title: &str) -> Option<bool> {
        self.asks_around.set(true);
        let found = self.catalog.find(type_name, title);
        match found {
            _ if self.catalog.is_present(type_name, title) => Some(true),
            Some(id) if self.catalog[id].is_possible => None,
            Some(_) if self.is_forked() && self.is_open_catalog() => None,
            Some(_) => Some(true),
            None if self.may_have_more_resources() => None,
            None => Some(false),
        }
    }

    /// Notes that a resource is there from now on, whoever has declared it.
    pub fn note_presence(&mut self, frame: FrameId, expr: ExprId, type_name: &str, title: &str) {
        if self.is_forked() || self.is_open_catalog() {
            return;
        }
        let here = self.place(frame, expr);
        let places = std::iter::once(here).chain(self.calls.iter().rev().copied()).collect();
        self.catalog.present.entry((hir::fold_name(type_name), title.into())).or_insert(places);
    }

    /// Was a resource declared with such attributes? `None` when that is not known.
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
            if !actual.is_known() || !wanted.is_known() || self.is_open_catalog() {
                result = None;
                continue;
            }
            // As texts, as the original does it.
            let [actual, wanted] = [&actual, wanted].map(|value| ruby::to_s(value, self.world));
            if actual != wanted {
                return Some(false);
            }
        }
        result
    }

    /// What an attribute was set to; `None` when that is not known, `Some(None)` where nothing was.
    pub fn set_attribute(&self, type_name: &str, title: &str, name: &str) -> Option<Option<Value>> {
        if !self.is_declared(type_name, title)? || self.is_open_catalog() {
            return (!self.is_open_catalog()).then_some(None);
        }
        let resource = &self.catalog[self.catalog.find(type_name, title)?];
        if resource.is_possible {
            return None;
        }
        Some(resource.parameter(name).filter(|value| !value.is_undef()).cloned())
    }

    /// The attributes of a type that have defaults in the scope of a frame; `None` where that is not known.
    pub fn attributes_with_defaults(&self, frame: FrameId, type_name: &str) -> Option<Vec<SmolStr>> {
        let (scope, type_name) = (self.dynamic_scope(frame), type_name.to_ascii_lowercase());
        if self.is_open_catalog() || self.catalog.has_open_defaults(scope, &type_name) {
            return None;
        }
        let defaults = self.catalog.defaults(scope, &type_name);
        Some(defaults.into_iter().map(|default| default.name).collect())
    }

    /// Are classes and defined types evaluated where they are declared?
    pub fn is_followed(&self) -> bool {
        !self.is_open_catalog()
    }

    /// `tagged()`; `None` when that is not known.
    pub fn is_container_tagged(&self, frame: FrameId, tags: &[SmolStr]) -> Option<bool> {
        self.asks_around.set(true);
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        let has = |tag: &SmolStr| {
            self.catalog.tags.contains(tag) || self.catalog.is_tagged(container, std::slice::from_ref(tag))
        };
        let all = tags.iter().all(has);
        (all || !self.is_open_catalog()).then_some(all)
    }
}
