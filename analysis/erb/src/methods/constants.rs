//! Classes and modules, and what they are asked for.

use scalars::regexp::escape;

use super::super::key::ObjectKey;
use super::super::renderer::{Renderer, new_pattern};
use super::super::value::{Object, ObjectEntries, Ruby, unsupported};
use super::{CONSTANT, MethodInvocation, MethodRow, described, row};

pub(super) const TABLE: &[MethodRow] = &[
    row("name", CONSTANT, 0, 0, |_, it| match &it.receiver {
        Object::Constant(path) if is_known(path) => Ok(Object::text(path.as_str())),
        _ => unsupported(),
    }),
    row("escape", CONSTANT, 1, 1, |_, it| match is_constant(it, "Regexp") {
        true => Ok(Object::text(escape(&it.text_argument(0)?))),
        false => unsupported(),
    }),
    row("quote", CONSTANT, 1, 1, |_, it| match is_constant(it, "Regexp") {
        true => Ok(Object::text(escape(&it.text_argument(0)?))),
        false => unsupported(),
    }),
    row("new", CONSTANT, 0, 2, new),
    row("join", CONSTANT, 0, super::MANY, file_join),
    row("basename", CONSTANT, 1, 2, file_basename),
    row("dirname", CONSTANT, 1, 1, file_dirname),
];

/// Ruby's own classes that values of templates have.
const CLASSES: &[&str] = &[
    "NilClass",
    "TrueClass",
    "FalseClass",
    "Integer",
    "Float",
    "Numeric",
    "Symbol",
    "String",
    "Array",
    "Hash",
    "Range",
    "Regexp",
    "MatchData",
    "Enumerable",
    "Comparable",
    "Object",
    "BasicObject",
    "Kernel",
    "Proc",
    "Enumerator",
];

fn is_known(path: &str) -> bool {
    CLASSES.contains(&path)
}

fn is_constant(it: &MethodInvocation<'_>, path: &str) -> bool {
    matches!(&it.receiver, Object::Constant(known) if known == path)
}

/// `object.is_a?(class)`
pub(in super::super) fn is_instance(object: &Object, class: &str) -> Ruby<bool> {
    if !is_known(class) {
        return unsupported();
    }
    if matches!(class, "Object" | "BasicObject" | "Kernel") {
        return Ok(true);
    }
    let Some(own) = object.class_name() else {
        // Objects of Puppet's are of classes of Puppet's.
        let may_be = matches!(class, "Enumerable" | "Comparable" | "Proc" | "Enumerator");
        return match object {
            Object::Unknown(origin) => Err(super::super::value::Stop::Unknown(*origin)),
            Object::Foreign(_) if !may_be => Ok(false),
            _ => unsupported(),
        };
    };
    Ok(match class {
        "Numeric" => matches!(own, "Integer" | "Float"),
        "Comparable" => matches!(own, "Integer" | "Float" | "String" | "Symbol"),
        "Enumerable" => matches!(own, "Array" | "Hash" | "Range" | "Enumerator"),
        class => own == class,
    })
}

fn new<'t>(renderer: &mut Renderer<'t>, it: &MethodInvocation<'t>) -> Ruby {
    let Object::Constant(path) = &it.receiver else { return unsupported() };
    match (path.as_str(), it.arguments.as_slice()) {
        ("Hash", []) if it.block.is_none() => Ok(Object::hash(ObjectEntries::default())),
        ("Hash", [default]) if it.block.is_none() => {
            let hash = Object::hash(ObjectEntries::default());
            if let Object::Hash(hash) = &hash {
                *hash.default.borrow_mut() = default.clone();
            }
            Ok(hash)
        }
        ("Array", []) => Ok(Object::array(Vec::new())),
        ("Array", [Object::Integer(count), rest @ ..]) if *count >= 0 => {
            let count = *count as usize;
            renderer.charge(count.saturating_mul(16))?;
            let mut elements = Vec::new();
            for index in 0..count {
                elements.push(match &it.block {
                    Some(block) => renderer.call_block(block, vec![Object::size(index)])?,
                    None => rest.first().cloned().unwrap_or(Object::Nil),
                });
            }
            Ok(Object::array(elements))
        }
        ("String", []) => Ok(Object::text("")),
        ("String", [Object::Text(text)]) => Ok(Object::text(text.content.borrow().as_str())),
        ("Regexp", [Object::Text(source)]) => new_pattern(&source.content.borrow(), &"".into()),
        ("Regexp", [pattern @ Object::Pattern(_)]) => Ok(pattern.clone()),
        _ => unsupported(),
    }
}

/// `File.join`
fn file_join(_: &mut Renderer<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if !is_constant(it, "File") {
        return unsupported();
    }
    let mut path = String::new();
    for (index, _) in it.arguments.iter().enumerate() {
        if matches!(it.argument(index), Object::Array(_)) {
            return unsupported();
        }
        let part = it.text_argument(index)?;
        if index > 0 {
            match (path.ends_with('/'), part.starts_with('/')) {
                (true, true) => path.truncate(path.trim_end_matches('/').len()),
                (false, false) => path.push('/'),
                _ => {}
            }
        }
        path.push_str(&part);
    }
    Ok(Object::text(path))
}

/// `File.basename` of paths without anything odd.
fn file_basename(_: &mut Renderer<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let path = it.text_argument(0)?;
    if !is_constant(it, "File") || path.is_empty() || path.ends_with('/') {
        return unsupported();
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = match it.arguments.get(1) {
        None => name,
        Some(Object::Text(suffix)) if !suffix.content.borrow().contains('*') => {
            let suffix = suffix.content.borrow();
            match name.strip_suffix(suffix.as_str()) {
                Some(stem) if !stem.is_empty() => &name[..stem.len()],
                _ => name,
            }
        }
        Some(other) => {
            return super::super::value::raise(format!("no implicit conversion of {}", described(other)?));
        }
    };
    Ok(Object::text(name))
}

/// `File.dirname` of paths without anything odd.
fn file_dirname(_: &mut Renderer<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let path = it.text_argument(0)?;
    if !is_constant(it, "File") || path.is_empty() || path.ends_with('/') || path.contains("//") {
        return unsupported();
    }
    Ok(Object::text(match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => ".",
    }))
}

/// A hash of pairs.
pub(super) fn hash_of(pairs: impl IntoIterator<Item = (Object, Object)>) -> Object {
    Object::hash(pairs.into_iter().map(|(key, value)| (ObjectKey(key), value)).collect())
}
