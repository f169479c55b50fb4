//! `check --forge-snapshot`: versions of modules that the Forge does not have, according to a file.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use codes::Code;
use hiera::data::{self, DataFormat};
use ide::Diagnostic;
use plugins::puppetfile::{self, PuppetfileModule, PuppetfileValueKind};
use scalars::semver::{Version, VersionRange};
use serde::Deserialize;

use crate::files;

/// Value of the key `format`, and its only version.
const FORMAT: &str = "puppet-analyzer-forge";
const VERSION: u32 = 1;

/// Releases of modules.
#[derive(Debug)]
pub struct ForgeSnapshot {
    /// Versions by the name of the module (`author-module`), oldest first.
    modules: BTreeMap<String, Vec<Version>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SnapshotFile {
    format: String,
    version: u32,
    modules: BTreeMap<String, Vec<String>>,
}

/// Versions that do not exist, and what is unknown.
#[derive(Default, Debug)]
pub struct ForgeFindings {
    pub diagnostics: Vec<Diagnostic>,
    /// Modules that the snapshot does not have.
    pub unknown: Vec<String>,
}

impl ForgeSnapshot {
    /// Reads a snapshot.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is malformed.
    pub fn read(path: &Path) -> anyhow::Result<ForgeSnapshot> {
        let text = files::read_named_text(path).map_err(|failure| anyhow::anyhow!("{failure}"))?;
        let shown = files::display_path(path);
        ForgeSnapshot::parse(&text)
            .with_context(|| format!("`{shown}` is not a usable snapshot of the Forge"))
    }

    /// Parses a snapshot.
    ///
    /// # Errors
    /// Fails if it is malformed.
    pub fn parse(text: &str) -> anyhow::Result<ForgeSnapshot> {
        let file: SnapshotFile = serde_json::from_str(text)?;
        ensure!(file.format == FORMAT, "its format is `{}`; expected `{FORMAT}`", file.format);
        ensure!(file.version == VERSION, "its version is {}; expected {VERSION}", file.version);
        let mut modules = BTreeMap::new();
        for (name, releases) in file.modules {
            let Some(slug) = slug(&name) else {
                bail!("`{name}` is not a name of a module (`author-module`)");
            };
            let parse = |text: &String| {
                Version::parse(text).map_err(|_| anyhow::anyhow!("`{text}` is not a version of `{name}`"))
            };
            let mut versions = releases.iter().map(parse).collect::<anyhow::Result<Vec<_>>>()?;
            versions.sort_by(Version::compare);
            ensure!(modules.insert(slug, versions).is_none(), "module `{name}` occurs more than once");
        }
        Ok(ForgeSnapshot { modules })
    }

    /// Returns the findings in a `Puppetfile` or `metadata.json`; none for other files.
    pub fn check(&self, path: &Path, text: &str) -> ForgeFindings {
        let mut found = ForgeFindings::default();
        match path.file_name().and_then(|it| it.to_str()) {
            Some("Puppetfile") => self.puppetfile(text, &mut found),
            Some("metadata.json") => self.metadata(text, &mut found),
            _ => {}
        }
        found
    }

    fn puppetfile(&self, text: &str, found: &mut ForgeFindings) {
        let file = puppetfile::read(text);
        for module in file.modules.iter().filter(|it| is_of_forge(it)) {
            let (Some(version), Some(slug)) = (&module.version, slug(&module.name)) else { continue };
            if version.kind != PuppetfileValueKind::String {
                continue;
            }
            let range = VersionRange::parse(&version.text).ok().filter(|_| file.is_for_librarian);
            let message = match (Version::parse(&version.text), range) {
                (Ok(exact), _) => self.problem(&slug, &version.text, &|it| it.compare(&exact).is_eq(), found),
                (Err(_), Some(range)) => self.problem(&slug, &version.text, &|it| range.includes(it), found),
                (Err(_), None) => None,
            };
            if let Some(message) = message {
                found.diagnostics.push(Diagnostic::new(Code::PuppetfileVersion, version.range, message));
            }
        }
    }

    fn metadata(&self, text: &str, found: &mut ForgeFindings) {
        let data = data::read(DataFormat::Json, text);
        let dependencies = data.entry("dependencies").map(|it| it.value.elements());
        for dependency in dependencies.into_iter().flatten() {
            let (Some(name), Some(requirement)) =
                (dependency.entry("name"), dependency.entry("version_requirement"))
            else {
                continue;
            };
            let (Some(name), Some(text)) = (name.value.value.as_str(), requirement.value.value.as_str())
            else {
                continue;
            };
            let (Some(slug), Ok(range)) = (slug(name), VersionRange::parse(text)) else { continue };
            if let Some(message) = self.problem(&slug, text, &|it| range.includes(it), found) {
                let range = requirement.value.range;
                found.diagnostics.push(Diagnostic::new(Code::MetadataVersion, range, message));
            }
        }
    }

    /// Returns the message for a version or range that no release of a module has.
    fn problem(
        &self,
        slug: &str,
        written: &str,
        accepts: &dyn Fn(&Version) -> bool,
        found: &mut ForgeFindings,
    ) -> Option<String> {
        let Some(versions) = self.modules.get(slug) else {
            found.unknown.push(slug.to_owned());
            return None;
        };
        if versions.iter().any(accepts) {
            return None;
        }
        let problem = match Version::parse(written) {
            Ok(_) => format!("module `{slug}` has no release `{written}`"),
            Err(_) => format!("no release of module `{slug}` satisfies `{written}`"),
        };
        let newest = versions.iter().rev().find(|it| it.is_stable()).or(versions.last());
        Some(match newest {
            Some(newest) => codes::with_help(problem, format!("the newest release is `{newest}`")),
            None => problem,
        })
    }
}

/// Returns true for a module that the Forge provides.
fn is_of_forge(module: &PuppetfileModule) -> bool {
    !module.has_unknown_options
        && !module.options.iter().any(|it| {
            matches!(
                it.name.as_str(),
                "git" | "svn" | "local" | "tarball" | "source" | "type" | "path" | "github_tarball"
            )
        })
}

/// Returns `author-module` for `Author/Module`; `None` for a name without an author.
fn slug(name: &str) -> Option<String> {
    let (author, module) = name.split_once(['/', '-'])?;
    let is_word = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    (is_word(author) && is_word(module)).then(|| format!("{author}-{module}").to_lowercase())
}
