//! Facts and top-scope variables, read from their data files.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::notation::{self, NotationEntry};

/// Core fact, or an element of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    pub name: SmolStr,
    /// Type in Puppet syntax (`String`, `Hash[String, Any]`).
    pub type_text: SmolStr,
    pub documentation: SmolStr,
    /// Elements of a structured fact. If the names vary (`mountpoints`), one element named `*`.
    pub parts: Vec<Fact>,
    /// True for facts that Puppet 8 omits by default; `replacement` is the expression to use instead.
    pub is_legacy: bool,
    /// Expression that replaces a legacy fact: `$facts['os']['family']`.
    pub replacement: Option<SmolStr>,
}

/// Empty if the data file is malformed; a test makes sure that it is not.
pub(super) static FACTS: LazyLock<Vec<Fact>> = LazyLock::new(|| read_facts(FACTS_FILE).unwrap_or_default());

pub(super) static VARIABLES: LazyLock<Vec<Fact>> =
    LazyLock::new(|| read_facts(VARIABLES_FILE).unwrap_or_default());

const FACTS_FILE: &str = include_str!("../../data/facts.txt");

const VARIABLES_FILE: &str = include_str!("../../data/variables.txt");

fn read_facts(file: &'static str) -> Result<Vec<Fact>, String> {
    let mut facts = Vec::new();
    for entry in notation::read(file)? {
        facts.push(match entry.word {
            "fact" | "variable" => fact(&entry)?,
            "legacy" => legacy_fact(&entry),
            _ => return Err(format!("line {}: {:?}", entry.line, entry.word)),
        });
    }
    facts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(facts)
}

/// Parses `fact kernel String`, with documentation and parts as children.
fn fact(entry: &NotationEntry) -> Result<Fact, String> {
    let (name, type_text) = entry.name_and_rest();
    let mut parts = Vec::new();
    for below in &entry.below {
        match below.word {
            "part" => parts.push(fact(below)?),
            _ => return Err(format!("line {}: {:?}", below.line, below.word)),
        }
    }
    Ok(Fact {
        name: name.into(),
        type_text: type_text.into(),
        documentation: entry.documentation.as_str().into(),
        parts,
        is_legacy: false,
        replacement: None,
    })
}

/// Parses `legacy osfamily String = $facts['os']['family']`. Some legacy facts have no replacement.
fn legacy_fact(entry: &NotationEntry) -> Fact {
    let (name, rest) = entry.name_and_rest();
    let (type_text, replacement) = match rest.split_once(" = ") {
        Some((type_text, replacement)) => (type_text, Some(replacement)),
        None => (rest, None),
    };
    let documentation = match replacement {
        Some(replacement) => {
            format!("Legacy fact; use `{replacement}` instead. Puppet 8 does not send it by default.")
        }
        None => "Legacy fact. Puppet 8 does not send it by default.".to_owned(),
    };
    Fact {
        name: name.into(),
        type_text: type_text.into(),
        documentation: documentation.into(),
        parts: Vec::new(),
        is_legacy: true,
        replacement: replacement.map(SmolStr::new),
    }
}

/// Index of [`FACTS`] by name.
pub(super) static NAMES: LazyLock<Names> = LazyLock::new(|| Names::of(&FACTS));

/// Names and patterns with their positions in a list of facts.
pub(super) struct Names {
    whole: FxHashMap<SmolStr, usize>,
    patterns: Vec<(usize, SmolStr)>,
}

impl Names {
    fn of(facts: &[Fact]) -> Names {
        let is_pattern = |it: &&(usize, SmolStr)| it.1.contains(['*', '#']);
        let names: Vec<(usize, SmolStr)> =
            facts.iter().enumerate().map(|(index, fact)| (index, fact.name.clone())).collect();
        Names {
            whole: names.iter().filter(|it| !is_pattern(it)).map(|(at, name)| (name.clone(), *at)).collect(),
            patterns: names.iter().filter(is_pattern).cloned().collect(),
        }
    }

    /// Returns the position of the first matching name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let whole = self.whole.get(name).copied();
        let fits = |(_, pattern): &&(usize, SmolStr)| {
            // Most patterns begin with another letter.
            let first = pattern.as_bytes().first();
            (matches!(first, Some(b'*' | b'#')) || first == name.as_bytes().first())
                && match_name(pattern, name).is_some()
        };
        let pattern = self.patterns.iter().find(fits).map(|(at, _)| *at);
        whole.into_iter().chain(pattern).min()
    }
}

/// Matches `name` against the name of a legacy fact. Returns the part matched by `*` (anything) or `#`
/// (digits), or an empty string if the names are equal.
pub(super) fn match_name<'a>(pattern: &str, name: &'a str) -> Option<&'a str> {
    let Some(wildcard) = pattern.find(['*', '#']) else {
        return (pattern == name).then_some("");
    };
    let middle = name.strip_prefix(&pattern[..wildcard])?.strip_suffix(&pattern[wildcard + 1..])?;
    // Custom facts have names such as `network_zone`; interfaces have numbers, or begin with a capital on Windows.
    let is_interface = middle == "lo"
        || middle.bytes().any(|it| it.is_ascii_digit())
        || middle.starts_with(|it: char| it.is_ascii_uppercase());
    if pattern == "network_*" && !is_interface {
        return None;
    }
    let is_digits = middle.bytes().all(|it| it.is_ascii_digit());
    (!middle.is_empty() && (is_digits || pattern.as_bytes()[wildcard] == b'*')).then_some(middle)
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
