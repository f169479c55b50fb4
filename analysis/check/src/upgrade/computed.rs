//! Names of legacy facts that code composes: `getvar("::ipaddress_${interface}")`.

use plugins::built_in;
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::context::RuleContext;
use crate::rules::legacy_fact;
use crate::rules::unknown_fact::is_legacy_fact;

/// Text before a name that code in a string reads: `lookupvar('::ipaddress_${i}')`.
const LEADS: [&str; 6] = ["lookupvar('", "lookupvar(\\\"", "scope['", "facts['", "$::", "@"];

/// Reports legacy facts whose names end with an interpolation, to prepare an upgrade.
pub(crate) fn computed_facts(context: &mut RuleContext<'_>) {
    if !context.environment.prepares_upgrade(context.db) {
        return;
    }
    let strings = context.tree().descendants().filter(|it| it.kind() == SyntaxKind::INTERPOLATED_STRING);
    let found: Vec<(String, TextRange)> = strings.flat_map(|it| names_in(&it)).collect();
    for (name, range) in found {
        if is_legacy_fact(context.db, context.environment, &name) {
            let diagnostic = legacy_fact::in_test(context.version(), &name, range, '$');
            context.report(diagnostic);
        }
    }
}

/// Returns the patterns of facts (`ipaddress_*`) that a string composes, each with the range of its known part.
fn names_in(string: &SyntaxNode) -> Vec<(String, TextRange)> {
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
