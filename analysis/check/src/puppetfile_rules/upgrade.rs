//! Modules of a `Puppetfile` whose releases exclude the version of Puppet to upgrade to.

use codes::Code;
use plugins::puppetfile::{Puppetfile, PuppetfileModule};
use project::{Db, Environment, File};
use scalars::semver::Version;
use validation::VersionDifference;

use super::deployment::{deployed, forge_version};
use crate::Diagnostic;
use crate::metadata_rules::bounds::excludes_puppet;
use plugins::modules;

/// Reports modules whose version in the file is known not to support the version of Puppet.
pub(super) fn check(db: &dyn Db, file: File, puppetfile: &Puppetfile, found: &mut Vec<Diagnostic>) {
    let Some(environment) = file.environments(db).first().copied() else { return };
    let version = environment.puppet_version(db);
    if !environment.prepares_upgrade(db) || !version.has(VersionDifference::StrictByDefault) {
        return;
    }
    for module in &puppetfile.modules {
        let range = module.version.as_ref().map_or(module.name_range, |it| it.range);
        let full_name = module.name.replace('/', "-").to_ascii_lowercase();
        let problem = match (forge_version(module), modules::first_for_puppet_8(&full_name)) {
            (Some(wanted), Some(first)) if wanted < first => modules::too_old(&full_name, &wanted, &first),
            (wanted, _) if deployed_excludes(db, environment, module, wanted.as_ref()) => {
                format!("this version of module `{}` excludes {}", module.name, version.product())
            }
            _ => continue,
        };
        found.push(Diagnostic::new(Code::MetadataVersionBound, range, problem));
    }
}

/// Returns true if the deployed version of a module is the wanted one and excludes the version of Puppet.
fn deployed_excludes(
    db: &dyn Db,
    environment: Environment,
    module: &PuppetfileModule,
    wanted: Option<&Version>,
) -> bool {
    let Some(metadata) = deployed(db, environment, &project::installed_name(module)) else { return false };
    let version = metadata.version().and_then(|it| Version::parse(&it.text).ok());
    let is_wanted = wanted.is_none_or(|it| version.as_ref() == Some(it));
    is_wanted
        && metadata.data.root.as_ref().is_some_and(|it| excludes_puppet(it, environment.puppet_version(db)))
}
