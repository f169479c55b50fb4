//! `top_scope_facts`: `$::name` for a fact, where `$facts['name']` is meant.

use plugins::built_in;

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        let value = tokens.value(variable);
        let Some(name) = value.strip_prefix("::") else { continue };
        if name.contains("::") || is_allowed(manifest, name) {
            continue;
        }
        let token = *tokens.get(variable);
        let fact = name.find('[').map_or(name, |bracket| &name[..bracket]);
        let text = format!("facts['{fact}']{}", &name[fact.len()..]);
        let bare = token.kind == TokenKind::UnenclosedVariable;
        let text = if bare { format!("{{{text}}}") } else { text };
        report.at(variable, format!("top-scope fact; use `$facts['{fact}']`")).fix([Edit::replace(
            token.value_start,
            token.value_end,
            text,
        )]);
    }
}

/// Returns true if another check reports the name, or the user declared it as a top-scope variable.
fn is_allowed(manifest: &Manifest, name: &str) -> bool {
    let is_plain = |fact: &&built_in::Fact| {
        let is_access = fact.replacement.as_ref().is_some_and(|it| it.ends_with(']'));
        let is_family = ["sp_", "ssh", "ldom_"].iter().any(|it| fact.name.starts_with(it))
            || fact.name.contains(['*', '#']);
        fact.is_legacy && is_access && !is_family
    };
    let is_fact = built_in::facts().iter().filter(is_plain).any(|it| name.starts_with(it.name.as_str()));
    let named = manifest.options.top_scope_variables.iter().any(|it| name.starts_with(it.as_str()));
    is_fact || named || ["trusted", "facts"].iter().any(|it| name.starts_with(it))
}
