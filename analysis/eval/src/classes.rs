//! Classes and defined types evaluated: parameters, inheritance, the variables that others read as `$a::b`.
//!
//! Specification: the chapter on classes and defined types.

use std::sync::Arc;

use hir::{DefinitionKind, ExprId, Name, ScopeId};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::assign::Fit;
use types::{HashValue, Origin, Type, Value};

use crate::error::{Exit, Failure, Outcome};
use crate::evaluator::Evaluator;
use crate::fork::{PendingExit, Target};
use crate::frame::{Frame, FrameId, ParameterPhase, Slot};
use crate::program::{NameKind, Unit};

/// The classes evaluated so far, and what waits until the main program has ended.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// The frames of classes, which stay open. `None` while the class's parent is evaluated.
    frames: FxHashMap<Name, Option<FrameId>>,
    /// Defined types are evaluated late: title, attributes, and where they were declared.
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    unit: Arc<Unit>,
    title: SmolStr,
    given: HashValue,
    /// Where it was declared: that frame may be gone by the time.
    declared_in: Arc<Unit>,
    declared_at: ExprId,
}

impl Evaluator<'_> {
    /// Declares a class without parameters, unless it is declared already.
    pub(crate) fn include_class(&mut self, caller: (FrameId, ExprId), name: &str) -> Outcome<()> {
        let name = hir::fold_name(name);
        if self.classes.frames.contains_key(&name) || self.is_forked() {
            return Ok(());
        }
        match self.world.program.class(&name) {
            Some(unit) if unit.kind == DefinitionKind::Class => {
                self.evaluate_class(caller, &unit, &HashValue::default())
            }
            _ if self.world.program.class_exists(&name)
                || self.world.program.may_define(NameKind::Class, &name) =>
            {
                Ok(())
            }
            _ => {
                let failure = Failure::new("unknown-class", format!("there is no class '{name}'"));
                Err(self.error(caller.0, caller.1, failure))
            }
        }
    }

    /// `class { name: given }`
    pub(crate) fn declare_class(
        &mut self,
        caller: (FrameId, ExprId),
        name: &str,
        given: &HashValue,
    ) -> Outcome<()> {
        let name = hir::fold_name(name);
        if self.is_forked() {
            return Ok(());
        }
        if self.classes.frames.contains_key(&name) {
            let failure =
                Failure::new("duplicate-declaration", format!("the class '{name}' is declared already"));
            return Err(self.error(caller.0, caller.1, failure));
        }
        match self.world.program.class(&name) {
            Some(unit) if unit.kind == DefinitionKind::Class => self.evaluate_class(caller, &unit, given),
            _ => self.include_class(caller, &name),
        }
    }

    /// A resource of a defined type: its body is evaluated when the main program has ended.
    pub(crate) fn declare_defined_type(
        &mut self,
        caller: (FrameId, ExprId),
        type_name: &str,
        title: &SmolStr,
        given: &HashValue,
    ) -> Outcome<()> {
        if self.is_forked() {
            return Ok(());
        }
        let Some(unit) = self.world.program.class(type_name) else { return Ok(()) };
        if unit.kind != DefinitionKind::DefinedType {
            return Ok(());
        }
        self.check_names(caller, &unit, given)?;
        let declared_in = self.unit(caller.0).clone();
        let (title, given) = (title.clone(), given.clone());
        self.classes.waiting.push(Waiting { unit, title, given, declared_in, declared_at: caller.1 });
        Ok(())
    }

    /// Evaluates the defined types that wait, and those that these declare.
    pub(crate) fn evaluate_waiting(&mut self) -> Outcome<()> {
        let mut next = 0;
        while next < self.classes.waiting.len() {
            let Waiting { unit, title, given, declared_in, declared_at } = &self.classes.waiting[next];
            let (unit, title, given) = (unit.clone(), title.clone(), given.clone());
            let (outside, declared_at) = (Frame::new(declared_in.clone(), ScopeId::ROOT), *declared_at);
            next += 1;
            let caller = (self.open_frame(outside), declared_at);
            let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
            frame.given = Some(Arc::new(titled(&title, &given)));
            let frame = self.open_frame(frame);
            let result = self.run_definition(caller, frame, &unit, &given);
            self.close_frame(frame);
            self.close_frame(caller.0);
            result?;
        }
        self.classes.waiting.clear();
        Ok(())
    }

    fn evaluate_class(
        &mut self,
        caller: (FrameId, ExprId),
        unit: &Arc<Unit>,
        given: &HashValue,
    ) -> Outcome<()> {
        let name = hir::fold_name(&unit.name);
        self.classes.frames.insert(name.clone(), None);
        self.check_names(caller, unit, given)?;
        let mut parent = None;
        if let Some(inherited) = &unit.body.inherits {
            self.include_class(caller, inherited)?;
            parent = self.classes.frames.get(&hir::fold_name(inherited)).copied().flatten();
        }
        let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
        frame.caller = parent;
        frame.given = Some(Arc::new(titled(&name, &HashValue::default())));
        let frame = self.open_frame(frame);
        self.classes.frames.insert(name, Some(frame));
        self.run_definition(caller, frame, unit, given)
    }

    fn check_names(&self, caller: (FrameId, ExprId), unit: &Unit, given: &HashValue) -> Outcome<()> {
        for key in given.keys() {
            let name = key.as_str().unwrap_or_default();
            let is_known =
                is_taken_by_all(name) || unit.body.parameters.iter().any(|parameter| parameter.name == name);
            if !is_known {
                let message = format!("{} has no parameter ${name}", unit.name);
                return Err(self.error(caller.0, caller.1, Failure::new("unknown-parameter", message)));
            }
        }
        Ok(())
    }

    fn run_definition(
        &mut self,
        caller: (FrameId, ExprId),
        frame: FrameId,
        unit: &Arc<Unit>,
        given: &HashValue,
    ) -> Outcome<()> {
        let mark = self.journal.pending.len();
        let result = self.deeper(caller.0, caller.1, |this| {
            let given = this.with_data(caller, frame, unit, given)?;
            this.bind_parameters(caller, frame, unit, &given)?;
            this.evaluate(frame, unit.body.root)
        });
        let result = match result {
            Err(Exit::Return(value) | Exit::Next(value)) => Ok(value),
            Err(Exit::Break(place)) => {
                Err(self.error_at(place, Failure::new("illegal-break", "break() outside of an iteration")))
            }
            other => other,
        };
        self.join_pending(mark, result, |exit| !matches!(exit, PendingExit::Break(_))).map(|_| ())
    }

    fn bind_parameters(
        &mut self,
        caller: (FrameId, ExprId),
        frame: FrameId,
        unit: &Arc<Unit>,
        given: &HashValue,
    ) -> Outcome<()> {
        // Defaults may read every parameter that is given. What is given as `undef` is not given.
        for parameter in &unit.body.parameters {
            if let Some(value) = given.get_text(&parameter.name).filter(|value| !value.is_undef()) {
                let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
                self.write(Target::Slot(frame, slot), Slot::Set(value.clone()));
            }
        }
        for (index, parameter) in unit.body.parameters.iter().enumerate() {
            let handed = given.get_text(&parameter.name);
            let value = match (handed, parameter.default) {
                (Some(value), _) if !value.is_undef() => value.clone(),
                (_, Some(default)) => {
                    self.frame_mut(frame).parameters = Some(ParameterPhase { current: index });
                    let value = self.evaluate(frame, default);
                    self.frame_mut(frame).parameters = None;
                    value.map_err(|exit| self.at_caller(exit, caller))?
                }
                (Some(_), None) => Value::Undef,
                (None, None) => {
                    let message =
                        format!("{}: a value is expected for the parameter ${}", unit.name, parameter.name);
                    let failure = Failure::new("missing-required-parameter", message);
                    return Err(self.error(caller.0, caller.1, failure));
                }
            };
            if let Some(type_expr) = parameter.type_expr {
                let ty = self.evaluate_type(frame, type_expr)?;
                if types::assign::fits(&ty, &value, self.world) == Fit::Never {
                    let actual = types::infer::infer_set(&value, self.world);
                    let subject = format!("{}: the parameter ${}", unit.name, parameter.name);
                    let message = types::mismatch::describe_mismatch(&subject, &ty, &actual, self.world);
                    let failure = Failure::new("type-mismatch", message);
                    return Err(self.error(caller.0, caller.1, failure));
                }
            }
            let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
            self.write(Target::Slot(frame, slot), Slot::Set(value));
        }
        Ok(())
    }

    /// A default that reads a parameter too early is an error of the call.
    pub(crate) fn at_caller(&self, exit: Exit, caller: (FrameId, ExprId)) -> Exit {
        match exit {
            Exit::Error(mut error) if error.code == "unevaluated-parameter" => {
                error.place = self.place(caller.0, caller.1);
                Exit::Error(error)
            }
            exit => exit,
        }
    }

    /// The variable `name` of the class `class`; `None` when it has none, or is not evaluated.
    pub(crate) fn class_variable(&self, class: &str, name: &str) -> Option<Value> {
        let mut frame = self.classes.frames.get(&hir::fold_name(class)).copied().flatten();
        while let Some(id) = frame {
            let running = self.frame(id);
            let body = &running.unit.body;
            let slot = body.slots.iter().find(|slot| slot.scope == ScopeId::ROOT && slot.name == name);
            match slot.map(|slot| &running.slots[slot.index_in_scope as usize]) {
                Some(Slot::Set(value)) => return Some(value.clone()),
                Some(Slot::Possible(value)) => {
                    return Some(Value::unknown(
                        Type::Any,
                        value.least_trustworthy().unwrap_or(Origin::Join),
                    ));
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

    /// Was a class declared before now? `None` when that is not known.
    pub(crate) fn is_class_declared(&self, name: &str) -> Option<bool> {
        let name = hir::fold_name(name);
        match self.classes.frames.contains_key(&name) {
            _ if self.is_forked() => None,
            true => Some(true),
            false => (!self.world.program.may_define(NameKind::Resource, "class")).then_some(false),
        }
    }
}

/// What a resource's own body sees besides its parameters: `$title`, `$name`, and the metaparameters given.
fn titled(title: &SmolStr, given: &HashValue) -> HashValue {
    let mut variables: HashValue = given
        .iter()
        .filter(|(key, _)| key.as_str().is_some_and(is_taken_by_all))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for name in ["title", "name"] {
        variables.insert(Value::string(name), Value::String(title.clone()));
    }
    variables
}

/// Does every resource take it? Specification: the chapter on metaparameters.
fn is_taken_by_all(name: &str) -> bool {
    name == "name" || plugins::built_in::metaparameter(name).is_some()
}
