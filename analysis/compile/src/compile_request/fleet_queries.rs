//! Queries of PuppetDB in the compiles of a fleet.

use std::fmt::{self, Write};
use std::sync::Arc;

use hir::Name;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use types::Value;

use super::unknown_input::UnknownInput;

/// Maximum nesting of a query.
const MAX_DEPTH: usize = 64;

/// Rows of a query, or the reason why they are unknown.
pub type QueryAnswer = Result<Value, SmolStr>;

/// Answers to queries of PuppetDB.
pub trait QueryAnswers: fmt::Debug + Send + Sync {
    /// Returns the rows of a query in PQL or in JSON; `None` if nobody has asked so far.
    fn answer(&self, query: &str) -> Option<QueryAnswer>;
}

/// What is known about queries of PuppetDB.
#[derive(Clone, Default, Debug)]
pub struct FleetQueries {
    /// Answers; `None` if they are all unknown.
    pub answers: Option<Arc<dyn QueryAnswers>>,
    /// Types of the resources that queries ask for.
    pub types: QueriedTypes,
}

/// Types of the resources that queries ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueriedTypes {
    /// All types.
    Any,
    /// Folded names.
    Named(FxHashSet<Name>),
}

impl FleetQueries {
    /// Returns the rows of a query, or what is unknown about it.
    pub(crate) fn rows(&self, query: &Value) -> Result<Value, UnknownInput> {
        let text = query_text(query).unwrap_or_default();
        let answer = match (&self.answers, text.as_str()) {
            (_, "") if query.is_known() => Some(Err("it is malformed".into())),
            (None, _) | (_, "") => None,
            (Some(answers), text) => answers.answer(text),
        };
        let reason = match answer {
            Some(Ok(rows)) => return Ok(rows),
            Some(Err(reason)) => reason,
            None => SmolStr::default(),
        };
        Err(UnknownInput::Query { query: text, reason })
    }
}

impl Default for QueriedTypes {
    fn default() -> QueriedTypes {
        QueriedTypes::Named(FxHashSet::default())
    }
}

impl QueriedTypes {
    /// Returns true if queries ask for resources of a type.
    pub fn contains(&self, type_name: &str) -> bool {
        match self {
            QueriedTypes::Any => true,
            QueriedTypes::Named(names) => names.contains(type_name),
        }
    }
}

/// Returns the text of a query: PQL, or JSON for an array; `None` for what no query consists of.
fn query_text(query: &Value) -> Option<SmolStr> {
    if let Value::String(text) = query {
        return Some(text.clone());
    }
    let mut text = String::new();
    let is_written = matches!(query, Value::Array(_)) && write_json(query, &mut text, 0);
    is_written.then(|| text.into())
}

/// Writes a value as JSON; returns false if that is impossible.
fn write_json(value: &Value, out: &mut String, depth: usize) -> bool {
    match value {
        Value::String(text) => {
            out.push('"');
            for character in text.chars() {
                match character {
                    '"' | '\\' => out.extend(['\\', character]),
                    '\0'..='\u{1f}' => drop(write!(out, "\\u{:04x}", u32::from(character))),
                    _ => out.push(character),
                }
            }
            out.push('"');
        }
        Value::Integer(number) => drop(write!(out, "{number}")),
        Value::Boolean(is_true) => drop(write!(out, "{is_true}")),
        Value::Array(elements) if depth < MAX_DEPTH => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                if !write_json(element, out, depth + 1) {
                    return false;
                }
            }
            out.push(']');
        }
        _ => return false,
    }
    true
}

#[cfg(test)]
#[path = "fleet_queries_tests.rs"]
mod tests;
