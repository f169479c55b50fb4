//! Settings: defaults, then `puppet-analyzer.toml` of each workspace folder, then the client's; together one immutable
//! [`Config`].

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ide::{FilePath, InlayHintSettings, LintLevel, PuppetVersion, Settings, Strict};
use serde::Deserialize;
use serde_json::Value;

use crate::disk::ScanSettings;

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
}

/// What one source of settings says; what it does not say comes from the source before it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SettingsLayer {
    /// The Puppet version whose rules and defaults hold: 7 or 8.
    puppet_version: Option<u32>,
    /// Puppet's setting `strict`; without one the version's default.
    strict: Option<StrictLevel>,
    /// Puppet's setting `tasks`: `plan` and `apply` are keywords in every manifest.
    tasks: Option<bool>,
    /// Folders with modules beside those that the layout shows; relative to the workspace folder, or absolute.
    module_path: Option<Vec<String>>,
    /// Files and folders that are as good as absent; relative to the workspace folder, or absolute.
    exclude: Option<Vec<String>>,
    /// Files with more bytes get syntax and outline only.
    large_file_limit: Option<usize>,
    /// Which inlay hints are shown.
    inlay_hints: InlayHintsLayer,
    /// What becomes of the findings of rules, by their codes.
    lint: BTreeMap<String, LintLevelName>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct InlayHintsLayer {
    /// The values of variables that are set to something known that is not written there.
    values: Option<bool>,
    /// The types of variables, and of lambda parameters without one.
    types: Option<bool>,
}

const KEYS: &[&str] = &[
    "puppet-version",
    "strict",
    "tasks",
    "module-path",
    "exclude",
    "large-file-limit",
    "inlay-hints",
    "lint",
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StrictLevel {
    Off,
    Warning,
    Error,
}

impl SettingsLayer {
    /// Reads the text of a `puppet-analyzer.toml`. The error says what is wrong and where.
    pub fn from_toml(text: &str) -> Result<SettingsLayer, String> {
        let layer: SettingsLayer =
            toml::from_str(text).map_err(|error| error.to_string().trim().to_owned())?;
        layer.checked()
    }

    /// Reads what a client sends: the section, or an object with the section in it; keys in `kebab-case` or
    /// `camelCase`. Keys that are not ours (clients keep their own there) do not matter.
    pub fn from_client(value: &Value) -> Result<SettingsLayer, String> {
        let section = value.get(SECTION).unwrap_or(value);
        let Value::Object(entries) = section else {
            return if section.is_null() {
                Ok(SettingsLayer::default())
            } else {
                Err("not an object".to_owned())
            };
        };
        let ours = entries.iter().map(|(key, value)| (kebab_case(key), value.clone()));
        let ours = ours.filter(|(key, value)| KEYS.contains(&key.as_str()) && !value.is_null()).collect();
        let layer: SettingsLayer =
            serde_json::from_value(Value::Object(ours)).map_err(|error| error.to_string())?;
        layer.checked()
    }

    fn checked(self) -> Result<SettingsLayer, String> {
        match self.puppet_version {
            Some(version) if PuppetVersion::from_major(version).is_none() => {
                Err(format!("`puppet-version` is {version}, but only 7 and 8 are known"))
            }
            _ => Ok(self),
        }
    }

    /// Puts this layer on top of `config`. Relative paths are below `root` where there is one.
    fn apply(&self, config: &mut Config, root: Option<&FilePath>) {
        let Config { settings, inlay_hints } = config;
        inlay_hints.values = self.inlay_hints.values.unwrap_or(inlay_hints.values);
        inlay_hints.types = self.inlay_hints.types.unwrap_or(inlay_hints.types);
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
            settings.strict = Some(match strict {
                StrictLevel::Off => Strict::Off,
                StrictLevel::Warning => Strict::Warning,
                StrictLevel::Error => Strict::Error,
            });
        }
        if let Some(tasks) = self.tasks {
            settings.tasks = tasks;
        }
        if let Some(paths) = &self.module_path {
            settings.module_path = absolute(paths);
        }
        if let Some(paths) = &self.exclude {
            settings.excluded_paths = absolute(paths);
        }
        if !self.lint.is_empty() {
            let levels = Arc::make_mut(&mut settings.lint_levels);
            levels.extend(self.lint.iter().map(|(rule, level)| (rule.clone(), LintLevel::from(*level))));
        }
        if let Some(limit) = self.large_file_limit {
            settings.large_file_limit = limit;
        }
    }
}

/// The sources of settings, each at its last good state.
#[derive(Clone, Debug, Default)]
pub struct ConfigLayers {
    roots: BTreeMap<FilePath, SettingsLayer>,
    client: SettingsLayer,
}

impl ConfigLayers {
    /// Takes in the settings file of a root: its text, or `None` when there is none (any more). An error says why the
    /// last good state stays.
    pub fn set_root(&mut self, root: &FilePath, text: Option<&str>) -> Result<(), String> {
        match text {
            None => {
                self.roots.remove(root);
            }
            Some(text) => {
                let layer = SettingsLayer::from_toml(text)?;
                self.roots.insert(root.clone(), layer);
            }
        }
        Ok(())
    }

    /// Takes in what the client says. An error says why the last good state stays.
    pub fn set_client(&mut self, value: &Value) -> Result<(), String> {
        self.client = SettingsLayer::from_client(value)?;
        Ok(())
    }

    /// All layers on top of each other: the defaults, the roots in the order of their paths, the client.
    pub fn config(&self) -> Config {
        let mut config = Config::default();
        for (root, layer) in &self.roots {
            layer.apply(&mut config, Some(root));
        }
        self.client.apply(&mut config, None);
        config
    }
}

impl Config {
    /// What a scan of a folder has to know.
    pub(crate) fn scan_settings(&self) -> ScanSettings {
        ScanSettings {
            module_folders: self.settings.module_path.clone(),
            excluded: self.settings.excluded_paths.clone(),
        }
    }

    /// The settings for a folder as the command line sees it: its `puppet-analyzer.toml`, if there is one, on top of
    /// the defaults.
    pub fn load(folder: &Path) -> anyhow::Result<Config> {
        let file = folder.join(FILE_NAME);
        let mut config = Config::default();
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(config),
            Err(error) => anyhow::bail!("cannot read {}: {error}", file.display()),
        };
        let layer = SettingsLayer::from_toml(&text)
            .map_err(|error| anyhow::anyhow!("{} is not valid: {error}", file.display()))?;
        let root = std::path::absolute(folder).ok();
        let root = root.as_deref().and_then(Path::to_str).and_then(FilePath::from_native);
        layer.apply(&mut config, root.as_ref());
        Ok(config)
    }
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
mod tests {
    use super::*;
    use serde_json::json;

    fn root(path: &str) -> FilePath {
        FilePath::from_native(path).expect("an absolute path")
    }

    #[test]
    fn later_layers_win() {
        let mut layers = ConfigLayers::default();
        assert_eq!(layers.config(), Config::default());
        let toml = "puppet-version = 7\nstrict = 'off'\nexclude = ['vendor', '/opt/x']\n";
        assert_eq!(layers.set_root(&root("/work/a"), Some(toml)), Ok(()));
        let client = json!({ "puppet-analyzer": { "puppetVersion": 8, "trace": { "server": "off" } } });
        assert_eq!(layers.set_client(&client), Ok(()));
        let settings = layers.config().settings;
        assert_eq!(settings.puppet_version, PuppetVersion::V8);
        assert_eq!(settings.strict, Some(Strict::Off));
        assert_eq!(settings.excluded_paths, ["/work/a/vendor", "/opt/x"]);
        assert_eq!(layers.set_root(&root("/work/a"), None), Ok(()));
        assert_eq!(layers.set_client(&Value::Null), Ok(()));
        assert_eq!(layers.config(), Config::default());
    }

    #[test]
    fn inlay_hints_are_wanted_one_by_one() {
        let mut layers = ConfigLayers::default();
        assert_eq!(layers.config().inlay_hints, InlayHintSettings::default());
        assert_eq!(layers.set_root(&root("/work"), Some("[inlay-hints]\nvalues = true\n")), Ok(()));
        assert_eq!(layers.set_client(&json!({ "inlayHints": { "types": true } })), Ok(()));
        assert_eq!(layers.config().inlay_hints, InlayHintSettings { values: true, types: true });
        assert_eq!(layers.set_client(&json!({ "inlayHints": { "values": false } })), Ok(()));
        assert_eq!(layers.config().inlay_hints, InlayHintSettings { values: false, types: false });
        assert!(layers.set_client(&json!({ "inlayHints": { "colours": true } })).is_err());
    }

    #[test]
    fn an_invalid_layer_keeps_the_last_good_one() {
        let mut layers = ConfigLayers::default();
        assert_eq!(layers.set_root(&root("/work"), Some("tasks = true")), Ok(()));
        assert_eq!(layers.set_client(&json!({ "large-file-limit": 10 })), Ok(()));
        let good = layers.config();
        for text in ["tasks = 1", "task = true", "puppet-version = 6", "strict = 'very'", "tasks ="] {
            assert!(layers.set_root(&root("/work"), Some(text)).is_err(), "{text}");
        }
        for value in [json!(1), json!({ "tasks": "x" }), json!({ "puppetVersion": 3 })] {
            assert!(layers.set_client(&value).is_err(), "{value}");
        }
        assert_eq!(layers.config(), good);
    }

    #[test]
    fn keys_are_the_fields() {
        for key in KEYS {
            let error =
                SettingsLayer::from_toml(&format!("{key} = 1.5")).expect_err("no setting is a fraction");
            assert!(!error.contains("unknown field"), "{error}");
        }
    }
}
