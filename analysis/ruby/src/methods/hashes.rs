//! Methods of hashes.

use super::super::comparison::is_equal;
use super::super::interpreter::Interpreter;
use super::super::key::{ObjectKey, copy_of_key};
use super::super::value::{Hash, Object, ObjectEntries, Ruby, Stop, raise, raise_as, unsupported};
use super::enumerations::insert_pair;
use super::{HASH, MANY, MethodInvocation, MethodRow, described, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("key?", HASH, 1, 1, has_key),
    row("has_key?", HASH, 1, 1, has_key),
    row("include?", HASH, 1, 1, has_key),
    row("member?", HASH, 1, 1, has_key),
    row("value?", HASH, 1, 1, has_value),
    row("has_value?", HASH, 1, 1, has_value),
    row("keys", HASH, 0, 0, |_, it| Ok(Object::array(entries(it)?.into_keys().map(|key| key.0).collect()))),
    row("values", HASH, 0, 0, |_, it| Ok(Object::array(entries(it)?.into_values().collect()))),
    row("key", HASH, 1, 1, |_, it| {
        for (key, value) in entries(it)? {
            if is_equal(&value, it.argument(0))? {
                return Ok(key.0);
            }
        }
        Ok(Object::Nil)
    }),
    row("fetch", HASH, 1, 2, |ruby, it| {
        let hash = hash(it)?;
        if hash.contains(it.argument(0))? {
            return hash.get(it.argument(0));
        }
        match (&it.block, it.arguments.get(1)) {
            (Some(block), _) => ruby.call_block(block, vec![it.argument(0).clone()]),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => {
                let key = super::super::printing::inspect(it.argument(0), ruby.host.env())?;
                raise_as("KeyError", format!("key not found: {key}"))
            }
        }
    }),
    row("values_at", HASH, 0, MANY, |_, it| {
        let hash = hash(it)?;
        let values: Ruby<Vec<Object>> = it.arguments.iter().map(|key| hash.get(key)).collect();
        Ok(Object::array(values?))
    }),
    row("[]=", HASH, 2, 2, store),
    row("store", HASH, 2, 2, store),
    row("default=", HASH, 1, 1, |_, it| {
        let hash = hash(it)?;
        hash.change(|_| ())?;
        *hash.default.borrow_mut() = it.argument(0).clone();
        Ok(it.argument(0).clone())
    }),
    row("delete", HASH, 1, 1, |_, it| {
        let hash = hash(it)?;
        hash.contains(it.argument(0))?;
        let removed = hash.change(|entries| entries.shift_remove(&ObjectKey(it.argument(0).clone())))?;
        Ok(removed.unwrap_or(Object::Nil))
    }),
    row("clear", HASH, 0, 0, |_, it| {
        hash(it)?.change(ObjectEntries::clear)?;
        Ok(it.receiver.clone())
    }),
    row("each_key", HASH, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for (key, _) in entries(it)? {
            ruby.call_block(block, vec![key.0])?;
        }
        Ok(it.receiver.clone())
    }),
    row("each_value", HASH, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        for (_, value) in entries(it)? {
            ruby.call_block(block, vec![value])?;
        }
        Ok(it.receiver.clone())
    }),
    row("select", HASH, 0, 0, |ruby, it| Ok(Object::hash(filter_entries(ruby, it, true)?))),
    row("filter", HASH, 0, 0, |ruby, it| Ok(Object::hash(filter_entries(ruby, it, true)?))),
    row("reject", HASH, 0, 0, |ruby, it| Ok(Object::hash(filter_entries(ruby, it, false)?))),
    row("delete_if", HASH, 0, 0, |ruby, it| {
        let kept = filter_entries(ruby, it, false)?;
        hash(it)?.change(|entries| *entries = kept)?;
        Ok(it.receiver.clone())
    }),
    row("keep_if", HASH, 0, 0, |ruby, it| {
        let kept = filter_entries(ruby, it, true)?;
        hash(it)?.change(|entries| *entries = kept)?;
        Ok(it.receiver.clone())
    }),
    row("select!", HASH, 0, 0, |ruby, it| filter_in_place(ruby, it, true)),
    row("filter!", HASH, 0, 0, |ruby, it| filter_in_place(ruby, it, true)),
    row("reject!", HASH, 0, 0, |ruby, it| filter_in_place(ruby, it, false)),
    row("compact!", HASH, 0, 0, |_, it| {
        let mut entries = entries(it)?;
        if let Some(Object::Unknown(origin)) = entries.values().find(|it| matches!(it, Object::Unknown(_))) {
            return Err(Stop::Unknown(*origin));
        }
        let count = entries.len();
        entries.retain(|_, value| !matches!(value, Object::Nil));
        let is_changed = entries.len() < count;
        hash(it)?.change(|own| *own = entries)?;
        Ok(if is_changed { it.receiver.clone() } else { Object::Nil })
    }),
    row("transform_values!", HASH, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        let mut out = ObjectEntries::default();
        for (key, value) in entries(it)? {
            out.insert(key, ruby.call_block(block, vec![value])?);
        }
        hash(it)?.change(|own| *own = out)?;
        Ok(it.receiver.clone())
    }),
    row("default", HASH, 0, 0, |_, it| Ok(hash(it)?.default.borrow().clone())),
    row("fetch_values", HASH, 0, MANY, |_, it| {
        let hash = hash(it)?;
        let mut values = Vec::new();
        for key in &it.arguments {
            if hash.contains(key)? {
                values.push(hash.get(key)?);
            } else if it.block.is_some() {
                return unsupported();
            } else {
                return raise_as("KeyError", "key not found");
            }
        }
        Ok(Object::array(values))
    }),
    row("replace", HASH, 1, 1, |_, it| {
        let Object::Hash(other) = it.argument(0) else { return unsupported() };
        let other = other.entries.borrow().clone();
        hash(it)?.change(|own| *own = other)?;
        Ok(it.receiver.clone())
    }),
    row("merge", HASH, 0, MANY, |ruby, it| {
        let merged = merged(ruby, it)?;
        let copy = Object::hash(merged);
        if let (Object::Hash(copy), Object::Hash(own)) = (&copy, &it.receiver) {
            *copy.default.borrow_mut() = own.default.borrow().clone();
        }
        Ok(copy)
    }),
    row("merge!", HASH, 0, MANY, update),
    row("update", HASH, 0, MANY, update),
    row("invert", HASH, 0, 0, |_, it| {
        let pairs = entries(it)?.into_iter();
        let inverted: Ruby<ObjectEntries> =
            pairs.map(|(key, value)| Ok((ObjectKey(copy_of_key(&value)?), key.0))).collect();
        Ok(Object::hash(inverted?))
    }),
    row("compact", HASH, 0, 0, |_, it| {
        let mut entries = entries(it)?;
        if let Some(Object::Unknown(origin)) = entries.values().find(|it| matches!(it, Object::Unknown(_))) {
            return Err(Stop::Unknown(*origin));
        }
        entries.retain(|_, value| !matches!(value, Object::Nil));
        Ok(Object::hash(entries))
    }),
    row("slice", HASH, 0, MANY, |_, it| {
        let hash = hash(it)?;
        let mut slice = ObjectEntries::default();
        for key in &it.arguments {
            if hash.contains(key)? {
                slice.insert(ObjectKey(key.clone()), hash.get(key)?);
            }
        }
        Ok(Object::hash(slice))
    }),
    row("except", HASH, 0, MANY, |_, it| {
        let hash = hash(it)?;
        let mut rest = entries(it)?;
        for key in &it.arguments {
            hash.contains(key)?;
            rest.shift_remove(&ObjectKey(key.clone()));
        }
        Ok(Object::hash(rest))
    }),
    row("transform_values", HASH, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        let mut out = ObjectEntries::default();
        for (key, value) in entries(it)? {
            out.insert(key, ruby.call_block(block, vec![value])?);
        }
        Ok(Object::hash(out))
    }),
    row("transform_keys", HASH, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return unsupported() };
        let mut out = ObjectEntries::default();
        for (key, value) in entries(it)? {
            out.insert(ObjectKey(copy_of_key(&ruby.call_block(block, vec![key.0])?)?), value);
        }
        Ok(Object::hash(out))
    }),
    row("to_h", HASH, 0, 0, |ruby, it| {
        let Some(block) = &it.block else { return Ok(it.receiver.clone()) };
        let mut out = ObjectEntries::default();
        for (key, value) in entries(it)? {
            let pair = ruby.call_block(block, vec![key.0, value])?;
            insert_pair(&mut out, &pair)?;
        }
        Ok(Object::hash(out))
    }),
];

fn hash<'i>(it: &'i MethodInvocation<'_>) -> Ruby<&'i Hash> {
    match &it.receiver {
        Object::Hash(hash) => Ok(hash),
        _ => unsupported(),
    }
}

fn entries(it: &MethodInvocation<'_>) -> Ruby<ObjectEntries> {
    Ok(hash(it)?.entries.borrow().clone())
}

fn has_key(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    Ok(Object::Boolean(hash(it)?.contains(it.argument(0))?))
}

fn has_value(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    for value in entries(it)?.values() {
        if is_equal(value, it.argument(0))? {
            return Ok(Object::Boolean(true));
        }
    }
    Ok(Object::Boolean(false))
}

fn store(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let (key, value) = (copy_of_key(it.argument(0))?, it.argument(1).clone());
    if matches!((&value, &it.receiver), (Object::Hash(value), Object::Hash(own)) if std::rc::Rc::ptr_eq(value, own))
    {
        return unsupported();
    }
    ruby.charge(32)?;
    hash(it)?.change(|entries| entries.insert(ObjectKey(key), value.clone()))?;
    Ok(value)
}

/// Returns the entries for which the block, called with key and value, returns `wanted`.
fn filter_entries(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
    wanted: bool,
) -> Ruby<ObjectEntries> {
    let Some(block) = &it.block else { return unsupported() };
    let mut out = ObjectEntries::default();
    for (key, value) in entries(it)? {
        if ruby.call_block(block, vec![key.0.clone(), value.clone()])?.is_true()? == wanted {
            out.insert(key, value);
        }
    }
    Ok(out)
}

/// Evaluates `select!` and similar methods, which return `nil` if nothing changed.
fn filter_in_place(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, wanted: bool) -> Ruby {
    let count = entries(it)?.len();
    let kept = filter_entries(ruby, it, wanted)?;
    if kept.len() == count {
        return Ok(Object::Nil);
    }
    hash(it)?.change(|entries| *entries = kept)?;
    Ok(it.receiver.clone())
}

fn merged(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby<ObjectEntries> {
    let mut merged = entries(it)?;
    for other in &it.arguments {
        let Object::Hash(other) = other else {
            return raise(format!("no implicit conversion of {} into Hash", described(other)?));
        };
        let other = other.entries.borrow().clone();
        ruby.charge(other.len() * 32)?;
        for (key, value) in other {
            let value = match (&it.block, merged.get(&key).cloned()) {
                (Some(block), Some(known)) => ruby.call_block(block, vec![key.0.clone(), known, value])?,
                _ => value,
            };
            merged.insert(key, value);
        }
    }
    Ok(merged)
}

fn update(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let merged = merged(ruby, it)?;
    hash(it)?.change(|entries| *entries = merged)?;
    Ok(it.receiver.clone())
}
