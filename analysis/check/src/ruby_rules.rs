//! Findings in Ruby code: what newer versions removed, and reads of legacy facts.

use codes::{Code, DowngradeReason};
use plugins::removed_api::{Removal, RemovedApi, RubyUses, ruby_uses};
use project::{Db, File};
use validation::{PuppetVersion, VersionDifference};

use crate::rules::legacy_fact;
use crate::rules::legacy_fact::{is_legacy_fact, severity_since};
use crate::rules::removed_function::of_hiera_3;

use crate::{Diagnostic, FixData};

/// Returns the findings in a Ruby file, by position.
pub(crate) fn ruby_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    if file.is_large(db) {
        return Vec::new();
    }
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let Some(text) = project::text(db, file) else { return Vec::new() };
    let version = environment.puppet_version(db);
    let RubyUses { removed, scope_reads, fact_reads, calls } = ruby_uses(&text);
    let mut found: Vec<Diagnostic> = removed.iter().map(|it| diagnostic(version, it)).collect();
    found.extend(calls.iter().filter_map(|it| of_hiera_3(version, &it.name, it.range)));
    let facts = fact_reads.iter().filter(|it| is_legacy_fact(db, environment, &it.name));
    found.extend(facts.map(|it| legacy_fact::in_ruby_hash(version, &it.name, it.range)));
    for it in &scope_reads {
        let name = it.name.strip_prefix("::").unwrap_or(&it.name);
        let may_be_variable = name == it.name && legacy_fact::is_common_word(name);
        if is_legacy_fact(db, environment, name) && !may_be_variable {
            let expression = text.get(it.range.start as usize..it.range.end as usize).unwrap_or_default();
            found.push(legacy_fact::in_ruby(version, name, expression, it.range));
        }
    }
    found.sort_by_key(|it| (it.range.start, it.range.end));
    found
}

/// Creates the finding for a use of something that was removed.
pub(crate) fn diagnostic(version: PuppetVersion, it: &RemovedApi) -> Diagnostic {
    let (by, difference) = match it.removal {
        Removal::Ruby3 => ("Ruby 3, which Puppet 8 requires", VersionDifference::Ruby3),
        Removal::Pson => ("Puppet 8", VersionDifference::Pson),
        Removal::OpenFact6 => ("OpenFact 6, which OpenVox 9 requires", VersionDifference::OpenFact6),
    };
    let message = codes::with_help(format!("`{}` was removed in {by}", it.name), it.advice);
    let diagnostic = Diagnostic::new(Code::RemovedRubyApi, it.range, message)
        .downgraded(DowngradeReason::Version, severity_since(version, difference));
    match it.replacement.clone() {
        // JSON rejects strings that PSON converts to UTF-8.
        Some(edit) => {
            let is_safe = it.removal != Removal::Pson;
            diagnostic.with_data(FixData::Edits { edits: vec![edit], is_safe })
        }
        None => diagnostic,
    }
}
