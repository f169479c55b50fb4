//! Non-mutating methods of arrays.

use super::super::interpreter::Interpreter;
use super::super::key::{ObjectKey, copy_of_key};
use super::super::printing::TEXT_LIMIT;
use super::super::value::{Object, ObjectEntries, Ruby, Stop, raise, unsupported};
use super::enumerations::elements;
use super::{ARRAY, ENUMERABLE, LIST, MANY, MethodInvocation, MethodRow, described, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("join", LIST, 0, 1, |ruby, it| {
        if matches!(&it.receiver, Object::Array(array) if array.elements.borrow().is_empty()) {
            return Ok(Object::text(""));
        }
        let separator = match it.argument(0) {
            Object::Nil => String::new(),
            _ => it.text_argument(0)?,
        };
        let elements = elements(ruby, &it.receiver)?;
        let mut text = String::new();
        join(ruby, &mut text, &elements, &separator, 0)?;
        ruby.charge(text.len())?;
        Ok(Object::text(text))
    }),
    row("+", ARRAY, 1, 1, |ruby, it| {
        let mut all = it.elements()?;
        all.extend(array_argument(it, 0)?);
        ruby.charge(all.len() * 16)?;
        Ok(Object::array(all))
    }),
    row("concat", ARRAY, 0, MANY, |ruby, it| {
        let mut all = Vec::new();
        for index in 0..it.arguments.len() {
            all.extend(array_argument(it, index)?);
        }
        ruby.charge(all.len() * 16)?;
        if let Object::Array(array) = &it.receiver {
            array.change(|elements| elements.extend(all))?;
        }
        Ok(it.receiver.clone())
    }),
    row("-", ARRAY, 1, 1, difference),
    row("difference", ARRAY, 1, 1, difference),
    row("&", ARRAY, 1, 1, |_, it| {
        let others = set(array_argument(it, 0)?)?;
        let own = set(it.elements()?)?;
        Ok(Object::array(
            own.into_iter().filter(|(key, _)| others.contains_key(key)).map(|(_, it)| it).collect(),
        ))
    }),
    row("|", ARRAY, 1, 1, |_, it| {
        let mut all = it.elements()?;
        all.extend(array_argument(it, 0)?);
        Ok(Object::array(set(all)?.into_values().collect()))
    }),
    row("*", ARRAY, 1, 1, |ruby, it| {
        let elements = it.elements()?;
        if let Object::Text(separator) = it.argument(0) {
            let mut text = String::new();
            join(ruby, &mut text, &elements, &separator.content.borrow(), 0)?;
            return Ok(Object::text(text));
        }
        let count = it.count_argument(0)?;
        ruby.charge(elements.len().saturating_mul(count).saturating_mul(16))?;
        Ok(Object::array(std::iter::repeat_n(elements, count).flatten().collect()))
    }),
    row("flatten", ARRAY, 0, 1, |ruby, it| {
        let levels = match it.arguments.first() {
            None | Some(Object::Nil) => -1,
            Some(_) => it.integer_argument(0)?,
        };
        let mut out = Vec::new();
        flatten(&mut out, &it.elements()?, levels, 0)?;
        ruby.charge(out.len() * 16)?;
        Ok(Object::array(out))
    }),
    row("compact", ARRAY, 0, 0, |_, it| {
        let mut elements = it.elements()?;
        remove_nils(&mut elements)?;
        Ok(Object::array(elements))
    }),
    row("reverse", ARRAY, 0, 0, |_, it| {
        let mut elements = it.elements()?;
        elements.reverse();
        Ok(Object::array(elements))
    }),
    row("rotate", ARRAY, 0, 1, |_, it| {
        let by = if it.arguments.is_empty() { 1 } else { it.integer_argument(0)? };
        let mut elements = it.elements()?;
        if !elements.is_empty() {
            let by = by.rem_euclid(elements.len() as i64) as usize;
            elements.rotate_left(by);
        }
        Ok(Object::array(elements))
    }),
    row("first", ENUMERABLE, 0, 1, |ruby, it| {
        let mut elements = elements(ruby, &it.receiver)?;
        if it.arguments.is_empty() {
            return Ok(elements.into_iter().next().unwrap_or(Object::Nil));
        }
        elements.truncate(it.count_argument(0)?);
        Ok(Object::array(elements))
    }),
    row("last", ARRAY, 0, 1, |_, it| {
        let mut elements = it.elements()?;
        if it.arguments.is_empty() {
            return Ok(elements.pop().unwrap_or(Object::Nil));
        }
        let from = elements.len().saturating_sub(it.count_argument(0)?);
        Ok(Object::array(elements.split_off(from)))
    }),
    row("take", ENUMERABLE, 1, 1, |ruby, it| {
        let mut elements = elements(ruby, &it.receiver)?;
        elements.truncate(it.count_argument(0)?);
        Ok(Object::array(elements))
    }),
    row("drop", ENUMERABLE, 1, 1, |ruby, it| {
        let mut elements = elements(ruby, &it.receiver)?;
        let from = it.count_argument(0)?.min(elements.len());
        Ok(Object::array(elements.split_off(from)))
    }),
    row("each_index", ARRAY, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for index in 0..it.elements()?.len() {
            ruby.call_block(block, vec![Object::size(index)])?;
        }
        Ok(it.receiver.clone())
    }),
    row("transpose", ARRAY, 0, 0, |_, it| {
        let mut rows = Vec::new();
        for row in it.elements()? {
            match row {
                Object::Array(row) => rows.push(row.elements.borrow().clone()),
                Object::Unknown(origin) => return Err(Stop::Unknown(origin)),
                other => {
                    return raise(format!("no implicit conversion of {} into Array", described(&other)?));
                }
            }
        }
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != width) {
            return raise("element size differs");
        }
        let column = |index: usize| Object::array(rows.iter().map(|row| row[index].clone()).collect());
        Ok(Object::array((0..width).map(column).collect()))
    }),
    row("assoc", ARRAY, 1, 1, |_, it| {
        for element in it.elements()? {
            if let Object::Array(pair) = &element
                && let Some(key) = pair.elements.borrow().first()
                && super::super::comparison::is_equal(key, it.argument(0))?
            {
                return Ok(element.clone());
            }
        }
        Ok(Object::Nil)
    }),
    row("product", ARRAY, 1, 1, |ruby, it| {
        let (own, others) = (it.elements()?, array_argument(it, 0)?);
        ruby.charge(own.len().saturating_mul(others.len()).saturating_mul(32))?;
        let pairs = own.iter().flat_map(|a| others.iter().map(|b| Object::pair(a.clone(), b.clone())));
        Ok(Object::array(pairs.collect()))
    }),
];

/// Returns an argument that must be an array.
pub(super) fn array_argument(it: &MethodInvocation<'_>, index: usize) -> Ruby<Vec<Object>> {
    match it.argument(index) {
        Object::Array(array) => Ok(array.elements.borrow().clone()),
        other => raise(format!("no implicit conversion of {} into Array", described(other)?)),
    }
}

/// Evaluates `array.join(separator)`, which also joins nested arrays.
fn join(
    ruby: &Interpreter<'_>,
    text: &mut String,
    elements: &[Object],
    separator: &str,
    depth: u32,
) -> Ruby<()> {
    if depth > 256 {
        return unsupported();
    }
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        match element {
            Object::Array(inner) => join(ruby, text, &inner.elements.borrow(), separator, depth + 1)?,
            other => text.push_str(&ruby.text_of(other)?),
        }
        if text.len() > TEXT_LIMIT {
            return unsupported();
        }
    }
    Ok(())
}

/// Evaluates `array.flatten(levels)`; negative `levels` flatten completely.
pub(super) fn flatten(out: &mut Vec<Object>, elements: &[Object], levels: i64, depth: u32) -> Ruby<()> {
    if depth > 256 {
        return unsupported();
    }
    for element in elements {
        match element {
            Object::Array(inner) if levels != 0 => {
                flatten(out, &inner.elements.borrow(), levels.saturating_sub(1).max(-1), depth + 1)?;
            }
            Object::Unknown(origin) => return Err(Stop::Unknown(*origin)),
            other => out.push(other.clone()),
        }
    }
    Ok(())
}

/// Removes `nil` elements. Returns true if there were any.
pub(super) fn remove_nils(elements: &mut Vec<Object>) -> Ruby<bool> {
    if let Some(Object::Unknown(origin)) = elements.iter().find(|it| matches!(it, Object::Unknown(_))) {
        return Err(Stop::Unknown(*origin));
    }
    let before = elements.len();
    elements.retain(|element| !matches!(element, Object::Nil));
    Ok(elements.len() < before)
}

/// Returns the distinct elements as hash keys.
fn set(elements: Vec<Object>) -> Ruby<ObjectEntries> {
    let mut set = ObjectEntries::default();
    for element in elements {
        set.entry(ObjectKey(copy_of_key(&element)?)).or_insert(element);
    }
    Ok(set)
}

fn difference(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let others = set(array_argument(it, 0)?)?;
    let mut kept = it.elements()?;
    ruby.charge(kept.len() * 16)?;
    if let Some(Object::Unknown(origin)) = kept.iter().find(|it| matches!(it, Object::Unknown(_))) {
        return Err(Stop::Unknown(*origin));
    }
    kept.retain(|element| !others.contains_key(&ObjectKey(element.clone())));
    Ok(Object::array(kept))
}
