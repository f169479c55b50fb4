//! Collections that belong to variables of Puppet, and the changes that code makes to them.

use rustc_hash::FxHashMap;
use types::{Origin, Type, Value};

use super::host::ChangedCollection;
use super::interpreter::Interpreter;
use super::value::{ChangePermission, ConvertedCollections, MAX_DEPTH, Object, Ruby, unsupported};

/// Variables that Puppet freezes with everything in them.
const FROZEN_VARIABLES: &[&str] = &["facts", "trusted", "server_facts"];

/// Returns true for a variable that Puppet freezes with everything in it.
pub(super) fn is_frozen_variable(name: &str) -> bool {
    FROZEN_VARIABLES.contains(&name.trim_start_matches("::"))
}

/// Collections that the host has provided, as objects that the code may change.
#[derive(Default)]
pub(super) struct GivenCollections {
    converted: ConvertedCollections,
}

impl GivenCollections {
    /// Returns the object for a value. Equal references give the same object.
    pub(super) fn object(&mut self, value: &Value) -> Object {
        Object::from_part(value, ChangePermission::Given, &mut self.converted)
    }

    /// Returns the object for the value of a variable.
    pub(super) fn variable(&mut self, name: &str, value: &Value) -> Object {
        let permission =
            if is_frozen_variable(name) { ChangePermission::Frozen } else { ChangePermission::Given };
        Object::from_part(value, permission, &mut self.converted)
    }

    /// Returns the collections that have changed since the last call, including those around them.
    fn take_changes(&mut self) -> Vec<ChangedCollection> {
        if !self
            .converted
            .values()
            .any(|(_, object)| permission_of(object) == Some(ChangePermission::Changed))
        {
            return Vec::new();
        }
        let originals = self.converted.values();
        let originals = originals.filter_map(|(value, object)| Some((address_of(object)?, value.clone())));
        let mut rebuilder = Rebuilder { originals: originals.collect(), rebuilt: FxHashMap::default() };
        let mut changes = Vec::new();
        for (before, object) in self.converted.values() {
            match rebuilder.rebuild(object, 0) {
                Ok((_, false)) => {}
                Ok((after, true)) => changes.push(ChangedCollection { before: before.clone(), after }),
                Err(_) => changes.push(ChangedCollection::unknown(before)),
            }
        }
        for address in changes.iter().filter_map(|it| it.before.collection_address()) {
            self.converted.remove(&address);
        }
        for (object, value) in rebuilder.rebuilt.into_values() {
            set_permission(&object, ChangePermission::Given);
            if let Some(address) = value.collection_address() {
                self.converted.insert(address, (value, object));
            }
        }
        changes
    }
}

impl ChangedCollection {
    /// Describes an unknown change.
    pub(super) fn unknown(before: &Value) -> ChangedCollection {
        let ty = match before {
            Value::Array(_) => Type::array_of(Type::Any),
            _ => Type::hash_of(Type::Any, Type::Any),
        };
        ChangedCollection { before: before.clone(), after: Value::unknown(ty, Origin::Template) }
    }
}

/// Conversion of objects to values that reuses unchanged ones.
struct Rebuilder {
    /// Values that objects represent, by the objects' addresses.
    originals: FxHashMap<usize, Value>,
    /// Objects whose values differ from the original ones.
    rebuilt: FxHashMap<usize, (Object, Value)>,
}

impl Rebuilder {
    /// Returns the value of an object, and true if it is not the original value.
    fn rebuild(&mut self, object: &Object, depth: usize) -> Ruby<(Value, bool)> {
        if depth > MAX_DEPTH {
            return unsupported();
        }
        let Some(address) = address_of(object) else { return Ok((object.to_puppet()?, false)) };
        if let Some((_, value)) = self.rebuilt.get(&address) {
            return Ok((value.clone(), true));
        }
        let original = self.originals.get(&address).cloned();
        let mut is_changed = original.is_none() || permission_of(object) == Some(ChangePermission::Changed);
        let mut part = |this: &mut Rebuilder, it: &Object| -> Ruby<Value> {
            let (value, is_other) = this.rebuild(it, depth + 1)?;
            is_changed |= is_other;
            Ok(value)
        };
        let value = match object {
            Object::Array(array) => {
                let elements: Ruby<Vec<Value>> =
                    array.elements.borrow().iter().map(|it| part(self, it)).collect();
                Value::array(elements?)
            }
            Object::Hash(hash) => {
                let entries = hash.entries.borrow();
                let entries: Ruby<Vec<(Value, Value)>> =
                    entries.iter().map(|(key, it)| Ok((key.0.to_puppet()?, part(self, it)?))).collect();
                Value::hash(entries?)
            }
            other => other.to_puppet()?,
        };
        match original {
            Some(original) if !is_changed => Ok((original, false)),
            _ => {
                self.rebuilt.insert(address, (object.clone(), value.clone()));
                Ok((value, true))
            }
        }
    }
}

fn permission_of(object: &Object) -> Option<ChangePermission> {
    match object {
        Object::Array(array) => Some(array.permission.get()),
        Object::Hash(hash) => Some(hash.permission.get()),
        _ => None,
    }
}

fn set_permission(object: &Object, permission: ChangePermission) {
    match object {
        Object::Array(array) => array.permission.set(permission),
        Object::Hash(hash) => hash.permission.set(permission),
        _ => {}
    }
}

fn address_of(object: &Object) -> Option<usize> {
    match object {
        Object::Array(array) => Some(std::rc::Rc::as_ptr(array).addr()),
        Object::Hash(hash) => Some(std::rc::Rc::as_ptr(hash).addr()),
        _ => None,
    }
}

impl Interpreter<'_> {
    /// Reports changed collections of the host's variables, so that other code sees the changes.
    pub(super) fn report_changes(&mut self) -> Ruby<()> {
        let changes = self.given.take_changes();
        if changes.is_empty() || self.host.change_collections(&changes) { Ok(()) } else { unsupported() }
    }

    /// Reports that the changed collections may have changed further, because the code was not evaluated to its
    /// end.
    pub(super) fn report_unknown_changes(&mut self) {
        let changes = self.given.take_changes();
        if !changes.is_empty() {
            let changes: Vec<_> = changes.iter().map(|it| ChangedCollection::unknown(&it.before)).collect();
            self.host.change_collections(&changes);
        }
    }
}
