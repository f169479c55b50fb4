//! Methods of user-defined classes and modules, and calls in their bodies.

use std::rc::Rc;

use smol_str::SmolStr;

use super::super::blocks::BlockRef;
use super::super::classes::{Method, RubyModule, Superclass, names};
use super::super::interpreter::Interpreter;
use super::super::puppet::functions;
use super::super::value::{Object, Ruby, Stop, unsupported};
use super::{MethodInvocation, is_definition_method};

/// Returns true for methods called without a receiver in the body of a module.
pub(in super::super) fn is_known(name: &str) -> bool {
    is_definition_method(name) || functions::is_body_method(name)
}

pub(in super::super) fn call(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Object::Module(module) = &it.receiver else { return unsupported() };
    let module = module.clone();
    if let Some(result) = functions::call_in_body(ruby, &module, it) {
        return result;
    }
    if module.is_native
        && !is_definition_method(it.name)
        && let Some(row) = (ruby.tables.of_module)(&module.name.borrow(), it.name)
    {
        return ruby.call_method(row, it);
    }
    match it.name {
        "define_method" | "define_singleton_method" | "alias_method" | "undef_method" => {
            change_methods(&module, it)
        }
        "attr_reader" | "attr_writer" | "attr_accessor" | "attr" => attributes(&module, it),
        "include" | "extend" => mix_in(ruby, &module, it),
        "module_function" => module_functions(&module, it),
        // Visibility does not affect results.
        "private"
        | "public"
        | "protected"
        | "private_class_method"
        | "private_constant"
        | "public_class_method" => Ok(it.argument(0).clone()),
        "class_eval" | "module_eval" | "class_exec" => match &it.block {
            Some(block) if it.arguments.is_empty() => in_body(ruby, &module, block),
            _ => unsupported(),
        },
        "instance_eval" => match &it.block {
            Some(block) => ruby.call_block_as(block, it.receiver.clone(), vec![it.receiver.clone()]),
            None => unsupported(),
        },
        _ => evaluate_query(ruby, &module, it),
    }
}

/// Evaluates methods that add or remove methods.
fn change_methods(module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    match it.name {
        "define_method" => define_method(module, it),
        "define_singleton_method" => {
            let Some(BlockRef::Code(closure)) = &it.block else { return unsupported() };
            let name = names(&it.arguments[..1.min(it.arguments.len())])?.pop();
            let Some(name) = name else { return unsupported() };
            module.module_methods.borrow_mut().insert(name.clone(), Method::Block(closure.clone()));
            Ok(Object::Symbol(name))
        }
        "alias_method" => match names(&it.arguments)?.as_slice() {
            [name, method] => match module.find_method(method) {
                Some((found, _)) => {
                    module.methods.borrow_mut().insert(name.clone(), found);
                    Ok(Object::Symbol(name.clone()))
                }
                None if module.is_native => {
                    module.methods.borrow_mut().insert(name.clone(), Method::Native(method.clone()));
                    Ok(Object::Symbol(name.clone()))
                }
                None => unsupported(),
            },
            _ => unsupported(),
        },
        "undef_method" => {
            for name in names(&it.arguments)? {
                module.methods.borrow_mut().insert(name, Method::Missing);
            }
            Ok(it.receiver.clone())
        }
        _ => unsupported(),
    }
}

/// Evaluates queries, and `new`.
fn evaluate_query(ruby: &mut Interpreter<'_>, module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    let name_argument =
        || names(&it.arguments[..1.min(it.arguments.len())]).map(|names| names.into_iter().next());
    match it.name {
        "new" => ruby.new_instance(module, it.arguments.clone(), it.block.clone()),
        "allocate" if module.native_ancestor().is_none() => Ok(ruby.instantiate(module)),
        "name" | "to_s" | "inspect" if !module.name.borrow().is_empty() => {
            Ok(Object::text(module.name.borrow().as_str()))
        }
        "class" => Ok(Object::Constant(if module.is_class { "Class".into() } else { "Module".into() })),
        "nil?" => Ok(Object::Boolean(false)),
        "==" | "equal?" | "eql?" => {
            Ok(Object::Boolean(matches!(it.argument(0), Object::Module(other) if Rc::ptr_eq(other, module))))
        }
        "===" => {
            let is = super::constants::is_instance(ruby, it.argument(0), &it.receiver)?;
            Ok(Object::Boolean(is))
        }
        "is_a?" | "kind_of?" => match it.argument(0) {
            Object::Constant(path) => {
                let own =
                    if module.is_class { &["Class", "Module", "Object"][..] } else { &["Module", "Object"] };
                Ok(Object::Boolean(own.contains(&path.as_str())))
            }
            Object::Module(_) => Ok(Object::Boolean(false)),
            _ => unsupported(),
        },
        "respond_to?" => match name_argument()? {
            Some(name) if module.find_module_method(&name).is_some() => Ok(Object::Boolean(true)),
            _ => unsupported(),
        },
        "method_defined?" | "instance_method_defined?" => match name_argument()? {
            Some(name) if module.find_method(&name).is_some() => Ok(Object::Boolean(true)),
            _ => unsupported(),
        },
        "members" => {
            let members = module.members.borrow();
            Ok(Object::array(members.iter().cloned().map(Object::Symbol).collect()))
        }
        "send" | "public_send" | "__send__" => {
            let name = name_argument()?.unwrap_or_default();
            let arguments = super::CallArguments { all: it.arguments[1..].to_vec(), ..it.arguments.clone() };
            let receiver = it.receiver.clone();
            let block = it.block.clone();
            ruby.call_without_receiver(MethodInvocation { receiver, name: &name, arguments, block }, false)
        }
        _ => access_constants(ruby, module, it),
    }
}

/// Evaluates access to constants and variables of a module.
fn access_constants(ruby: &mut Interpreter<'_>, module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    let name_argument =
        || names(&it.arguments[..1.min(it.arguments.len())]).map(|names| names.into_iter().next());
    match it.name {
        "const_get" => match name_argument()? {
            Some(name) => ruby.constant_of(&it.receiver, &name),
            None => unsupported(),
        },
        "const_defined?" => match name_argument()? {
            Some(name) if module.constants.borrow().contains_key(&name) => Ok(Object::Boolean(true)),
            Some(name) if !module.is_native && !super::constants::may_be_known(&name) => {
                Ok(Object::Boolean(false))
            }
            _ => unsupported(),
        },
        "const_set" => match name_argument()? {
            Some(name) => {
                module.constants.borrow_mut().insert(name, it.argument(1).clone());
                Ok(it.argument(1).clone())
            }
            None => unsupported(),
        },
        "instance_variable_get" => {
            let name = name_argument()?.unwrap_or_default();
            let value = module.variables.borrow().get(name.trim_start_matches('@')).cloned();
            Ok(value.unwrap_or(Object::Nil))
        }
        "instance_variable_set" => {
            let name: SmolStr = name_argument()?.unwrap_or_default().trim_start_matches('@').into();
            module.variables.borrow_mut().insert(name, it.argument(1).clone());
            Ok(it.argument(1).clone())
        }
        _ => unsupported(),
    }
}

/// Runs a block as the body of a module.
pub(in super::super) fn in_body(
    ruby: &mut Interpreter<'_>,
    module: &Rc<RubyModule>,
    block: &BlockRef,
) -> Ruby {
    let BlockRef::Code(closure) = block else { return unsupported() };
    let (code, scope, file) = (closure.code.clone(), closure.scope.clone(), closure.file);
    let outer = std::mem::replace(&mut ruby.file, file);
    let result = ruby.in_module(module, |ruby| {
        ruby.scope = Rc::new(super::super::interpreter::LocalScope::within(&scope));
        ruby.bind(&code.parameters, super::CallArguments::plain(vec![Object::Module(module.clone())]))?;
        ruby.statements(&code.body)
    });
    ruby.file = outer;
    match result {
        Err(Stop::Next(value)) => Ok(value),
        other => other,
    }
}

fn attributes(module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    // In `class << self`, the readers belong to the module itself.
    let mut methods = module.methods.borrow_mut();
    for name in names(&it.arguments)? {
        if it.name != "attr_writer" {
            methods.insert(name.clone(), Method::Reader(name.clone()));
        }
        if matches!(it.name, "attr_writer" | "attr_accessor") {
            methods.insert(format!("{name}=").into(), Method::Writer(name.clone()));
        }
    }
    Ok(Object::Nil)
}

fn mix_in(ruby: &mut Interpreter<'_>, module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    for argument in &it.arguments {
        match argument {
            Object::Module(other) if other.ancestors().iter().any(|it| Rc::ptr_eq(it, module)) => {
                let extends_itself = Rc::ptr_eq(other, module) && it.name == "extend";
                if !extends_itself {
                    return unsupported();
                }
                module.extends.borrow_mut().push(copy_for_extension(other));
            }
            Object::Module(other) => {
                let asks = match it.name {
                    "include" => {
                        module.includes.borrow_mut().push(other.clone());
                        "included"
                    }
                    _ => {
                        module.extends.borrow_mut().push(other.clone());
                        "extended"
                    }
                };
                if other.module_methods.borrow().contains_key(asks) {
                    ruby.call_method_of(argument, asks, vec![it.receiver.clone()])?;
                }
            }
            Object::Constant(path) if path == "Comparable" || path == "Enumerable" || path == "Kernel" => {
                module.is_incomplete.set(true);
            }
            Object::Constant(_) | Object::Unknown(_) => module.is_incomplete.set(true),
            _ => return unsupported(),
        }
    }
    Ok(it.receiver.clone())
}

/// Returns a copy of a module with its includes, for a module that extends itself.
fn copy_for_extension(module: &Rc<RubyModule>) -> Rc<RubyModule> {
    let copy = RubyModule::new(module.name.borrow().clone(), false, false);
    copy.defines_module_functions.set(false);
    copy.includes.borrow_mut().push(module.clone());
    Rc::new(copy)
}

fn module_functions(module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    if it.arguments.is_empty() {
        module.defines_module_functions.set(true);
        return Ok(Object::Nil);
    }
    for name in names(&it.arguments)? {
        let Some((method, _)) = module.find_method(&name) else { return unsupported() };
        module.module_methods.borrow_mut().insert(name, method);
    }
    Ok(Object::Nil)
}

fn define_method(module: &Rc<RubyModule>, it: &MethodInvocation<'_>) -> Ruby {
    let name = names(&it.arguments[..1.min(it.arguments.len())])?.pop();
    let Some(name) = name else { return unsupported() };
    let block = match it.arguments.get(1) {
        Some(Object::Proc(given)) => Some(given.block.clone()),
        Some(_) => return unsupported(),
        None => it.block.clone(),
    };
    let method = match block {
        Some(BlockRef::Code(closure)) => Method::Block(closure),
        Some(BlockRef::Method(method)) => Method::OfArgument(method),
        _ => return unsupported(),
    };
    module.methods.borrow_mut().insert(name.clone(), method);
    Ok(Object::Symbol(name))
}

/// Evaluates `Class.new(superclass) { }`, `Module.new { }` and `Struct.new(:a, :b) { }`.
pub(in super::super) fn new_module(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Object::Constant(path) = &it.receiver else { return unsupported() };
    let module = ruby.new_module(SmolStr::default(), path != "Module", false);
    ruby.charge(256)?;
    match (path.as_str(), it.arguments.as_slice()) {
        ("Class" | "Module", []) => {}
        ("Class", [Object::Module(superclass)]) => {
            *module.superclass.borrow_mut() = Superclass::Module(superclass.clone());
        }
        ("Class", [Object::Constant(superclass)]) => {
            *module.superclass.borrow_mut() = Superclass::Native(superclass.clone());
        }
        ("Struct", members) if !it.arguments.has_keywords => {
            let members = names(members)?;
            let mut methods = module.methods.borrow_mut();
            for member in &members {
                methods.insert(member.clone(), Method::Reader(member.clone()));
                methods.insert(format!("{member}=").into(), Method::Writer(member.clone()));
            }
            drop(methods);
            *module.members.borrow_mut() = members;
            *module.superclass.borrow_mut() = Superclass::Native("Struct".into());
        }
        _ => return unsupported(),
    }
    if let Some(block) = &it.block {
        in_body(ruby, &module, block)?;
    }
    Ok(Object::Module(module))
}
