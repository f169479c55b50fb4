//! Classes and modules, and queries about them.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use scalars::regexp::escape;
use scalars::uri::Uri;

use super::super::interpreter::Interpreter;
use super::super::key::ObjectKey;
use super::super::value::{Object, ObjectEntries, Ruby, raise_as, unsupported};
use super::patterns::new_pattern;
use super::{CONSTANT, MethodInvocation, MethodRow, described, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("name", CONSTANT, 0, 0, |_, it| match &it.receiver {
        Object::Constant(path) if is_known(path) => Ok(Object::text(path.as_str())),
        _ => unsupported(),
    }),
    row("escape", CONSTANT, 1, 1, |_, it| {
        if is_constant(it, "Regexp") {
            Ok(Object::text(escape(&it.text_argument(0)?)))
        } else {
            unsupported()
        }
    }),
    row("quote", CONSTANT, 1, 1, |_, it| {
        if is_constant(it, "Regexp") {
            Ok(Object::text(escape(&it.text_argument(0)?)))
        } else {
            unsupported()
        }
    }),
    row("new", CONSTANT, 0, 2, new),
    row("===", CONSTANT, 1, 1, |ruby, it| {
        Ok(Object::Boolean(is_instance(ruby, it.argument(0), &it.receiver)?))
    }),
    row("const_defined?", CONSTANT, 1, 1, |_, it| {
        let Object::Constant(path) = &it.receiver else { return unsupported() };
        let name = super::super::classes::names(&it.arguments)?.swap_remove(0);
        if is_known(&format!("{path}::{name}")) { Ok(Object::Boolean(true)) } else { unsupported() }
    }),
    row("join", CONSTANT, 0, super::MANY, file_join),
    row("basename", CONSTANT, 1, 2, file_basename),
    row("dirname", CONSTANT, 1, 1, file_dirname),
];

/// Path of a Puppet class whose name is not known.
pub(in super::super) const CLASS_OF_PUPPET: &str = "unknown Puppet class";

/// Built-in classes of values in templates.
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

/// Built-in modules that code opens and that have no table rows.
static MODULES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("../puppet/modules.txt").lines().collect());

/// Returns true for classes and modules of Ruby and Puppet.
pub(in super::super) fn is_known(path: &str) -> bool {
    CLASSES.contains(&path) || MODULES.contains(path) || super::super::exceptions::is_error_class(path)
}

/// Returns true if a name without `::` may refer to a class or module of Ruby or Puppet.
pub(in super::super) fn may_be_known(name: &str) -> bool {
    // Names in capital letters are usually constants of the code itself.
    is_known(name) || name.chars().any(|c| c.is_ascii_lowercase())
}

fn is_constant(it: &MethodInvocation<'_>, path: &str) -> bool {
    matches!(&it.receiver, Object::Constant(known) if known == path)
}

/// Evaluates `object.is_a?(class)`.
pub(in super::super) fn is_instance(ruby: &Interpreter<'_>, object: &Object, class: &Object) -> Ruby<bool> {
    if let Object::Unknown(origin) = object {
        return Err(super::super::value::Stop::Unknown(*origin));
    }
    let class = match class {
        Object::Module(class) if !class.is_native => {
            return Ok(match object {
                Object::Instance(instance) => {
                    instance.class.ancestors().iter().any(|it| std::rc::Rc::ptr_eq(it, class))
                }
                Object::Foreign(_) | Object::Compiler(_) | Object::Scope | Object::Main => {
                    return unsupported();
                }
                _ => false,
            });
        }
        Object::Module(class) => class.name.borrow().clone(),
        Object::Constant(class) => class.clone(),
        _ => return unsupported(),
    };
    match object {
        Object::Error(error) => return ruby.is_exception_instance(error, &Object::Constant(class)),
        Object::Instance(instance) => {
            return match (instance.class.native_ancestor(), class.as_str()) {
                (_, "Object" | "BasicObject" | "Kernel") => Ok(true),
                (None, "Comparable" | "Enumerable") => unsupported(),
                (None, class) if is_known(class) => Ok(false),
                _ => unsupported(),
            };
        }
        Object::Foreign(value) => {
            let is_sensitive = matches!(value, types::Value::Sensitive(_));
            if class.ends_with("PSensitiveType::Sensitive") {
                return Ok(is_sensitive);
            }
        }
        Object::Module(_) | Object::Constant(_) => {
            return match class.as_str() {
                "Object" | "BasicObject" | "Kernel" => Ok(true),
                "Module" | "Class" => unsupported(),
                class if CLASSES.contains(&class) => Ok(false),
                _ => unsupported(),
            };
        }
        Object::Uri(uri) => {
            return match class.as_str() {
                "Object" | "BasicObject" | "Kernel" => Ok(true),
                "Comparable" | "Enumerable" => Ok(false),
                class => is_uri_instance(uri, class).map_or_else(unsupported, Ok),
            };
        }
        _ => {}
    }
    is_instance_of_native(object, &class)
}

/// Returns true if a URI is an instance of a subclass of `URI`; `None` if it is not known.
fn is_uri_instance(uri: &Uri, class: &str) -> Option<bool> {
    let own = match uri.scheme() {
        Some("http") => "URI::HTTP",
        Some("https") => "URI::HTTPS",
        Some("ftp") => "URI::FTP",
        Some("file") => "URI::File",
        Some("ldap") => "URI::LDAP",
        Some("ldaps") => "URI::LDAPS",
        Some("mailto") => "URI::MailTo",
        Some("ws") => "URI::WS",
        Some("wss") => "URI::WSS",
        _ => "URI::Generic",
    };
    match class {
        "URI::Generic" => Some(true),
        "URI::HTTP" => Some(matches!(own, "URI::HTTP" | "URI::HTTPS")),
        "URI::HTTPS" | "URI::FTP" | "URI::File" | "URI::LDAPS" | "URI::MailTo" => Some(own == class),
        class if class.starts_with("URI") => None,
        _ => Some(false),
    }
}

/// Returns true for classes that have no plain Ruby objects as instances.
fn is_not_plain_class(class: &str) -> bool {
    class.starts_with("Puppet::")
        || matches!(class, "Set" | "IPAddr" | "Time" | "Date" | "Proc" | "Method" | "Regexp")
}

fn is_instance_of_native(object: &Object, class: &str) -> Ruby<bool> {
    let own = object.class_name();
    if let Some(own) = own
        && (own == class || is_not_plain_class(class) && PLAIN_CLASSES.contains(&own))
    {
        return Ok(own == class);
    }
    if !CLASSES.contains(&class) {
        return unsupported();
    }
    if matches!(class, "Object" | "BasicObject" | "Kernel") {
        return Ok(true);
    }
    let Some(own) = own else {
        // Puppet's objects are instances of Puppet's classes.
        let may_be = matches!(class, "Enumerable" | "Comparable" | "Proc" | "Enumerator");
        return match object {
            Object::Foreign(_) if !may_be => Ok(false),
            _ => unsupported(),
        };
    };
    Ok(match class {
        "Numeric" => matches!(own, "Integer" | "Float"),
        "Comparable" => matches!(own, "Integer" | "Float" | "String" | "Symbol"),
        "Enumerable" => matches!(own, "Array" | "Hash" | "Range" | "Enumerator" | "Set"),
        class => own == class,
    })
}

/// Classes of plain values.
const PLAIN_CLASSES: &[&str] = &[
    "NilClass",
    "TrueClass",
    "FalseClass",
    "Integer",
    "Float",
    "Symbol",
    "String",
    "Array",
    "Hash",
    "Range",
];

fn new(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Object::Constant(path) = &it.receiver else { return unsupported() };
    match (path.as_str(), it.arguments.as_slice()) {
        ("Hash", []) if it.block.is_none() => Ok(Object::hash(ObjectEntries::default())),
        ("Hash", []) => {
            let hash = Object::hash(ObjectEntries::default());
            if let Object::Hash(hash) = &hash {
                *hash.default_block.borrow_mut() = it.block.clone();
            }
            Ok(hash)
        }
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
            ruby.charge(count.saturating_mul(16))?;
            let mut elements = Vec::new();
            for index in 0..count {
                elements.push(match &it.block {
                    Some(block) => ruby.call_block(block, vec![Object::size(index)])?,
                    None => rest.first().cloned().unwrap_or(Object::Nil),
                });
            }
            Ok(Object::array(elements))
        }
        ("String", []) => Ok(Object::text("")),
        ("String", [Object::Text(text)]) => Ok(Object::text(text.content.borrow().as_str())),
        ("Regexp", arguments) => new_regexp(arguments),
        ("Object", []) => {
            let root = ruby.root.clone();
            Ok(ruby.instantiate(&root))
        }
        (class, []) if super::super::exceptions::is_error_class(class) => {
            let error = super::super::exceptions::RubyError::new(class, class);
            Ok(Object::Error(std::rc::Rc::new(error)))
        }
        (class, [Object::Text(message)]) if super::super::exceptions::is_error_class(class) => {
            let error = super::super::exceptions::RubyError::new(class, message.content.borrow().as_str());
            Ok(Object::Error(std::rc::Rc::new(error)))
        }
        _ => unsupported(),
    }
}

/// Evaluates `Regexp.new(source, options)`.
fn new_regexp(arguments: &[Object]) -> Ruby {
    let options = match arguments.get(1) {
        None | Some(Object::Nil | Object::Boolean(false) | Object::Integer(0)) => "",
        Some(Object::Boolean(true) | Object::Integer(1)) => "i",
        Some(Object::Constant(path)) => match path.as_str() {
            "Regexp::IGNORECASE" => "i",
            "Regexp::MULTILINE" => "m",
            "Regexp::EXTENDED" => "x",
            _ => return unsupported(),
        },
        Some(_) => return unsupported(),
    };
    match arguments.first() {
        Some(Object::Text(source)) => new_pattern(&source.content.borrow(), &options.into()),
        Some(pattern @ Object::Pattern(_)) => Ok(pattern.clone()),
        Some(
            other @ (Object::Nil
            | Object::Boolean(_)
            | Object::Integer(_)
            | Object::Float(_)
            | Object::Array(_)
            | Object::Hash(_)),
        ) => raise_as("TypeError", format!("no implicit conversion of {} into String", described(other)?)),
        _ => unsupported(),
    }
}

/// Evaluates `File.join`.
fn file_join(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if !is_constant(it, "File") {
        return unsupported();
    }
    let mut parts = Vec::new();
    super::arrays::flatten(&mut parts, &it.arguments, -1, 0)?;
    let mut path = String::new();
    for (index, part) in parts.iter().enumerate() {
        let part = match part {
            Object::Text(part) => part.content.borrow().clone(),
            Object::Unknown(origin) => return Err(super::super::value::Stop::Unknown(*origin)),
            Object::Nil | Object::Boolean(_) | Object::Integer(_) | Object::Float(_) | Object::Hash(_) => {
                return raise_as("TypeError", format!("no implicit conversion of {}", described(part)?));
            }
            _ => return unsupported(),
        };
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

/// Evaluates `File.basename`.
fn file_basename(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let path = it.text_argument(0)?;
    if !is_constant(it, "File") {
        return unsupported();
    }
    let whole = path.trim_end_matches('/');
    if whole.is_empty() {
        return Ok(Object::text(if path.is_empty() { "" } else { "/" }));
    }
    let name = whole.rsplit('/').next().unwrap_or_default();
    let name = match it.arguments.get(1) {
        None => name,
        Some(Object::Text(suffix)) if !suffix.content.borrow().contains(['*', '/']) => {
            let suffix = suffix.content.borrow();
            match name.strip_suffix(suffix.as_str()) {
                Some(stem) if !stem.is_empty() => &name[..stem.len()],
                _ => name,
            }
        }
        Some(Object::Text(suffix)) if *suffix.content.borrow() == ".*" => match name.rfind('.') {
            Some(0) | None => name,
            Some(at) if at + 1 < name.len() => &name[..at],
            Some(_) => return unsupported(),
        },
        Some(Object::Text(_)) => return unsupported(),
        Some(other) => {
            return raise_as("TypeError", format!("no implicit conversion of {}", described(other)?));
        }
    };
    Ok(Object::text(name))
}

/// Evaluates `File.dirname`.
fn file_dirname(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let path = it.text_argument(0)?;
    if !is_constant(it, "File") {
        return unsupported();
    }
    let whole = path.trim_end_matches('/');
    Ok(Object::text(match whole.rfind('/') {
        None if whole.is_empty() && !path.is_empty() => "/",
        None => ".",
        // Consecutive slashes before the last name count as one.
        Some(at) => match whole[..at].trim_end_matches('/') {
            "" => "/",
            folder => folder,
        },
    }))
}

/// Builds a hash from pairs.
pub(in super::super) fn hash_of(pairs: impl IntoIterator<Item = (Object, Object)>) -> Object {
    Object::hash(pairs.into_iter().map(|(key, value)| (ObjectKey(key), value)).collect())
}
