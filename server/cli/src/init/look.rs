//! Properties of a repository that its settings depend on.

use std::path::{Path, PathBuf};

use catalog_view::text::plural;
use disk::config::{PUPPET_LINT_FILES, puppet_lint_folder, read_puppet_lint};
use ide::PuppetLintConfiguration;

use crate::files::display_path;

/// Maximum size of a file that is read, in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// Folders of modules that are searched without a setting.
const KNOWN_FOLDERS: [&str; 6] = ["modules", "site-modules", "site", "dist", ".modules", "environments"];

/// Facts about a repository.
pub(super) struct RepositoryFacts {
    /// True if it is an environment, as opposed to a module.
    is_environment: bool,
    /// True if it is a module.
    pub(super) is_module: bool,
    /// Folders that contain modules, with the number of modules.
    module_folders: Vec<(String, usize)>,
    /// Folders with modules that are only found with a setting.
    pub(super) extra_module_folders: Vec<String>,
    /// Number of modules in the `Puppetfile`.
    puppetfile_modules: Option<usize>,
    /// Puppet version that the repository is written for, 7 or 8, with the file that says so.
    pub(super) puppet_version: Option<(u8, &'static str)>,
    pub(super) puppet_lint: PuppetLintConfiguration,
    /// Files that configure puppet-lint.
    pub(super) puppet_lint_files: Vec<&'static str>,
    /// Folders that should not be checked.
    pub(super) excluded: Vec<&'static str>,
    /// Files of CI systems.
    ci_files: Vec<(CiSystem, &'static str)>,
}

impl RepositoryFacts {
    pub(super) fn of(folder: &Path) -> RepositoryFacts {
        let exists = |path: &str| folder.join(path).exists();
        let read = |path: &str| disk::path_policy::read_regular_text(&folder.join(path), MAX_SIZE).ok();
        let on_path = read("environment.conf").map(|it| module_path(&it)).unwrap_or_default();
        let module_folders = module_folders(folder);
        let is_extra = |name: &&String| !KNOWN_FOLDERS.contains(&name.as_str()) && !on_path.contains(name);
        let extra = module_folders.iter().map(|(name, _)| name).filter(is_extra).cloned().collect();
        let root = puppet_lint_folder(folder);
        let is_module = exists("metadata.json");
        let is_environment =
            exists("environment.conf") || exists("Puppetfile") || exists("manifests/site.pp") && !is_module;
        let excluded = ["vendor/bundle", "spec/fixtures/modules", "pkg"];
        let ci_files = [
            (CiSystem::Github, ".github/workflows"),
            (CiSystem::Gitlab, ".gitlab-ci.yml"),
            (CiSystem::Jenkins, "Jenkinsfile"),
        ];
        RepositoryFacts {
            is_environment,
            is_module,
            extra_module_folders: if is_module { Vec::new() } else { extra },
            module_folders,
            puppetfile_modules: read("Puppetfile").map(|it| puppetfile_modules(&it)),
            puppet_version: version_of_metadata(read("metadata.json").as_deref())
                .or_else(|| version_of_gemfile(read("Gemfile").as_deref())),
            puppet_lint: read_puppet_lint(&root),
            puppet_lint_files: PUPPET_LINT_FILES.into_iter().filter(|it| root.join(it).is_file()).collect(),
            excluded: excluded.into_iter().filter(|it| exists(it)).collect(),
            ci_files: ci_files.into_iter().filter(|(_, path)| exists(path)).collect(),
        }
    }

    /// Describes what was found, one item per line.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match (self.is_environment, self.is_module) {
            (true, _) => lines.push("a control repository".to_owned()),
            (false, true) => lines.push("a module".to_owned()),
            (false, false) => lines.push("no environment.conf, Puppetfile or metadata.json".to_owned()),
        }
        for (folder, count) in &self.module_folders {
            lines.push(format!("{} in `{}`", plural(*count, "module", "modules"), output::visible(folder)));
        }
        if let Some(count) = self.puppetfile_modules {
            lines.push(format!(
                "{} in the Puppetfile; install them before a check (`r10k puppetfile install`)",
                plural(count, "module", "modules")
            ));
        }
        if self.puppet_lint.is_used {
            lines.push(format!("settings of puppet-lint in {}", self.puppet_lint_files.join(", ")));
        }
        lines
    }

    /// Suggests a job for a CI system that the repository uses and that no job was written for.
    pub(super) fn ci_hint(&self, written: &[CiSystem]) -> Option<String> {
        let (system, file) = self.ci_files.iter().find(|(system, _)| !written.contains(system))?;
        let name = match system {
            CiSystem::Github => "github",
            CiSystem::Gitlab => "gitlab",
            CiSystem::Jenkins => "jenkins",
        };
        Some(format!("`{file}` exists: `puppet-analyzer init --ci {name}` writes a job"))
    }

    pub(super) fn has_puppetfile(&self) -> bool {
        self.puppetfile_modules.is_some()
    }

    /// Returns true if there are files of a CI system.
    pub(super) fn uses(&self, system: CiSystem) -> bool {
        self.ci_files.iter().any(|(it, _)| *it == system)
    }
}

/// Returns the folders of the module path in an `environment.conf`, relative to the environment.
fn module_path(text: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("modulepath")?.split_once('='));
    let value = line.map(|(_, value)| value.trim()).unwrap_or_default();
    value.split(':').map(|it| it.trim().trim_start_matches("./").trim_end_matches('/').to_owned()).collect()
}

/// Returns the folders below the root whose subfolders are modules, with the number of modules.
fn module_folders(root: &Path) -> Vec<(String, usize)> {
    let subfolders = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let is_folder = |it: &std::fs::DirEntry| it.file_type().is_ok_and(|it| it.is_dir());
        entries.filter(is_folder).map(|it| it.path()).collect()
    };
    let is_module = |it: &&PathBuf| {
        it.join("manifests").is_dir() || it.join("metadata.json").is_file() && it.join("lib").is_dir()
    };
    let mut found: Vec<(String, usize)> = subfolders(root)
        .into_iter()
        .filter_map(|folder| {
            let count = subfolders(&folder).iter().filter(is_module).count();
            let name = display_path(folder.strip_prefix(root).ok()?);
            (count > 0 && (!name.starts_with('.') || name == ".modules")).then_some((name, count))
        })
        .collect();
    found.sort();
    found
}

fn puppetfile_modules(text: &str) -> usize {
    text.lines()
        .filter(|line| line.trim_start().starts_with("mod ") || line.trim_start().starts_with("mod("))
        .count()
}

/// Returns 7 if the metadata of a module excludes Puppet 8.
fn version_of_metadata(text: Option<&str>) -> Option<(u8, &'static str)> {
    let metadata: serde_json::Value = serde_json::from_str(text?).ok()?;
    let requirements = metadata.get("requirements")?.as_array()?;
    let of_puppet = requirements.iter().find(|it| {
        it.get("name").and_then(|it| it.as_str()).is_some_and(|it| it == "puppet" || it == "openvox")
    })?;
    let range = of_puppet.get("version_requirement")?.as_str()?;
    let upper = range.split('<').nth(1)?.trim_start_matches('=').trim();
    let major: u32 = upper.split(['.', ' ']).next()?.parse().ok()?;
    let is_inclusive = range.contains("<=");
    (major < 8 || major == 8 && !is_inclusive).then_some((7, "metadata.json"))
}

/// Returns the major version of the gem `puppet` if it is pinned to 7 or 8.
fn version_of_gemfile(text: Option<&str>) -> Option<(u8, &'static str)> {
    let is_puppet = |line: &&str| line.starts_with("gem 'puppet'") || line.starts_with("gem \"puppet\"");
    let line = text?.lines().map(str::trim).find(is_puppet)?;
    let version = line.split(',').nth(1)?;
    let digits: String =
        version.chars().skip_while(|it| !it.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    match digits.as_str() {
        "7" => Some((7, "Gemfile")),
        "8" => Some((8, "Gemfile")),
        _ => None,
    }
}

/// A CI system for which a job can be written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CiSystem {
    Github,
    Gitlab,
    Jenkins,
}
