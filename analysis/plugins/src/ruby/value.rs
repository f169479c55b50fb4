//! What an expression in a Ruby file is worth, as far as it can be told without running it.

use std::cell::RefCell;
use std::rc::Rc;

use ruby_prism::{BlockNode, LambdaNode};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

/// A value; `Unknown` when only running the program would tell.
#[derive(Clone)]
pub(super) enum Value<'pr> {
    Unknown,
    Nil,
    Boolean(bool),
    Integer(i64),
    /// As Ruby prints it.
    Float(SmolStr),
    String(SmolStr),
    /// A string of which parts are unknown; they stand there as they are written.
    InexactString(SmolStr),
    Symbol(SmolStr),
    /// A regular expression without its slashes; options stand in front, as `(?i-mx:...)`.
    Pattern(SmolStr),
    Array(Rc<Vec<Value<'pr>>>),
    Hash(Rc<Vec<Entry<'pr>>>),
    /// A constant that nothing else is known of, by its path as written (`Puppet::Parameter::Boolean`).
    Constant(SmolStr),
    Block(Block<'pr>),
    /// What `Puppet::Type.type(:x)` gives.
    ResourceType(SmolStr),
    /// `self`, where a definition is being made.
    This,
}

/// A pair of a hash or of keyword arguments.
#[derive(Clone)]
pub(super) struct Entry<'pr> {
    pub key: Value<'pr>,
    pub key_range: TextRange,
    pub value: Value<'pr>,
    pub value_range: TextRange,
}

/// Local variables of a method (blocks share those of the method around them).
pub(super) type Frame<'pr> = Rc<RefCell<FxHashMap<SmolStr, Value<'pr>>>>;

/// Code to be run later, with the local variables that it sees.
#[derive(Clone)]
pub(super) struct Block<'pr> {
    pub code: Code<'pr>,
    pub frame: Frame<'pr>,
    /// In which source it stands.
    pub source: usize,
}

#[derive(Clone)]
pub(super) enum Code<'pr> {
    Block(Rc<BlockNode<'pr>>),
    Lambda(Rc<LambdaNode<'pr>>),
}

/// What a call is given.
#[derive(Default)]
pub(super) struct Arguments<'pr> {
    pub positional: Vec<(Value<'pr>, TextRange)>,
    pub keywords: Vec<Entry<'pr>>,
    /// A block, a symbol (`&:to_s`) or something unknown.
    pub block: Option<Value<'pr>>,
    /// May there be more than the ones above?
    pub has_unknown: bool,
}

impl<'pr> Arguments<'pr> {
    /// The positional argument at `index`, `Unknown` if there is none.
    pub(super) fn value(&self, index: usize) -> Value<'pr> {
        self.positional.get(index).map_or(Value::Unknown, |(value, _)| value.clone())
    }

    pub(super) fn range(&self, index: usize) -> TextRange {
        self.positional.get(index).map_or(TextRange::default(), |(_, range)| *range)
    }

    /// Keyword arguments, or a hash in the last place.
    pub(super) fn options(&self) -> &[Entry<'pr>] {
        match self.positional.last() {
            Some((Value::Hash(entries), _)) if self.keywords.is_empty() => entries,
            _ => &self.keywords,
        }
    }

    /// The option of this name. `None` when it is not given.
    pub(super) fn option(&self, name: &str) -> Option<Value<'pr>> {
        entry(self.options(), name).map(|entry| entry.value.clone())
    }

    /// Are options given, behind a name, that cannot be told?
    pub(super) fn has_unknown_options(&self) -> bool {
        self.has_unknown
            || self.options().iter().any(|entry| entry.key.name().is_none())
            || self.positional.get(1).is_some_and(|(value, _)| !matches!(value, Value::Hash(_)))
    }

    /// Does the object itself take part, so that the callee may add to it?
    pub(super) fn hand_on_this(&self) -> bool {
        self.positional.iter().any(|(value, _)| matches!(value, Value::This))
            || self.keywords.iter().any(|entry| matches!(entry.value, Value::This))
    }
}

/// The pair of the key `name`, a symbol or a string.
pub(super) fn entry<'a, 'pr>(entries: &'a [Entry<'pr>], name: &str) -> Option<&'a Entry<'pr>> {
    entries.iter().rev().find(|entry| entry.key.name().is_some_and(|key| key == name))
}

impl<'pr> Value<'pr> {
    pub(super) fn array(elements: Vec<Value<'pr>>) -> Value<'pr> {
        Value::Array(Rc::new(elements))
    }

    /// The text of a string or symbol: what names things.
    pub(super) fn name(&self) -> Option<SmolStr> {
        match self {
            Value::String(text) | Value::Symbol(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// The text of a string, unknown parts as they are written: for documentation.
    pub(super) fn prose(&self) -> Option<SmolStr> {
        match self {
            Value::String(text) | Value::InexactString(text) | Value::Symbol(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// What `to_s` gives.
    pub(super) fn to_text(&self) -> Option<SmolStr> {
        match self {
            Value::String(text) | Value::Symbol(text) | Value::Float(text) => Some(text.clone()),
            Value::Integer(number) => Some(format_smolstr!("{number}")),
            Value::Boolean(value) => Some(SmolStr::new(if *value { "true" } else { "false" })),
            Value::Nil => Some(SmolStr::default()),
            _ => None,
        }
    }

    /// As it would be written in Puppet, strings at the outside without quotes.
    pub(super) fn to_puppet(&self) -> Option<SmolStr> {
        fn nested(value: &Value) -> Option<String> {
            Some(match value {
                Value::String(text) | Value::Symbol(text) => {
                    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
                }
                Value::Array(_) | Value::Hash(_) => value.to_puppet()?.to_string(),
                Value::Nil => "undef".to_string(),
                _ => value.to_text()?.to_string(),
            })
        }
        match self {
            Value::Array(elements) => {
                let elements: Option<Vec<String>> = elements.iter().map(nested).collect();
                Some(format_smolstr!("[{}]", elements?.join(", ")))
            }
            Value::Hash(entries) if entries.is_empty() => Some(SmolStr::new("{}")),
            Value::Hash(entries) => {
                let pair =
                    |entry: &Entry| Some(format!("{} => {}", nested(&entry.key)?, nested(&entry.value)?));
                let pairs: Option<Vec<String>> = entries.iter().map(pair).collect();
                Some(format_smolstr!("{{ {} }}", pairs?.join(", ")))
            }
            Value::Nil => None,
            _ => self.to_text(),
        }
    }

    /// Is it true in a condition? `None` when that cannot be told.
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Value::Unknown | Value::Constant(_) | Value::ResourceType(_) => None,
            Value::Nil | Value::Boolean(false) => Some(false),
            _ => Some(true),
        }
    }

    /// Are the two equal? `None` when that cannot be told.
    pub(super) fn equals(&self, other: &Value) -> Option<bool> {
        match (self, other) {
            (Value::String(left), Value::String(right)) | (Value::Symbol(left), Value::Symbol(right)) => {
                Some(left == right)
            }
            (Value::Integer(left), Value::Integer(right)) => Some(left == right),
            (Value::Boolean(left), Value::Boolean(right)) => Some(left == right),
            (Value::Nil, Value::Nil) => Some(true),
            _ if self.is_scalar() && other.is_scalar() => Some(false),
            _ => None,
        }
    }

    fn is_scalar(&self) -> bool {
        matches!(
            self,
            Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::String(_) | Value::Symbol(_)
        )
    }
}
