//! What an expression of Ruby is worth.

use std::hash::BuildHasherDefault;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHasher};
use scalars::regexp::{Captures, Regexp};
use scalars::uri::Uri;
use smol_str::SmolStr;
use types::{Origin, Value};

use super::blocks::BlockRef;
use super::classes::{Instance, RubyModule};
use super::exceptions::RubyError;
use super::key::ObjectKey;
use super::watched::WatchedCell;

/// A value. Clones of a text, array or hash are the same object.
#[derive(Clone, Debug)]
pub enum Object {
    Nil,
    Boolean(bool),
    Integer(i64),
    /// A whole number that is too large for the machine, in hexadecimal digits.
    WideInteger(Rc<str>),
    Float(f64),
    Symbol(SmolStr),
    Text(Rc<RubyString>),
    Array(Rc<Array>),
    Hash(Rc<Hash>),
    Range(Rc<Range>),
    Pattern(Rc<RubyRegexp>),
    Match(Rc<Match>),
    /// What an iterating method without a block gives.
    Enumerator(Rc<Enumerator>),
    /// A class or module of Ruby's or Puppet's own, by its path.
    Constant(SmolStr),
    /// A class or module that the code defines, or adds to.
    Module(Rc<RubyModule>),
    /// An object of a class that the code defines.
    Instance(Rc<Instance>),
    /// An error of a class that the code does not define.
    Error(Rc<RubyError>),
    Proc(Rc<Proc>),
    Set(Rc<Hash>),
    /// A text that is no UTF-8.
    Bytes(Rc<[u8]>),
    /// `IPAddr`
    Address(Rc<IpAddress>),
    /// `URI`
    Uri(Rc<Uri>),
    /// `Gem::Version`, and the text of a version that is known in part.
    Version(GivenVersion),
    /// `scope`
    Scope,
    /// `scope.to_hash`: all variables that can be seen.
    Variables,
    /// Something of the compiler's, by its path from the scope: `compiler`, `environment`.
    Compiler(CompilerPart),
    /// `self` of a template or file.
    Main,
    /// A value of Puppet's that Ruby code holds as an object of Puppet's own.
    Foreign(Value),
    /// Some value.
    Unknown(Origin),
}

/// What code can reach from the scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompilerPart {
    Compiler,
    Environment,
    Catalog,
    TopScope,
    /// The class or defined type that is evaluated.
    Resource,
    Source,
    Loader,
}

/// Of what something is the version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenVersion {
    Known(Rc<str>),
    OfRuby,
    OfPuppet,
}

/// A block that is an object.
#[derive(Debug)]
pub struct Proc {
    pub(super) block: BlockRef,
    pub(super) is_lambda: bool,
}

/// An IP address or network: its number, and how many of its bits in front count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IpAddress {
    pub(super) is_version_6: bool,
    pub(super) number: u128,
    pub(super) prefix: u32,
}

#[derive(Debug)]
pub struct RubyString {
    pub(super) content: WatchedCell<String>,
    /// Does it belong to somebody else, too, or is it frozen?
    pub(super) is_shared: WatchedCell<bool>,
}

#[derive(Debug)]
pub struct Array {
    pub(super) elements: WatchedCell<Vec<Object>>,
    pub(super) is_shared: WatchedCell<bool>,
}

pub(super) type ObjectEntries = IndexMap<ObjectKey, Object, BuildHasherDefault<FxHasher>>;

#[derive(Debug)]
pub struct Hash {
    pub(super) entries: WatchedCell<ObjectEntries>,
    /// What a key that is not there has.
    pub(super) default: WatchedCell<Object>,
    /// What works that out.
    pub(super) default_block: WatchedCell<Option<BlockRef>>,
    pub(super) is_shared: WatchedCell<bool>,
}

#[derive(Debug)]
pub struct Range {
    pub(super) first: Object,
    pub(super) last: Object,
    pub(super) is_exclusive: bool,
}

#[derive(Debug)]
pub struct RubyRegexp {
    /// With its options inside.
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
    /// The method that made it.
    pub(super) method: &'static str,
}

/// Why evaluation does not go on behind an expression.
#[derive(Debug)]
pub enum Stop {
    /// What the template gives is not known.
    Unknown(Origin),
    /// Ruby raises an error.
    Raise(Rc<RubyError>),
    Next(Object),
    /// Ends the call that a block was given to, or a loop (0).
    Break(Object, u64),
    /// Ends a method.
    Return(Object, u64),
    /// `retry`
    Retry,
    /// The host's own reason to stop.
    Exit(HostExit),
}

/// Why a host does not go on; it knows what is in it.
#[derive(Debug)]
pub struct HostExit {
    pub exit: Box<dyn std::any::Any>,
    /// Would Ruby see an error, which code may rescue?
    pub is_error: bool,
}

impl From<HostExit> for Stop {
    fn from(exit: HostExit) -> Stop {
        Stop::Exit(exit)
    }
}

pub(super) type Ruby<T = Object> = Result<T, Stop>;

/// What is beyond this evaluator.
pub(super) fn unsupported<T>() -> Ruby<T> {
    Err(Stop::Unknown(Origin::Template))
}

/// Ruby raises some error; its words are ours.
pub(super) fn raise<T>(message: impl Into<String>) -> Ruby<T> {
    Err(Stop::Raise(Rc::new(RubyError::of_standard(message))))
}

/// Ruby raises an error of a class of its own; its words are ours.
pub(super) fn raise_as<T>(class: &str, message: impl Into<String>) -> Ruby<T> {
    Err(Stop::Raise(Rc::new(RubyError { is_exact: false, ..RubyError::new(class, message) })))
}

impl Object {
    /// Is it data that is no text?
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
            is_shared: WatchedCell::new(false),
        }))
    }

    pub(super) fn hash(entries: ObjectEntries) -> Object {
        Object::Hash(Rc::new(Hash {
            entries: WatchedCell::new(entries),
            default: WatchedCell::new(Object::Nil),
            default_block: WatchedCell::new(None),
            is_shared: WatchedCell::new(false),
        }))
    }

    /// A set of what is there once.
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

    /// Two elements in an array.
    pub(super) fn pair(first: Object, second: Object) -> Object {
        Object::array(vec![first, second])
    }

    /// A value of Puppet's as Ruby code in a template sees it. What stands in it at two places stays one object.
    pub(super) fn from_puppet(value: &Value) -> Object {
        Object::from_part(value, &mut FxHashMap::default())
    }

    /// `made` are the lists and hashes that may stand at several places, by where they lie.
    fn from_part(value: &Value, made: &mut FxHashMap<usize, Object>) -> Object {
        let address = match value {
            Value::Array(elements) if Arc::strong_count(elements) > 1 => Some(Arc::as_ptr(elements).addr()),
            Value::Hash(entries) if Arc::strong_count(entries) > 1 => Some(Arc::as_ptr(entries).addr()),
            _ => None,
        };
        if let Some(known) = address.and_then(|it| made.get(&it)) {
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
                let elements = elements.iter().map(|it| Object::from_part(it, made)).collect();
                Object::Array(Rc::new(Array {
                    elements: WatchedCell::new(elements),
                    is_shared: WatchedCell::new(true),
                }))
            }
            Value::Hash(entries) => {
                let mut part = |it: &Value| Object::from_part(it, made);
                let entries =
                    entries.iter().map(|(key, value)| (ObjectKey(part(key)), part(value))).collect();
                Object::Hash(Rc::new(Hash {
                    entries: WatchedCell::new(entries),
                    default: WatchedCell::new(Object::Nil),
                    default_block: WatchedCell::new(None),
                    is_shared: WatchedCell::new(true),
                }))
            }
            Value::Unknown(unknown) => Object::Unknown(unknown.origin),
            other => Object::Foreign(other.clone()),
        };
        if let Some(address) = address {
            made.insert(address, object.clone());
        }
        object
    }

    /// What a function of Puppet's gets.
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

    /// Lets code change it: it belongs to nobody else.
    pub(super) fn unshare(&self) {
        self.unshare_at(true);
    }

    /// Lets code change arrays and hashes, but no texts, which others have, too.
    pub(super) fn unshare_lists(&self) {
        self.unshare_at(false);
    }

    /// Values of Puppet's nest as deeply as their bound allows.
    fn unshare_at(&self, with_texts: bool) {
        match self {
            Object::Text(text) if with_texts => text.is_shared.set(false),
            Object::Array(array) => {
                array.is_shared.set(false);
                array.elements.borrow().iter().for_each(|it| it.unshare_at(with_texts));
            }
            Object::Hash(hash) => {
                hash.is_shared.set(false);
                hash.entries.borrow().values().for_each(|it| it.unshare_at(with_texts));
            }
            _ => {}
        }
    }

    /// Everything but `nil` and `false` is true.
    pub(super) fn is_true(&self) -> Ruby<bool> {
        match self {
            Object::Nil | Object::Boolean(false) => Ok(false),
            // It may stand for anything.
            Object::Constant(path) if !super::methods::constants::is_known(path) => unsupported(),
            Object::Unknown(origin) => Err(Stop::Unknown(*origin)),
            _ => Ok(true),
        }
    }

    /// A copy of a text; `None` for anything else.
    pub(super) fn as_text(&self) -> Option<String> {
        match self {
            Object::Text(text) => Some(text.content.borrow().clone()),
            _ => None,
        }
    }

    /// What Ruby calls its class.
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
            | Object::Unknown(_) => return None,
        })
    }
}

/// No more arrays in arrays are looked into.
pub(super) const MAX_DEPTH: usize = 256;

/// Lets go of objects one by one: those that hold each other in a long row would need much of the stack.
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
            Object::Proc(called) if Rc::strong_count(&called) == 1 => left.extend(called.block.held_alone()),
            _ => {}
        }
    }
}

/// May an object hold others?
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

    /// Changes the text in place. What is shared may not be changed here.
    pub(super) fn change(&self, change: impl FnOnce(&mut String)) -> Ruby<()> {
        if self.is_shared.get() {
            return unsupported();
        }
        change(&mut self.content.borrow_mut());
        Ok(())
    }
}

impl Array {
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Vec<Object>) -> T) -> Ruby<T> {
        if self.is_shared.get() {
            return unsupported();
        }
        Ok(change(&mut self.elements.borrow_mut()))
    }
}

impl Hash {
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut ObjectEntries) -> T) -> Ruby<T> {
        if self.is_shared.get() {
            return unsupported();
        }
        Ok(change(&mut self.entries.borrow_mut()))
    }

    pub(super) fn get(&self, key: &Object) -> Ruby<Object> {
        if let Object::Unknown(origin) = key {
            return Err(Stop::Unknown(*origin));
        }
        if let Some(value) = self.entries.borrow().get(&ObjectKey(key.clone())) {
            return Ok(value.clone());
        }
        self.misses_surely()?;
        Ok(self.default.borrow().clone())
    }

    pub(super) fn contains(&self, key: &Object) -> Ruby<bool> {
        if let Object::Unknown(origin) = key {
            return Err(Stop::Unknown(*origin));
        }
        if self.entries.borrow().contains_key(&ObjectKey(key.clone())) {
            return Ok(true);
        }
        self.misses_surely()?;
        Ok(false)
    }

    /// A key that is not known may be any.
    fn misses_surely(&self) -> Ruby<()> {
        let unknown = self.entries.borrow().keys().find_map(|key| match key.0 {
            Object::Unknown(origin) => Some(origin),
            _ => None,
        });
        unknown.map_or(Ok(()), |origin| Err(Stop::Unknown(origin)))
    }
}

impl Match {
    /// What a group matched; `nil` where it took no part.
    pub(super) fn group(&self, number: usize) -> Object {
        self.captures.get(number).map_or(Object::Nil, |range| Object::text(&self.text[range]))
    }
}
