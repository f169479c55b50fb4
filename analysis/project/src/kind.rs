//! Kinds of files, by location and name.

use crate::vfs::FilePath;
use crate::{Db, File, FileRole};

/// Kind of a file. Manifests and templates are sources; the others determine what sources mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FileKind {
    /// `*.pp`, and documents without a file.
    Manifest,
    /// `*.epp`
    EppTemplate,
    /// `templates/**.erb`, and `templates/**.pp`
    ErbTemplate,
    /// Ruby code that Puppet or Facter loads by name: functions, types, providers, data types, facts.
    RubyPlugin,
    /// `spec/**.rb`: tests, which name the class or type under test, and their helpers.
    Spec,
    /// `hiera.yaml`
    HieraConfiguration,
    /// YAML and JSON files that may be Hiera data; the configuration determines which are.
    Data,
    /// `metadata.json`
    ModuleMetadata,
    /// `tasks/*.json`
    TaskMetadata,
    /// `facts.d/**`
    ExternalFact,
    /// `Puppetfile`
    Puppetfile,
    /// `.fixtures.yml`
    Fixtures,
    /// `.gitmodules`
    Submodules,
    /// `environment.conf`
    EnvironmentConfiguration,
    /// `bolt-project.yaml`
    BoltProject,
    /// `puppet-analyzer.toml`
    Settings,
    /// File that a module serves or runs (`files/**`, `tasks/*`, other files of `templates/**`; no manifests and
    /// EPP templates): only its existence is known, not its text.
    Asset,
}

impl FileKind {
    /// Returns the kind of a file by its absolute path, if its module is unknown; `None` for files that are
    /// irrelevant to Puppet code.
    pub fn of_path(path: &FilePath) -> Option<FileKind> {
        match path.extension() {
            Some("pp") => return Some(FileKind::Manifest),
            Some("epp") => return Some(FileKind::EppTemplate),
            None if path.is_opaque() => return Some(FileKind::Manifest),
            _ if path.is_opaque() => return None,
            _ => {}
        }
        FileKind::of_segments(path.as_str())
    }

    /// Returns the kind of a file by its path relative to the folder of its module or environment, with `/`.
    pub fn of_relative(relative: &str) -> Option<FileKind> {
        match extension(relative) {
            // A template with ERB tags, not Puppet's grammar: it is rendered onto a machine.
            Some("pp") if relative.starts_with("templates/") => return Some(FileKind::ErbTemplate),
            Some("pp") => return Some(FileKind::Manifest),
            Some("epp") => return Some(FileKind::EppTemplate),
            _ => {}
        }
        match relative.split_once('/') {
            Some(("templates", _)) if extension(relative) == Some("erb") => Some(FileKind::ErbTemplate),
            Some(("files" | "templates", _)) => Some(FileKind::Asset),
            Some(("facts.d", _)) => Some(FileKind::ExternalFact),
            Some(("spec", rest)) if extension(rest) == Some("rb") && !rest.starts_with("fixtures/") => {
                Some(FileKind::Spec)
            }
            Some(("spec" | "examples" | "locales" | "acceptance" | "node_modules" | "vendor", _)) => None,
            _ => FileKind::of_segments(relative),
        }
    }

    /// Returns true for a manifest or an EPP template.
    pub fn is_source(self) -> bool {
        matches!(self, FileKind::Manifest | FileKind::EppTemplate)
    }

    /// Returns true if the file determines the role of folders.
    pub(crate) fn determines_layout(self) -> bool {
        matches!(
            self,
            FileKind::EnvironmentConfiguration
                | FileKind::ModuleMetadata
                | FileKind::Puppetfile
                | FileKind::Fixtures
                | FileKind::BoltProject
                | FileKind::Submodules
        )
    }

    fn of_segments(path: &str) -> Option<FileKind> {
        let name = path.rsplit('/').next().unwrap_or_default();
        match name {
            "metadata.json" => return Some(FileKind::ModuleMetadata),
            "hiera.yaml" => return Some(FileKind::HieraConfiguration),
            "Puppetfile" => return Some(FileKind::Puppetfile),
            // Written by librarian-puppet.
            "Puppetfile.lock" => return Some(FileKind::Asset),
            ".fixtures.yml" | ".fixtures.yaml" => return Some(FileKind::Fixtures),
            ".gitmodules" => return Some(FileKind::Submodules),
            "environment.conf" => return Some(FileKind::EnvironmentConfiguration),
            "bolt-project.yaml" => return Some(FileKind::BoltProject),
            "puppet-analyzer.toml" => return Some(FileKind::Settings),
            _ => {}
        }
        let extension = extension(name);
        if extension == Some("rb") && is_plugin(path) {
            return Some(FileKind::RubyPlugin);
        }
        if extension == Some("rb") && path.contains("/spec/") {
            return (!path.contains("/spec/fixtures/")).then_some(FileKind::Spec);
        }
        let mut folders = path.rsplit('/').skip(1);
        let folder = folders.find_map(|folder| match folder {
            "templates" if extension == Some("erb") => Some(FileKind::ErbTemplate),
            "tasks" if extension == Some("json") => Some(FileKind::TaskMetadata),
            "facts.d" => Some(FileKind::ExternalFact),
            "data" | "hieradata" | "hiera" if is_data(extension) || extension == Some("conf") => {
                Some(FileKind::Data)
            }
            "templates" | "files" | "tasks" | "plans" if !is_data(extension) => Some(FileKind::Asset),
            _ => None,
        });
        folder.or_else(|| is_data(extension).then_some(FileKind::Data))
    }
}

/// Returns the kind of a file; [`FileKind::Asset`] for an open file that is irrelevant to Puppet code.
pub fn file_kind(db: &dyn Db, file: File) -> FileKind {
    let kind = match file.role(db) {
        FileRole::Module { relative, .. } => FileKind::of_relative(relative),
        FileRole::Loose | FileRole::MainManifest => FileKind::of_path(file.path(db)),
    };
    kind.unwrap_or(FileKind::Asset)
}

/// Returns true if Puppet or Facter loads Ruby files of this path, or other such files require them.
fn is_plugin(path: &str) -> bool {
    const FOLDERS: [&str; 9] = [
        "lib/puppet/functions/",
        "lib/puppet/parser/functions/",
        "lib/puppet/type/",
        "lib/puppet/provider/",
        "lib/puppet/datatypes/",
        "lib/puppet/type_alias/",
        "lib/facter/",
        "lib/puppet_x/",
        "lib/puppetx/",
    ];
    // Puppet's own metaparameters.
    if path == METAPARAMETERS {
        return true;
    }
    let mut rest = Some(path);
    while let Some(path) = rest {
        if path.starts_with("lib/") && FOLDERS.iter().any(|folder| path.starts_with(folder)) {
            return true;
        }
        rest = path.split_once('/').map(|(_, rest)| rest);
    }
    false
}

fn is_data(extension: Option<&str>) -> bool {
    matches!(extension, Some("yaml" | "yml" | "eyaml" | "json"))
}

fn extension(path: &str) -> Option<&str> {
    let (stem, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

#[cfg(test)]
#[path = "kind_tests.rs"]
mod tests;

/// File that defines Puppet's metaparameters.
pub(crate) const METAPARAMETERS: &str = "lib/puppet/type.rb";
