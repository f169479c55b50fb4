//! Merge strategies for the values of a key that is found at several locations.

mod deep;

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use types::assign::Fit;
use types::{HashValue, NoTypes, Origin, Type, Value};

use deep::DeepOptions;

/// Merge strategy.
#[derive(Clone, PartialEq, Debug)]
pub enum Strategy {
    /// First value found.
    First,
    /// Flattened array of all distinct elements.
    Unique,
    /// Shallow merge of hashes; values found first win.
    Hash,
    /// Recursive merge of hashes and arrays.
    Deep(DeepOptions),
    /// Recursive merge in which values found last win. Only version 3 has it.
    ReverseDeep(DeepOptions),
}

/// Result of a lookup.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Found(Value),
    Missing,
    /// Possibly missing; a value, if any, is of this type.
    Unknown(Type),
}

/// Error that Puppet would raise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LookupError {
    pub message: String,
}

impl LookupError {
    pub fn new(message: impl Into<String>) -> LookupError {
        LookupError { message: message.into() }
    }
}

impl std::fmt::Display for LookupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LookupError {}

/// Result of one step of a lookup.
pub type LookupStepResult<T = Answer> = Result<T, LookupError>;

impl Strategy {
    /// Parses a `merge` option: the name of a strategy, or a hash with its name and options. Returns `None`
    /// for an unknown value.
    ///
    /// # Errors
    /// Returns an error if the strategy does not exist or does not accept the options.
    pub fn of_value(merge: &Value) -> LookupStepResult<Option<Strategy>> {
        let no_options = HashValue::default();
        let (name, options) = match merge {
            Value::Undef | Value::Boolean(false) => return Ok(Some(Strategy::First)),
            Value::Unknown(_) => return Ok(None),
            Value::Hash(options) => match options.get_text("strategy") {
                None | Some(Value::Undef) => {
                    return Err(LookupError::new("`merge` must have a `strategy`"));
                }
                Some(Value::Unknown(_)) => return Ok(None),
                Some(name) => (name, if options.len() == 1 { &no_options } else { &**options }),
            },
            name => (name, &no_options),
        };
        let Some(name) = name.as_str() else {
            return Err(LookupError::new("merge strategy must be a string"));
        };
        let takes_options = matches!(name, "deep" | "unconstrained_deep" | "reverse_deep");
        if !takes_options && !options.is_empty() && matches!(name, "first" | "default" | "unique" | "hash") {
            return Err(LookupError::new(format!("merge strategy `{name}` takes no options")));
        }
        Ok(Some(match name {
            "first" | "default" => Strategy::First,
            "unique" => Strategy::Unique,
            "hash" => Strategy::Hash,
            "deep" => Strategy::Deep(DeepOptions::read(options, true)?),
            "unconstrained_deep" => Strategy::Deep(DeepOptions::read(options, false)?),
            "reverse_deep" => Strategy::ReverseDeep(DeepOptions::read(options, false)?),
            _ => return Err(LookupError::new(format!("unknown merge strategy `{name}`"))),
        }))
    }

    /// Returns the name of the strategy.
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::First => "first",
            Strategy::Unique => "unique",
            Strategy::Hash => "hash",
            Strategy::Deep(_) | Strategy::ReverseDeep(_) => "deep",
        }
    }

    /// Calls `find` for the locations `variants` and merges the results.
    ///
    /// # Errors
    /// Returns the errors of `find`, and an error for values that the strategy cannot merge.
    pub fn lookup<V>(
        &self,
        variants: &[V],
        mut find: impl FnMut(&V) -> LookupStepResult,
    ) -> LookupStepResult {
        if *self == Strategy::First {
            for variant in variants {
                match find(variant)? {
                    Answer::Missing => {}
                    answer => return Ok(answer),
                }
            }
            return Ok(Answer::Missing);
        }
        if let [variant] = variants {
            let answer = find(variant)?;
            return Ok(match answer {
                Answer::Found(value) => Answer::Found(self.single(value)),
                answer => answer,
            });
        }
        let mut found: Option<Value> = None;
        let mut is_unknown = false;
        for variant in variants {
            match find(variant)? {
                Answer::Missing => {}
                Answer::Unknown(_) => is_unknown = true,
                Answer::Found(Value::Unknown(_)) => is_unknown = true,
                Answer::Found(value) if is_unknown => drop(value),
                Answer::Found(value) => {
                    found = Some(match found {
                        None => self.first_of_many(value),
                        Some(found) => self.merge(found, value)?,
                    });
                }
            }
        }
        if is_unknown {
            return Ok(Answer::Unknown(self.ty()));
        }
        Ok(found.map_or(Answer::Missing, Answer::Found))
    }

    fn ty(&self) -> Type {
        match self {
            Strategy::Unique => Type::array_of(Type::Any),
            Strategy::Hash => Type::hash_of(Type::STRING, Type::Any),
            _ => Type::Any,
        }
    }

    fn single(&self, value: Value) -> Value {
        match (self, value) {
            (Strategy::Unique, Value::Array(elements)) => Value::array(unique(elements.iter().cloned())),
            (_, value) => value,
        }
    }

    fn first_of_many(&self, value: Value) -> Value {
        if *self == Strategy::Unique { Value::array(flattened(&value)) } else { value }
    }

    /// Merges two values, the first of which was found first.
    ///
    /// # Errors
    /// Returns an error for values that the strategy cannot merge.
    pub fn merge(&self, first: Value, second: Value) -> LookupStepResult<Value> {
        match self {
            Strategy::First => Ok(first),
            Strategy::Unique => {
                for value in [&first, &second] {
                    if !is_scalar(value) && !matches!(value, Value::Array(_)) || !is_data(value) {
                        return Err(LookupError::new(
                            "merge strategy `unique` only supports scalars and arrays",
                        ));
                    }
                }
                Ok(Value::array(unique(flattened(&first).into_iter().chain(flattened(&second)))))
            }
            Strategy::Hash => match (&first, &second) {
                (Value::Hash(a), Value::Hash(b)) if is_data(&first) && is_data(&second) => {
                    let mut merged = (**b).clone();
                    merged.extend(a.iter().map(|(key, value)| (key.clone(), value.clone())));
                    Ok(Value::Hash(Arc::new(merged)))
                }
                _ => Err(LookupError::new("merge strategy `hash` only supports hashes with string keys")),
            },
            Strategy::Deep(options) => deep::merge(first, second, options, 0),
            Strategy::ReverseDeep(options) => deep::merge(second, first, options, 0),
        }
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Undef | Value::Hash(_) | Value::Array(_) | Value::Default | Value::Binary(_))
}

/// Returns true for instances of `Data` and for scalars, which are allowed outside of collections.
fn is_data(value: &Value) -> bool {
    is_scalar(value) || types::assign::fits(&Type::Data, value, &NoTypes) != Fit::Never
}

fn flattened(value: &Value) -> Vec<Value> {
    fn add(value: &Value, to: &mut Vec<Value>, depth: usize) {
        match value {
            Value::Array(elements) if depth < Value::MAX_DEPTH => {
                elements.iter().for_each(|element| add(element, to, depth + 1));
            }
            value => to.push(value.clone()),
        }
    }
    let mut elements = Vec::new();
    add(value, &mut elements, 0);
    elements
}

pub(crate) fn unique(elements: impl Iterator<Item = Value>) -> Vec<Value> {
    #[expect(clippy::mutable_key_type, reason = "the cache of a regular expression is not compared")]
    let mut seen = FxHashSet::default();
    elements.filter(|element| seen.insert(element.clone())).collect()
}

/// Returns an unknown value of any type.
pub(crate) fn anything() -> Value {
    Value::unknown(Type::Any, Origin::Fact)
}

/// Returns an option that is a string.
pub(crate) fn string_option(options: &HashValue, name: &str) -> Option<SmolStr> {
    options.get_text(name).and_then(Value::as_str).map(SmolStr::from)
}
