//! Mutating methods of arrays and strings.

use super::super::interpreter::Interpreter;
use super::super::value::{Array, Object, Ruby, RubyString, raise, unsupported};
use super::arrays::remove_nils;
use super::enumerations::position_of;
use super::patterns::any_pattern;
use super::{ARRAY, MANY, MethodInvocation, MethodRow, TEXT, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("<<", ARRAY, 1, 1, push),
    row("push", ARRAY, 0, MANY, push),
    row("append", ARRAY, 0, MANY, push),
    row("unshift", ARRAY, 0, MANY, unshift),
    row("prepend", ARRAY, 0, MANY, unshift),
    row("insert", ARRAY, 2, 2, |_, it| {
        let index = it.integer_argument(0)?;
        let value = it.argument(1).clone();
        let array = array(it)?;
        let size = array.elements.borrow().len() as i64;
        if index < 0 || index > size {
            return unsupported();
        }
        array.change(|elements| elements.insert(index as usize, value))?;
        Ok(it.receiver.clone())
    }),
    row("pop", ARRAY, 0, 0, |_, it| Ok(array(it)?.change(Vec::pop)?.unwrap_or(Object::Nil))),
    row("shift", ARRAY, 0, 0, |_, it| {
        let first = array(it)?.change(|elements| (!elements.is_empty()).then(|| elements.remove(0)))?;
        Ok(first.unwrap_or(Object::Nil))
    }),
    row("clear", ARRAY, 0, 0, |_, it| {
        array(it)?.change(Vec::clear)?;
        Ok(it.receiver.clone())
    }),
    row("delete", ARRAY, 1, 1, |_, it| {
        let array = array(it)?;
        let mut found = Object::Nil;
        while let Some(index) = position_of(&it.elements()?, it.argument(0))? {
            found = array.change(|elements| elements.remove(index))?;
        }
        Ok(found)
    }),
    row("delete_at", ARRAY, 1, 1, |_, it| {
        let index = it.integer_argument(0)?;
        let removed = array(it)?.change(|elements| {
            let index = if index < 0 { index.saturating_add(elements.len() as i64) } else { index };
            let index = usize::try_from(index).ok().filter(|index| *index < elements.len());
            index.map(|index| elements.remove(index))
        })?;
        Ok(removed.unwrap_or(Object::Nil))
    }),
    row("[]=", ARRAY, 2, 2, |ruby, it| {
        if matches!(it.argument(0), Object::Range(_)) {
            return unsupported();
        }
        let index = it.integer_argument(0)?;
        let value = it.argument(1).clone();
        let array = array(it)?;
        let size = array.elements.borrow().len() as i64;
        let index = if index < 0 { index.saturating_add(size) } else { index };
        let Ok(index) = usize::try_from(index) else { return raise("index too small for the array") };
        ruby.charge(index.saturating_mul(16))?;
        array.change(|elements| {
            if index >= elements.len() {
                elements.resize(index + 1, Object::Nil);
            }
            elements[index] = value.clone();
        })?;
        Ok(value)
    }),
    row("compact!", ARRAY, 0, 0, |_, it| {
        let mut elements = it.elements()?;
        let is_changed = remove_nils(&mut elements)?;
        replace_elements(it, elements, is_changed)
    }),
    row("flatten!", ARRAY, 0, 0, |_, it| {
        let before = it.elements()?;
        let is_changed = before.iter().any(|element| matches!(element, Object::Array(_)));
        let mut flat = Vec::new();
        super::arrays::flatten(&mut flat, &before, -1, 0)?;
        replace_elements(it, flat, is_changed)
    }),
    row("reverse!", ARRAY, 0, 0, |_, it| {
        array(it)?.change(|elements| elements.reverse())?;
        Ok(it.receiver.clone())
    }),
    row("map!", ARRAY, 0, 0, map),
    row("collect!", ARRAY, 0, 0, map),
    row("select!", ARRAY, 0, 0, |ruby, it| filter(ruby, it, true)),
    row("filter!", ARRAY, 0, 0, |ruby, it| filter(ruby, it, true)),
    row("reject!", ARRAY, 0, 0, |ruby, it| filter(ruby, it, false)),
    row("delete_if", ARRAY, 0, 0, |ruby, it| {
        filter(ruby, it, false)?;
        Ok(it.receiver.clone())
    }),
    row("keep_if", ARRAY, 0, 0, |ruby, it| {
        filter(ruby, it, true)?;
        Ok(it.receiver.clone())
    }),
    row("<<", TEXT, 1, 1, add_text),
    row("concat", TEXT, 0, 1, add_text),
    row("prepend", TEXT, 1, 1, |ruby, it| {
        let more = it.text_argument(0)?;
        ruby.charge(more.len())?;
        text(it)?.change(|text| text.insert_str(0, &more))?;
        Ok(it.receiver.clone())
    }),
    row("replace", TEXT, 1, 1, |_, it| {
        let content = it.text_argument(0)?;
        text(it)?.change(|text| *text = content)?;
        Ok(it.receiver.clone())
    }),
    row("clear", TEXT, 0, 0, |_, it| {
        text(it)?.change(String::clear)?;
        Ok(it.receiver.clone())
    }),
    row("gsub!", TEXT, 1, 2, |ruby, it| change_in_place(ruby, it, "gsub")),
    row("sub!", TEXT, 1, 2, |ruby, it| change_in_place(ruby, it, "sub")),
    row("strip!", TEXT, 0, 0, |ruby, it| change_in_place(ruby, it, "strip")),
    row("lstrip!", TEXT, 0, 0, |ruby, it| change_in_place(ruby, it, "lstrip")),
    row("rstrip!", TEXT, 0, 0, |ruby, it| change_in_place(ruby, it, "rstrip")),
    row("chomp!", TEXT, 0, 1, |ruby, it| change_in_place(ruby, it, "chomp")),
    row("upcase!", TEXT, 0, 0, |ruby, it| change_in_place(ruby, it, "upcase")),
    row("downcase!", TEXT, 0, 0, |ruby, it| change_in_place(ruby, it, "downcase")),
    row("capitalize!", TEXT, 0, 0, |ruby, it| change_in_place(ruby, it, "capitalize")),
    row("squeeze!", TEXT, 0, 1, |ruby, it| change_in_place(ruby, it, "squeeze")),
    row("tr!", TEXT, 2, 2, |ruby, it| change_in_place(ruby, it, "tr")),
    row("delete!", TEXT, 1, 1, |ruby, it| change_in_place(ruby, it, "delete")),
];

fn array<'i>(it: &'i MethodInvocation<'_>) -> Ruby<&'i Array> {
    match &it.receiver {
        Object::Array(array) => Ok(array),
        _ => unsupported(),
    }
}

fn text<'i>(it: &'i MethodInvocation<'_>) -> Ruby<&'i RubyString> {
    match &it.receiver {
        Object::Text(text) => Ok(text),
        _ => unsupported(),
    }
}

fn push(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let array = array(it)?;
    // An array that would contain itself is not supported.
    if it.arguments.iter().any(|value| matches!(value, Object::Array(inner) if std::ptr::eq(&**inner, array)))
    {
        return unsupported();
    }
    ruby.charge(16)?;
    array.change(|elements| elements.extend(it.arguments.iter().cloned()))?;
    Ok(it.receiver.clone())
}

fn unshift(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    array(it)?.change(|elements| drop(elements.splice(0..0, it.arguments.iter().cloned())))?;
    Ok(it.receiver.clone())
}

/// Replaces the elements of the receiver; returns `nil` if nothing changed.
fn replace_elements(it: &MethodInvocation<'_>, elements: Vec<Object>, is_changed: bool) -> Ruby {
    if !is_changed {
        return Ok(Object::Nil);
    }
    array(it)?.change(|known| *known = elements)?;
    Ok(it.receiver.clone())
}

fn map(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Some(block) = &it.block else { return unsupported() };
    let mut out = Vec::new();
    for element in it.elements()? {
        out.push(ruby.call_block(block, vec![element])?);
    }
    array(it)?.change(|elements| *elements = out)?;
    Ok(it.receiver.clone())
}

fn filter(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, wanted: bool) -> Ruby {
    let Some(block) = &it.block else { return unsupported() };
    let before = it.elements()?;
    let mut kept = Vec::new();
    for element in &before {
        if ruby.call_block(block, vec![element.clone()])?.is_true()? == wanted {
            kept.push(element.clone());
        }
    }
    let is_changed = kept.len() < before.len();
    replace_elements(it, kept, is_changed)
}

fn add_text(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if it.arguments.is_empty() {
        return Ok(it.receiver.clone());
    }
    if matches!(it.argument(0), Object::Integer(_)) {
        return unsupported();
    }
    let more = it.text_argument(0)?;
    let text = text(it)?;
    ruby.charge(text.content.borrow().len() / 16 + more.len())?;
    text.change(|text| text.push_str(&more))?;
    Ok(it.receiver.clone())
}

/// Evaluates a method that ends in `!`: returns the receiver, changed, or `nil` if there is nothing to
/// change.
fn change_in_place(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, method: &'static str) -> Ruby {
    let plain = MethodInvocation {
        receiver: it.receiver.clone(),
        name: method,
        arguments: it.arguments.clone(),
        block: it.block.clone(),
    };
    let Object::Text(changed) = ruby.send(plain)? else { return unsupported() };
    let changed = changed.content.borrow().clone();
    let text = text(it)?;
    if *text.content.borrow() == changed {
        // A substitution that leaves the string equal counts as a change.
        let is_found = method.ends_with("sub")
            && any_pattern(it.argument(0))?.is_match(&changed).or_else(|_| unsupported())?;
        return Ok(if is_found { it.receiver.clone() } else { Object::Nil });
    }
    text.change(|text| *text = changed)?;
    Ok(it.receiver.clone())
}
