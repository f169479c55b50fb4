//! Keys that no automatic lookup reads, because no class parameter can have such a name.

use codes::Code;
use hiera::data::HieraData;
use project::{Db, Environment, File};

use super::parameters;
use crate::{Diagnostic, FixData};

pub(super) fn check(db: &dyn Db, file: File, data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(environment) = file.environments(db).first().copied() else { return };
    let Some(text) = project::text(db, file) else { return };
    for entry in data.entries() {
        let Some(key) = entry.key.value.as_str() else { continue };
        let Some((reason, meant)) = mistake(key) else { continue };
        // The key is meant if it is looked up as it is written, or if nothing has the corrected name.
        let is_looked_up = parameters::is_mentioned(db, environment, key);
        let is_malformed = key.starts_with("::") || is_malformed_in_module(db, environment, key);
        if is_looked_up || !is_malformed && !parameters::is_parameter(db, environment, &meant) {
            continue;
        }
        let message = format!("key `{key}` is not looked up automatically: {reason}");
        let message = codes::with_help(message, format!("write `{meant}`"));
        let range = entry.key.range;
        let quote = quote_at(&text[range.as_range()]);
        let fix = FixData::ReplaceWith { range, text: format!("{quote}{meant}{quote}").into() };
        found.push(Diagnostic::new(Code::DataKey, range, message).with_data(fix));
    }
}

/// Returns true for a key such as `apache:::port` or `apache:port` that begins with the name of a module.
fn is_malformed_in_module(db: &dyn Db, environment: Environment, key: &str) -> bool {
    let Some((module, rest)) = key.split_once(':') else { return false };
    let is_separated =
        rest.starts_with(':') && rest[1..].split("::").all(|it| !it.contains(':') && !it.is_empty());
    !is_separated && !rest.is_empty() && environment.modules(db).contains_key(module)
}

/// Returns the quote that a key begins with, or nothing.
fn quote_at(source: &str) -> &str {
    ["'", "\""].into_iter().find(|it| source.starts_with(it)).unwrap_or_default()
}

/// Returns the reason why a key is not that of a class parameter, and the key that is probably meant.
fn mistake(key: &str) -> Option<(&'static str, String)> {
    let name = key.trim().trim_end_matches(':').trim_start_matches(':');
    let parts: Vec<&str> = name.split(':').map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_part = |part: &&str| {
        part.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    if parts.len() < 2 || !parts.iter().all(is_part) {
        return None;
    }
    let plain = parts.join("::");
    let meant = plain.replace('-', "_").to_ascii_lowercase();
    let reason = if meant == key {
        return None;
    } else if key.starts_with("::") {
        "it begins with `::`"
    } else if plain != key {
        "its parts are not separated by `::`"
    } else if key.contains('-') {
        "names of classes and parameters have no hyphens"
    } else {
        "names of classes and parameters are lowercase"
    };
    Some((reason, meant))
}
