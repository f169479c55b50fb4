//! Names of legacy facts that strings of Puppet code compose: `getvar("::ipaddress_${interface}")`.

use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::built_in;

/// Text before a name that code in a string reads: `lookupvar('::ipaddress_${i}')`.
const LEADS: [&str; 6] = ["lookupvar('", "lookupvar(\\\"", "scope['", "facts['", "$::", "@"];

/// Returns the patterns of facts (`ipaddress_*`) that a string composes, each with the range of its known part.
pub fn names_in(string: &SyntaxNode) -> Vec<(String, TextRange)> {
    let elements: Vec<_> = string.children_with_tokens().collect();
    let mut found = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        let Some(token) = element.as_token().filter(|it| it.kind() == SyntaxKind::STRING_TEXT) else {
            continue;
        };
        let is_followed = elements.get(at + 1).is_some_and(|it| it.kind() == SyntaxKind::INTERPOLATION);
        let text = token.text();
        let length = text.bytes().rev().take_while(|it| it.is_ascii_alphanumeric() || *it == b'_').count();
        let (lead, prefix) = text.split_at(text.len() - length);
        let lead = lead.strip_suffix("::").unwrap_or(lead);
        let name = format!("{prefix}*");
        let is_pattern = prefix.ends_with('_') && built_in::fact(&name).is_some_and(|it| it.name == name);
        let is_read = || match lead {
            "" | "\"" => is_name(string),
            _ => LEADS.iter().any(|it| lead.ends_with(it)),
        };
        if is_followed && is_pattern && is_read() {
            let end = token.text_range().end;
            found.push((name, TextRange::new(end - length as u32, end)));
        }
    }
    found
}

/// Code before the names of variables and facts.
const READS: [&str; 6] = ["getvar(", "fact(", "$facts[", "$::facts[", "$facts.get(", "$facts.dig("];

/// Returns true if a string is the name of a variable or fact: in `getvar("…")`, `fact("…")`, and `$facts["…"]`.
fn is_name(string: &SyntaxNode) -> bool {
    let list = string.parent().filter(|it| it.kind() == SyntaxKind::ARGUMENT_LIST);
    let read = list.and_then(|it| it.parent());
    read.is_some_and(|it| READS.iter().any(|name| it.text().starts_with(name)))
}
