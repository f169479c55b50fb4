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
use crate::Diagnostic;

pub(super) fn check(db: &dyn Db, file: File, data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(entry) = data.entry(LOOKUP_OPTIONS) else { return };
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
