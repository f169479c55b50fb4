//! Options of keys (`lookup_options`): reports what Puppet rejects or ignores, and options of keys that do
//! not exist.

use codes::{Code, DowngradeReason};
use hiera::config::Layer;
use hiera::data::{DataEntry, HieraData};
use hiera::lookup_options::{self, LOOKUP_OPTIONS};
use project::{Db, Environment, File};
use syntax::Severity;
use types::NoTypes;

use super::parameters;

use crate::metadata_rules::similar::is_similar;
use crate::{Diagnostic, FixData};

pub(super) fn check(db: &dyn Db, file: File, data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(entry) = data.entry(LOOKUP_OPTIONS) else {
        found.extend(misspelled(data));
        return;
    };
    let Some(layer) = project::hiera_layer(db, file) else { return };
    let code = Code::DataLookupOptions;
    for finding in lookup_options::check(&entry.value, &layer, &NoTypes) {
        let diagnostic = Diagnostic::new(code, finding.range, finding.message);
        found.push(if finding.is_error {
            diagnostic
        } else {
            diagnostic.downgraded(DowngradeReason::Tolerated, Severity::Warning)
        });
    }
    found.extend(entry.value.entries().iter().filter_map(|it| unknown_type(db, file, it)));
    found.extend(entry.value.entries().iter().filter_map(not_a_pattern));
    let Some(environment) = file.environments(db).first().copied() else { return };
    let is_unused = |entry: &&DataEntry| is_without_data(db, environment, &layer, entry);
    for unused in entry.value.entries().iter().filter(is_unused) {
        let key = unused.key.value.as_str().unwrap_or_default();
        let message =
            format!("options of `{key}` have no effect: no data and no class parameter has this key");
        found.push(
            Diagnostic::new(code, unused.key.range, message)
                .downgraded(DowngradeReason::Tolerated, Severity::Warning),
        );
    }
}

/// Reports a regular expression that does not begin with `^`, so that it is read as a key.
fn not_a_pattern(entry: &DataEntry) -> Option<Diagnostic> {
    let key = entry.key.value.as_str()?;
    let is_pattern =
        ["(", ".*", ".+", "[", "\\", "|"].iter().any(|it| key.contains(it)) || key.ends_with('$');
    if key.starts_with('^') || !is_pattern || key.contains("%{") {
        return None;
    }
    let problem = format!("`{key}` is read as a key, because it does not begin with `^`");
    let message = codes::with_help(problem, format!("write `^{key}`"));
    Some(
        Diagnostic::new(Code::DataLookupOptions, entry.key.range, message)
            .downgraded(DowngradeReason::Tolerated, Severity::Warning),
    )
}

/// Reports a conversion to a type that does not exist, for which the lookup fails.
fn unknown_type(db: &dyn Db, file: File, entry: &DataEntry) -> Option<Diagnostic> {
    let conversion = &entry.value.entry("convert_to")?.value;
    let ty = conversion.elements().first().unwrap_or(conversion);
    let text = ty.value.as_str()?;
    // A module that is not installed may define a type with a namespace.
    if text.contains("::") || text.contains("%{") {
        return None;
    }
    let is_known = |text: &str| {
        let known = compile::with_world_of_file(db, file, |world| compile::known_type(text, world));
        !matches!(known, Some(Ok(None)))
    };
    if is_known(text) {
        return None;
    }
    let message = format!("unknown type `{text}` in `convert_to`");
    Some(Diagnostic::new(Code::DataLookupOptions, ty.range, message))
}

/// Reports a key that is probably meant as `lookup_options`.
fn misspelled(data: &HieraData) -> Option<Diagnostic> {
    let is_meant = |entry: &&DataEntry| {
        let key = entry.key.value.as_str().filter(|it| !it.contains(':'));
        let has_options =
            |it: &DataEntry| it.value.entry("merge").is_some() || it.value.entry("convert_to").is_some();
        key.is_some_and(|it| is_similar(it, LOOKUP_OPTIONS)) && entry.value.entries().iter().any(has_options)
    };
    let key = &data.entries().iter().find(is_meant)?.key;
    let problem = format!("unknown key `{}`, so its options have no effect", key.value.as_str()?);
    let message = codes::with_help(problem, format!("did you mean `{LOOKUP_OPTIONS}`?"));
    let fix = FixData::ReplaceWith { range: key.range, text: LOOKUP_OPTIONS.into() };
    Some(
        Diagnostic::new(Code::DataLookupOptions, key.range, message)
            .downgraded(DowngradeReason::Tolerated, Severity::Warning)
            .with_data(fix),
    )
}

/// Returns true if nothing has the key of an entry: no data, no class parameter, and no code.
fn is_without_data(db: &dyn Db, environment: Environment, layer: &Layer, entry: &DataEntry) -> bool {
    let Some(key) = entry.key.value.as_str() else { return false };
    let is_plain =
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'));
    // Keys without a module may be read by code outside of the repository.
    let Some((module, _)) = key.split_once("::").filter(|_| is_plain) else { return false };
    if let Layer::Module(own) = layer
        && own != module
    {
        return false;
    }
    !project::may_have_data(db, environment, key)
        && !parameters::is_parameter(db, environment, key)
        && !parameters::is_mentioned(db, environment, key)
}
