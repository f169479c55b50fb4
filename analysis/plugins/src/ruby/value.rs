//! What an expression in a Ruby file is worth, as far as it can be told without running it.

use std::cell::RefCell;
use std::rc::Rc;

use ruby_prism::{BlockNode, LambdaNode};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

/// A value; `Unknown` when only running the program would tell.
#[derive(Clone)]
pub(super) enum RubyValue<'pr> {
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
    Array(Rc<Vec<RubyValue<'pr>>>),
    Hash(Rc<Vec<RubyPair<'pr>>>),
    /// A constant that nothing else is known of, by its path as written (`Puppet::Parameter::Boolean`).
    Constant(SmolStr),
    Block(RubyClosure<'pr>),
    /// What `Puppet::Type.type(:x)` gives.
    ResourceType(SmolStr),
    /// `self`, where a definition is being made.
    This,
}

/// A pair of a hash or of keyword arguments.
#[derive(Clone)]
pub(super) struct RubyPair<'pr> {
    pub key: RubyValue<'pr>,
    pub key_range: TextRange,
    pub value: RubyValue<'pr>,
    pub value_range: TextRange,
}

/// Local variables of a method (blocks share those of the method around them).
pub(super) type RubyFrame<'pr> = Rc<RefCell<FxHashMap<SmolStr, RubyValue<'pr>>>>;

/// Code to be run later, with the local variables that it sees.
#[derive(Clone)]
pub(super) struct RubyClosure<'pr> {
    pub code: RubyCode<'pr>,
    pub frame: RubyFrame<'pr>,
    /// In which source it stands.
    pub source: usize,
}

#[derive(Clone)]
pub(super) enum RubyCode<'pr> {
    Block(Rc<BlockNode<'pr>>),
    Lambda(Rc<LambdaNode<'pr>>),
}

/// What a call is given.
#[derive(Default)]
pub(super) struct RubyArguments<'pr> {
    pub positional: Vec<(RubyValue<'pr>, TextRange)>,
    pub keywords: Vec<RubyPair<'pr>>,
    /// A block, a symbol (`&:to_s`) or something unknown.
    pub block: Option<RubyValue<'pr>>,
    /// May there be more than the ones above?
    pub has_unknown: bool,
}

impl<'pr> RubyArguments<'pr> {
    /// The positional argument at `index`, `Unknown` if there is none.
    pub(super) fn value(&self, index: usize) -> RubyValue<'pr> {
        self.positional.get(index).map_or(RubyValue::Unknown, |(value, _)| value.clone())
    }

    pub(super) fn range(&self, index: usize) -> TextRange {
        self.positional.get(index).map_or(TextRange::default(), |(_, range)| *range)
    }

    /// Keyword arguments, or a hash in the last place.
    pub(super) fn options(&self) -> &[RubyPair<'pr>] {
        match self.positional.last() {
            Some((RubyValue::Hash(entries), _)) if self.keywords.is_empty() => entries,
            _ => &self.keywords,
        }
    }

    /// The option of this name. `None` when it is not given.
    pub(super) fn option(&self, name: &str) -> Option<RubyValue<'pr>> {
        entry(self.options(), name).map(|entry| entry.value.clone())
    }

    /// Are options given, behind a name, that cannot be told?
    pub(super) fn has_unknown_options(&self) -> bool {
        self.has_unknown
            || self.options().iter().any(|entry| entry.key.name().is_none())
            || self.positional.get(1).is_some_and(|(value, _)| !matches!(value, RubyValue::Hash(_)))
    }

    /// Does the object itself take part, so that the callee may add to it?
    pub(super) fn hand_on_this(&self) -> bool {
        self.positional.iter().any(|(value, _)| matches!(value, RubyValue::This))
            || self.keywords.iter().any(|entry| matches!(entry.value, RubyValue::This))
    }
}

/// The pair of the key `name`, a symbol or a string.
pub(super) fn entry<'a, 'pr>(entries: &'a [RubyPair<'pr>], name: &str) -> Option<&'a RubyPair<'pr>> {
    entries.iter().rev().find(|entry| entry.key.name().is_some_and(|key| key == name))
}

impl<'pr> RubyValue<'pr> {
    /// What a name gets that takes an array apart; unknown where that is not known.
    pub(super) fn element(&self, index: usize) -> RubyValue<'pr> {
        match self {
            RubyValue::Array(elements) => elements.get(index).cloned().unwrap_or(RubyValue::Unknown),
            _ => RubyValue::Unknown,
        }
    }

    pub(super) fn array(elements: Vec<RubyValue<'pr>>) -> RubyValue<'pr> {
        RubyValue::Array(Rc::new(elements))
    }

    /// The text of a string or symbol: what names things.
    pub(super) fn name(&self) -> Option<SmolStr> {
        match self {
            RubyValue::String(text) | RubyValue::Symbol(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// The text of a string, unknown parts as they are written: for documentation.
    pub(super) fn prose(&self) -> Option<SmolStr> {
        match self {
            RubyValue::String(text) | RubyValue::InexactString(text) | RubyValue::Symbol(text) => {
                Some(text.clone())
            }
            _ => None,
        }
    }

    /// What `to_s` gives.
    pub(super) fn to_text(&self) -> Option<SmolStr> {
        match self {
            RubyValue::String(text) | RubyValue::Symbol(text) | RubyValue::Float(text) => Some(text.clone()),
            RubyValue::Integer(number) => Some(format_smolstr!("{number}")),
            RubyValue::Boolean(value) => Some(SmolStr::new(if *value { "true" } else { "false" })),
            RubyValue::Nil => Some(SmolStr::default()),
            _ => None,
        }
    }

    /// As it would be written in Puppet, strings at the outside without quotes.
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

    /// Is it true in a condition? `None` when that cannot be told.
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            RubyValue::Unknown | RubyValue::Constant(_) | RubyValue::ResourceType(_) => None,
            RubyValue::Nil | RubyValue::Boolean(false) => Some(false),
            _ => Some(true),
        }
    }

    /// Are the two equal? `None` when that cannot be told.
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
