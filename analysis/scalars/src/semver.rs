//! Versions and version ranges with the semantics of SemanticPuppet. See "SemVer" and "SemVerRange" in the
//! Puppet specification.

mod range;

use std::cmp::Ordering;
use std::fmt;

pub use range::VersionRange;

/// Semantic version. `==` compares everything, the ordering ignores the build.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Version {
    /// Major version. `u64::MAX` means infinity, the upper end of unlimited ranges.
    pub major: u64,
    pub minor: u64,
    pub patch: u64,
    pub prerelease: Option<Vec<Identifier>>,
    pub build: Option<Vec<String>>,
}

/// Identifier in a pre-release or build.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Identifier {
    Number(u64),
    Text(String),
}

/// Error of a string that is not a version or range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionError(pub String);

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for VersionError {}

impl VersionError {
    /// Creates the error for a string with invalid syntax or with a number that is too large.
    fn not_a(what: &str, text: &str) -> VersionError {
        let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
        let is_large = |number: &str| number.parse().is_ok_and(|it: u64| it != u64::MAX);
        VersionError(if numbers.clone().all(is_large) {
            format!("invalid {what} `{text}`")
        } else {
            format!("number in {what} `{text}` is too large")
        })
    }
}

/// Splits `numbers[-prerelease][+build]`.
fn split_version(text: &str) -> (&str, Option<&str>, Option<&str>) {
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (numbers, prerelease) = rest.split_once('-').map_or((rest, None), |(it, rest)| (it, Some(rest)));
    (numbers, prerelease, build)
}

impl Version {
    /// Smallest version: 0.0.0 with an empty pre-release.
    pub const MIN: Version =
        Version { major: 0, minor: 0, patch: 0, prerelease: Some(Vec::new()), build: None };
    /// Greatest version.
    pub const MAX: Version = Version::new(u64::MAX, 0, 0);

    pub const fn new(major: u64, minor: u64, patch: u64) -> Version {
        Version { major, minor, patch, prerelease: None, build: None }
    }

    /// Creates a version whose pre-release and build are single identifiers.
    pub fn from_parts(
        major: u64,
        minor: u64,
        patch: u64,
        prerelease: Option<String>,
        build: Option<String>,
    ) -> Version {
        Version {
            prerelease: prerelease.map(|text| vec![Identifier::Text(text)]),
            build: build.map(|text| vec![text]),
            ..Version::new(major, minor, patch)
        }
    }

    /// Parses `major.minor.patch[-prerelease][+build]`.
    pub fn parse(text: &str) -> Result<Version, VersionError> {
        let error = || VersionError::not_a("semantic version", text);
        let whole = text.strip_suffix('\n').unwrap_or(text);
        let (numbers, prerelease, build) = split_version(whole);
        let numbers: Vec<u64> = numbers.split('.').map(number).collect::<Option<_>>().ok_or_else(error)?;
        let [major, minor, patch] = numbers[..] else { return Err(error()) };
        let version = Version::new(major, minor, patch);
        version.with_qualifiers(prerelease, build).ok_or_else(error)
    }

    /// Adds pre-release and build. Returns `None` if an identifier is malformed.
    fn with_qualifiers(self, prerelease: Option<&str>, build: Option<&str>) -> Option<Version> {
        let prerelease = match prerelease {
            Some(text) => Some(text.split('.').map(identifier).collect::<Option<_>>()?),
            None => None,
        };
        let build = match build {
            Some(text) => {
                let parts = text.split('.').map(|part| is_identifier(part).then(|| part.to_owned()));
                Some(parts.collect::<Option<_>>()?)
            }
            None => None,
        };
        Some(Version { prerelease, build, ..self })
    }

    /// Returns true unless the version is a pre-release.
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(|it| it.is_empty())
    }

    fn has_same_numbers(&self, other: &Version) -> bool {
        (self.major, self.minor, self.patch) == (other.major, other.minor, other.patch)
    }

    /// Compares two versions, ignoring builds.
    pub fn compare(&self, other: &Version) -> Ordering {
        let numbers = |it: &Version| (it.major, it.minor, it.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| match (&self.prerelease, &other.prerelease) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(mine), Some(theirs)) => mine.cmp(theirs),
        })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.compare(other))
    }
}

/// Orders numbers before strings.
impl Ord for Identifier {
    fn cmp(&self, other: &Identifier) -> Ordering {
        match (self, other) {
            (Identifier::Number(mine), Identifier::Number(theirs)) => mine.cmp(theirs),
            (Identifier::Number(_), Identifier::Text(_)) => Ordering::Less,
            (Identifier::Text(_), Identifier::Number(_)) => Ordering::Greater,
            (Identifier::Text(mine), Identifier::Text(theirs)) => mine.cmp(theirs),
        }
    }
}

impl PartialOrd for Identifier {
    fn partial_cmp(&self, other: &Identifier) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Parses a number without leading zeros.
fn number(text: &str) -> Option<u64> {
    let is_plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    // The largest number means infinity.
    let number = if is_plain { text.parse().ok() } else { None };
    number.filter(|it| *it != u64::MAX)
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn identifier(text: &str) -> Option<Identifier> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        number(text).map(Identifier::Number)
    } else {
        is_identifier(text).then(|| Identifier::Text(text.to_owned()))
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identifier::Number(number) => number.fmt(f),
            Identifier::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.major {
            u64::MAX => f.write_str("Infinity")?,
            major => write!(f, "{major}")?,
        }
        write!(f, ".{}.{}", self.minor, self.patch)?;
        if self.prerelease.as_ref().is_some_and(Vec::is_empty) {
            f.write_str("-")?;
        }
        for (index, part) in self.prerelease.iter().flatten().enumerate() {
            f.write_str(if index == 0 { "-" } else { "." })?;
            part.fmt(f)?;
        }
        for (index, part) in self.build.iter().flatten().enumerate() {
            write!(f, "{}{part}", if index == 0 { "+" } else { "." })?;
        }
        Ok(())
    }
}
