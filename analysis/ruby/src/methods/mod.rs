//! Methods of Ruby's objects, one table row per method.

pub(super) mod arrays;
pub(super) mod constants;
pub(super) mod enumerations;
pub(super) mod hashes;
pub(super) mod json;
pub(super) mod kernel;
pub(super) mod modules;
pub(super) mod mutations;
pub(super) mod numbers;
pub(super) mod objects;
pub(super) mod patterns;
pub(super) mod procs;
pub(super) mod ranges;
pub(super) mod scope;
pub(super) mod searches;
pub(super) mod sets;
pub(super) mod slices;
pub(super) mod sorting;
pub(super) mod strings;

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::blocks::BlockRef;
use super::host::TemplateMethod;
use super::interpreter::Interpreter;
use super::value::{Object, Ruby, Stop, raise, raise_as, unsupported};

/// Arguments of a call.
#[derive(Clone, Default, Debug)]
pub(super) struct CallArguments {
    pub(super) all: Vec<Object>,
    /// True if the last argument is a hash of keyword arguments.
    pub(super) has_keywords: bool,
    /// True if neither number nor values of the arguments are known.
    pub(super) are_unknown: bool,
}

impl CallArguments {
    pub(super) fn plain(all: Vec<Object>) -> CallArguments {
        CallArguments { all, ..CallArguments::default() }
    }

    /// Creates arguments of unknown number and values.
    pub(super) fn unknown() -> CallArguments {
        CallArguments { are_unknown: true, ..CallArguments::default() }
    }
}

impl std::ops::Deref for CallArguments {
    type Target = Vec<Object>;

    fn deref(&self) -> &Vec<Object> {
        &self.all
    }
}

impl std::ops::DerefMut for CallArguments {
    fn deref_mut(&mut self) -> &mut Vec<Object> {
        &mut self.all
    }
}

impl<'a> IntoIterator for &'a CallArguments {
    type Item = &'a Object;
    type IntoIter = std::slice::Iter<'a, Object>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

/// Call of a method.
#[derive(Debug)]
pub(super) struct MethodInvocation<'n> {
    pub(super) receiver: Object,
    pub(super) name: &'n str,
    pub(super) arguments: CallArguments,
    pub(super) block: Option<BlockRef>,
}

impl MethodInvocation<'_> {
    /// Returns an argument; `nil` if there are fewer.
    pub(super) fn argument(&self, index: usize) -> &Object {
        self.arguments.get(index).unwrap_or(&Object::Nil)
    }

    /// Returns an argument that must be a string.
    pub(super) fn text_argument(&self, index: usize) -> Ruby<String> {
        match self.argument(index) {
            Object::Text(text) => Ok(text.content.borrow().clone()),
            other => {
                raise_as("TypeError", format!("no implicit conversion of {} into String", described(other)?))
            }
        }
    }

    /// Returns an argument that must be an integer.
    pub(super) fn integer_argument(&self, index: usize) -> Ruby<i64> {
        match self.argument(index) {
            Object::Integer(value) => Ok(*value),
            Object::Float(_) => unsupported(),
            Object::Nil => raise_as("TypeError", "no implicit conversion from nil to integer"),
            other => {
                raise_as("TypeError", format!("no implicit conversion of {} into Integer", described(other)?))
            }
        }
    }

    /// Returns an argument that must be a non-negative integer.
    pub(super) fn count_argument(&self, index: usize) -> Ruby<usize> {
        match usize::try_from(self.integer_argument(index)?) {
            Ok(count) => Ok(count),
            Err(_) => raise("negative array size"),
        }
    }

    /// Returns the receiver as a string; for a symbol, its name.
    pub(super) fn text(&self) -> Ruby<String> {
        match &self.receiver {
            Object::Text(text) => Ok(text.content.borrow().clone()),
            Object::Symbol(name) => Ok(name.to_string()),
            _ => unsupported(),
        }
    }

    /// Returns the elements of the receiver, which must be an array.
    pub(super) fn elements(&self) -> Ruby<Vec<Object>> {
        match &self.receiver {
            Object::Array(array) => Ok(array.elements.borrow().clone()),
            _ => unsupported(),
        }
    }
}

/// Returns the description of a value in messages about a wrong class.
pub(super) fn described(object: &Object) -> Ruby<String> {
    Ok(match object {
        Object::Nil => "nil".to_owned(),
        Object::Boolean(value) => value.to_string(),
        // Other objects of Puppet never convert implicitly to a string or number.
        Object::Foreign(types::Value::Object(_) | types::Value::Timespan(_) | types::Value::Timestamp(_)) => {
            return unsupported();
        }
        Object::Foreign(_) => "a Puppet object".to_owned(),
        Object::Uri(_) => "URI::Generic".to_owned(),
        other => match other.class_name() {
            Some(class) => class.to_owned(),
            None => return unsupported(),
        },
    })
}

/// Set of the kinds of objects that have a method.
pub(super) type ObjectKinds = u32;

pub(super) const NIL: ObjectKinds = 1;
pub(super) const BOOLEAN: ObjectKinds = 1 << 1;
pub(super) const INTEGER: ObjectKinds = 1 << 2;
pub(super) const FLOAT: ObjectKinds = 1 << 3;
pub(super) const SYMBOL: ObjectKinds = 1 << 4;
pub(super) const TEXT: ObjectKinds = 1 << 5;
pub(super) const ARRAY: ObjectKinds = 1 << 6;
pub(super) const HASH: ObjectKinds = 1 << 7;
pub(super) const RANGE: ObjectKinds = 1 << 8;
pub(super) const PATTERN: ObjectKinds = 1 << 9;
pub(super) const MATCH: ObjectKinds = 1 << 10;
pub(super) const ENUMERATOR: ObjectKinds = 1 << 11;
pub(super) const CONSTANT: ObjectKinds = 1 << 12;
pub(super) const SCOPE: ObjectKinds = 1 << 13;
pub(super) const MAIN: ObjectKinds = 1 << 14;
pub(super) const FOREIGN: ObjectKinds = 1 << 15;
pub(super) const VARIABLES: ObjectKinds = 1 << 16;
/// Methods callable without a receiver anywhere.
pub(super) const KERNEL: ObjectKinds = 1 << 17;
pub(super) const INSTANCE: ObjectKinds = 1 << 18;
pub(super) const ERROR: ObjectKinds = 1 << 19;
pub(super) const PROC: ObjectKinds = 1 << 20;
pub(super) const SET: ObjectKinds = 1 << 21;
pub(super) const ADDRESS: ObjectKinds = 1 << 22;
/// User-defined class or module.
pub(super) const MODULE: ObjectKinds = 1 << 23;
pub(super) const COMPILER: ObjectKinds = 1 << 24;
pub(super) const VERSION: ObjectKinds = 1 << 25;
pub(super) const WIDE: ObjectKinds = 1 << 26;
pub(super) const URI: ObjectKinds = 1 << 27;

pub(super) const NUMBER: ObjectKinds = INTEGER | FLOAT;
pub(super) const LIST: ObjectKinds = ARRAY | RANGE | ENUMERATOR | SET;
/// `Enumerable`
pub(super) const ENUMERABLE: ObjectKinds = LIST | HASH;
/// Plain Ruby values.
pub(super) const PLAIN: ObjectKinds = NIL | BOOLEAN | NUMBER | SYMBOL | TEXT | ARRAY | HASH | RANGE;

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
        Object::Main => MAIN,
        Object::Foreign(_) => FOREIGN,
        Object::Module(_) => MODULE,
        Object::Instance(_) => INSTANCE,
        Object::Error(_) => ERROR,
        Object::Proc(_) => PROC,
        Object::Set(_) => SET,
        Object::Address(_) => ADDRESS,
        Object::Compiler(_) => COMPILER,
        Object::Version(_) => VERSION,
        Object::Uri(_) => URI,
        Object::WideInteger(_) => WIDE,
        Object::Bytes(_) | Object::Partial(_) | Object::Unknown(_) => 0,
    }
}

pub(super) type MethodImplementation = fn(&mut Interpreter<'_>, &MethodInvocation<'_>) -> Ruby;

pub(super) struct MethodRow {
    pub(super) name: &'static str,
    pub(super) kinds: ObjectKinds,
    /// Minimum and maximum number of arguments; [`MANY`] means no maximum.
    pub(super) fewest: usize,
    pub(super) most: usize,
    call: MethodImplementation,
}

pub(super) const MANY: usize = usize::MAX;

pub(super) const fn row(
    name: &'static str,
    kinds: ObjectKinds,
    fewest: usize,
    most: usize,
    call: MethodImplementation,
) -> MethodRow {
    MethodRow { name, kinds, fewest, most, call }
}

/// Method tables for the interpreter, passed in because they depend on it.
pub(super) struct MethodTables {
    /// Finds the method that accepts `count` arguments, else any method of that name.
    pub(super) find: fn(kind: ObjectKinds, name: &str, count: usize) -> Option<&'static MethodRow>,
    /// Finds a method of a built-in class or module.
    pub(super) of_module: fn(path: &str, name: &str) -> Option<&'static MethodRow>,
    /// Returns true for built-in classes and modules with methods.
    pub(super) has_module: fn(path: &str) -> bool,
    /// Calls a method of a user-defined class or module.
    pub(super) call_on_module: MethodImplementation,
    /// Returns true for methods called without a receiver in the body of a module.
    pub(super) is_body_method: fn(name: &str) -> bool,
    /// Finds a method of the objects that implement Puppet functions.
    pub(super) in_function: fn(&MethodInvocation<'_>) -> Option<&'static MethodRow>,
}

/// Returns true if a built-in class has a method; `None` if it is not known. The class `Template` contains
/// methods callable without a receiver.
fn has_method(class: &str, name: &str) -> Option<bool> {
    static RECORDED: LazyLock<FxHashMap<&'static str, FxHashSet<&'static str>>> = LazyLock::new(|| {
        let lines = include_str!("../ruby_methods.txt").lines();
        let classes = lines.filter_map(|line| line.split_once(": "));
        classes.map(|(class, names)| (class, names.split(' ').collect())).collect()
    });
    Some(RECORDED.get(class)?.contains(name))
}

/// Returns true if a method of a built-in class accepts `count` arguments; `None` if it is not known.
fn accepts_count(class: &str, name: &str, count: usize) -> Option<bool> {
    type Arities = FxHashMap<&'static str, i64>;
    static RECORDED: LazyLock<FxHashMap<&'static str, Arities>> = LazyLock::new(|| {
        let lines = include_str!("../ruby_arities.txt").lines();
        let classes = lines.filter_map(|line| line.split_once(": "));
        let arity = |entry: &'static str| {
            let (name, arity) = entry.rsplit_once('=')?;
            Some((name, arity.parse().ok()?))
        };
        classes.map(|(class, entries)| (class, entries.split(' ').filter_map(arity).collect())).collect()
    });
    let count = i64::try_from(count).ok()?;
    match *RECORDED.get(class)?.get(name)? {
        exactly @ 0.. => Some(count == exactly),
        at_least if count < -at_least - 1 => Some(false),
        _ => None,
    }
}

/// Returns true if an object has a method.
pub(super) fn responds_to(object: &Object, name: &str) -> Option<bool> {
    match object {
        Object::Foreign(types::Value::Object(_) | types::Value::Uri(_)) => None,
        // The classes of Puppet's objects are recorded together.
        Object::Foreign(_) => has_method("Puppet", name).filter(|has_it| !has_it),
        object => has_method(object.class_name()?, name),
    }
}

/// Methods without side effects, whose result on an unknown object is an unknown value.
const PURE_METHODS: &[&str] = &[
    "to_s",
    "to_i",
    "to_f",
    "to_sym",
    "to_str",
    "to_a",
    "to_h",
    "to_json",
    "to_yaml",
    "inspect",
    "upcase",
    "downcase",
    "capitalize",
    "swapcase",
    "strip",
    "lstrip",
    "rstrip",
    "chomp",
    "chop",
    "split",
    "gsub",
    "sub",
    "tr",
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "<=>",
    "=~",
    "match",
    "match?",
    "[]",
    "length",
    "size",
    "count",
    "empty?",
    "include?",
    "start_with?",
    "end_with?",
    "nil?",
    "is_a?",
    "kind_of?",
    "key?",
    "has_key?",
    "keys",
    "values",
    "first",
    "last",
    "join",
    "flatten",
    "uniq",
    "compact",
    "sort",
    "reverse",
    "min",
    "max",
    "sum",
    "dig",
    "fetch",
    "merge",
    "ljust",
    "rjust",
    "center",
    "hex",
    "oct",
    "ord",
    "floor",
    "ceil",
    "round",
    "abs",
    "zip",
    "values_at",
    "any?",
    "basename",
    "dirname",
    "format",
    "sprintf",
    "hexdigest",
    "digest",
    "strict_encode64",
    "encode64",
    "delete_prefix",
    "delete_suffix",
    "lines",
    "chars",
    "unwrap",
    "String",
];

/// Methods that store or return their last argument unchanged.
const STORING_METHODS: &[&str] =
    &["[]=", "store", "<<", "push", "append", "unshift", "prepend", "add", "insert", "fetch"];

impl Interpreter<'_> {
    /// Calls a method of an object.
    pub(super) fn send(&mut self, invocation: MethodInvocation<'_>) -> Ruby {
        self.step(1)?;
        if let Some((method, owner)) = self.defined_method(&invocation.receiver, invocation.name) {
            return self.invoke(&method, &owner, invocation);
        }
        self.send_native(invocation)
    }

    /// Calls a built-in method.
    pub(super) fn send_native(&mut self, invocation: MethodInvocation<'_>) -> Ruby {
        match &invocation.receiver {
            Object::Unknown(origin) => {
                let is_pure = PURE_METHODS.contains(&invocation.name) && invocation.block.is_none();
                return if is_pure && self.rescuing == 0 {
                    Ok(Object::Unknown(*origin))
                } else {
                    Err(Stop::Unknown(*origin))
                };
            }
            Object::Module(module) if module.is_native => {
                let receiver = Object::Constant(module.name.borrow().clone());
                if is_definition_method(invocation.name) {
                    return (self.tables.call_on_module)(self, &invocation);
                }
                return self.send_native(MethodInvocation { receiver, ..invocation });
            }
            Object::Module(_) => return (self.tables.call_on_module)(self, &invocation),
            Object::Constant(path) => {
                if let Some(row) = (self.tables.of_module)(path, invocation.name) {
                    return self.call_method(row, &invocation);
                }
            }
            Object::Instance(_) => {
                if let Some(row) = (self.tables.in_function)(&invocation) {
                    return self.call_method(row, &invocation);
                }
            }
            _ => {}
        }
        match (self.tables.find)(kind_of(&invocation.receiver), invocation.name, invocation.arguments.len()) {
            Some(method) => self.call_method(method, &invocation),
            None if matches!(invocation.receiver, Object::Scope)
                && invocation.name.starts_with("function_") =>
            {
                self.call_legacy_function(&invocation)
            }
            None if matches!(invocation.receiver, Object::Instance(_)) => {
                if may_be_object_method(invocation.name) {
                    unsupported()
                } else {
                    self.missing_method(&invocation, false)
                }
            }
            None if !self.has_unknown_library
                && responds_to(&invocation.receiver, invocation.name) == Some(false) =>
            {
                let receiver = described(&invocation.receiver)?;
                raise_as("NoMethodError", format!("undefined method '{}' for {receiver}", invocation.name))
            }
            None => match &invocation.receiver {
                Object::Foreign(value) => {
                    let value = value.clone();
                    self.call_member(&value, &invocation)
                }
                _ => unsupported(),
            },
        }
    }

    /// Calls a member of a Puppet object.
    fn call_member(&mut self, object: &types::Value, invocation: &MethodInvocation<'_>) -> Ruby {
        if invocation.name == "cached_file_data" {
            return self.cached_file_data(invocation);
        }
        let arguments: Ruby<Vec<types::Value>> = invocation.arguments.iter().map(Object::to_puppet).collect();
        match self.host.call_member(object, invocation.name, &arguments?)? {
            Some(value) => Ok(Object::from_puppet(&value)),
            None => unsupported(),
        }
    }

    /// Evaluates `context.cached_file_data(path) { |content| ... }`.
    fn cached_file_data(&mut self, invocation: &MethodInvocation<'_>) -> Ruby {
        let content = match self.host.file(&invocation.text_argument(0)?) {
            super::host::HostFile::Text(text) => Object::text(&*text),
            _ => return unsupported(),
        };
        match &invocation.block {
            Some(block) => self.call_block(block, vec![content]),
            None => Ok(content),
        }
    }

    pub(super) fn call_method(
        &mut self,
        method: &'static MethodRow,
        invocation: &MethodInvocation<'_>,
    ) -> Ruby {
        let count = invocation.arguments.len();
        let unknown = invocation.arguments.iter().enumerate().find_map(|(index, argument)| match argument {
            Object::Unknown(origin) => Some((index, *origin)),
            _ => None,
        });
        if let Some((index, origin)) = unknown {
            let is_kept = STORING_METHODS.contains(&method.name) && index + 1 == count
                || matches!(
                    method.name,
                    "push" | "append" | "call_function" | "p" | "_" | "class?" | "error?" | "raise" | "fail"
                );
            if !is_kept {
                let is_pure =
                    PURE_METHODS.contains(&method.name) && invocation.block.is_none() && self.rescuing == 0;
                return if is_pure { Ok(Object::Unknown(origin)) } else { Err(Stop::Unknown(origin)) };
            }
        }
        if count < method.fewest || count > method.most {
            let class = invocation.receiver.class_name().unwrap_or_default();
            return match accepts_count(class, method.name, count) {
                Some(false) => {
                    let message = format!("wrong number of arguments for '{}': {count}", method.name);
                    raise_as("ArgumentError", message)
                }
                _ => unsupported(),
            };
        }
        (method.call)(self, invocation)
    }

    /// Calls a method without a receiver that is not user-defined.
    pub(super) fn call_native_without_receiver(
        &mut self,
        invocation: MethodInvocation<'_>,
        is_name: bool,
    ) -> Ruby {
        let count = invocation.arguments.len();
        if let Object::Instance(_) = &invocation.receiver
            && let Some(row) = (self.tables.in_function)(&invocation)
        {
            return self.call_method(row, &invocation);
        }
        if let Object::Module(_) = &invocation.receiver
            && (self.tables.is_body_method)(invocation.name)
        {
            return (self.tables.call_on_module)(self, &invocation);
        }
        let kind = kind_of(&invocation.receiver);
        let of_this = if kind & (CONSTANT | MODULE) == 0 {
            (self.tables.find)(kind, invocation.name, count)
        } else {
            None
        };
        if let Some(method) = of_this.or_else(|| (self.tables.find)(KERNEL, invocation.name, count)) {
            return self.call_method(method, &invocation);
        }
        match &invocation.receiver {
            Object::Scope if invocation.name.starts_with("function_") => {
                self.call_legacy_function(&invocation)
            }
            Object::Main if has_method("Template", invocation.name) == Some(false) => {
                match self.host.template_method(invocation.name) {
                    TemplateMethod::Defined(definition) => self.call_template_method(definition, invocation),
                    TemplateMethod::Possible => unsupported(),
                    TemplateMethod::Missing => {
                        let what = if is_name { "variable or method" } else { "method" };
                        raise(format!("undefined local {what} '{}'", invocation.name))
                    }
                }
            }
            Object::Instance(_) if !may_be_object_method(invocation.name) => {
                self.missing_method(&invocation, is_name)
            }
            Object::Module(_) => (self.tables.call_on_module)(self, &invocation),
            _ => unsupported(),
        }
    }
}

/// Returns true if every object may have the method.
fn may_be_object_method(name: &str) -> bool {
    has_method("Template", name) != Some(false)
}

/// Methods called without a receiver in the body of a module.
const BODY_METHODS: &[&str] = &[
    "attr_reader",
    "attr_writer",
    "attr_accessor",
    "attr",
    "include",
    "extend",
    "private",
    "public",
    "protected",
    "private_class_method",
    "private_constant",
    "public_class_method",
    "module_function",
    "define_method",
    "alias_method",
    "define_singleton_method",
    "undef_method",
    "remove_method",
];

/// Returns true for built-in methods that apply to the module itself.
pub(super) fn is_definition_method(name: &str) -> bool {
    BODY_METHODS.contains(&name)
        || matches!(name, "class_eval" | "module_eval" | "instance_eval" | "const_defined?")
}
