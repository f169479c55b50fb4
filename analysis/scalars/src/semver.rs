//! Versions and version ranges as SemanticPuppet understands them. Specification: the chapters on `SemVer` and
//! `SemVerRange`.

mod range;

use std::cmp::Ordering;
use std::fmt;

pub use range::VersionRange;

/// A semantic version. `==` looks at everything, the order leaves the build out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Version {
    /// `u64::MAX` is infinite: the upper end of ranges that have none.
    pub major: u64,
    pub minor: u64,
    pub patch: u64,
    pub prerelease: Option<Vec<Identifier>>,
    pub build: Option<Vec<String>>,
}

/// A part of a pre-release.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Identifier {
    Number(u64),
    Text(String),
}

/// Why a text is no version or range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionError(pub String);

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for VersionError {}

impl VersionError {
    /// A text is none of what it should be, or holds a number that nobody can count to.
    fn not_a(what: &str, text: &str) -> VersionError {
        let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
        let is_large = |number: &str| number.parse().is_ok_and(|it: u64| it != u64::MAX);
        VersionError(match numbers.clone().all(is_large) {
            true => format!("'{text}' is no {what}"),
            false => format!("'{text}' holds a number that is too large for a version"),
        })
    }
}

/// Cuts `numbers[-prerelease][+build]`.
fn cut(text: &str) -> (&str, Option<&str>, Option<&str>) {
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (numbers, prerelease) = rest.split_once('-').map_or((rest, None), |(it, rest)| (it, Some(rest)));
    (numbers, prerelease, build)
}

impl Version {
    /// Before all other versions: 0.0.0 with an empty pre-release.
    pub const MIN: Version =
        Version { major: 0, minor: 0, patch: 0, prerelease: Some(Vec::new()), build: None };
    /// Behind all other versions.
    pub const MAX: Version = Version::new(u64::MAX, 0, 0);

    pub const fn new(major: u64, minor: u64, patch: u64) -> Version {
        Version { major, minor, patch, prerelease: None, build: None }
    }

    /// With a pre-release and a build that are one identifier each.
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

    /// `major.minor.patch[-prerelease][+build]`
    pub fn parse(text: &str) -> Result<Version, VersionError> {
        let error = || VersionError::not_a("semantic version", text);
        let whole = text.strip_suffix('\n').unwrap_or(text);
        let (numbers, prerelease, build) = cut(whole);
        let numbers: Vec<u64> = numbers.split('.').map(number).collect::<Option<_>>().ok_or_else(error)?;
        let [major, minor, patch] = numbers[..] else { return Err(error()) };
        let version = Version::new(major, minor, patch);
        version.with_qualifiers(prerelease, build).ok_or_else(error)
    }

    /// `None` where an identifier is malformed.
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

    /// Is it no pre-release?
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(|it| it.is_empty())
    }

    fn has_same_numbers(&self, other: &Version) -> bool {
        (self.major, self.minor, self.patch) == (other.major, other.minor, other.patch)
    }

    /// The order of versions; builds do not count.
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

/// Numbers come before texts.
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

/// A number without superfluous zeroes.
fn number(text: &str) -> Option<u64> {
    let is_plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    // The largest number stands for no end.
    let number = if is_plain { text.parse().ok() } else { None };
    number.filter(|it| *it != u64::MAX)
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn identifier(text: &str) -> Option<Identifier> {
    match text.bytes().all(|b| b.is_ascii_digit()) {
        true => number(text).map(Identifier::Number),
        false => is_identifier(text).then(|| Identifier::Text(text.to_owned())),
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
