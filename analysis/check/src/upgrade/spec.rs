//! Tests of modules: legacy facts that they set and read, and methods that newer versions of Ruby removed.

use plugins::built_in;
use plugins::removed_api::{Removal, RemovedApi, ruby_uses};
use plugins::test_facts::{FactEntry, FactHash, FactRead, nested_hash, structured_edits, test_facts};
use project::{Db, Environment, File};
use smol_str::SmolStr;
use syntax::TextRange;

use super::puppet_code::{FactInCode, facts_in_code};
use crate::rules::legacy_fact;

use crate::rules::legacy_fact::is_legacy_fact;
use crate::{Diagnostic, FixData};

/// Returns the findings in a Ruby file of tests, by position. Tests are only checked to prepare an upgrade.
pub(crate) fn test_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    if file.is_large(db) || !environment.prepares_upgrade(db) {
        return Vec::new();
    }
    let Some(text) = project::text(db, file) else { return Vec::new() };
    let facts = test_facts(&text);
    let test = Test { db, environment, text: &text };
    let mut found: Vec<Diagnostic> = facts.hashes.iter().flat_map(|it| test.hash(it)).collect();
    found.extend(facts.reads.iter().filter_map(|it| test.read(it)));
    found.extend(facts_in_code(&text).filter_map(|it| test.read_in_code(&it)));
    let stubs = facts.stubs.iter().map(|range| RemovedApi {
        name: "File.exists?".into(),
        range: *range,
        removal: Removal::Ruby3,
        advice: "use `exist?`",
        replacement: Some((*range, test.source(*range).replace("exists?", "exist?").into())),
    });
    let removed = ruby_uses(&text).removed.into_iter().chain(stubs);
    found.extend(removed.map(|it| crate::ruby_rules::diagnostic(environment.puppet_version(db), &it)));
    found.sort_by_key(|it| (it.range.start, it.range.end));
    found.dedup_by_key(|it| (it.range, it.code));
    found
}

/// Text of a test in an environment.
struct Test<'a> {
    db: &'a dyn Db,
    environment: Environment,
    text: &'a str,
}

impl Test<'_> {
    fn source(&self, range: TextRange) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    fn is_legacy(&self, name: &str) -> bool {
        is_legacy_fact(self.db, self.environment, name)
    }

    /// Reports the legacy facts of a hash, and of the hashes in it that are not values of structured facts.
    fn hash(&self, hash: &FactHash) -> Vec<Diagnostic> {
        let mut found = self.entries(&hash.entries, hash.is_whole);
        for entry in &hash.entries {
            let Some(nested) = entry.nested.as_deref().filter(|_| built_in::fact(&entry.name).is_none())
            else {
                continue;
            };
            // Hashes of facts by platform. Custom facts may have keys with common names.
            let is_facts =
                |it: &FactEntry| self.is_legacy(&it.name) && !legacy_fact::is_common_word(&it.name);
            if nested.iter().any(is_facts) {
                found.extend(self.entries(nested, hash.is_whole));
            }
        }
        found
    }

    fn entries(&self, entries: &[FactEntry], is_whole: bool) -> Vec<Diagnostic> {
        let version = self.environment.puppet_version(self.db);
        let legacy = entries.iter().filter(|it| self.is_legacy(&it.name));
        let path_of = |name: &str| legacy_fact::path_of(name).filter(|_| self.is_legacy(name));
        let finding = |entry: &FactEntry| {
            let structured = legacy_fact::path_of(&entry.name);
            let advice = structured.as_ref().map(|it| nested_hash(it, self.source(entry.value)));
            let diagnostic = legacy_fact::diagnostic(version, &entry.name, entry.key, advice.as_deref());
            let root = structured.and_then(|it| it.into_iter().next()).filter(|_| is_whole);
            let edits = root.and_then(|root| structured_edits(self.text, entries, &root, &path_of));
            match edits {
                Some(edits) => diagnostic.with_data(FixData::Edits { edits, is_safe: false }),
                None => diagnostic,
            }
        };
        legacy.map(finding).collect()
    }

    fn read(&self, read: &FactRead) -> Option<Diagnostic> {
        if !self.is_legacy(&read.name) {
            return None;
        }
        let version = self.environment.puppet_version(self.db);
        let path = legacy_fact::path_of(&read.name);
        let keys = path.map(|it| {
            let nested: String = it[1..].iter().map(|key| format!("['{key}']")).collect();
            format!("[:{}]{nested}", it[0])
        });
        let diagnostic = legacy_fact::diagnostic(version, &read.name, read.name_range, keys.as_deref());
        let edit = read.index.zip(keys).map(|(range, text)| (range, SmolStr::from(text)));
        Some(match edit {
            Some(edit) => diagnostic.with_data(FixData::Edits { edits: vec![edit], is_safe: false }),
            None => diagnostic,
        })
    }

    /// Reports a legacy fact in Puppet code. `$::x` has no fix: its quotes might end the string around it.
    fn read_in_code(&self, read: &FactInCode<'_>) -> Option<Diagnostic> {
        if !self.is_legacy(read.name) {
            return None;
        }
        let version = self.environment.puppet_version(self.db);
        let replacement = built_in::replacement_of_legacy_fact(read.name);
        let diagnostic = legacy_fact::diagnostic(version, read.name, read.range, replacement.as_deref());
        let text = replacement.as_deref().and_then(|it| it.strip_prefix('$')).filter(|_| read.has_quotes);
        Some(match text {
            Some(text) => diagnostic
                .with_data(FixData::Edits { edits: vec![(read.range, text.into())], is_safe: false }),
            None => diagnostic,
        })
    }
}
