//! Evaluation of classes, defined types and nodes: parameters, inheritance, and qualified variables such as
//! `$a::b`.
//!
//! Specification: the chapters on classes, defined types and nodes.

use super::resource_objects::parameter_value;
use codes::Code;
use std::sync::Arc;

use hir::{DefinitionKind, Expr, ExprId, Name, ReferenceKind, ScopeId};
use operators::{Failure, MatchData};
use rustc_hash::FxHashMap;
use smol_str::format_smolstr;
use types::{HashValue, Origin, Type, Value};

use super::ids::{DynamicScopeId, ResourceId};
use super::parameter_checks::{is_universal_attribute, missing};
use super::resources::{Attributes, DeclarationForm};
use super::store::{
    self, CatalogBuilder, ClassState, DynamicScope, MAIN_STAGE, ParameterSetter, ResourceKind,
    ResourceParameter,
};
use crate::error::{DataValue, Exit, ExprPlace, Outcome};
use crate::evaluator::{Evaluator, PendingExit, VariableTarget};
use crate::frame::{Frame, FrameId, ParameterPhase, Site, VariableState};
use crate::program::{MissingNameKind, Unit};
use crate::suggestion::with_suggestion;
use crate::variables::refused_parameter;

/// Code of the error that ends a compile if a required file cannot be loaded by Puppet.
pub const UNLOADABLE_FILE: Code = Code::UnloadableFile;

impl Evaluator<'_> {
    /// Declares several classes: all of them are in the catalog before the first one is evaluated. Returns
    /// the resources of those that are followed.
    ///
    /// # Errors
    /// One of the classes does not exist, or its evaluation fails.
    pub fn include_classes(&mut self, site: Site, names: &[impl AsRef<str>]) -> Outcome<Vec<ResourceId>> {
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            found.extend(self.ensure_class(site, name.as_ref())?);
        }
        for id in &found {
            self.evaluate_resource(site, *id)?;
        }
        Ok(found)
    }

    /// Adds a class to the catalog, unless it is already there.
    pub(super) fn ensure_class(&mut self, site: Site, name: &str) -> Outcome<Option<ResourceId>> {
        let name = hir::fold_name(name);
        if let Some(known) = self.catalog.find_class(&name) {
            if !self.catalog[known].is_possible || self.is_forked() {
                return Ok(Some(known));
            }
            self.catalog.discard_class(&name, known);
        }
        let unit = match self.precomputed_class(&name) {
            Some(unit) => {
                self.stop_at_load_finding(site)?;
                Some(unit)
            }
            None => self.class_unit(site, &name)?,
        };
        let Some(unit) = unit else {
            // It may declare anything.
            self.catalog.has_unknown = true;
            return Ok(None);
        };
        self.new_class(site, &unit, Attributes::default()).map(Some)
    }

    /// Evaluates `class { name: attributes }`.
    pub(crate) fn declare_class(
        &mut self,
        site: Site,
        name: &str,
        attributes: Attributes,
        form: DeclarationForm,
    ) -> Outcome<()> {
        let id = self.add_class(site, name, attributes)?;
        if let Some(id) = id {
            self.catalog[id].is_virtual = form.is_virtual;
            self.catalog[id].is_exported = form.is_exported;
            self.evaluate_resource(site, id)?;
        }
        Ok(())
    }

    /// Adds a class with parameters to the catalog. Returns its resource; `None` if it is not followed.
    pub(super) fn add_class(
        &mut self,
        site: Site,
        name: &str,
        attributes: Attributes,
    ) -> Outcome<Option<ResourceId>> {
        let name = hir::fold_name(name);
        if let Some(known) = self.catalog.find_class(&name) {
            if self.catalog[known].is_possible {
                if self.is_forked() {
                    return Ok(None);
                }
                self.catalog.discard_class(&name, known);
            } else if !self.has_external_resources() {
                let failure =
                    Failure::new(Code::DuplicateDeclaration, format!("class `{name}` is already declared"));
                return Err(self.declared_earlier(site, known, failure));
            }
        }
        let Some(unit) = self.class_unit(site, &name)? else {
            // Its parameters can be read nevertheless. It may declare anything.
            self.catalog.has_unknown = true;
            let id = self.new_class_resource(site, &name, None, attributes);
            self.catalog[id].is_evaluated = true;
            self.add_resource(site, id)?;
            return Ok(None);
        };
        self.new_class(site, &unit, attributes).map(Some)
    }

    /// Returns the precomputed form of a class. It must be included in all branches, and must not inherit
    /// from a class evaluated here.
    fn precomputed_class(&self, name: &Name) -> Option<Arc<Unit>> {
        let unit = self.world.program.precomputed_class(name).filter(|_| !self.is_forked())?;
        let inherited = unit.body.inherits.as_ref().map(|it| hir::fold_name(it));
        let inherited = inherited.and_then(|name| self.catalog.find_class(&name));
        let is_evaluated_here = inherited.is_some_and(|parent| match &self.catalog[parent].kind {
            ResourceKind::Evaluated(Some(parent)) => !parent.is_precomputed,
            _ => true,
        });
        (!is_evaluated_here).then_some(unit)
    }

    fn class_unit(&self, site: Site, name: &Name) -> Outcome<Option<Arc<Unit>>> {
        let found = self.world.program.class(name);
        self.stop_at_load_finding(site)?;
        match found {
            Some(unit) if unit.kind == DefinitionKind::Class => Ok(Some(unit)),
            _ if self.world.program.class_exists(name)
                || self.world.program.may_define(MissingNameKind::Class, name) =>
            {
                Ok(None)
            }
            _ => {
                let known = self.world.program.similar_names(DefinitionKind::Class, name);
                let message = with_suggestion(format!("unknown class `{name}`"), name, known.iter());
                let exit = self.error(site, Failure::new(Code::UnknownClass, message));
                Err(self.with_parts(exit, self.argument_named(site, name)))
            }
        }
    }

    /// Returns an error if Puppet would fail to load a required file.
    pub(crate) fn stop_at_load_finding(&self, site: Site) -> Outcome<()> {
        if self.world.program.has_load_finding() {
            Err(self.error(site, Failure::new(UNLOADABLE_FILE, "required file cannot be loaded")))
        } else {
            Ok(())
        }
    }

    /// Creates the resource of a class without adding it to the catalog. `unit` is `None` if the class is not
    /// followed.
    fn new_class_resource(
        &mut self,
        site: Site,
        name: &Name,
        unit: Option<Arc<Unit>>,
        attributes: Attributes,
    ) -> ResourceId {
        let (type_name, title) = (ReferenceKind::CLASS.into(), Value::String(name.clone()));
        let (kind, form) = (ResourceKind::Evaluated(unit), DeclarationForm::default());
        self.new_resource(site, &type_name, &title, kind, attributes, form)
    }

    fn new_class(&mut self, site: Site, unit: &Arc<Unit>, attributes: Attributes) -> Outcome<ResourceId> {
        let name = hir::fold_name(&unit.name);
        let id = self.new_class_resource(site, &name, Some(unit.clone()), attributes);
        // Inherited classes come first.
        if let Some(parent) = &unit.body.inherits {
            if hir::fold_name(parent) == name && !self.has_external_resources() {
                let failure =
                    Failure::new(Code::InheritsFromItself, format!("class `{name}` inherits from itself"));
                return Err(self.error(site, failure));
            }
            let depth = self.enter_call(site, |this| this.ensure_class(site, parent));
            depth.map_err(|exit| self.at_inheritance(exit, unit))?;
        }
        self.catalog.add_class_tags(id);
        self.add_resource(site, id)?;
        Ok(id)
    }

    /// Blames a missing parent class on the class that inherits from it.
    fn at_inheritance(&self, exit: Exit, unit: &Unit) -> Exit {
        match exit {
            Exit::Error(mut error) if error.code == Code::UnknownClass && error.parts.is_empty() => {
                error.parts.push(ExprPlace { unit: unit.id, expr: unit.body.root });
                Exit::Error(error)
            }
            exit => exit,
        }
    }

    /// Evaluates the body of a class, node or resource of a defined type, unless that was done before.
    pub(super) fn evaluate_resource(&mut self, caller: Site, id: ResourceId) -> Outcome<()> {
        if self.catalog[id].is_evaluated {
            return Ok(());
        }
        self.catalog[id].is_evaluated = true;
        self.catalog.add_scope_tags(id);
        let ResourceKind::Evaluated(Some(unit)) = self.catalog[id].kind.clone() else { return Ok(()) };
        match unit.kind {
            DefinitionKind::DefinedType => self.evaluate_defined_type(caller, id, &unit),
            _ => self.evaluate_class(caller, id, &unit),
        }
    }

    fn evaluate_defined_type(&mut self, caller: Site, id: ResourceId, unit: &Arc<Unit>) -> Outcome<()> {
        let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
        frame.outer_matched = self.enclosing_match(caller.frame);
        let outside = self.catalog[id].scope;
        frame.dynamic_scope = self.open_scope(outside, id, unit, false);
        let given = store::values(&self.catalog[id].parameters);
        let title = self.catalog[id].title_value.clone();
        frame.given = Some(Arc::new(self.own_variables(frame.dynamic_scope, &title, &given)));
        let frame = self.open_frame(frame);
        let result = self.run_definition(caller, frame, id, unit, &given);
        self.close_frame(frame);
        result
    }

    /// Returns an error if a class inherits from one whose evaluation is in progress.
    fn refuse_unfinished(
        &self,
        caller: Site,
        name: &str,
        inherited: &str,
        is_possible: bool,
        scope: Option<DynamicScopeId>,
    ) -> Outcome<()> {
        if scope.is_some()
            || is_possible
            || self.world.settings.continues_after_errors
            || self.has_external_resources()
        {
            return Ok(());
        }
        let message = format!(
            "the class '{name}' inherits '{inherited}', which is not evaluated yet because it inherits \
             '{name}' itself"
        );
        Err(self.error(caller, Failure::new(Code::RuntimeError, message)))
    }

    /// Evaluates the class from which another one inherits, if any, and returns its state.
    fn evaluate_parent(
        &mut self,
        caller: Site,
        name: &str,
        is_possible: bool,
        unit: &Unit,
    ) -> Outcome<ClassState> {
        let mut parent = ClassState { scope: None, frame: None, is_possible };
        let is_node = unit.kind == DefinitionKind::Node;
        let Some(inherited) = unit.body.inherits.as_ref().filter(|_| !is_node) else { return Ok(parent) };
        let inherited = hir::fold_name(inherited);
        if let Some(known) = self.catalog.find_class(&inherited) {
            self.evaluate_resource(caller, known)?;
        }
        if let Some(state) = self.catalog.classes.get(&inherited) {
            parent = *state;
            let is_possible = is_possible || parent.is_possible;
            self.refuse_unfinished(caller, name, &inherited, is_possible, parent.scope)?;
        }
        let above = parent.scope.map(|scope| self.catalog.scope(scope).source);
        if let Some(ParameterSetter::Unit(above)) = above {
            self.catalog.parents.insert(unit.id, above);
        }
        Ok(parent)
    }

    fn evaluate_class(&mut self, caller: Site, id: ResourceId, unit: &Arc<Unit>) -> Outcome<()> {
        let is_node = unit.kind == DefinitionKind::Node;
        let name = if is_node {
            self.catalog[id].title.clone().unwrap_or_default()
        } else {
            hir::fold_name(&unit.name)
        };
        let is_possible = self.catalog[id].is_possible;
        if !is_node {
            self.catalog.classes.insert(name.clone(), ClassState { scope: None, frame: None, is_possible });
        }
        let parent = self.evaluate_parent(caller, &name, is_possible, unit)?;
        let outside = parent.scope.unwrap_or(self.catalog[id].scope);
        let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
        frame.caller = parent.frame;
        frame.outer_matched = self.enclosing_match(caller.frame);
        frame.dynamic_scope = self.open_scope(outside, id, unit, is_node);
        let scope = frame.dynamic_scope;
        let given = store::values(&self.catalog[id].parameters);
        frame.given = Some(Arc::new(self.own_variables(scope, &Value::String(name.clone()), &given)));
        let frame = self.open_frame(frame);
        self.catalog.scope_mut(scope).frame = Some(frame);
        if is_node {
            self.frame_mut(frame).matched = self.catalog.node_match.take();
            self.catalog.node_scope = Some(scope);
        } else {
            let state = ClassState { scope: Some(scope), frame: Some(frame), is_possible };
            self.catalog.classes.insert(name.clone(), state);
        }
        if !self.catalog.class_list.contains(&name) {
            self.catalog.class_list.push(name.clone());
        }
        let has_node_match = is_node && self.frame(frame).matched.is_some();
        let result = self.run_definition(caller, frame, id, unit, &given);
        if has_node_match {
            // The match of the node's name is visible in the node's body only.
            self.frame_mut(frame).matched = None;
        }
        result
    }

    /// Returns the outer match visible in the bodies of classes and defined types: that of the main program
    /// or the enclosing node definition. `caller` declares or includes them.
    fn enclosing_match(&self, caller: FrameId) -> Option<Arc<MatchData>> {
        let is_outermost = self.catalog.scope(self.dynamic_scope(caller)).is_outermost();
        self.dependencies.uncounted(|| self.visible_match(caller, is_outermost))
    }

    /// Returns the outer match visible in a scope that is evaluated lazily.
    pub(super) fn late_match(&self, scope: DynamicScopeId) -> Option<Arc<MatchData>> {
        let node = self.catalog.node_around(scope).and_then(|node| node.frame);
        node.and_then(|frame| self.frame(frame).matched.clone()).or_else(|| self.catalog.main_match.clone())
    }

    fn open_scope(
        &mut self,
        parent: DynamicScopeId,
        resource: ResourceId,
        unit: &Arc<Unit>,
        is_node: bool,
    ) -> DynamicScopeId {
        let module = self.world.program.module_name(unit);
        self.catalog.open_scope(DynamicScope {
            parent: Some(parent),
            resource,
            source: ParameterSetter::Unit(unit.id),
            frame: None,
            is_node,
            module,
            defaults: Default::default(),
            incomplete_defaults: Default::default(),
        })
    }

    /// Returns the predefined variables of a body: `$title`, `$name`, the module names, and the given
    /// metaparameters.
    fn own_variables(&self, scope: DynamicScopeId, title: &Value, given: &HashValue) -> HashValue {
        let mut variables: HashValue = given
            .iter()
            .filter(|(key, _)| key.as_str().is_some_and(is_universal_attribute))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let name = given.get_text("name").filter(|name| !name.is_undef()).unwrap_or(title).clone();
        variables.insert(Value::string("title"), title.clone());
        variables.insert(Value::string("name"), name);
        let scope = self.catalog.scope(scope);
        let caller = scope.parent.map(|parent| self.catalog.scope(parent).module.clone());
        for (name, module) in [("module_name", Some(scope.module.clone())), ("caller_module_name", caller)] {
            // If it is unknown, the program provides a value.
            if let Some(module) = module.filter(|_| !self.has_external_resources()) {
                variables.insert(Value::string(name), Value::String(module));
            }
        }
        variables
    }

    fn run_definition(
        &mut self,
        caller: Site,
        frame: FrameId,
        id: ResourceId,
        unit: &Arc<Unit>,
        given: &HashValue,
    ) -> Outcome<()> {
        let mark = self.machine.jumps.mark();
        let result = self.enter_call(caller, |this| {
            let given = this.with_data(caller, frame, unit, given)?;
            this.bind_parameters(caller, frame, id, unit, &given)?;
            this.keep_parameters(frame, id, unit);
            if this.catalog[id].is_class() {
                this.add_edge_to_stage(caller, id)?;
            }
            let value = this.evaluate(frame.at(unit.body.root))?;
            this.check_body_value(caller, frame, unit, &value)?;
            Ok(value)
        });
        let result =
            match result {
                Err(Exit::Return(_) | Exit::Next(_)) if unit.kind == DefinitionKind::Node => {
                    let place =
                        self.machine.jumped_at.unwrap_or(ExprPlace { unit: unit.id, expr: unit.body.root });
                    let message = "`next()` and `return()` are not allowed in a node definition";
                    Err(self.error_at(place, Failure::new(Code::IllegalJump, message)))
                }
                Err(Exit::Return(value) | Exit::Next(value)) => Ok(value),
                Err(Exit::Break(place)) => Err(self
                    .error_at(place, Failure::new(Code::IllegalBreak, "`break()` outside of an iteration"))),
                other => other,
            };
        self.join_pending(mark, result, |exit| !matches!(exit, PendingExit::Break(_))).map(|_| ())
    }

    /// Checks the value of a body, which Puppet converts like a parameter value although it is unused. Values
    /// of jumps are not checked.
    fn check_body_value(&self, caller: Site, frame: FrameId, unit: &Unit, value: &Value) -> Outcome<()> {
        let Err(failure) = parameter_value(value.clone()) else { return Ok(()) };
        let site = match &unit.body[unit.body.root] {
            // Puppet reports the location of the declaration. For a class analyzed on its own, the end of
            // its body is more useful.
            Expr::Block(statements) if self.world.settings.is_part => {
                frame.at(statements.last().copied().unwrap_or(unit.body.root))
            }
            _ if self.world.settings.is_part => frame.at(unit.body.root),
            _ => caller,
        };
        let problem = format!("body of `{}` ends with an invalid value: {}", unit.name, failure.message);
        let message = codes::with_help(problem, "end the body with another statement");
        Err(self.error(site, Failure::new(failure.code, message)))
    }

    fn bind_parameters(
        &mut self,
        caller: Site,
        frame: FrameId,
        id: ResourceId,
        unit: &Arc<Unit>,
        given: &HashValue,
    ) -> Outcome<()> {
        let is_incomplete = self.catalog[id].is_incomplete;
        let reference = self.catalog[id].reference();
        // Defaults may read every given parameter. A parameter given as `undef` counts as missing.
        for parameter in &unit.body.parameters {
            if let Some(value) = given.get_text(&parameter.name).filter(|value| !value.is_undef()) {
                let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
                self.write(VariableTarget::Slot(frame, slot), VariableState::Set(value.clone()));
            }
        }
        let types = self.types_of_parameters(unit)?;
        let may_have_data = self.world.settings.is_part || self.world.program.has_external_data();
        let may_have_more = is_incomplete || unit.kind == DefinitionKind::Class && may_have_data;
        let mut mistakes = self.catalog.unknown_names(caller, id, unit, given);
        for (index, parameter) in unit.body.parameters.iter().enumerate() {
            if let Some(failure) = refused_parameter(unit.kind, &parameter.name) {
                return Err(self.error(caller, failure));
            }
            let handed = given.get_text(&parameter.name);
            let ty = types.get(index).and_then(Option::as_ref);
            let value = match (handed, parameter.default) {
                (Some(value), _) if !value.is_undef() => value.clone(),
                // Unknown attributes may include it.
                (None, Some(default)) if is_incomplete => {
                    let given = Value::unknown(ty.cloned().unwrap_or(Type::Any), Origin::Parameter);
                    self.fork(caller, 2, Origin::Join, |this, way| match way {
                        0 => this.default_of_parameter(caller, frame, index, default),
                        _ => Ok(given.clone()),
                    })?
                }
                (_, Some(default)) => {
                    let value = self.default_of_parameter(caller, frame, index, default)?;
                    self.default_or_data(unit, value, ty)
                }
                (Some(_), None) => Value::Undef,
                (None, None) if may_have_more => {
                    if !is_incomplete {
                        self.world.program.note_external_data(&format!("{}::{}", unit.name, parameter.name));
                    }
                    Value::unknown(ty.cloned().unwrap_or(Type::Any), Origin::Parameter)
                }
                (None, None) => {
                    mistakes.push(missing(caller, &reference, parameter));
                    continue;
                }
            };
            // Puppet reports the location of the declaration. For a class analyzed on its own, its default
            // is more useful.
            let own_default = parameter.default.filter(|_| handed.is_none_or(Value::is_undef));
            let at = own_default
                .filter(|_| self.world.settings.is_part)
                .map_or(caller, |default| frame.at(default));
            let subject = || format!("{reference}: parameter '{}'", parameter.name);
            let ty = ty.unwrap_or(&Type::Any);
            if let Some(mistake) = self.mismatch(at, Code::TypeMismatch, &subject, ty, &value)? {
                let given = self.catalog[id].location_of(&parameter.name);
                let default = own_default.map(|default| self.place(frame.at(default)));
                // A declared class has no other source of a value that its declaration does not set.
                let is_from_data = unit.kind == DefinitionKind::Class && default.or(given).is_none();
                let data = is_from_data.then(|| DataValue {
                    key: format_smolstr!("{}::{}", hir::fold_name(&unit.name), parameter.name),
                    value: value.clone(),
                });
                mistakes.push(mistake.with_part(default.or(given)).with_data(data));
            }
            self.diagnostics.note_parameter(unit.id, parameter.slot, &value, self.world);
            let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
            self.write(VariableTarget::Slot(frame, slot), VariableState::Set(value));
        }
        self.refuse(mistakes)
    }

    /// Returns a default. If that is `undef`, returns the value that Hiera data outside of the project may
    /// have: such a parameter is meant to be set.
    fn default_or_data(&self, unit: &Unit, default: Value, ty: Option<&Type>) -> Value {
        let may_have_data = unit.kind == DefinitionKind::Class
            && self.world.settings.is_part
            && self.world.program.has_external_data();
        if default.is_undef() && may_have_data {
            Value::unknown(ty.cloned().unwrap_or(Type::Any), Origin::Parameter)
        } else {
            default
        }
    }

    fn default_of_parameter(
        &mut self,
        caller: Site,
        frame: FrameId,
        index: usize,
        default: ExprId,
    ) -> Outcome {
        self.frame_mut(frame).parameters = Some(ParameterPhase { current: index });
        let value = self.evaluate(frame.at(default));
        let running = self.frame_mut(frame);
        running.parameters = None;
        // The match of a default is visible nowhere else.
        running.matched = None;
        let value = value.map_err(|exit| self.at_caller(exit, caller)).map_err(|exit| match exit {
            Exit::Return(_) | Exit::Next(_) if self.is_resource_expression(caller) => {
                let message = "`next()` and `return()` are not allowed in the default of a parameter";
                self.error(frame.at(default), Failure::new(Code::IllegalJump, message))
            }
            exit => exit,
        })?;
        parameter_value(value).map_err(|failure| self.error(frame.at(default), failure))
    }

    fn is_resource_expression(&self, site: Site) -> bool {
        matches!(self.unit(site.frame).body[site.expr], Expr::Resource { .. })
    }

    /// Stores the final values of parameters in the catalog.
    fn keep_parameters(&mut self, frame: FrameId, id: ResourceId, unit: &Arc<Unit>) {
        for name in self.world.program.precomputed_parameters(unit) {
            let Some(value) = self.world.program.precomputed_variable(unit, &name) else { continue };
            let source = ParameterSetter::Unit(unit.id);
            self.catalog[id].set(ResourceParameter { name, value, source, appends: false, place: None });
        }
        // Parameter names are unique, so that added ones need not be searched.
        let given = self.catalog[id].parameters.len();
        for parameter in &unit.body.parameters {
            let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
            let VariableState::Set(value) = self.frame(frame).slots[slot as usize].clone() else { continue };
            let (name, source) = (parameter.name.clone(), ParameterSetter::Unit(unit.id));
            let known = self.catalog[id].parameters[..given].iter().position(|it| it.name == name);
            let parameter = ResourceParameter { name, value, source, appends: false, place: None };
            match known {
                None => self.catalog[id].add(parameter),
                Some(index) if self.catalog[id].parameters[index].value.is_undef() => {
                    self.catalog[id].set(parameter);
                }
                Some(_) => {}
            }
        }
    }

    /// Adds a class to its stage. Specification: the section on stages.
    fn add_edge_to_stage(&mut self, caller: Site, id: ResourceId) -> Outcome<()> {
        let container = self.catalog.scope(self.catalog[id].scope).resource;
        let own = self.catalog[id].parameter("stage").or_else(|| self.catalog[container].parameter("stage"));
        let stage = match own.cloned() {
            None | Some(Value::Undef) => MAIN_STAGE,
            Some(Value::Unknown(_)) => return Ok(()),
            Some(stage) => {
                let text = match &stage {
                    Value::String(text) => text.clone(),
                    other => conversions::ruby::to_s(other, self.world).unwrap_or_default().into(),
                };
                match self.catalog.find("stage", &text) {
                    Some(found) => {
                        if found != MAIN_STAGE && self.catalog[id].parameter("stage").is_none() {
                            let source = self.catalog[id].source;
                            let name = "stage".into();
                            let value = Value::String(text);
                            self.catalog[id].set(ResourceParameter {
                                name,
                                value,
                                source,
                                appends: false,
                                place: None,
                            });
                        }
                        found
                    }
                    // Other code may declare it, as main manifests do.
                    None if self.has_external_resources()
                        || self.catalog.has_unknown
                        || self.catalog.has_resources_of_ruby
                        || self.world.settings.is_part =>
                    {
                        return Ok(());
                    }
                    None => {
                        let failure =
                            Failure::new(Code::UnknownStage, format!("stage `{text}` is not declared yet"));
                        return Err(self.error(caller, failure));
                    }
                }
            }
        };
        self.catalog.add_edge(stage, id);
        Ok(())
    }

    /// Moves the error of a default that reads a parameter too early to the call.
    pub(crate) fn at_caller(&self, exit: Exit, caller: Site) -> Exit {
        match exit {
            Exit::Error(mut error) if error.code == Code::UnevaluatedParameter => {
                error.place = self.place(caller);
                Exit::Error(error)
            }
            exit => exit,
        }
    }

    /// Returns true if the variables of a declared class are precomputed.
    pub(crate) fn is_class_precomputed(&self, class: &str) -> bool {
        let frame = self.catalog.classes.get(&hir::fold_name(class)).and_then(|state| state.frame);
        frame.is_some_and(|frame| self.unit(frame).is_precomputed)
    }

    /// Returns the variable `name` of the class `class`; `None` if there is none, or the class is not
    /// evaluated.
    pub(crate) fn class_variable(&self, class: &str, name: &str) -> Option<Value> {
        let Some(state) = self.catalog.classes.get(&hir::fold_name(class)) else {
            // Other code may have declared it.
            if class != "settings" {
                self.dependencies.note_external_state();
            }
            return None;
        };
        let mut frame = state.frame;
        while let Some(id) = frame {
            let running = self.frame(id);
            match self.named_slot(running, name) {
                Some(VariableState::Set(value)) => return Some(value),
                Some(VariableState::Possible(value)) => {
                    return Some(Value::unknown(
                        Type::Any,
                        value.least_trustworthy().unwrap_or(Origin::Join),
                    ));
                }
                // Another branch may have set it.
                Some(VariableState::Unset) if state.is_possible => {
                    return Some(Value::unknown(Type::Any, Origin::MissingDefinition));
                }
                _ => {}
            }
            if let Some(value) = running.given.as_ref().and_then(|given| given.get_text(name)) {
                return Some(value.clone());
            }
            frame = running.caller;
        }
        None
    }

    /// Returns the variables of a class that was evaluated in all branches.
    ///
    /// Returns `None` if the class has other effects, or read state that other definitions determine.
    pub fn variables_of_class(&self, class: &str) -> Option<FxHashMap<Name, Value>> {
        let running = self.frame(self.catalog.classes.get(&hir::fold_name(class))?.frame?);
        // Including its ancestors.
        let mut count = 1;
        let mut inherited = running.caller.filter(|_| running.unit.body.inherits.is_some());
        while let Some(parent) = inherited {
            count += 1;
            let parent = self.frame(parent);
            inherited = parent.caller.filter(|_| parent.unit.body.inherits.is_some());
        }
        let reads_external_state = running.matched.is_some() || self.dependencies.reads_external_state();
        if reads_external_state || self.catalog.holds_more_than_classes(count) {
            return None;
        }
        let mut variables = FxHashMap::default();
        for slot in running.unit.body.slots.iter().filter(|slot| slot.scope == running.scope) {
            match &running.slots[slot.index_in_scope as usize] {
                // Advancing an iterator affects all users of it.
                VariableState::Set(value) if value.contains_iterator() => return None,
                VariableState::Set(value) => variables.insert(slot.name.clone(), value.clone()),
                VariableState::Unset => None,
                VariableState::Possible(_) => return None,
            };
        }
        Some(variables)
    }

    /// Returns true if a class and its ancestors are evaluated here in all branches.
    pub(crate) fn is_class_known(&self, class: &str) -> bool {
        let mut class = hir::fold_name(class);
        for _ in 0..self.catalog.classes.len() {
            let Some(state) = self.catalog.classes.get(&class) else { return false };
            let Some(frame) = state.frame.filter(|_| !state.is_possible) else { return false };
            match &self.frame(frame).unit.body.inherits {
                Some(parent) => class = hir::fold_name(parent),
                None => return !self.has_external_resources(),
            }
        }
        false
    }

    /// Returns true if a class has been declared so far; `None` if that is unknown.
    pub fn is_class_declared(&self, name: &str) -> Option<bool> {
        self.is_declared(ReferenceKind::CLASS, name)
    }
}

impl CatalogBuilder {
    /// Discards a class that only some branches declared: now that all branches declare it, it is evaluated
    /// again.
    fn discard_class(&mut self, name: &Name, id: ResourceId) {
        self[id].is_replaced = true;
        let scope = self.classes.remove(name).and_then(|class| class.scope);
        for resource in &mut self.resources {
            resource.is_replaced |= Some(resource.scope) == scope;
        }
    }

    /// Adds the tags of a class or node to those of the catalog, which `tagged()` finds everywhere.
    pub(super) fn add_class_tags(&mut self, class: ResourceId) {
        if self[class].is_possible {
            self.tags.add_unknown();
        } else {
            let tags = self[class].tags.clone();
            self.tags.inherit(&tags);
        }
    }

    /// Copies the tags of the declaring scope to a resource.
    pub(super) fn add_scope_tags(&mut self, id: ResourceId) {
        let container = self.scope(self[id].scope).resource;
        if container != id {
            let tags = self[container].tags.clone();
            self[id].tags.inherit(&tags);
        }
    }
}
