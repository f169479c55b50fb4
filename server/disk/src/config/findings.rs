//! Problems in settings, and their locations.

use std::ops::Range;

use scalars::similar::similar;
use serde_json::Value;
use toml::de::{DeArray, DeTable, DeValue};

use super::{FILES_ONLY, KEYS, SECTIONS, USERS_ONLY};

/// One problem in settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsFinding {
    /// Byte range in the settings file; `None` for settings of a client.
    pub range: Option<Range<usize>>,
    pub message: String,
    pub kind: SettingsFindingKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsFindingKind {
    /// Invalid settings; the last valid state remains in effect.
    Invalid,
    /// Unknown setting; the others are in effect.
    UnknownKey,
    /// Unknown rule; the other settings are in effect.
    UnknownRule,
    /// Setting of a repository that only the user may set; the others are in effect.
    UsersOnly,
}

impl SettingsFinding {
    pub(super) fn error(message: String, range: Option<Range<usize>>) -> SettingsFinding {
        SettingsFinding { range, message, kind: SettingsFindingKind::Invalid }
    }

    fn unknown_key(key: &str, range: Option<Range<usize>>, known: &[&str]) -> SettingsFinding {
        let help = help(key, known.iter());
        let message = format!("unknown setting `{key}`{help}");
        SettingsFinding { range, message, kind: SettingsFindingKind::UnknownKey }
    }

    pub fn is_error(&self) -> bool {
        self.kind == SettingsFindingKind::Invalid
    }
}

/// Returns a help line with the most similar known name, if there is one.
fn help<'k>(name: &str, known: impl Iterator<Item = impl AsRef<str> + 'k>) -> String {
    similar(name, known).first().map(|it| format!("\nhelp: did you mean `{it}`?")).unwrap_or_default()
}

/// Returns the settings of a repository that only the user may set.
pub(super) fn users_only_keys(text: &str) -> impl Iterator<Item = SettingsFinding> {
    let keys = USERS_ONLY.iter().filter_map(|key| Some((key, value_range(text, key)?)));
    let findings: Vec<SettingsFinding> = keys
        .map(|(key, range)| SettingsFinding {
            range: Some(range),
            message: format!(
                "ignoring `{key}` in the settings of a repository\nhelp: move it to the user settings"
            ),
            kind: SettingsFindingKind::UsersOnly,
        })
        .collect();
    findings.into_iter()
}

/// Returns the unknown keys and rules of a settings file.
pub(super) fn unknown_keys(text: &str) -> Vec<SettingsFinding> {
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let mut findings = Vec::new();
    for (key, value) in table.get_ref().iter() {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) && !FILES_ONLY.contains(&name) {
            findings.push(SettingsFinding::unknown_key(name, Some(key.span()), KEYS));
        }
        if let ("lint", DeValue::Table(inner)) = (name, value.get_ref()) {
            let keys = inner.iter().map(|(key, _)| (key.get_ref().as_ref(), Some(key.span())));
            findings.extend(unknown_rules(keys));
        }
        if let ("select" | "ignore", DeValue::Array(names)) = (name, value.get_ref()) {
            findings.extend(unknown_rules(rule_names(names)));
        }
        if let ("per-file", DeValue::Table(inner)) = (name, value.get_ref()) {
            for names in inner.iter().filter_map(|(_, value)| value.get_ref().as_array()) {
                findings.extend(unknown_rules(rule_names(names)));
            }
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

/// Returns the strings of an array, with their ranges.
fn rule_names<'a>(names: &'a DeArray<'_>) -> impl Iterator<Item = (&'a str, Option<Range<usize>>)> {
    names.iter().filter_map(|name| Some((name.get_ref().as_str()?, Some(name.span()))))
}

/// Returns a problem for each name that is neither a rule nor a rule group.
fn unknown_rules<'k>(
    names: impl Iterator<Item = (&'k str, Option<Range<usize>>)>,
) -> impl Iterator<Item = SettingsFinding> {
    names.filter(|(name, _)| ide::rules_named(name).is_empty()).map(|(name, range)| {
        let help = help(name, ide::rule_table().iter().map(|rule| rule.code.as_str()));
        let message = format!("unknown rule `{name}`{help}");
        SettingsFinding { range, message, kind: SettingsFindingKind::UnknownRule }
    })
}

/// Returns the keys of a setting that is a table.
fn keys_of_section(name: &str) -> Option<&'static [&'static str]> {
    SECTIONS.iter().find(|(section, _)| *section == name).map(|(_, keys)| *keys)
}

/// Returns the range of the value of a key in a settings file.
pub(super) fn value_range(text: &str, key: &str) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let found = table.get_ref().iter().find(|(it, _)| it.get_ref().as_ref() == key)?;
    Some(found.1.span())
}

/// Returns the unknown keys (in `kebab-case`) of a client's settings that look like a misspelled setting.
/// Other unknown keys belong to the client.
pub(super) fn misspelled_keys<'a>(keys: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<SettingsFinding> {
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
