//! What stands on the left of `=`.

use plugins::erb::{AssignTarget, OperatorKind, RubyExpression};
use smol_str::SmolStr;

use super::methods::MethodInvocation;
use super::renderer::Renderer;
use super::value::{Object, Ruby, Stop, unsupported};

impl<'t> Renderer<'t> {
    pub(super) fn assign(&mut self, place: &'t AssignTarget, value: Object) -> Ruby<()> {
        match place {
            AssignTarget::LocalVariable { name, depth } => self.set_local(name, *depth, value),
            AssignTarget::InstanceVariable(name) => {
                self.variables.insert(name.clone(), value);
                Ok(())
            }
            AssignTarget::Index { receiver, arguments } => {
                let receiver = self.evaluate(receiver)?;
                let arguments = self.list(arguments)?;
                self.set_element(receiver, arguments, value)
            }
            AssignTarget::Several { front, rest, back } => {
                let elements = match value {
                    Object::Array(array) => array.elements.borrow().clone(),
                    Object::Unknown(origin) => return Err(Stop::Unknown(origin)),
                    Object::Foreign(_) => return unsupported(),
                    other => vec![other],
                };
                self.assign_several(front, rest.as_ref().map(Option::as_deref), back, &elements)
            }
            AssignTarget::Unsupported => unsupported(),
        }
    }

    fn assign_several(
        &mut self,
        front: &'t [AssignTarget],
        rest: Option<Option<&'t AssignTarget>>,
        back: &'t [AssignTarget],
        elements: &[Object],
    ) -> Ruby<()> {
        let element = |index: usize| elements.get(index).cloned().unwrap_or(Object::Nil);
        for (index, place) in front.iter().enumerate() {
            self.assign(place, element(index))?;
        }
        // The places behind `*rest` get the last elements, but none that those in front have.
        let first_of_back = match rest {
            Some(_) => elements.len().saturating_sub(back.len()).max(front.len()),
            None => front.len(),
        };
        if let Some(Some(rest)) = rest {
            let middle = elements.get(front.len()..first_of_back.min(elements.len())).unwrap_or_default();
            self.assign(rest, Object::array(middle.to_vec()))?;
        }
        for (index, place) in back.iter().enumerate() {
            self.assign(place, element(first_of_back + index))?;
        }
        Ok(())
    }

    pub(super) fn set_local(&mut self, name: &SmolStr, depth: u32, value: Object) -> Ruby<()> {
        let index = self.frames.len().checked_sub(1 + depth as usize);
        let Some(frame) = index.and_then(|index| self.frames.get_mut(index)) else { return unsupported() };
        match frame.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => frame.push((name.clone(), value)),
        }
        Ok(())
    }

    fn set_element(&mut self, receiver: Object, mut arguments: Vec<Object>, value: Object) -> Ruby<()> {
        arguments.push(value);
        self.send(MethodInvocation { receiver, name: "[]=", arguments, block: None }).map(drop)
    }

    /// `place operator= value`
    pub(super) fn assign_with(
        &mut self,
        place: &'t AssignTarget,
        operator: &'t OperatorKind,
        value: &'t RubyExpression,
    ) -> Ruby {
        // Receiver and index are evaluated once.
        let mut target = None;
        let current = match place {
            AssignTarget::LocalVariable { name, depth } => self.local_variable(name, *depth),
            AssignTarget::InstanceVariable(name) => self.instance_variable(name),
            AssignTarget::Index { receiver, arguments } => {
                let receiver = self.evaluate(receiver)?;
                let arguments = self.list(arguments)?;
                target = Some((receiver.clone(), arguments.clone()));
                self.send(MethodInvocation { receiver, name: "[]", arguments, block: None })?
            }
            AssignTarget::Several { .. } | AssignTarget::Unsupported => return unsupported(),
        };
        let value = match operator {
            OperatorKind::Or if current.is_true()? => return Ok(current),
            OperatorKind::And if !current.is_true()? => return Ok(current),
            OperatorKind::Or | OperatorKind::And => self.evaluate(value)?,
            OperatorKind::Method(name) => {
                let arguments = vec![self.evaluate(value)?];
                self.send(MethodInvocation { receiver: current, name, arguments, block: None })?
            }
        };
        match target {
            Some((receiver, arguments)) => self.set_element(receiver, arguments, value.clone())?,
            None => self.assign(place, value.clone())?,
        }
        Ok(value)
    }
}
