//! Classes, defined types and nodes evaluated: parameters, inheritance, the variables that others read as `$a::b`.
//!
//! Specification: the chapters on classes, defined types and nodes.

use codes::Code;
use std::sync::Arc;

use hir::{DefinitionKind, Expr, ExprId, Name, ReferenceKind, ScopeId};
use operators::{Failure, MatchData};
use rustc_hash::FxHashMap;
use types::{HashValue, Origin, Type, Value};

use super::parameter_checks::missing;
use super::resources::{Attributes, DeclarationForm};
use super::store::{
    self, ClassState, DynamicScope, DynamicScopeId, MAIN_STAGE, ParameterSetter, ResourceId, ResourceKind,
    ResourceParameter,
};
use crate::error::{Exit, ExprPlace, Outcome};
use crate::evaluator::Evaluator;
use crate::fork::{PendingExit, VariableTarget};
use crate::frame::{Frame, FrameId, ParameterPhase, VariableState};
use crate::program::{MissingNameKind, Unit};
use crate::variables::refused_parameter;

/// The code of what ends a compile where a file is needed that Puppet would not load.
pub const UNLOADABLE_FILE: Code = Code::UnloadableFile;

impl Evaluator<'_> {
    /// Declares a class without parameters, unless it is declared already. Gives its resource; `None` where it is not
    /// followed.
    ///
    /// # Errors
    /// There is no such class, or it fails.
    pub fn include_class(&mut self, frame: FrameId, expr: ExprId, name: &str) -> Outcome<Option<ResourceId>> {
        Ok(self.include_classes(frame, expr, &[name])?.pop())
    }

    /// The same for several: all of them are in the catalog before the first is evaluated. Gives the resources of those that
    /// are followed.
    ///
    /// # Errors
    /// One of them is no class, or fails.
    pub fn include_classes(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        names: &[impl AsRef<str>],
    ) -> Outcome<Vec<ResourceId>> {
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            found.extend(self.ensure_class(frame, expr, name.as_ref())?);
        }
        for id in &found {
            self.evaluate_resource((frame, expr), *id)?;
        }
        Ok(found)
    }

    /// Puts a class into the catalog, unless it is there.
    pub(super) fn ensure_class(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        name: &str,
    ) -> Outcome<Option<ResourceId>> {
        let name = hir::fold_name(name);
        if let Some(known) = self.catalog.find_class(&name) {
            if !self.catalog[known].is_possible || self.is_forked() {
                return Ok(Some(known));
            }
            self.forget_class(&name, known);
        }
        let unit = match self.settled_class(&name) {
            Some(unit) => {
                self.stop_at_load_finding(frame, expr)?;
                Some(unit)
            }
            None => self.class_unit(frame, expr, &name)?,
        };
        let Some(unit) = unit else {
            // It may declare anything.
            self.catalog.has_unknown = true;
            return Ok(None);
        };
        self.new_class(frame, expr, &unit, Attributes::default()).map(Some)
    }

    /// `class { name: attributes }`
    pub(crate) fn declare_class(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        name: &str,
        attributes: Attributes,
        form: DeclarationForm,
    ) -> Outcome<()> {
        let id = self.add_class(frame, expr, name, attributes)?;
        if let Some(id) = id {
            self.catalog[id].is_virtual = form.is_virtual;
            self.catalog[id].is_exported = form.is_exported;
            self.evaluate_resource((frame, expr), id)?;
        }
        Ok(())
    }

    /// Puts a class with parameters into the catalog. Gives its resource; `None` where it is not followed.
    pub(super) fn add_class(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        name: &str,
        attributes: Attributes,
    ) -> Outcome<Option<ResourceId>> {
        let name = hir::fold_name(name);
        if let Some(known) = self.catalog.find_class(&name) {
            if self.catalog[known].is_possible {
                if self.is_forked() {
                    return Ok(None);
                }
                self.forget_class(&name, known);
            } else if !self.is_open_catalog() {
                let failure = Failure::new(
                    Code::DuplicateDeclaration,
                    format!("the class '{name}' is declared already"),
                );
                return Err(self.declared_earlier(frame, expr, known, failure));
            }
        }
        let Some(unit) = self.class_unit(frame, expr, &name)? else {
            // What is given to it can be read all the same. It may declare anything.
            self.catalog.has_unknown = true;
            let id = self.new_class_resource(frame, expr, &name, None, attributes);
            self.catalog[id].is_evaluated = true;
            self.add_resource(frame, expr, id)?;
            return Ok(None);
        };
        self.new_class(frame, expr, &unit, attributes).map(Some)
    }

    /// The class in the place of one that need not be evaluated: it is included on all ways, and inherits nothing else.
    fn settled_class(&self, name: &Name) -> Option<Arc<Unit>> {
        let unit = self.world.program.settled_class(name).filter(|_| !self.is_forked())?;
        let inherited = unit.body.inherits.as_ref().map(|it| hir::fold_name(it));
        let inherited = inherited.and_then(|name| self.catalog.find_class(&name));
        let is_evaluated_here = inherited.is_some_and(|parent| match &self.catalog[parent].kind {
            ResourceKind::Evaluated(Some(parent)) => !parent.is_settled,
            _ => true,
        });
        (!is_evaluated_here).then_some(unit)
    }

    fn class_unit(&self, frame: FrameId, expr: ExprId, name: &Name) -> Outcome<Option<Arc<Unit>>> {
        let found = self.world.program.class(name);
        self.stop_at_load_finding(frame, expr)?;
        match found {
            Some(unit) if unit.kind == DefinitionKind::Class => Ok(Some(unit)),
            _ if self.world.program.class_exists(name)
                || self.world.program.may_define(MissingNameKind::Class, name) =>
            {
                Ok(None)
            }
            _ => {
                let known = self.world.program.names_like(DefinitionKind::Class, name);
                let advice = crate::similar::advice(name, known.iter().map(|it| it.as_str()));
                let message = format!("there is no class '{name}'{advice}");
                let exit = self.error(frame, expr, Failure::new(Code::UnknownClass, message));
                Err(self.with_parts(exit, self.argument_that_is(frame, expr, name)))
            }
        }
    }

    /// Ends a compile where a file is needed that Puppet would not load.
    pub(crate) fn stop_at_load_finding(&self, frame: FrameId, expr: ExprId) -> Outcome<()> {
        match self.world.program.has_load_finding() {
            false => Ok(()),
            true => Err(self.error(frame, expr, Failure::new(UNLOADABLE_FILE, "a file cannot be loaded"))),
        }
    }

    /// The resource of a class, before it is in the catalog. `unit` is `None` where the class is not followed.
    fn new_class_resource(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        name: &Name,
        unit: Option<Arc<Unit>>,
        attributes: Attributes,
    ) -> ResourceId {
        let (type_name, title) = (ReferenceKind::CLASS.into(), Value::String(name.clone()));
        let (kind, form) = (ResourceKind::Evaluated(unit), DeclarationForm::default());
        self.new_resource(frame, expr, &type_name, &title, kind, attributes, form)
    }

    fn new_class(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        unit: &Arc<Unit>,
        attributes: Attributes,
    ) -> Outcome<ResourceId> {
        let name = hir::fold_name(&unit.name);
        let id = self.new_class_resource(frame, expr, &name, Some(unit.clone()), attributes);
        // The classes that it inherits come first.
        if let Some(parent) = &unit.body.inherits {
            if hir::fold_name(parent) == name && !self.is_open_catalog() {
                let failure =
                    Failure::new(Code::InheritsFromItself, format!("the class '{name}' inherits itself"));
                return Err(self.error(frame, expr, failure));
            }
            let depth = self.deeper(frame, expr, |this| this.ensure_class(frame, expr, parent));
            depth.map_err(|exit| self.at_inheritance(exit, unit))?;
        }
        let tags = self.catalog[id].tags.sorted();
        self.catalog.tags.extend(tags);
        self.add_resource(frame, expr, id)?;
        Ok(id)
    }

    /// That there is no such class is the fault of the class that inherits from it.
    fn at_inheritance(&self, exit: Exit, unit: &Unit) -> Exit {
        match exit {
            Exit::Error(mut error) if error.code == Code::UnknownClass && error.parts.is_empty() => {
                error.parts.push(ExprPlace { unit: unit.id, expr: unit.body.root });
                Exit::Error(error)
            }
            exit => exit,
        }
    }

    /// A class that was declared on some of the ways only is declared on all of them: it is evaluated again.
    fn forget_class(&mut self, name: &Name, id: ResourceId) {
        self.catalog[id].is_dead = true;
        let scope = self.catalog.classes.remove(name).and_then(|class| class.scope);
        for resource in &mut self.catalog.resources {
            resource.is_dead |= Some(resource.scope) == scope;
        }
    }

    /// Evaluates the body behind a class, node or resource of a defined type, unless that was done.
    pub(super) fn evaluate_resource(&mut self, caller: (FrameId, ExprId), id: ResourceId) -> Outcome<()> {
        if self.catalog[id].is_evaluated {
            return Ok(());
        }
        self.catalog[id].is_evaluated = true;
        self.add_scope_tags(id);
        let ResourceKind::Evaluated(Some(unit)) = self.catalog[id].kind.clone() else { return Ok(()) };
        match unit.kind {
            DefinitionKind::DefinedType => self.evaluate_defined_type(caller, id, &unit),
            _ => self.evaluate_class(caller, id, &unit),
        }
    }

    /// A resource has the tags of what declares it.
    pub(super) fn add_scope_tags(&mut self, id: ResourceId) {
        let container = self.catalog.scope(self.catalog[id].scope).resource;
        if container != id {
            let tags = self.catalog[container].tags.clone();
            self.catalog[id].tags.take_over(&tags);
        }
    }

    fn evaluate_defined_type(
        &mut self,
        caller: (FrameId, ExprId),
        id: ResourceId,
        unit: &Arc<Unit>,
    ) -> Outcome<()> {
        let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
        frame.outer_matched = self.enclosing_match(caller.0);
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

    /// A class cannot inherit one that is being evaluated only now.
    fn refuse_unfinished(
        &self,
        caller: (FrameId, ExprId),
        (name, inherited): (&str, &str),
        is_possible: bool,
        scope: Option<DynamicScopeId>,
    ) -> Outcome<()> {
        if scope.is_some() || is_possible || self.world.settings.goes_on || self.is_open_catalog() {
            return Ok(());
        }
        let message = format!(
            "the class '{name}' inherits '{inherited}', which is not there yet: what '{inherited}' inherits itself \
             leads to '{name}'"
        );
        Err(self.error(caller.0, caller.1, Failure::new(Code::RuntimeError, message)))
    }

    fn evaluate_class(&mut self, caller: (FrameId, ExprId), id: ResourceId, unit: &Arc<Unit>) -> Outcome<()> {
        let is_node = unit.kind == DefinitionKind::Node;
        let name = match is_node {
            true => self.catalog[id].title.clone().unwrap_or_default(),
            false => hir::fold_name(&unit.name),
        };
        let is_possible = self.catalog[id].is_possible;
        if !is_node {
            self.catalog.classes.insert(name.clone(), ClassState { scope: None, frame: None, is_possible });
        }
        let mut parent = ClassState { scope: None, frame: None, is_possible };
        if let Some(inherited) = unit.body.inherits.as_ref().filter(|_| !is_node) {
            let inherited = hir::fold_name(inherited);
            if let Some(known) = self.catalog.find_class(&inherited) {
                self.evaluate_resource(caller, known)?;
            }
            if let Some(state) = self.catalog.classes.get(&inherited) {
                parent = *state;
                self.refuse_unfinished(
                    caller,
                    (&name, &inherited),
                    is_possible || parent.is_possible,
                    parent.scope,
                )?;
            }
            if let Some(ParameterSetter::Unit(above)) =
                parent.scope.map(|scope| self.catalog.scope(scope).source)
            {
                self.catalog.parents.insert(unit.id, above);
            }
        }
        let outside = parent.scope.unwrap_or(self.catalog[id].scope);
        let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
        frame.caller = parent.frame;
        frame.outer_matched = self.enclosing_match(caller.0);
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
        scalars::tags::add_tag(&mut self.catalog.tags, &name);
        let has_node_match = is_node && self.frame(frame).matched.is_some();
        let result = self.run_definition(caller, frame, id, unit, &given);
        if has_node_match {
            // What the name of the node has matched is seen in the node's body only.
            self.frame_mut(frame).matched = None;
        }
        result
    }

    /// What the bodies of classes and defined types see that others have matched: the main program, or the node definition
    /// around. `caller` declares or includes them.
    fn enclosing_match(&self, caller: FrameId) -> Option<Arc<MatchData>> {
        let is_outermost = self.catalog.scope(self.dynamic_scope(caller)).is_outermost();
        let asked_before = self.asks_around.get();
        let matched = self.visible_match(caller, is_outermost);
        self.asks_around.set(asked_before);
        matched
    }

    /// The same for what is evaluated late, in a scope.
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
            open_defaults: Default::default(),
        })
    }

    /// What a body sees besides its parameters: `$title`, `$name`, the modules, and the metaparameters that are given.
    fn own_variables(&self, scope: DynamicScopeId, title: &Value, given: &HashValue) -> HashValue {
        let mut variables: HashValue = given
            .iter()
            .filter(|(key, _)| key.as_str().is_some_and(is_taken_by_all))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let name = given.get_text("name").filter(|name| !name.is_undef()).unwrap_or(title).clone();
        variables.insert(Value::string("title"), title.clone());
        variables.insert(Value::string("name"), name);
        let scope = self.catalog.scope(scope);
        let caller = scope.parent.map(|parent| self.catalog.scope(parent).module.clone());
        for (name, module) in [("module_name", Some(scope.module.clone())), ("caller_module_name", caller)] {
            // Where it is not known, the program says something about it.
            if let Some(module) = module.filter(|_| !self.is_open_catalog()) {
                variables.insert(Value::string(name), Value::String(module));
            }
        }
        variables
    }

    fn run_definition(
        &mut self,
        caller: (FrameId, ExprId),
        frame: FrameId,
        id: ResourceId,
        unit: &Arc<Unit>,
        given: &HashValue,
    ) -> Outcome<()> {
        let mark = self.journal.pending.len();
        let result = self.deeper(caller.0, caller.1, |this| {
            let given = this.with_data(caller, frame, unit, given)?;
            this.bind_parameters(caller, frame, id, unit, &given)?;
            this.keep_parameters(frame, id, unit);
            if this.catalog[id].is_class() {
                this.add_edge_to_stage(caller, id)?;
            }
            let value = this.evaluate(frame, unit.body.root)?;
            this.check_body_value(caller, frame, unit, &value)?;
            Ok(value)
        });
        let result = match result {
            Err(Exit::Return(_) | Exit::Next(_)) if unit.kind == DefinitionKind::Node => {
                let place = self.jumped_at.unwrap_or(ExprPlace { unit: unit.id, expr: unit.body.root });
                let message = "a node definition cannot be left early";
                Err(self.error_at(place, Failure::new(Code::IllegalJump, message)))
            }
            Err(Exit::Return(value) | Exit::Next(value)) => Ok(value),
            Err(Exit::Break(place)) => {
                Err(self.error_at(place, Failure::new(Code::IllegalBreak, "break() outside of an iteration")))
            }
            other => other,
        };
        self.join_pending(mark, result, |exit| !matches!(exit, PendingExit::Break(_))).map(|_| ())
    }

    /// What a body is worth becomes what resources hold, although nobody asks for it; what jumps give does not.
    fn check_body_value(
        &self,
        caller: (FrameId, ExprId),
        frame: FrameId,
        unit: &Unit,
        value: &Value,
    ) -> Outcome<()> {
        let Err(failure) = super::parameter_value(value.clone()) else { return Ok(()) };
        let (frame, expr) = match &unit.body[unit.body.root] {
            // Puppet names the place of the declaration. Who looks at a class alone wants to see its end.
            Expr::Block(statements) if self.world.settings.is_part => {
                (frame, statements.last().copied().unwrap_or(unit.body.root))
            }
            _ if self.world.settings.is_part => (frame, unit.body.root),
            _ => caller,
        };
        let message = format!(
            "{} ends with a value that Puppet cannot keep ({}); end it with another statement",
            unit.name, failure.message
        );
        Err(self.error(frame, expr, Failure::new(failure.code, message)))
    }

    fn bind_parameters(
        &mut self,
        caller: (FrameId, ExprId),
        frame: FrameId,
        id: ResourceId,
        unit: &Arc<Unit>,
        given: &HashValue,
    ) -> Outcome<()> {
        let is_open = self.catalog[id].is_open;
        let reference = self.catalog[id].reference();
        // Defaults may read every parameter that is given. What is given as `undef` is not given.
        for parameter in &unit.body.parameters {
            if let Some(value) = given.get_text(&parameter.name).filter(|value| !value.is_undef()) {
                let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
                self.write(VariableTarget::Slot(frame, slot), VariableState::Set(value.clone()));
            }
        }
        let types = self.types_of_parameters(unit)?;
        let may_have_data = self.world.settings.is_part || self.world.program.has_open_data();
        let may_have_more = is_open || unit.kind == DefinitionKind::Class && may_have_data;
        let mut mistakes = self.unknown_names(caller, id, unit, given);
        for (index, parameter) in unit.body.parameters.iter().enumerate() {
            if let Some(failure) = refused_parameter(unit.kind, &parameter.name) {
                return Err(self.error(caller.0, caller.1, failure));
            }
            let handed = given.get_text(&parameter.name);
            let ty = types.get(index).and_then(Option::as_ref);
            let value = match (handed, parameter.default) {
                (Some(value), _) if !value.is_undef() => value.clone(),
                // Attributes that are not known may hold it.
                (None, Some(default)) if is_open => {
                    let given = Value::unknown(ty.cloned().unwrap_or(Type::Any), Origin::Parameter);
                    self.fork(caller.0, 2, Origin::Join, |this, way| match way {
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
                    if !is_open {
                        self.world.program.note_open_data(&format!("{}::{}", unit.name, parameter.name));
                    }
                    Value::unknown(ty.cloned().unwrap_or(Type::Any), Origin::Parameter)
                }
                (None, None) => {
                    mistakes.push(missing(caller, &reference, parameter));
                    continue;
                }
            };
            // Puppet names the place of the declaration. Who looks at a class alone wants to see its default.
            let own_default = parameter.default.filter(|_| handed.is_none_or(Value::is_undef));
            let at = own_default
                .filter(|_| self.world.settings.is_part)
                .map_or(caller, |default| (frame, default));
            let subject = || format!("{reference}: parameter '{}'", parameter.name);
            let ty = ty.unwrap_or(&Type::Any);
            if let Some(mistake) = self.mismatch(at, Code::TypeMismatch, &subject, ty, &value)? {
                let given = self.catalog[id].place_of(&parameter.name);
                let default = own_default.map(|default| self.place(frame, default));
                mistakes.push(mistake.with_part(default.or(given)));
            }
            if let Some(recorder) = &mut self.recorder
                && recorder.unit == unit.id
            {
                recorder.note_parameter(parameter.slot, &value, self.world);
            }
            let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
            self.write(VariableTarget::Slot(frame, slot), VariableState::Set(value));
        }
        self.refuse(mistakes)
    }

    /// A default, or where that is `undef` what Hiera may have outside of the project: such a parameter is there to be given.
    fn default_or_data(&self, unit: &Unit, default: Value, ty: Option<&Type>) -> Value {
        let may_have_data = unit.kind == DefinitionKind::Class
            && self.world.settings.is_part
            && self.world.program.has_open_data();
        match default.is_undef() && may_have_data {
            true => Value::unknown(ty.cloned().unwrap_or(Type::Any), Origin::Parameter),
            false => default,
        }
    }

    fn default_of_parameter(
        &mut self,
        caller: (FrameId, ExprId),
        frame: FrameId,
        index: usize,
        default: ExprId,
    ) -> Outcome {
        self.frame_mut(frame).parameters = Some(ParameterPhase { current: index });
        let value = self.evaluate(frame, default);
        let running = self.frame_mut(frame);
        running.parameters = None;
        // What a default has matched is seen by nothing else.
        running.matched = None;
        let value = value.map_err(|exit| self.at_caller(exit, caller)).map_err(|exit| match exit {
            Exit::Return(_) | Exit::Next(_) if self.is_resource_expression(caller) => {
                let message = "next() and return() have nothing to leave in the default of a parameter";
                self.error(frame, default, Failure::new(Code::IllegalJump, message))
            }
            exit => exit,
        })?;
        super::parameter_value(value).map_err(|failure| self.error(frame, default, failure))
    }

    fn is_resource_expression(&self, (frame, expr): (FrameId, ExprId)) -> bool {
        matches!(self.unit(frame).body[expr], Expr::Resource { .. })
    }

    /// The catalog shows what parameters are worth in the end.
    fn keep_parameters(&mut self, frame: FrameId, id: ResourceId, unit: &Arc<Unit>) {
        for name in self.world.program.settled_parameters(unit) {
            let Some(value) = self.world.program.settled_variable(unit, &name) else { continue };
            let source = ParameterSetter::Unit(unit.id);
            self.catalog[id].set(ResourceParameter { name, value, source, appends: false, place: None });
        }
        // No parameter is declared twice: what is added here does not have to be searched.
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

    /// Every class is in a stage. Specification: the section on stages.
    fn add_edge_to_stage(&mut self, caller: (FrameId, ExprId), id: ResourceId) -> Outcome<()> {
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
                    // Others may declare it, as main manifests do.
                    None if self.is_open_catalog()
                        || self.catalog.has_unknown
                        || self.catalog.has_resources_of_ruby
                        || self.world.settings.is_part =>
                    {
                        return Ok(());
                    }
                    None => {
                        let failure = Failure::new(
                            Code::UnknownStage,
                            format!("there is no stage '{text}' at this point"),
                        );
                        return Err(self.error(caller.0, caller.1, failure));
                    }
                }
            }
        };
        self.catalog.add_edge(stage, id);
        Ok(())
    }

    /// A default that reads a parameter too early is an error of the call.
    pub(crate) fn at_caller(&self, exit: Exit, caller: (FrameId, ExprId)) -> Exit {
        match exit {
            Exit::Error(mut error) if error.code == Code::UnevaluatedParameter => {
                error.place = self.place(caller.0, caller.1);
                Exit::Error(error)
            }
            exit => exit,
        }
    }

    /// Are the variables of a class that is declared those that the program knows already?
    pub(crate) fn is_class_settled(&self, class: &str) -> bool {
        let frame = self.catalog.classes.get(&hir::fold_name(class)).and_then(|state| state.frame);
        frame.is_some_and(|frame| self.unit(frame).is_settled)
    }

    /// The variable `name` of the class `class`; `None` when it has none, or is not evaluated.
    pub(crate) fn class_variable(&self, class: &str, name: &str) -> Option<Value> {
        let Some(state) = self.catalog.classes.get(&hir::fold_name(class)) else {
            // Others may have declared it.
            self.asks_around.set(self.asks_around.get() || class != "settings");
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
                // Another way may have set it.
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

    /// The variables of a class that was evaluated on all ways; `None` where they do not say all that it leaves behind, and where
    /// it asked for something that others decide.
    pub fn variables_of_class(&self, class: &str) -> Option<FxHashMap<Name, Value>> {
        let running = self.frame(self.catalog.classes.get(&hir::fold_name(class))?.frame?);
        // With what it inherits.
        let mut count = 1;
        let mut inherited = running.caller.filter(|_| running.unit.body.inherits.is_some());
        while let Some(parent) = inherited {
            count += 1;
            let parent = self.frame(parent);
            inherited = parent.caller.filter(|_| parent.unit.body.inherits.is_some());
        }
        let asks_around = running.matched.is_some() || self.asks_around.get();
        if asks_around || self.catalog.holds_more_than_classes(count) {
            return None;
        }
        let mut variables = FxHashMap::default();
        for slot in running.unit.body.slots.iter().filter(|slot| slot.scope == running.scope) {
            match &running.slots[slot.index_in_scope as usize] {
                // What was taken from an iterator is gone for the others.
                VariableState::Set(value) if value.holds_iterator() => return None,
                VariableState::Set(value) => variables.insert(slot.name.clone(), value.clone()),
                VariableState::Unset => None,
                VariableState::Possible(_) => return None,
            };
        }
        Some(variables)
    }

    /// Is a class evaluated here, on all ways, with what it inherits?
    pub(crate) fn is_class_known(&self, class: &str) -> bool {
        let mut class = hir::fold_name(class);
        for _ in 0..self.catalog.classes.len() {
            let Some(state) = self.catalog.classes.get(&class) else { return false };
            let Some(frame) = state.frame.filter(|_| !state.is_possible) else { return false };
            match &self.frame(frame).unit.body.inherits {
                Some(parent) => class = hir::fold_name(parent),
                None => return !self.is_open_catalog(),
            }
        }
        false
    }

    /// Was a class declared before now? `None` when that is not known.
    pub fn is_class_declared(&self, name: &str) -> Option<bool> {
        self.is_declared(ReferenceKind::CLASS, name)
    }
}

/// Does every resource take it? Specification: the chapter on metaparameters.
pub(super) fn is_taken_by_all(name: &str) -> bool {
    name == "name" || plugins::built_in::metaparameter(name).is_some()
}
