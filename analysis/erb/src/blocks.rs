//! Blocks, and methods that a template defines.

use std::cell::Cell;
use std::rc::Rc;

use plugins::erb::{MethodDefinition, RubyBlock, RubyBlockParameter, RubyExpression};

use super::methods::MethodInvocation;
use super::renderer::{Renderer, RubyLocals};
use super::value::{Object, Ruby, Stop, raise, unsupported};

/// The block of a call. It runs only while the call does, so that the frame around it is the innermost one.
#[derive(Clone, Debug)]
pub(super) enum BlockRef<'t> {
    Code {
        parameters: &'t [RubyBlockParameter],
        has_trailing_comma: bool,
        body: &'t [RubyExpression],
    },
    /// `&:name`
    Method(&'t str),
    /// Of `with_index`: gets the number of the call, too.
    Indexed(Box<BlockRef<'t>>, Rc<Cell<i64>>),
}

impl<'t> BlockRef<'t> {
    pub(super) fn new(block: &'t RubyBlock) -> Ruby<BlockRef<'t>> {
        Ok(match block {
            RubyBlock::Code { parameters, has_trailing_comma, body } => {
                BlockRef::Code { parameters, has_trailing_comma: *has_trailing_comma, body }
            }
            RubyBlock::Method(name) => BlockRef::Method(name),
            RubyBlock::Unsupported => return unsupported(),
        })
    }
}

impl<'t> Renderer<'t> {
    pub(super) fn call_block(&mut self, block: &BlockRef<'t>, mut arguments: Vec<Object>) -> Ruby {
        match block {
            BlockRef::Method(name) => {
                if arguments.is_empty() {
                    return raise("no receiver given");
                }
                let receiver = arguments.remove(0);
                self.send(MethodInvocation { receiver, name, arguments, block: None })
            }
            BlockRef::Indexed(inner, next) => {
                let index = next.replace(next.get() + 1);
                let value = match arguments.len() {
                    1 => arguments.remove(0),
                    _ => Object::array(arguments),
                };
                self.call_block(inner, vec![value, Object::Integer(index)])
            }
            BlockRef::Code { parameters, has_trailing_comma, body } => {
                self.host.step(1)?;
                let wants_several = *has_trailing_comma
                    || parameters.len() > 1
                    || matches!(parameters, [RubyBlockParameter::Several(_)]) && arguments.len() > 1;
                if let [Object::Array(array)] = &arguments[..]
                    && wants_several
                {
                    let elements = array.elements.borrow().clone();
                    arguments = elements;
                }
                self.frames.push(RubyLocals::new());
                let result = self.bind(parameters, &arguments).and_then(|()| self.statements(body));
                self.frames.pop();
                match result {
                    Err(Stop::Next(value)) => Ok(value),
                    other => other,
                }
            }
        }
    }

    /// Sets parameters; what is too much is left out, what is missing is `nil`.
    fn bind(&mut self, parameters: &'t [RubyBlockParameter], arguments: &[Object]) -> Ruby<()> {
        let required = parameters
            .iter()
            .filter(|it| matches!(it, RubyBlockParameter::Required(_) | RubyBlockParameter::Several(_)))
            .count();
        let optional = parameters.iter().filter(|it| matches!(it, RubyBlockParameter::Optional(..))).count();
        // How many optional ones and how many of the rest there are arguments for.
        let mut for_optional = arguments.len().saturating_sub(required).min(optional);
        let for_rest = arguments.len().saturating_sub(required + for_optional);
        let mut arguments = arguments.iter();
        for parameter in parameters {
            match parameter {
                RubyBlockParameter::Required(name) => {
                    let value = arguments.next().cloned().unwrap_or(Object::Nil);
                    self.set_local(name, 0, value)?;
                }
                RubyBlockParameter::Several(place) => {
                    let value = arguments.next().cloned().unwrap_or(Object::Nil);
                    self.assign(place, value)?;
                }
                RubyBlockParameter::Optional(name, default) => {
                    let value = match for_optional.checked_sub(1) {
                        Some(left) => {
                            for_optional = left;
                            arguments.next().cloned().unwrap_or(Object::Nil)
                        }
                        None => self.evaluate(default)?,
                    };
                    self.set_local(name, 0, value)?;
                }
                RubyBlockParameter::Rest(name) => {
                    let rest: Vec<Object> = arguments.by_ref().take(for_rest).cloned().collect();
                    if let Some(name) = name {
                        self.set_local(name, 0, Object::array(rest))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls a method that the template defines.
    pub(super) fn call_defined(&mut self, method: &'t MethodDefinition, arguments: &[Object]) -> Ruby {
        let required = method
            .parameters
            .iter()
            .filter(|it| matches!(it, RubyBlockParameter::Required(_) | RubyBlockParameter::Several(_)))
            .count();
        let has_rest = method.parameters.iter().any(|it| matches!(it, RubyBlockParameter::Rest(_)));
        if arguments.len() < required || arguments.len() > method.parameters.len() && !has_rest {
            return raise(format!("wrong number of arguments for '{}'", method.name));
        }
        let frames = std::mem::replace(&mut self.frames, vec![RubyLocals::new()]);
        let last_match = self.last_match.take();
        let result = self.bind(&method.parameters, arguments).and_then(|()| self.statements(&method.body));
        self.frames = frames;
        self.last_match = last_match;
        match result {
            Err(Stop::Return(value)) => Ok(value),
            // A `next` or `break` outside of a block.
            Err(Stop::Next(_) | Stop::Break(_)) => unsupported(),
            other => other,
        }
    }
}
