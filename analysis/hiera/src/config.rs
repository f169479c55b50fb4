//! `hiera.yaml`: which data files there are, in which order.

mod older;
mod read;

use smol_str::SmolStr;
use syntax::TextRange;
use types::{HashValue, Remembered};

pub use read::read;

/// Which of the three configurations it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layer {
    /// The whole machine's.
    Global,
    /// An environment's.
    Environment,
    /// A module's, for keys that begin with its name.
    Module(SmolStr),
}

/// A configuration, as far as it can be read.
#[derive(Clone, PartialEq, Debug)]
pub struct HieraConfig {
    pub version: i64,
    pub hierarchy: Vec<HierarchyLevel>,
    /// Searched when nothing else has a key; in modules only.
    pub default_hierarchy: Option<Vec<HierarchyLevel>>,
    /// How version 3 merges what `hiera_hash` finds.
    pub merge_behavior: MergeBehavior,
    /// In the order of the text.
    pub findings: Vec<ConfigFinding>,
}

/// How hashes are merged by version 3.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum MergeBehavior {
    #[default]
    Native,
    Deep(Remembered<HashValue>),
    Deeper(Remembered<HashValue>),
}

/// Something about a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigFinding {
    pub severity: ConfigSeverity,
    pub range: TextRange,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConfigSeverity {
    /// What could be better.
    Advice,
    /// Puppet ignores it, or what it means is not what is written.
    Warning,
    /// Puppet refuses the file: no key can be looked up.
    Error,
}

/// An entry of a hierarchy.
#[derive(Clone, PartialEq, Debug)]
pub struct HierarchyLevel {
    pub name: Written,
    /// The whole entry.
    pub range: TextRange,
    pub provider: DataProvider,
    pub function: SmolStr,
    /// Below the configuration's folder, or absolute; may hold interpolations.
    pub datadir: SmolStr,
    pub locations: Locations,
    pub options: Remembered<HashValue>,
    /// What paths without it get behind them, in older versions.
    pub extension: Option<SmolStr>,
}

/// A text of the configuration, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    pub text: SmolStr,
    pub range: TextRange,
}

/// What kind of function gives the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataProvider {
    /// All of a file at once.
    DataHash,
    /// One key.
    LookupKey,
    /// One key with the way into it.
    DataDig,
    /// A back end of Hiera 3.
    Hiera3,
}

/// Where the data is.
#[derive(Clone, PartialEq, Debug)]
pub enum Locations {
    /// The function needs no place.
    None,
    Paths(Vec<Written>),
    Globs(Vec<Written>),
    Uris(Vec<Written>),
    /// A variable, the name of its elements, and a path.
    Mapped([Written; 3]),
}

impl Locations {
    /// The texts in which variables may be interpolated.
    pub fn written(&self) -> &[Written] {
        match self {
            Locations::None => &[],
            Locations::Paths(written) | Locations::Globs(written) | Locations::Uris(written) => written,
            Locations::Mapped(written) => written,
        }
    }
}

impl HieraConfig {
    /// The configuration that holds where there is a layer without a file.
    pub fn default_of_layer() -> HieraConfig {
        read::default_config()
    }

    /// Why Puppet refuses the file.
    pub fn error(&self) -> Option<&ConfigFinding> {
        self.findings.iter().find(|finding| finding.severity == ConfigSeverity::Error)
    }

    /// All entries, those of the default hierarchy last.
    pub fn levels(&self) -> impl Iterator<Item = &HierarchyLevel> {
        self.hierarchy.iter().chain(self.default_hierarchy.iter().flatten())
    }
}
