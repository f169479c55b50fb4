//! Blocks, and binding of arguments to the parameters of blocks and methods.

use std::rc::Rc;
use std::sync::Arc;

use plugins::code::{BlockCode, RubyBlockParameter};
use smol_str::SmolStr;

use super::interpreter::{Interpreter, LocalScope, RubyContext};
use super::key::ObjectKey;
use super::methods::{CallArguments, MethodInvocation};
use super::value::{Object, ObjectEntries, Proc, Ruby, Stop, raise, raise_as, unsupported};
use super::watched::WatchedCell;

/// Block argument of a call.
#[derive(Clone, Debug)]
pub(crate) enum BlockRef {
    Code(Rc<Closure>),
    /// `&:name`
    Method(SmolStr),
    /// `method(:name)`
    Bound(Box<Object>, SmolStr),
    /// Lambda that Puppet code passed to the function.
    Puppet,
    /// Block of `with_index`, which also receives the iteration number.
    Indexed(Box<BlockRef>, Rc<WatchedCell<i64>>),
}

/// Block with the variables and context that it captures.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(super) code: Arc<BlockCode>,
    pub(super) scope: Rc<LocalScope>,
    pub(super) context: Rc<RubyContext>,
    pub(super) file: u32,
    /// Identifies the call that `break` ends.
    pub(super) id: u64,
}

impl BlockRef {
    /// Takes the values of the captured variables if this is the only reference to them.
    pub(super) fn take_unshared(&self) -> Vec<Object> {
        match self {
            BlockRef::Code(closure)
                if Rc::strong_count(closure) == 1 && Rc::strong_count(&closure.scope) == 1 =>
            {
                closure.scope.take()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn id(&self) -> u64 {
        match self {
            BlockRef::Code(closure) => closure.id,
            BlockRef::Indexed(inner, _) => inner.id(),
            BlockRef::Method(_) | BlockRef::Bound(..) | BlockRef::Puppet => 0,
        }
    }
}

impl Interpreter<'_> {
    pub(super) fn closure(&mut self, code: &Arc<BlockCode>) -> BlockRef {
        BlockRef::Code(Rc::new(Closure {
            code: code.clone(),
            scope: self.scope.clone(),
            context: self.context.clone(),
            file: self.file,
            id: self.new_id(),
        }))
    }

    /// Creates a proc or lambda. It may be part of a reference cycle.
    pub(super) fn new_proc(&mut self, block: BlockRef, is_lambda: bool) -> Object {
        if let BlockRef::Code(closure) = &block {
            let mut scope = Some(&closure.scope);
            while let Some(outer) = scope {
                self.held.scopes.push(Rc::downgrade(outer));
                scope = outer.outer.as_ref();
            }
        }
        Object::Proc(Rc::new(Proc { block, is_lambda }))
    }

    pub(super) fn call_block(&mut self, block: &BlockRef, mut arguments: Vec<Object>) -> Ruby {
        match block {
            BlockRef::Method(name) => {
                if arguments.is_empty() {
                    return raise("no receiver given");
                }
                let receiver = arguments.remove(0);
                self.call_method_of(&receiver, name, arguments)
            }
            BlockRef::Bound(receiver, name) => {
                let arguments = CallArguments::plain(arguments);
                let receiver = (**receiver).clone();
                self.call_without_receiver(MethodInvocation { receiver, name, arguments, block: None }, false)
            }
            BlockRef::Puppet => {
                self.report_changes()?;
                let arguments: Ruby<Vec<types::Value>> = arguments.iter().map(Object::to_puppet).collect();
                match self.host.call_lambda(arguments?)? {
                    Some(value) => Ok(Object::from_puppet(&value)),
                    None => unsupported(),
                }
            }
            BlockRef::Indexed(inner, next) => {
                let index = next.replace(next.get() + 1);
                let value = match arguments.len() {
                    1 => arguments.remove(0),
                    _ => Object::array(arguments),
                };
                self.call_block(inner, vec![value, Object::Integer(index)])
            }
            BlockRef::Code(closure) => {
                self.call_closure(closure, CallArguments::plain(arguments), None, false)
            }
        }
    }

    /// Calls a block with another `self`.
    pub(super) fn call_block_as(&mut self, block: &BlockRef, this: Object, arguments: Vec<Object>) -> Ruby {
        match block {
            BlockRef::Code(closure) => {
                self.call_closure(closure, CallArguments::plain(arguments), Some(this), false)
            }
            _ => unsupported(),
        }
    }

    /// Calls a proc or lambda.
    pub(super) fn call_proc(&mut self, called: &Proc, arguments: CallArguments) -> Ruby {
        match &called.block {
            BlockRef::Code(closure) if called.is_lambda => {
                self.check_count("lambda", &closure.code.parameters, &arguments)?;
                self.call_closure(closure, arguments, None, true)
            }
            block => self.call_block(block, arguments.all),
        }
    }

    /// Calls a closure. If `is_method` is true, it is called as a lambda or method: array arguments are not
    /// destructured, and `return` ends it.
    pub(super) fn call_closure(
        &mut self,
        closure: &Rc<Closure>,
        mut arguments: CallArguments,
        this: Option<Object>,
        is_method: bool,
    ) -> Ruby {
        self.step(1)?;
        let BlockCode { parameters, has_trailing_comma, body } = &*closure.code;
        let has_jumped = std::mem::take(&mut self.declared.has_jumped);
        let wants_several = *has_trailing_comma
            || parameters.len() > 1
            || matches!(parameters[..], [RubyBlockParameter::Several(_)]) && arguments.len() > 1;
        if let [Object::Array(array)] = &arguments.all[..]
            && wants_several
            && !is_method
        {
            let elements = array.elements.borrow().clone();
            arguments = CallArguments::plain(elements);
        }
        if let ([Object::Unknown(_)], true) = (&arguments.all[..], wants_several && !is_method) {
            arguments.are_unknown = self.abstract_evaluation.is_some();
        }
        let mut context = closure.context.clone();
        if this.is_some() || is_method {
            let inner = RubyContext {
                id: if is_method { self.new_id() } else { context.id },
                this: this.unwrap_or_else(|| context.this.clone()),
                nesting: context.nesting.clone(),
                method: context.method.clone(),
                own: context.own.clone(),
                block: context.block.clone(),
            };
            context = Rc::new(inner);
        }
        let id = context.id;
        let scope = Rc::new(LocalScope::within(&closure.scope));
        let file = std::mem::replace(&mut self.file, closure.file);
        let break_to = std::mem::replace(&mut self.break_to, closure.id);
        let result = self.in_context(context, scope, |ruby| {
            ruby.bind(parameters, arguments)?;
            ruby.statements(body)
        });
        self.break_to = break_to;
        self.file = file;
        let may_jump = std::mem::replace(&mut self.declared.has_jumped, has_jumped);
        match result {
            Ok(_) if may_jump => Ok(Object::Unknown(types::Origin::Ruby)),
            Err(Stop::Next(value)) => Ok(value),
            Err(Stop::Return(value, ended)) if is_method && ended == id => Ok(value),
            Err(Stop::Break(value, ended)) if is_method && ended == closure.id => Ok(value),
            other => other,
        }
    }

    /// Binds arguments to parameters. Extra arguments are dropped, missing ones are `nil`.
    pub(super) fn bind(
        &mut self,
        parameters: &[RubyBlockParameter],
        mut arguments: CallArguments,
    ) -> Ruby<()> {
        if arguments.are_unknown {
            return self.bind_unknown(parameters);
        }
        let keywords = self.take_keywords(parameters, &mut arguments);
        let required = parameters
            .iter()
            .filter(|it| matches!(it, RubyBlockParameter::Required(_) | RubyBlockParameter::Several(_)))
            .count();
        let optional = parameters.iter().filter(|it| matches!(it, RubyBlockParameter::Optional(..))).count();
        // Number of arguments for optional parameters and for the rest parameter.
        let mut for_optional = arguments.len().saturating_sub(required).min(optional);
        let for_rest = arguments.len().saturating_sub(required + for_optional);
        let mut arguments = arguments.all.into_iter();
        for parameter in parameters {
            match parameter {
                RubyBlockParameter::Required(name) => {
                    let value = arguments.next().unwrap_or(Object::Nil);
                    self.set_local(name, 0, value)?;
                }
                RubyBlockParameter::Several(target) => {
                    let value = arguments.next().unwrap_or(Object::Nil);
                    self.assign(target, value)?;
                }
                RubyBlockParameter::Optional(name, default) => {
                    let value = match for_optional.checked_sub(1) {
                        Some(left) => {
                            for_optional = left;
                            arguments.next().unwrap_or(Object::Nil)
                        }
                        None => self.evaluate(default)?,
                    };
                    self.set_local(name, 0, value)?;
                }
                RubyBlockParameter::Rest(name) => {
                    let rest: Vec<Object> = arguments.by_ref().take(for_rest).collect();
                    if let Some(name) = name {
                        self.set_local(name, 0, Object::array(rest))?;
                    }
                }
                RubyBlockParameter::Block(Some(name)) => {
                    let value = match self.context.block.clone() {
                        Some(block) => self.new_proc(block, false),
                        None => Object::Nil,
                    };
                    self.set_local(name, 0, value)?;
                }
                RubyBlockParameter::Keyword(..)
                | RubyBlockParameter::KeywordRest(_)
                | RubyBlockParameter::Block(None) => {}
            }
        }
        self.bind_keywords(parameters, keywords)
    }

    /// Binds unknown arguments.
    fn bind_unknown(&mut self, parameters: &[RubyBlockParameter]) -> Ruby<()> {
        for parameter in parameters {
            let unknown = Object::Unknown(types::Origin::Ruby);
            match parameter {
                RubyBlockParameter::Several(target) => self.assign(target, unknown)?,
                RubyBlockParameter::Required(name)
                | RubyBlockParameter::Optional(name, _)
                | RubyBlockParameter::Keyword(name, _)
                | RubyBlockParameter::Rest(Some(name))
                | RubyBlockParameter::KeywordRest(Some(name))
                | RubyBlockParameter::Block(Some(name)) => self.set_local(name, 0, unknown)?,
                RubyBlockParameter::Rest(None)
                | RubyBlockParameter::KeywordRest(None)
                | RubyBlockParameter::Block(None) => {}
            }
        }
        Ok(())
    }

    /// Removes the last argument and returns it if it is a hash of keyword arguments.
    fn take_keywords(
        &self,
        parameters: &[RubyBlockParameter],
        arguments: &mut CallArguments,
    ) -> Option<ObjectEntries> {
        let takes_keywords = parameters
            .iter()
            .any(|it| matches!(it, RubyBlockParameter::Keyword(..) | RubyBlockParameter::KeywordRest(_)));
        if !takes_keywords {
            return None;
        }
        match arguments.last() {
            Some(Object::Hash(hash)) if arguments.has_keywords => {
                let entries = hash.entries.borrow().clone();
                arguments.pop();
                Some(entries)
            }
            _ => Some(ObjectEntries::default()),
        }
    }

    fn bind_keywords(
        &mut self,
        parameters: &[RubyBlockParameter],
        keywords: Option<ObjectEntries>,
    ) -> Ruby<()> {
        let Some(mut keywords) = keywords else { return Ok(()) };
        let mut takes_any = false;
        for parameter in parameters {
            match parameter {
                RubyBlockParameter::Keyword(name, default) => {
                    let given = keywords.shift_remove(&ObjectKey(Object::Symbol(name.clone())));
                    let value = match (given, default) {
                        (Some(value), _) => value,
                        (None, Some(default)) => self.evaluate(default)?,
                        (None, None) => {
                            return raise_as("ArgumentError", format!("missing keyword: :{name}"));
                        }
                    };
                    self.set_local(name, 0, value)?;
                }
                RubyBlockParameter::KeywordRest(name) => {
                    takes_any = true;
                    if let Some(name) = name {
                        self.set_local(name, 0, Object::hash(std::mem::take(&mut keywords)))?;
                    }
                }
                _ => {}
            }
        }
        if keywords.is_empty() || takes_any { Ok(()) } else { raise_as("ArgumentError", "unknown keywords") }
    }
}
