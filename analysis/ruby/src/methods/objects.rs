//! Methods of all objects.

use std::cmp::Ordering;

use super::super::comparison::{compare, is_equal};
use super::super::interpreter::Interpreter;
use super::super::key::is_eql;
use super::super::printing::inspect;
use super::super::value::{ChangePermission, Object, Ruby, raise, unsupported};
use super::constants::{CLASS_OF_PUPPET, is_instance};
use super::{
    ADDRESS, ARRAY, BOOLEAN, COMPILER, CONSTANT, ERROR, FLOAT, FOREIGN, HASH, INSTANCE, INTEGER, MAIN, MATCH,
    MethodInvocation, MethodRow, NIL, PATTERN, PLAIN, PROC, RANGE, SCOPE, SET, SYMBOL, TEXT, URI,
    responds_to, row,
};

const KNOWN: super::ObjectKinds = PLAIN | PATTERN | MATCH | PROC | SET | ADDRESS | URI;
const ANYTHING: super::ObjectKinds = KNOWN | CONSTANT | FOREIGN | INSTANCE | ERROR | COMPILER | SCOPE;
const COMPARABLE: super::ObjectKinds = INTEGER | FLOAT | TEXT | SYMBOL;

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("nil?", ANYTHING, 0, 0, |_, it| Ok(Object::Boolean(matches!(it.receiver, Object::Nil)))),
    row("to_s", ANYTHING & !(INSTANCE | ERROR), 0, 0, |ruby, it| {
        Ok(Object::text(ruby.text_of(&it.receiver)?))
    }),
    row("inspect", ANYTHING, 0, 0, |ruby, it| Ok(Object::text(inspect(&it.receiver, ruby.host.env())?))),
    row("==", ANYTHING, 1, 1, equal),
    row("===", KNOWN | CONSTANT | INSTANCE | ERROR, 1, 1, |ruby, it| {
        Ok(Object::Boolean(ruby.case_equal(&it.receiver, it.argument(0))?))
    }),
    row("eql?", KNOWN, 1, 1, |_, it| Ok(Object::Boolean(is_eql(&it.receiver, it.argument(0))))),
    row("<=>", PLAIN, 1, 1, |_, it| {
        let ordering = compare(&it.receiver, it.argument(0))?;
        Ok(ordering.map_or(Object::Nil, |ordering| Object::Integer(ordering as i64)))
    }),
    row("<", COMPARABLE, 1, 1, |_, it| is_ordered(it, Ordering::is_lt)),
    row("<=", COMPARABLE, 1, 1, |_, it| is_ordered(it, Ordering::is_le)),
    row(">", COMPARABLE, 1, 1, |_, it| is_ordered(it, Ordering::is_gt)),
    row(">=", COMPARABLE, 1, 1, |_, it| is_ordered(it, Ordering::is_ge)),
    row("between?", COMPARABLE, 2, 2, |_, it| {
        let low = ordered(&it.receiver, it.argument(0))?;
        Ok(Object::Boolean(low.is_ge() && ordered(&it.receiver, it.argument(1))?.is_le()))
    }),
    row("clamp", COMPARABLE, 2, 2, |_, it| {
        let (low, high) = (it.argument(0), it.argument(1));
        Ok(if ordered(&it.receiver, low)?.is_lt() {
            low.clone()
        } else if ordered(&it.receiver, high)?.is_gt() {
            high.clone()
        } else {
            it.receiver.clone()
        })
    }),
    row("is_a?", ANYTHING, 1, 1, instance),
    row("kind_of?", ANYTHING, 1, 1, instance),
    row("instance_of?", KNOWN, 1, 1, |_, it| match (it.argument(0), it.receiver.class_name()) {
        (Object::Constant(class), Some(own)) => Ok(Object::Boolean(class == own)),
        _ => unsupported(),
    }),
    row("class", INSTANCE, 0, 0, |_, it| match &it.receiver {
        Object::Instance(instance) => Ok(Object::Module(instance.class.clone())),
        _ => unsupported(),
    }),
    row("class", KNOWN | ERROR, 0, 0, |_, it| {
        if let Object::Error(error) = &it.receiver {
            return if error.class.is_empty() {
                unsupported()
            } else {
                Ok(Object::Constant(error.class.clone()))
            };
        }
        it.receiver.class_name().map_or_else(unsupported, |name| Ok(Object::Constant(name.into())))
    }),
    row("class", FOREIGN, 0, 0, |_, _| Ok(Object::Constant(CLASS_OF_PUPPET.into()))),
    // Before Ruby 3.2 every object had these methods, which match nothing. Puppet 8 agents run 3.2, servers
    // an older version.
    row("=~", BOOLEAN | INTEGER | FLOAT | ARRAY | HASH | RANGE | FOREIGN, 1, 1, |ruby, _| {
        evaluate_failed_match(ruby, Object::Nil)
    }),
    row("!~", BOOLEAN | INTEGER | FLOAT | ARRAY | HASH | RANGE | FOREIGN, 1, 1, |ruby, _| {
        evaluate_failed_match(ruby, Object::Boolean(true))
    }),
    row("respond_to?", INSTANCE | MAIN, 1, 2, |ruby, it| {
        let name = super::super::classes::names(&it.arguments[..1])?.swap_remove(0);
        match ruby.defined_method(&it.receiver, &name) {
            Some(_) => Ok(Object::Boolean(true)),
            None if super::may_be_object_method(&name) => unsupported(),
            None => match &it.receiver {
                Object::Instance(instance) if instance.class.native_ancestor().is_none() => {
                    Ok(Object::Boolean(false))
                }
                _ => unsupported(),
            },
        }
    }),
    row("instance_variable_set", INSTANCE, 2, 2, |_, it| {
        let Object::Instance(instance) = &it.receiver else { return unsupported() };
        let name = super::super::classes::names(&it.arguments[..1])?.swap_remove(0);
        let name = name.trim_start_matches('@').into();
        instance.variables.borrow_mut().insert(name, it.argument(1).clone());
        Ok(it.argument(1).clone())
    }),
    row("instance_variable_get", INSTANCE, 1, 1, |_, it| {
        let Object::Instance(instance) = &it.receiver else { return unsupported() };
        let name = super::super::classes::names(&it.arguments[..1])?.swap_remove(0);
        let value = instance.variables.borrow().get(name.trim_start_matches('@')).cloned();
        Ok(value.unwrap_or(Object::Nil))
    }),
    row("instance_eval", INSTANCE, 0, 0, |ruby, it| match &it.block {
        Some(block) => ruby.call_block_as(block, it.receiver.clone(), vec![it.receiver.clone()]),
        None => unsupported(),
    }),
    row("send", INSTANCE | MAIN | SCOPE, 1, super::MANY, sent_to_object),
    row("__send__", INSTANCE | MAIN | SCOPE, 1, super::MANY, sent_to_object),
    row("public_send", INSTANCE | MAIN | SCOPE, 1, super::MANY, sent_to_object),
    row("message", ERROR | INSTANCE, 0, 0, error_message),
    row("to_s", ERROR | INSTANCE, 0, 0, error_message),
    row("to_str", ERROR, 0, 0, error_message),
    row("full_message", ERROR, 0, 0, |_, _| unsupported()),
    row("backtrace", ERROR | INSTANCE, 0, 0, |_, it| match it.receiver {
        Object::Error(_) => Ok(Object::Unknown(types::Origin::Ruby)),
        _ => unsupported(),
    }),
    row("respond_to?", KNOWN, 1, 1, |_, it| {
        let name = match it.argument(0) {
            Object::Symbol(name) => name.to_string(),
            other => other.as_text().map_or_else(unsupported, Ok)?,
        };
        responds_to(&it.receiver, &name).map_or_else(unsupported, |answer| Ok(Object::Boolean(answer)))
    }),
    row("frozen?", NIL | BOOLEAN | INTEGER | FLOAT | SYMBOL, 0, 0, |_, _| Ok(Object::Boolean(true))),
    row("freeze", KNOWN, 0, 0, |_, it| {
        match &it.receiver {
            Object::Text(text) => text.is_shared.set(true),
            Object::Array(array) => array.permission.set(ChangePermission::Fixed),
            Object::Hash(hash) => hash.permission.set(ChangePermission::Fixed),
            _ => {}
        }
        Ok(it.receiver.clone())
    }),
    row("dup", KNOWN, 0, 0, copy),
    row("clone", KNOWN, 0, 0, copy),
    row("itself", ANYTHING, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("tap", KNOWN, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        ruby.call_block(block, vec![it.receiver.clone()])?;
        Ok(it.receiver.clone())
    }),
    row("then", KNOWN, 0, 0, with_itself),
    row("yield_self", KNOWN, 0, 0, with_itself),
    row("send", PLAIN, 1, super::MANY, sent),
    row("public_send", PLAIN, 1, super::MANY, sent),
    row("to_a", NIL, 0, 0, |_, _| Ok(Object::array(Vec::new()))),
    row("to_h", NIL, 0, 0, |_, _| Ok(Object::hash(super::super::value::ObjectEntries::default()))),
    row("to_i", NIL, 0, 0, |_, _| Ok(Object::Integer(0))),
    row("to_f", NIL, 0, 0, |_, _| Ok(Object::Float(0.0))),
    row("&", NIL | BOOLEAN, 1, 1, |_, it| {
        Ok(Object::Boolean(matches!(it.receiver, Object::Boolean(true)) && it.argument(0).is_true()?))
    }),
    row("|", NIL | BOOLEAN, 1, 1, |_, it| {
        Ok(Object::Boolean(matches!(it.receiver, Object::Boolean(true)) || it.argument(0).is_true()?))
    }),
    row("^", BOOLEAN, 1, 1, |_, it| {
        Ok(Object::Boolean(matches!(it.receiver, Object::Boolean(true)) != it.argument(0).is_true()?))
    }),
    row("=~", NIL, 1, 1, |_, _| Ok(Object::Nil)),
    row("!~", NIL, 1, 1, |_, _| Ok(Object::Boolean(true))),
];

/// Evaluates a match on an object that matches nothing.
fn evaluate_failed_match(ruby: &Interpreter<'_>, found: Object) -> Ruby {
    match ruby.host.puppet_version() {
        Some(7) => Ok(found),
        _ => unsupported(),
    }
}

fn sent_to_object(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let name = super::super::classes::names(&it.arguments[..1])?.swap_remove(0);
    let arguments = super::CallArguments { all: it.arguments[1..].to_vec(), ..it.arguments.clone() };
    let receiver = it.receiver.clone();
    ruby.call_without_receiver(
        MethodInvocation { receiver, name: &name, arguments, block: it.block.clone() },
        false,
    )
}

/// Returns the message of an exception. Messages of built-in exceptions are not always known.
fn error_message(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match &it.receiver {
        Object::Error(error) if error.is_exact => Ok(Object::text(error.message.as_str())),
        Object::Error(_) => Ok(Object::Unknown(types::Origin::Ruby)),
        Object::Instance(instance) => {
            let of_error = instance.variables.borrow().get(super::super::exceptions::MESSAGE).cloned();
            match of_error {
                Some(_) if it.name == "message" => ruby.call_method_of(&it.receiver, "to_s", Vec::new()),
                Some(message) => Ok(Object::text(ruby.text_of(&message)?)),
                None => unsupported(),
            }
        }
        _ => unsupported(),
    }
}

fn equal(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    Ok(Object::Boolean(is_equal(&it.receiver, it.argument(0))?))
}

fn instance(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match it.argument(0) {
        class @ (Object::Constant(_) | Object::Module(_)) => {
            Ok(Object::Boolean(is_instance(ruby, &it.receiver, class)?))
        }
        _ => raise("class or module required"),
    }
}

fn ordered(a: &Object, b: &Object) -> Ruby<Ordering> {
    match (a, b) {
        // NaN has no order.
        (Object::Float(value), _) | (_, Object::Float(value)) if value.is_nan() => unsupported(),
        _ => super::super::comparison::order(a, b),
    }
}

fn is_ordered(it: &MethodInvocation<'_>, is: fn(Ordering) -> bool) -> Ruby {
    Ok(Object::Boolean(is(ordered(&it.receiver, it.argument(0))?)))
}

fn copy(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    Ok(match &it.receiver {
        Object::Text(text) => {
            ruby.charge(text.content.borrow().len())?;
            Object::text(text.content.borrow().as_str())
        }
        Object::Array(array) => {
            ruby.charge(array.elements.borrow().len() * 16)?;
            Object::array(array.elements.borrow().clone())
        }
        Object::Hash(hash) => {
            ruby.charge(hash.entries.borrow().len() * 32)?;
            let copy = Object::hash(hash.entries.borrow().clone());
            if let Object::Hash(copy) = &copy {
                *copy.default.borrow_mut() = hash.default.borrow().clone();
            }
            copy
        }
        other => other.clone(),
    })
}

fn with_itself(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match &it.block {
        Some(block) => ruby.call_block(block, vec![it.receiver.clone()]),
        None => unsupported(),
    }
}

/// Evaluates `send(:name, ...)` for a method in the table.
fn sent(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let name = match it.argument(0) {
        Object::Symbol(name) => name.to_string(),
        other => other.as_text().map_or_else(unsupported, Ok)?,
    };
    let Some(method) = (ruby.tables.find)(super::kind_of(&it.receiver), &name, it.arguments.len() - 1) else {
        return unsupported();
    };
    let arguments = super::CallArguments { all: it.arguments[1..].to_vec(), ..it.arguments.clone() };
    let inner = MethodInvocation {
        receiver: it.receiver.clone(),
        name: method.name,
        arguments,
        block: it.block.clone(),
    };
    ruby.call_method(method, &inner)
}
