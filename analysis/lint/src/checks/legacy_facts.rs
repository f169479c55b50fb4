//! `legacy_facts`: a fact that Puppet 8 no longer sends.

use plugins::built_in;

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        let value = tokens.value(variable);
        let Some((name, last)) = fact_name(manifest, variable, value) else { continue };
        if !is_legacy_fact(name) {
            continue;
        }
        let start = tokens.get(variable).value_start;
        let end = tokens.get(last).end.min(if last == variable {
            tokens.get(variable).value_end
        } else {
            u32::MAX
        });
        let finding = report.at(variable, format!("legacy fact `{name}`"));
        let replacement = built_in::replacement_of_legacy_fact(name);
        let replacement = replacement.as_ref().and_then(|it| it.strip_prefix('$'));
        // Only a plain access can replace a variable in a string.
        if let Some(text) = replacement.filter(|it| it.ends_with(']')) {
            let bare = tokens.kind(variable) == TokenKind::UnenclosedVariable;
            let text = if bare { format!("{{{text}}}") } else { text.to_owned() };
            finding.fix([Edit::replace(start, end, text)]);
        }
    }
}

/// Returns the fact that a variable reads, and the last token of the access: `$facts['name']`,
/// `$::facts['name']`, `$::name`.
fn fact_name<'t>(manifest: &Manifest<'t>, variable: usize, value: &'t str) -> Option<(&'t str, usize)> {
    let tokens = &manifest.tokens;
    if let Some(key) = value.strip_prefix("::").unwrap_or(value).strip_prefix("facts[") {
        let key = key.strip_suffix(']')?;
        let bare = key.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).unwrap_or(key);
        return Some((bare, variable));
    }
    if value == "facts" {
        let bracket = tokens.next_code(variable).filter(|&it| tokens.kind(it) == TokenKind::LeftBracket)?;
        let is_key = |it: &usize| {
            matches!(tokens.kind(*it), TokenKind::DoubleQuoted | TokenKind::SingleQuoted | TokenKind::Name)
        };
        let key = tokens.next_code(bracket).filter(is_key)?;
        let close = (key..tokens.len()).find(|&it| tokens.kind(it) == TokenKind::RightBracket)?;
        return Some((tokens.value(key), close));
    }
    Some((value.strip_prefix("::")?, variable))
}

/// Legacy facts that puppet-lint does not report, as patterns of `built_in`.
const NOT_REPORTED: [&str; 4] = ["dhcp_servers", "macosx_productversion_patch", "scope6", "scope6_*"];

/// Prefixes of legacy facts of macOS and Solaris; puppet-lint reports any name with one of them.
const PREFIXES: [&str; 2] = ["sp_", "ldom_"];

/// Returns true if puppet-lint reports `name` as a legacy fact.
pub(crate) fn is_legacy_fact(name: &str) -> bool {
    let is_reported = |fact: &built_in::Fact| {
        fact.is_legacy && !NOT_REPORTED.contains(&fact.name.as_str()) && !fact.name.starts_with("windows_")
    };
    PREFIXES.iter().any(|it| name.starts_with(it)) || built_in::fact(name).is_some_and(is_reported)
}
