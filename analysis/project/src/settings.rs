//! What a user may set, as far as the analysis needs to know it.

use std::collections::BTreeMap;
use std::sync::Arc;

use codes::Code;
use validation::{PuppetVersion, Strict};

/// What becomes of the findings of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LintLevel {
    Off,
    Hint,
    Warning,
    Error,
}

impl LintLevel {
    /// The level of this name (`off`, `hint`, `warning`, `error`).
    pub fn from_name(name: &str) -> Option<LintLevel> {
        match name {
            "off" => Some(LintLevel::Off),
            "hint" => Some(LintLevel::Hint),
            "warning" => Some(LintLevel::Warning),
            "error" => Some(LintLevel::Error),
            _ => None,
        }
    }

    /// As settings name it.
    pub fn name(self) -> &'static str {
        match self {
            LintLevel::Off => "off",
            LintLevel::Hint => "hint",
            LintLevel::Warning => "warning",
            LintLevel::Error => "error",
        }
    }
}

/// What the user wants of rules, by their codes; rules that are not named keep their own level.
pub type LintLevels = Arc<BTreeMap<String, LintLevel>>;

/// How rules look, and where they do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleOptions {
    /// How many blanks a level of indentation takes.
    pub chars_per_indent: u32,
    /// Variables of the top scope that are no facts.
    pub top_scope_variables: Vec<String>,
    /// Rules that find nothing in the files whose path fits a pattern (`*` is any text). The paths are absolute, with `/`.
    pub quiet: Vec<(String, Vec<Code>)>,
}

impl Default for RuleOptions {
    fn default() -> RuleOptions {
        RuleOptions { chars_per_indent: 2, top_scope_variables: Vec::new(), quiet: Vec::new() }
    }
}

/// Where Puppet's packages look for modules outside of environments.
const DEFAULT_BASE_MODULE_PATH: [&str; 2] =
    ["/etc/puppetlabs/code/modules", "/opt/puppetlabs/puppet/modules"];

/// The settings of a session. A change of one touches only the inputs that differ by it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    pub puppet_version: PuppetVersion,
    /// Puppet's setting `strict`; `None` for the default of `puppet_version`.
    pub strict: Option<Strict>,
    /// Are `plan` and `apply` keywords in every manifest (Puppet's setting `tasks`)? In the files of a module's `plans`
    /// folder they always are.
    pub tasks: bool,
    /// Module path folders beside those that the layout shows: absolute, or relative to each root.
    pub module_path: Vec<String>,
    /// Do those stand in the place of what environments say of their module paths?
    pub module_path_is_whole: bool,
    /// What `$basemodulepath` stands for: absolute folders.
    pub base_module_path: Vec<String>,
    /// Files and folders that are as good as absent: absolute, or relative to each root. Open files are never excluded.
    pub excluded_paths: Vec<String>,
    /// Files with more bytes than this get syntax and outline only.
    pub large_file_limit: usize,
    /// Files of facts as `facter --json` and `--yaml` print them: absolute, or relative to each root.
    pub fact_files: Vec<String>,
    /// Levels of rules that differ from the rules' own.
    pub lint_levels: LintLevels,
    pub rule_options: Arc<RuleOptions>,
}

impl Settings {
    /// The setting `strict` that is in force.
    pub fn strict(&self) -> Strict {
        self.strict.unwrap_or(self.puppet_version.default_strict())
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            puppet_version: PuppetVersion::default(),
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
