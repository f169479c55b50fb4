//! Method calls and method lookup.

use std::rc::Rc;
use std::sync::Arc;

use plugins::code::{MethodDefinition, RubyBlock, RubyBlockParameter, RubyExpression, RubyExpressionKind};
use smol_str::SmolStr;

use super::blocks::{BlockRef, Closure};
use super::classes::{Method, ModuleNesting, RubyModule};
use super::exceptions::MESSAGE;
use super::interpreter::{Interpreter, LocalScope, RubyContext};
use super::methods::{CallArguments, MethodInvocation, described};
use super::value::{Object, Ruby, Stop, raise, raise_as, unsupported};

/// Minimum free stack space for a method call, in bytes; with less, the stack grows by [`STACK_GROWTH`].
const MIN_FREE_STACK: usize = 1 << 20;
const STACK_GROWTH: usize = 8 << 20;

/// Returns the value that a setter call (`name=`, `[]=`) assigns.
fn written_value(name: &str, arguments: &CallArguments) -> Option<Object> {
    let is_writer = name.strip_suffix('=').is_some_and(|name| !matches!(name, "=" | "!" | "<" | ">" | "=="));
    is_writer.then(|| arguments.last().cloned()).flatten()
}

impl Interpreter<'_> {
    pub(super) fn call(&mut self, kind: &RubyExpressionKind) -> Ruby {
        let RubyExpressionKind::Call { receiver, name, arguments, block, is_safe, is_name } = kind else {
            return unsupported();
        };
        if let Some(element) = self.element_of_frozen(kind) {
            return Ok(element);
        }
        let receiver_is_written = receiver.is_some();
        let (receiver, is_own) = match receiver {
            Some(receiver) => {
                let is_this = matches!(*receiver.kind, RubyExpressionKind::This);
                (self.evaluate(receiver)?, is_this)
            }
            None => (self.context.this.clone(), true),
        };
        if *is_safe && matches!(receiver, Object::Nil) {
            return Ok(Object::Nil);
        }
        let arguments = self.arguments(arguments)?;
        // The value of `object.name = value` is the assigned value, whatever the method returns.
        let written = receiver_is_written.then(|| written_value(name, &arguments)).flatten();
        let block = self.passed_block(block.as_ref())?;
        let id = block.as_ref().map_or(0, BlockRef::id);
        let invocation = MethodInvocation { receiver, name, arguments, block };
        let result =
            if is_own { self.call_without_receiver(invocation, *is_name) } else { self.send(invocation) };
        match result {
            Err(Stop::Break(value, ended)) if id != 0 && ended == id => Ok(value),
            Ok(given) => Ok(written.unwrap_or(given)),
            other => other,
        }
    }

    pub(super) fn passed_block(&mut self, block: Option<&RubyBlock>) -> Ruby<Option<BlockRef>> {
        Ok(match block {
            None => None,
            Some(RubyBlock::Code(code)) => Some(self.closure(code)),
            Some(RubyBlock::Method(name)) => Some(BlockRef::Method(name.clone())),
            Some(RubyBlock::Argument(value)) => match self.evaluate(value)? {
                Object::Nil => None,
                Object::Proc(inner) => Some(inner.block.clone()),
                Object::Symbol(name) => Some(BlockRef::Method(name)),
                Object::Unknown(origin) => return Err(Stop::Unknown(origin)),
                _ => return unsupported(),
            },
            Some(RubyBlock::Unsupported) => return unsupported(),
        })
    }

    /// Evaluates arguments and expands `*` and `**`.
    pub(super) fn arguments(&mut self, expressions: &[RubyExpression]) -> Ruby<CallArguments> {
        let mut arguments = CallArguments::plain(self.list(expressions)?);
        if let Some(last) = expressions.last()
            && matches!(*last.kind, RubyExpressionKind::Hash { is_keywords: true, .. })
        {
            // `**{}` passes nothing.
            match arguments.last() {
                Some(Object::Hash(hash)) if hash.entries.borrow().is_empty() => drop(arguments.pop()),
                _ => arguments.has_keywords = true,
            }
        }
        Ok(arguments)
    }

    /// Calls a method of an object, user-defined or built-in.
    pub(super) fn call_method_of(&mut self, receiver: &Object, name: &str, arguments: Vec<Object>) -> Ruby {
        let receiver = receiver.clone();
        self.send(MethodInvocation {
            receiver,
            name,
            arguments: CallArguments::plain(arguments),
            block: None,
        })
    }

    /// Finds a user-defined method of an object.
    pub(super) fn defined_method(&self, receiver: &Object, name: &str) -> Option<(Method, Rc<RubyModule>)> {
        match receiver {
            Object::Instance(instance) => instance.class.find_method(name),
            Object::Module(module) => module.find_module_method(name),
            _ if self.has_extensions() => {
                let class = receiver.class_name()?;
                let Some(Object::Module(module)) = self.root.constants.borrow().get(class).cloned() else {
                    return None;
                };
                module.find_method(name)
            }
            _ => None,
        }
    }

    pub(super) fn has_extensions(&self) -> bool {
        self.native_modules().any(|module| !module.methods.borrow().is_empty())
    }

    /// Calls a method without an explicit receiver.
    pub(super) fn call_without_receiver(&mut self, invocation: MethodInvocation<'_>, is_name: bool) -> Ruby {
        if let Some((method, owner)) = self.defined_method(&invocation.receiver, invocation.name) {
            return self.invoke(&method, &owner, invocation);
        }
        let of_root = self.root.methods.borrow().get(invocation.name).cloned();
        if let Some(method) = of_root {
            let owner = self.root.clone();
            return self.invoke(&method, &owner, invocation);
        }
        self.call_native_without_receiver(invocation, is_name)
    }

    /// Executes a method with the receiver as `self`.
    pub(super) fn invoke(
        &mut self,
        method: &Method,
        owner: &Rc<RubyModule>,
        invocation: MethodInvocation<'_>,
    ) -> Ruby {
        match method {
            Method::Defined { definition, nesting, file } => {
                stacker::maybe_grow(MIN_FREE_STACK, STACK_GROWTH, || {
                    self.call_defined(definition, nesting.as_ref(), *file, owner, invocation)
                })
            }
            Method::Block(closure) => self.call_closure_as_method(closure, invocation),
            Method::Reader(name) => match &invocation.receiver {
                Object::Instance(instance) => {
                    Ok(instance.variables.borrow().get(name).cloned().unwrap_or(Object::Nil))
                }
                Object::Module(module) => {
                    Ok(module.variables.borrow().get(name).cloned().unwrap_or(Object::Nil))
                }
                _ => unsupported(),
            },
            Method::Writer(name) => {
                let value = invocation.argument(0).clone();
                let variables = match &invocation.receiver {
                    Object::Instance(instance) => &instance.variables,
                    Object::Module(module) => &module.variables,
                    _ => return unsupported(),
                };
                variables.borrow_mut().insert(name.clone(), value.clone());
                Ok(value)
            }
            Method::Native(name) => self.send_native(MethodInvocation { name, ..invocation }),
            Method::OfArgument(name) => match invocation.arguments.as_slice() {
                [argument] => self.call_method_of(argument, name, Vec::new()),
                _ => unsupported(),
            },
            Method::Missing => unsupported(),
        }
    }

    /// Calls a method that another template has defined.
    pub(super) fn call_template_method(
        &mut self,
        definition: Arc<MethodDefinition>,
        invocation: MethodInvocation<'_>,
    ) -> Ruby {
        let method = Method::Defined { definition, nesting: None, file: self.file };
        // Texts in the method belong to the other template.
        let (template, written) = (self.template.take(), self.out.len());
        let result = self.invoke(&method, &self.root.clone(), invocation);
        self.template = template;
        if self.out.len() == written { result } else { unsupported() }
    }

    fn call_defined(
        &mut self,
        definition: &Arc<MethodDefinition>,
        nesting: Option<&Rc<ModuleNesting>>,
        file: u32,
        owner: &Rc<RubyModule>,
        invocation: MethodInvocation<'_>,
    ) -> Ruby {
        self.step(1)?;
        let MethodInvocation { receiver, name: _, arguments, block } = invocation;
        let id = self.new_id();
        let scope = Rc::new(LocalScope::default());
        let context = RubyContext {
            id,
            this: receiver,
            nesting: nesting.cloned(),
            method: Some((definition.name.clone(), owner.clone())),
            own: Some((definition.clone(), scope.clone())),
            block,
        };
        let last_match = self.last_match.take();
        let file = std::mem::replace(&mut self.file, file);
        let rescuing = self.rescuing;
        let has_jumped = std::mem::take(&mut self.declared.has_jumped);
        let result = self.in_context(Rc::new(context), scope, |ruby| {
            ruby.check_count(&definition.name, &definition.parameters, &arguments)?;
            ruby.bind(&definition.parameters, arguments)?;
            ruby.statements(&definition.body)
        });
        self.rescuing = rescuing;
        self.file = file;
        self.last_match = last_match;
        let may_jump = std::mem::replace(&mut self.declared.has_jumped, has_jumped);
        match result {
            Ok(_) if may_jump => Ok(Object::Unknown(types::Origin::Ruby)),
            Err(Stop::Return(value, ended)) if ended == id => Ok(value),
            // Jump outside of a block.
            Err(Stop::Next(_) | Stop::Break(_, 0) | Stop::Retry) => unsupported(),
            other => other,
        }
    }

    /// Checks the number of arguments of a call.
    pub(super) fn check_count(
        &self,
        name: &str,
        parameters: &[RubyBlockParameter],
        arguments: &CallArguments,
    ) -> Ruby<()> {
        if arguments.are_unknown {
            return Ok(());
        }
        let count = |is: fn(&RubyBlockParameter) -> bool| parameters.iter().filter(|it| is(it)).count();
        let required =
            count(|it| matches!(it, RubyBlockParameter::Required(_) | RubyBlockParameter::Several(_)));
        let optional = count(|it| matches!(it, RubyBlockParameter::Optional(..)));
        let has_rest = count(|it| matches!(it, RubyBlockParameter::Rest(_))) > 0;
        let takes_keywords =
            count(|it| matches!(it, RubyBlockParameter::Keyword(..) | RubyBlockParameter::KeywordRest(_)))
                > 0;
        let given = arguments.len() - usize::from(takes_keywords && arguments.has_keywords);
        if given < required || given > required + optional && !has_rest {
            return raise_as(
                "ArgumentError",
                format!("wrong number of arguments for '{name}' (given {given}, expected {required})"),
            );
        }
        Ok(())
    }

    fn call_closure_as_method(&mut self, closure: &Rc<Closure>, invocation: MethodInvocation<'_>) -> Ruby {
        let this = invocation.receiver.clone();
        self.check_count(invocation.name, &closure.code.parameters, &invocation.arguments)?;
        self.call_closure(closure, invocation.arguments, Some(this), true)
    }

    /// Evaluates `Class.new(...)` for a user-defined class.
    pub(super) fn new_instance(
        &mut self,
        class: &Rc<RubyModule>,
        arguments: CallArguments,
        block: Option<BlockRef>,
    ) -> Ruby {
        if !class.is_class || class.is_native {
            return unsupported();
        }
        self.charge(64)?;
        let instance = self.instantiate(class);
        let invocation =
            MethodInvocation { receiver: instance.clone(), name: "initialize", arguments, block };
        match class.find_method("initialize") {
            Some((method, owner)) => drop(self.invoke(&method, &owner, invocation)?),
            None => drop(self.initialize_native(invocation)?),
        }
        Ok(instance)
    }

    /// Evaluates the built-in `initialize`.
    fn initialize_native(&mut self, invocation: MethodInvocation<'_>) -> Ruby {
        let Object::Instance(instance) = &invocation.receiver else { return unsupported() };
        let members = instance.class.ancestors().iter().find_map(|it| {
            let members = it.members.borrow();
            (!members.is_empty()).then(|| members.clone())
        });
        if let Some(members) = members {
            if invocation.arguments.len() > members.len() {
                return raise_as("ArgumentError", "struct size differs");
            }
            for (index, member) in members.iter().enumerate() {
                let value = invocation.argument(index).clone();
                instance.variables.borrow_mut().insert(member.clone(), value);
            }
            return Ok(Object::Nil);
        }
        match instance.class.native_ancestor() {
            None if invocation.arguments.is_empty() => Ok(Object::Nil),
            None => raise_as(
                "ArgumentError",
                format!("wrong number of arguments (given {}, expected 0)", invocation.arguments.len()),
            ),
            Some(class) if super::exceptions::is_error_class(&class) => {
                let message = super::exceptions::message_of(&instance.class, invocation.arguments.first());
                instance.variables.borrow_mut().insert(MESSAGE.into(), message);
                Ok(Object::Nil)
            }
            Some(_) => unsupported(),
        }
    }

    /// Evaluates `super`.
    pub(super) fn call_super(
        &mut self,
        arguments: Option<&[RubyExpression]>,
        block: Option<&RubyBlock>,
    ) -> Ruby {
        let arguments = match arguments {
            Some(arguments) => self.arguments(arguments)?,
            None => self.own_arguments()?,
        };
        let block = match block {
            Some(block) => self.passed_block(Some(block))?,
            None => self.context.block.clone(),
        };
        let Some((name, owner)) = self.context.method.clone() else { return unsupported() };
        let receiver = self.context.this.clone();
        let above = match &receiver {
            Object::Instance(instance) => {
                let ancestors = instance.class.ancestors();
                let at = ancestors.iter().position(|it| Rc::ptr_eq(it, &owner));
                let after = at.map_or(&[][..], |at| &ancestors[at + 1..]);
                after.iter().find_map(|module| {
                    let method = module.methods.borrow().get(&name).cloned()?;
                    Some((method, module.clone()))
                })
            }
            _ => return unsupported(),
        };
        let invocation = MethodInvocation { receiver, name: &name, arguments, block };
        match above {
            Some((method, owner)) => self.invoke(&method, &owner, invocation),
            None if name == "initialize" => self.initialize_native(invocation),
            None => self.send_native(invocation),
        }
    }

    /// Returns the arguments of `super` without a list: the current values of the method's parameters.
    fn own_arguments(&mut self) -> Ruby<CallArguments> {
        let Some((definition, scope)) = self.context.own.clone() else { return unsupported() };
        let mut all = Vec::new();
        for parameter in &definition.parameters {
            match parameter {
                RubyBlockParameter::Required(name) | RubyBlockParameter::Optional(name, _) => {
                    all.push(scope.get(name));
                }
                RubyBlockParameter::Rest(Some(name)) => match scope.get(name) {
                    Object::Array(rest) => all.extend(rest.elements.borrow().iter().cloned()),
                    _ => return unsupported(),
                },
                RubyBlockParameter::Block(_) => {}
                _ => return unsupported(),
            }
        }
        Ok(CallArguments::plain(all))
    }

    /// Evaluates `yield`.
    pub(super) fn yields(&mut self, arguments: &[RubyExpression]) -> Ruby {
        let arguments = self.list(arguments)?;
        match self.context.block.clone() {
            Some(block) => self.call_block(&block, arguments),
            None => raise_as("LocalJumpError", "no block given (yield)"),
        }
    }

    /// Handles a call of an undefined method.
    pub(super) fn missing_method(&mut self, invocation: &MethodInvocation<'_>, is_name: bool) -> Ruby {
        let name: SmolStr = invocation.name.into();
        if let Some((method, owner)) = self.defined_method(&invocation.receiver, "method_missing") {
            let mut arguments = invocation.arguments.clone();
            arguments.all.insert(0, Object::Symbol(name));
            let receiver = invocation.receiver.clone();
            let block = invocation.block.clone();
            return self.invoke(
                &method,
                &owner,
                MethodInvocation { receiver, name: "method_missing", arguments, block },
            );
        }
        match &invocation.receiver {
            Object::Instance(instance) => {
                let class = &instance.class;
                if class.native_ancestor().is_some() || class.has_unknown_ancestors() {
                    return unsupported();
                }
                raise_as("NoMethodError", format!("undefined method '{name}' for {}", class.name.borrow()))
            }
            receiver => {
                let what = if is_name { "variable or method" } else { "method" };
                raise(format!("undefined local {what} '{name}' for {}", described(receiver)?))
            }
        }
    }
}
