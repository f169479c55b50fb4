//! Findings in `metadata.json` that the Forge and metadata-json-lint report, and Puppet does not.

use codes::{Code, DowngradeReason};
use hiera::data::{Content, DataNode};
use plugins::built_in::metadata as known_metadata;
use scalars::semver::{Version, VersionRange};
use syntax::{Severity, TextRange};
use types::Value;

use super::similar::is_similar;
use crate::{Diagnostic, FixData};

/// Maximum length of the summary on the Forge, in characters.
const MAX_SUMMARY_LENGTH: usize = 144;

/// Keys that were written by old versions of the module tool.
const OBSOLETE_KEYS: [&str; 3] = ["types", "checksum", "checksums"];

/// Products whose versions a module can require.
const PRODUCTS: [&str; 3] = ["puppet", "openvox", "pe"];

/// Other names of operating systems, with those of the fact `os.name`.
const OTHER_SYSTEM_NAMES: [(&str, &str); 12] = [
    ("ArchLinux", "Archlinux"),
    ("Mac OS X", "Darwin"),
    ("MacOS", "Darwin"),
    ("Oracle", "OracleLinux"),
    ("Oracle Linux", "OracleLinux"),
    ("Red Hat", "RedHat"),
    ("Red Hat Enterprise Linux", "RedHat"),
    ("RHEL", "RedHat"),
    ("Rocky Linux", "Rocky"),
    ("RockyLinux", "Rocky"),
    ("Scientific Linux", "Scientific"),
    ("Ubuntu Linux", "Ubuntu"),
];

/// Releases without a number.
const ROLLING_RELEASES: [&str; 6] = ["rawhide", "rolling", "sid", "stream", "testing", "unstable"];

/// Number of releases after the newest known one that may exist by now.
const FUTURE_RELEASES: u32 = 3;

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
    tags(root, found);
    links(root, found);
    for key in OBSOLETE_KEYS {
        if let Some(entry) = root.entry(key) {
            let message = format!("`{key}` is obsolete; nothing reads it");
            found.push(Diagnostic::new(Code::MetadataObsolete, entry.key.range, message));
        }
    }
    for dependency in elements(root, "dependencies") {
        open_range(dependency, found);
        found.extend(uppercase_dependency(dependency));
        found.extend(version_range_key(dependency));
    }
    requirements(root, found);
    for system in elements(root, "operatingsystem_support") {
        operating_system(system, found);
    }
    duplicate_systems(root, found);
}

/// Returns the problem of a module's own name that the Forge rejects and Puppet accepts.
pub(super) fn unconventional_name(name: &str) -> Option<String> {
    let (author, module) = name.split_once(['-', '/'])?;
    if name.contains('/') {
        return Some(format!("the author and the module are separated by `-`: `{author}-{module}`"));
    }
    let is_lowercase = !module.bytes().any(|it| it.is_ascii_uppercase());
    (!is_lowercase).then(|| format!("module name `{module}` has uppercase letters"))
}

/// Returns true if a range has an operator before a version with a wildcard: `>= 1.x`.
pub(super) fn mixes_notations(range: &str) -> bool {
    let is_operator = |it: char| matches!(it, '<' | '>' | '=' | '^' | '~');
    let mut rest = range;
    while let Some(at) = rest.find(is_operator) {
        rest = rest[at..].trim_start_matches(is_operator).trim_start();
        let version = rest.split([' ', '|']).next().unwrap_or_default();
        let (major, others) = version.split_once('.').unwrap_or((version, ""));
        let is_number = !major.is_empty() && major.bytes().all(|it| it.is_ascii_digit());
        if is_number && others.split('.').any(|it| matches!(it, "x" | "X" | "*")) {
            return true;
        }
    }
    false
}

fn tags(root: &DataNode, found: &mut Vec<Diagnostic>) {
    let tags = root.entry("tags").into_iter().flat_map(|it| it.value.elements());
    for tag in tags.filter(|it| !matches!(it.value, Value::String(_))) {
        found.push(tolerated(Code::MetadataValue, tag.range, "a tag must be a string"));
    }
}

fn links(root: &DataNode, found: &mut Vec<Diagnostic>) {
    for key in ["project_page", "issues_url"] {
        let Some(link) = root.entry(key) else { continue };
        if link.value.value.as_str().is_some_and(|it| it.trim().contains(char::is_whitespace)) {
            let message = format!("`{key}` must be a URL");
            found.push(tolerated(Code::MetadataValue, link.value.range, message));
        }
    }
}

fn uppercase_dependency(dependency: &DataNode) -> Option<Diagnostic> {
    let name = &dependency.entry("name")?.value;
    let (_, module) = name.value.as_str()?.split_once(['-', '/'])?;
    let is_uppercase = module.bytes().any(|it| it.is_ascii_uppercase());
    let message = format!("module name `{module}` has uppercase letters");
    is_uppercase.then(|| Diagnostic::new(Code::MetadataName, name.range, message))
}

/// Reports the key that the Forge read before `version_requirement`.
fn version_range_key(dependency: &DataNode) -> Option<Diagnostic> {
    let key = &dependency.entry("version_range")?.key;
    let message =
        codes::with_help("`version_range` is obsolete; nothing reads it", "write `version_requirement`");
    let fix = FixData::ReplaceWith { range: key.range, text: "\"version_requirement\"".into() };
    Some(Diagnostic::new(Code::MetadataObsolete, key.range, message).with_data(fix))
}

/// Reports operating systems and releases that are listed twice.
fn duplicate_systems(root: &DataNode, found: &mut Vec<Diagnostic>) {
    let mut systems: Vec<(&str, TextRange)> = Vec::new();
    for system in elements(root, "operatingsystem_support") {
        let Some(name) = system.entry("operatingsystem") else { continue };
        let Some(text) = name.value.value.as_str() else { continue };
        let range = name.value.range;
        if let Some((_, first)) = systems.iter().find(|(other, _)| *other == text) {
            let diagnostic = Diagnostic::new(
                Code::MetadataDuplicate,
                range,
                format!("duplicate operating system `{text}`"),
            );
            found.push(diagnostic.with_related(*first, "first declared here"));
        }
        systems.push((text, range));
        let releases = system.entry("operatingsystemrelease").map_or(&[][..], |it| it.value.elements());
        for (index, release) in releases.iter().enumerate() {
            let Some(text) = release.value.as_str() else { continue };
            let Some(first) = releases[..index].iter().find(|it| it.value.as_str() == Some(text)) else {
                continue;
            };
            let message = format!("duplicate release `{text}`");
            let diagnostic = Diagnostic::new(Code::MetadataDuplicate, release.range, message);
            found.push(diagnostic.with_related(first.range, "first declared here"));
        }
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
    match root.entry("summary").filter(|it| !it.value.value.is_undef()) {
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
        if !PRODUCTS.contains(&text.as_str())
            && let Some(similar) = PRODUCTS.iter().find(|known| known.len() > 2 && is_similar(&text, known))
        {
            let problem = format!("unknown requirement `{text}`");
            let message = codes::with_help(problem, format!("did you mean `{similar}`?"));
            let fix = FixData::ReplaceWith { range, text: format!("\"{similar}\"").into() };
            found.push(tolerated(Code::MetadataValue, range, message).with_data(fix));
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
        // Names of systems that are not known here are not reported, unless they are another spelling.
        let other = OTHER_SYSTEM_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(text));
        let other = other.and_then(|(_, name)| systems.iter().find(|it| it.name == *name));
        let same = systems.iter().find(|it| it.name.eq_ignore_ascii_case(text)).or(other);
        let is_near = |it: &&known_metadata::OperatingSystem| {
            it.name.len() > 5 && text.len() > 4 && is_similar(text, &it.name.to_ascii_lowercase())
        };
        let similar = same.or_else(|| systems.iter().find(is_near));
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
    let name = system.entry("operatingsystem").and_then(|it| it.value.value.as_str());
    let releases = system.entry("operatingsystemrelease").into_iter().flat_map(|it| it.value.elements());
    for release in releases {
        if let Value::String(text) = &release.value {
            if name.is_some_and(|it| !may_exist(it, text)) {
                let message = format!("`{}` has no release `{text}`", name.unwrap_or_default());
                found.push(tolerated(Code::MetadataValue, release.range, message));
            }
            continue;
        }
        let message = codes::with_help("a release must be a string", "put it in quotes");
        let mut diagnostic = tolerated(Code::MetadataValue, release.range, message);
        if let Value::Integer(number) = release.value {
            let text = format!("\"{number}\"").into();
            diagnostic = diagnostic.with_data(FixData::ReplaceWith { range: release.range, text });
        }
        found.push(diagnostic);
    }
}

/// Returns false for a release that certainly does not exist: of a system whose releases are numbers, one
/// that is none, or that is far beyond the newest known one.
fn may_exist(system: &str, release: &str) -> bool {
    let systems = known_metadata::operating_systems();
    let Some(known) = systems.iter().find(|it| it.name == system) else { return true };
    match system {
        "Ubuntu" => return is_ubuntu_release(release),
        // Release 15 follows 42.
        "OpenSuSE" => return true,
        _ => {}
    }
    let numbers: Option<Vec<u32>> = known.releases.iter().map(|it| it.parse().ok()).collect();
    // Amazon and Windows count in years too.
    let newest = numbers.and_then(|it| it.into_iter().max()).filter(|it| *it < 100);
    let Some(newest) = newest else { return true };
    let major = release.split(['.', ' ', '-']).next().unwrap_or_default();
    // The release of Debian in preparation is `stretch/sid`.
    if ROLLING_RELEASES.contains(&major) || release.ends_with("/sid") {
        return true;
    }
    major.parse::<u32>().is_ok_and(|it| it <= newest + FUTURE_RELEASES)
}

/// Returns true for `YY.04`, `YY.10`, and the first release with a delay, `6.06`.
fn is_ubuntu_release(release: &str) -> bool {
    let release = release.strip_suffix(" LTS").unwrap_or(release);
    let mut parts = release.split('.');
    let (year, month) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    matches!(month, "04" | "10" | "06") && !year.is_empty() && year.bytes().all(|it| it.is_ascii_digit())
}

/// Message for an escape sequence that only Ruby accepts.
pub(crate) const INVALID_ESCAPE: &str = "invalid escape sequence; only Ruby accepts it";
