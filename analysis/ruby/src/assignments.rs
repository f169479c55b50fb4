//! Assignment targets.

use plugins::code::{AssignTarget, OperatorKind, RubyExpression};

use super::interpreter::Interpreter;
use super::value::{Object, Ruby, Stop, unsupported};

impl Interpreter<'_> {
    pub(super) fn assign(&mut self, target: &AssignTarget, value: Object) -> Ruby<()> {
        match target {
            AssignTarget::LocalVariable { name, depth } => self.set_local(name, *depth, value),
            AssignTarget::InstanceVariable(name) => {
                self.set_instance_variable(name, value);
                Ok(())
            }
            AssignTarget::ClassVariable(name) => self.set_class_variable(name, value),
            AssignTarget::Constant(name) => self.set_constant(name, value),
            AssignTarget::Attribute { receiver, name, is_safe } => {
                let receiver = self.evaluate(receiver)?;
                if *is_safe && matches!(receiver, Object::Nil) {
                    Ok(())
                } else {
                    self.set_attribute(&receiver, name, value)
                }
            }
            AssignTarget::Index { receiver, arguments } => {
                let receiver = self.evaluate(receiver)?;
                let arguments = self.list(arguments)?;
                self.set_element(receiver, arguments, value)
            }
            AssignTarget::Several { front, rest, back } => {
                let elements = match value {
                    Object::Array(array) => array.elements.borrow().clone(),
                    Object::Unknown(origin) if self.abstract_evaluation.is_some() => {
                        return self.assign_unknown(target, origin);
                    }
                    Object::Unknown(origin) => return Err(Stop::Unknown(origin)),
                    Object::Foreign(_) => return unsupported(),
                    other => vec![other],
                };
                self.assign_several(front, rest.as_ref().map(Option::as_deref), back, &elements)
            }
            AssignTarget::Unsupported => unsupported(),
        }
    }

    /// Makes all variables of a target unknown.
    fn assign_unknown(&mut self, target: &AssignTarget, origin: types::Origin) -> Ruby<()> {
        let AssignTarget::Several { front, rest, back } = target else {
            return self.assign(target, Object::Unknown(origin));
        };
        let rest = rest.iter().flatten().map(|target| &**target);
        front.iter().chain(rest).chain(back).try_for_each(|target| self.assign_unknown(target, origin))
    }

    fn assign_several(
        &mut self,
        front: &[AssignTarget],
        rest: Option<Option<&AssignTarget>>,
        back: &[AssignTarget],
        elements: &[Object],
    ) -> Ruby<()> {
        let element = |index: usize| elements.get(index).cloned().unwrap_or(Object::Nil);
        for (index, target) in front.iter().enumerate() {
            self.assign(target, element(index))?;
        }
        // The targets after `*rest` get the last elements that the targets before it have not taken.
        let first_of_back = match rest {
            Some(_) => elements.len().saturating_sub(back.len()).max(front.len()),
            None => front.len(),
        };
        if let Some(Some(rest)) = rest {
            let middle = elements.get(front.len()..first_of_back.min(elements.len())).unwrap_or_default();
            self.assign(rest, Object::array(middle.to_vec()))?;
        }
        for (index, target) in back.iter().enumerate() {
            self.assign(target, element(first_of_back + index))?;
        }
        Ok(())
    }

    fn set_attribute(&mut self, receiver: &Object, name: &str, value: Object) -> Ruby<()> {
        self.call_method_of(receiver, &format!("{name}="), vec![value]).map(drop)
    }

    fn set_element(&mut self, receiver: Object, mut arguments: Vec<Object>, value: Object) -> Ruby<()> {
        arguments.push(value);
        self.call_method_of(&receiver, "[]=", arguments).map(drop)
    }

    /// Evaluates `target operator= value`.
    pub(super) fn assign_with(
        &mut self,
        target: &AssignTarget,
        operator: &OperatorKind,
        value: &RubyExpression,
    ) -> Ruby {
        // Receiver and index are evaluated only once.
        let mut evaluated = None;
        let current = match target {
            AssignTarget::LocalVariable { name, depth } => self.local_variable(name, *depth),
            AssignTarget::InstanceVariable(name) => self.instance_variable(name),
            AssignTarget::Index { receiver, arguments } => {
                let receiver = self.evaluate(receiver)?;
                let arguments = self.list(arguments)?;
                evaluated = Some((receiver.clone(), arguments.clone(), None));
                self.call_method_of(&receiver, "[]", arguments)?
            }
            AssignTarget::Attribute { receiver, name, is_safe } => {
                let receiver = self.evaluate(receiver)?;
                if *is_safe && matches!(receiver, Object::Nil) {
                    return Ok(Object::Nil);
                }
                evaluated = Some((receiver.clone(), Vec::new(), Some(name)));
                self.call_method_of(&receiver, name, Vec::new())?
            }
            AssignTarget::ClassVariable(name) => match (self.class_variable(name)?, operator) {
                (Some(value), _) => value,
                (None, OperatorKind::Or) => Object::Nil,
                (None, _) => return unsupported(),
            },
            AssignTarget::Constant(path) => match self.is_defined_constant(path)? {
                Some(true) => self.constant(path)?,
                _ => Object::Nil,
            },
            AssignTarget::Several { .. } | AssignTarget::Unsupported => return unsupported(),
        };
        let value = match operator {
            OperatorKind::Or if current.is_true()? => return Ok(current),
            OperatorKind::And if !current.is_true()? => return Ok(current),
            OperatorKind::Or | OperatorKind::And => self.evaluate(value)?,
            OperatorKind::Method(name) => {
                let arguments = vec![self.evaluate(value)?];
                self.call_method_of(&current, name, arguments)?
            }
        };
        match evaluated {
            Some((receiver, arguments, None)) => self.set_element(receiver, arguments, value.clone())?,
            Some((receiver, _, Some(name))) => self.set_attribute(&receiver, name, value.clone())?,
            None => self.assign(target, value.clone())?,
        }
        Ok(value)
    }
}
