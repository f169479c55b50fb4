//! Methods that a template calls without a receiver.

use super::super::blocks::BlockRef;
use super::super::interpreter::Interpreter;
use super::super::value::{Object, Ruby, raise, raise_as, unsupported};
use super::enumerations::elements;
use super::strings::formatted;
use super::{CallArguments, KERNEL, MAIN, MANY, MethodInvocation, MethodRow, described, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("scope", MAIN, 0, 0, |_, _| Ok(Object::Scope)),
    row("has_variable?", MAIN, 1, 1, |ruby, it| {
        let name = ruby.text_of(it.argument(0))?;
        super::scope::has_variable(ruby, &name)
    }),
    row("Array", KERNEL, 1, 1, |ruby, it| match it.argument(0) {
        Object::Nil => Ok(Object::array(Vec::new())),
        array @ Object::Array(_) => Ok(array.clone()),
        other @ (Object::Hash(_) | Object::Range(_) | Object::Enumerator(_)) => {
            Ok(Object::array(elements(ruby, other)?))
        }
        Object::Foreign(_) | Object::Match(_) => unsupported(),
        other => Ok(Object::array(vec![other.clone()])),
    }),
    row("String", KERNEL, 1, 1, |ruby, it| match it.argument(0) {
        text @ Object::Text(_) => Ok(text.clone()),
        other => Ok(Object::text(ruby.text_of(other)?)),
    }),
    row("Integer", KERNEL, 1, 1, |_, it| match it.argument(0) {
        Object::Integer(value) => Ok(Object::Integer(*value)),
        Object::Float(value) if value.abs() < 9e18 => Ok(Object::Integer(*value as i64)),
        Object::Nil => raise_as("TypeError", "can't convert nil into Integer"),
        Object::Text(text) => {
            let text = text.content.borrow();
            match scalars::numbers::integer_from_text(&text, None) {
                Ok(value) => {
                    i64::try_from(value).map_or_else(|_| unsupported(), |value| Ok(Object::Integer(value)))
                }
                Err(_) => raise_as("ArgumentError", format!("invalid value for Integer(): {text:?}")),
            }
        }
        Object::Boolean(_)
        | Object::Array(_)
        | Object::Hash(_)
        | Object::Pattern(_)
        | Object::Symbol(_)
        | Object::Foreign(types::Value::Type(_) | types::Value::SemVer(_)) => {
            raise_as("TypeError", format!("can't convert {} into Integer", described(it.argument(0))?))
        }
        _ => unsupported(),
    }),
    row("Float", KERNEL, 1, 1, |_, it| match it.argument(0) {
        Object::Integer(value) => Ok(Object::Float(*value as f64)),
        Object::Float(value) => Ok(Object::Float(*value)),
        Object::Nil => raise_as("TypeError", "can't convert nil into Float"),
        Object::Text(text) => {
            let text = text.content.borrow();
            match scalars::numbers::float_from_text(&text) {
                Ok(value) => Ok(Object::Float(value)),
                Err(_) => raise_as("ArgumentError", format!("invalid value for Float(): {text:?}")),
            }
        }
        _ => unsupported(),
    }),
    row("format", KERNEL, 1, MANY, format),
    row("sprintf", KERNEL, 1, MANY, format),
    // Only a range of one number has a certain result.
    row("rand", KERNEL, 1, 1, |_, it| match it.argument(0) {
        Object::Integer(1 | -1) => Ok(Object::Integer(0)),
        _ => unsupported(),
    }),
    row("raise", KERNEL, 0, 3, raised),
    row("fail", KERNEL, 0, 3, raised),
    row("require", KERNEL, 1, 1, |ruby, it| {
        let path = it.text_argument(0)?;
        ruby.require(&path)
    }),
    row("require_relative", KERNEL, 1, 1, |ruby, it| {
        let path = it.text_argument(0)?;
        ruby.require_relative(&path)
    }),
    row("lambda", KERNEL, 0, 0, |ruby, it| match &it.block {
        Some(block) => Ok(ruby.new_proc(block.clone(), true)),
        None => unsupported(),
    }),
    row("proc", KERNEL, 0, 0, |ruby, it| match &it.block {
        Some(block) => Ok(ruby.new_proc(block.clone(), false)),
        None => unsupported(),
    }),
    row("loop", KERNEL, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        loop {
            ruby.step(1)?;
            ruby.call_block(block, Vec::new())?;
        }
    }),
    row("block_given?", KERNEL, 0, 0, |ruby, _| Ok(Object::Boolean(ruby.context.block.is_some()))),
    row("method", KERNEL, 1, 1, |ruby, it| {
        let name = super::super::classes::names(&it.arguments)?.swap_remove(0);
        let receiver = Box::new(it.receiver.clone());
        Ok(ruby.new_proc(BlockRef::Bound(receiver, name), true))
    }),
    // Output has no effect on the result.
    row("puts", KERNEL, 0, MANY, |_, _| Ok(Object::Nil)),
    row("print", KERNEL, 0, MANY, |_, _| Ok(Object::Nil)),
    row("warn", KERNEL, 0, MANY, |_, _| Ok(Object::Nil)),
    // Translations are treated as identity.
    row("_", KERNEL, 1, 1, |_, it| Ok(it.argument(0).clone())),
    row("send", KERNEL, 1, MANY, sent_to_itself),
    row("__send__", KERNEL, 1, MANY, sent_to_itself),
    row("public_send", KERNEL, 1, MANY, sent_to_itself),
    row("binding", KERNEL, 0, 0, |_, _| unsupported()),
    row("instance_variable_get", KERNEL, 1, 1, |ruby, it| {
        let name = ruby.text_of(it.argument(0))?;
        match name.strip_prefix('@') {
            Some(name) => Ok(ruby.instance_variable(&name.into())),
            None => raise(format!("'{name}' is not allowed as an instance variable name")),
        }
    }),
];

fn format(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let format = it.text_argument(0)?;
    formatted(ruby, &format, &it.arguments[1..])
}

fn raised(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    ruby.raise(&it.arguments)
}

fn sent_to_itself(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let name = super::super::classes::names(&it.arguments[..1])?.swap_remove(0);
    let arguments = CallArguments { all: it.arguments[1..].to_vec(), ..it.arguments.clone() };
    let receiver = it.receiver.clone();
    ruby.call_without_receiver(
        MethodInvocation { receiver, name: &name, arguments, block: it.block.clone() },
        false,
    )
}
