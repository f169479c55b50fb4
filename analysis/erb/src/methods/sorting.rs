//! Order: sorting, the smallest and largest, and what is there once.

use std::cmp::Ordering;

use super::super::comparison::{order, sort};
use super::super::key::{ObjectKey, is_eql};
use super::super::renderer::Renderer;
use super::super::value::{Object, ObjectEntries, Ruby, raise, unsupported};
use super::enumerations::elements;
use super::{ARRAY, ENUMERABLE, MethodInvocation, MethodRow, row};

pub(super) const TABLE: &[MethodRow] = &[
    row("sort", ENUMERABLE, 0, 0, |renderer, it| {
        let elements = elements(renderer, &it.receiver)?;
        Ok(Object::array(sorted(renderer, it, elements)?))
    }),
    row("sort!", ARRAY, 0, 0, |renderer, it| {
        let sorted = sorted(renderer, it, it.elements()?)?;
        if let Object::Array(array) = &it.receiver {
            array.change(|elements| *elements = sorted)?;
        }
        Ok(it.receiver.clone())
    }),
    row("sort_by", ENUMERABLE, 0, 0, |renderer, it| {
        let elements = elements(renderer, &it.receiver)?;
        Ok(Object::array(sorted_by(renderer, it, elements)?))
    }),
    row("sort_by!", ARRAY, 0, 0, |renderer, it| {
        let sorted = sorted_by(renderer, it, it.elements()?)?;
        if let Object::Array(array) = &it.receiver {
            array.change(|elements| *elements = sorted)?;
        }
        Ok(it.receiver.clone())
    }),
    row("min", ENUMERABLE, 1, 1, |_, _| unsupported()),
    row("max", ENUMERABLE, 1, 1, |_, _| unsupported()),
    row("min", ENUMERABLE, 0, 0, |renderer, it| extreme(renderer, it, Ordering::is_lt)),
    row("max", ENUMERABLE, 0, 0, |renderer, it| extreme(renderer, it, Ordering::is_gt)),
    row("minmax", ENUMERABLE, 0, 0, |renderer, it| {
        Ok(Object::pair(extreme(renderer, it, Ordering::is_lt)?, extreme(renderer, it, Ordering::is_gt)?))
    }),
    row("min_by", ENUMERABLE, 0, 0, |renderer, it| extreme_by(renderer, it, Ordering::is_lt)),
    row("max_by", ENUMERABLE, 0, 0, |renderer, it| extreme_by(renderer, it, Ordering::is_gt)),
    row("uniq", ENUMERABLE, 0, 0, |renderer, it| {
        let elements = elements(renderer, &it.receiver)?;
        Ok(Object::array(unique(renderer, it, elements)?))
    }),
    row("uniq!", ARRAY, 0, 0, |renderer, it| {
        let before = it.elements()?;
        let count = before.len();
        let unique = unique(renderer, it, before)?;
        if unique.len() == count {
            return Ok(Object::Nil);
        }
        if let Object::Array(array) = &it.receiver {
            array.change(|elements| *elements = unique)?;
        }
        Ok(it.receiver.clone())
    }),
];

fn sorted<'t>(
    renderer: &mut Renderer<'t>,
    it: &MethodInvocation<'t>,
    elements: Vec<Object>,
) -> Ruby<Vec<Object>> {
    let mut compare = |a: &Object, b: &Object| match &it.block {
        None => order(a, b),
        Some(block) => match renderer.call_block(block, vec![a.clone(), b.clone()])? {
            Object::Integer(value) => Ok(value.cmp(&0)),
            Object::Nil => raise("comparison failed"),
            _ => unsupported(),
        },
    };
    sort(elements, &mut compare, &is_eql)
}

fn sorted_by<'t>(
    renderer: &mut Renderer<'t>,
    it: &MethodInvocation<'t>,
    elements: Vec<Object>,
) -> Ruby<Vec<Object>> {
    let Some(block) = &it.block else { return unsupported() };
    let mut keyed = Vec::with_capacity(elements.len());
    for element in elements {
        let key = renderer.call_block(block, vec![element.clone()])?;
        keyed.push((key, element));
    }
    let sorted = sort(keyed, &mut |a, b| order(&a.0, &b.0), &|a, b| is_eql(&a.1, &b.1))?;
    Ok(sorted.into_iter().map(|(_, element)| element).collect())
}

fn extreme<'t>(
    renderer: &mut Renderer<'t>,
    it: &MethodInvocation<'t>,
    is_better: fn(Ordering) -> bool,
) -> Ruby {
    let mut best: Option<Object> = None;
    for element in elements(renderer, &it.receiver)? {
        let is_new = match (&best, &it.block) {
            (None, _) => true,
            (Some(best), None) => is_better(order(&element, best)?),
            (Some(best), Some(block)) => {
                match renderer.call_block(block, vec![element.clone(), best.clone()])? {
                    Object::Integer(value) => is_better(value.cmp(&0)),
                    _ => return unsupported(),
                }
            }
        };
        if is_new {
            best = Some(element);
        }
    }
    Ok(best.unwrap_or(Object::Nil))
}

fn extreme_by<'t>(
    renderer: &mut Renderer<'t>,
    it: &MethodInvocation<'t>,
    is_better: fn(Ordering) -> bool,
) -> Ruby {
    let Some(block) = &it.block else { return unsupported() };
    let mut best: Option<(Object, Object)> = None;
    for element in elements(renderer, &it.receiver)? {
        let key = renderer.call_block(block, vec![element.clone()])?;
        let is_new = match &best {
            None => true,
            Some((known, _)) => is_better(order(&key, known)?),
        };
        if is_new {
            best = Some((key, element));
        }
    }
    Ok(best.map_or(Object::Nil, |(_, element)| element))
}

fn unique<'t>(
    renderer: &mut Renderer<'t>,
    it: &MethodInvocation<'t>,
    elements: Vec<Object>,
) -> Ruby<Vec<Object>> {
    let mut unique = ObjectEntries::default();
    for element in elements {
        let key = match &it.block {
            Some(block) => renderer.call_block(block, vec![element.clone()])?,
            None => element.clone(),
        };
        if let Object::Unknown(origin) = key {
            return Err(super::super::value::Stop::Unknown(origin));
        }
        unique.entry(ObjectKey(key)).or_insert(element);
    }
    Ok(unique.into_values().collect())
}
