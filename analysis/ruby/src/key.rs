//! Hash keys with the semantics of Ruby's `eql?` and `hash`.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::value::{MAX_DEPTH, Object, Ruby, Stop, unsupported};

/// Hash key. `1` and `1.0` are distinct keys, and so are `'a'` and `:a`.
#[derive(Clone, Debug)]
pub(super) struct ObjectKey(pub(super) Object);

impl PartialEq for ObjectKey {
    fn eq(&self, other: &ObjectKey) -> bool {
        is_eql(&self.0, &other.0)
    }
}

impl Eq for ObjectKey {}

pub(super) fn is_eql(a: &Object, b: &Object) -> bool {
    is_eql_at(a, b, 0)
}

/// Compares two objects. Values nested too deeply are unequal.
fn is_eql_at(a: &Object, b: &Object, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match (a, b) {
        (Object::Nil, Object::Nil) | (Object::Scope, Object::Scope) | (Object::Main, Object::Main) => true,
        (Object::Boolean(a), Object::Boolean(b)) => a == b,
        (Object::Integer(a), Object::Integer(b)) => a == b,
        (Object::Float(a), Object::Float(b)) => a.to_bits() == b.to_bits() || *a == 0.0 && *b == 0.0,
        (Object::Symbol(a), Object::Symbol(b)) | (Object::Constant(a), Object::Constant(b)) => a == b,
        (Object::Text(a), Object::Text(b)) => *a.content.borrow() == *b.content.borrow(),
        (Object::Array(a), Object::Array(b)) => {
            let (a, b) = (a.elements.borrow(), b.elements.borrow());
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_eql_at(a, b, depth + 1))
        }
        (Object::Hash(a), Object::Hash(b)) => {
            let (a, b) = (a.entries.borrow(), b.entries.borrow());
            a.len() == b.len()
                && a.iter()
                    .all(|(key, value)| b.get(key).is_some_and(|other| is_eql_at(value, other, depth + 1)))
        }
        (Object::Range(a), Object::Range(b)) => {
            a.is_exclusive == b.is_exclusive
                && is_eql_at(&a.first, &b.first, depth + 1)
                && is_eql_at(&a.last, &b.last, depth + 1)
        }
        (Object::Pattern(a), Object::Pattern(b)) => a.source == b.source && a.options == b.options,
        (Object::Match(a), Object::Match(b)) => Rc::ptr_eq(a, b),
        (Object::Module(a), Object::Module(b)) => Rc::ptr_eq(a, b),
        (Object::Instance(a), Object::Instance(b)) => Rc::ptr_eq(a, b),
        (Object::Error(a), Object::Error(b)) => Rc::ptr_eq(a, b),
        (Object::Proc(a), Object::Proc(b)) => Rc::ptr_eq(a, b),
        (Object::Address(a), Object::Address(b)) => a == b,
        (Object::WideInteger(a), Object::WideInteger(b)) => a == b,
        (Object::Set(a), Object::Set(b)) => {
            let (a, b) = (a.entries.borrow(), b.entries.borrow());
            a.len() == b.len() && a.keys().all(|key| b.contains_key(key))
        }
        (Object::Foreign(a), Object::Foreign(b)) => a == b,
        _ => false,
    }
}

impl Hash for ObjectKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_object(&self.0, state, 0);
    }
}

fn hash_object<H: Hasher>(object: &Object, state: &mut H, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    std::mem::discriminant(object).hash(state);
    match object {
        Object::Boolean(value) => value.hash(state),
        Object::Integer(value) => value.hash(state),
        Object::Float(value) => (if *value == 0.0 { 0 } else { value.to_bits() }).hash(state),
        Object::Symbol(name) | Object::Constant(name) => name.hash(state),
        Object::Text(text) => text.content.borrow().hash(state),
        Object::Array(array) => {
            let elements = array.elements.borrow();
            elements.len().hash(state);
            for element in elements.iter() {
                hash_object(element, state, depth + 1);
            }
        }
        Object::Hash(hash) | Object::Set(hash) => hash.entries.borrow().len().hash(state),
        Object::Address(address) => address.number.hash(state),
        Object::Foreign(value) => value.hash(state),
        _ => {}
    }
}

/// Returns an object as a hash key; a string is copied.
pub(super) fn copy_of_key(key: &Object) -> Ruby {
    match key {
        Object::Unknown(origin) => Err(Stop::Unknown(*origin)),
        Object::Text(text) => {
            let copy = Object::text(text.content.borrow().as_str());
            if let Object::Text(copy) = &copy {
                copy.is_shared.set(true);
            }
            Ok(copy)
        }
        // The class may define its own equality.
        Object::Instance(instance) => {
            if ["hash", "eql?"].iter().any(|name| instance.class.find_method(name).is_some()) {
                unsupported()
            } else {
                Ok(key.clone())
            }
        }
        other => Ok(other.clone()),
    }
}
