//! The methods of Ruby's objects: one row of a table is one method.

pub(super) mod arrays;
mod changes;
pub(super) mod constants;
pub(super) mod enumerations;
mod everything;
mod hashes;
mod json;
mod kernel;
mod numbers;
pub(super) mod patterns;
pub(super) mod ranges;
mod scope;
mod searches;
mod slices;
mod sorting;
mod texts;

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::blocks::BlockRef;
use super::renderer::Renderer;
use super::value::{Object, Ruby, Stop, raise, unsupported};

/// A call of a method.
#[derive(Debug)]
pub(super) struct MethodInvocation<'t> {
    pub(super) receiver: Object,
    pub(super) name: &'t str,
    pub(super) arguments: Vec<Object>,
    pub(super) block: Option<BlockRef<'t>>,
}

impl MethodInvocation<'_> {
    /// An argument; `nil` where there are fewer.
    pub(super) fn argument(&self, index: usize) -> &Object {
        self.arguments.get(index).unwrap_or(&Object::Nil)
    }

    /// An argument that must be a text.
    pub(super) fn text_argument(&self, index: usize) -> Ruby<String> {
        match self.argument(index) {
            Object::Text(text) => Ok(text.content.borrow().clone()),
            other => raise(format!("no implicit conversion of {} into String", described(other)?)),
        }
    }

    /// An argument that must be an integer.
    pub(super) fn integer_argument(&self, index: usize) -> Ruby<i64> {
        match self.argument(index) {
            Object::Integer(value) => Ok(*value),
            Object::Float(_) => unsupported(),
            Object::Nil => raise("no implicit conversion from nil to integer"),
            other => raise(format!("no implicit conversion of {} into Integer", described(other)?)),
        }
    }

    /// An argument that counts something.
    pub(super) fn count_argument(&self, index: usize) -> Ruby<usize> {
        match usize::try_from(self.integer_argument(index)?) {
            Ok(count) => Ok(count),
            Err(_) => raise("negative array size"),
        }
    }

    /// The receiver as a text; of a symbol, its name.
    pub(super) fn text(&self) -> Ruby<String> {
        match &self.receiver {
            Object::Text(text) => Ok(text.content.borrow().clone()),
            Object::Symbol(name) => Ok(name.to_string()),
            _ => unsupported(),
        }
    }

    /// The elements of the receiver, which is an array.
    pub(super) fn elements(&self) -> Ruby<Vec<Object>> {
        match &self.receiver {
            Object::Array(array) => Ok(array.elements.borrow().clone()),
            _ => unsupported(),
        }
    }
}

/// How messages name a value that is of the wrong class.
pub(super) fn described(object: &Object) -> Ruby<String> {
    Ok(match object {
        Object::Nil => "nil".to_owned(),
        Object::Boolean(value) => value.to_string(),
        other => match other.class_name() {
            Some(class) => class.to_owned(),
            None => return unsupported(),
        },
    })
}

/// A set of the kinds of objects that have a method.
type ObjectKinds = u32;

const NIL: ObjectKinds = 1;
const BOOLEAN: ObjectKinds = 1 << 1;
const INTEGER: ObjectKinds = 1 << 2;
const FLOAT: ObjectKinds = 1 << 3;
const SYMBOL: ObjectKinds = 1 << 4;
const TEXT: ObjectKinds = 1 << 5;
const ARRAY: ObjectKinds = 1 << 6;
const HASH: ObjectKinds = 1 << 7;
const RANGE: ObjectKinds = 1 << 8;
const PATTERN: ObjectKinds = 1 << 9;
const MATCH: ObjectKinds = 1 << 10;
const ENUMERATOR: ObjectKinds = 1 << 11;
const CONSTANT: ObjectKinds = 1 << 12;
const SCOPE: ObjectKinds = 1 << 13;
const TEMPLATE: ObjectKinds = 1 << 14;
const FOREIGN: ObjectKinds = 1 << 15;
const VARIABLES: ObjectKinds = 1 << 16;

const NUMBER: ObjectKinds = INTEGER | FLOAT;
const LIST: ObjectKinds = ARRAY | RANGE | ENUMERATOR;
/// What has elements: `Enumerable`.
const ENUMERABLE: ObjectKinds = LIST | HASH;
/// Ruby's own plain values.
const PLAIN: ObjectKinds = NIL | BOOLEAN | NUMBER | SYMBOL | TEXT | ARRAY | HASH | RANGE;

fn kind_of(object: &Object) -> ObjectKinds {
    match object {
        Object::Nil => NIL,
        Object::Boolean(_) => BOOLEAN,
        Object::Integer(_) => INTEGER,
        Object::Float(_) => FLOAT,
        Object::Symbol(_) => SYMBOL,
        Object::Text(_) => TEXT,
        Object::Array(_) => ARRAY,
        Object::Hash(_) => HASH,
        Object::Range(_) => RANGE,
        Object::Pattern(_) => PATTERN,
        Object::Match(_) => MATCH,
        Object::Enumerator(_) => ENUMERATOR,
        Object::Constant(_) => CONSTANT,
        Object::Scope => SCOPE,
        Object::Variables => VARIABLES,
        Object::Template => TEMPLATE,
        Object::Foreign(_) => FOREIGN,
        Object::Unknown(_) => 0,
    }
}

type MethodImplementation = for<'t> fn(&mut Renderer<'t>, &MethodInvocation<'t>) -> Ruby;

struct MethodRow {
    name: &'static str,
    kinds: ObjectKinds,
    /// How many arguments it takes; [`MANY`] for any number.
    fewest: usize,
    most: usize,
    call: MethodImplementation,
}

const MANY: usize = usize::MAX;

const fn row(
    name: &'static str,
    kinds: ObjectKinds,
    fewest: usize,
    most: usize,
    call: MethodImplementation,
) -> MethodRow {
    MethodRow { name, kinds, fewest, most, call }
}

static TABLES: &[&[MethodRow]] = &[
    arrays::TABLE,
    changes::TABLE,
    constants::TABLE,
    hashes::TABLE,
    json::TABLE,
    kernel::TABLE,
    numbers::TABLE,
    patterns::TABLE,
    ranges::TABLE,
    scope::TABLE,
    slices::TABLE,
    texts::TABLE,
    searches::TABLE,
    sorting::TABLE,
    enumerations::TABLE,
    everything::TABLE,
];

/// The method of that name which takes so many arguments; else any of that name.
fn find(kind: ObjectKinds, name: &str, count: usize) -> Option<&'static MethodRow> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, Vec<&'static MethodRow>>> = LazyLock::new(|| {
        let mut by_name: FxHashMap<&'static str, Vec<&'static MethodRow>> = FxHashMap::default();
        for method in TABLES.iter().copied().flatten() {
            by_name.entry(method.name).or_default().push(method);
        }
        by_name
    });
    let mut candidates = BY_NAME.get(name)?.iter().copied().filter(|method| method.kinds & kind != 0);
    let first = candidates.next()?;
    let fits = |method: &&MethodRow| (method.fewest..=method.most).contains(&count);
    Some(if fits(&first) { first } else { candidates.find(fits).unwrap_or(first) })
}

/// Has a class of Ruby's a method of that name? `None` where that is not known. For the template itself the methods count
/// that are called without a receiver.
fn has_method(class: &str, name: &str) -> Option<bool> {
    static RECORDED: LazyLock<FxHashMap<&'static str, FxHashSet<&'static str>>> = LazyLock::new(|| {
        let lines = include_str!("../ruby_methods.txt").lines();
        let classes = lines.filter_map(|line| line.split_once(": "));
        classes.map(|(class, names)| (class, names.split(' ').collect())).collect()
    });
    Some(RECORDED.get(class)?.contains(name))
}

/// Does an object have a method of that name?
pub(super) fn responds_to(object: &Object, name: &str) -> Option<bool> {
    has_method(object.class_name()?, name)
}

impl<'t> Renderer<'t> {
    /// Calls a method of an object.
    pub(super) fn send(&mut self, invocation: MethodInvocation<'t>) -> Ruby {
        self.host.step(1)?;
        if let Object::Unknown(origin) = invocation.receiver {
            return Err(Stop::Unknown(origin));
        }
        match find(kind_of(&invocation.receiver), invocation.name, invocation.arguments.len()) {
            Some(method) => self.call_method(method, &invocation),
            None if matches!(invocation.receiver, Object::Scope)
                && invocation.name.starts_with("function_") =>
            {
                scope::call_legacy_function(self, &invocation)
            }
            None if responds_to(&invocation.receiver, invocation.name) == Some(false) => {
                let receiver = described(&invocation.receiver)?;
                raise(format!("undefined method '{}' for {receiver}", invocation.name))
            }
            None => unsupported(),
        }
    }

    fn call_method(&mut self, method: &'static MethodRow, invocation: &MethodInvocation<'t>) -> Ruby {
        for argument in &invocation.arguments {
            if let Object::Unknown(origin) = argument {
                return Err(Stop::Unknown(*origin));
            }
        }
        let count = invocation.arguments.len();
        if count < method.fewest || count > method.most {
            return raise(format!("wrong number of arguments for '{}': {count}", method.name));
        }
        match (method.call)(self, invocation) {
            Err(Stop::Break(value)) if invocation.block.is_some() => Ok(value),
            other => other,
        }
    }

    /// Calls a method without a receiver: one that the template defines, or one that every template has.
    pub(super) fn call_own(&mut self, invocation: MethodInvocation<'t>, is_name: bool) -> Ruby {
        if let Some(method) = self.methods.get(invocation.name).copied() {
            if invocation.block.is_some() {
                return unsupported();
            }
            return self.call_defined(method, &invocation.arguments);
        }
        match find(TEMPLATE, invocation.name, invocation.arguments.len()) {
            Some(method) => self.call_method(method, &invocation),
            None if has_method("Template", invocation.name) == Some(false) => {
                let what = if is_name { "variable or method" } else { "method" };
                raise(format!("undefined local {what} '{}'", invocation.name))
            }
            None => unsupported(),
        }
    }
}
