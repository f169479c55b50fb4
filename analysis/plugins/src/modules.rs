//! Table of the first releases of modules that support Puppet 8.

use std::sync::LazyLock;

use scalars::semver::Version;

/// Rows of `data/modules.tsv`, by name.
static MODULES: LazyLock<Vec<(&str, Version)>> = LazyLock::new(|| {
    let rows = include_str!("../data/modules.tsv").lines().filter(|it| !it.starts_with('#'));
    rows.filter_map(|row| row.split_once('\t'))
        .filter_map(|(name, it)| Some((name, Version::parse(it).ok()?)))
        .collect()
});

/// Returns the first release of a module (`puppetlabs-stdlib`) whose metadata allows Puppet 8, as all later ones
/// do.
pub fn first_for_puppet_8(name: &str) -> Option<Version> {
    let at = MODULES.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(MODULES[at].1.clone())
}

/// Returns the name on the Forge of the module in a repository: `puppetlabs-stdlib` for
/// `https://github.com/puppetlabs/puppetlabs-stdlib.git` and for `puppetlabs/stdlib`.
pub fn name_of_repository(repository: &str) -> Option<String> {
    let path = repository.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let (owner, name) = match path.rsplit_once('/') {
        Some((rest, name)) => (rest.rsplit(['/', ':']).next()?, name),
        None => path.split_once('-')?,
    };
    let name = ["puppetlabs-", "puppet-"].into_iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    let owner = if owner == "voxpupuli" { "puppet" } else { owner };
    Some(format!("{owner}-{name}").to_ascii_lowercase())
}

/// Returns the message about a release before the first one that supports Puppet 8.
pub fn too_old(name: &str, version: &Version, first: &Version) -> String {
    let short = name.split_once('-').map_or(name, |(_, it)| it);
    format!("{short} {version} does not support Puppet 8; the first version that does is {first}")
}
