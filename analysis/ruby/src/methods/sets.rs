//! Methods of sets.

use std::rc::Rc;

use super::super::interpreter::Interpreter;
use super::super::key::{ObjectKey, copy_of_key};
use super::super::value::{Hash, Object, Ruby, raise_as, unsupported};
use super::enumerations::elements;
use super::{ENUMERABLE, MANY, MethodInvocation, MethodRow, SET, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("to_set", ENUMERABLE, 0, 0, |ruby, it| {
        let elements = keys(elements(ruby, &it.receiver)?)?;
        Ok(Object::set(elements))
    }),
    row("add", SET, 1, 1, add),
    row("<<", SET, 1, 1, add),
    row("add?", SET, 1, 1, |ruby, it| {
        let is_there = set(it)?.contains(it.argument(0))?;
        if is_there { Ok(Object::Nil) } else { add(ruby, it) }
    }),
    row("delete", SET, 1, 1, |_, it| {
        set(it)?.change(|entries| entries.shift_remove(&ObjectKey(it.argument(0).clone())))?;
        Ok(it.receiver.clone())
    }),
    row("merge", SET, 0, MANY, |ruby, it| {
        for other in &it.arguments {
            let elements = keys(elements(ruby, other)?)?;
            let entries = elements.into_iter().map(|it| (ObjectKey(it), Object::Boolean(true)));
            set(it)?.change(|own| {
                for (key, value) in entries {
                    own.entry(key).or_insert(value);
                }
            })?;
        }
        Ok(it.receiver.clone())
    }),
    row("include?", SET, 1, 1, includes),
    row("member?", SET, 1, 1, includes),
    row("===", SET, 1, 1, includes),
    row("empty?", SET, 0, 0, |_, it| Ok(Object::Boolean(set(it)?.entries.borrow().is_empty()))),
    row("length", SET, 0, 0, |_, it| Ok(Object::size(set(it)?.entries.borrow().len()))),
    row("|", SET, 1, 1, union),
    row("+", SET, 1, 1, union),
    row("union", SET, 1, 1, union),
    row("&", SET, 1, 1, intersection),
    row("intersection", SET, 1, 1, intersection),
    row("-", SET, 1, 1, |ruby, it| {
        let others = Object::set(keys(elements(ruby, it.argument(0))?)?);
        filtered(ruby, &it.receiver, &others, false)
    }),
    row("subset?", SET, 1, 1, |_, it| is_below(&it.receiver, it.argument(0))),
    row("<=", SET, 1, 1, |_, it| is_below(&it.receiver, it.argument(0))),
    row("superset?", SET, 1, 1, |_, it| is_below(it.argument(0), &it.receiver)),
    row(">=", SET, 1, 1, |_, it| is_below(it.argument(0), &it.receiver)),
    row("dup", SET, 0, 0, |ruby, it| Ok(Object::set(elements(ruby, &it.receiver)?))),
];

/// Evaluates `Set.new` and `Set[...]`.
pub(in super::super) fn new(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let elements = match (it.name, it.argument(0)) {
        ("[]", _) => it.arguments.all.clone(),
        (_, Object::Nil) => Vec::new(),
        (_, list) => elements(ruby, list)?,
    };
    let Some(block) = &it.block else { return Ok(Object::set(keys(elements)?)) };
    let mut made = Vec::new();
    for element in elements {
        made.push(ruby.call_block(block, vec![element])?);
    }
    Ok(Object::set(keys(made)?))
}

fn keys(elements: Vec<Object>) -> Ruby<Vec<Object>> {
    elements.iter().map(copy_of_key).collect()
}

fn set<'i>(it: &'i MethodInvocation<'_>) -> Ruby<&'i Rc<Hash>> {
    match &it.receiver {
        Object::Set(set) => Ok(set),
        _ => unsupported(),
    }
}

fn add(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    ruby.charge(32)?;
    let key = ObjectKey(copy_of_key(it.argument(0))?);
    set(it)?.change(|entries| {
        entries.entry(key).or_insert(Object::Boolean(true));
    })?;
    Ok(it.receiver.clone())
}

fn includes(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    Ok(Object::Boolean(set(it)?.contains(&copy_of_key(it.argument(0))?)?))
}

fn union(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let mut all = elements(ruby, &it.receiver)?;
    all.extend(keys(elements(ruby, it.argument(0))?)?);
    Ok(Object::set(all))
}

/// Evaluates the intersection, which has the order of the argument as in Ruby.
fn intersection(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let others = Object::set(keys(elements(ruby, it.argument(0))?)?);
    filtered(ruby, &others, &it.receiver, true)
}

fn filtered(ruby: &mut Interpreter<'_>, from: &Object, others: &Object, wanted: bool) -> Ruby {
    let Object::Set(others) = others else { return unsupported() };
    let mut kept = Vec::new();
    for element in elements(ruby, from)? {
        if others.contains(&element)? == wanted {
            kept.push(element);
        }
    }
    Ok(Object::set(kept))
}

fn is_below(small: &Object, large: &Object) -> Ruby {
    let (Object::Set(small), Object::Set(large)) = (small, large) else {
        return raise_as("ArgumentError", "value must be a set");
    };
    for key in small.entries.borrow().keys() {
        if !large.contains(&key.0)? {
            return Ok(Object::Boolean(false));
        }
    }
    Ok(Object::Boolean(true))
}
