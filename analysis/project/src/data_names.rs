//! Names in Hiera data: keys, and names that values interpolate.

use hiera::{Content, DataEntry, DataFormat, DataNode, HieraData};
use hir::{Access, Name, NameUse, NameUseKind, VariableBinding, fold_name};
use syntax::TextRange;

/// Interpolation functions that take a key.
const LOOKUPS: &[&str] = &["lookup", "hiera", "alias"];

/// Returns the names in a data file, by position: its keys and those of `lookup_options`, the classes listed
/// under `classes`, strings elsewhere that look like a qualified class name, and the names that values
/// interpolate.
pub(crate) fn data_name_uses(format: DataFormat, text: &str) -> Vec<NameUse> {
    let data: HieraData = hiera::data::read(format, text);
    let mut uses = Vec::new();
    for entry in data.entries() {
        let Some(name) = key(text, entry, Access::Write, &mut uses) else { continue };
        match name.as_str() {
            "lookup_options" => {
                entry.value.entries().iter().for_each(|it| drop(key(text, it, Access::Read, &mut uses)));
            }
            "classes" => entry.value.elements().iter().for_each(|it| class(text, it, &mut uses)),
            _ => entry.value.walk(&mut |it| qualified_class(text, it, &mut uses)),
        }
    }
    uses.extend(interpolated_names(text));
    uses.sort_by_key(|it| (it.range.start, it.range.end));
    uses
}

/// Returns the names that a text interpolates: `%{facts.os.family}`, `%{a::b}`, `%{lookup('key')}`.
pub(crate) fn interpolated_names(text: &str) -> Vec<NameUse> {
    let mut uses = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("%{").map(|open| at + open + 2) {
        let Some(length) = text[start..].find(['}', '\n']) else { break };
        at = start + length;
        interpolation(&text[start..at], start, &mut uses);
    }
    uses
}

fn interpolation(inner: &str, start: usize, uses: &mut Vec<NameUse>) {
    let expression = inner.trim_start();
    let start = start + inner.len() - expression.len();
    let expression = expression.trim_end();
    if let Some((function, argument)) = expression.split_once('(') {
        let quote = argument.chars().next();
        if function.trim_end() == "scope"
            && let Some(quote @ ('\'' | '"')) = quote
            && let Some(end) = argument[1..].find(quote)
        {
            return scope_variable(&argument[1..1 + end], start + function.len() + 2, uses);
        }
        let is_lookup = LOOKUPS.contains(&function.trim_end());
        if let (true, Some(quote @ ('\'' | '"'))) = (is_lookup, quote)
            && let Some(end) = argument[1..].find(quote)
        {
            let key = &argument[1..1 + end];
            let at = start + function.len() + 2;
            // A dot starts the path into the value.
            let key = key.split('.').next().unwrap_or_default();
            add(uses, at, key, NameUseKind::HieraKey, Access::Read);
        }
        return;
    }
    scope_variable(expression, start, uses);
}

/// Records the variable that an interpolation reads: `facts.os.family`, `a::b`.
fn scope_variable(expression: &str, start: usize, uses: &mut Vec<NameUse>) {
    let name = expression.split('.').next().unwrap_or_default();
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':');
    if !is_name || name.is_empty() {
        return;
    }
    match expression.strip_prefix("::").unwrap_or(expression) {
        path if path.starts_with("facts.") => {
            let at = start + expression.len() - path.len() + "facts.".len();
            add(uses, at, &path["facts.".len()..], NameUseKind::Fact, Access::Read);
        }
        path if path.starts_with("trusted.") => {
            let at = start + expression.len() - path.len() + "trusted.".len();
            add(uses, at, &path["trusted.".len()..], NameUseKind::TrustedFact, Access::Read);
        }
        _ => variable(uses, start, name),
    }
}

fn variable(uses: &mut Vec<NameUse>, start: usize, text: &str) {
    let (scope, name) = text.rsplit_once("::").unwrap_or(("", text));
    let lead = if scope.starts_with("::") { 2 } else { 0 };
    let scope = fold_name(scope);
    if !scope.is_empty() {
        add(uses, start + lead, &scope, NameUseKind::Class, Access::Read);
    }
    let kind = NameUseKind::Variable(VariableBinding::Qualified { scope });
    add(uses, start + text.len() - name.len(), name, kind, Access::Read);
}

/// Records a literal key and returns it. Patterns of `lookup_options` are skipped.
fn key(text: &str, entry: &DataEntry, access: Access, uses: &mut Vec<NameUse>) -> Option<Name> {
    let (name, at) = plain(text, &entry.key)?;
    if name.starts_with('^') {
        return None;
    }
    add(uses, at, name, NameUseKind::HieraKey, access);
    Some(name.into())
}

/// Records a string that consists only of a qualified class name, as in lists of classes under other keys.
fn qualified_class(text: &str, node: &DataNode, uses: &mut Vec<NameUse>) {
    let is_name = node.value.as_str().is_some_and(|it| {
        let mut parts = it.strip_prefix("::").unwrap_or(it).split("::");
        let is_part = |part: &str| {
            part.starts_with(|it: char| it.is_ascii_lowercase())
                && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        };
        it.contains("::") && parts.all(is_part)
    });
    if is_name {
        class(text, node, uses);
    }
}

fn class(text: &str, node: &DataNode, uses: &mut Vec<NameUse>) {
    let Some((name, at)) = plain(text, node) else { return };
    let lead = if name.starts_with("::") { 2 } else { 0 };
    let folded = fold_name(name);
    let is_name = folded.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':');
    if is_name && !folded.is_empty() {
        let range = TextRange::new((at + lead) as u32, (at + name.len()) as u32);
        uses.push(NameUse {
            range,
            kind: NameUseKind::Class,
            name: folded,
            access: Access::Read,
            definition: 0,
        });
    }
}

/// Returns a scalar that is written without escapes, and its start, both without quotes.
fn plain<'t>(text: &'t str, node: &DataNode) -> Option<(&'t str, usize)> {
    let Content::Scalar { text: value, .. } = &node.content else { return None };
    let written = text.get(node.range.as_range())?;
    let inner = written.trim_matches(['\'', '"']);
    (inner == value).then(|| (inner, node.range.start as usize + written.find(inner).unwrap_or(0)))
}

fn add(uses: &mut Vec<NameUse>, at: usize, name: &str, kind: NameUseKind, access: Access) {
    if !name.is_empty() {
        let range = TextRange::new(at as u32, (at + name.len()) as u32);
        uses.push(NameUse { range, kind, name: name.into(), access, definition: 0 });
    }
}

#[cfg(test)]
#[path = "data_names_tests.rs"]
mod tests;
