//! `environment.conf`: what Puppet warns of when it reads it.

use crate::{Db, Environment, environment_tree};

/// The settings that may stand there.
const SETTINGS: [&str; 6] =
    ["config_version", "environment_timeout", "manifest", "modulepath", "rich_data", "static_catalogs"];

/// What Puppet warns of in the `environment.conf` of an environment, in order.
pub fn environment_conf_warnings(db: &dyn Db, environment: Environment) -> Vec<String> {
    let tree = environment_tree(db, environment);
    let file = tree.and_then(|tree| tree.files(db).get("environment.conf").copied());
    let Some(text) = file.and_then(|file| file.contents(db).text()) else { return Vec::new() };
    let mut warnings = Vec::new();
    let mut is_left_out = false;
    for line in text.lines().map(str::trim).filter(|it| !it.starts_with('#')) {
        if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            is_left_out = section != "main";
            if is_left_out {
                warnings.push(format!("environment.conf has no sections: '{section}' is left out"));
            }
            continue;
        }
        let Some((name, _)) = line.split_once('=').filter(|_| !is_left_out) else { continue };
        let name = name.trim();
        if name == "environment_data_provider" {
            warnings.push("environment.conf: 'environment_data_provider' is deprecated; write a hiera.yaml of version 5".to_owned());
        } else if !SETTINGS.contains(&name) {
            warnings.push(format!("environment.conf: there is no setting '{name}'"));
        }
    }
    warnings
}
