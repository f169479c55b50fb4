//! User settings that the analysis depends on.

use std::collections::BTreeMap;
use std::sync::Arc;

use codes::Code;
use validation::{PuppetVersion, Strict};

/// Level of a rule's findings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LintLevel {
    Off,
    Hint,
    Warning,
    Error,
}

impl LintLevel {
    /// Returns the level with this name (`off`, `hint`, `warning`, `error`).
    pub fn from_name(name: &str) -> Option<LintLevel> {
        match name {
            "off" => Some(LintLevel::Off),
            "hint" => Some(LintLevel::Hint),
            "warning" => Some(LintLevel::Warning),
            "error" => Some(LintLevel::Error),
            _ => None,
        }
    }

    /// Returns the name of the level in settings.
    pub fn name(self) -> &'static str {
        match self {
            LintLevel::Off => "off",
            LintLevel::Hint => "hint",
            LintLevel::Warning => "warning",
            LintLevel::Error => "error",
        }
    }
}

/// Configured levels of rules, by code; other rules keep their own level.
pub type LintLevels = Arc<BTreeMap<String, LintLevel>>;

/// Options of rules, and the files that rules ignore.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleOptions {
    /// Number of spaces per level of indentation.
    pub chars_per_indent: u32,
    /// Top-scope variables that are not facts.
    pub top_scope_variables: Vec<String>,
    /// True if each bracket that is open at the end of a line indents the next one.
    pub indents_each_bracket: bool,
    /// Rules that are disabled in files whose path matches a pattern (`*` matches any string). The paths are
    /// absolute, with `/`.
    pub quiet: Vec<(String, Vec<Code>)>,
}

impl Default for RuleOptions {
    fn default() -> RuleOptions {
        RuleOptions {
            chars_per_indent: 2,
            top_scope_variables: Vec::new(),
            indents_each_bracket: false,
            quiet: Vec::new(),
        }
    }
}

/// Folders outside of environments where Puppet's packages look for modules.
const DEFAULT_BASE_MODULE_PATH: [&str; 2] =
    ["/etc/puppetlabs/code/modules", "/opt/puppetlabs/puppet/modules"];

/// Settings of a session. Changing one invalidates only the inputs that depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    pub puppet_version: PuppetVersion,
    /// True to report what old modules need for an upgrade to this version, as `check --upgrade-to` does.
    pub prepares_upgrade: bool,
    /// Puppet's setting `strict`; `None` for the default of `puppet_version`.
    pub strict: Option<Strict>,
    /// True if `plan` and `apply` are keywords in every manifest (Puppet's setting `tasks`). In the files of
    /// a module's `plans` folder, they always are.
    pub tasks: bool,
    /// Module path folders in addition to those of the detected layout: absolute, or relative to each root.
    pub module_path: Vec<String>,
    /// True if `module_path` replaces the module paths of the environments.
    pub module_path_is_whole: bool,
    /// Value of `$basemodulepath`: absolute folders.
    pub base_module_path: Vec<String>,
    /// Files and folders that are treated as missing: absolute, or relative to each root. Open files are
    /// never excluded.
    pub excluded_paths: Vec<String>,
    /// Maximum file size in bytes for full analysis. Larger files get syntax and outline only.
    pub large_file_limit: usize,
    /// Fact files in the format of `facter --json` or `--yaml`: absolute, or relative to each root.
    pub fact_files: Vec<String>,
    /// Levels of rules that differ from the rules' own.
    pub lint_levels: LintLevels,
    pub rule_options: Arc<RuleOptions>,
}

impl Settings {
    /// Returns the effective value of the setting `strict`.
    pub fn strict(&self) -> Strict {
        self.strict.unwrap_or(self.puppet_version.default_strict())
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            puppet_version: PuppetVersion::default(),
            prepares_upgrade: false,
            strict: None,
            tasks: false,
            module_path: Vec::new(),
            module_path_is_whole: false,
            base_module_path: DEFAULT_BASE_MODULE_PATH.map(str::to_owned).to_vec(),
            excluded_paths: Vec::new(),
            large_file_limit: 2 * 1024 * 1024,
            fact_files: Vec::new(),
            lint_levels: LintLevels::default(),
            rule_options: Arc::default(),
        }
    }
}
