//! Puppet's two APIs for functions in Ruby.

use std::rc::Rc;
use std::sync::Arc;

use plugins::code::RubyProgram;
use smol_str::SmolStr;
use types::Value;

use super::super::blocks::{BlockRef, Closure};
use super::super::classes::{RubyModule, Superclass, names};
use super::super::defined::{DefinedFunction, Dispatch, FunctionBody};
use super::super::interpreter::{Interpreter, LocalScope, RubyContext, StopReason};
use super::super::methods::modules::in_body;
use super::super::methods::{CallArguments, INSTANCE, MANY, MethodInvocation, MethodRow, row};
use super::super::value::{CompilerPart, Object, Ruby, Stop, unsupported};

/// Result of a call.
#[derive(Debug)]
pub struct FunctionOutcome {
    pub result: Result<Value, Stop>,
    /// First reason for an unknown value, even if the result does not depend on it.
    pub reason: Option<StopReason>,
    /// True if the code read a constant that may not exist.
    pub assumes_constant: bool,
}

/// Call of a function defined by a file.
#[derive(Debug)]
pub struct FunctionCall<'a> {
    /// File that defines the function.
    pub program: Arc<RubyProgram>,
    pub name: &'a str,
    pub arguments: &'a [Value],
    /// Index of the signature that matches the arguments, and the number of signatures.
    pub signature: (usize, usize),
}

impl Interpreter<'_> {
    /// Loads the file of a function and calls it.
    pub(in super::super) fn load_and_call(&mut self, call: &FunctionCall<'_>) -> FunctionOutcome {
        let loaded = self.load_functions(&call.program);
        let result = loaded.and_then(|()| self.call_loaded(call));
        self.finish_call(result)
    }

    /// Calls a function of an evaluated file.
    pub(in super::super) fn run_function(&mut self, call: &FunctionCall<'_>) -> FunctionOutcome {
        self.takes_libraries = true;
        let result = self.call_loaded(call);
        self.finish_call(result)
    }

    fn finish_call(&mut self, mut result: Result<Value, Stop>) -> FunctionOutcome {
        match result {
            Ok(_) => {
                if let Err(stop) = self.report_changes() {
                    self.note_reason(0, || "change to an argument".to_owned());
                    result = Err(stop);
                }
            }
            Err(_) => self.report_unknown_changes(),
        }
        // The function does not exist if loading the library fails.
        if self.has_unknown_library && result.is_ok() {
            result = unsupported();
        }
        FunctionOutcome { result, reason: self.reason.take(), assumes_constant: self.assumes_constant }
    }

    /// Evaluates a file.
    pub(in super::super) fn run_file(&mut self, program: Arc<RubyProgram>) -> Ruby<()> {
        let file = std::mem::replace(&mut self.file, self.files.len() as u32);
        self.files.push(program.clone());
        let id = self.new_id();
        let context =
            RubyContext { id, this: Object::Main, nesting: None, method: None, own: None, block: None };
        let scope = Rc::new(LocalScope::default());
        let result = self.in_context(Rc::new(context), scope, |ruby| ruby.statements(&program.statements));
        self.file = file;
        result.map(drop)
    }

    /// Evaluates a file that defines functions.
    pub(in super::super) fn load_functions(&mut self, program: &Arc<RubyProgram>) -> Ruby<()> {
        self.takes_libraries = true;
        match self.run_file(program.clone()) {
            Ok(()) => {
                self.failed_at = None;
                Ok(())
            }
            // Another file or another version of Ruby may still define it.
            Err(Stop::Raise(error)) => {
                self.note_reason(0, || format!("error while loading the file: {}", error.message));
                unsupported()
            }
            Err(Stop::Next(_) | Stop::Break(..) | Stop::Return(..) | Stop::Retry) => {
                self.note_reason(0, || "jump out of the file".to_owned());
                unsupported()
            }
            Err(stop) => Err(stop),
        }
    }

    fn call_loaded(&mut self, call: &FunctionCall<'_>) -> Result<Value, Stop> {
        let found = self.functions.iter().rposition(|function| function.name == call.name);
        let Some(found) = found else {
            self.note_reason(0, || "function definition not found in the file".to_owned());
            return unsupported();
        };
        // A function of the 3.x API may call the others of its file, and itself.
        let result = match &self.functions[found].body {
            FunctionBody::Modern(..) => match self.functions.swap_remove(found).body {
                FunctionBody::Modern(class, dispatches) => self.call_modern(call, &class, &dispatches)?,
                FunctionBody::Legacy(_) => return unsupported(),
            },
            FunctionBody::Legacy(closure) => {
                let block = self.host.has_lambda().then_some(BlockRef::Puppet);
                let closure = closure.clone();
                self.call_legacy(call.name, &closure, call.arguments, block)?
            }
        };
        self.as_value(&result)
    }

    /// Calls a function of the 3.x API with converted arguments.
    fn call_legacy(
        &mut self,
        name: &str,
        closure: &Rc<Closure>,
        arguments: &[Value],
        block: Option<BlockRef>,
    ) -> Ruby {
        let arguments = Object::array(arguments.iter().map(Object::from_puppet).collect());
        // Puppet passes copies of collections, but not of the strings in them.
        arguments.unshare_lists();
        let file = std::mem::replace(&mut self.file, closure.file);
        let arguments = CallArguments::plain(vec![arguments]);
        self.check_count(name, &closure.code.parameters, &arguments)?;
        let result =
            self.with_block(block, |ruby| ruby.call_closure(closure, arguments, Some(Object::Scope), true));
        self.file = file;
        result
    }

    /// Calls another function of the 3.x API that the evaluated file defines; `None` if there is none of that
    /// name.
    pub(in super::super) fn call_sibling(&mut self, name: &str, arguments: &[Value]) -> Option<Ruby> {
        let siblings = self.functions.iter().rev().filter(|it| it.name == name);
        let closure = siblings.filter_map(|it| match &it.body {
            FunctionBody::Legacy(closure) => Some(closure.clone()),
            FunctionBody::Modern(..) => None,
        });
        let closure = closure.into_iter().next()?;
        // Puppet converts some values.
        if !arguments.iter().all(|argument| is_passed_unchanged(argument, 0)) {
            return Some(unsupported());
        }
        let undef_as_text = |it: &Value| if it.is_undef() { Value::string("") } else { it.clone() };
        let arguments: Vec<Value> = arguments.iter().map(undef_as_text).collect();
        Some(self.call_legacy(name, &closure, &arguments, None))
    }

    /// Converts a result to a Puppet value.
    pub(super) fn as_value(&mut self, result: &Object) -> Result<Value, Stop> {
        let value = result.to_puppet();
        if matches!(value, Err(Stop::Unknown(_))) {
            self.note_reason(0, || "result that is not a Puppet value".to_owned());
        }
        value
    }

    fn call_modern(
        &mut self,
        call: &FunctionCall<'_>,
        class: &Rc<RubyModule>,
        dispatches: &[Dispatch],
    ) -> Ruby {
        // Puppet calls these itself, the former instead of the dispatched method.
        if ["call", "initialize"].iter().any(|name| class.find_method(name).is_some()) {
            self.note_reason(0, || "function that replaces Puppet's own methods".to_owned());
            return unsupported();
        }
        let instance = self.instantiate(class);
        let mut arguments: Vec<Object> = call.arguments.iter().map(|it| self.given.object(it)).collect();
        let (index, count) = call.signature;
        let method = if dispatches.is_empty() {
            SmolStr::new(call.name.rsplit("::").next().unwrap_or(call.name))
        } else {
            let mut usual = dispatches.iter().filter(|it| !it.is_mismatch);
            if usual.clone().count() != count {
                self.note_reason(0, || "unsupported dispatch definitions".to_owned());
                return unsupported();
            }
            let Some(dispatch) = usual.nth(index).filter(|it| !it.is_unclear) else {
                self.note_reason(0, || "ambiguous dispatch".to_owned());
                return unsupported();
            };
            if dispatch.gets_scope {
                arguments.insert(0, Object::Scope);
            }
            dispatch.method.clone()
        };
        let block = self.host.has_lambda().then_some(BlockRef::Puppet);
        let arguments = CallArguments::plain(arguments);
        self.call_without_receiver(
            MethodInvocation { receiver: instance, name: &method, arguments, block },
            false,
        )
    }

    /// Runs `work` with a block as the current block argument.
    fn with_block(
        &mut self,
        block: Option<BlockRef>,
        work: impl FnOnce(&mut Interpreter<'_>) -> Ruby,
    ) -> Ruby {
        let outer = &self.context;
        let context = RubyContext {
            id: outer.id,
            this: outer.this.clone(),
            nesting: outer.nesting.clone(),
            method: None,
            own: None,
            block,
        };
        self.in_context(Rc::new(context), Rc::new(LocalScope::default()), work)
    }
}

/// Returns true for values that functions of the 3.x API get as they are.
fn is_passed_unchanged(value: &Value, depth: u32) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(elements) => depth < 64 && elements.iter().all(|it| is_passed_unchanged(it, depth + 1)),
        Value::Hash(entries) => {
            let is_unchanged = |it: &Value| is_passed_unchanged(it, depth + 1);
            depth < 64 && entries.iter().all(|(key, value)| is_unchanged(key) && is_unchanged(value))
        }
        _ => false,
    }
}

/// Methods called without a receiver in the bodies of functions and of Puppet's modules.
const IN_BODIES: &[&str] = &[
    "dispatch",
    "argument_mismatch",
    "local_types",
    "param",
    "required_param",
    "optional_param",
    "repeated_param",
    "optional_repeated_param",
    "required_repeated_param",
    "block_param",
    "required_block_param",
    "optional_block_param",
    "return_type",
    "scope_param",
    "cache_param",
    "compiler_param",
    "script_compiler_param",
    "pal_compiler_param",
    "type",
    "newfunction",
    "create_function",
    "create_loaded_function",
    "init_dispatch",
];

pub(in super::super) fn is_body_method(name: &str) -> bool {
    IN_BODIES.contains(&name)
}

/// Evaluates Puppet's methods in the body of a module; `None` for other methods.
pub(in super::super) fn call_in_body(
    ruby: &mut Interpreter<'_>,
    module: &Rc<RubyModule>,
    it: &MethodInvocation<'_>,
) -> Option<Ruby> {
    if !is_body_method(it.name) {
        return None;
    }
    if module.is_native {
        return Some(match (module.name.borrow().as_str(), it.name) {
            ("Puppet::Functions", "create_function") => create_function(ruby, it),
            ("Puppet::Functions", "create_loaded_function") => create_loaded_function(ruby, it),
            ("Puppet::Parser::Functions", "newfunction") => new_function(ruby, it),
            _ => return None,
        });
    }
    if !is_function_class(module) {
        return None;
    }
    Some(in_function(ruby, module, it))
}

fn is_function_class(module: &Rc<RubyModule>) -> bool {
    module.native_ancestor().is_some_and(|path| path.starts_with("Puppet::Functions::"))
}

fn in_function(ruby: &mut Interpreter<'_>, module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    match it.name {
        "dispatch" | "argument_mismatch" => {
            let method = names(&it.arguments)?.pop().unwrap_or_default();
            let is_mismatch = it.name == "argument_mismatch";
            ruby.dispatches.push(Dispatch { method, is_mismatch, ..Dispatch::default() });
            match &it.block {
                Some(block) => ruby.call_block_as(block, Object::Module(module.clone()), Vec::new()),
                None => Ok(Object::Nil),
            }
        }
        // Types are handled elsewhere.
        "local_types" | "init_dispatch" => Ok(Object::Nil),
        "scope_param" => {
            if let Some(dispatch) = ruby.dispatches.last_mut() {
                dispatch.gets_scope = true;
            }
            Ok(Object::Nil)
        }
        "cache_param" | "compiler_param" | "script_compiler_param" | "pal_compiler_param" => {
            if let Some(dispatch) = ruby.dispatches.last_mut() {
                dispatch.is_unclear = true;
            }
            Ok(Object::Nil)
        }
        _ => Ok(Object::Nil),
    }
}

/// Evaluates `create_function(:name, Base) do ... end`.
pub(in super::super) fn create_function(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    define_function(ruby, it, it.arguments.get(1))
}

/// Evaluates `create_loaded_function(:name, loader, Base) do ... end`.
pub(in super::super) fn create_loaded_function(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
) -> Ruby {
    define_function(ruby, it, it.arguments.get(2))
}

fn define_function(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, base: Option<&Object>) -> Ruby {
    let Some(name) = names(&it.arguments[..1.min(it.arguments.len())])?.pop() else { return unsupported() };
    let class = ruby.new_module(name.clone(), true, false);
    *class.superclass.borrow_mut() = match base {
        None | Some(Object::Nil) => Superclass::Native("Puppet::Functions::Function".into()),
        Some(Object::Constant(path)) if path.starts_with("Puppet::Functions::") => {
            Superclass::Native(path.clone())
        }
        Some(Object::Module(base)) => Superclass::Module(base.clone()),
        Some(_) => return unsupported(),
    };
    let Some(block) = &it.block else { return unsupported() };
    let outer = std::mem::take(&mut ruby.dispatches);
    let result = in_body(ruby, &class, block);
    let dispatches = std::mem::replace(&mut ruby.dispatches, outer);
    result?;
    ruby.functions.push(DefinedFunction { name, body: FunctionBody::Modern(class, dispatches) });
    Ok(Object::Nil)
}

/// Evaluates `newfunction(:name, ...) do |arguments| ... end`.
pub(in super::super) fn new_function(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Some(name) = names(&it.arguments[..1.min(it.arguments.len())])?.pop() else { return unsupported() };
    let Some(BlockRef::Code(closure)) = &it.block else { return unsupported() };
    ruby.functions.push(DefinedFunction { name, body: FunctionBody::Legacy(closure.clone()) });
    Ok(Object::Nil)
}

/// Methods available inside version 4 functions.
static TABLE: &[MethodRow] = &[
    row("call_function", INSTANCE, 1, MANY, |ruby, it| {
        if it.block.is_some() {
            return unsupported();
        }
        let Some(name) = names(&it.arguments[..1])?.pop() else { return unsupported() };
        let arguments: Ruby<Vec<Value>> = it.arguments[1..].iter().map(Object::to_puppet).collect();
        ruby.report_changes()?;
        Ok(Object::from_puppet(&ruby.host.call_function_at_top(&name, arguments?)?))
    }),
    // For functions of modules this is the top scope, whatever the caller.
    row("closure_scope", INSTANCE, 0, 0, |_, _| Ok(Object::Compiler(CompilerPart::TopScope))),
];

pub(in super::super) fn find_in_function(it: &MethodInvocation<'_>) -> Option<&'static MethodRow> {
    let Object::Instance(instance) = &it.receiver else { return None };
    let row = TABLE.iter().find(|row| row.name == it.name)?;
    is_function_class(&instance.class).then_some(row)
}
