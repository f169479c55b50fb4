//! Ruby values.

use std::hash::BuildHasherDefault;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHasher};
use scalars::ip_address::IpAddress;
use scalars::regexp::{Captures, Regexp};
use scalars::uri::Uri;
use smol_str::SmolStr;
use types::{Origin, Value};

use super::blocks::BlockRef;
use super::classes::{Instance, RubyModule};
use super::exceptions::RubyError;
use super::key::ObjectKey;
use super::watched::WatchedCell;

/// Value. Clones of a string, array or hash refer to the same object.
#[derive(Clone, Debug)]
pub enum Object {
    Nil,
    Boolean(bool),
    Integer(i64),
    /// Integer beyond 64 bits, in hexadecimal digits.
    WideInteger(Rc<str>),
    Float(f64),
    Symbol(SmolStr),
    Text(Rc<RubyString>),
    Array(Rc<Array>),
    Hash(Rc<Hash>),
    Range(Rc<Range>),
    Pattern(Rc<RubyRegexp>),
    Match(Rc<Match>),
    /// Result of an iteration method without a block.
    Enumerator(Rc<Enumerator>),
    /// Built-in class or module, by its path.
    Constant(SmolStr),
    /// User-defined class or module, or a reopened built-in one.
    Module(Rc<RubyModule>),
    /// Instance of a user-defined class.
    Instance(Rc<Instance>),
    /// Exception of a built-in class.
    Error(Rc<RubyError>),
    Proc(Rc<Proc>),
    Set(Rc<Hash>),
    /// String that is not valid UTF-8.
    Bytes(Rc<[u8]>),
    /// `IPAddr`
    Address(Rc<IpAddress>),
    /// `URI`
    Uri(Rc<Uri>),
    /// `Gem::Version`, or the string of a partially known version.
    Version(GivenVersion),
    /// `scope`
    Scope,
    /// `scope.to_hash`: all visible variables.
    Variables,
    /// Part of the compiler, by its path from the scope: `compiler`, `environment`.
    Compiler(CompilerPart),
    /// `self` of a template or file.
    Main,
    /// Puppet value that Ruby represents by one of Puppet's classes.
    Foreign(Value),
    /// String that is known in part; the unknown parts are as in the source. Only for documentation.
    Partial(SmolStr),
    /// Unknown value.
    Unknown(Origin),
}

/// Objects reachable from the scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompilerPart {
    Compiler,
    Environment,
    Catalog,
    TopScope,
    /// Class or defined type being evaluated.
    Resource,
    Source,
    Loader,
}

/// Version, by its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenVersion {
    Known(Rc<str>),
    OfRuby,
    OfPuppet,
}

/// Block as an object.
#[derive(Debug)]
pub struct Proc {
    pub(super) block: BlockRef,
    pub(super) is_lambda: bool,
}

#[derive(Debug)]
pub struct RubyString {
    pub(super) content: WatchedCell<String>,
    /// True if the string is also referenced from outside the code, or is frozen.
    pub(super) is_shared: WatchedCell<bool>,
}

/// Permission to change a collection in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChangePermission {
    /// Only the code references it.
    Owned,
    /// A variable of Puppet has it as well, and observes changes.
    Given,
    /// As [`ChangePermission::Given`], and the code has changed it.
    Changed,
    /// The effect of a change is not modeled.
    Fixed,
    Frozen,
}

#[derive(Debug)]
pub struct Array {
    pub(super) elements: WatchedCell<Vec<Object>>,
    pub(super) permission: WatchedCell<ChangePermission>,
}

/// Collections of Puppet with the objects that represent them, by [`Value::collection_address`].
pub(super) type ConvertedCollections = FxHashMap<usize, (Value, Object)>;

pub(super) type ObjectEntries = IndexMap<ObjectKey, Object, BuildHasherDefault<FxHasher>>;

#[derive(Debug)]
pub struct Hash {
    pub(super) entries: WatchedCell<ObjectEntries>,
    /// Default for missing keys.
    pub(super) default: WatchedCell<Object>,
    /// Block that computes the default.
    pub(super) default_block: WatchedCell<Option<BlockRef>>,
    pub(super) permission: WatchedCell<ChangePermission>,
}

#[derive(Debug)]
pub struct Range {
    pub(super) first: Object,
    pub(super) last: Object,
    pub(super) is_exclusive: bool,
}

#[derive(Debug)]
pub struct RubyRegexp {
    /// Compiled pattern including its options.
    pub(super) regexp: Regexp,
    pub(super) source: SmolStr,
    /// Those of `mix` that are set.
    pub(super) options: SmolStr,
}

#[derive(Debug)]
pub struct Match {
    pub(super) text: String,
    pub(super) captures: Captures,
}

#[derive(Debug)]
pub struct Enumerator {
    pub(super) receiver: Object,
    pub(super) elements: Vec<Object>,
    /// Method that created the enumerator.
    pub(super) method: &'static str,
}

/// Reason why evaluation stops after an expression.
#[derive(Debug)]
pub enum Stop {
    /// The result is not known.
    Unknown(Origin),
    /// Exception.
    Raise(Rc<RubyError>),
    Next(Object),
    /// Ends the call that a block was passed to, or a loop (0).
    Break(Object, u64),
    /// Ends a method.
    Return(Object, u64),
    /// `retry`
    Retry,
    /// Reason defined by the host.
    Exit(HostExit),
}

/// Reason of a host to stop, which only the host interprets.
#[derive(Debug)]
pub struct HostExit {
    pub exit: Box<dyn std::any::Any>,
    /// True if Ruby sees an exception, which code may rescue.
    pub is_error: bool,
}

impl From<HostExit> for Stop {
    fn from(exit: HostExit) -> Stop {
        Stop::Exit(exit)
    }
}

pub(super) type Ruby<T = Object> = Result<T, Stop>;

/// Stops at code that the evaluator does not support.
pub(super) fn unsupported<T>() -> Ruby<T> {
    Err(Stop::Unknown(Origin::Template))
}

/// Raises a `StandardError` with an approximate message.
pub(super) fn raise<T>(message: impl Into<String>) -> Ruby<T> {
    Err(Stop::Raise(Rc::new(RubyError::of_standard(message))))
}

/// Raises an exception of a built-in class with an approximate message.
pub(super) fn raise_as<T>(class: &str, message: impl Into<String>) -> Ruby<T> {
    Err(Stop::Raise(Rc::new(RubyError { is_exact: false, ..RubyError::new(class, message) })))
}

impl Object {
    /// Returns true for data other than strings.
    pub(super) fn is_other_data(&self) -> bool {
        matches!(
            self,
            Object::Nil
                | Object::Boolean(_)
                | Object::Integer(_)
                | Object::Float(_)
                | Object::Array(_)
                | Object::Hash(_)
        )
    }

    pub(super) fn text(content: impl Into<String>) -> Object {
        Object::Text(Rc::new(RubyString {
            content: WatchedCell::new(content.into()),
            is_shared: WatchedCell::new(false),
        }))
    }

    pub(super) fn array(elements: Vec<Object>) -> Object {
        Object::Array(Rc::new(Array {
            elements: WatchedCell::new(elements),
            permission: WatchedCell::new(ChangePermission::Owned),
        }))
    }

    pub(super) fn hash(entries: ObjectEntries) -> Object {
        Object::Hash(Rc::new(Hash {
            entries: WatchedCell::new(entries),
            default: WatchedCell::new(Object::Nil),
            default_block: WatchedCell::new(None),
            permission: WatchedCell::new(ChangePermission::Owned),
        }))
    }

    /// Creates a set of the distinct elements.
    pub(super) fn set(elements: impl IntoIterator<Item = Object>) -> Object {
        let entries = elements.into_iter().map(|element| (ObjectKey(element), Object::Boolean(true)));
        let Object::Hash(hash) = Object::hash(entries.collect()) else { return Object::Nil };
        Object::Set(hash)
    }

    pub(super) fn symbol(name: &str) -> Object {
        Object::Symbol(name.into())
    }

    pub(super) fn size(size: usize) -> Object {
        Object::Integer(size as i64)
    }

    /// Creates an array of two elements.
    pub(super) fn pair(first: Object, second: Object) -> Object {
        Object::array(vec![first, second])
    }

    /// Converts a Puppet value to the object that Ruby code sees. Shared collections remain shared.
    pub(super) fn from_puppet(value: &Value) -> Object {
        Object::from_part(value, ChangePermission::Fixed, &mut ConvertedCollections::default())
    }

    /// Converts part of a value. `converted` contains the collections converted so far.
    pub(super) fn from_part(
        value: &Value,
        permission: ChangePermission,
        converted: &mut ConvertedCollections,
    ) -> Object {
        let address = value.collection_address();
        if let Some((_, known)) = address.and_then(|it| converted.get(&it)) {
            return known.clone();
        }
        let object = match value {
            Value::Undef => Object::Nil,
            Value::Default => Object::symbol("default"),
            Value::Boolean(value) => Object::Boolean(*value),
            Value::Integer(value) => Object::Integer(*value),
            Value::Float(value) => Object::Float(value.0),
            Value::String(text) => {
                let content = WatchedCell::new(text.to_string());
                Object::Text(Rc::new(RubyString { content, is_shared: WatchedCell::new(true) }))
            }
            Value::Regexp(regexp) => Object::Pattern(Rc::new(RubyRegexp {
                source: regexp.source().into(),
                options: SmolStr::default(),
                regexp: regexp.clone(),
            })),
            Value::Array(elements) => {
                let elements =
                    elements.iter().map(|it| Object::from_part(it, permission, converted)).collect();
                Object::Array(Rc::new(Array {
                    elements: WatchedCell::new(elements),
                    permission: WatchedCell::new(permission),
                }))
            }
            Value::Hash(entries) => {
                let mut part = |it: &Value| Object::from_part(it, permission, converted);
                let entries =
                    entries.iter().map(|(key, value)| (ObjectKey(part(key)), part(value))).collect();
                Object::Hash(Rc::new(Hash {
                    entries: WatchedCell::new(entries),
                    default: WatchedCell::new(Object::Nil),
                    default_block: WatchedCell::new(None),
                    permission: WatchedCell::new(permission),
                }))
            }
            Value::Unknown(unknown) => Object::Unknown(unknown.origin),
            other => Object::Foreign(other.clone()),
        };
        if let Some(address) = address {
            converted.insert(address, (value.clone(), object.clone()));
        }
        object
    }

    /// Converts an object to a Puppet value.
    pub(super) fn to_puppet(&self) -> Ruby<Value> {
        self.to_puppet_at(0)
    }

    fn to_puppet_at(&self, depth: usize) -> Ruby<Value> {
        if depth > MAX_DEPTH {
            return unsupported();
        }
        Ok(match self {
            Object::Nil => Value::Undef,
            Object::Boolean(value) => Value::Boolean(*value),
            Object::Integer(value) => Value::Integer(*value),
            Object::Float(value) => Value::Float(types::Float(*value)),
            Object::Symbol(name) if name == "default" => Value::Default,
            Object::Symbol(name) if name == "undef" => Value::Undef,
            Object::Text(text) => Value::string(text.content.borrow().as_str()),
            Object::Pattern(pattern) => Value::Regexp(pattern.regexp.clone()),
            Object::Array(array) => {
                let elements: Ruby<Vec<Value>> =
                    array.elements.borrow().iter().map(|it| it.to_puppet_at(depth + 1)).collect();
                Value::array(elements?)
            }
            Object::Hash(hash) => {
                let entries = hash.entries.borrow();
                let entries: Ruby<Vec<(Value, Value)>> = entries
                    .iter()
                    .map(|(key, value)| Ok((key.0.to_puppet_at(depth + 1)?, value.to_puppet_at(depth + 1)?)))
                    .collect();
                Value::hash(entries?)
            }
            Object::Foreign(value) => value.clone(),
            Object::Unknown(origin) => Value::unknown(types::Type::Any, *origin),
            _ => return unsupported(),
        })
    }

    /// Marks the object as owned by the code, which may then change it.
    pub(super) fn unshare(&self) {
        self.unshare_at(true);
    }

    /// Marks arrays and hashes as owned by the code, but not the strings in them.
    pub(super) fn unshare_lists(&self) {
        self.unshare_at(false);
    }

    /// The recursion is bounded by the maximum nesting depth of Puppet values.
    fn unshare_at(&self, with_texts: bool) {
        match self {
            Object::Text(text) if with_texts => text.is_shared.set(false),
            Object::Array(array) => {
                array.permission.set(ChangePermission::Owned);
                array.elements.borrow().iter().for_each(|it| it.unshare_at(with_texts));
            }
            Object::Hash(hash) => {
                hash.permission.set(ChangePermission::Owned);
                hash.entries.borrow().values().for_each(|it| it.unshare_at(with_texts));
            }
            _ => {}
        }
    }

    /// Returns false for `nil` and `false`, true for all other values.
    pub(super) fn is_true(&self) -> Ruby<bool> {
        match self {
            Object::Nil | Object::Boolean(false) => Ok(false),
            // An unknown constant may have any value.
            Object::Constant(path) if !super::methods::constants::is_known(path) => unsupported(),
            Object::Unknown(origin) => Err(Stop::Unknown(*origin)),
            _ => Ok(true),
        }
    }

    /// Returns a copy of a string; `None` for other objects.
    pub(super) fn as_text(&self) -> Option<String> {
        match self {
            Object::Text(text) => Some(text.content.borrow().clone()),
            _ => None,
        }
    }

    /// Returns the name of the object's class in Ruby.
    pub(super) fn class_name(&self) -> Option<&'static str> {
        Some(match self {
            Object::Nil => "NilClass",
            Object::Boolean(true) => "TrueClass",
            Object::Boolean(false) => "FalseClass",
            Object::Integer(_) | Object::WideInteger(_) => "Integer",
            Object::Float(_) => "Float",
            Object::Symbol(_) => "Symbol",
            Object::Text(_) => "String",
            Object::Array(_) => "Array",
            Object::Hash(_) => "Hash",
            Object::Range(_) => "Range",
            Object::Pattern(_) => "Regexp",
            Object::Match(_) => "MatchData",
            Object::Enumerator(_) => "Enumerator",
            Object::Scope => "Puppet::Parser::Scope",
            Object::Main => "Puppet::Parser::TemplateWrapper",
            Object::Variables => "Hash",
            Object::Proc(_) => "Proc",
            Object::Set(_) => "Set",
            Object::Address(_) => "IPAddr",
            Object::Constant(_)
            | Object::Module(_)
            | Object::Instance(_)
            | Object::Error(_)
            | Object::Bytes(_)
            | Object::Uri(_)
            | Object::Version(_)
            | Object::Compiler(_)
            | Object::Foreign(_)
            | Object::Partial(_)
            | Object::Unknown(_) => return None,
        })
    }
}

/// Maximum nesting depth of arrays.
pub(super) const MAX_DEPTH: usize = 256;

/// Drops objects iteratively, because long chains would overflow the stack if they were dropped recursively.
pub(super) fn dismantle(mut left: Vec<Object>) {
    while let Some(object) = left.pop() {
        match object {
            Object::Array(array) if Rc::strong_count(&array) == 1 => {
                left.append(&mut array.elements.borrow_mut())
            }
            Object::Hash(hash) | Object::Set(hash) if Rc::strong_count(&hash) == 1 => {
                let entries = std::mem::take(&mut *hash.entries.borrow_mut());
                left.extend(entries.into_iter().flat_map(|(key, value)| [key.0, value]));
            }
            Object::Instance(instance) if Rc::strong_count(&instance) == 1 => {
                left.extend(instance.variables.take().into_values());
            }
            Object::Proc(called) if Rc::strong_count(&called) == 1 => {
                left.extend(called.block.take_unshared())
            }
            _ => {}
        }
    }
}

/// Returns true if an object may contain others.
fn holds_others(object: &Object) -> bool {
    matches!(
        object,
        Object::Array(_) | Object::Hash(_) | Object::Set(_) | Object::Instance(_) | Object::Proc(_)
    )
}

impl Drop for Array {
    fn drop(&mut self) {
        let elements = self.elements.take();
        if elements.iter().any(holds_others) {
            dismantle(elements);
        }
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        let entries = self.entries.take();
        if entries.values().any(holds_others) {
            dismantle(entries.into_values().collect());
        }
    }
}

impl RubyString {
    pub(super) fn frozen(content: &str) -> RubyString {
        RubyString { content: WatchedCell::new(content.to_owned()), is_shared: WatchedCell::new(true) }
    }

    /// Changes the string in place. Shared strings cannot be changed.
    pub(super) fn change(&self, change: impl FnOnce(&mut String)) -> Ruby<()> {
        if self.is_shared.get() {
            return unsupported();
        }
        change(&mut self.content.borrow_mut());
        Ok(())
    }
}

impl WatchedCell<ChangePermission> {
    /// Notes that the collection is about to change.
    fn request_change(&self) -> Ruby<()> {
        match self.get() {
            ChangePermission::Fixed => return unsupported(),
            ChangePermission::Frozen => return raise_as("FrozenError", "can't modify a frozen collection"),
            ChangePermission::Given => self.set(ChangePermission::Changed),
            ChangePermission::Owned | ChangePermission::Changed => {}
        }
        Ok(())
    }
}

impl Array {
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Vec<Object>) -> T) -> Ruby<T> {
        self.permission.request_change()?;
        Ok(change(&mut self.elements.borrow_mut()))
    }
}

impl Hash {
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut ObjectEntries) -> T) -> Ruby<T> {
        self.permission.request_change()?;
        Ok(change(&mut self.entries.borrow_mut()))
    }

    pub(super) fn get(&self, key: &Object) -> Ruby<Object> {
        if let Object::Unknown(origin) = key {
            return Err(Stop::Unknown(*origin));
        }
        if let Some(value) = self.entries.borrow().get(&ObjectKey(key.clone())) {
            return Ok(value.clone());
        }
        self.check_unknown_keys()?;
        Ok(self.default.borrow().clone())
    }

    pub(super) fn contains(&self, key: &Object) -> Ruby<bool> {
        if let Object::Unknown(origin) = key {
            return Err(Stop::Unknown(*origin));
        }
        if self.entries.borrow().contains_key(&ObjectKey(key.clone())) {
            return Ok(true);
        }
        self.check_unknown_keys()?;
        Ok(false)
    }

    /// Fails if a key of the hash is unknown, because it may equal any other.
    fn check_unknown_keys(&self) -> Ruby<()> {
        let unknown = self.entries.borrow().keys().find_map(|key| match key.0 {
            Object::Unknown(origin) => Some(origin),
            _ => None,
        });
        unknown.map_or(Ok(()), |origin| Err(Stop::Unknown(origin)))
    }
}

impl Match {
    /// Returns the match of a group; `nil` if the group did not participate.
    pub(super) fn group(&self, number: usize) -> Object {
        self.captures.get(number).map_or(Object::Nil, |range| Object::text(&self.text[range]))
    }
}
