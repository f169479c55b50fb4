//! Resource expressions, resource defaults, and resource functions. Specification: the chapter on catalog
//! expressions.

use super::collectors::evaluated_once;
use super::references::reference;
use super::resource_objects::parameter_value;
use codes::Code;
use conversions::flattening::flatten;
use conversions::ruby;
use hir::{AttributeOperation, Body, Expr, ExprId, Name, ReferenceKind, ResourceBody};
use operators::Failure;
use plugins::built_in::RelationshipMetaparameter;
use smol_str::SmolStr;
use syntax::ast::ResourceForm;
use types::{HashValue, Origin, Type, Value};

use super::ids::{DynamicScopeId, ResourceId};
use super::resource_types;
use super::store::{
    CatalogBuilder, Order, ParameterSetter, Resource, ResourceKind, ResourceParameter, type_display,
};
use crate::error::{Exit, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::{FrameId, Site};
use crate::program::MissingNameKind;
use crate::suggestion::with_suggestion;
use crate::world::World;

/// Form of a resource declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DeclarationForm {
    pub is_virtual: bool,
    pub is_exported: bool,
}

impl From<ResourceForm> for DeclarationForm {
    fn from(form: ResourceForm) -> DeclarationForm {
        DeclarationForm {
            is_virtual: form != ResourceForm::Regular,
            is_exported: form == ResourceForm::Exported,
        }
    }
}

/// Evaluated bodies of one declaration.
#[derive(Default)]
struct DeclaredBodies {
    bodies: Vec<(Vec<Value>, Attributes)>,
    /// Attributes of the body with the title `default`.
    defaults: Attributes,
    titles: DeclaredTitles,
}

/// Titles of one declaration so far.
#[derive(Default)]
struct DeclaredTitles {
    seen: Vec<SmolStr>,
    has_default: bool,
    /// Reason that one of the titles is unknown.
    unknown: Option<Origin>,
}

impl DeclaredTitles {
    /// Adds the title with the given index in its body. Returns true if it names a resource, false for
    /// `default`.
    fn add(&mut self, index: usize, title: &Value, world: &World<'_>) -> Result<bool, Failure> {
        Err(match title {
            Value::String(text) if text.is_empty() => {
                Failure::new(Code::EmptyStringTitleAt, format!("title {} is empty", index + 1))
            }
            Value::String(text) if self.seen.contains(text) => {
                Failure::new(Code::DuplicateTitle, format!("duplicate title `{text}`"))
            }
            Value::String(text) => {
                self.seen.push(text.clone());
                return Ok(true);
            }
            Value::Default if self.has_default => {
                Failure::new(Code::DuplicateTitle, "duplicate title `default`")
            }
            Value::Default => {
                self.has_default = true;
                return Ok(false);
            }
            Value::Unknown(it) => {
                self.unknown = Some(it.origin);
                return Ok(true);
            }
            Value::Undef => Failure::new(Code::MissingTitleAt, format!("title {} is `undef`", index + 1)),
            other => {
                let ty = types::common::generalize(&types::infer::infer(other, world), world);
                let ty = types::display::type_text(&ty, world);
                let message = format!("expected a string as title {}, found `{ty}`", index + 1);
                Failure::new(Code::IllegalTitleTypeAt, message)
            }
        })
    }
}

/// Number of steps that account for the memory of a resource.
const STEPS_PER_RESOURCE: u64 = 50;

impl Evaluator<'_> {
    /// Returns true if resources may be declared outside of the evaluated code, as when definitions are
    /// evaluated one by one.
    pub(crate) fn has_external_resources(&self) -> bool {
        self.world.program.may_define(MissingNameKind::Resource, "")
    }

    pub(crate) fn dynamic_scope(&self, frame: FrameId) -> DynamicScopeId {
        self.frame(frame).dynamic_scope
    }

    pub(crate) fn source(&self, frame: FrameId) -> ParameterSetter {
        self.catalog.scope(self.dynamic_scope(frame)).source
    }

    pub(crate) fn declare_resources(
        &mut self,
        site: Site,
        form: ResourceForm,
        type_expr: ExprId,
        bodies: &[ResourceBody],
    ) -> Outcome {
        let ty = self.evaluate(site.at(type_expr))?;
        if !names_type(&self.unit(site.frame).body, type_expr) {
            let message = "expected the name of a resource type, found an expression";
            return Err(self.error(site.at(type_expr), Failure::new(Code::IllegalResourceType, message)));
        }
        if let Value::String(name) = &ty {
            self.refuse_leading_colons(site, name)?;
        }
        let type_name = match self.resource_type_name(site.at(type_expr), &ty)? {
            Some(name) => name,
            None => {
                for body in bodies {
                    self.evaluate(site.at(body.title))?;
                    self.attributes(site.frame, &body.operations)?;
                }
                self.note_unknown_resources(site);
                return Ok(Value::unknown(Type::array_of(Type::type_of(Type::CatalogEntry)), Origin::Join));
            }
        };
        let declared = self.resource_bodies(site, bodies)?;
        // The type has to exist even without any resource.
        if declared.bodies.iter().all(|(titles, _)| titles.is_empty()) && !ReferenceKind::is_class(&type_name)
        {
            self.resource_kind(site, &hir::fold_name(&type_name))?;
        }
        let mut references = Vec::new();
        for (titles, own) in declared.bodies {
            let mut attributes = own;
            attributes.is_incomplete |= declared.defaults.is_incomplete;
            for default in &declared.defaults.parameters {
                if !attributes.parameters.iter().any(|known| known.name == default.name) {
                    attributes.parameters.push(default.clone());
                }
            }
            let folded = hir::fold_name(&type_name);
            if titles.is_empty() && !ReferenceKind::is_class(&folded) {
                // The type has to exist, even if no resource of it is declared.
                let has_unknown = self.catalog.has_unknown;
                self.resource_kind(site, &folded)?;
                self.catalog.has_unknown = has_unknown;
            }
            for title in titles {
                if let Value::String(title) = &title {
                    references.push(reference(&type_name, title));
                }
                self.declare(site, &type_name, &title, attributes.clone(), form.into())?;
            }
        }
        match declared.titles.unknown {
            Some(origin) => Ok(Value::unknown(Type::array_of(Type::type_of(Type::CatalogEntry)), origin)),
            None => Ok(Value::array(references)),
        }
    }

    fn resource_bodies(&mut self, site: Site, bodies: &[ResourceBody]) -> Outcome<DeclaredBodies> {
        let mut declared = DeclaredBodies::default();
        for body in bodies {
            let title = self.evaluate(site.at(body.title))?;
            let mut flat = Vec::new();
            flatten(&title, &mut flat);
            if title.is_undef() {
                let failure = Failure::new(Code::MissingTitle, "resource title is `undef`");
                return Err(self.error(site.at(body.title), failure));
            }
            let had_default = declared.titles.has_default;
            let mut titles = Vec::new();
            for (index, title) in flat.iter().enumerate() {
                match declared.titles.add(index, title, self.world) {
                    Ok(true) => titles.push(title.clone()),
                    Ok(false) => {}
                    Err(failure) => {
                        let at = if failure.code == Code::DuplicateTitle { site.expr } else { body.title };
                        return Err(self.error(site.at(at), failure));
                    }
                }
            }
            let attributes = self.attributes(site.frame, &body.operations)?;
            if let Some(name) = &attributes.duplicate {
                let message = format!("duplicate attribute `{name}`");
                let exit = self.error(site, Failure::new(Code::DuplicateAttribute, message));
                let parts = attributes.parameters.iter().find(|it| it.name == *name).and_then(|it| it.place);
                return Err(self.with_parts(exit, parts));
            }
            if declared.titles.has_default && !had_default {
                declared.defaults = attributes.clone();
            }
            declared.bodies.push((titles, attributes));
        }
        Ok(declared)
    }

    /// Adds a resource to the catalog; a class is evaluated immediately.
    ///
    /// # Errors
    /// The resource is already declared, or there is no such type.
    pub fn declare(
        &mut self,
        site: Site,
        type_name: &str,
        title: &Value,
        attributes: Attributes,
        form: DeclarationForm,
    ) -> Outcome<()> {
        self.refuse_leading_colons(site, type_name)?;
        let type_name = hir::fold_name(type_name);
        if ReferenceKind::is_class(&type_name) {
            return match title {
                Value::String(title) => self.declare_class(site, title, attributes, form),
                _ => {
                    self.note_unknown_resources(site);
                    self.world.program.note_unknown_class();
                    Ok(())
                }
            };
        }
        let kind = self.resource_kind(site, &type_name)?;
        let id = self.new_resource(site, &type_name, title, kind, attributes, form);
        self.add_resource(site, id)?;
        if self.catalog[id].title.is_none() {
            self.catalog.has_unknown = true;
        }
        Ok(())
    }

    /// Checks that only the names of defined types begin with `::`.
    pub(super) fn refuse_leading_colons(&self, site: Site, name: &str) -> Outcome<()> {
        let Some(plain) = name.strip_prefix("::").map(hir::fold_name) else { return Ok(()) };
        if !ReferenceKind::is_class(&plain) && !plugins::built_in::is_core_resource_type(&plain) {
            return Ok(());
        }
        let message = codes::with_help(format!("unknown resource type `{name}`"), "remove the leading `::`");
        Err(self.error(site, Failure::new(Code::UnknownResourceType, message)))
    }

    pub(super) fn resource_kind(&mut self, site: Site, type_name: &Name) -> Outcome<ResourceKind> {
        let program = self.world.program;
        if let Some(resource_type) = plugins::built_in::resource_type(type_name)
            .filter(|_| plugins::built_in::is_core_resource_type(type_name))
        {
            return Ok(ResourceKind::BuiltIn(Some(resource_type.clone())));
        }
        if let Some(resource_type) = program.resource_type(type_name) {
            return Ok(ResourceKind::BuiltIn(Some(resource_type)));
        }
        let defined = program.class(type_name);
        self.stop_at_load_finding(site)?;
        if let Some(unit) = defined
            && unit.kind == hir::DefinitionKind::DefinedType
        {
            return Ok(ResourceKind::Evaluated(Some(unit)));
        }
        if !self.has_external_resources()
            && !program.resource_type_exists(type_name)
            && !program.may_define(MissingNameKind::Type, type_name)
        {
            let known = program.similar_names(hir::DefinitionKind::DefinedType, type_name);
            let problem = format!("unknown resource type `{type_name}`");
            let message = with_suggestion(problem, type_name, known.iter());
            return Err(self.error(site, Failure::new(Code::UnknownResourceType, message)));
        }
        // A missing defined type may declare anything.
        self.catalog.has_unknown |= !program.resource_type_exists(type_name);
        Ok(ResourceKind::BuiltIn(None))
    }

    /// Creates a resource with the defaults of its scope and its first tags, without adding it to the
    /// catalog.
    pub(crate) fn new_resource(
        &mut self,
        site: Site,
        type_name: &Name,
        title: &Value,
        kind: ResourceKind,
        attributes: Attributes,
        form: DeclarationForm,
    ) -> ResourceId {
        let scope = self.dynamic_scope(site.frame);
        let source = self.source(site.frame);
        // Functions may pass titles of other types.
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
            is_incomplete: attributes.is_incomplete,
            kind,
            is_virtual: form.is_virtual || form.is_exported,
            is_exported: form.is_exported,
            is_evaluated: false,
            is_possible: self.may_be_skipped() || text.is_none(),
            forks: self.fork_depth(),
            is_replaced: false,
            scope,
            source,
            declared: Some((self.unit(site.frame).clone(), site.expr)),
            calls: self.machine.calls(),
            tags: Default::default(),
            sensitive: Vec::new(),
            collected_from: None,
        };
        for parameter in attributes.parameters {
            resource.set(parameter);
        }
        resource.tag(type_name);
        if let Some(title) = &text {
            resource.tag(title);
        }
        resource.is_incomplete |= self.catalog.has_incomplete_defaults(scope, type_name);
        for default in self.catalog.defaults(scope, type_name) {
            if !resource.parameters.iter().any(|known| known.name == default.name) {
                resource.set(default);
            }
        }
        self.catalog.push(resource)
    }

    /// Adds a resource under its title and its key attributes, and lets the declaring code contain it.
    pub(crate) fn add_resource(&mut self, site: Site, id: ResourceId) -> Outcome<()> {
        self.step(site, STEPS_PER_RESOURCE)?;
        self.enter_keys(site, id)?;
        let resource = &self.catalog[id];
        if !resource.is_class() && resource.parameter("stage").is_some_and(|stage| !stage.is_undef()) {
            let message = format!("only classes can set `stage`; `{}` is not a class", resource.reference());
            return Err(self.error(site, Failure::new(Code::IllegalStage, message)));
        }
        if let Some(tag) = resource.parameter("tag").and_then(|tag| self.invalid_tag(tag)) {
            let help = "use only letters, digits, `_`, `:`, `.` and `-`";
            let message = codes::with_help(format!("invalid tag `{tag}`"), help);
            let exit = self.error(site, Failure::new(Code::InvalidTag, message));
            return Err(self.with_parts(exit, resource.location_of("tag")));
        }
        if resource.type_name != "stage" && !resource.is_class() {
            let container = self.catalog.scope(resource.scope).resource;
            self.catalog.edges.push((container, id));
        }
        Ok(())
    }

    /// Registers a resource under its title, its aliases and its key attributes.
    fn enter_keys(&mut self, site: Site, id: ResourceId) -> Outcome<()> {
        let resource = &self.catalog[id];
        let (type_name, is_possible) = (resource.type_name.clone(), resource.is_possible);
        let Some(title) = resource.title.clone() else { return Ok(()) };
        if !is_possible
            && !self.catalog.present.is_empty()
            && let Some(earlier) = self.catalog.present.get(&(type_name.clone(), title.clone())).cloned()
        {
            let failure = self.catalog.duplicate(id, id, true);
            self.catalog[id].is_replaced = true;
            let mut exit = self.error(site, failure);
            if let Exit::Error(error) = &mut exit {
                error.earlier = earlier;
            }
            return Err(exit);
        }
        let mut keys = vec![vec![Value::String(title.clone())]];
        if let Some(Value::String(alias)) = resource.parameter("alias") {
            keys.push(vec![Value::String(alias.clone())]);
        } else if let Some(Value::Array(aliases)) = resource.parameter("alias") {
            keys.extend(aliases.iter().map(|alias| vec![alias.clone()]));
        }
        keys.extend(resource_types::uniqueness_key(resource));
        if resource_types::has_other_keys(&resource.kind) {
            if resource_types::is_refused(&resource.kind, &type_name, &title) {
                let message =
                    format!("title `{title}` matches no title pattern of resource type `{type_name}`");
                return Err(self.error(site, Failure::new(Code::IllegalTitle, message)));
            }
            let kind = resource.kind.clone();
            self.catalog.kinds_with_keys.entry(type_name.clone()).or_insert(kind);
        }
        for (index, key) in keys.into_iter().enumerate() {
            let key = (type_name.clone(), key);
            match self.catalog.at_key(&key) {
                Some(known) if known == id => {}
                // Another branch may have declared that one.
                Some(known) if self.catalog[known].is_possible => self.catalog.enter(key, id),
                Some(_) if self.has_external_resources() => {
                    if !is_possible {
                        self.catalog.enter(key, id);
                    }
                }
                Some(known) => {
                    let failure = self.catalog.duplicate(id, known, index == 0);
                    self.catalog[id].is_replaced = true;
                    return Err(self.declared_earlier(site, known, failure));
                }
                None => self.catalog.enter(key, id),
            }
        }
        Ok(())
    }

    /// Returns the first tag that Puppet rejects.
    pub(super) fn invalid_tag(&self, tags: &Value) -> Option<SmolStr> {
        match tags {
            Value::Array(elements) => elements.iter().find_map(|element| self.invalid_tag(element)),
            Value::Undef | Value::Unknown(_) => None,
            tag => ruby::to_s(tag, self.world)
                .map(SmolStr::from)
                .filter(|text| !scalars::tags::is_valid_tag(text) && tag.is_known()),
        }
    }

    /// Returns an error for a resource that is already declared, with the location of the earlier
    /// declaration.
    pub(super) fn declared_earlier(&self, site: Site, known: ResourceId, failure: Failure) -> Exit {
        let mut exit = self.error(site, failure);
        if let Exit::Error(error) = &mut exit {
            let known = &self.catalog[known];
            error.earlier = known.place().into_iter().chain(known.calls.clone()).collect();
        }
        exit
    }

    /// Returns the folded type name of a resource expression; `None` if it is unknown.
    fn resource_type_name(&self, site: Site, ty: &Value) -> Outcome<Option<Name>> {
        let refused = |this: &Self| {
            let ty = types::infer::infer(ty, this.world);
            let message =
                format!("expected a resource type, found `{}`", types::display::type_text(&ty, this.world));
            Err(this.error(site, Failure::new(Code::IllegalResourceType, message)))
        };
        match ty {
            Value::String(name) => Ok(Some(hir::fold_name(name))),
            Value::Unknown(_) => Ok(None),
            Value::Type(ty) => match &**ty {
                Type::Resource(resource) => match (&resource.type_name, &resource.title) {
                    (Some(name), None) => Ok(Some(hir::fold_name(name))),
                    _ => refused(self),
                },
                Type::Class(None) => Ok(Some(ReferenceKind::CLASS.into())),
                _ => refused(self),
            },
            _ => refused(self),
        }
    }

    pub(crate) fn declare_defaults(
        &mut self,
        site: Site,
        type_expr: ExprId,
        operations: &[AttributeOperation],
    ) -> Outcome {
        let ty = self.evaluate(site.at(type_expr))?;
        let name = self.resource_type_name(site.at(type_expr), &ty)?;
        if name.as_deref().is_some_and(ReferenceKind::is_class) {
            let failure = Failure::new(Code::IllegalResourceType, "classes cannot have resource defaults");
            return Err(self.error(site.at(type_expr), failure));
        }
        let attributes = self.attributes(site.frame, operations)?;
        let Some(name) = name else { return Ok(ty) };
        if let Some(twice) = &attributes.duplicate {
            let message = format!("duplicate default `{twice}` for `{}`", type_display(&name));
            return Err(self.error(site, Failure::new(Code::DuplicateDefault, message)));
        }
        let (is_forked, is_incomplete) = (self.is_forked(), self.has_external_resources());
        let scope = self.dynamic_scope(site.frame);
        if attributes.is_incomplete {
            self.catalog.scope_mut(scope).incomplete_defaults.insert(name.clone());
        }
        self.catalog.set_defaults += 1;
        for mut parameter in attributes.parameters {
            if is_forked {
                // Since it is unknown whether the default applies, the value is unknown, too.
                let origin = parameter.value.least_trustworthy().unwrap_or(Origin::Join);
                parameter.value = Value::unknown(Type::Any, origin.max(Origin::Join));
            }
            let defaults = self.catalog.scope_mut(scope).defaults.entry(name.clone()).or_default();
            match defaults.iter_mut().find(|known| known.name == parameter.name) {
                Some(_) if !is_forked && !is_incomplete => {
                    let message =
                        format!("default `{}` for `{}` is already set", parameter.name, type_display(&name));
                    let failure = Failure::new(Code::DuplicateDefault, message);
                    return Err(self.error(site, failure));
                }
                Some(known) => *known = parameter,
                None => defaults.push(parameter),
            }
        }
        Ok(ty)
    }

    /// Records that there may be unknown resources from now on, which the code at `site` declares or changes.
    pub fn note_unknown_resources(&mut self, site: Site) {
        self.catalog.has_unknown = true;
        self.world.program.note_unknown_reference(None);
        self.note_decision(site, None);
    }

    /// Marks the collections in parameters of the container of `frame` as unknown if `is_meant` accepts their
    /// names.
    ///
    /// Ruby code may have modified them.
    pub fn invalidate_collections(&mut self, frame: FrameId, is_meant: impl Fn(&str) -> bool) {
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

    /// Makes the container of `frame` contain a class.
    pub fn contain(&mut self, frame: FrameId, class: ResourceId) {
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        self.catalog.add_edge(container, class);
    }

    /// Makes the container of `frame` require a class.
    pub fn require(&mut self, site: Site, class: ResourceId) {
        let container = self.catalog.scope(self.dynamic_scope(site.frame)).resource;
        let title = self.catalog[class].title.clone().unwrap_or_default();
        let mut all = Vec::new();
        let known = self.catalog[container].parameter(RelationshipMetaparameter::Require.name());
        // Attributes from an unknown hash may have the value to add to.
        let may_have_more = known.is_none() && self.catalog[container].is_incomplete;
        if let Some(known) = known {
            flatten(known, &mut all);
            all.retain(|value| !value.is_undef());
        }
        all.push(Value::ty(super::resource_objects::class_object(&title)));
        // In a branch that may not be taken, a resource from outside may or may not have the relationship.
        let is_certain = !self.is_forked() || self.catalog[container].is_possible;
        let is_certain = is_certain && !may_have_more;
        let value = if is_certain { Value::array(all) } else { Value::unknown(Type::Any, Origin::Join) };
        let (source, place) = (self.catalog[container].source, self.place(site));
        let depth = self.machine.call_count();
        self.catalog.orders.push(Order { first: class, then: [container].into(), place, depth });
        let place = Some(place);
        let name = RelationshipMetaparameter::Require.name().into();
        self.catalog[container].set(ResourceParameter { name, value, source, appends: false, place });
    }

    /// Implements `tag()`. `None` is an unknown tag, like one that code adds that may not run.
    pub fn tag_container(&mut self, frame: FrameId, tag: Option<&str>) {
        let container = self.catalog.scope(self.dynamic_scope(frame)).resource;
        match tag.filter(|_| !self.may_be_skipped()) {
            Some(tag) => self.catalog[container].tag(tag),
            None => self.catalog[container].tags.add_unknown(),
        }
    }

    /// Converts the attributes passed to a function.
    pub fn attributes_of(&self, frame: FrameId, values: &HashValue) -> Attributes {
        let source = self.source(frame);
        let parameter = |(name, value): (&Value, &Value)| ResourceParameter {
            name: name.as_str().unwrap_or_default().into(),
            value: value.clone(),
            source,
            appends: false,
            place: None,
        };
        Attributes { parameters: values.iter().map(parameter).collect(), ..Attributes::default() }
    }

    /// Evaluates attributes, in order.
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
                    let value = parameter_value(self.evaluate(frame.at(*expr))?);
                    let value = value.map_err(|failure| self.error(frame.at(*expr), failure))?;
                    let place = Some(self.place(frame.at(*expr)));
                    attributes.set(ResourceParameter {
                        name: name.clone(),
                        value: evaluated_once(name, value),
                        source,
                        appends: *append,
                        place,
                    });
                }
                AttributeOperation::Splat(expr) => match self.evaluate(frame.at(*expr))? {
                    Value::Hash(entries) => {
                        let place = Some(self.place(frame.at(*expr)));
                        for (key, value) in entries.iter() {
                            let name = operators::attribute_name(key, self.world)
                                .map_err(|failure| self.error(frame.at(*expr), failure))?;
                            let Some(name) = name else {
                                attributes.is_incomplete = true;
                                continue;
                            };
                            let value = parameter_value(value.clone())
                                .map_err(|failure| self.error(frame.at(*expr), failure))?;
                            let value = evaluated_once(&name, value);
                            attributes.set(ResourceParameter { name, value, source, appends: false, place });
                        }
                    }
                    Value::Unknown(_) => {
                        attributes.is_incomplete = true;
                        self.world.program.note_unknown_reference(None);
                        self.note_decision(frame.at(*expr), None);
                    }
                    other => {
                        return Err(self.error(frame.at(*expr), operators::no_attributes(&other, self.world)));
                    }
                },
            }
        }
        Ok(attributes)
    }
}

impl CatalogBuilder {
    fn duplicate(&self, id: ResourceId, known: ResourceId, is_title: bool) -> Failure {
        let (new, known) = (&self[id], &self[known]);
        let message = if is_title {
            format!("resource `{}` is already declared", new.reference())
        } else {
            format!("`{}` and `{}` denote the same resource", new.reference(), known.reference())
        };
        Failure::new(Code::DuplicateDeclaration, message)
    }
}

/// Returns true if an expression literally names a resource type: nothing else may precede the `{` of a
/// resource.
fn names_type(body: &Body, expr: ExprId) -> bool {
    match &body[expr] {
        Expr::Name(_) | Expr::TypeReference(_) | Expr::Missing => true,
        Expr::Access { lhs, .. } => matches!(body[*lhs], Expr::TypeReference(_) | Expr::Missing),
        _ => false,
    }
}

/// Attributes of one body.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    pub(crate) parameters: Vec<ResourceParameter>,
    /// True if there may be further, unknown attributes.
    pub is_incomplete: bool,
    pub(super) duplicate: Option<SmolStr>,
}

impl Attributes {
    fn set(&mut self, parameter: ResourceParameter) {
        match self.parameters.iter_mut().find(|known| known.name == parameter.name) {
            Some(known) => {
                self.duplicate.get_or_insert_with(|| parameter.name.clone());
                *known = parameter;
            }
            None => self.parameters.push(parameter),
        }
    }
}
