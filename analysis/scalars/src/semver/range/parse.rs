//! Parser for version ranges.

use super::{Comparator, Simple};
use crate::numbers::is_whitespace;
use crate::semver::{Version, VersionError, number, split_version};

/// Parses the ranges between `||` without duplicates. Returns `None` for all versions, which includes an
/// empty string.
pub(super) fn parse(text: &str) -> Result<Option<Vec<Simple>>, VersionError> {
    let no_range = || VersionError::not_a("version range", text);
    let tight = remove_spaces_after_operators(text);
    let mut parts: Vec<&str> = Vec::new();
    for (index, part) in tight.split("||").enumerate() {
        // Spaces around `||` are insignificant.
        let part = if index > 0 { part.trim_start_matches(is_whitespace) } else { part };
        parts.push(part);
    }
    let last = parts.len() - 1;
    for part in &mut parts[..last] {
        *part = part.trim_end_matches(is_whitespace);
    }
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let mut ranges: Vec<Simple> = Vec::new();
    for part in parts {
        if let Some(range) = parse_part(part).ok_or_else(no_range)?
            && !ranges.contains(&range)
        {
            ranges.push(range);
        }
    }
    Ok(Some(ranges))
}

/// Converts `>= 1.0` and `>=v1.0` to `>=1.0`.
fn remove_spaces_after_operators(text: &str) -> String {
    let mut tight = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        tight.push(c);
        if matches!(c, '>' | '<' | '=' | '~' | '^') {
            let after = rest.trim_start_matches(is_whitespace);
            rest = match after.strip_prefix('v') {
                // Spaces are removed first, so a `v` after them is kept.
                Some(version) if after.len() == rest.len() => version,
                _ => after,
            };
        }
    }
    tight
}

/// Parses a part between `||`. `Some(None)` is an empty range, `None` a syntax error.
fn parse_part(part: &str) -> Option<Option<Simple>> {
    let words: Vec<&str> = part.split(is_whitespace).collect();
    if let Some((from, to)) = hyphen_range(part) {
        let lower = Simple::One(Comparator::AtLeast(Partial::parse(from)?.lowest));
        return Some(lower.intersection(&Simple::One(Comparator::AtMost(Partial::parse(to)?.lowest))));
    }
    let mut range: Option<Simple> = None;
    let last = words.iter().rposition(|word| !word.is_empty());
    for (index, word) in words.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
        // Repeated spaces count as one, but leading ones are an error.
        if word.is_empty() && index > 0 {
            continue;
        }
        let next = parse_simple(word)?;
        range = Some(match range {
            None => next,
            Some(range) => match range.intersection(&next) {
                Some(both) => both,
                None if Some(index) == last => return Some(None),
                // Puppet crashes if anything follows an empty range.
                None => return None,
            },
        });
    }
    Some(range)
}

/// Splits `1.0.0 - 2.0.0`.
fn hyphen_range(part: &str) -> Option<(&str, &str)> {
    let at = part.find(is_whitespace)?;
    let (from, rest) = part.split_at(at);
    let after = rest.trim_start_matches(is_whitespace).strip_prefix('-')?;
    let to = after.trim_start_matches(is_whitespace);
    (to.len() < after.len() && !from.is_empty()).then_some((from, to))
}

fn parse_simple(word: &str) -> Option<Simple> {
    let operators = ["~>", "~=", ">=", "<=", "~", "^", ">", "<", "="];
    let operator = operators.into_iter().find(|operator| word.starts_with(operator)).unwrap_or("");
    let Partial { major, minor, patch, lowest } = Partial::parse(&word[operator.len()..])?;
    let next_major = |major: u64| Version::new(major.saturating_add(1), 0, 0);
    let next_minor = |major: u64, minor: u64| Version::new(major, minor.saturating_add(1), 0);
    // Parts after an `x` are ignored.
    let floor = match (major, minor, patch) {
        (Some(major), None, _) => Version::new(major, 0, 0),
        (Some(major), Some(minor), None) => Version::new(major, minor, 0),
        _ => lowest.clone(),
    };
    let between = |below: Version| Simple::Both(Comparator::AtLeast(floor), Comparator::Less(below));
    let one = |comparator: Comparator| Simple::One(comparator);
    Some(match (operator, major, minor, patch) {
        (">=", ..) => one(Comparator::AtLeast(lowest)),
        ("<", ..) => one(Comparator::Less(lowest)),
        (">", None, ..) => Simple::nothing(),
        (">", Some(major), None, _) => one(Comparator::AtLeast(next_major(major))),
        (">", Some(major), Some(minor), None) => one(Comparator::AtLeast(next_minor(major, minor))),
        (">", ..) => one(Comparator::Greater(lowest)),
        // Puppet crashes on these.
        ("<=" | "^", None, ..) => return None,
        (_, None, ..) => one(Comparator::All),
        ("<=", Some(major), None, _) => one(Comparator::Less(next_major(major))),
        ("<=", Some(major), Some(minor), None) => one(Comparator::Less(next_minor(major, minor))),
        ("<=", ..) => one(Comparator::AtMost(lowest)),
        ("^", Some(major), ..) if major > 0 => between(next_major(major)),
        (_, Some(major), None, _) => between(next_major(major)),
        (_, Some(major), Some(minor), None) => between(next_minor(major, minor)),
        ("~" | "~>" | "~=" | "^", Some(major), Some(minor), Some(_)) => between(next_minor(major, minor)),
        _ => one(Comparator::Exactly(lowest)),
    })
}

/// Version with parts that may be missing or `x`.
struct Partial {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    /// Version with 0 for missing parts.
    lowest: Version,
}

impl Partial {
    fn parse(text: &str) -> Option<Partial> {
        let (numbers, prerelease, build) = split_version(text);
        let mut parts = Vec::new();
        for part in numbers.split('.') {
            parts.push(match part {
                "x" | "X" | "*" => None,
                part => Some(number(part)?),
            });
        }
        if parts.len() > 3 || (prerelease.is_some() || build.is_some()) && parts.len() != 3 {
            return None;
        }
        let part = |index: usize| parts.get(index).copied().flatten();
        let (major, minor, patch) = (part(0), part(1), part(2));
        let numbers = Version::new(major.unwrap_or(0), minor.unwrap_or(0), patch.unwrap_or(0));
        let minor = major.and(minor);
        let patch = minor.and(patch);
        Some(Partial { major, minor, patch, lowest: numbers.with_qualifiers(prerelease, build)? })
    }
}
