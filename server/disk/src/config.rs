//! Settings, merged into one immutable [`Config`].
//!
//! Layers, lowest first: the defaults, the user's own file, the `puppet-analyzer.toml` files that apply to each
//! workspace folder (`repository`), the client's settings. **A repository cannot grant itself access to anything outside of itself**
//! (`USERS_ONLY`).

mod editorconfig;
mod findings;
mod format;
mod puppet_lint;
mod repository;
mod user;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::PuppetLintConfiguration;
use ide::{FilePath, InlayHintSettings, LintLevel, PuppetVersion, Settings, Strict, rules_named};
use serde::Deserialize;
use serde_json::Value;

pub use self::format::FormatLayer;
pub use self::puppet_lint::{PUPPET_LINT_FILES, puppet_lint_folder, read_puppet_lint};
pub use self::repository::{RepositorySettings, repository_root, settings_folder};
use crate::path_policy::{TrustedFolders, read_regular_text};
use crate::{FileClock, ReadFailure, ScanSettings};
pub use findings::{SettingsFinding, SettingsFindingKind};
pub use user::{trust_permanently, trusted_folders, user_file};

/// Name of the settings file at the root of a workspace folder.
pub const FILE_NAME: &str = "puppet-analyzer.toml";

/// Section of the client's settings that belongs to this server.
pub const SECTION: &str = "puppet-analyzer";

/// Effective settings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    pub settings: Settings,
    /// Puppet version to prepare for, in editors.
    pub upgrade_to: Option<PuppetVersion>,
    /// Enabled inlay hints; none by default.
    pub inlay_hints: InlayHintSettings,
    /// Enabled code lenses; all by default.
    pub code_lenses: CodeLensSettings,
    /// Formatting style.
    pub format: FormatLayer,
    /// Snapshot of nodes, or folder with a file of facts per node.
    pub nodes: Option<String>,
    /// Folder of an installed Puppet whose documentation is shown, or `none`. If unset, the usual locations
    /// are searched.
    pub installed_puppet: Option<String>,
    /// Folders outside of the workspace that the user allows to be read.
    pub trusted_folders: Vec<String>,
    /// Additional names of secrets. Values with such a name are redacted in reports.
    pub secret_keys: Vec<String>,
    /// Messages about settings of a repository that are ignored.
    pub ignored: Vec<String>,
}

/// Enabled code lenses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeLensSettings {
    /// Number of references to a definition.
    pub references: bool,
    /// Number of Hiera values for the parameters of a class.
    pub data: bool,
    /// Number of platforms that a class compiles on, with a link to its catalog.
    pub catalogs: bool,
}

impl Default for CodeLensSettings {
    fn default() -> CodeLensSettings {
        CodeLensSettings { references: true, data: true, catalogs: true }
    }
}

/// One source of settings. Unset fields fall back to the layer below.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct SettingsLayer {
    /// Settings file that this one extends; relative to its folder.
    extend: Option<String>,
    /// Puppet version whose rules and defaults apply: 7 or 8.
    puppet_version: Option<u32>,
    /// Puppet version to prepare for in editors: 8 or 9.
    upgrade_to: Option<u32>,
    /// Puppet's setting `strict`; defaults to that of the version.
    strict: Option<StrictLevel>,
    /// Puppet's setting `tasks`: makes `plan` and `apply` keywords in every manifest.
    tasks: Option<bool>,
    /// Additional module folders; relative to the workspace folder, or absolute.
    module_path: Option<Vec<String>>,
    /// Value of `$basemodulepath`: absolute folders.
    base_module_path: Option<Vec<String>>,
    /// Fact files as printed by `facter --json` or `--yaml`; relative to the workspace folder, or absolute.
    fact_files: Option<Vec<String>>,
    /// Snapshot of nodes, or folder with a file of facts per node; relative to the workspace folder, or absolute.
    nodes: Option<String>,
    /// Folder of an installed Puppet whose documentation is shown; empty to search for one, `none` for none.
    installed_puppet: Option<String>,
    /// Folders outside of the workspace that may be read: absolute.
    trusted_folders: Option<Vec<String>>,
    /// Additional names of secrets: parts of the names of parameters and keys.
    secret_keys: Vec<String>,
    /// Files and folders to skip; relative to the workspace folder, or absolute.
    exclude: Option<Vec<String>>,
    /// Size limit in bytes; larger files only get syntax errors and an outline.
    large_file_limit: Option<usize>,
    /// Enabled inlay hints.
    inlay_hints: InlayHintsLayer,
    /// Enabled code lenses.
    code_lenses: CodeLensesLayer,
    /// Formatting style.
    format: FormatLayer,
    /// Rules and rule groups to enable in addition to the default ones.
    select: Vec<String>,
    /// Rules and rule groups to disable.
    ignore: Vec<String>,
    /// Rules and rule groups to disable for some files, by path pattern; `*` matches any characters.
    per_file: BTreeMap<String, Vec<String>>,
    /// Options of the style checks.
    lint_options: LintOptionsLayer,
    /// Severity of rules, by code.
    lint: BTreeMap<String, LintLevelName>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct LintOptionsLayer {
    /// Number of spaces per indentation level.
    chars_per_indent: Option<u32>,
    /// Top-scope variables that are not facts.
    top_scope_variables: Option<Vec<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct InlayHintsLayer {
    /// Values of variables that are assigned a known value other than a literal.
    values: Option<bool>,
    /// Types of variables, and of lambda parameters without a declared type.
    types: Option<bool>,
    /// Hiera values of class parameters.
    data: Option<bool>,
    /// Values of class variables on the platforms that their modules support.
    platforms: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct CodeLensesLayer {
    references: Option<bool>,
    data: Option<bool>,
    catalogs: Option<bool>,
}

const KEYS: &[&str] = &[
    "puppet-version",
    "upgrade-to",
    "strict",
    "tasks",
    "module-path",
    "base-module-path",
    "fact-files",
    "nodes",
    "installed-puppet",
    "trusted-folders",
    "secret-keys",
    "exclude",
    "large-file-limit",
    "inlay-hints",
    "code-lenses",
    "format",
    "select",
    "ignore",
    "per-file",
    "lint-options",
    "lint",
];

/// Settings of a settings file that a client does not have.
const FILES_ONLY: &[&str] = &["extend"];

/// Settings that are ignored in the settings file of a repository.
const USERS_ONLY: &[&str] = &["installed-puppet", "trusted-folders"];

/// Maximum size of a settings file in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// Settings that are tables, with their keys.
const SECTIONS: &[(&str, &[&str])] = &[
    ("inlay-hints", &["values", "types", "data", "platforms"]),
    ("code-lenses", &["references", "data", "catalogs"]),
    ("lint-options", &["chars-per-indent", "top-scope-variables"]),
    ("format", &["indent", "width", "align-arrows", "align-equals", "quotes", "trailing-commas"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LintLevelName {
    Off,
    Hint,
    Warning,
    Error,
}

impl From<LintLevelName> for LintLevel {
    fn from(name: LintLevelName) -> LintLevel {
        match name {
            LintLevelName::Off => LintLevel::Off,
            LintLevelName::Hint => LintLevel::Hint,
            LintLevelName::Warning => LintLevel::Warning,
            LintLevelName::Error => LintLevel::Error,
        }
    }
}

/// [`Strict`] as spelled in settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StrictLevel {
    Off,
    Warning,
    Error,
}

impl From<StrictLevel> for Strict {
    fn from(level: StrictLevel) -> Strict {
        match level {
            StrictLevel::Off => Strict::Off,
            StrictLevel::Warning => Strict::Warning,
            StrictLevel::Error => Strict::Error,
        }
    }
}

impl SettingsLayer {
    /// Parses a `puppet-analyzer.toml`. Returns the settings, or `None` if one of them is invalid, and the
    /// problems found.
    pub fn from_toml(text: &str) -> (Option<SettingsLayer>, Vec<SettingsFinding>) {
        let mut findings = findings::unknown_keys(text);
        match toml::from_str::<SettingsLayer>(text) {
            Ok(layer) => match layer.wrong_version() {
                Some((key, message)) => {
                    let range = findings::value_range(text, key);
                    findings.push(SettingsFinding::error(message, range));
                    (None, findings)
                }
                None => (Some(layer), findings),
            },
            Err(error) => {
                findings.push(SettingsFinding::error(error.message().to_owned(), error.span()));
                (None, findings)
            }
        }
    }

    /// Parses the client's settings: the section itself, or an object that contains it, with keys in
    /// `kebab-case` or `camelCase`. Unknown keys are only reported if they look like a misspelling of a known
    /// one.
    pub fn from_client(value: &Value) -> (Option<SettingsLayer>, Vec<SettingsFinding>) {
        let section = value.get(SECTION).unwrap_or(value);
        let entries = match section {
            Value::Object(entries) => entries,
            Value::Null => return (Some(SettingsLayer::default()), Vec::new()),
            _ => return (None, vec![SettingsFinding::error("settings must be an object".to_owned(), None)]),
        };
        let all: Vec<(String, &Value)> = entries
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (kebab_case(key), value))
            .collect();
        let mut findings = findings::misspelled_keys(all.iter().map(|(key, value)| (key.as_str(), *value)));
        let ours = all.into_iter().filter(|(key, _)| KEYS.contains(&key.as_str()));
        let ours = ours.map(|(key, value)| (key, value.clone())).collect();
        let layer = match serde_json::from_value::<SettingsLayer>(Value::Object(ours)) {
            Ok(layer) => match layer.wrong_version() {
                Some((_, message)) => Err(message),
                None => Ok(layer),
            },
            Err(error) => Err(error.to_string()),
        };
        let layer = layer.map_err(|message| findings.push(SettingsFinding::error(message, None))).ok();
        (layer, findings)
    }

    /// Returns the key with an unsupported Puppet version, if any, and the problem.
    fn wrong_version(&self) -> Option<(&'static str, String)> {
        let is_unknown = |it: &u32| PuppetVersion::from_major(*it).is_none();
        if let Some(version) = self.puppet_version.filter(is_unknown) {
            let message = format!("unsupported `puppet-version` {version}; expected 7, 8 or 9");
            return Some(("puppet-version", message));
        }
        let is_unknown = |it: &u32| *it == u32::from(PuppetVersion::V7.major()) || is_unknown(it);
        let version = self.upgrade_to.filter(is_unknown)?;
        Some(("upgrade-to", format!("unsupported `upgrade-to` {version}; expected 8 or 9")))
    }

    /// Applies the settings of a repository on top of `config`. Relative paths are resolved against its
    /// `root`.
    fn apply_of_repository(&self, config: &mut Config, root: &FilePath) {
        let own = SettingsLayer { installed_puppet: None, trusted_folders: None, ..self.clone() };
        own.apply(config, Some(root));
    }

    /// Applies this layer on top of `config`. Relative paths are resolved against `root`, if given.
    fn apply(&self, config: &mut Config, root: Option<&FilePath>) {
        self.apply_paths(config, root);
        let Config { settings, upgrade_to, inlay_hints, code_lenses, .. } = config;
        config.format = config.format.under(self.format);
        config.secret_keys.extend(self.secret_keys.iter().cloned());
        code_lenses.references = self.code_lenses.references.unwrap_or(code_lenses.references);
        code_lenses.data = self.code_lenses.data.unwrap_or(code_lenses.data);
        code_lenses.catalogs = self.code_lenses.catalogs.unwrap_or(code_lenses.catalogs);
        inlay_hints.values = self.inlay_hints.values.unwrap_or(inlay_hints.values);
        inlay_hints.types = self.inlay_hints.types.unwrap_or(inlay_hints.types);
        inlay_hints.data = self.inlay_hints.data.unwrap_or(inlay_hints.data);
        inlay_hints.platforms = self.inlay_hints.platforms.unwrap_or(inlay_hints.platforms);
        if let Some(version) = self.puppet_version.and_then(PuppetVersion::from_major) {
            settings.puppet_version = version;
        }
        if let Some(version) = self.upgrade_to.and_then(PuppetVersion::from_major) {
            *upgrade_to = Some(version);
        }
        if let Some(strict) = self.strict {
            settings.strict = Some(strict.into());
        }
        if let Some(tasks) = self.tasks {
            settings.tasks = tasks;
        }
        self.apply_rules(settings, root);
        if let Some(limit) = self.large_file_limit {
            settings.large_file_limit = limit;
        }
    }

    /// Applies the settings that are files and folders.
    fn apply_paths(&self, config: &mut Config, root: Option<&FilePath>) {
        let Config { settings, nodes, installed_puppet, trusted_folders, .. } = config;
        let absolute = |paths: &Vec<String>| {
            let absolute = |path: &String| match root {
                Some(root) if FilePath::from_native(path).is_none() => root.join(path).to_native(),
                _ => path.clone(),
            };
            paths.iter().map(absolute).collect::<Vec<_>>()
        };
        if let Some(paths) = &self.module_path {
            settings.module_path = absolute(paths);
        }
        if let Some(paths) = &self.base_module_path {
            settings.base_module_path = absolute(paths);
        }
        if let Some(paths) = &self.fact_files {
            settings.fact_files = absolute(paths);
        }
        if let Some(path) = &self.nodes {
            *nodes = absolute(&vec![path.clone()]).pop().filter(|_| !path.is_empty());
        }
        if let Some(folder) = &self.installed_puppet {
            *installed_puppet = Some(folder.clone()).filter(|it| !it.is_empty());
        }
        if let Some(folders) = &self.trusted_folders {
            trusted_folders.extend(folders.iter().cloned());
        }
        if let Some(paths) = &self.exclude {
            settings.excluded_paths = absolute(paths);
        }
    }
}

impl SettingsLayer {
    /// Applies the rule settings of this layer: `select`, then `ignore`, then the level of each rule.
    fn apply_rules(&self, settings: &mut Settings, root: Option<&FilePath>) {
        let levels = Arc::make_mut(&mut settings.lint_levels);
        for code in self.select.iter().flat_map(|it| rules_named(it)) {
            if code.is_off() {
                levels.insert(code.as_str().to_owned(), LintLevel::Warning)
            } else {
                levels.remove(code.as_str())
            };
        }
        for code in self.ignore.iter().flat_map(|it| rules_named(it)) {
            levels.insert(code.as_str().to_owned(), LintLevel::Off);
        }
        for (name, level) in &self.lint {
            let codes = rules_named(name);
            let names: Vec<String> = if codes.is_empty() {
                vec![name.clone()]
            } else {
                codes.iter().map(|it| it.as_str().to_owned()).collect()
            };
            levels.extend(names.into_iter().map(|it| (it, LintLevel::from(*level))));
        }
        let options = Arc::make_mut(&mut settings.rule_options);
        if let Some(spaces) = self.lint_options.chars_per_indent.or(self.format.indent) {
            options.chars_per_indent = spaces;
        }
        if let Some(names) = &self.lint_options.top_scope_variables {
            options.top_scope_variables.clone_from(names);
        }
        for (pattern, names) in &self.per_file {
            let pattern = match root {
                Some(root) => puppet_lint::pattern_below(root, pattern),
                None => format!("*/{}", pattern.trim_start_matches('/')),
            };
            options.quiet.push((pattern, names.iter().flat_map(|it| rules_named(it)).collect()));
        }
    }
}

/// All layers of settings, each at its last valid state.
#[derive(Clone, Debug, Default)]
pub struct ConfigLayers {
    user: SettingsLayer,
    /// Settings files of each workspace folder, with the folder of each file, lowest layer first.
    roots: BTreeMap<FilePath, Vec<(FilePath, SettingsLayer)>>,
    /// puppet-lint configuration of the workspace folders.
    puppet_lint: BTreeMap<FilePath, PuppetLintConfiguration>,
    client: SettingsLayer,
}

impl ConfigLayers {
    /// Sets the settings files that apply to a workspace folder; without any, its settings are removed. Returns
    /// the problems found in the last file, the nearest one. If a file is invalid, the last valid state is
    /// kept.
    pub fn set_root(&mut self, root: &FilePath, files: &RepositorySettings) -> Vec<SettingsFinding> {
        let mut findings = Vec::new();
        let mut layers = Vec::new();
        for (file, text) in files.files() {
            let (layer, found) = SettingsLayer::from_toml(text);
            findings = found;
            findings.extend(findings::users_only_keys(text));
            layers.push(layer.map(|it| (folder_of(file), it)));
        }
        if let Some(problem) = files.problem() {
            findings.push(SettingsFinding::error(problem.to_owned(), None));
        }
        match layers.into_iter().collect::<Option<Vec<_>>>() {
            Some(layers) if layers.is_empty() => drop(self.roots.remove(root)),
            Some(layers) => drop(self.roots.insert(root.clone(), layers)),
            None => {}
        }
        findings
    }

    /// Removes the settings of a workspace folder.
    pub fn remove_root(&mut self, root: &FilePath) {
        self.roots.remove(root);
    }

    /// Sets the puppet-lint configuration of a workspace folder; `None` removes it.
    pub fn set_puppet_lint(&mut self, root: &FilePath, configuration: Option<PuppetLintConfiguration>) {
        match configuration {
            Some(configuration) => self.puppet_lint.insert(root.clone(), configuration),
            None => self.puppet_lint.remove(root),
        };
    }

    /// Sets the client's settings. Returns the problems found. If they include an error, the last valid state
    /// is kept.
    pub fn set_client(&mut self, value: &Value) -> Vec<SettingsFinding> {
        let (layer, findings) = SettingsLayer::from_client(value);
        self.client = layer.unwrap_or_else(|| self.client.clone());
        findings
    }

    /// Sets the user's own settings file. Returns the problems found.
    pub fn set_user(&mut self, text: &str) -> Vec<SettingsFinding> {
        let (layer, findings) = SettingsLayer::from_toml(text);
        self.user = layer.unwrap_or_default();
        findings
    }

    /// Adds folders that the user allows to be read.
    pub fn trust(&mut self, folders: impl IntoIterator<Item = String>) {
        self.user.trusted_folders.get_or_insert_default().extend(folders);
    }

    /// Returns the paths that the client's settings name: module folders, fact files, and nodes.
    pub fn named_by_client(&self) -> impl Iterator<Item = &String> {
        let SettingsLayer { module_path, base_module_path, fact_files, nodes, .. } = &self.client;
        [module_path, base_module_path, fact_files].into_iter().flatten().flatten().chain(nodes)
    }

    /// Merges all layers: the defaults, the user, the workspace folders in the order of their paths, the
    /// client.
    pub fn config(&self) -> Config {
        let mut config = Config::default();
        for (root, configuration) in &self.puppet_lint {
            puppet_lint::apply(configuration, &mut config, root);
        }
        self.user.apply(&mut config, None);
        for (folder, layer) in self.roots.values().flatten() {
            layer.apply_of_repository(&mut config, folder);
        }
        self.client.apply(&mut config, None);
        config
    }
}

impl Config {
    /// Applies the `--select` and `--ignore` options of the command line.
    ///
    /// # Errors
    /// Returns the first name that is neither a rule nor a rule group.
    pub fn apply_rule_options(&mut self, select: &[String], ignore: &[String]) -> Result<(), String> {
        if let Some(unknown) = select.iter().chain(ignore).find(|it| rules_named(it).is_empty()) {
            return Err(unknown.clone());
        }
        let layer =
            SettingsLayer { select: select.to_vec(), ignore: ignore.to_vec(), ..SettingsLayer::default() };
        layer.apply_rules(&mut self.settings, None);
        Ok(())
    }

    /// Returns the folders that may be read: `workspace`, and those that the user trusts.
    pub fn trusted(&self, workspace: &[PathBuf]) -> TrustedFolders {
        let named = self.trusted_folders.iter().map(Path::new);
        TrustedFolders::new(workspace.iter().map(PathBuf::as_path), named.filter(|it| it.is_absolute()))
    }

    /// Returns the settings for scanning a folder.
    pub fn scan_settings(&self, trusted: &TrustedFolders) -> ScanSettings {
        ScanSettings {
            module_folders: self.settings.module_path.clone(),
            excluded: self.settings.excluded_paths.clone(),
            trusted: trusted.clone(),
            reads_ignored: false,
            clock: FileClock::System,
        }
    }

    /// Loads the settings that apply to a folder for the command line: the nearest `puppet-analyzer.toml` and
    /// those that it extends, on top of puppet-lint's configuration and the user's own settings.
    ///
    /// # Errors
    /// Fails if a settings file is invalid or cannot be read.
    pub fn load(folder: &Path) -> anyhow::Result<Config> {
        let folder = absolute(folder);
        let files = match settings_folder(&folder) {
            Some(folder) => RepositorySettings::read(&folder.join(FILE_NAME)),
            None => RepositorySettings::default(),
        };
        Config::of_repository(&folder, &files)
    }

    /// Loads the settings of a file in place of the nearest one.
    ///
    /// # Errors
    /// Fails if the file is invalid or cannot be read.
    pub fn load_file(file: &Path, folder: &Path) -> anyhow::Result<Config> {
        let files = RepositorySettings::read(&absolute(file));
        if files.is_empty() && files.problem().is_none() {
            anyhow::bail!("cannot read `{}`: no such file or folder", file.display());
        }
        Config::of_repository(&absolute(folder), &files)
    }

    fn of_repository(folder: &Path, files: &RepositorySettings) -> anyhow::Result<Config> {
        let mut config = Config::default();
        let lint_folder = puppet_lint_folder(folder);
        if let Some(root) = lint_folder.to_str().and_then(FilePath::from_native) {
            puppet_lint::apply(&read_puppet_lint(&lint_folder), &mut config, &root);
        }
        if let Some((file, text)) = user_file() {
            let (layer, mut findings) = SettingsLayer::from_toml(&text);
            findings.retain(|it| it.kind != SettingsFindingKind::UnknownRule);
            valid_layer(&file, &text, layer, findings)?.apply(&mut config, None);
        }
        config.trusted_folders.extend(user::trusted_folders());
        if let Some(problem) = files.problem() {
            anyhow::bail!("{problem}");
        }
        for (path, text) in files.files() {
            let file = PathBuf::from(path.to_native());
            let (layer, mut findings) = SettingsLayer::from_toml(text);
            let of_rules = findings.extract_if(.., |it| it.kind == SettingsFindingKind::UnknownRule);
            let ignored: Vec<SettingsFinding> = of_rules.chain(findings::users_only_keys(text)).collect();
            let layer = valid_layer(&file, text, layer, findings)?;
            let ignored = ignored.iter().map(|it| format!("{}: {}", file.display(), it.message));
            config.ignored.extend(ignored);
            layer.apply_of_repository(&mut config, &folder_of(path));
        }
        Ok(config)
    }
}

/// Reads a settings file of a repository.
pub fn read_root_file(file: &Path) -> Result<String, ReadFailure> {
    let file = absolute(file);
    let target = TrustedFolders::new(file.parent(), []).admit(&file)?;
    read_regular_text(&target, MAX_FILE_SIZE)
}

fn folder_of(file: &FilePath) -> FilePath {
    file.parent().unwrap_or_else(|| file.clone())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the settings of a file, or its first problem as an error.
fn valid_layer(
    file: &Path,
    text: &str,
    layer: Option<SettingsLayer>,
    findings: Vec<SettingsFinding>,
) -> anyhow::Result<SettingsLayer> {
    if let Some(finding) = findings.first() {
        let place = finding.range.clone().map(|range| location(text, range.start)).unwrap_or_default();
        anyhow::bail!("invalid settings in `{}`: {place}{}", file.display(), finding.message);
    }
    Ok(layer.unwrap_or_default())
}

/// Formats an offset as `line 3, column 1: `.
fn location(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}: ")
}

fn kebab_case(key: &str) -> String {
    let mut kebab = String::with_capacity(key.len() + 2);
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
