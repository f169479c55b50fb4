//! Values in declarations.

use plugins::drafts::DraftValue;
use smol_str::{SmolStr, format_smolstr};
use types::Origin;

use crate::value::{Object, RubyRegexp};

pub(super) const UNKNOWN: Object = Object::Unknown(Origin::Ruby);

/// Returns the contents of a string or symbol used as a name.
pub(super) fn name_of(object: &Object) -> Option<SmolStr> {
    match object {
        Object::Text(text) => Some(SmolStr::new(text.content.borrow().as_str())),
        Object::Symbol(name) => Some(name.clone()),
        _ => None,
    }
}

/// Returns the contents of a string for documentation, with unknown parts as in the source.
pub(super) fn prose_of(object: &Object) -> Option<SmolStr> {
    match object {
        Object::Partial(text) => Some(text.clone()),
        object => name_of(object),
    }
}

/// Returns the result of `to_s`.
pub(super) fn text_of(object: &Object) -> Option<SmolStr> {
    match object {
        Object::Integer(number) => Some(format_smolstr!("{number}")),
        Object::Float(number) => Some(format_smolstr!("{number:?}")),
        Object::Boolean(value) => Some(SmolStr::new(if *value { "true" } else { "false" })),
        Object::Nil => Some(SmolStr::default()),
        object => name_of(object),
    }
}

/// Formats a value in Puppet syntax, with top-level strings unquoted.
pub(super) fn puppet_text(object: &Object) -> Option<SmolStr> {
    fn nested(object: &Object) -> Option<String> {
        Some(match object {
            Object::Text(_) | Object::Symbol(_) => {
                format!("'{}'", name_of(object)?.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            Object::Array(_) | Object::Hash(_) => puppet_text(object)?.to_string(),
            Object::Nil => "undef".to_string(),
            _ => text_of(object)?.to_string(),
        })
    }
    match object {
        Object::Array(array) => {
            let elements: Option<Vec<String>> = array.elements.borrow().iter().map(nested).collect();
            Some(format_smolstr!("[{}]", elements?.join(", ")))
        }
        Object::Hash(hash) if hash.entries.borrow().is_empty() => Some(SmolStr::new("{}")),
        Object::Hash(hash) => {
            let entries = hash.entries.borrow();
            let pairs =
                entries.iter().map(|(key, value)| Some(format!("{} => {}", nested(&key.0)?, nested(value)?)));
            Some(format_smolstr!("{{ {} }}", pairs.collect::<Option<Vec<String>>>()?.join(", ")))
        }
        Object::Nil => None,
        object => text_of(object),
    }
}

/// Returns the truth value in a condition; `None` if it is not known.
pub(super) fn truth(object: &Object) -> Option<bool> {
    match object {
        Object::Unknown(_) | Object::Constant(_) => None,
        Object::Nil | Object::Boolean(false) => Some(false),
        _ => Some(true),
    }
}

/// Returns the source of a pattern. Options become a prefix, as in Ruby's embedded patterns.
pub(super) fn pattern_source(pattern: &RubyRegexp) -> SmolStr {
    if pattern.options.is_empty() {
        return pattern.source.clone();
    }
    let off: String = "mix".chars().filter(|letter| !pattern.options.contains(*letter)).collect();
    let dash = if off.is_empty() { "" } else { "-" };
    format_smolstr!("(?{}{dash}{off}:{})", pattern.options, pattern.source)
}

/// Returns a value as far as definitions depend on it.
pub(super) fn draft_value(object: &Object) -> DraftValue {
    match object {
        Object::Text(text) => DraftValue::Text(SmolStr::new(text.content.borrow().as_str())),
        Object::Symbol(name) => DraftValue::Symbol(name.clone()),
        Object::Partial(text) => DraftValue::Partial(text.clone()),
        Object::Pattern(pattern) => DraftValue::Pattern(pattern_source(pattern)),
        Object::Array(array) => DraftValue::List(array.elements.borrow().iter().map(draft_value).collect()),
        object => text_of(object).map_or(DraftValue::Unknown, DraftValue::Shown),
    }
}
