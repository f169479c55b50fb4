//! What decides how strict evaluation is, and how much of it there may be.

use validation::PuppetVersion;
use validation::Strict;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvaluationSettings {
    pub version: PuppetVersion,
    pub strict: Strict,
    pub strict_variables: bool,
    pub bounds: Bounds,
    /// Go on behind errors, and collect them: what an editor wants.
    pub goes_on: bool,
    /// Is what is compiled a part of something larger, which may give parameters data, set variables and declare resources?
    /// So it is for a class of a module.
    pub is_part: bool,
    /// Does such a part declare all resources that there are? So it is for a node: others give it data and variables only.
    pub declares_all: bool,
}

/// Limits that depend on the program alone, never on time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// Expressions evaluated, plus one for each 16 bytes of values that functions and operators make.
    pub steps: u64,
    /// Calls inside calls.
    pub depth: u32,
    /// Characters of a text, elements of a collection.
    pub size: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: 5_000_000, depth: 256, size: 4 << 20 }
    }
}

impl EvaluationSettings {
    /// The defaults of Puppet 8 and OpenVox 8.
    pub fn version_8() -> EvaluationSettings {
        EvaluationSettings {
            version: PuppetVersion::V8,
            strict: Strict::Error,
            strict_variables: true,
            bounds: Bounds::default(),
            goes_on: false,
            is_part: false,
            declares_all: false,
        }
    }

    /// The defaults of Puppet 7.
    pub fn version_7() -> EvaluationSettings {
        EvaluationSettings {
            version: PuppetVersion::V7,
            strict: Strict::Warning,
            strict_variables: false,
            ..EvaluationSettings::version_8()
        }
    }
}
