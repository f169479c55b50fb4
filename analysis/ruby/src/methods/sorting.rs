//! Sorting, minimum and maximum, and removal of duplicates.

use std::cmp::Ordering;

use super::super::comparison::{order, sort};
use super::super::interpreter::Interpreter;
use super::super::key::{ObjectKey, copy_of_key, is_eql};
use super::super::value::{Object, ObjectEntries, Ruby, raise, unsupported};
use super::enumerations::elements;
use super::{ARRAY, ENUMERABLE, MethodInvocation, MethodRow, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("sort", ENUMERABLE, 0, 0, |ruby, it| {
        let elements = elements(ruby, &it.receiver)?;
        Ok(Object::array(sorted(ruby, it, elements)?))
    }),
    row("sort!", ARRAY, 0, 0, |ruby, it| {
        let sorted = sorted(ruby, it, it.elements()?)?;
        if let Object::Array(array) = &it.receiver {
            array.change(|elements| *elements = sorted)?;
        }
        Ok(it.receiver.clone())
    }),
    row("sort_by", ENUMERABLE, 0, 0, |ruby, it| {
        let elements = elements(ruby, &it.receiver)?;
        Ok(Object::array(sorted_by(ruby, it, elements)?))
    }),
    row("sort_by!", ARRAY, 0, 0, |ruby, it| {
        let sorted = sorted_by(ruby, it, it.elements()?)?;
        if let Object::Array(array) = &it.receiver {
            array.change(|elements| *elements = sorted)?;
        }
        Ok(it.receiver.clone())
    }),
    row("min", ENUMERABLE, 1, 1, |_, _| unsupported()),
    row("max", ENUMERABLE, 1, 1, |_, _| unsupported()),
    row("min", ENUMERABLE, 0, 0, |ruby, it| extreme(ruby, it, Ordering::is_lt)),
    row("max", ENUMERABLE, 0, 0, |ruby, it| extreme(ruby, it, Ordering::is_gt)),
    row("minmax", ENUMERABLE, 0, 0, |ruby, it| {
        if it.block.is_some() {
            return unsupported();
        }
        Ok(Object::pair(extreme(ruby, it, Ordering::is_lt)?, extreme(ruby, it, Ordering::is_gt)?))
    }),
    row("min_by", ENUMERABLE, 0, 0, |ruby, it| extreme_by(ruby, it, Ordering::is_lt)),
    row("max_by", ENUMERABLE, 0, 0, |ruby, it| extreme_by(ruby, it, Ordering::is_gt)),
    row("uniq", ENUMERABLE, 0, 0, |ruby, it| {
        let elements = elements(ruby, &it.receiver)?;
        Ok(Object::array(unique(ruby, it, elements)?))
    }),
    row("uniq!", ARRAY, 0, 0, |ruby, it| {
        let before = it.elements()?;
        let count = before.len();
        let unique = unique(ruby, it, before)?;
        if unique.len() == count {
            return Ok(Object::Nil);
        }
        if let Object::Array(array) = &it.receiver {
            array.change(|elements| *elements = unique)?;
        }
        Ok(it.receiver.clone())
    }),
];

fn sorted(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, elements: Vec<Object>) -> Ruby<Vec<Object>> {
    let mut compare = |a: &Object, b: &Object| match &it.block {
        None => order(a, b),
        Some(block) => match ruby.call_block(block, vec![a.clone(), b.clone()])? {
            Object::Integer(value) => Ok(value.cmp(&0)),
            Object::Nil => raise("comparison failed"),
            _ => unsupported(),
        },
    };
    sort(elements, &mut compare, &is_eql)
}

fn sorted_by(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
    elements: Vec<Object>,
) -> Ruby<Vec<Object>> {
    let Some(block) = &it.block else { return unsupported() };
    let mut keyed = Vec::with_capacity(elements.len());
    for element in elements {
        let key = ruby.call_block(block, vec![element.clone()])?;
        keyed.push((key, element));
    }
    let sorted = sort(keyed, &mut |a, b| order(&a.0, &b.0), &|a, b| is_eql(&a.1, &b.1))?;
    Ok(sorted.into_iter().map(|(_, element)| element).collect())
}

fn extreme(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, is_better: fn(Ordering) -> bool) -> Ruby {
    let mut best: Option<Object> = None;
    for element in elements(ruby, &it.receiver)? {
        let is_new = match (&best, &it.block) {
            (None, _) => true,
            (Some(best), None) => is_better(order(&element, best)?),
            (Some(best), Some(block)) => {
                match ruby.call_block(block, vec![element.clone(), best.clone()])? {
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

fn extreme_by(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
    is_better: fn(Ordering) -> bool,
) -> Ruby {
    let Some(block) = &it.block else { return unsupported() };
    let mut best: Option<(Object, Object)> = None;
    for element in elements(ruby, &it.receiver)? {
        let key = ruby.call_block(block, vec![element.clone()])?;
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

fn unique(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, elements: Vec<Object>) -> Ruby<Vec<Object>> {
    let mut unique = ObjectEntries::default();
    for element in elements {
        let key = match &it.block {
            Some(block) => ruby.call_block(block, vec![element.clone()])?,
            None => element.clone(),
        };
        if let Object::Unknown(origin) = key {
            return Err(super::super::value::Stop::Unknown(origin));
        }
        let key = copy_of_key(&key)?;
        unique.entry(ObjectKey(key)).or_insert(element);
    }
    Ok(unique.into_values().collect())
}
