//! Reading and assigning variables. Specification: the chapter on variables and scopes.

use codes::Code;
use std::cmp::Ordering;
use std::sync::Arc;

use hir::{Body, DefinitionKind, Expr, ExprId, Name, Parameter, ScopeId, SlotId, VariableRef};
use operators::{Failure, MatchData};
use types::{Origin, Type, Value};
use validation::Strict;

use crate::error::{Exit, ExprPlace, LogLevel, Outcome};
use crate::evaluator::{ElementPath, Evaluator, VariableTarget};
use crate::frame::{Frame, FrameId, Site, VariableState};
use crate::program::MissingNameKind;

/// Variables that cannot be assigned in any scope, and cannot be parameters.
const RESERVED: &[&str] = &["trusted", "facts", "server_facts"];

/// Variables that are set in the bodies of classes, defined types and nodes before they run.
const PREDEFINED: &[&str] = &["title", "name", "module_name", "caller_module_name"];

/// Maximum number of findings before reassignment errors stop locating the first assignment.
const MAX_FINDINGS_WITH_EARLIER: usize = 64;

/// Variables that are `undef` if nothing sets them, and never unknown.
const NEVER_UNKNOWN: &[&str] = &["module_name", "caller_module_name"];

/// Returns the reason that a definition cannot have a parameter called `name`.
///
/// Puppet accepts such a definition until it is called or declared.
pub(crate) fn refused_parameter(kind: DefinitionKind, name: &str) -> Option<Failure> {
    if RESERVED.contains(&name) {
        return Some(Failure::new(
            Code::IllegalReservedAssignment,
            format!("cannot assign to reserved variable `${name}`"),
        ));
    }
    let is_resource = matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType);
    (is_resource && PREDEFINED.contains(&name)).then(|| already_set(name))
}

/// Returns the parameters of the definition or lambda that owns a scope.
fn parameters_of_scope(body: &Body, scope: ScopeId) -> &[Parameter] {
    if scope == ScopeId::ROOT {
        return &body.parameters;
    }
    let lambdas = body.exprs.iter().filter_map(|(_, expr)| match expr {
        Expr::Lambda { scope: own, parameters, .. } if *own == scope => Some(&**parameters),
        _ => None,
    });
    lambdas.into_iter().next().unwrap_or(&[])
}

fn already_set(name: &str) -> Failure {
    Failure::new(Code::IllegalReassignment, format!("cannot reassign variable `${name}`"))
}

impl Evaluator<'_> {
    pub fn read_variable(&mut self, site: Site, variable: &VariableRef) -> Outcome {
        if self.types.without_variables == Some(self.unit(site.frame).id)
            && let Some(outcome) = self.read_without_variables(site, variable)
        {
            return outcome;
        }
        match variable {
            VariableRef::Slot(slot) => self.read_slot(site, *slot),
            VariableRef::Free(name) => self.read_free(site, name),
            VariableRef::Qualified { scope, name } if scope.is_empty() => self.read_top(site, "::", name),
            VariableRef::Qualified { scope, name } => self.read_qualified(site, scope, name),
            VariableRef::Match(group) => Ok(self.read_match(site.frame, *group)),
            VariableRef::Missing => Ok(Self::error_value()),
        }
    }

    /// Evaluates a variable in the type of a parameter of a class or defined type, where only the variables
    /// of lambdas exist.
    ///
    /// Returns `None` for variables of a lambda.
    fn read_without_variables(&mut self, site: Site, variable: &VariableRef) -> Option<Outcome> {
        let name = match variable {
            VariableRef::Slot(slot) => {
                let declared = &self.unit(site.frame).body.slots[slot.index()];
                if declared.scope != ScopeId::ROOT {
                    return None;
                }
                declared.name.clone()
            }
            VariableRef::Free(name) => name.clone(),
            VariableRef::Qualified { scope, name } => {
                let message = format!("cannot read variable `${scope}::{name}` in the type of a parameter");
                return Some(Err(self.error(site, Failure::new(Code::UnknownVariable, message))));
            }
            VariableRef::Match(_) if self.frame(site.frame).scope != ScopeId::ROOT => return None,
            VariableRef::Match(_) => return Some(Ok(Value::Undef)),
            VariableRef::Missing => return None,
        };
        Some(if NEVER_UNKNOWN.contains(&name.as_str()) {
            Ok(Value::Undef)
        } else {
            self.missing_variable(site, &name)
        })
    }

    fn read_slot(&mut self, site: Site, slot: SlotId) -> Outcome {
        let mut slot = slot;
        loop {
            if let Some(owner) = self.frame_of_slot(site.frame, slot) {
                match self.frame(owner).slot(slot) {
                    VariableState::Set(value) => return Ok(value.clone()),
                    VariableState::Possible(value) => {
                        let value = value.clone();
                        return Ok(self.possible_value(value));
                    }
                    VariableState::Unset => {
                        if let Some(phase) = self.frame(owner).parameters {
                            self.check_parameter_order(site, owner, slot, phase.current)?;
                        }
                    }
                }
            }
            let declared = &self.unit(site.frame).body.slots[slot.index()];
            match declared.outer {
                Some(outer) => slot = outer,
                None => {
                    let name = declared.name.clone();
                    return self.read_free(site, &name);
                }
            }
        }
    }

    /// Returns the value of a variable that only some branches set: with `strict_variables`, the other
    /// branches fail.
    fn possible_value(&self, value: Value) -> Value {
        if self.world.settings.strict_variables {
            return value;
        }
        crate::fork::join_values([value, Value::Undef], Origin::Join, self.world)
    }

    /// Checks that a default reads only parameters that precede its own. Specification: parameter scope.
    fn check_parameter_order(&self, site: Site, owner: FrameId, slot: SlotId, current: usize) -> Outcome<()> {
        let unit = self.unit(owner).clone();
        let parameters = parameters_of_scope(&unit.body, self.frame(owner).scope);
        let Some(index) = parameters.iter().position(|it| it.slot == slot) else { return Ok(()) };
        let name = &parameters[index].name;
        let message = match index.cmp(&current) {
            Ordering::Less => format!("expects a value for parameter '{name}'"),
            Ordering::Equal => format!("default of parameter `${name}` reads the parameter itself"),
            Ordering::Greater => format!(
                "default of parameter `${}` reads `${name}`, which is set later",
                parameters.get(current).map_or("", |it| &it.name)
            ),
        };
        Err(self.error(site, Failure::new(Code::UnevaluatedParameter, message)))
    }

    /// Checks that a variable read by its name, such as in `getvar()`, a template, or `$class::name`, is not a
    /// parameter that has no value yet, which only the default of a parameter can read.
    pub fn check_is_evaluated(&self, site: Site, name: &str) -> Outcome<()> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let (class, name) = name.rsplit_once("::").map_or((None, name), |(class, name)| (Some(class), name));
        let mut current = match class {
            Some(class) => self.catalog.classes.get(&hir::fold_name(class)).and_then(|it| it.frame),
            None => Some(site.frame),
        };
        let next = |id: FrameId| self.frame(id).outer.or(self.frame(id).caller);
        if !std::iter::successors(current, |id| next(*id)).any(|id| self.frame(id).parameters.is_some()) {
            return Ok(());
        }
        while let Some(id) = current {
            let running = self.frame(id);
            if let Some(phase) = running.parameters {
                let mut parameters = parameters_of_scope(&running.unit.body, running.scope).iter();
                if let Some(parameter) = parameters.find(|it| it.name == name) {
                    return match running.slot(parameter.slot) {
                        VariableState::Unset => {
                            self.check_parameter_order(site, id, parameter.slot, phase.current)
                        }
                        VariableState::Set(_) | VariableState::Possible(_) => Ok(()),
                    };
                }
            }
            let is_set = || self.named_slot(running, name).is_some_and(|it| it != VariableState::Unset);
            let is_given = || running.given.as_ref().is_some_and(|given| given.get_text(name).is_some());
            if is_set() || is_given() {
                return Ok(());
            }
            current = next(id);
        }
        Ok(())
    }

    fn read_free(&mut self, site: Site, name: &Name) -> Outcome {
        self.check_is_evaluated(site, name)?;
        let value = match self.read_by_name(site.frame, name) {
            Some(value) => value,
            None if self.is_never_unknown(name) => Value::Undef,
            None => match self.node_slot(site.frame, name) {
                Some(VariableState::Set(value)) => value,
                Some(VariableState::Possible(value)) => self.possible_value(value),
                Some(VariableState::Unset) | None => return self.read_top(site, "", name),
            },
        };
        self.dependencies.note_other_read();
        Ok(value)
    }

    /// Returns true for an unset variable that Puppet never reports as unknown.
    fn is_never_unknown(&self, name: &Name) -> bool {
        NEVER_UNKNOWN.contains(&name.as_str())
            && !self.variables.globals.contains_key(name)
            && self.world.program.global(name).is_none()
            && self.assumed_variable(name).is_none()
    }

    /// Returns a variable of the enclosing node definition, including its title.
    fn node_slot(&self, frame: FrameId, name: &str) -> Option<VariableState> {
        let node = self.catalog.node_around(self.dynamic_scope(frame))?;
        let running = self.frame(node.frame?);
        let given = || running.given.as_ref()?.get_text(name).cloned().map(VariableState::Set);
        self.named_slot(running, name).or_else(given)
    }

    /// Returns a variable that is set by the code of the frame itself.
    pub(crate) fn named_slot(&self, running: &Frame, name: &str) -> Option<VariableState> {
        if running.unit.is_precomputed {
            return self
                .world
                .program
                .precomputed_variable(&running.unit, &name.into())
                .map(VariableState::Set);
        }
        let mut slots = running.unit.body.slots.iter();
        let slot = slots.find(|slot| slot.scope == running.scope && slot.name == name)?;
        Some(running.slots[slot.index_in_scope as usize].clone())
    }

    /// Reads a variable of the top scope.
    ///
    /// `before` is the source text that precedes the name.
    fn read_top(&mut self, site: Site, before: &str, name: &Name) -> Outcome {
        let value = match self.variables.globals.get(name) {
            Some(VariableState::Set(value)) => Some(value.clone()),
            Some(VariableState::Possible(value)) => Some(self.possible_value(value.clone())),
            Some(VariableState::Unset) | None => None,
        };
        if let Some(value) = value {
            self.dependencies.note_other_read();
            return Ok(value);
        }
        if let Some(value) = self.world.program.global(name) {
            return Ok(value);
        }
        match self.assumed_variable(name) {
            Some(value) => {
                self.world.program.note_assumed_variable(name);
                Ok(value)
            }
            None => self.missing_variable(site, &format!("{before}{name}")),
        }
    }

    /// Returns a variable that was passed to a template, or that is set in the scope that renders it.
    fn read_by_name(&self, frame: FrameId, name: &Name) -> Option<Value> {
        let mut current = frame;
        let mut is_elsewhere = false;
        loop {
            let running = self.frame(current);
            if is_elsewhere && let Some(VariableState::Set(value)) = self.named_slot(running, name) {
                return Some(value);
            }
            if let Some(value) = running.given.as_ref().and_then(|given| given.get_text(name)) {
                return Some(value.clone());
            }
            current = match (running.outer, running.caller) {
                (Some(outer), _) => outer,
                (None, Some(caller)) => {
                    is_elsewhere = true;
                    caller
                }
                (None, None) => return None,
            };
        }
    }

    /// Resolves a variable by a name given as a string, as `getvar()` and `defined()` do. Reports nothing.
    pub fn slot_by_name(&self, frame: FrameId, name: &str) -> VariableState {
        let slot = self.slot_to_read(frame, name);
        if matches!(slot, VariableState::Possible(_)) {
            self.world.program.note_tested_variable(name.trim_start_matches("::"));
        }
        slot
    }

    /// Like [`Evaluator::slot_by_name`], for code that fails without the variable.
    pub fn slot_to_read(&self, frame: FrameId, name: &str) -> VariableState {
        let name: Name = name.strip_prefix("::").unwrap_or(name).into();
        if let Some(value) = name.rsplit_once("::").and_then(|(class, name)| self.class_variable(class, name))
        {
            return VariableState::Set(value);
        }
        if !name.contains("::") {
            if let Some(slot) = self.local_slot_by_name(frame, &name) {
                return slot;
            }
            if let Some(slot) = self.node_slot(frame, &name).filter(|slot| *slot != VariableState::Unset) {
                return slot;
            }
            match self.variables.globals.get(&name) {
                Some(VariableState::Unset) | None => {}
                Some(slot) => return slot.clone(),
            }
            if let Some(value) = self.world.program.global(&name) {
                return VariableState::Set(value);
            }
        }
        self.assumed_variable(&name).map_or(VariableState::Unset, VariableState::Possible)
    }

    /// Returns the element at a path of keys in the hash of a variable, `undef` if it is missing, and records that
    /// nothing else of the variable is needed.
    ///
    /// # Errors
    ///
    /// Returns what precedes the missing element: a variable that is not set for sure, or a value that is not a hash.
    pub fn element_by_name(&self, frame: FrameId, name: &str, keys: &[&str]) -> Result<Value, VariableState> {
        self.world.program.begin_element();
        let mut value = match self.slot_by_name(frame, name) {
            VariableState::Set(value) => value,
            other => return Err(other),
        };
        self.note_path(&value, keys.iter().copied());
        for key in keys {
            value = match value.as_hash() {
                Some(entries) => entries.get_text(key).cloned().unwrap_or(Value::Undef),
                None => return Err(VariableState::Set(value)),
            };
        }
        Ok(value)
    }

    /// Records that only the element at a path of keys is needed of the variable that was read last, whose value is
    /// `value`.
    pub fn note_path<'k>(&self, value: &Value, keys: impl Iterator<Item = &'k str>) {
        let program = self.world.program;
        let mut value = Some(value);
        for key in keys {
            let (Some(Value::Hash(entries)), Some(read)) = (value, program.collection_read()) else { return };
            program.note_element(Some((read, &Value::string(key))));
            value = entries.get_text(key);
        }
    }

    /// Returns a variable of the top scope.
    pub fn top_variable(&self, name: &str) -> VariableState {
        match self.variables.globals.get(name) {
            Some(VariableState::Unset) | None => {}
            Some(slot) => return slot.clone(),
        }
        if let Some(value) = self.world.program.global(name) {
            return VariableState::Set(value);
        }
        self.assumed_variable(name).map_or(VariableState::Unset, VariableState::Possible)
    }

    /// Sets a variable of the top scope from Ruby code. Returns false if the variable is already set, or may
    /// be.
    pub fn set_top_variable(&mut self, name: &str, value: Value) -> bool {
        let is_free = self.top_variable(name) == VariableState::Unset && !name.contains("::");
        if is_free {
            self.write(VariableTarget::Global(name.into()), VariableState::Set(value));
        }
        is_free
    }

    fn local_slot_by_name(&self, frame: FrameId, name: &Name) -> Option<VariableState> {
        let mut current = Some(frame);
        while let Some(id) = current {
            let running = self.frame(id);
            if let Some(slot) = self.named_slot(running, name).filter(|slot| *slot != VariableState::Unset) {
                return Some(slot);
            }
            if let Some(value) = running.given.as_ref().and_then(|given| given.get_text(name)) {
                return Some(VariableState::Set(value.clone()));
            }
            current = running.outer.or(running.caller);
        }
        None
    }

    fn read_qualified(&mut self, site: Site, scope: &Name, name: &Name) -> Outcome {
        let qualified = format!("{scope}::{name}");
        self.check_is_evaluated(site, &qualified)?;
        if let Some(value) = self.class_variable(scope, name) {
            if !self.is_class_precomputed(scope) {
                self.dependencies.note_other_read();
            }
            return Ok(value);
        }
        if let Some(value) = self.world.program.global(&qualified) {
            return Ok(value);
        }
        // An evaluated class has the variables that it sets, and no others.
        if self.is_class_known(scope) {
            return self.missing_variable(site, &qualified);
        }
        if self.world.program.may_define(MissingNameKind::Variable, &qualified) {
            return Ok(Value::unknown(Type::Any, Origin::MissingDefinition));
        }
        match self.assumed_variable(&qualified) {
            Some(value) => Ok(value),
            None => self.missing_variable(site, &qualified),
        }
    }

    fn missing_variable(&mut self, site: Site, name: &str) -> Outcome {
        // An ERB template may have set it.
        if self.templates.erb_variable(site.frame, name).is_some() {
            return Ok(Value::unknown(Type::Any, Origin::Template));
        }
        let settings = self.world.settings;
        if settings.strict_variables || settings.strict == Strict::Error {
            let problem = format!("unknown variable `${name}`");
            let message = match self.help_for_variable(site.frame, name) {
                Some(help) => codes::with_help(problem, help),
                None => problem,
            };
            let failure = Failure::new(Code::UnknownVariable, message);
            return Err(self.error(site, failure));
        }
        if settings.strict == Strict::Warning {
            self.log(site, LogLevel::Warning, format!("Unknown variable: '{name}'."));
        }
        Ok(Value::Undef)
    }

    /// Returns advice on an unknown variable: a similar name, or the class to declare.
    fn help_for_variable(&self, frame: FrameId, name: &str) -> Option<String> {
        let Some((scope, last)) = name.trim_start_matches("::").rsplit_once("::") else {
            let known = self.unit(frame).body.slots.iter().map(|slot| slot.name.as_str());
            let known = known.chain(self.variables.globals.keys().map(|it| it.as_str()));
            let known = known.chain(plugins::built_in::facts().iter().map(|it| it.name.as_str()));
            let similar = crate::similar::similar(name.trim_start_matches("::"), known);
            return similar.first().map(|it| format!("did you mean `${it}`?"));
        };
        let class = hir::fold_name(scope);
        let is_evaluated = self.catalog.classes.contains_key(&class);
        match self.world.program.class(&class).filter(|unit| unit.kind == DefinitionKind::Class) {
            Some(unit) if is_evaluated => {
                let slots = unit.body.slots.iter();
                let similar = crate::similar::similar(last, slots.map(|slot| slot.name.as_str()));
                similar.first().map(|it| format!("did you mean `${class}::{it}`?"))
            }
            Some(_) => Some(format!("declare class `{class}` before this")),
            None => None,
        }
    }

    fn read_match(&self, frame: FrameId, group: u32) -> Value {
        self.read_match_from(Some(frame), group)
    }

    /// Returns the value of a match group if the frame itself has matched nothing.
    pub(crate) fn read_outer_match(&self, frame: FrameId, group: u32) -> Value {
        let frame = self.frame(frame);
        self.read_match_from(frame.outer.or(frame.caller), group)
    }

    /// Returns the number of match groups if the frame itself has matched nothing.
    pub(crate) fn count_outer_groups(&self, frame: FrameId) -> usize {
        let frame = self.frame(frame);
        self.match_from(frame.outer.or(frame.caller)).map_or(0, |matched| matched.groups.len())
    }

    fn read_match_from(&self, frame: Option<FrameId>, group: u32) -> Value {
        let matched = self.match_from(frame);
        matched.and_then(|matched| matched.groups.get(group as usize).cloned()).unwrap_or(Value::Undef)
    }

    fn match_from(&self, frame: Option<FrameId>) -> Option<Arc<MatchData>> {
        self.visible_match(frame?, true)
    }

    /// Returns the match data visible in a frame. If `is_own`, includes the matches of the frame and the
    /// frames around it; otherwise, only the match of the main program or the node.
    pub(crate) fn visible_match(&self, frame: FrameId, is_own: bool) -> Option<Arc<MatchData>> {
        let mut current = Some(frame);
        let mut outer = None;
        while let Some(id) = current {
            let frame = self.frame(id);
            if let (Some(matched), true) = (&frame.matched, is_own) {
                return Some(matched.clone());
            }
            outer = outer.or_else(|| frame.outer_matched.clone());
            current = frame.outer.or(frame.caller);
        }
        self.dependencies.note_external_state();
        outer
    }

    /// Returns the assumed value of a variable that this program does not set but that unknown code may set.
    ///
    /// Facts have a type, and conditions may narrow the value further.
    pub(crate) fn assumed_variable(&self, name: &str) -> Option<Value> {
        if !self.variables.narrowed.is_empty()
            && let Some(narrowed) = self.variables.narrowed.get(&ElementPath::of_assumed(name))
        {
            return Some(narrowed.clone());
        }
        if !self.world.program.may_define(MissingNameKind::Variable, name) {
            return None;
        }
        Some(match self.world.program.type_of_element(name, &[]) {
            Some(ty) => Value::unknown(ty, Origin::Fact),
            None => Value::unknown(Type::Any, Origin::MissingDefinition),
        })
    }

    /// Assigns to the left-hand side of `=`. Specification: assignment, and assignment of several variables.
    pub(crate) fn assign(&mut self, site: Site, target: ExprId, value: &Value) -> Outcome<()> {
        let unit = self.unit(site.frame).clone();
        match &unit.body[target] {
            Expr::Variable(VariableRef::Slot(slot)) => self.set_slot(site, *slot, value.clone()),
            Expr::Variable(VariableRef::Match(group)) => {
                let message = format!("cannot assign to match variable `${group}`");
                Err(self.error(site.at(target), Failure::new(Code::IllegalNumericAssignment, message)))
            }
            Expr::Variable(VariableRef::Qualified { scope, name }) => {
                let message = format!("cannot assign to variable `${scope}::{name}` of another scope");
                Err(self.error(site.at(target), Failure::new(Code::CrossScopeAssignment, message)))
            }
            Expr::Variable(VariableRef::Missing) | Expr::Missing => Ok(()),
            Expr::Array(targets) => self.assign_several(site, targets, value),
            _ => {
                let failure = Failure::new(
                    Code::IllegalAssignment,
                    "invalid left-hand side of assignment; expected a variable",
                );
                Err(self.error(site.at(target), failure))
            }
        }
    }

    fn assign_several(&mut self, site: Site, targets: &[ExprId], value: &Value) -> Outcome<()> {
        match value {
            Value::Hash(entries) => {
                let unit = self.unit(site.frame).clone();
                for target in targets {
                    let key = lvalue_key(&unit.body, *target);
                    let Some(entry) = entries.get(&key) else {
                        let key = types::text::to_notation(&key, self.world);
                        let message = format!("hash has no key `{key}`");
                        let failure = Failure::new(Code::MissingMultiAssignmentKey, message);
                        return Err(self.error(site, failure));
                    };
                    self.assign(site, *target, entry)?;
                }
                Ok(())
            }
            Value::Type(ty) if matches!(&**ty, Type::Class(Some(_))) => {
                let Type::Class(Some(class)) = &**ty else { return Ok(()) };
                self.assign_from_class(site, targets, class)
            }
            Value::Unknown(unknown) => {
                for (index, target) in targets.iter().enumerate() {
                    let element = operators::element_type(&unknown.ty, index, self.world);
                    self.assign(site, *target, &Value::unknown(element, unknown.origin))?;
                }
                Ok(())
            }
            Value::Array(elements) => self.assign_each(site, targets, elements),
            other => self.assign_each(site, targets, std::slice::from_ref(other)),
        }
    }

    /// Evaluates `[$a, $b] = Class[c]`, which reads the class variables of the same names.
    fn assign_from_class(&mut self, site: Site, targets: &[ExprId], class: &str) -> Outcome<()> {
        if self.is_class_declared(class) == Some(false) {
            let failure = Failure::new(Code::UnknownResource, format!("class `{class}` is not declared"));
            let rhs = match &self.unit(site.frame).body[site.expr] {
                Expr::Assignment { rhs, .. } => *rhs,
                _ => site.expr,
            };
            return Err(self.error(site.at(rhs), failure));
        }
        let is_known = self.is_class_declared(class).is_some();
        let unit = self.unit(site.frame).clone();
        for target in targets {
            let key = lvalue_key(&unit.body, *target);
            let name = key.as_str().unwrap_or_default();
            let value = match self.class_variable(class, name) {
                Some(value) => value,
                None if is_known => {
                    let message = format!("class `{class}` has no variable `${name}`");
                    let failure = Failure::new(Code::MissingMultiAssignmentVariable, message);
                    return Err(self.error(site.at(*target), failure));
                }
                None => Value::unknown(Type::Any, Origin::MissingDefinition),
            };
            self.assign(site, *target, &value)?;
        }
        Ok(())
    }

    fn assign_each(&mut self, site: Site, targets: &[ExprId], values: &[Value]) -> Outcome<()> {
        if targets.len() != values.len() {
            let message = format!("expected {} values, found {}", targets.len(), values.len());
            return Err(self.error(site, Failure::new(Code::IllegalMultiAssignmentSize, message)));
        }
        for (target, value) in targets.iter().zip(values) {
            self.assign(site, *target, value)?;
        }
        Ok(())
    }

    fn set_slot(&mut self, site: Site, slot: SlotId, value: Value) -> Outcome<()> {
        let owner = self.frame_of_slot(site.frame, slot).unwrap_or(site.frame);
        let declared = &self.unit(owner).body.slots[slot.index()];
        let (name, index) = (declared.name.clone(), declared.index_in_scope);
        if self.frame(owner).parameters.is_some() {
            let message = format!("cannot assign to `${name}` in the default of a parameter");
            return Err(self.error(site, Failure::new(Code::IllegalAssignmentContext, message)));
        }
        let is_top = self.frame(owner).is_top;
        if RESERVED.contains(&name.as_str()) {
            let message = format!("cannot assign to reserved variable `${name}`");
            return Err(self.error(site, Failure::new(Code::IllegalReservedAssignment, message)));
        }
        let is_bound = matches!(self.frame(owner).slot(slot), VariableState::Set(_))
            || is_top
                && (matches!(self.variables.globals.get(&name), Some(VariableState::Set(_)))
                    || name != "caller_module_name" && self.world.program.global(&name).is_some())
            || self.is_given(owner, &name);
        if is_bound {
            return Err(self.set_earlier(site, owner, slot, name));
        }
        self.write(VariableTarget::Slot(owner, index), VariableState::Set(value.clone()));
        if is_top {
            self.write(VariableTarget::Global(name), VariableState::Set(value));
        }
        Ok(())
    }

    /// Returns the error for reassigning a variable. It has the location of the first assignment if the body
    /// contains exactly one other.
    fn set_earlier(&self, site: Site, owner: FrameId, slot: SlotId, name: Name) -> Exit {
        let mut exit = self.error(site, already_set(&name));
        // The search visits the whole body.
        if self.diagnostics.findings().len() >= MAX_FINDINGS_WITH_EARLIER {
            return exit;
        }
        let unit = self.unit(owner);
        let others = unit.body.assignments_to(slot).filter(|it| *it != site.expr).collect::<Vec<_>>();
        if let (Exit::Error(error), [other]) = (&mut exit, others.as_slice()) {
            error.earlier = vec![ExprPlace { unit: unit.id, expr: *other }];
        }
        exit
    }

    /// Returns true if a body has the variable before it runs: it is predefined in a class, defined type or
    /// node, or was passed in.
    fn is_given(&self, frame: FrameId, name: &str) -> bool {
        let running = self.frame(frame);
        let kind = running.unit.kind;
        let is_resource =
            matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType | DefinitionKind::Node);
        running.given.as_ref().is_some_and(|given| given.get_text(name).is_some())
            || is_resource && running.scope == ScopeId::ROOT && PREDEFINED.contains(&name)
    }

    /// Sets the variables of a failed assignment to unknown values, to avoid follow-up errors.
    pub(crate) fn invalidate_variables(&mut self, site: Site) {
        let Site { frame, expr: target } = site;
        let unit = self.unit(frame).clone();
        match &unit.body[target] {
            Expr::Variable(VariableRef::Slot(slot)) => {
                let Some(owner) = self.frame_of_slot(frame, *slot) else { return };
                if *self.frame(owner).slot(*slot) == VariableState::Unset {
                    let index = unit.body.slots[slot.index()].index_in_scope;
                    self.write(VariableTarget::Slot(owner, index), VariableState::Set(Self::error_value()));
                }
            }
            Expr::Array(targets) => {
                for target in targets {
                    self.invalidate_variables(frame.at(*target));
                }
            }
            _ => {}
        }
    }
}

/// Returns the key under which a hash holds the value of a variable.
fn lvalue_key(body: &hir::Body, target: ExprId) -> Value {
    match &body[target] {
        Expr::Variable(VariableRef::Slot(slot)) => Value::String(body.slots[slot.index()].name.clone()),
        Expr::Array(targets) => {
            Value::array(targets.iter().map(|target| lvalue_key(body, *target)).collect::<Vec<_>>())
        }
        _ => Value::Undef,
    }
}
