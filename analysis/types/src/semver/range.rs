//! Sets of versions: `>=1.2.0 <2.0.0`, `1.x`, `~1.2`, `^1`, `1.0.0 - 2.0.0`, `a || b`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Version, VersionError};

/// A set of versions. Prints as it was written; equal when it holds the same simple ranges.
#[derive(Clone, Debug)]
pub struct VersionRange {
    ranges: Box<[Simple]>,
    text: Box<str>,
}

/// From a lower to an upper bound.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Simple {
    lower: Bound,
    upper: Bound,
    /// Written as one version.
    is_exact: bool,
    /// `*`: pre-releases belong to it, too.
    is_all: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Bound {
    version: Version,
    excludes: bool,
}

impl VersionRange {
    /// From one version to another.
    pub fn new(min: Version, max: Version, excludes_max: bool) -> VersionRange {
        // The original shows the two the wrong way round.
        let text = match excludes_max {
            true => format!(">={max} <{min}"),
            false => format!("{max} - {min}"),
        };
        let simple = Simple::at_least(min).intersect(&Simple::up_to(max, excludes_max));
        VersionRange::of(simple.into_iter().collect(), Some(&text))
    }

    /// From one version to another; `None` is no limit.
    pub fn from_limits(min: Option<Version>, max: Option<Version>, excludes_max: bool) -> VersionRange {
        VersionRange::new(min.unwrap_or(Version::MIN), max.unwrap_or(Version::MAX), excludes_max)
    }

    /// A range as people write it.
    pub fn parse(text: &str) -> Result<VersionRange, VersionError> {
        let error = || VersionError(format!("'{text}' is no range of versions"));
        let tight = without_blanks_behind_operators(text);
        let parts: Vec<&str> = tight.split("||").map(str::trim).collect();
        if tight.trim().is_empty() {
            return Ok(VersionRange { ranges: [Simple::all()].into(), text: "*".into() });
        }
        let mut ranges: Vec<Simple> = Vec::new();
        for part in parts {
            if let Some(range) = parse_part(part).ok_or_else(error)?
                && !ranges.contains(&range)
            {
                ranges.push(range);
            }
        }
        Ok(VersionRange::of(ranges, Some(text)))
    }

    /// The union of all, as few ranges as possible, for `SemVer[...]`.
    pub fn merge_all(ranges: Vec<VersionRange>) -> Vec<VersionRange> {
        let mut merged = ranges;
        'again: loop {
            for first in 0..merged.len() {
                for second in first + 1..merged.len() {
                    if let Some(both) = merged[first].merge(&merged[second]) {
                        merged[first] = both;
                        merged.remove(second);
                        continue 'again;
                    }
                }
            }
            return merged;
        }
    }

    fn merge(&self, other: &VersionRange) -> Option<VersionRange> {
        let ([mine], [theirs]) = (&*self.ranges, &*other.ranges) else { return None };
        let touches = self.includes(&theirs.lower.version) || other.includes(&mine.lower.version);
        let follows = mine.upper.excludes && mine.upper.version == theirs.lower.version
            || theirs.upper.excludes && theirs.upper.version == mine.lower.version;
        if !touches && !follows {
            return None;
        }
        let lower = match mine.lower.version.compare(&theirs.lower.version) {
            Ordering::Greater => &theirs.lower,
            _ => &mine.lower,
        };
        let upper = match mine.upper.version.compare(&theirs.upper.version) {
            Ordering::Less => theirs.upper.clone(),
            Ordering::Greater => mine.upper.clone(),
            Ordering::Equal => Bound {
                version: mine.upper.version.clone(),
                excludes: mine.upper.excludes && theirs.upper.excludes,
            },
        };
        Some(VersionRange::new(lower.version.clone(), upper.version, upper.excludes))
    }

    fn of(ranges: Vec<Simple>, text: Option<&str>) -> VersionRange {
        let mut ranges = merge_simple(ranges);
        if ranges.is_empty() {
            ranges.push(Simple::nothing());
        }
        let text = match text {
            Some(text) => text.to_owned(),
            None => ranges.iter().map(Simple::to_string).collect::<Vec<_>>().join(" || "),
        };
        VersionRange { ranges: ranges.into(), text: text.into() }
    }

    /// Is a version in it? Pre-releases are in a range only when it names one of the same version.
    pub fn includes(&self, version: &Version) -> bool {
        self.ranges.iter().any(|range| {
            range.includes(version) && (version.is_stable() || range.names_prerelease_of(version))
        })
    }

    /// The lower end; `None` where it consists of several ranges.
    pub fn min(&self) -> Option<&Version> {
        self.single().map(|range| &range.lower.version)
    }

    /// The upper end; `None` where it consists of several ranges.
    pub fn max(&self) -> Option<&Version> {
        self.single().map(|range| &range.upper.version)
    }

    /// Does the upper end not belong to it?
    pub fn excludes_max(&self) -> bool {
        self.single().is_some_and(|range| range.upper.excludes)
    }

    /// Is no version in it?
    pub fn is_empty(&self) -> bool {
        *self.ranges == [Simple::nothing()]
    }

    fn single(&self) -> Option<&Simple> {
        match &*self.ranges {
            [range] => Some(range),
            _ => None,
        }
    }

    /// What is in both.
    pub fn intersection(&self, other: &VersionRange) -> VersionRange {
        let mut both: Vec<Simple> = Vec::new();
        for mine in &self.ranges {
            for range in other.ranges.iter().filter_map(|theirs| mine.intersect(theirs)) {
                if !both.contains(&range) {
                    both.push(range);
                }
            }
        }
        VersionRange::of(both, None)
    }
}

impl PartialEq for VersionRange {
    fn eq(&self, other: &VersionRange) -> bool {
        self.ranges == other.ranges
    }
}

impl Eq for VersionRange {}

impl Hash for VersionRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ranges.hash(state);
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Simple {
    fn new(lower: Bound, upper: Bound) -> Simple {
        Simple { lower, upper, is_exact: false, is_all: false }
    }

    fn all() -> Simple {
        Simple { is_all: true, ..Simple::at_least(Version::MIN) }
    }

    fn nothing() -> Simple {
        Simple::up_to(Version::MIN, true)
    }

    fn exactly(version: Version) -> Simple {
        let bound = Bound { version, excludes: false };
        Simple { is_exact: true, ..Simple::new(bound.clone(), bound) }
    }

    fn at_least(version: Version) -> Simple {
        Simple::new(Bound { version, excludes: false }, Bound { version: Version::MAX, excludes: false })
    }

    fn above(version: Version) -> Simple {
        Simple::new(Bound { version, excludes: true }, Bound { version: Version::MAX, excludes: false })
    }

    fn up_to(version: Version, excludes: bool) -> Simple {
        Simple::new(Bound { version: Version::MIN, excludes: false }, Bound { version, excludes })
    }

    fn between(min: Version, below: Version) -> Simple {
        Simple::new(Bound { version: min, excludes: false }, Bound { version: below, excludes: true })
    }

    fn includes(&self, version: &Version) -> bool {
        let above = match version.compare(&self.lower.version) {
            Ordering::Less => self.lower.version == Version::MIN,
            Ordering::Equal => !self.lower.excludes,
            Ordering::Greater => true,
        };
        let below = match version.compare(&self.upper.version) {
            Ordering::Less => true,
            Ordering::Equal => !self.upper.excludes,
            Ordering::Greater => false,
        };
        above && below && (!self.is_exact || *version == self.lower.version)
    }

    fn names_prerelease_of(&self, version: &Version) -> bool {
        let names = |bound: &Bound| !bound.version.is_stable() && bound.version.has_same_numbers(version);
        self.is_all || names(&self.lower) || names(&self.upper)
    }

    fn intersect(&self, other: &Simple) -> Option<Simple> {
        if self.is_all {
            return Some(other.clone());
        }
        if other.is_all {
            return Some(self.clone());
        }
        let lower = match self.lower.version.compare(&other.lower.version) {
            Ordering::Less => &other.lower,
            Ordering::Greater => &self.lower,
            Ordering::Equal if self.lower.excludes => &self.lower,
            Ordering::Equal => &other.lower,
        };
        let upper = match self.upper.version.compare(&other.upper.version) {
            Ordering::Greater => &other.upper,
            Ordering::Less => &self.upper,
            Ordering::Equal if self.upper.excludes => &self.upper,
            Ordering::Equal => &other.upper,
        };
        match lower.version.compare(&upper.version) {
            Ordering::Greater => None,
            Ordering::Equal if lower.excludes || upper.excludes => None,
            Ordering::Equal => Some(Simple::exactly(lower.version.clone())),
            Ordering::Less => Some(Simple::new(lower.clone(), upper.clone())),
        }
    }

    /// One range for both, if they overlap or one follows the other.
    fn merge(&self, other: &Simple) -> Option<Simple> {
        if self.is_all || other.is_all {
            return Some(Simple::all());
        }
        let follows = |first: &Simple, second: &Simple| {
            let end = &first.upper.version;
            let next = Version::new(end.major, end.minor, end.patch.saturating_add(1));
            !second.lower.excludes
                && (first.upper.excludes && *end == second.lower.version
                    || !first.upper.excludes && next == second.lower.version)
        };
        let overlap = self.includes(&other.lower.version) || other.includes(&self.lower.version);
        if !overlap && !follows(self, other) && !follows(other, self) {
            return None;
        }
        let lower = match self.lower.version.compare(&other.lower.version) {
            Ordering::Less => self.lower.clone(),
            Ordering::Greater => other.lower.clone(),
            Ordering::Equal => {
                Bound { excludes: self.lower.excludes && other.lower.excludes, ..self.lower.clone() }
            }
        };
        let upper = match self.upper.version.compare(&other.upper.version) {
            Ordering::Greater => self.upper.clone(),
            Ordering::Less => other.upper.clone(),
            Ordering::Equal => {
                Bound { excludes: self.upper.excludes && other.upper.excludes, ..self.upper.clone() }
            }
        };
        Some(Simple::new(lower, upper))
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_all {
            return f.write_str("*");
        }
        if self.is_exact {
            return self.lower.version.fmt(f);
        }
        let has_lower = self.lower.excludes || self.lower.version != Version::MIN;
        let has_upper = self.upper.excludes || self.upper.version != Version::MAX;
        if has_lower || !has_upper {
            write!(f, "{}{}", if self.lower.excludes { ">" } else { ">=" }, self.lower.version)?;
        }
        if has_lower && has_upper {
            f.write_str(" ")?;
        }
        if has_upper {
            write!(f, "{}{}", if self.upper.excludes { "<" } else { "<=" }, self.upper.version)?;
        }
        Ok(())
    }
}

fn merge_simple(mut ranges: Vec<Simple>) -> Vec<Simple> {
    'again: loop {
        for first in 0..ranges.len() {
            for second in first + 1..ranges.len() {
                if let Some(both) = ranges[first].merge(&ranges[second]) {
                    ranges[first] = both;
                    ranges.remove(second);
                    continue 'again;
                }
            }
        }
        return ranges;
    }
}

/// `>= 1.0`, `>=v1.0` as `>=1.0`.
fn without_blanks_behind_operators(text: &str) -> String {
    let mut tight = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        tight.push(c);
        if matches!(c, '>' | '<' | '=' | '~' | '^') {
            let behind = rest.trim_start();
            rest = match behind.strip_prefix('v') {
                Some(version) => version,
                None => behind,
            };
        }
    }
    tight
}

/// A part between `||`; `Some(None)` is a range with nothing in it.
fn parse_part(part: &str) -> Option<Option<Simple>> {
    let words: Vec<&str> = part.split_whitespace().collect();
    if let [from, "-", to] = words[..] {
        let lower = Simple::at_least(Partial::parse(from)?.lowest());
        return Some(lower.intersect(&Simple::up_to(Partial::parse(to)?.lowest(), false)));
    }
    let mut all: Option<Option<Simple>> = None;
    for word in words {
        let next = parse_simple(word)?;
        all = Some(match all {
            None => Some(next),
            Some(known) => known.and_then(|known| known.intersect(&next)),
        });
    }
    all
}

fn parse_simple(word: &str) -> Option<Simple> {
    let operators = ["~>", "~=", ">=", "<=", "~", "^", ">", "<", "="];
    let operator = operators.into_iter().find(|operator| word.starts_with(operator)).unwrap_or("");
    let partial = Partial::parse(&word[operator.len()..])?;
    let Partial { major, minor, patch, .. } = partial;
    let simple = match (operator, major, minor, patch) {
        (">=", ..) => Simple::at_least(partial.lowest()),
        ("<", ..) => Simple::up_to(partial.lowest(), true),
        (">", None, ..) => Simple::nothing(),
        (">", Some(major), None, _) => Simple::at_least(Version::new(major + 1, 0, 0)),
        (">", Some(major), Some(minor), None) => Simple::at_least(Version::new(major, minor + 1, 0)),
        (">", ..) => Simple::above(partial.lowest()),
        (_, None, ..) => Simple::all(),
        ("<=", Some(major), None, _) => Simple::up_to(Version::new(major + 1, 0, 0), true),
        ("<=", Some(major), Some(minor), None) => Simple::up_to(Version::new(major, minor + 1, 0), true),
        ("<=", ..) => Simple::up_to(partial.lowest(), false),
        ("^", Some(major), ..) if major > 0 => {
            Simple::between(partial.lowest(), Version::new(major + 1, 0, 0))
        }
        (_, Some(major), None, _) => {
            Simple::between(Version::new(major, 0, 0), Version::new(major + 1, 0, 0))
        }
        (_, Some(major), Some(minor), None) => {
            Simple::between(Version::new(major, minor, 0), Version::new(major, minor + 1, 0))
        }
        ("~" | "~>" | "~=" | "^", Some(major), Some(minor), Some(_)) => {
            Simple::between(partial.lowest(), Version::new(major, minor + 1, 0))
        }
        _ => Simple::exactly(partial.lowest()),
    };
    Some(simple)
}

/// A version of which parts may be missing or `x`.
struct Partial {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    full: Version,
}

impl Partial {
    fn parse(text: &str) -> Option<Partial> {
        let (rest, build) = match text.split_once('+') {
            Some((rest, build)) => (rest, Some(build)),
            None => (text, None),
        };
        let (numbers, prerelease) = match rest.split_once('-') {
            Some((numbers, prerelease)) => (numbers, Some(prerelease)),
            None => (rest, None),
        };
        let mut parts = Vec::new();
        for part in numbers.split('.') {
            parts.push(match part {
                "x" | "X" | "*" => None,
                part => Some(super::number(part)?),
            });
        }
        if parts.len() > 3 || (prerelease.is_some() || build.is_some()) && parts.len() != 3 {
            return None;
        }
        let part = |index: usize| parts.get(index).copied().flatten();
        let (major, minor, patch) = (part(0), part(1), part(2));
        let numbers = Version::new(major.unwrap_or(0), minor.unwrap_or(0), patch.unwrap_or(0));
        let full = numbers.with_qualifiers(prerelease, build)?;
        let minor = major.and(minor);
        Some(Partial { major, minor, patch: minor.and(patch), full })
    }

    fn lowest(&self) -> Version {
        self.full.clone()
    }
}
