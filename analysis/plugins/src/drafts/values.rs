//! Arguments of the calls that define something.

use smol_str::SmolStr;

/// Value of an argument, as far as definitions depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DraftValue {
    Text(SmolStr),
    Symbol(SmolStr),
    /// Result of `to_s` of a number, a boolean or `nil`.
    Shown(SmolStr),
    /// Ruby regular expression, without slashes.
    Pattern(SmolStr),
    /// String that is known in part; the unknown parts are as in the source.
    Partial(SmolStr),
    List(Vec<DraftValue>),
    Unknown,
}

impl DraftValue {
    /// Returns the contents of a string or symbol used as a name.
    pub fn name(&self) -> Option<&SmolStr> {
        match self {
            DraftValue::Text(text) | DraftValue::Symbol(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the contents of a string; `None` for other values.
    pub fn string(&self) -> Option<&SmolStr> {
        match self {
            DraftValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the result of `to_s`.
    pub fn text(&self) -> Option<&SmolStr> {
        match self {
            DraftValue::Shown(text) => Some(text),
            other => other.name(),
        }
    }

    /// Returns the contents of a string for documentation.
    pub fn prose(&self) -> Option<&SmolStr> {
        match self {
            DraftValue::Partial(text) => Some(text),
            other => other.name(),
        }
    }
}

/// Positional arguments.
#[derive(Clone, Debug, Default)]
pub struct DraftArguments {
    pub values: Vec<DraftValue>,
    /// True if there may be further arguments.
    pub has_unknown: bool,
}

impl DraftArguments {
    /// Returns the argument at `index`; unknown if there is none.
    pub fn value(&self, index: usize) -> &DraftValue {
        self.values.get(index).unwrap_or(&DraftValue::Unknown)
    }

    /// Returns the argument at `index` as a name.
    pub fn name(&self, index: usize) -> Option<SmolStr> {
        self.value(index).name().cloned()
    }
}
