//! EPP templates: text with embedded Puppet code. Specification: the chapter on templates.

use codes::Code;
use std::sync::Arc;

use hir::ScopeId;
use operators::Failure;
use types::assign::Fit;
use types::{HashValue, Origin, Type, Value};

use crate::catalog::Mistake;
use crate::error::{Exit, Outcome};
use crate::evaluator::{Evaluator, PendingExit, VariableTarget};
use crate::frame::{Frame, FrameId, ParameterPhase, Site, VariableState};
use crate::program::Unit;
use crate::variables::refused_parameter;

/// Scope that a template sees besides its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateScope {
    /// Variables of the top scope only, as for `epp()`.
    Top,
    /// All variables of the calling scope, as for `inline_epp()`.
    Caller,
}

impl Evaluator<'_> {
    /// Renders a template whose main program is `unit`. `given` holds the parameters that the call passes, if
    /// any.
    ///
    /// Returns a string, or a `Sensitive` string if the template printed something sensitive.
    pub fn render_template(
        &mut self,
        site: Site,
        unit: &Arc<Unit>,
        given: Option<&HashValue>,
        scope: TemplateScope,
    ) -> Outcome {
        let mut template = Frame::new(unit.clone(), ScopeId::ROOT);
        template.dynamic_scope = self.frame(site.frame).dynamic_scope;
        if scope == TemplateScope::Caller {
            template.caller = Some(site.frame);
        }
        let has_parameters = unit.body.has_parameter_list;
        if !has_parameters && let Some(given) = given {
            for name in given.keys().filter_map(Value::as_str) {
                if let Some(failure) = refused_parameter(unit.kind, name) {
                    return Err(self.error(site, failure));
                }
            }
            template.given = Some(Arc::new(given.clone()));
        }
        let template = self.open_frame(template);
        self.templates.begin();
        let mark = self.machine.jumps.mark();
        let result = self.enter_call(site, |this| {
            if has_parameters {
                this.bind_template_parameters(site, template, given)?;
            }
            this.evaluate(template.at(unit.body.root))
        });
        let written = self.templates.end();
        self.close_frame(template);
        let may_have_left = self.machine.jumps.has_more_than(mark);
        let left_with = match &result {
            Err(Exit::Return(value)) => Some(value.clone()),
            Err(Exit::Next(value)) if given.is_some() && !has_parameters => Some(value.clone()),
            Err(Exit::Next(value)) => Some(self.checked_text(site, value)?),
            _ => None,
        };
        let result = if left_with.is_some() { Ok(Value::Undef) } else { result };
        self.join_pending(mark, result, |exit| !matches!(exit, PendingExit::Break(_)))?;
        match left_with {
            // Another branch may have left the template with a different value.
            _ if may_have_left => Ok(Value::unknown(Type::Any, Origin::Join)),
            Some(value) => Ok(value),
            None => self.joined_text(site, &written),
        }
    }

    /// Checks that the value passed to `next()`, which replaces the rendered text, is a string.
    fn checked_text(&self, site: Site, value: &Value) -> Outcome {
        let text = Type::Variant([Type::STRING, Type::Sensitive(Some(Arc::new(Type::STRING)))].into());
        if types::assign::fits(&text, value, self.world) != Fit::Never {
            return Ok(value.clone());
        }
        let actual = types::infer::infer_set(value, self.world);
        let message = types::mismatch::describe_mismatch("value of `next()`", &text, &actual, self.world);
        let mut exit = self.error(site, Failure::new(Code::ReturnTypeMismatch, message));
        self.silence_if_untrustworthy(&mut exit, &[value]);
        Err(exit)
    }

    fn joined_text(&mut self, site: Site, written: &[Value]) -> Outcome {
        let mut text = String::new();
        let mut is_sensitive = false;
        let mut unknown = None;
        for part in written {
            let part = match part {
                Value::Sensitive(inner) => {
                    is_sensitive = true;
                    inner
                }
                part => part,
            };
            match part.least_trustworthy() {
                Some(origin) => unknown = unknown.max(Some(origin)),
                None => {
                    let part = types::text::interpolated(part, self.world);
                    text.push_str(&part.map_err(|_| self.error(site, crate::expressions::too_long()))?);
                }
            }
        }
        let value = match unknown {
            Some(origin) => Value::unknown(Type::STRING, origin),
            None => self.charge(site, Value::string(text))?,
        };
        Ok(if is_sensitive { Value::sensitive(value) } else { value })
    }

    fn bind_template_parameters(
        &mut self,
        site: Site,
        template: FrameId,
        given: Option<&HashValue>,
    ) -> Outcome<()> {
        let unit = self.unit(template).clone();
        let mut mistakes = Vec::new();
        let mistake = |message: String| Mistake::new(site, Code::ArgumentMismatch, message);
        // A parameter passed as `undef` counts as missing.
        let given_values =
            given.into_iter().flat_map(|given| given.iter()).filter(|it| *it.1 != Value::Undef);
        for (key, _) in given_values {
            let name = key.as_str().unwrap_or_default();
            if !unit.body.parameters.iter().any(|parameter| parameter.name == name) {
                mistakes.push(mistake(format!("template has no parameter named '{name}'")));
            }
        }
        for (index, parameter) in unit.body.parameters.iter().enumerate() {
            if let Some(failure) = refused_parameter(unit.kind, &parameter.name) {
                return Err(self.error(site, failure));
            }
            let handed = given.and_then(|given| given.get_text(&parameter.name));
            let value = match (handed, parameter.default) {
                (Some(Value::Undef) | None, Some(default)) => {
                    self.frame_mut(template).parameters = Some(ParameterPhase { current: index });
                    let value = self.evaluate(template.at(default));
                    self.frame_mut(template).parameters = None;
                    value?
                }
                (Some(value), _) => value.clone(),
                (None, None) => {
                    let message = format!("template expects a value for parameter '{}'", parameter.name);
                    mistakes.push(mistake(message));
                    continue;
                }
            };
            let ty = match parameter.type_expr {
                Some(type_expr) => self.evaluate_type(template.at(type_expr))?,
                None => Type::Any,
            };
            let subject = || format!("template: parameter '{}'", parameter.name);
            mistakes.extend(self.mismatch(site, Code::ArgumentMismatch, &subject, &ty, &value)?);
            let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
            self.write(VariableTarget::Slot(template, slot), VariableState::Set(value));
        }
        self.refuse(mistakes)
    }
}
