//! Configuration files (`hiera.yaml`): the hierarchy of data files and its order.

mod backend;
mod conversion;
mod older;
mod read;

use smol_str::SmolStr;
use syntax::TextRange;
use types::{CachedValue, HashValue};

pub use backend::{Backend, DataFunctionKind};
pub use conversion::to_version_5;
pub use read::read;

/// Folder of the environments on a server.
pub const ENVIRONMENTS: &str = "/etc/puppetlabs/code/environments/";

/// Layer that a configuration belongs to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layer {
    /// Configuration of the whole machine.
    Global,
    /// Configuration of an environment.
    Environment,
    /// Configuration of a module, for keys that begin with the module's name.
    Module(SmolStr),
}

/// Parsed configuration, as far as the file can be read.
#[derive(Clone, PartialEq, Debug)]
pub struct HieraConfig {
    pub version: i64,
    pub hierarchy: Vec<HierarchyLevel>,
    /// Hierarchy searched when no other layer has the key; only modules have one.
    pub default_hierarchy: Option<Vec<HierarchyLevel>>,
    /// Merge behavior of `hiera_hash` in version 3.
    pub merge_behavior: MergeBehavior,
    /// Findings in source order.
    pub findings: Vec<ConfigFinding>,
    /// Warnings that Puppet logs when it uses the configuration.
    pub warnings: Vec<ConfigWarning>,
}

/// Warning that Puppet logs about a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigWarning {
    /// Message, with the path of the file below the folder of the configuration.
    pub message: String,
    /// True if Puppet does not log the warning with the setting `strict = off`.
    pub unless_off: bool,
}

/// Merge behavior for hashes in version 3.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum MergeBehavior {
    #[default]
    Native,
    Deep(CachedValue<HashValue>),
    Deeper(CachedValue<HashValue>),
}

/// Problem found in a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigFinding {
    pub severity: ConfigSeverity,
    pub range: TextRange,
    pub message: String,
    /// True if the problem is the version of the file, so that a conversion solves it.
    pub is_about_version: bool,
}

impl ConfigFinding {
    /// Returns true if Puppet rejects the file.
    pub fn is_error(&self) -> bool {
        self.severity == ConfigSeverity::Error
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConfigSeverity {
    /// Possible improvement.
    Advice,
    /// Setting that Puppet ignores, or that means something other than it appears to.
    Warning,
    /// Problem that makes Puppet reject the file: no key can be looked up.
    Error,
}

/// Entry of a hierarchy.
#[derive(Clone, PartialEq, Debug)]
pub struct HierarchyLevel {
    pub name: Written,
    /// Range of the whole entry.
    pub range: TextRange,
    pub backend: Backend,
    /// Data directory: absolute, or relative to the configuration's folder. May contain interpolations.
    pub datadir: SmolStr,
    pub locations: Locations,
    pub options: CachedValue<HashValue>,
    /// Extension that older versions append to paths without one.
    pub extension: Option<SmolStr>,
}

/// String in the configuration with its location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    pub text: SmolStr,
    pub range: TextRange,
}

/// Locations where the function of a hierarchy level finds its data.
#[derive(Clone, PartialEq, Debug)]
pub enum Locations {
    /// The function needs no location.
    None,
    Paths(Vec<Written>),
    Globs(Vec<Written>),
    Uris(Vec<Written>),
    /// A variable, the name for its elements, and a path.
    Mapped([Written; 3]),
}

impl Locations {
    /// Returns the strings that may contain interpolations.
    pub fn written(&self) -> &[Written] {
        match self {
            Locations::None => &[],
            Locations::Paths(written) | Locations::Globs(written) | Locations::Uris(written) => written,
            Locations::Mapped(written) => written,
        }
    }
}

impl HieraConfig {
    /// Returns the configuration of a layer that has no file.
    pub fn default_of_layer() -> HieraConfig {
        read::default_config()
    }

    /// Returns the configuration of a layer whose data provider is a function without arguments, as before
    /// version 5.
    pub fn of_function(function: &str) -> HieraConfig {
        read::function_config(function)
    }

    /// Returns a configuration that Puppet rejects, with the reason.
    pub fn rejected(message: String) -> HieraConfig {
        let severity = ConfigSeverity::Error;
        let range = TextRange::default();
        let finding = ConfigFinding { severity, range, message, is_about_version: false };
        HieraConfig { findings: vec![finding], ..HieraConfig::default_of_layer() }
    }

    /// Returns the first problem that makes Puppet reject the file.
    pub fn error(&self) -> Option<&ConfigFinding> {
        self.findings.iter().find(|finding| finding.is_error())
    }

    /// Iterates over all entries, those of the default hierarchy last.
    pub fn levels(&self) -> impl Iterator<Item = &HierarchyLevel> {
        self.hierarchy.iter().chain(self.default_hierarchy.iter().flatten())
    }
}
