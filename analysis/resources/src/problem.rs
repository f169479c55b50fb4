//! Problems with values, and their wording.

use std::borrow::Cow;
use std::fmt;

use smol_str::SmolStr;
use types::Value;

/// Maximum number of characters of a value that a message shows.
const MAX_SHOWN: usize = 80;

/// Reason why the value of an attribute is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ValueProblem {
    /// Description of the values that are accepted, and the source of the actual one.
    Expected(Cow<'static, str>, String),
    /// Value that is not listed, and the list.
    Unlisted(SmolStr, Vec<SmolStr>),
    Other(Cow<'static, str>),
}

/// Result of a check.
pub(crate) type RuleResult = Result<(), ValueProblem>;

impl ValueProblem {
    pub(crate) fn expected<T>(what: impl Into<Cow<'static, str>>, value: &Value) -> Result<T, ValueProblem> {
        Err(ValueProblem::Expected(what.into(), shown(value)))
    }

    pub(crate) fn other<T>(text: impl Into<Cow<'static, str>>) -> Result<T, ValueProblem> {
        Err(ValueProblem::Other(text.into()))
    }
}

impl ValueProblem {
    /// Returns the problem without the value.
    pub(crate) fn redacted(self) -> ValueProblem {
        match self {
            ValueProblem::Expected(what, _) => ValueProblem::Expected(what, "a sensitive value".to_owned()),
            ValueProblem::Unlisted(_, listed) => {
                let listed: Vec<String> = listed.iter().map(|it| format!("`{it}`")).collect();
                ValueProblem::Expected(listed.join(" or ").into(), "a sensitive value".to_owned())
            }
            ValueProblem::Other(text) => ValueProblem::Other(text),
        }
    }
}

impl fmt::Display for ValueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueProblem::Expected(what, value) => write!(f, "expected {what}, got {value}"),
            ValueProblem::Unlisted(value, listed) => {
                let listed: Vec<String> = listed.iter().map(|it| format!("`{it}`")).collect();
                write!(f, "expected {}, got `'{value}'`", listed.join(" or "))
            }
            ValueProblem::Other(text) => f.write_str(text),
        }
    }
}

/// Formats a value for a message: a short scalar as source, everything else as a type.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() <= MAX_SHOWN => {
            format!("`{}`", types::text::quoted(text))
        }
        Value::String(_) => "a long string".to_owned(),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => match crate::values::text(value) {
            Some(text) => format!("`{text}`"),
            None => "another value".to_owned(),
        },
        Value::Array(_) => "an array".to_owned(),
        Value::Hash(_) => "a hash".to_owned(),
        _ => "another value".to_owned(),
    }
}
