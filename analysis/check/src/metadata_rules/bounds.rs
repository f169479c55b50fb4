//! Version ranges in `metadata.json` that exclude the configured version of Puppet.

use codes::Code;
use hiera::data::DataNode;
use project::{Db, File};
use scalars::semver::{Version, VersionRange};
use validation::{PuppetVersion, VersionDifference};

use super::quality::elements;
use crate::{Diagnostic, FixData};
use plugins::modules;

/// Returns the findings in the root object. Dependencies are only checked to prepare an upgrade.
pub(super) fn check(db: &dyn Db, file: File, root: &DataNode, found: &mut Vec<Diagnostic>) {
    let Some(environment) = file.environments(db).first() else { return };
    let (version, prepares_upgrade) = (environment.puppet_version(db), environment.prepares_upgrade(db));
    for (name, requirement) in meant_requirements(root, version) {
        let problem = format!("range of `{name}` excludes {}", version.product());
        found.extend(excluded(requirement, &major(u64::from(version.major())), problem));
    }
    if !prepares_upgrade || !version.has(VersionDifference::StrictByDefault) {
        return;
    }
    for dependency in elements(root, "dependencies") {
        let Some(name) = name_of(dependency).map(|it| it.replace('/', "-")) else { continue };
        let Some(first) = modules::first_for_puppet_8(&name) else { continue };
        let short = name.split_once('-').map_or(name.as_str(), |(_, it)| it);
        let shown = if first == major(first.major) { first.major.to_string() } else { first.to_string() };
        let problem = format!("range excludes {short} {shown}, the first version that supports Puppet 8");
        found.extend(excluded(dependency, &first, problem));
    }
}

/// Returns true if the metadata excludes a version of Puppet and all later ones.
pub(crate) fn excludes_puppet(root: &DataNode, version: PuppetVersion) -> bool {
    let mut meant = meant_requirements(root, version).peekable();
    let is_excluded = |it: (String, &DataNode)| {
        let range = it.1.entry("version_requirement").and_then(|it| it.value.value.as_str());
        range.is_some_and(|it| excludes_later(it, &major(u64::from(version.major()))))
    };
    meant.peek().is_some() && meant.all(is_excluded)
}

/// Returns the requirements that concern a version of Puppet, with their names.
fn meant_requirements(root: &DataNode, version: PuppetVersion) -> impl Iterator<Item = (String, &DataNode)> {
    let has_openvox = elements(root, "requirements").filter_map(name_of).any(|it| it == "openvox");
    let named = elements(root, "requirements").filter_map(|it| Some((name_of(it)?, it)));
    named.filter(move |(name, _)| match name.as_str() {
        // There is no Puppet 9: a module for OpenVox states its own range.
        "puppet" => version != PuppetVersion::V9 || !has_openvox,
        "openvox" => version >= PuppetVersion::V8,
        _ => false,
    })
}

fn name_of(element: &DataNode) -> Option<String> {
    element.entry("name").and_then(|it| it.value.value.as_str().map(str::to_ascii_lowercase))
}

fn major(major: u64) -> Version {
    version(major, 0)
}

fn version(major: u64, minor: u64) -> Version {
    Version { major, minor, patch: 0, prerelease: None, build: None }
}

/// Returns true if the upper limit of a range excludes all versions from `first` on.
fn excludes_later(text: &str, first: &Version) -> bool {
    let Ok(range) = VersionRange::parse(text) else { return false };
    let (major, minor) = (first.major, first.minor);
    let later = [
        (major, minor + 1),
        (major, 99_999),
        (major + 1, 0),
        (major + 1, 99_999),
        (major + 2, 0),
        (1_000_000, 0),
    ];
    let includes_later = range.includes(first)
        || later.into_iter().any(|(major, minor)| range.includes(&version(major, minor)));
    let earlier_majors = (0..major).flat_map(|it| [(it, 0), (it, 99_999)]);
    let earlier = earlier_majors.chain((0..minor).map(|it| (major, it)));
    !includes_later && earlier.into_iter().any(|(major, minor)| range.includes(&version(major, minor)))
}

/// Reports a range whose upper limit excludes all versions from `first` on.
fn excluded(element: &DataNode, first: &Version, problem: String) -> Option<Diagnostic> {
    let requirement = &element.entry("version_requirement")?.value;
    let text = requirement.value.as_str()?;
    if !excludes_later(text, first) {
        return None;
    }
    let limit = format!("< {}.0.0", first.major + 1);
    let message =
        codes::with_help(problem, format!("test the module, and raise the upper limit to `{limit}`"));
    let mut diagnostic = Diagnostic::new(Code::MetadataVersionBound, requirement.range, message);
    if let Some(raised) = with_limit(text, &limit) {
        let text = format!("\"{raised}\"").into();
        diagnostic.data = Some(FixData::ReplaceWith { range: requirement.range, text });
    }
    Some(diagnostic)
}

/// Replaces the upper limit of a range with one lower and one upper limit, or adds it to a lower one.
fn with_limit(range: &str, limit: &str) -> Option<String> {
    let (lower, upper) = range.split_once('<')?;
    let is_plain =
        |text: &str| text.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'.' | b'=' | b' '));
    let is_lower =
        lower.trim_start().starts_with('>') && is_plain(lower.trim_start().trim_start_matches('>'));
    (is_lower && is_plain(upper)).then(|| format!("{} {limit}", lower.trim_end()))
}
