//! Resource expressions, defaults and overrides. Specification: the chapter on catalog expressions.

use hir::{AttributeOperation, Expr, ExprId, Name, ResourceBody};
use smol_str::SmolStr;
use syntax::ast::ResourceForm;
use types::{HashValue, Origin, Type, Value};

use super::resource_types;
use super::store::{
    DynamicScopeId, Override, Parameter, Resource, ResourceId, ResourceKind, Source, type_display,
};
use crate::error::{Failure, LogLevel, Outcome, Place};
use crate::evaluator::Evaluator;
use crate::frame::FrameId;
use crate::functions::ruby;
use crate::program::NameKind;
use crate::settings::Strict;

/// How a resource is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Form {
    pub(crate) is_virtual: bool,
    pub(crate) is_exported: bool,
}

impl From<ResourceForm> for Form {
    fn from(form: ResourceForm) -> Form {
        Form { is_virtual: form != ResourceForm::Regular, is_exported: form == ResourceForm::Exported }
    }
}

impl Evaluator<'_> {
    /// Are there resources that nobody here knows? So it is while definitions are evaluated one by one.
    pub(crate) fn is_open_catalog(&self) -> bool {
        self.world.program.may_define(NameKind::Resource, "")
    }

    pub(crate) fn dynamic_scope(&self, frame: FrameId) -> DynamicScopeId {
        self.frame(frame).dynamic_scope
    }

    pub(crate) fn source(&self, frame: FrameId) -> Source {
        self.catalog.scope(self.dynamic_scope(frame)).source
    }

    pub(crate) fn declare_resources(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        form: ResourceForm,
        type_expr: ExprId,
        bodies: &[ResourceBody],
    ) -> Outcome {
        let ty = self.evaluate(frame, type_expr)?;
        if matches!(self.unit(frame).body[type_expr], Expr::String(_) | Expr::Interpolated(_)) {
            let failure =
                Failure::new("illegal-resource-type", "a resource type is expected here, not a text");
            return Err(self.error(frame, type_expr, failure));
        }
        let type_name = match self.resource_type_name(frame, type_expr, &ty)? {
            Some(name) => name,
            None => {
                for body in bodies {
                    self.evaluate(frame, body.title)?;
                    self.attributes(frame, &body.operations)?;
                }
                self.catalog.has_unknown = true;
                return Ok(Value::unknown(Type::array_of(Type::type_of(Type::CatalogEntry)), Origin::Join));
            }
        };
        let mut declared: Vec<(Vec<Value>, Attributes)> = Vec::new();
        let mut defaults = Attributes::default();
        let mut seen: Vec<SmolStr> = Vec::new();
        let mut unknown = None;
        let mut has_default = false;
        for body in bodies {
            let title = self.evaluate(frame, body.title)?;
            let mut titles = Vec::new();
            let mut is_default = false;
            let mut flat = Vec::new();
            super::flatten(&title, &mut flat);
            if title.is_undef() {
                let failure = Failure::new("missing-title", "a resource needs a title: this is undef");
                return Err(self.error(frame, body.title, failure));
            }
            for (index, title) in flat.iter().enumerate() {
                let failure = match title {
                    Value::String(text) if text.is_empty() => {
                        Failure::new("empty-string-title-at", format!("title {} is empty", index + 1))
                    }
                    Value::String(text) if seen.contains(text) => {
                        Failure::new("duplicate-title", format!("the title '{text}' is used twice"))
                    }
                    Value::String(text) => {
                        seen.push(text.clone());
                        titles.push(title.clone());
                        continue;
                    }
                    Value::Default if has_default => {
                        Failure::new("duplicate-title", "the title default is used twice")
                    }
                    Value::Default => {
                        (is_default, has_default) = (true, true);
                        continue;
                    }
                    Value::Unknown(it) => {
                        unknown = Some(it.origin);
                        titles.push(title.clone());
                        continue;
                    }
                    Value::Undef => Failure::new("missing-title-at", format!("title {} is undef", index + 1)),
                    other => {
                        let ty =
                            types::common::generalize(&types::infer::infer(other, self.world), self.world);
                        let ty = types::display::type_text(&ty, self.world);
                        let message = format!("a title is a string: title {} is of type {ty}", index + 1);
                        Failure::new("illegal-title-type-at", message)
                    }
                };
                let at = if failure.code == "duplicate-title" { expr } else { body.title };
                return Err(self.error(frame, at, failure));
            }
            let attributes = self.attributes(frame, &body.operations)?;
            if let Some(name) = &attributes.duplicate {
                let message = format!("the attribute '{name}' is set twice");
                return Err(self.error(frame, expr, Failure::new("duplicate-attribute", message)));
            }
            if is_default {
                defaults = attributes.clone();
            }
            declared.push((titles, attributes));
        }
        let mut references = Vec::new();
        for (titles, own) in declared {
            let mut attributes = own;
            attributes.is_open |= defaults.is_open;
            for default in &defaults.parameters {
                if !attributes.parameters.iter().any(|known| known.name == default.name) {
                    attributes.parameters.push(default.clone());
                }
            }
            for title in titles {
                if let Value::String(title) = &title {
                    references.push(super::reference(&type_name, title));
                }
                self.declare(frame, expr, &type_name, &title, attributes.clone(), form.into())?;
            }
        }
        match unknown {
            Some(origin) => Ok(Value::unknown(Type::array_of(Type::type_of(Type::CatalogEntry)), origin)),
            None => Ok(Value::array(references)),
        }
    }

    /// Puts a resource into the catalog; a class is evaluated at once.
    ///
    /// # Errors
    /// It is there already, or there is no such type.
    pub(crate) fn declare(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        type_name: &str,
        title: &Value,
        attributes: Attributes,
        form: Form,
    ) -> Outcome<()> {
        let type_name = hir::fold_name(type_name);
        if type_name == "class" {
            return match title {
                Value::String(title) => self.declare_class(frame, expr, title, attributes),
                _ => {
                    self.catalog.has_unknown = true;
                    Ok(())
                }
            };
        }
        let kind = self.resource_kind(frame, expr, &type_name)?;
        let id = self.new_resource(frame, expr, &type_name, title, kind, attributes, form);
        self.add_resource(frame, expr, id)?;
        if self.catalog[id].title.is_none() {
            self.catalog.has_unknown = true;
        }
        Ok(())
    }

    fn resource_kind(&mut self, frame: FrameId, expr: ExprId, type_name: &Name) -> Outcome<ResourceKind> {
        let program = self.world.program;
        if let Some(resource_type) = plugins::built_in::resource_type(type_name)
            .filter(|_| plugins::built_in::is_core_resource_type(type_name))
        {
            return Ok(ResourceKind::BuiltIn(Some(resource_type.clone())));
        }
        if let Some(resource_type) = program.resource_type(type_name) {
            return Ok(ResourceKind::BuiltIn(Some(resource_type)));
        }
        if let Some(unit) = program.class(type_name)
            && unit.kind == hir::DefinitionKind::DefinedType
        {
            return Ok(ResourceKind::Evaluated(Some(unit)));
        }
        if !self.is_open_catalog()
            && !program.resource_type_exists(type_name)
            && !program.may_define(NameKind::Type, type_name)
        {
            let message = format!("there is no resource type '{type_name}'");
            return Err(self.error(frame, expr, Failure::new("unknown-resource-type", message)));
        }
        // A defined type that is not here may declare anything.
        self.catalog.has_unknown |= !program.resource_type_exists(type_name);
        Ok(ResourceKind::BuiltIn(None))
    }

    /// A resource as it is before it is in the catalog: with the defaults of its scope, and its first tags.
    #[expect(clippy::too_many_arguments, reason = "all of them say what is declared, and where")]
    pub(crate) fn new_resource(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        type_name: &Name,
        title: &Value,
        kind: ResourceKind,
        attributes: Attributes,
        form: Form,
    ) -> ResourceId {
        let scope = self.dynamic_scope(frame);
        let source = self.source(frame);
        // Functions may give titles of other types.
        let text = match title {
            Value::String(text) => Some(text.clone()),
            Value::Unknown(_) => None,
            other => ruby::to_s(other, self.world).map(SmolStr::from),
        };
        let mut resource = Resource {
            type_name: type_name.clone(),
            title: text.clone(),
            title_value: title.clone(),
            parameters: Vec::with_capacity(attributes.parameters.len()),
            is_open: attributes.is_open,
            kind,
            is_virtual: form.is_virtual || form.is_exported,
            is_exported: form.is_exported,
            is_evaluated: false,
            is_possible: self.is_forked() || text.is_none(),
            is_dead: false,
            scope,
            source,
            declared: Some((self.unit(frame).clone(), expr)),
            calls: self.calls.iter().rev().copied().collect(),
            tags: Default::default(),
            sensitive: Vec::new(),
        };
        for parameter in attributes.parameters {
            resource.set(parameter);
        }
        resource.tag(type_name);
        if let Some(title) = &text {
            resource.tag(title);
        }
        for default in self.catalog.defaults(scope, type_name) {
            if !resource.parameters.iter().any(|known| known.name == default.name) {
                resource.set(default);
            }
        }
        self.catalog.push(resource)
    }

    /// Enters a resource under its title and its key attributes, contained by what declares it.
    pub(crate) fn add_resource(&mut self, frame: FrameId, expr: ExprId, id: ResourceId) -> Outcome<()> {
        let resource = &self.catalog[id];
        let (type_name, is_possible) = (resource.type_name.clone(), resource.is_possible);
        if let Some(title) = resource.title.clone() {
            let mut keys = vec![vec![Value::String(title)]];
            if let Some(Value::String(alias)) = resource.parameter("alias") {
                keys.push(vec![Value::String(alias.clone())]);
            } else if let Some(Value::Array(aliases)) = resource.parameter("alias") {
                keys.extend(aliases.iter().map(|alias| vec![alias.clone()]));
            }
            keys.extend(resource_types::uniqueness_key(resource));
            for (index, key) in keys.into_iter().enumerate() {
                let key = (type_name.clone(), key);
                match self.catalog.at_key(&key) {
                    Some(known) if known == id => {}
                    // Another way may have declared that one.
                    Some(known) if self.catalog[known].is_possible || self.is_open_catalog() => {
                        if !is_possible {
                            self.catalog.enter(key, id);
                        }
                    }
                    Some(known) => {
                        let failure = self.duplicate(id, known, index == 0);
                        self.catalog[id].is_dead = true;
                        return Err(self.error(frame, expr, failure));
                    }
                    None => self.catalog.enter(key, id),
                }
            }
        }
        let resource = &self.catalog[id];
        if !resource.is_class() && resource.parameter("stage").is_some_and(|stage| !stage.is_undef()) {
            let message = format!("only classes have a stage: {} cannot have one", resource.reference());
            return Err(self.error(frame, expr, Failure::new("illegal-stage", message)));
        }
        if resource.type_name != "stage" && !resource.is_class() {
            let container = self.catalog.scope(resource.scope).resource;
            self.catalog.edges.push((container, id));
        }
        Ok(())
    }

    fn duplicate(&self, id: ResourceId, known: ResourceId, is_title: bool) -> Failure {
        let (new, known) = (&self.catalog[id], &self.catalog[known]);
        let message = match is_title {
            true => format!("the resource {} is declared already", new.reference()),
            false => format!("{} and {} stand for the same thing", new.reference(), known.reference()),
        };
        Failure::new("duplicate-declaration", message)
    }

    /// The folded name of the type in front of a resource; `None` when it is not known.
    fn resource_type_name(&self, frame: FrameId, at: ExprId, ty: &Value) -> Outcome<Option<Name>> {
        let refused = |this: &Self| {
            let ty = types::infer::infer(ty, this.world);
            let message = format!(
                "a resource type is expected here, not {}",
                types::display::type_text(&ty, this.world)
            );
            Err(this.error(frame, at, Failure::new("illegal-resource-type", message)))
        };
        match ty {
            Value::String(name) => Ok(Some(hir::fold_name(name))),
            Value::Unknown(_) => Ok(None),
            Value::Type(ty) => match &**ty {
                Type::Class(None) => Ok(Some("class".into())),
                Type::Resource(resource) => match (&resource.type_name, &resource.title) {
                    (Some(name), None) => Ok(Some(hir::fold_name(name))),
                    _ => refused(self),
                },
                _ => refused(self),
            },
            _ => refused(self),
        }
    }

    pub(crate) fn declare_defaults(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        type_expr: ExprId,
        operations: &[AttributeOperation],
    ) -> Outcome {
        let ty = self.evaluate(frame, type_expr)?;
        let name = self.resource_type_name(frame, type_expr, &ty)?;
        if name.as_deref() == Some("class") {
            let failure = Failure::new("illegal-resource-type", "classes have no defaults");
            return Err(self.error(frame, type_expr, failure));
        }
        let attributes = self.attributes(frame, operations)?;
        let Some(name) = name else { return Ok(ty) };
        let (is_forked, is_open) = (self.is_forked(), self.is_open_catalog());
        let scope = self.dynamic_scope(frame);
        for mut parameter in attributes.parameters {
            if is_forked {
                // Whether it holds is not known: nor is the value.
                let origin = parameter.value.least_trustworthy().unwrap_or(Origin::Join);
                parameter.value = Value::unknown(Type::Any, origin.max(Origin::Join));
            }
            let defaults = self.catalog.scope_mut(scope).defaults.entry(name.clone()).or_default();
            match defaults.iter_mut().find(|known| known.name == parameter.name) {
                Some(_) if !is_forked && !is_open => {
                    let message =
                        format!("{} has a default for '{}' already", type_display(&name), parameter.name);
                    let failure = Failure::new("duplicate-default", message);
                    return Err(self.error(frame, expr, failure));
                }
                Some(known) => *known = parameter,
                None => defaults.push(parameter),
            }
        }
        Ok(ty)
    }

    /// `Type['title'][name]`; `None` where `left` is no reference to a resource.
    pub(crate) fn resource_attribute(
        &self,
        frame: FrameId,
        expr: ExprId,
        left: &Value,
        keys: &[Value],
    ) -> Option<Outcome> {
        let Value::Type(ty) = left else { return None };
        if let Type::Class(Some(name)) = &**ty {
            return self.class_attribute(frame, expr, name, keys);
        }
        let Type::Resource(resource) = &**ty else { return None };
        let (Some(type_name), Some(title)) = (&resource.type_name, &resource.title) else { return None };
        let mut values = Vec::new();
        for key in keys {
            let Value::String(key) = key else { return None };
            match self.attribute_of(type_name, title, key) {
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

    /// `Class[name][variable]`; `None` where that is no question for a variable.
    fn class_attribute(&self, frame: FrameId, expr: ExprId, name: &str, keys: &[Value]) -> Option<Outcome> {
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            let Value::String(key) = key else { return None };
            values.push(self.class_variable(name, key).unwrap_or(Value::Undef));
        }
        match self.is_class_declared(name) {
            None => None,
            Some(true) => match values.len() {
                1 => values.pop().map(Ok),
                _ => Some(Ok(Value::array(values))),
            },
            Some(false) => {
                let failure = Failure::new("unknown-resource", format!("the class '{name}' is not declared"));
                Some(Err(self.error(frame, expr, failure)))
            }
        }
    }

    /// The value of an attribute, or of a default for it; a failure when there is certainly no such resource or attribute.
    fn attribute_of(&self, type_name: &str, title: &str, name: &str) -> Result<Value, Failure> {
        let unknown = || Value::unknown(Type::Any, Origin::MissingDefinition);
        let Some(id) = self.catalog.find(type_name, title) else {
            return match self.may_have_more_resources() {
                true => Ok(unknown()),
                false => {
                    let message = format!("there is no resource {type_name}['{title}']");
                    Err(Failure::new("unknown-resource", message))
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
            None if resource_types::has_attribute(resource, name) == Some(false) => {
                let message = format!("{} has no attribute '{name}'", resource.reference());
                Err(Failure::new("unknown-resource-parameter", message))
            }
            None => Ok(Value::Undef),
        }
    }

    /// `File['/x'] { mode => ... }`: what is set on a resource, or will be when it is declared.
    pub(crate) fn override_resources(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        reference: ExprId,
        operations: &[AttributeOperation],
    ) -> Outcome {
        let value = self.evaluate(frame, reference)?;
        let attributes = self.attributes(frame, operations)?;
        if let Some(name) = &attributes.duplicate {
            let message = format!("the attribute '{name}' is set twice");
            return Err(self.error(frame, expr, Failure::new("duplicate-attribute", message)));
        }
        let mut references = Vec::new();
        super::flatten(&value, &mut references);
        for reference in references {
            let key = match &reference {
                Value::Unknown(_) => continue,
                Value::Type(ty) => match &**ty {
                    Type::Resource(resource) => match (&resource.type_name, &resource.title) {
                        (Some(type_name), Some(title)) => Some((hir::fold_name(type_name), title.clone())),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            };
            let Some(key) = key.filter(|(type_name, _)| type_name != "class") else {
                if self.is_open_catalog() {
                    continue;
                }
                let text = types::text::to_notation(&reference, self.world);
                let failure = Failure::new(
                    "illegal-overridden-type",
                    format!("{text} is nothing that can be overridden"),
                );
                return Err(self.error(frame, expr, failure));
            };
            let overriding = Override {
                parameters: attributes.parameters.clone(),
                source: self.source(frame),
                place: self.place(frame, expr),
                is_possible: self.is_forked(),
            };
            match self.catalog.find(&key.0, &key.1) {
                Some(id) => self.merge(overriding.place, id, &overriding)?,
                None => self.catalog.overrides.push((key, overriding)),
            }
        }
        Ok(value)
    }

    /// Sets what an override says on a resource.
    ///
    /// # Errors
    /// The code that overrides may not do so.
    pub(crate) fn merge(&mut self, place: Place, id: ResourceId, overriding: &Override) -> Outcome<()> {
        if overriding.is_possible || self.is_open_catalog() || self.catalog[id].is_possible {
            // What it will be depends on something unknown.
            for parameter in &overriding.parameters {
                let mut parameter = parameter.clone();
                if !self.is_open_catalog() {
                    parameter.value = Value::unknown(Type::Any, Origin::Join);
                }
                self.catalog[id].set(parameter);
            }
            return Ok(());
        }
        let resource = &self.catalog[id];
        if resource.source != overriding.source && !self.catalog.is_child(overriding.source, resource.source)
        {
            let message = format!("only a subclass may override what {} is given", resource.reference());
            return Err(self.error_at(place, Failure::new("illegal-override", message)));
        }
        if resource.is_evaluated && matches!(resource.kind, ResourceKind::Evaluated(_)) {
            let message =
                format!("{} is evaluated already: what is set now comes too late", resource.reference());
            match self.world.settings.strict {
                Strict::Off => {}
                Strict::Warning => self.log_at(place, LogLevel::Warning, message),
                Strict::Error => {
                    return Err(self.error_at(place, Failure::new("late-override", message)));
                }
            }
        }
        for parameter in &overriding.parameters {
            self.override_parameter(place, id, parameter)?;
        }
        Ok(())
    }

    fn override_parameter(&mut self, place: Place, id: ResourceId, parameter: &Parameter) -> Outcome<()> {
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
                "'{}' is set on {} already: it cannot be set again",
                parameter.name,
                self.catalog[id].reference()
            );
            return Err(self.error_at(place, Failure::new("illegal-override", message)));
        }
        let mut parameter = parameter.clone();
        if parameter.appends {
            let mut all = Vec::new();
            super::flatten(&current.value, &mut all);
            super::flatten(&parameter.value, &mut all);
            parameter.value = Value::array(all);
        }
        self.catalog[id].set(parameter);
        Ok(())
    }

    /// From now on there may be resources of which nothing is known.
    pub(crate) fn note_unknown_resources(&mut self) {
        self.catalog.has_unknown = true;
    }

    /// Was a resource declared before now? `None` when that is not known.
    pub(crate) fn is_declared(&self, type_name: &str, title: &str) -> Option<bool> {
        let found = self.catalog.find(type_name, title);
        match found {
            Some(id) if self.catalog[id].is_possible => None,
            Some(_) if self.is_forked() && self.is_open_catalog() => None,
            Some(_) => Some(true),
            None if self.may_have_more_resources() => None,
            None => Some(false),
        }
    }

    /// Was a resource declared with such attributes? `None` when that is not known.
    pub(crate) fn is_declared_with(&self, type_name: &str, title: &str, wanted: &HashValue) -> Option<bool> {
        if !self.is_declared(type_name, title)? {
            return Some(false);
        }
        let resource = &self.catalog[self.catalog.find(type_name, title)?];
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
    pub(crate) fn set_attribute(&self, type_name: &str, title: &str, name: &str) -> Option<Option<Value>> {
        if !self.is_declared(type_name, title)? || self.is_open_catalog() {
            return (!self.is_open_catalog()).then_some(None);
        }
        let resource = &self.catalog[self.catalog.find(type_name, title)?];
        Some(resource.parameter(name).filter(|value| !value.is_undef()).cloned())
    }

    /// Are classes and defined types evaluated where they are declared?
    pub(crate) fn is_followed(&self) -> bool {
        !self.is_open_catalog()
    }

    /// Ruby code may have changed the collections that parameters of what runs in a frame hold, those that `is_meant`.
    pub(crate) fn lose_collections(&mut self, frame: FrameId, is_meant: impl Fn(&str) -> bool) {
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        for parameter in &mut self.catalog[container].parameters {
            let ty = match &parameter.value {
                Value::Array(_) => Type::array_of(Type::Any),
                Value::Hash(_) => Type::hash_of(Type::Any, Type::Any),
                _ => continue,
            };
            if is_meant(&parameter.name) {
                parameter.value = Value::unknown(ty, Origin::Template);
            }
        }
    }

    /// Lets what runs in a frame contain a class.
    pub(crate) fn contain(&mut self, frame: FrameId, class: ResourceId) {
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        self.catalog.add_edge(container, class);
    }

    /// Lets what runs in a frame come after a class.
    pub(crate) fn require(&mut self, frame: FrameId, expr: ExprId, class: ResourceId) {
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        let title = self.catalog[class].title.clone().unwrap_or_default();
        let mut all = Vec::new();
        if let Some(known) = self.catalog[container].parameter("require") {
            super::flatten(known, &mut all);
            all.retain(|value| !value.is_undef());
        }
        all.push(Value::ty(Type::Class(Some(title))));
        let (source, place) = (self.catalog[container].source, Some(self.place(frame, expr)));
        let (name, value) = ("require".into(), Value::array(all));
        self.catalog[container].set(Parameter { name, value, source, appends: false, place });
    }

    /// `tag()`
    pub(crate) fn tag_container(&mut self, frame: FrameId, tag: &str) {
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        self.catalog[container].tag(tag);
    }

    /// `tagged()`; `None` when that is not known.
    pub(crate) fn is_container_tagged(&self, frame: FrameId, tags: &[SmolStr]) -> Option<bool> {
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        let has = |tag: &SmolStr| {
            self.catalog.tags.contains(tag) || self.catalog.is_tagged(container, std::slice::from_ref(tag))
        };
        let all = tags.iter().all(has);
        (all || !self.is_open_catalog()).then_some(all)
    }

    /// Attributes that a function gives.
    pub(crate) fn attributes_of(&self, frame: FrameId, values: &HashValue) -> Attributes {
        let source = self.source(frame);
        let parameter = |(name, value): (&Value, &Value)| Parameter {
            name: name.as_str().unwrap_or_default().into(),
            value: value.clone(),
            source,
            appends: false,
            place: None,
        };
        Attributes { parameters: values.iter().map(parameter).collect(), ..Attributes::default() }
    }

    /// The values of attributes, in order.
    pub(crate) fn attributes(
        &mut self,
        frame: FrameId,
        operations: &[AttributeOperation],
    ) -> Outcome<Attributes> {
        let mut attributes = Attributes::default();
        let source = self.source(frame);
        for operation in operations {
            match operation {
                AttributeOperation::Set { name, value: expr, append } => {
                    let value = self.evaluate(frame, *expr)?;
                    let place = Some(self.place(frame, *expr));
                    attributes.set(Parameter { name: name.clone(), value, source, appends: *append, place });
                }
                AttributeOperation::Splat(expr) => match self.evaluate(frame, *expr)? {
                    Value::Hash(entries) => {
                        let place = Some(self.place(frame, *expr));
                        for (name, value) in entries.iter() {
                            let (name, value) = (Name::new(name.as_str().unwrap_or_default()), value.clone());
                            attributes.set(Parameter { name, value, source, appends: false, place });
                        }
                    }
                    Value::Unknown(_) => attributes.is_open = true,
                    other => {
                        let ty = types::infer::infer(&other, self.world);
                        let ty = types::display::type_text(
                            &types::common::generalize(&ty, self.world),
                            self.world,
                        );
                        let message = format!("attributes come in a hash: this is of type {ty}");
                        return Err(self.error(frame, *expr, Failure::new("type-mismatch", message)));
                    }
                },
            }
        }
        Ok(attributes)
    }
}

/// The attributes of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub(crate) parameters: Vec<Parameter>,
    /// May there be more of which nothing is known?
    pub(crate) is_open: bool,
    duplicate: Option<SmolStr>,
}

impl Attributes {
    fn set(&mut self, parameter: Parameter) {
        match self.parameters.iter_mut().find(|known| known.name == parameter.name) {
            Some(known) => {
                self.duplicate.get_or_insert_with(|| parameter.name.clone());
                *known = parameter;
            }
            None => self.parameters.push(parameter),
        }
    }
}
