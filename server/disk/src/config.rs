//! Settings: defaults, then the user's own file, then `puppet-analyzer.toml` of each workspace folder, then the client's;
//! together one immutable [`Config`]. **A repository says nothing that lets it reach out of itself** ([`USERS_ONLY`]).

mod editorconfig;
mod findings;
mod format;
mod puppet_lint;
mod user;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::PuppetLintConfiguration;
use ide::{FilePath, InlayHintSettings, LintLevel, PuppetVersion, Settings, Strict, rules_named};
use serde::Deserialize;
use serde_json::Value;

pub use self::format::FormatLayer;
pub use self::puppet_lint::{PUPPET_LINT_FILES, read_puppet_lint};
use crate::path_policy::{TrustedFolders, read_regular_text};
use crate::{ReadFailure, ScanSettings};
pub use findings::{SettingsFinding, SettingsFindingKind};
pub use user::{trust_for_ever, trusted_folders, user_file};

/// The name of the file with settings at the root of a workspace folder.
pub const FILE_NAME: &str = "puppet-analyzer.toml";

/// The section of the client's settings that is ours.
pub const SECTION: &str = "puppet-analyzer";

/// All settings as they are in force.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    pub settings: Settings,
    /// Which inlay hints are shown; none unless somebody wants them.
    pub inlay_hints: InlayHintSettings,
    /// Which code lenses are shown; all unless somebody does not want them.
    pub code_lenses: CodeLensSettings,
    /// How code is laid out.
    pub format: FormatLayer,
    /// The folder of an installed Puppet whose documentation is shown, or `none`; where there is none, one is looked for.
    pub installed_puppet: Option<String>,
    /// Folders outside of the workspace that may be read: the user has named them.
    pub trusted_folders: Vec<String>,
    /// Names of secrets, beside the usual ones: what has such a name leaves the machine in no report.
    pub secret_keys: Vec<String>,
    /// What a repository says that is ignored.
    pub ignored: Vec<String>,
}

/// Which code lenses are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeLensSettings {
    /// How often a definition is used.
    pub references: bool,
    /// How often Hiera's data has parameters of a class.
    pub data: bool,
    /// On how many platforms a class compiles, and what shows its catalog.
    pub catalogs: bool,
}

impl Default for CodeLensSettings {
    fn default() -> CodeLensSettings {
        CodeLensSettings { references: true, data: true, catalogs: true }
    }
}

/// What one source of settings says; what it does not say comes from the source before it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct SettingsLayer {
    /// The Puppet version whose rules and defaults hold: 7 or 8.
    puppet_version: Option<u32>,
    /// Puppet's setting `strict`; without one the version's default.
    strict: Option<StrictLevel>,
    /// Puppet's setting `tasks`: `plan` and `apply` are keywords in every manifest.
    tasks: Option<bool>,
    /// Folders with modules beside those that the layout shows; relative to the workspace folder, or absolute.
    module_path: Option<Vec<String>>,
    /// What `$basemodulepath` stands for: absolute folders.
    base_module_path: Option<Vec<String>>,
    /// Files of facts, as `facter --json` and `--yaml` print them; relative to the workspace folder, or absolute.
    fact_files: Option<Vec<String>>,
    /// The folder of an installed Puppet whose documentation is shown; empty to look for one, `none` for none.
    installed_puppet: Option<String>,
    /// Folders outside of the workspace that may be read: absolute.
    trusted_folders: Option<Vec<String>>,
    /// Names of secrets, beside the usual ones: parts of names of parameters and keys.
    secret_keys: Vec<String>,
    /// Files and folders that are as good as absent; relative to the workspace folder, or absolute.
    exclude: Option<Vec<String>>,
    /// Files with more bytes get syntax and outline only.
    large_file_limit: Option<usize>,
    /// Which inlay hints are shown.
    inlay_hints: InlayHintsLayer,
    /// Which code lenses are shown.
    code_lenses: CodeLensesLayer,
    /// How code is laid out.
    format: FormatLayer,
    /// Rules and groups of rules that are told, beside those that are told anyway.
    select: Vec<String>,
    /// Rules and groups of rules that are not told.
    ignore: Vec<String>,
    /// Rules and groups that are not told in some files: by patterns for paths, `*` being any text.
    per_file: BTreeMap<String, Vec<String>>,
    /// How the checks of style look.
    lint_options: LintOptionsLayer,
    /// What becomes of the findings of rules, by their codes.
    lint: BTreeMap<String, LintLevelName>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct LintOptionsLayer {
    /// How many blanks a level of indentation takes.
    chars_per_indent: Option<u32>,
    /// Variables of the top scope that are no facts.
    top_scope_variables: Option<Vec<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct InlayHintsLayer {
    /// The values of variables that are set to something known that is not written there.
    values: Option<bool>,
    /// The types of variables, and of lambda parameters without one.
    types: Option<bool>,
    /// What Hiera gives the parameters of classes.
    data: Option<bool>,
    /// What variables of classes are worth on the platforms of their modules.
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
    "strict",
    "tasks",
    "module-path",
    "base-module-path",
    "fact-files",
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

/// The settings that a repository may not make.
const USERS_ONLY: &[&str] = &["installed-puppet", "trusted-folders"];

/// Longer settings are none.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// The settings that hold settings of their own, and the keys of those.
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

/// [`Strict`], as settings say it.
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
    /// Reads the text of a `puppet-analyzer.toml`: the settings, unless one of them is not valid, and what is wrong.
    pub fn from_toml(text: &str) -> (Option<SettingsLayer>, Vec<SettingsFinding>) {
        let mut findings = findings::unknown_keys(text);
        match toml::from_str::<SettingsLayer>(text) {
            Ok(layer) => match layer.wrong_version() {
                Some(message) => {
                    let range = findings::value_range(text, "puppet-version");
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

    /// Reads what a client sends: the section, or an object with the section in it; keys in `kebab-case` or
    /// `camelCase`. Of keys that are not ours only those count that look like a misspelt one of ours.
    pub fn from_client(value: &Value) -> (Option<SettingsLayer>, Vec<SettingsFinding>) {
        let section = value.get(SECTION).unwrap_or(value);
        let entries = match section {
            Value::Object(entries) => entries,
            Value::Null => return (Some(SettingsLayer::default()), Vec::new()),
            _ => return (None, vec![SettingsFinding::error("not an object".to_owned(), None)]),
        };
        let all: Vec<(String, &Value)> = entries
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (kebab_case(key), value))
            .collect();
        let mut findings = findings::misspelt_keys(all.iter().map(|(key, value)| (key.as_str(), *value)));
        let ours = all.into_iter().filter(|(key, _)| KEYS.contains(&key.as_str()));
        let ours = ours.map(|(key, value)| (key, value.clone())).collect();
        let layer = match serde_json::from_value::<SettingsLayer>(Value::Object(ours)) {
            Ok(layer) => match layer.wrong_version() {
                Some(message) => Err(message),
                None => Ok(layer),
            },
            Err(error) => Err(error.to_string()),
        };
        let layer = layer.map_err(|message| findings.push(SettingsFinding::error(message, None))).ok();
        (layer, findings)
    }

    fn wrong_version(&self) -> Option<String> {
        let version = self.puppet_version.filter(|it| PuppetVersion::from_major(*it).is_none())?;
        Some(format!("`puppet-version` is {version}, but only 7 and 8 are known"))
    }

    /// Puts what a repository says on top of `config`. Relative paths are below its `root`.
    fn apply_of_repository(&self, config: &mut Config, root: &FilePath) {
        let own = SettingsLayer { installed_puppet: None, trusted_folders: None, ..self.clone() };
        own.apply(config, Some(root));
    }

    /// Puts this layer on top of `config`. Relative paths are below `root` where there is one.
    fn apply(&self, config: &mut Config, root: Option<&FilePath>) {
        let Config { settings, inlay_hints, code_lenses, installed_puppet, trusted_folders, .. } = config;
        config.format = config.format.under(self.format);
        config.secret_keys.extend(self.secret_keys.iter().cloned());
        code_lenses.references = self.code_lenses.references.unwrap_or(code_lenses.references);
        code_lenses.data = self.code_lenses.data.unwrap_or(code_lenses.data);
        code_lenses.catalogs = self.code_lenses.catalogs.unwrap_or(code_lenses.catalogs);
        inlay_hints.values = self.inlay_hints.values.unwrap_or(inlay_hints.values);
        inlay_hints.types = self.inlay_hints.types.unwrap_or(inlay_hints.types);
        inlay_hints.data = self.inlay_hints.data.unwrap_or(inlay_hints.data);
        inlay_hints.platforms = self.inlay_hints.platforms.unwrap_or(inlay_hints.platforms);
        let absolute = |paths: &Vec<String>| {
            let absolute = |path: &String| match root {
                Some(root) if FilePath::from_native(path).is_none() => root.join(path).to_native(),
                _ => path.clone(),
            };
            paths.iter().map(absolute).collect::<Vec<_>>()
        };
        if let Some(version) = self.puppet_version.and_then(PuppetVersion::from_major) {
            settings.puppet_version = version;
        }
        if let Some(strict) = self.strict {
            settings.strict = Some(strict.into());
        }
        if let Some(tasks) = self.tasks {
            settings.tasks = tasks;
        }
        if let Some(paths) = &self.module_path {
            settings.module_path = absolute(paths);
        }
        if let Some(paths) = &self.base_module_path {
            settings.base_module_path = absolute(paths);
        }
        if let Some(paths) = &self.fact_files {
            settings.fact_files = absolute(paths);
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
        self.apply_rules(settings, root);
        if let Some(limit) = self.large_file_limit {
            settings.large_file_limit = limit;
        }
    }
}

impl SettingsLayer {
    /// What this layer says of rules: what is selected, then what is ignored, then the level of each.
    fn apply_rules(&self, settings: &mut Settings, root: Option<&FilePath>) {
        let levels = Arc::make_mut(&mut settings.lint_levels);
        for code in self.select.iter().flat_map(|it| rules_named(it)) {
            match code.is_off() {
                true => levels.insert(code.as_str().to_owned(), LintLevel::Warning),
                false => levels.remove(code.as_str()),
            };
        }
        for code in self.ignore.iter().flat_map(|it| rules_named(it)) {
            levels.insert(code.as_str().to_owned(), LintLevel::Off);
        }
        for (name, level) in &self.lint {
            let codes = rules_named(name);
            let names: Vec<String> = match codes.is_empty() {
                true => vec![name.clone()],
                false => codes.iter().map(|it| it.as_str().to_owned()).collect(),
            };
            levels.extend(names.into_iter().map(|it| (it, LintLevel::from(*level))));
        }
        let options = Arc::make_mut(&mut settings.rule_options);
        if let Some(blanks) = self.lint_options.chars_per_indent.or(self.format.indent) {
            options.chars_per_indent = blanks;
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

/// The sources of settings, each at its last good state.
#[derive(Clone, Debug, Default)]
pub struct ConfigLayers {
    user: SettingsLayer,
    roots: BTreeMap<FilePath, SettingsLayer>,
    /// What the roots say of puppet-lint.
    puppet_lint: BTreeMap<FilePath, PuppetLintConfiguration>,
    client: SettingsLayer,
}

impl ConfigLayers {
    /// Takes in the settings file of a root: its text, or `None` when there is none (any more). What is wrong with it; the
    /// last good state stays if that is an error.
    pub fn set_root(&mut self, root: &FilePath, text: Option<&str>) -> Vec<SettingsFinding> {
        let Some(text) = text else {
            self.roots.remove(root);
            return Vec::new();
        };
        let (layer, mut findings) = SettingsLayer::from_toml(text);
        findings.extend(findings::users_only_keys(text));
        if let Some(layer) = layer {
            self.roots.insert(root.clone(), layer);
        }
        findings
    }

    /// Takes in what a root says of puppet-lint; `None` when the root is gone.
    pub fn set_puppet_lint(&mut self, root: &FilePath, configuration: Option<PuppetLintConfiguration>) {
        match configuration {
            Some(configuration) => self.puppet_lint.insert(root.clone(), configuration),
            None => self.puppet_lint.remove(root),
        };
    }

    /// Takes in what the client says. What is wrong with it; the last good state stays if that is an error.
    pub fn set_client(&mut self, value: &Value) -> Vec<SettingsFinding> {
        let (layer, findings) = SettingsLayer::from_client(value);
        self.client = layer.unwrap_or_else(|| self.client.clone());
        findings
    }

    /// Takes in the user's own file. What is wrong with it.
    pub fn set_user(&mut self, text: &str) -> Vec<SettingsFinding> {
        let (layer, findings) = SettingsLayer::from_toml(text);
        self.user = layer.unwrap_or_default();
        findings
    }

    /// The user lets folders be read from now on.
    pub fn trust(&mut self, folders: impl IntoIterator<Item = String>) {
        self.user.trusted_folders.get_or_insert_default().extend(folders);
    }

    /// What the client says may be read: folders for modules, files of facts.
    pub fn named_by_client(&self) -> impl Iterator<Item = &String> {
        let SettingsLayer { module_path, base_module_path, fact_files, .. } = &self.client;
        [module_path, base_module_path, fact_files].into_iter().flatten().flatten()
    }

    /// All layers on top of each other: the defaults, the user, the roots in the order of their paths, the client.
    pub fn config(&self) -> Config {
        let mut config = Config::default();
        for (root, configuration) in &self.puppet_lint {
            puppet_lint::apply(configuration, &mut config, root);
        }
        self.user.apply(&mut config, None);
        for (root, layer) in &self.roots {
            layer.apply_of_repository(&mut config, root);
        }
        self.client.apply(&mut config, None);
        config
    }
}

impl Config {
    /// Puts what the command line says of rules on top: those that are selected, and those that are ignored. `Err` has a name that
    /// none of them has.
    pub fn take_rules(&mut self, select: &[String], ignore: &[String]) -> Result<(), String> {
        if let Some(unknown) = select.iter().chain(ignore).find(|it| rules_named(it).is_empty()) {
            return Err(unknown.clone());
        }
        let layer =
            SettingsLayer { select: select.to_vec(), ignore: ignore.to_vec(), ..SettingsLayer::default() };
        layer.apply_rules(&mut self.settings, None);
        Ok(())
    }

    /// What may be read: the folders that are looked at, and what the user has named besides.
    pub fn trusted(&self, workspace: &[PathBuf]) -> TrustedFolders {
        let named = self.trusted_folders.iter().map(Path::new);
        TrustedFolders::new(workspace.iter().map(PathBuf::as_path), named.filter(|it| it.is_absolute()))
    }

    /// What a scan of a folder has to know.
    pub fn scan_settings(&self, trusted: &TrustedFolders) -> ScanSettings {
        ScanSettings {
            module_folders: self.settings.module_path.clone(),
            excluded: self.settings.excluded_paths.clone(),
            trusted: trusted.clone(),
            reads_ignored: false,
        }
    }

    /// The settings for a folder as the command line sees it: its `puppet-analyzer.toml`, if there is one, on top of
    /// the user's own.
    pub fn load(folder: &Path) -> anyhow::Result<Config> {
        let mut config = Config::default();
        let root = absolute(folder).to_str().and_then(FilePath::from_native);
        if let Some(root) = &root {
            puppet_lint::apply(&read_puppet_lint(&absolute(folder)), &mut config, root);
        }
        if let Some((file, text)) = user_file() {
            let (layer, mut findings) = SettingsLayer::from_toml(&text);
            findings.retain(|it| it.kind != SettingsFindingKind::UnknownRule);
            valid_layer(&file, &text, (layer, findings))?.apply(&mut config, None);
        }
        config.trusted_folders.extend(user::trusted_folders());
        let file = folder.join(FILE_NAME);
        let text = match read_root_file(&file) {
            Ok(text) => text,
            Err(ReadFailure::Missing) => return Ok(config),
            Err(error) => anyhow::bail!("cannot read {}: {error}", file.display()),
        };
        let (layer, mut findings) = SettingsLayer::from_toml(&text);
        let of_rules = findings.extract_if(.., |it| it.kind == SettingsFindingKind::UnknownRule);
        let ignored: Vec<SettingsFinding> = of_rules.chain(findings::users_only_keys(&text)).collect();
        let layer = valid_layer(&file, &text, (layer, findings))?;
        let ignored = ignored.iter().map(|it| format!("{}: {}", file.display(), it.message));
        config.ignored.extend(ignored);
        match root {
            Some(root) => layer.apply_of_repository(&mut config, &root),
            None => config.ignored.push(format!("{} is ignored: its path is not UTF-8", file.display())),
        }
        Ok(config)
    }
}

/// The text of a settings file of a repository.
pub fn read_root_file(file: &Path) -> Result<String, ReadFailure> {
    let file = absolute(file);
    let target = TrustedFolders::new(file.parent(), []).admit(&file)?;
    read_regular_text(&target, MAX_FILE_SIZE)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The settings of a file, if nothing is wrong with them.
fn valid_layer(
    file: &Path,
    text: &str,
    (layer, findings): (Option<SettingsLayer>, Vec<SettingsFinding>),
) -> anyhow::Result<SettingsLayer> {
    if let Some(finding) = findings.first() {
        let place = finding.range.clone().map(|range| place(text, range.start)).unwrap_or_default();
        anyhow::bail!("{} is not valid: {place}{}", file.display(), finding.message);
    }
    Ok(layer.unwrap_or_default())
}

/// `line 3, column 1: ` of an offset.
fn place(text: &str, offset: usize) -> String {
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
