//! What is wrong with a text or object of settings, and where.

use std::ops::Range;

use scalars::similar::similar;
use serde_json::Value;
use toml::de::{DeTable, DeValue};

use super::{KEYS, SECTIONS, USERS_ONLY};

/// One thing that is wrong with settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsFinding {
    /// The bytes of the settings file, where it is one.
    pub range: Option<Range<usize>>,
    pub message: String,
    pub kind: SettingsFindingKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsFindingKind {
    /// The last valid state of these settings stays in force.
    Invalid,
    /// There is no such setting; the others are in force.
    UnknownKey,
    /// There is no such rule; the other settings are in force.
    UnknownRule,
    /// Only the user may say that, not a repository; the others are in force.
    UsersOnly,
}

impl SettingsFinding {
    pub(super) fn error(message: String, range: Option<Range<usize>>) -> SettingsFinding {
        SettingsFinding { range, message, kind: SettingsFindingKind::Invalid }
    }

    fn unknown_key(key: &str, range: Option<Range<usize>>, known: &[&str]) -> SettingsFinding {
        let advice = advice(key, known.iter());
        let message = format!("there is no setting `{key}`{advice}");
        SettingsFinding { range, message, kind: SettingsFindingKind::UnknownKey }
    }

    pub fn is_error(&self) -> bool {
        self.kind == SettingsFindingKind::Invalid
    }
}

/// What is said of the known name that an unknown one looks like most; nothing where there is none.
fn advice<'k>(name: &str, known: impl Iterator<Item = impl AsRef<str> + 'k>) -> String {
    similar(name, known).first().map(|it| format!("; did you mean `{it}`?")).unwrap_or_default()
}

/// The settings of a repository that only its user may make.
pub(super) fn users_only_keys(text: &str) -> impl Iterator<Item = SettingsFinding> {
    let keys = USERS_ONLY.iter().filter_map(|key| Some((key, value_range(text, key)?)));
    let findings: Vec<SettingsFinding> = keys
        .map(|(key, range)| SettingsFinding {
            range: Some(range),
            message: format!("`{key}` of a repository is ignored: only your own settings may say it"),
            kind: SettingsFindingKind::UsersOnly,
        })
        .collect();
    findings.into_iter()
}

/// The keys of a settings file that are no settings.
pub(super) fn unknown_keys(text: &str) -> Vec<SettingsFinding> {
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let mut findings = Vec::new();
    for (key, value) in table.get_ref().iter() {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) {
            findings.push(SettingsFinding::unknown_key(name, Some(key.span()), KEYS));
        }
        if let ("lint", DeValue::Table(inner)) = (name, value.get_ref()) {
            let keys = inner.iter().map(|(key, _)| (key.get_ref().as_ref(), Some(key.span())));
            findings.extend(unknown_rules(keys));
        }
        if let (Some(known), DeValue::Table(inner)) = (keys_of_section(name), value.get_ref()) {
            let unknown = inner.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref()));
            findings.extend(
                unknown.map(|(key, _)| SettingsFinding::unknown_key(key.get_ref(), Some(key.span()), known)),
            );
        }
    }
    findings.sort_by_key(|it| it.range.as_ref().map(|range| range.start));
    findings
}

/// The names under `[lint]` that are none of rules.
fn unknown_rules<'k>(
    names: impl Iterator<Item = (&'k str, Option<Range<usize>>)>,
) -> impl Iterator<Item = SettingsFinding> {
    names.filter(|(name, _)| ide::rule_by_any_name(name).is_none()).map(|(name, range)| {
        let advice = advice(name, ide::rule_table().iter().map(|rule| rule.code.as_str()));
        let message = format!("there is no rule `{name}`{advice}");
        SettingsFinding { range, message, kind: SettingsFindingKind::UnknownRule }
    })
}

/// The settings that a setting holds.
fn keys_of_section(name: &str) -> Option<&'static [&'static str]> {
    SECTIONS.iter().find(|(section, _)| *section == name).map(|(_, keys)| *keys)
}

/// Where the value of a key stands in a settings file.
pub(super) fn value_range(text: &str, key: &str) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let found = table.get_ref().iter().find(|(it, _)| it.get_ref().as_ref() == key)?;
    Some(found.1.span())
}

/// The keys (in `kebab-case`) of a client's settings that are none of ours, but look like one of them: what else a client
/// keeps there is its own.
pub(super) fn misspelt_keys<'a>(keys: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<SettingsFinding> {
    let mut findings = Vec::new();
    for (key, value) in keys {
        if !KEYS.contains(&key) && !similar(key, KEYS.iter()).is_empty() {
            findings.push(SettingsFinding::unknown_key(key, None, KEYS));
        }
        if let ("lint", Value::Object(inner)) = (key, value) {
            findings.extend(unknown_rules(inner.keys().map(|name| (name.as_str(), None))));
        }
        if let (Some(known), Value::Object(inner)) = (keys_of_section(key), value) {
            let names = inner.keys().filter(|it| !known.contains(&it.as_str()));
            findings.extend(names.map(|it| SettingsFinding::unknown_key(it, None, known)));
        }
    }
    findings
}
