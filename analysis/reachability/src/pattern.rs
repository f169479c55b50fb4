//! Names that are computed: the constant parts around what is unknown.

use std::collections::BTreeSet;

use smol_str::SmolStr;
use syntax::TextRange;

/// Kind of name that a computed string is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PatternKind {
    /// A string anywhere in the code, which may be a name of any kind.
    Any,
    Class,
    /// The type of a resource: a defined type, or `class`.
    ResourceType,
    Function,
    Template,
    File,
    HieraKey,
}

/// A computed name: `role::${x}` has the parts `role::` and an empty one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamePattern {
    pub kind: PatternKind,
    /// Constant parts around the unknown ones; at least two, and each may be empty.
    pub parts: Box<[SmolStr]>,
    /// Facts between the constant parts (`facts.role`), if all unknown parts are facts.
    pub facts: Option<Box<[SmolStr]>>,
    /// Location in the file.
    pub range: TextRange,
}

/// Values of facts on all nodes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FactTable {
    /// Paths of the facts: `facts.role`, `trusted.extensions.pp_role`.
    pub paths: Vec<SmolStr>,
    /// Values of the facts on the nodes, without duplicates; `None` for a missing fact.
    pub rows: BTreeSet<Vec<Option<SmolStr>>>,
}

impl FactTable {
    /// Returns the names that a pattern has on the nodes; `None` if that is unknown.
    pub(crate) fn names(&self, pattern: &NamePattern) -> Option<BTreeSet<String>> {
        let facts = pattern.facts.as_ref()?;
        let column = |fact: &SmolStr| self.paths.iter().position(|it| it == fact);
        let columns: Vec<usize> = facts.iter().map(column).collect::<Option<_>>()?;
        // A variable that no node has as a fact is set by something else.
        let is_known = |column: &usize| self.rows.iter().any(|row| row[*column].is_some());
        if !columns.iter().all(is_known) {
            return None;
        }
        let name = |row: &Vec<Option<SmolStr>>| {
            let mut name = pattern.parts.first().map(ToString::to_string).unwrap_or_default();
            for (column, part) in columns.iter().zip(pattern.parts.iter().skip(1)) {
                name.push_str(row[*column].as_deref().unwrap_or_default());
                name.push_str(part);
            }
            name
        };
        Some(self.rows.iter().map(name).collect())
    }
}

impl NamePattern {
    /// Returns true if the constant parts say nothing.
    pub fn is_unbounded(&self) -> bool {
        self.parts.iter().all(|it| it.is_empty())
    }

    /// Returns true if a name has all constant parts, in order.
    pub fn matches(&self, name: &str) -> bool {
        let [first, middle @ .., last] = &*self.parts else { return false };
        let Some(mut rest) = name.strip_prefix(first.as_str()) else { return false };
        for part in middle {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last.as_str())
    }

    /// Returns true if the constant parts of a string that may be anything look like those of a qualified name
    /// or a path in a module.
    pub(crate) fn is_specific(&self) -> bool {
        let [first, .., last] = &*self.parts else { return false };
        let begins_name = first.split_once("::").is_some_and(|(module, _)| is_module_name(module));
        let begins_path = first.split_once('/').is_some_and(|(module, _)| is_module_name(module));
        let ends_name = last.rsplit_once("::").is_some_and(|(_, name)| is_module_name(name));
        begins_name || begins_path || ends_name
    }
}

pub(crate) fn is_module_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}
