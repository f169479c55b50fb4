//! A `Puppetfile` compared with the deployed modules and their dependencies.

use codes::{Code, DowngradeReason};
use hir::Name;
use plugins::puppetfile::{Puppetfile, PuppetfileModule, PuppetfileValueKind};
use project::{Db, Environment, File, ModuleMetadata};
use scalars::semver::{Version, VersionRange};
use syntax::Severity;

use crate::Diagnostic;
use crate::metadata_rules::released;

const INSTALL: &str = "run `r10k puppetfile install` to install the modules of the Puppetfile";

/// Reports modules that are missing among deployed ones, modules whose deployed version differs, and dependencies that the file does not meet.
pub(super) fn check(db: &dyn Db, file: File, puppetfile: &Puppetfile, found: &mut Vec<Diagnostic>) {
    let Some(environment) = file.environments(db).first().copied() else { return };
    // A file elsewhere, such as one in a test, says nothing about this environment.
    if project::puppetfile(db, environment) != Some(file) {
        return;
    }
    let is_deployed =
        |it: &PuppetfileModule| environment.modules(db).contains_key(&project::installed_name(it));
    // Modules are often not part of the repository.
    let are_deployed = puppetfile.modules.iter().any(is_deployed);
    for module in puppetfile.modules.iter().filter(|it| it.is_unconditional) {
        // Another folder may not be on the module path.
        let is_missing = are_deployed && !is_deployed(module) && module.option("install_path").is_none();
        if is_missing && !module.has_unknown_options {
            let message = codes::with_help(format!("module `{}` is not installed", module.name), INSTALL);
            found.push(Diagnostic::new(Code::PuppetfileOtherVersion, module.name_range, message));
        }
        let Some(metadata) = deployed(db, environment, &project::installed_name(module)) else { continue };
        other_version(module, metadata, found);
        dependencies(db, environment, puppetfile, module, metadata, found);
    }
}

pub(super) fn deployed<'db>(
    db: &'db dyn Db,
    environment: Environment,
    name: &Name,
) -> Option<&'db ModuleMetadata> {
    let tree = environment.modules(db).get(name)?;
    Some(project::module_metadata(db, project::metadata_file(db, *tree)?))
}

/// Returns the version of a Forge module in the file.
pub(super) fn forge_version(module: &PuppetfileModule) -> Option<Version> {
    let version = module.version.as_ref().filter(|it| it.kind == PuppetfileValueKind::String)?;
    Version::parse(&version.text).ok()
}

fn other_version(module: &PuppetfileModule, metadata: &ModuleMetadata, found: &mut Vec<Diagnostic>) {
    let (Some(wanted), Some(version)) = (forge_version(module), metadata.version()) else { return };
    let (Some(written), Ok(deployed)) = (&module.version, Version::parse(&version.text)) else { return };
    if deployed != wanted {
        let message = codes::with_help(
            format!("version {} of module `{}` is installed instead of {wanted}", version.text, module.name),
            INSTALL,
        );
        found.push(Diagnostic::new(Code::PuppetfileOtherVersion, written.range, message));
    }
}

fn dependencies(
    db: &dyn Db,
    environment: Environment,
    puppetfile: &Puppetfile,
    module: &PuppetfileModule,
    metadata: &ModuleMetadata,
    found: &mut Vec<Diagnostic>,
) {
    // The dependencies are those of the deployed version.
    if let (Some(wanted), Some(version)) = (forge_version(module), metadata.version())
        && Version::parse(&version.text) != Ok(wanted)
    {
        return;
    }
    for dependency in metadata.dependencies() {
        let name = dependency.module();
        let declared = puppetfile.modules.iter().find(|it| project::installed_name(it) == name);
        let Some(declared) = declared else {
            if environment.modules(db).get(&name).is_none() {
                let message =
                    format!("module `{}` requires module `{name}`, which is not installed", module.name);
                let finding = Diagnostic::new(Code::PuppetfileDependency, module.name_range, message);
                found.push(finding.downgraded(DowngradeReason::Uncertain, Severity::Hint));
            }
            continue;
        };
        let Some(requirement) = &dependency.version_requirement else { continue };
        let Ok(range) = VersionRange::parse(&requirement.text) else { continue };
        let installed = || {
            let version = deployed(db, environment, &name)?.version()?;
            Version::parse(&version.text).ok()
        };
        let Some(version) = forge_version(declared).or_else(installed) else { continue };
        if !range.includes(&released(&version)) {
            let message = format!(
                "module `{}` requires version `{}` of module `{name}`, but it has version {version}",
                module.name, requirement.text
            );
            let finding = Diagnostic::new(Code::PuppetfileDependency, module.name_range, message);
            found.push(finding.with_related(declared.name_range, "installed version"));
        }
    }
}
