//! Supported versions of Puppet, and the table of differences between them.

use super::Strict;

/// Version of the language: Puppet 7, Puppet 8 and OpenVox 8, or OpenVox 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PuppetVersion {
    V7,
    #[default]
    V8,
    V9,
}

impl PuppetVersion {
    pub const ALL: [PuppetVersion; 3] = [PuppetVersion::V7, PuppetVersion::V8, PuppetVersion::V9];

    /// Returns the version with this major number, if it is supported.
    pub fn from_major(major: u32) -> Option<PuppetVersion> {
        PuppetVersion::ALL.into_iter().find(|it| u32::from(it.major()) == major)
    }

    pub const fn major(self) -> u8 {
        match self {
            PuppetVersion::V7 => 7,
            PuppetVersion::V8 => 8,
            PuppetVersion::V9 => 9,
        }
    }

    /// Returns the name of the product with its major version. There is no Puppet 9.
    pub const fn product(self) -> &'static str {
        match self {
            PuppetVersion::V7 => "Puppet 7",
            PuppetVersion::V8 => "Puppet 8",
            PuppetVersion::V9 => "OpenVox 9",
        }
    }

    /// Returns the newest release, as in the fact `puppetversion`.
    pub const fn newest_release(self) -> &'static str {
        match self {
            PuppetVersion::V7 => "7.34.0",
            PuppetVersion::V8 => "8.10.0",
            PuppetVersion::V9 => "9.0.0",
        }
    }

    /// Returns true if the difference applies to this version.
    pub fn has(self, difference: VersionDifference) -> bool {
        self >= difference.since()
    }

    /// Returns the default of the setting `strict`.
    pub fn default_strict(self) -> Strict {
        if self.has(VersionDifference::StrictByDefault) { Strict::Error } else { Strict::Warning }
    }
}

/// Declares the table: each row is a difference with the version that introduced it and a description. A row
/// marked `unchecked` is not analyzed.
macro_rules! differences {
    ($($name:ident $(($unchecked:ident))? = $since:ident, $summary:literal;)*) => {
        /// Difference between two versions of Puppet.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum VersionDifference {
            $(#[doc = $summary] $name,)*
        }

        impl VersionDifference {
            pub const ALL: &[VersionDifference] = &[$(VersionDifference::$name),*];

            /// Returns the first version with the new behavior.
            pub const fn since(self) -> PuppetVersion {
                match self { $(VersionDifference::$name => PuppetVersion::$since),* }
            }

            /// Returns a description of the new behavior.
            pub const fn summary(self) -> &'static str {
                match self { $(VersionDifference::$name => $summary),* }
            }

            /// Returns true if the analysis follows the difference.
            pub const fn is_checked(self) -> bool {
                match self {
                    $($(VersionDifference::$name => { let _ = stringify!($unchecked); false })?)*
                    #[allow(unreachable_patterns, reason = "the table may have no unchecked rows")]
                    _ => true,
                }
            }
        }
    };
}

// Recorded from Puppet 7.23, OpenVox 8.28.1, and OpenVox 9.0.0-beta2 with OpenFact 6.0.0, with a program for each row:
// `tests/conformance/versions.md`.
differences! {
    StrictByDefault = V8, "the setting `strict` is `error` by default";
    StrictVariables = V8, "unknown variables are errors by default";
    LegacyFacts = V8, "agents do not send legacy facts by default";
    Hiera3 = V8, "Hiera 3 is not included";
    LiteralParameterTypes = V8, "types of class parameters must be literal";
    HashFromPairs = V8, "a hash cannot be built from arrays of one element";
    RichComparison = V8, "`max` and `min` compare timestamps, timespans, and versions by value";
    SensitiveSplit = V8, "`split` accepts a `Sensitive`";
    SensitiveRegsubst = V8, "`regsubst` accepts a `Sensitive` (since OpenVox 8.26)";
    EncodingOfRegsubst = V8, "`regsubst` warns that it ignores an encoding";
    InterpolationDefaults = V8, "an unknown variable in a path of `hiera.yaml` is an error";
    ValidateLegacy = V8, "`validate_legacy` of stdlib fails, since a deprecation is an error";
    Ruby3 = V8, "Ruby 3.2 removed methods and constants";
    Pson = V8, "the library PSON is not included";
    KeywordArguments (unchecked) = V8, "Ruby 3 separates keyword arguments from a hash";
    SafeYaml (unchecked) = V8, "`YAML.load` of Ruby 3.1 only creates basic types";
    LateDeferredFunctions (unchecked) = V8, "deferred functions are called when their resource is applied, instead of before the run";
    NoEncodingOfRegsubst = V9, "`regsubst` accepts no encoding";
    EnvironmentDataProvider = V9, "`environment_data_provider` is not a setting";
    OpenFact6 = V9, "OpenFact 6 removed options of facts";
    ServerSettings (unchecked) = V9, "the settings `configprint`, `data_binding_terminus`, and `pluginsync` of puppet.conf were removed, and `reports` is `none` by default";
    HieraTerminus (unchecked) = V9, "the indirection `hiera` and the script functions of PAL were removed from the Ruby API";
    DeferredFunctions (unchecked) = V9, "deferred functions are called before the catalog is applied, as in Puppet 7";
    ChecksumAsContent (unchecked) = V9, "the `content` of a file that looks like a checksum is written as it is";
    ZoneType (unchecked) = V9, "the type `zone` is not included";
}
