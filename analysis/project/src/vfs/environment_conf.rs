//! Puppet's warnings about `environment.conf`.

use validation::VersionDifference;

use crate::{Db, Environment, environment_tree};

/// Settings that Puppet accepts in the file.
const SETTINGS: [&str; 6] =
    ["config_version", "environment_timeout", "manifest", "modulepath", "rich_data", "static_catalogs"];

/// Returns Puppet's warnings about the `environment.conf` of an environment, in source order.
pub fn environment_conf_warnings(db: &dyn Db, environment: Environment) -> Vec<String> {
    let tree = environment_tree(db, environment);
    let file = tree.and_then(|tree| tree.files(db).get("environment.conf").copied());
    let Some(text) = file.and_then(|file| file.contents(db).text()) else { return Vec::new() };
    let version = environment.puppet_version(db);
    let has_data_providers = !version.has(VersionDifference::EnvironmentDataProvider);
    let mut warnings = Vec::new();
    let mut is_ignored = false;
    for line in text.lines().map(str::trim).filter(|it| !it.starts_with('#')) {
        if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            is_ignored = section != "main";
            if is_ignored {
                warnings.push(format!("section `{section}` of environment.conf is ignored"));
            }
            continue;
        }
        let Some((name, _)) = line.split_once('=').filter(|_| !is_ignored) else { continue };
        let name = name.trim();
        if name == "environment_data_provider" && has_data_providers {
            warnings.push("setting `environment_data_provider` of environment.conf is deprecated; use a version 5 hiera.yaml".to_owned());
        } else if !SETTINGS.contains(&name) {
            warnings.push(format!("unknown setting `{name}` in environment.conf"));
        }
    }
    warnings
}
