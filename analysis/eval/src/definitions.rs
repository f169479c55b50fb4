//! Evaluation of a single definition with unknown instances of its parameter types as arguments.

use codes::Code;
use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, ScopeId};
use operators::Failure;
use types::assign::Fit;
use types::{Origin, Type, Value};

use crate::catalog::fits_parameter;
use crate::catalog::parameter_checks::is_deferred;
use crate::error::{Certainty, Exit, Outcome};
use crate::evaluator::{Evaluator, PendingExit, VariableTarget};
use crate::frame::{Frame, FrameId, ParameterPhase, Site, VariableState};
use crate::program::{Unit, UnitId};
use crate::record::ValueRecorder;
use crate::variables::refused_parameter;
use crate::world::REPLACEABLE_TYPES;

/// Resource types of Puppet that only Puppet itself uses.
const INTERNAL_RESOURCE_TYPES: &[&str] = &["component", "node", "whit"];

/// Returns the reason why Puppet refuses a type alias because of its name.
pub fn refused_alias(key: &DefinitionKey) -> Option<String> {
    let name = key.name.as_str();
    if key.kind != DefinitionKind::TypeAlias || REPLACEABLE_TYPES.contains(&name) {
        return None;
    }
    let shown = types::display::capitalized_segments(name);
    let is_taken = types::access::built_in_type(&shown).is_some()
        || types::object::built_in_named_type(name).is_some()
        || plugins::built_in::is_core_resource_type(name)
        || INTERNAL_RESOURCE_TYPES.contains(&name);
    is_taken.then(|| format!("`{shown}` is a built-in type and cannot be defined"))
}

impl Evaluator<'_> {
    /// Records the values of the expressions of a unit from now on.
    pub fn record(&mut self, unit: UnitId) {
        self.diagnostics.recorder = Some(ValueRecorder::new(unit));
    }

    /// Evaluates any definition with unknown arguments. The value is the return value of a function.
    pub fn evaluate_definition(&mut self, unit: &Arc<Unit>) -> Outcome {
        let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
        frame.is_top = unit.kind == DefinitionKind::Main;
        let frame = self.open_frame(frame);
        self.templates.begin();
        let mark = self.machine.jumps.mark();
        self.assume_parameters(frame, unit)?;
        let result = self.evaluate(frame.at(unit.body.root));
        self.templates.end();
        // The value passed to `return()` is not checked.
        let may_return = matches!(result, Err(Exit::Return(_)))
            || self.machine.jumps.any_since(mark, |exit| matches!(exit, PendingExit::Return(_)));
        // `break()` in a function ends the iteration that calls it.
        let may_break = unit.kind == DefinitionKind::Function && matches!(result, Err(Exit::Break(_)));
        let result = match result {
            Err(Exit::Next(value) | Exit::Return(value)) => Ok(value),
            Err(Exit::Break(_)) if may_break => Ok(Value::Undef),
            other => other,
        };
        let may_return = may_return || may_break;
        let result = self.join_pending(mark, result, |exit| !matches!(exit, PendingExit::Break(_)));
        if let (Some(return_type), Ok(value), false) = (unit.body.return_type, &result, may_return) {
            self.check_declared_return(frame.at(return_type), value);
        }
        self.close_frame(frame);
        result
    }

    fn assume_parameters(&mut self, frame: FrameId, unit: &Arc<Unit>) -> Outcome<()> {
        for (index, parameter) in unit.body.parameters.iter().enumerate() {
            // The static rules report these two.
            let is_told = matches!(parameter.name.as_str(), "title" | "name");
            if let Some(failure) = refused_parameter(unit.kind, &parameter.name).filter(|_| !is_told) {
                let at = parameter.type_expr.or(parameter.default).unwrap_or(unit.body.root);
                if let Exit::Error(error) = self.error(frame.at(at), failure) {
                    self.report(*error, Certainty::Certain);
                }
            }
            let declared = match parameter.type_expr {
                Some(expr) => match self.assumed_type(frame.at(expr)) {
                    Err(Exit::Error(error)) => {
                        self.report(*error, Certainty::Certain);
                        Type::Any
                    }
                    other => other?,
                },
                None => Type::Any,
            };
            if let Some(default) = parameter.default {
                self.frame_mut(frame).parameters = Some(ParameterPhase { current: index });
                let value = self.evaluate(frame.at(default));
                self.frame_mut(frame).parameters = None;
                match value {
                    Ok(value) => {
                        // Functions take positional arguments: a mismatch is refused there whether or not
                        // Puppet can describe it.
                        let fit = match unit.kind {
                            DefinitionKind::Function => types::assign::fits(&declared, &value, self.world),
                            _ => fits_parameter(&declared, &value, self.world),
                        };
                        if fit == Fit::Never && !is_deferred(&value) {
                            let actual = types::infer::infer_set(&value, self.world);
                            let subject = format!("default of parameter `${}`", parameter.name);
                            let message =
                                types::mismatch::describe_mismatch(&subject, &declared, &actual, self.world);
                            let mut exit =
                                self.error(frame.at(default), Failure::new(Code::DefaultMismatch, message));
                            self.silence_if_untrustworthy(&mut exit, &[&value]);
                            if let Exit::Error(error) = exit {
                                self.report(*error, Certainty::Possible);
                            }
                        }
                    }
                    // A default that fails matters only if no value is passed.
                    Err(Exit::Error(error)) => {
                        if error.code != crate::error::DELIBERATE_FAILURE {
                            self.report(*error, Certainty::Possible);
                        }
                    }
                    Err(exit) => return Err(exit),
                }
            }
            let assumed = if parameter.captures_rest && !matches!(declared, Type::Array(_)) {
                Type::array_of(declared)
            } else {
                declared
            };
            let value = Value::unknown(assumed, Origin::Parameter);
            self.diagnostics.note_parameter(unit.id, parameter.slot, &value, self.world);
            let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
            self.write(VariableTarget::Slot(frame, slot), VariableState::Set(value));
        }
        Ok(())
    }

    /// Evaluates the type of a parameter. Parameter types of classes and defined types see no variables.
    fn assumed_type(&mut self, site: Site) -> Outcome<Type> {
        match self.unit(site.frame).kind {
            DefinitionKind::Class | DefinitionKind::DefinedType => self.evaluate_parameter_type(site),
            _ => self.evaluate_type(site),
        }
    }

    fn check_declared_return(&mut self, site: Site, value: &Value) {
        let Ok(declared) = self.evaluate_type(site) else { return };
        if types::assign::fits(&declared, value, self.world) == Fit::Never {
            let actual = types::infer::infer_set(value, self.world);
            let message = types::mismatch::describe_mismatch("return value", &declared, &actual, self.world);
            let mut exit = self.error(site, Failure::new(Code::ReturnTypeMismatch, message));
            self.silence_if_untrustworthy(&mut exit, &[value]);
            if let Exit::Error(error) = exit {
                self.report(*error, Certainty::Certain);
            }
        }
    }
}
