//! Settings for the strictness and the limits of an evaluation.

use validation::{PuppetVersion, Strict, VersionDifference};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvaluationSettings {
    pub version: PuppetVersion,
    pub strict: Strict,
    pub strict_variables: bool,
    pub bounds: Bounds,
    /// True to continue after errors and collect them, as editors need it.
    pub continues_after_errors: bool,
    /// True if the compiled code is part of something larger that may provide data, set variables and declare
    /// resources, such as a class of a module.
    pub is_part: bool,
    /// True if such a part declares all resources, such as a node: other code provides only data and
    /// variables.
    pub declares_all: bool,
    /// True if exported resources are stored and collected, as with PuppetDB. Otherwise, collectors of them
    /// have no effect.
    pub storeconfigs: bool,
}

/// Limits of an evaluation, which depend on the program alone, never on time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// Maximum number of evaluated expressions, plus one per 16 bytes of values created by functions and
    /// operators.
    pub steps: u64,
    /// Maximum nesting depth of calls.
    pub depth: u32,
    /// Maximum number of characters in a string, or elements in a collection.
    pub size: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: 5_000_000, depth: 256, size: 4 << 20 }
    }
}

impl EvaluationSettings {
    /// Returns the defaults of a version.
    pub fn of(version: PuppetVersion) -> EvaluationSettings {
        EvaluationSettings {
            version,
            strict: version.default_strict(),
            strict_variables: version.has(VersionDifference::StrictVariables),
            bounds: Bounds::default(),
            continues_after_errors: false,
            is_part: false,
            declares_all: false,
            storeconfigs: false,
        }
    }

    /// Returns the defaults of Puppet 8 and OpenVox 8.
    pub fn version_8() -> EvaluationSettings {
        EvaluationSettings::of(PuppetVersion::V8)
    }

    /// Returns the defaults of Puppet 7.
    pub fn version_7() -> EvaluationSettings {
        EvaluationSettings::of(PuppetVersion::V7)
    }
}
