//! Queries about elements.

use super::super::interpreter::Interpreter;
use super::super::value::{Object, Ruby, unsupported};
use super::enumerations::{elements, position_of};
use super::{ARRAY, ENUMERABLE, HASH, LIST, MethodInvocation, MethodRow, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("any?", ENUMERABLE, 0, 1, |ruby, it| Ok(Object::Boolean(count(ruby, it, Some(1))? > 0))),
    row("none?", ENUMERABLE, 0, 1, |ruby, it| Ok(Object::Boolean(count(ruby, it, Some(1))? == 0))),
    row("one?", ENUMERABLE, 0, 1, |ruby, it| Ok(Object::Boolean(count(ruby, it, Some(2))? == 1))),
    row("all?", ENUMERABLE, 0, 1, |ruby, it| {
        for element in elements(ruby, &it.receiver)? {
            if !holds(ruby, it, element)? {
                return Ok(Object::Boolean(false));
            }
        }
        Ok(Object::Boolean(true))
    }),
    row("count", ENUMERABLE, 0, 1, |ruby, it| {
        let elements = elements(ruby, &it.receiver)?;
        if it.arguments.is_empty() && it.block.is_none() {
            return Ok(Object::size(elements.len()));
        }
        let mut count = 0;
        for element in elements {
            let is_counted = match (&it.block, it.arguments.first()) {
                (_, Some(value)) => super::super::comparison::is_equal(&element, value)?,
                (Some(block), None) => ruby.call_block(block, vec![element])?.is_true()?,
                (None, None) => true,
            };
            count += usize::from(is_counted);
        }
        Ok(Object::size(count))
    }),
    row("find", ENUMERABLE, 0, 1, find),
    row("detect", ENUMERABLE, 0, 1, find),
    row("find_index", LIST, 0, 1, index),
    row("index", ARRAY, 0, 1, index),
    row("rindex", ARRAY, 1, 1, |_, it| {
        let elements = it.elements()?;
        for (index, element) in elements.iter().enumerate().rev() {
            if super::super::comparison::is_equal(element, it.argument(0))? {
                return Ok(Object::size(index));
            }
        }
        Ok(Object::Nil)
    }),
    row("include?", LIST, 1, 1, includes),
    row("member?", LIST, 1, 1, includes),
    row("length", ARRAY | HASH, 0, 0, size),
    row("size", ENUMERABLE, 0, 0, size),
    row("empty?", ARRAY | HASH, 0, 0, |ruby, it| {
        Ok(Object::Boolean(elements(ruby, &it.receiver)?.is_empty()))
    }),
];

fn size(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if matches!(&it.receiver, Object::Range(range) if !matches!(range.first, Object::Integer(_))) {
        return unsupported();
    }
    Ok(Object::size(elements(ruby, &it.receiver)?.len()))
}

/// Returns true if an element satisfies the call: matches its pattern, satisfies its block, or is truthy.
fn holds(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, element: Object) -> Ruby<bool> {
    match (it.arguments.first(), &it.block) {
        (Some(pattern), _) => ruby.case_equal(pattern, &element),
        (None, Some(block)) => ruby.call_block(block, vec![element])?.is_true(),
        (None, None) => element.is_true(),
    }
}

/// Counts the matching elements, up to `enough`.
fn count(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, enough: Option<usize>) -> Ruby<usize> {
    let mut count = 0;
    for element in elements(ruby, &it.receiver)? {
        if Some(count) == enough {
            break;
        }
        count += usize::from(holds(ruby, it, element)?);
    }
    Ok(count)
}

fn find(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Some(block) = &it.block else { return unsupported() };
    for element in elements(ruby, &it.receiver)? {
        if ruby.call_block(block, vec![element.clone()])?.is_true()? {
            return Ok(element);
        }
    }
    match it.arguments.first() {
        None | Some(Object::Nil) => Ok(Object::Nil),
        // A proc passed as the argument is called.
        Some(_) => unsupported(),
    }
}

fn index(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let elements = elements(ruby, &it.receiver)?;
    let found = match (it.arguments.first(), &it.block) {
        (Some(value), _) => position_of(&elements, value)?,
        (None, Some(block)) => {
            let mut found = None;
            for (index, element) in elements.into_iter().enumerate() {
                if ruby.call_block(block, vec![element])?.is_true()? {
                    found = Some(index);
                    break;
                }
            }
            found
        }
        (None, None) => return unsupported(),
    };
    Ok(found.map_or(Object::Nil, Object::size))
}

fn includes(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if let Object::Range(range) = &it.receiver {
        // Strings are searched for among the elements.
        if matches!(range.first, Object::Text(_)) {
            let elements = elements(ruby, &it.receiver)?;
            return Ok(Object::Boolean(position_of(&elements, it.argument(0))?.is_some()));
        }
        return Ok(Object::Boolean(super::ranges::covers(range, it.argument(0))?));
    }
    let elements = elements(ruby, &it.receiver)?;
    Ok(Object::Boolean(position_of(&elements, it.argument(0))?.is_some()))
}
