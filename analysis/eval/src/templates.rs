//! EPP templates: text with Puppet code in it. Specification: the chapter on templates.

use codes::Code;
use std::sync::Arc;

use hir::{ExprId, ScopeId};
use operators::Failure;
use types::assign::Fit;
use types::{HashValue, Origin, Type, Value};

use crate::error::{Exit, Outcome};
use crate::evaluator::Evaluator;
use crate::fork::{PendingExit, Target};
use crate::frame::{Frame, FrameId, ParameterPhase, Slot};
use crate::program::Unit;

/// What a template sees besides its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateScope {
    /// The variables of the top scope only: `epp()`.
    Top,
    /// All variables where it is called: `inline_epp()`.
    Caller,
}

impl Evaluator<'_> {
    /// Renders a template whose main program is `unit`. `given` is what the call hands over, if it hands over anything.
    /// Gives a string, or a `Sensitive` one when something sensitive was written.
    pub fn render_template(
        &mut self,
        (frame, expr): (FrameId, ExprId),
        unit: &Arc<Unit>,
        given: Option<&HashValue>,
        scope: TemplateScope,
    ) -> Outcome {
        let mut template = Frame::new(unit.clone(), ScopeId::ROOT);
        template.dynamic_scope = self.frame(frame).dynamic_scope;
        if scope == TemplateScope::Caller {
            template.caller = Some(frame);
        }
        let has_parameters = !unit.body.parameters.is_empty();
        if !has_parameters && let Some(given) = given {
            template.given = Some(Arc::new(given.clone()));
        }
        let template = self.open_frame(template);
        self.rendered.push(Vec::new());
        let mark = self.journal.pending.len();
        let result = self.deeper(frame, expr, |this| {
            if has_parameters {
                this.bind_template_parameters((frame, expr), template, given)?;
            }
            this.evaluate(template, unit.body.root)
        });
        let written = self.rendered.pop().unwrap_or_default();
        self.close_frame(template);
        let result = match result {
            Err(Exit::Next(_)) => Ok(Value::Undef),
            other => other,
        };
        let was_left_early = self.journal.pending.len() > mark;
        self.join_pending(mark, result, |exit| matches!(exit, PendingExit::Next(_)))?;
        if was_left_early {
            return Ok(Value::unknown(Type::STRING, Origin::Join));
        }
        self.joined_text(frame, expr, &written)
    }

    fn joined_text(&mut self, frame: FrameId, expr: ExprId, written: &[Value]) -> Outcome {
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
                    text.push_str(
                        &part.map_err(|_| self.error(frame, expr, crate::expressions::too_long()))?,
                    );
                }
            }
        }
        let value = match unknown {
            Some(origin) => Value::unknown(Type::STRING, origin),
            None => self.charge(frame, expr, Value::string(text))?,
        };
        Ok(if is_sensitive { Value::sensitive(value) } else { value })
    }

    fn bind_template_parameters(
        &mut self,
        (frame, expr): (FrameId, ExprId),
        template: FrameId,
        given: Option<&HashValue>,
    ) -> Outcome<()> {
        let unit = self.unit(template).clone();
        let fail = |this: &Self, message: String| {
            Err(this.error(frame, expr, Failure::new(Code::ArgumentMismatch, message)))
        };
        for (key, _) in given.into_iter().flat_map(|given| given.iter()) {
            let name = key.as_str().unwrap_or_default();
            if !unit.body.parameters.iter().any(|parameter| parameter.name == name) {
                return fail(self, format!("the template has no parameter ${name}"));
            }
        }
        for (index, parameter) in unit.body.parameters.iter().enumerate() {
            let handed = given.and_then(|given| given.get_text(&parameter.name));
            let value = match (handed, parameter.default) {
                (Some(Value::Undef) | None, Some(default)) => {
                    self.frame_mut(template).parameters = Some(ParameterPhase { current: index });
                    let value = self.evaluate(template, default);
                    self.frame_mut(template).parameters = None;
                    value?
                }
                (Some(value), _) => value.clone(),
                (None, None) => {
                    return fail(
                        self,
                        format!("the template expects a value for its parameter ${}", parameter.name),
                    );
                }
            };
            if let Some(type_expr) = parameter.type_expr {
                let ty = self.evaluate_type(template, type_expr)?;
                if types::assign::fits(&ty, &value, self.world) == Fit::Never {
                    let actual = types::infer::infer_set(&value, self.world);
                    let subject = format!("the template's parameter ${}", parameter.name);
                    return fail(
                        self,
                        types::mismatch::describe_mismatch(&subject, &ty, &actual, self.world),
                    );
                }
            }
            let slot = unit.body.slots[parameter.slot.index()].index_in_scope;
            self.write(Target::Slot(template, slot), Slot::Set(value));
        }
        Ok(())
    }
}
