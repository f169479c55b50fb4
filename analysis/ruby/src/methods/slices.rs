//! Element access with `[]`.

use super::super::interpreter::Interpreter;
use super::super::value::{Object, Ruby, raise_as, unsupported};
use super::{ARRAY, HASH, MANY, MATCH, MethodInvocation, MethodRow, described, ranges, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("[]", ARRAY, 1, 2, |_, it| element(&it.elements()?, it)),
    row("slice", ARRAY, 1, 2, |_, it| element(&it.elements()?, it)),
    row("at", ARRAY, 1, 1, |_, it| element(&it.elements()?, it)),
    row("[]", HASH, 1, 1, |ruby, it| {
        let Object::Hash(hash) = &it.receiver else { return unsupported() };
        let default = hash.default_block.borrow().clone();
        match default {
            Some(block) if !hash.contains(it.argument(0))? => {
                ruby.call_block(&block, vec![it.receiver.clone(), it.argument(0).clone()])
            }
            _ => hash.get(it.argument(0)),
        }
    }),
    row("[]", MATCH, 1, 2, |_, it| {
        let Object::Match(found) = &it.receiver else { return unsupported() };
        let name = match it.argument(0) {
            Object::Text(name) => Some(name.content.borrow().clone()),
            Object::Symbol(name) => Some(name.to_string()),
            _ => None,
        };
        match name {
            Some(name) if !found.captures.names().any(|known| known == name) => {
                raise_as("IndexError", format!("undefined group name reference: {name}"))
            }
            Some(name) => {
                Ok(found.captures.name(&name).map_or(Object::Nil, |range| Object::text(&found.text[range])))
            }
            None => {
                let groups: Vec<Object> =
                    (0..found.captures.len()).map(|number| found.group(number)).collect();
                element(&groups, it)
            }
        }
    }),
    row("dig", ARRAY | HASH, 1, MANY, dig),
    row("values_at", ARRAY, 0, MANY, |_, it| {
        let elements = it.elements()?;
        let mut values = Vec::new();
        for index in 0..it.arguments.len() {
            values.push(at(&elements, it.integer_argument(index)?));
        }
        Ok(Object::array(values))
    }),
    row("fetch", ARRAY, 1, 2, |ruby, it| {
        let elements = it.elements()?;
        let index = it.integer_argument(0)?;
        let is_there = index < elements.len() as i64 && index >= -(elements.len() as i64);
        match (is_there, &it.block, it.arguments.get(1)) {
            (true, ..) => Ok(at(&elements, index)),
            (false, Some(block), _) => ruby.call_block(block, vec![Object::Integer(index)]),
            (false, None, Some(default)) => Ok(default.clone()),
            (false, None, None) => raise_as("IndexError", format!("index {index} outside of array bounds")),
        }
    }),
];

fn at(elements: &[Object], index: i64) -> Object {
    let index = if index < 0 { index.saturating_add(elements.len() as i64) } else { index };
    usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or(Object::Nil)
}

/// Evaluates `array[index]`, `array[start, length]` and `array[range]`.
fn element(elements: &[Object], it: &MethodInvocation<'_>) -> Ruby {
    if it.arguments.len() == 2 {
        let part = part(elements.len(), it.integer_argument(0)?, it.integer_argument(1)?);
        return Ok(part.map_or(Object::Nil, |(start, end)| Object::array(elements[start..end].to_vec())));
    }
    match it.argument(0) {
        Object::Integer(index) => Ok(at(elements, *index)),
        Object::Range(range) => Ok(match ranges::span(range, elements.len())? {
            Some((start, length)) => Object::array(elements[start..start + length].to_vec()),
            None => Object::Nil,
        }),
        Object::Float(index) => Ok(at(elements, *index as i64)),
        Object::Nil => raise_as("TypeError", "no implicit conversion from nil to integer"),
        other => {
            raise_as("TypeError", format!("no implicit conversion of {} into Integer", described(other)?))
        }
    }
}

/// Returns the start and end of a slice; `None` if it starts outside.
pub(super) fn part(size: usize, start: i64, length: i64) -> Option<(usize, usize)> {
    let start = if start < 0 { start.saturating_add(size as i64) } else { start };
    let start = usize::try_from(start).ok().filter(|start| *start <= size)?;
    let length = usize::try_from(length).ok()?;
    Some((start, start.saturating_add(length).min(size)))
}

fn dig(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let mut value = it.receiver.clone();
    for key in &it.arguments {
        value = match value {
            Object::Nil => return Ok(Object::Nil),
            receiver @ (Object::Array(_) | Object::Hash(_)) => ruby.send(MethodInvocation {
                receiver,
                name: "[]",
                arguments: super::CallArguments::plain(vec![key.clone()]),
                block: None,
            })?,
            Object::Unknown(origin) => return Err(super::super::value::Stop::Unknown(origin)),
            other => {
                return raise_as("TypeError", format!("{} does not have #dig method", described(&other)?));
            }
        };
    }
    Ok(value)
}
