//! Modules in `.fixtures.yml` whose versions do not support the version of Puppet to upgrade to.

use codes::Code;
use hiera::data::{DataFormat, DataNode};
use plugins::modules;
use project::{Db, File};
use scalars::semver::Version;
use validation::VersionDifference;

use crate::{Diagnostic, FixData};

/// Returns the findings in a `.fixtures.yml`, which is only checked to prepare an upgrade.
pub(crate) fn fixtures_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let is_upgrade = environment.prepares_upgrade(db)
        && environment.puppet_version(db).has(VersionDifference::StrictByDefault);
    let Some(text) = project::text(db, file).filter(|_| is_upgrade) else { return Vec::new() };
    let data = hiera::data::read(DataFormat::Yaml, &text);
    let Some(fixtures) = data.entry("fixtures") else { return Vec::new() };
    let lists = ["repositories", "forge_modules"].into_iter().filter_map(|it| fixtures.value.entry(it));
    let entries = lists.flat_map(|it| it.value.entries());
    let mut found: Vec<Diagnostic> = entries.filter_map(|it| old_module(&it.value)).collect();
    found.sort_by_key(|it| it.range.start);
    found
}

/// Reports an entry with an old version: `repo: puppetlabs/stdlib`, `ref: 4.25.0`.
fn old_module(entry: &DataNode) -> Option<Diagnostic> {
    let string = |key: &str| entry.entry(key).filter(|it| it.value.value.as_str().is_some());
    let repository = string("repo")?;
    let name = modules::name_of_repository(repository.value.value.as_str()?)?;
    let version = ["ref", "tag", "branch"].into_iter().find_map(string)?;
    let written = version.value.value.as_str()?;
    let number = written.strip_prefix('v').unwrap_or(written);
    let wanted = Version::parse(number).ok()?;
    let first = modules::first_for_puppet_8(&name).filter(|it| wanted < *it)?;
    let message = codes::with_help(
        modules::too_old(&name, &wanted, &first),
        "raise the version, and run the tests with it",
    );
    let range = version.value.range;
    let prefix = if number == written { "" } else { "v" };
    let text = format!("\"{prefix}{first}\"");
    let fix = FixData::ReplaceWith { range, text: text.into() };
    Some(Diagnostic::new(Code::MetadataVersionBound, range, message).with_data(fix))
}
