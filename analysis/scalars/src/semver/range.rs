//! Version ranges: `>=1.2.0 <2.0.0`, `1.x`, `~1.2`, `^1`, `1.0.0 - 2.0.0`, `a || b`.

mod parse;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Version, VersionError};

static MIN: Version = Version::MIN;
static MAX: Version = Version::MAX;

/// Set of versions. Prints as it was written; equality compares the simple ranges in it.
#[derive(Clone, Debug)]
pub struct VersionRange {
    ranges: Box<[Simple]>,
    text: Box<str>,
}

/// Condition of a single operator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Comparator {
    /// `*`, which includes pre-releases.
    All,
    Greater(Version),
    AtLeast(Version),
    Less(Version),
    AtMost(Version),
    Exactly(Version),
}

/// Contiguous range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Simple {
    One(Comparator),
    /// Intersection of two comparators.
    Both(Comparator, Comparator),
}

/// Returns the error for a union of two ranges with the same end, on which Puppet crashes.
fn same_end() -> VersionError {
    VersionError("version ranges with the same end cannot be merged".to_owned())
}

impl VersionRange {
    /// Creates a range between two versions.
    pub fn new(min: Version, max: Version, excludes_max: bool) -> VersionRange {
        // SemanticPuppet swaps the two notations.
        let text = if excludes_max { format!(">={max} <{min}") } else { format!("{max} - {min}") };
        let upper = if excludes_max { Comparator::Less(max) } else { Comparator::AtMost(max) };
        let simple = Simple::One(Comparator::AtLeast(min)).intersection(&Simple::One(upper));
        let ranges = [simple.unwrap_or_else(Simple::nothing)].into();
        VersionRange { ranges, text: text.into() }
    }

    /// Creates a range between two versions; `None` means "no limit".
    pub fn from_limits(min: Option<Version>, max: Option<Version>, excludes_max: bool) -> VersionRange {
        VersionRange::new(min.unwrap_or(Version::MIN), max.unwrap_or(Version::MAX), excludes_max)
    }

    /// Parses a range.
    ///
    /// # Errors
    /// If the syntax is invalid, or Puppet fails to create the range.
    pub fn parse(text: &str) -> Result<VersionRange, VersionError> {
        match parse::parse(text)? {
            Some(ranges) => VersionRange::of(ranges, Some(text)),
            None => Ok(VersionRange { ranges: [Simple::One(Comparator::All)].into(), text: "*".into() }),
        }
    }

    /// Merges ranges into the smallest number of ranges for `SemVer[...]`. Ranges with gaps are left
    /// unchanged.
    pub fn merge_all(ranges: Vec<VersionRange>) -> Vec<VersionRange> {
        let (mut left, mut merged) = (ranges, Vec::new());
        while let Some(last) = left.pop() {
            let mut separate = Vec::new();
            let mut union = last;
            for range in left {
                match union.merge(&range) {
                    Some(both) => union = both,
                    None => separate.push(range),
                }
            }
            merged.push(union);
            left = separate;
        }
        merged.reverse();
        merged
    }

    fn merge(&self, other: &VersionRange) -> Option<VersionRange> {
        let (mine, theirs) = (self.single()?, other.single()?);
        let (my_end, their_end) = (mine.end(), theirs.end());
        let new = |begin: &Version, end: &Version, excludes| {
            Some(VersionRange::new(begin.clone(), end.clone(), excludes))
        };
        if self.includes(theirs.begin()) || other.includes(mine.begin()) {
            let order = my_end.compare(their_end);
            // Two distinct excluded ends are merged to an included one.
            let excludes_end = match order {
                Ordering::Greater => mine.excludes_end(),
                Ordering::Less => theirs.excludes_end() && !mine.excludes_end(),
                Ordering::Equal => mine.excludes_end() && theirs.excludes_end(),
            };
            let end = if order == Ordering::Less { their_end } else { my_end };
            let begins_later = mine.begin().compare(theirs.begin()) == Ordering::Greater;
            return new(if begins_later { theirs.begin() } else { mine.begin() }, end, excludes_end);
        }
        if mine.excludes_end() && my_end == theirs.begin() {
            return new(mine.begin(), their_end, theirs.excludes_end());
        }
        if theirs.excludes_end() && their_end == mine.begin() {
            return new(theirs.begin(), my_end, mine.excludes_end());
        }
        None
    }

    fn of(ranges: Vec<Simple>, text: Option<&str>) -> Result<VersionRange, VersionError> {
        let mut ranges = merge_simple(ranges)?;
        if ranges.is_empty() {
            ranges.push(Simple::nothing());
        }
        let text = match text {
            Some(text) => text.to_owned(),
            None => joined(&ranges),
        };
        Ok(VersionRange { ranges: ranges.into(), text: text.into() })
    }

    /// Returns true if the range includes the version. Pre-releases are included only if the range names a
    /// pre-release of the same version.
    pub fn includes(&self, version: &Version) -> bool {
        self.ranges.iter().any(|range| {
            range.includes(version) && (version.is_stable() || range.names_prerelease_of(version))
        })
    }

    /// Returns the lower end, or `None` if there are several simple ranges.
    pub fn min(&self) -> Option<&Version> {
        self.single().map(Simple::begin)
    }

    /// Returns the upper end, or `None` if there are several simple ranges.
    pub fn max(&self) -> Option<&Version> {
        self.single().map(Simple::end)
    }

    /// Returns true if the upper end is excluded.
    pub fn excludes_max(&self) -> bool {
        self.single().is_some_and(Simple::excludes_end)
    }

    /// Returns true if the range contains no versions.
    pub fn is_empty(&self) -> bool {
        *self.ranges == [Simple::nothing()]
    }

    /// Formats the simple ranges in canonical notation: `>=1.0.0 <2.0.0` for `1.x`.
    pub fn to_canonical_text(&self) -> String {
        joined(&self.ranges)
    }

    fn single(&self) -> Option<&Simple> {
        match &*self.ranges {
            [range] => Some(range),
            _ => None,
        }
    }

    /// Returns the intersection of two ranges.
    pub fn intersection(&self, other: &VersionRange) -> VersionRange {
        let mut both: Vec<Simple> = Vec::new();
        for mine in &self.ranges {
            for range in other.ranges.iter().filter_map(|theirs| mine.intersection(theirs)) {
                if !both.contains(&range) {
                    both.push(range);
                }
            }
        }
        // Ranges that cannot be merged are kept separate.
        VersionRange::of(both.clone(), None).unwrap_or_else(|_| {
            let text = joined(&both).into();
            VersionRange { ranges: both.into(), text }
        })
    }
}

impl VersionRange {
    /// Formats the range with comparison operators, as `%p` prints it: `>=1.0.0 <2.0.0` for `1.x`.
    pub fn to_comparison_text(&self) -> String {
        joined(&self.ranges)
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

impl Comparator {
    fn begin(&self) -> &Version {
        match self {
            Comparator::Greater(version) | Comparator::AtLeast(version) | Comparator::Exactly(version) => {
                version
            }
            Comparator::All | Comparator::Less(_) | Comparator::AtMost(_) => &MIN,
        }
    }

    fn end(&self) -> &Version {
        match self {
            Comparator::Less(version) | Comparator::AtMost(version) | Comparator::Exactly(version) => version,
            Comparator::All | Comparator::Greater(_) | Comparator::AtLeast(_) => &MAX,
        }
    }

    fn has_lower_bound(&self) -> bool {
        match self {
            Comparator::Greater(_) => true,
            Comparator::AtLeast(version) | Comparator::Exactly(version) => *version != MIN,
            Comparator::All | Comparator::Less(_) | Comparator::AtMost(_) => false,
        }
    }

    fn has_upper_bound(&self) -> bool {
        match self {
            Comparator::Less(_) => true,
            Comparator::AtMost(version) | Comparator::Exactly(version) => *version != MAX,
            Comparator::All | Comparator::Greater(_) | Comparator::AtLeast(_) => false,
        }
    }

    fn includes(&self, version: &Version) -> bool {
        match self {
            Comparator::All => true,
            Comparator::Greater(limit) => version.compare(limit) == Ordering::Greater,
            Comparator::AtLeast(limit) => version.compare(limit) != Ordering::Less,
            Comparator::Less(limit) => version.compare(limit) == Ordering::Less,
            Comparator::AtMost(limit) => version.compare(limit) != Ordering::Greater,
            Comparator::Exactly(exact) => version == exact,
        }
    }

    fn names_prerelease_of(&self, version: &Version) -> bool {
        let named = match self {
            Comparator::All => return true,
            Comparator::Greater(named) | Comparator::AtLeast(named) | Comparator::Less(named) => named,
            Comparator::AtMost(named) | Comparator::Exactly(named) => named,
        };
        !named.is_stable() && named.has_same_numbers(version)
    }
}

impl Simple {
    fn nothing() -> Simple {
        Simple::One(Comparator::Less(Version::MIN))
    }

    fn lower(&self) -> &Comparator {
        let (Simple::One(lower) | Simple::Both(lower, _)) = self;
        lower
    }

    fn upper(&self) -> &Comparator {
        let (Simple::One(upper) | Simple::Both(_, upper)) = self;
        upper
    }

    fn begin(&self) -> &Version {
        self.lower().begin()
    }

    fn end(&self) -> &Version {
        self.upper().end()
    }

    fn excludes_begin(&self) -> bool {
        matches!(self.lower(), Comparator::Greater(_))
    }

    fn excludes_end(&self) -> bool {
        matches!(self.upper(), Comparator::Less(_))
    }

    fn includes(&self, version: &Version) -> bool {
        self.lower().includes(version) && self.upper().includes(version)
    }

    fn names_prerelease_of(&self, version: &Version) -> bool {
        self.lower().names_prerelease_of(version) || self.upper().names_prerelease_of(version)
    }

    /// Returns the intersection, composed of the same comparators.
    fn intersection(&self, other: &Simple) -> Option<Simple> {
        if *self == Simple::One(Comparator::All) {
            return Some(other.clone());
        }
        for (first, second) in [(self, other), (other, self)] {
            match first.begin().compare(second.end()) {
                Ordering::Greater => return None,
                Ordering::Equal if first.excludes_begin() || second.excludes_end() => return None,
                Ordering::Equal => return Some(Simple::One(Comparator::Exactly(first.begin().clone()))),
                Ordering::Less => {}
            }
        }
        let min = match self.begin().compare(other.begin()) {
            Ordering::Less => other,
            Ordering::Greater => self,
            Ordering::Equal => {
                if self.excludes_begin() {
                    self
                } else {
                    other
                }
            }
        };
        let max = match self.end().compare(other.end()) {
            Ordering::Greater => other,
            Ordering::Less => self,
            Ordering::Equal => {
                if self.excludes_end() {
                    self
                } else {
                    other
                }
            }
        };
        Some(if !max.upper().has_upper_bound() {
            min.clone()
        } else if !min.lower().has_lower_bound() {
            max.clone()
        } else {
            Simple::Both(min.lower().clone(), max.upper().clone())
        })
    }

    /// Merges two ranges if they overlap or are adjacent.
    fn merge(&self, other: &Simple) -> Result<Option<Simple>, VersionError> {
        if *self == Simple::One(Comparator::All) {
            return Ok(Some(self.clone()));
        }
        if self.includes(other.begin()) || other.includes(self.begin()) {
            let (first, excludes_begin) = match self.begin().compare(other.begin()) {
                Ordering::Less => (self, self.excludes_begin()),
                Ordering::Greater => (other, other.excludes_begin()),
                Ordering::Equal => (self, self.excludes_begin() && other.excludes_begin()),
            };
            let last = match self.end().compare(other.end()) {
                Ordering::Greater => self,
                Ordering::Less => other,
                Ordering::Equal => return Err(same_end()),
            };
            return Ok(Simple::between(first.begin(), excludes_begin, last.end(), last.excludes_end()));
        }
        let next =
            |version: &Version| Version::new(version.major, version.minor, version.patch.saturating_add(1));
        let follows = |first: &Simple, second: &Simple| {
            !second.excludes_begin()
                && if first.excludes_end() {
                    first.end() == second.begin()
                } else {
                    next(first.end()) == *second.begin()
                }
        };
        for (first, second) in [(self, other), (other, self)] {
            if follows(first, second) {
                let both = Simple::between(
                    first.begin(),
                    first.excludes_begin(),
                    second.end(),
                    second.excludes_end(),
                );
                return Ok(both);
            }
        }
        Ok(None)
    }

    fn between(begin: &Version, excludes_begin: bool, end: &Version, excludes_end: bool) -> Option<Simple> {
        let lower = if excludes_begin { Comparator::Greater } else { Comparator::AtLeast };
        let upper = if excludes_end { Comparator::Less } else { Comparator::AtMost };
        Simple::One(lower(begin.clone())).intersection(&Simple::One(upper(end.clone())))
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Comparator::All => f.write_str("*"),
            Comparator::Greater(version) => write!(f, ">{version}"),
            Comparator::AtLeast(version) => write!(f, ">={version}"),
            Comparator::Less(version) if *version == MIN => f.write_str("<0.0.0"),
            Comparator::Less(version) => write!(f, "<{version}"),
            Comparator::AtMost(version) => write!(f, "<={version}"),
            Comparator::Exactly(version) => version.fmt(f),
        }
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Simple::One(comparator) => comparator.fmt(f),
            Simple::Both(lower, upper) => write!(f, "{lower} {upper}"),
        }
    }
}

fn joined(ranges: &[Simple]) -> String {
    let strings: Vec<String> = ranges.iter().map(Simple::to_string).collect();
    strings.join(" || ")
}

/// Merges ranges into the smallest number of ranges.
fn merge_simple(mut ranges: Vec<Simple>) -> Result<Vec<Simple>, VersionError> {
    let mut changes = true;
    while ranges.len() > 1 && changes {
        changes = false;
        let mut merged = Vec::new();
        while let Some(last) = ranges.pop() {
            let mut separate = Vec::new();
            let mut union = last;
            for range in ranges {
                match union.merge(&range)? {
                    Some(both) => {
                        changes = true;
                        union = both;
                    }
                    None => separate.push(range),
                }
            }
            merged.push(union);
            ranges = separate;
        }
        merged.reverse();
        ranges = merged;
    }
    Ok(ranges)
}
