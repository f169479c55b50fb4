//! Equality and ordering: `==`, `===`, and `<=>`.

use std::cmp::Ordering;

use super::interpreter::Interpreter;
use super::key::{ObjectKey, is_eql};
use super::methods::CallArguments;
use super::methods::constants::{CLASS_OF_PUPPET, is_instance, is_known};
use super::methods::patterns::search;
use super::methods::ranges::covers;
use super::value::{MAX_DEPTH, Object, Ruby, Stop, raise};

impl Interpreter<'_> {
    /// Evaluates `pattern === value`.
    pub(super) fn case_equal(&mut self, pattern: &Object, value: &Object) -> Ruby<bool> {
        if let Object::Unknown(origin) = value {
            return Err(Stop::Unknown(*origin));
        }
        match pattern {
            Object::Constant(_) | Object::Module(_) => is_instance(self, value, pattern),
            Object::Set(set) => Ok(set.entries.borrow().contains_key(&ObjectKey(value.clone()))),
            Object::Proc(called) => {
                let arguments = CallArguments::plain(vec![value.clone()]);
                self.call_proc(&called.clone(), arguments)?.is_true()
            }
            Object::Pattern(pattern) => match value {
                Object::Text(text) => {
                    let text = text.content.borrow().clone();
                    Ok(search(self, pattern, &text, 0)?.is_some())
                }
                Object::Symbol(name) => Ok(search(self, pattern, name, 0)?.is_some()),
                _ => {
                    self.last_match = None;
                    Ok(false)
                }
            },
            Object::Range(range) => covers(range, value),
            pattern => is_equal(pattern, value),
        }
    }
}

/// Evaluates `a == b`.
pub(super) fn is_equal(a: &Object, b: &Object) -> Ruby<bool> {
    is_equal_at(a, b, 0)
}

fn is_equal_at(a: &Object, b: &Object, depth: usize) -> Ruby<bool> {
    if depth > MAX_DEPTH {
        return super::value::unsupported();
    }
    match (a, b) {
        (Object::Unknown(origin), _) | (_, Object::Unknown(origin)) => Err(Stop::Unknown(*origin)),
        (Object::Integer(a), Object::Float(b)) | (Object::Float(b), Object::Integer(a)) => {
            Ok(compare_mixed(*a, *b) == Some(Ordering::Equal))
        }
        (Object::Float(a), Object::Float(b)) => Ok(a == b),
        (Object::Array(a), Object::Array(b)) => {
            let (a, b) = (a.elements.borrow(), b.elements.borrow());
            if a.len() != b.len() {
                return Ok(false);
            }
            for (a, b) in a.iter().zip(b.iter()) {
                if !is_equal_at(a, b, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Object::Hash(first), Object::Hash(second)) => {
            let entries = first.entries.borrow();
            if entries.len() != second.entries.borrow().len() {
                return Ok(false);
            }
            for (key, value) in entries.iter() {
                if !second.contains(&key.0)? || !is_equal_at(value, &second.get(&key.0)?, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Object::Constant(class), Object::Constant(other))
        | (Object::Constant(other), Object::Constant(class))
            if class == CLASS_OF_PUPPET && other != CLASS_OF_PUPPET && is_known(other) =>
        {
            Ok(false)
        }
        (Object::Uri(_), Object::Uri(_)) | (Object::Partial(_), _) | (_, Object::Partial(_)) => {
            super::value::unsupported()
        }
        (Object::Constant(path), _) | (_, Object::Constant(path)) if !is_known(path) => {
            super::value::unsupported()
        }
        // Such classes may define their own equality.
        (Object::Instance(instance), _) | (_, Object::Instance(instance))
            if instance.class.find_method("==").is_some() || instance.class.native_ancestor().is_some() =>
        {
            super::value::unsupported()
        }
        (Object::Error(a), Object::Error(b)) if !std::rc::Rc::ptr_eq(a, b) => super::value::unsupported(),
        (a, b) => Ok(is_eql(a, b)),
    }
}

/// Evaluates `a <=> b`; `None` if Ruby returns `nil`.
pub(super) fn compare(a: &Object, b: &Object) -> Ruby<Option<Ordering>> {
    compare_at(a, b, 0)
}

fn compare_at(a: &Object, b: &Object, depth: usize) -> Ruby<Option<Ordering>> {
    if depth > MAX_DEPTH {
        return super::value::unsupported();
    }
    Ok(match (a, b) {
        (Object::Unknown(origin), _) | (_, Object::Unknown(origin)) => return Err(Stop::Unknown(*origin)),
        (Object::Integer(a), Object::Integer(b)) => Some(a.cmp(b)),
        (Object::Integer(a), Object::Float(b)) => compare_mixed(*a, *b),
        (Object::Float(a), Object::Integer(b)) => compare_mixed(*b, *a).map(Ordering::reverse),
        (Object::Float(a), Object::Float(b)) => a.partial_cmp(b),
        (Object::Text(a), Object::Text(b)) => {
            Some(a.content.borrow().as_bytes().cmp(b.content.borrow().as_bytes()))
        }
        (Object::Symbol(a), Object::Symbol(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Object::Array(a), Object::Array(b)) => {
            let (a, b) = (a.elements.borrow(), b.elements.borrow());
            for (a, b) in a.iter().zip(b.iter()) {
                match compare_at(a, b, depth + 1)? {
                    Some(Ordering::Equal) => {}
                    other => return Ok(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        // The order of Puppet's own objects is not known.
        (Object::Foreign(_), _) | (_, Object::Foreign(_)) => return super::value::unsupported(),
        (a, b) => is_equal(a, b)?.then_some(Ordering::Equal),
    })
}

fn compare_mixed(integer: i64, float: f64) -> Option<Ordering> {
    // Beyond 53 bits a float is no longer exact, so compare the integer parts.
    if integer.unsigned_abs() <= 1 << 53 {
        return (integer as f64).partial_cmp(&float);
    }
    if float.is_nan() {
        return None;
    }
    let whole = float.floor();
    Some(match (integer as i128).cmp(&(whole as i128)) {
        Ordering::Equal if whole < float => Ordering::Less,
        other => other,
    })
}

/// Returns the order of two objects, or raises an error if they cannot be compared.
pub(super) fn order(a: &Object, b: &Object) -> Ruby<Ordering> {
    match compare(a, b)? {
        Some(ordering) => Ok(ordering),
        None => raise(format!("comparison of {} with {} failed", shown(a, false), shown(b, true))),
    }
}

/// Returns the description of a value in messages about failed comparisons.
fn shown(object: &Object, is_second: bool) -> String {
    match object {
        Object::Nil if is_second => "nil".to_owned(),
        Object::Boolean(value) if is_second => value.to_string(),
        Object::Integer(value) if is_second => value.to_string(),
        Object::Float(value) if is_second => scalars::numbers::float_text(*value),
        other => other.class_name().unwrap_or("an object").to_owned(),
    }
}

/// Sorts with a fallible comparison. The result is unknown if equal elements are distinguishable, because
/// their order is unspecified.
pub(super) fn sort<T>(
    elements: Vec<T>,
    compare: &mut dyn FnMut(&T, &T) -> Ruby<Ordering>,
    is_same: &dyn Fn(&T, &T) -> bool,
) -> Ruby<Vec<T>> {
    // Merge sort, because the standard library requires a comparison that cannot fail.
    if elements.len() < 2 {
        return Ok(elements);
    }
    let mut left = elements;
    let right = left.split_off(left.len() / 2);
    let mut left = sort(left, compare, is_same)?.into_iter().peekable();
    let mut right = sort(right, compare, is_same)?.into_iter().peekable();
    let mut sorted = Vec::with_capacity(left.len() + right.len());
    loop {
        let from_left = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => {
                let ordering = compare(a, b)?;
                if ordering == Ordering::Equal && !is_same(a, b) {
                    return super::value::unsupported();
                }
                ordering != Ordering::Greater
            }
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return Ok(sorted),
        };
        sorted.extend(if from_left { left.next() } else { right.next() });
    }
}
