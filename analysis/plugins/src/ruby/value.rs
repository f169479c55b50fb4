//! Values of Ruby expressions, as far as they are known without executing the code.

use std::cell::RefCell;
use std::rc::Rc;

use ruby_prism::{BlockNode, LambdaNode};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

/// Value; `Unknown` if only executing the program would determine it.
#[derive(Clone)]
pub(super) enum RubyValue<'pr> {
    Unknown,
    Nil,
    Boolean(bool),
    Integer(i64),
    /// Number as printed by Ruby.
    Float(SmolStr),
    String(SmolStr),
    /// Partially known string; unknown parts appear as in the source.
    InexactString(SmolStr),
    Symbol(SmolStr),
    /// Regular expression without slashes; options are a prefix, as in `(?i-mx:...)`.
    Pattern(SmolStr),
    Array(Rc<Vec<RubyValue<'pr>>>),
    Hash(Rc<Vec<RubyPair<'pr>>>),
    /// Constant of unknown value, with its path as written (`Puppet::Parameter::Boolean`).
    Constant(SmolStr),
    Block(RubyClosure<'pr>),
    /// Result of `Puppet::Type.type(:x)`.
    ResourceType(SmolStr),
    /// `self` inside a definition.
    This,
}

/// Pair of a hash or of keyword arguments.
#[derive(Clone)]
pub(super) struct RubyPair<'pr> {
    pub key: RubyValue<'pr>,
    pub key_range: TextRange,
    pub value: RubyValue<'pr>,
    pub value_range: TextRange,
}

/// Local variables of a method, shared by its blocks.
pub(super) type RubyFrame<'pr> = Rc<RefCell<FxHashMap<SmolStr, RubyValue<'pr>>>>;

/// Code that may be called later, with the local variables that it captures.
#[derive(Clone)]
pub(super) struct RubyClosure<'pr> {
    pub code: RubyCode<'pr>,
    pub frame: RubyFrame<'pr>,
    /// Index of the source that contains the code.
    pub source: usize,
}

#[derive(Clone)]
pub(super) enum RubyCode<'pr> {
    Block(Rc<BlockNode<'pr>>),
    Lambda(Rc<LambdaNode<'pr>>),
}

/// Arguments of a call.
#[derive(Default)]
pub(super) struct RubyArguments<'pr> {
    pub positional: Vec<(RubyValue<'pr>, TextRange)>,
    pub keywords: Vec<RubyPair<'pr>>,
    /// Block, symbol (`&:to_s`) or unknown value.
    pub block: Option<RubyValue<'pr>>,
    /// True if there may be further arguments.
    pub has_unknown: bool,
}

impl<'pr> RubyArguments<'pr> {
    /// Returns the positional argument at `index`; `Unknown` if there is none.
    pub(super) fn value(&self, index: usize) -> RubyValue<'pr> {
        self.positional.get(index).map_or(RubyValue::Unknown, |(value, _)| value.clone())
    }

    pub(super) fn range(&self, index: usize) -> TextRange {
        self.positional.get(index).map_or(TextRange::default(), |(_, range)| *range)
    }

    /// Returns the keyword arguments, or the hash passed as the last argument.
    pub(super) fn options(&self) -> &[RubyPair<'pr>] {
        match self.positional.last() {
            Some((RubyValue::Hash(entries), _)) if self.keywords.is_empty() => entries,
            _ => &self.keywords,
        }
    }

    /// Returns the option `name`; `None` if it is missing.
    pub(super) fn option(&self, name: &str) -> Option<RubyValue<'pr>> {
        entry(self.options(), name).map(|entry| entry.value.clone())
    }

    /// Returns true if there may be options, after a name, that are not known.
    pub(super) fn has_unknown_options(&self) -> bool {
        self.has_unknown
            || self.options().iter().any(|entry| entry.key.name().is_none())
            || self.positional.get(1).is_some_and(|(value, _)| !matches!(value, RubyValue::Hash(_)))
    }

    /// Returns true if `self` is among the arguments, so that the callee may modify it.
    pub(super) fn passes_self(&self) -> bool {
        self.positional.iter().any(|(value, _)| matches!(value, RubyValue::This))
            || self.keywords.iter().any(|entry| matches!(entry.value, RubyValue::This))
    }
}

/// Returns the pair with the key `name`, a symbol or a string.
pub(super) fn entry<'a, 'pr>(entries: &'a [RubyPair<'pr>], name: &str) -> Option<&'a RubyPair<'pr>> {
    entries.iter().rev().find(|entry| entry.key.name().is_some_and(|key| key == name))
}

impl<'pr> RubyValue<'pr> {
    /// Returns the element assigned to a name in a destructuring assignment; unknown if the array is.
    pub(super) fn element(&self, index: usize) -> RubyValue<'pr> {
        match self {
            RubyValue::Array(elements) => elements.get(index).cloned().unwrap_or(RubyValue::Unknown),
            _ => RubyValue::Unknown,
        }
    }

    pub(super) fn array(elements: Vec<RubyValue<'pr>>) -> RubyValue<'pr> {
        RubyValue::Array(Rc::new(elements))
    }

    /// Returns the contents of a string or symbol used as a name.
    pub(super) fn name(&self) -> Option<SmolStr> {
        match self {
            RubyValue::String(text) | RubyValue::Symbol(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns the contents of a string for documentation, with unknown parts as in the source.
    pub(super) fn prose(&self) -> Option<SmolStr> {
        match self {
            RubyValue::String(text) | RubyValue::InexactString(text) | RubyValue::Symbol(text) => {
                Some(text.clone())
            }
            _ => None,
        }
    }

    /// Returns the result of `to_s`.
    pub(super) fn to_text(&self) -> Option<SmolStr> {
        match self {
            RubyValue::String(text) | RubyValue::Symbol(text) | RubyValue::Float(text) => Some(text.clone()),
            RubyValue::Integer(number) => Some(format_smolstr!("{number}")),
            RubyValue::Boolean(value) => Some(SmolStr::new(if *value { "true" } else { "false" })),
            RubyValue::Nil => Some(SmolStr::default()),
            _ => None,
        }
    }

    /// Formats the value in Puppet syntax, with top-level strings unquoted.
    pub(super) fn to_puppet(&self) -> Option<SmolStr> {
        fn nested(value: &RubyValue) -> Option<String> {
            Some(match value {
                RubyValue::String(text) | RubyValue::Symbol(text) => {
                    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
                }
                RubyValue::Array(_) | RubyValue::Hash(_) => value.to_puppet()?.to_string(),
                RubyValue::Nil => "undef".to_string(),
                _ => value.to_text()?.to_string(),
            })
        }
        match self {
            RubyValue::Array(elements) => {
                let elements: Option<Vec<String>> = elements.iter().map(nested).collect();
                Some(format_smolstr!("[{}]", elements?.join(", ")))
            }
            RubyValue::Hash(entries) if entries.is_empty() => Some(SmolStr::new("{}")),
            RubyValue::Hash(entries) => {
                let pair =
                    |entry: &RubyPair| Some(format!("{} => {}", nested(&entry.key)?, nested(&entry.value)?));
                let pairs: Option<Vec<String>> = entries.iter().map(pair).collect();
                Some(format_smolstr!("{{ {} }}", pairs?.join(", ")))
            }
            RubyValue::Nil => None,
            _ => self.to_text(),
        }
    }

    /// Returns the truth value in a condition; `None` if it is not known.
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            RubyValue::Unknown | RubyValue::Constant(_) | RubyValue::ResourceType(_) => None,
            RubyValue::Nil | RubyValue::Boolean(false) => Some(false),
            _ => Some(true),
        }
    }

    /// Compares two values; `None` if the result is not known.
    pub(super) fn equals(&self, other: &RubyValue) -> Option<bool> {
        match (self, other) {
            (RubyValue::String(left), RubyValue::String(right))
            | (RubyValue::Symbol(left), RubyValue::Symbol(right)) => Some(left == right),
            (RubyValue::Integer(left), RubyValue::Integer(right)) => Some(left == right),
            (RubyValue::Boolean(left), RubyValue::Boolean(right)) => Some(left == right),
            (RubyValue::Nil, RubyValue::Nil) => Some(true),
            _ if self.is_scalar() && other.is_scalar() => Some(false),
            _ => None,
        }
    }

    fn is_scalar(&self) -> bool {
        matches!(
            self,
            RubyValue::Nil
                | RubyValue::Boolean(_)
                | RubyValue::Integer(_)
                | RubyValue::String(_)
                | RubyValue::Symbol(_)
        )
    }
}
