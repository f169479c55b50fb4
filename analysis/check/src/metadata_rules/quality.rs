//! Findings in `metadata.json` that the Forge and metadata-json-lint report, and Puppet does not.

use codes::{Code, DowngradeReason};
use hiera::data::{Content, DataNode};
use plugins::built_in::metadata as known_metadata;
use scalars::semver::{Version, VersionRange};
use syntax::{Severity, TextRange};
use types::Value;

use crate::{Diagnostic, FixData};

/// Maximum length of the summary on the Forge, in characters.
const MAX_SUMMARY_LENGTH: usize = 144;

/// Keys that were written by old versions of the module tool.
const OBSOLETE_KEYS: [&str; 2] = ["types", "checksums"];

/// Returns the invalid escape sequences in the strings of a JSON file. Ruby reads them as the character after
/// the backslash; other programs reject the file.
pub(crate) fn invalid_escapes(text: &str) -> Vec<TextRange> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut is_in_string) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => is_in_string = !is_in_string,
            b'\\' if is_in_string => {
                let is_valid = match bytes.get(at + 1) {
                    Some(b'u') => {
                        bytes.get(at + 2..at + 6).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit))
                    }
                    Some(next) => b"\"\\/bfnrt".contains(next),
                    None => true,
                };
                let length = text[at + 1..].chars().next().map_or(0, char::len_utf8);
                if !is_valid {
                    found.push(TextRange::new(at as u32, (at + 1 + length) as u32));
                }
                at += length;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Returns the findings in the root object.
pub(crate) fn check(root: &DataNode, found: &mut Vec<Diagnostic>) {
    license(root, found);
    summary(root, found);
    for key in OBSOLETE_KEYS {
        if let Some(entry) = root.entry(key) {
            let message = format!("`{key}` is obsolete; nothing reads it");
            found.push(Diagnostic::new(Code::MetadataObsolete, entry.key.range, message));
        }
    }
    for dependency in elements(root, "dependencies") {
        open_range(dependency, found);
    }
    requirements(root, found);
    for system in elements(root, "operatingsystem_support") {
        operating_system(system, found);
    }
}

/// Returns the objects in an array of the root object.
pub(super) fn elements<'a>(root: &'a DataNode, key: &str) -> impl Iterator<Item = &'a DataNode> {
    let list = root.entry(key).into_iter().flat_map(|it| it.value.elements());
    list.filter(|it| matches!(it.content, Content::Mapping(_)))
}

fn license(root: &DataNode, found: &mut Vec<Diagnostic>) {
    let Some(license) = root.entry("license") else { return };
    let Some(text) = license.value.value.as_str() else { return };
    // The list has deprecated identifiers too, which expressions do not accept.
    let is_known = spdx::license_id(text).is_some() || spdx::Expression::parse(text).is_ok();
    if text == "proprietary" || is_known {
        return;
    }
    let range = license.value.range;
    let problem = format!("`{text}` is not an SPDX license identifier");
    let known = known_metadata::licenses().iter().find(|it| is_same_license(text, it));
    let help = match known {
        Some(known) => format!("did you mean `{known}`?"),
        None => "use an identifier such as `Apache-2.0`, or `proprietary`".to_owned(),
    };
    let mut diagnostic = Diagnostic::new(Code::MetadataLicense, range, codes::with_help(problem, help));
    diagnostic.data = known.map(|known| FixData::ReplaceWith { range, text: format!("\"{known}\"").into() });
    found.push(diagnostic);
}

/// Returns true if a common way to write a license means the identifier: `Apache License, Version 2.0`.
fn is_same_license(text: &str, known: &str) -> bool {
    let text = text.to_ascii_lowercase().replace("version", "").replace("license", "");
    let text: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let known: String = known.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let variants = [known.clone(), known.replace('v', ""), format!("{known}0")];
    text == known || variants.contains(&text.replace('v', "")) && !known.starts_with("gpl")
}

fn summary(root: &DataNode, found: &mut Vec<Diagnostic>) {
    match root.entry("summary") {
        Some(summary) => {
            let length = summary.value.value.as_str().map_or(0, |it| it.chars().count());
            if length > MAX_SUMMARY_LENGTH {
                let message =
                    format!("`summary` has {length} characters; the Forge accepts {MAX_SUMMARY_LENGTH}");
                found.push(tolerated(Code::MetadataValue, summary.value.range, message));
            }
        }
        None if !root.entries().is_empty() => {
            let start = TextRange::new(root.range.start, root.range.start + 1);
            let message = codes::with_help("missing key `summary`", "add `\"summary\": \"...\"`");
            found.push(tolerated(Code::MetadataMissingKey, start, message));
        }
        None => {}
    }
}

fn tolerated(code: Code, range: TextRange, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, range, message).downgraded(DowngradeReason::Tolerated, Severity::Warning)
}

/// Reports a range without an upper limit.
fn open_range(dependency: &DataNode, found: &mut Vec<Diagnostic>) {
    let Some(name) = dependency.entry("name").and_then(|it| it.value.value.as_str().map(str::to_owned))
    else {
        return;
    };
    let requirement = dependency.entry("version_requirement");
    let range = match requirement {
        Some(requirement) => requirement.value.range,
        None => dependency.range,
    };
    let text = requirement.map_or(Some("*"), |it| it.value.value.as_str());
    let Some(Ok(parsed)) = text.map(VersionRange::parse) else { return };
    if parsed.includes(&future_version()) {
        let message = codes::with_help(
            format!("no upper limit for the version of `{name}`"),
            "exclude the next major version, such as `>= 9.0.0 < 10.0.0`",
        );
        found.push(Diagnostic::new(Code::MetadataOpenRange, range, message));
    }
}

/// Returns a version that only ranges without an upper limit include.
fn future_version() -> Version {
    Version { major: 1_000_000, minor: 0, patch: 0, prerelease: None, build: None }
}

fn requirements(root: &DataNode, found: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(String, TextRange)> = Vec::new();
    for requirement in elements(root, "requirements") {
        let Some(name) = requirement.entry("name") else { continue };
        let Some(text) = name.value.value.as_str().map(str::to_ascii_lowercase) else { continue };
        let range = name.value.range;
        if text == "pe" {
            let message = codes::with_help(
                "the requirement `pe` is obsolete; the Forge ignores it",
                "remove it, and require a version of `puppet`",
            );
            found.push(Diagnostic::new(Code::MetadataObsolete, range, message));
        }
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == text) {
            let message = format!("duplicate requirement `{text}`");
            let diagnostic = Diagnostic::new(Code::MetadataDuplicate, range, message);
            found.push(diagnostic.with_related(*first, "first declared here"));
        }
        seen.push((text, range));
    }
}

fn operating_system(system: &DataNode, found: &mut Vec<Diagnostic>) {
    if let Some(name) = system.entry("operatingsystem")
        && let Some(text) = name.value.value.as_str()
    {
        let systems = known_metadata::operating_systems();
        // The modules of Puppet itself spell it this way.
        let is_known = text == "Windows" || systems.iter().any(|it| it.name == text);
        // Names of systems that are not known here are not reported.
        let similar = systems.iter().find(|it| it.name.eq_ignore_ascii_case(text));
        if let Some(similar) = similar.filter(|_| !is_known) {
            let message = codes::with_help(
                format!("unknown operating system `{text}`"),
                format!("did you mean `{}`?", similar.name),
            );
            let range = name.value.range;
            let fix = FixData::ReplaceWith { range, text: format!("\"{}\"", similar.name).into() };
            found.push(tolerated(Code::MetadataValue, range, message).with_data(fix));
        }
    }
    let releases = system.entry("operatingsystemrelease").into_iter().flat_map(|it| it.value.elements());
    for release in releases.filter(|it| !matches!(it.value, Value::String(_))) {
        let message = codes::with_help("a release must be a string", "put it in quotes");
        let mut diagnostic = tolerated(Code::MetadataValue, release.range, message);
        if let Value::Integer(number) = release.value {
            let text = format!("\"{number}\"").into();
            diagnostic = diagnostic.with_data(FixData::ReplaceWith { range: release.range, text });
        }
        found.push(diagnostic);
    }
}
