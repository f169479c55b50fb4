//! Comparison of package versions as in `versioncmp`.

use std::cmp::Ordering;

/// Compares runs of digits numerically and other runs as strings. `-` sorts before `.`, and both before
/// letters and digits.
///
/// With `ignore_trailing_zeroes`, `1.0` equals `1.0.0`.
pub fn version_compare(left: &str, right: &str, ignore_trailing_zeroes: bool) -> Ordering {
    let normalised =
        |text: &str| if ignore_trailing_zeroes { without_trailing_zeroes(text) } else { text.to_owned() };
    let (left, right) = (normalised(left), normalised(right));
    let (mut left_parts, mut right_parts) = (parts(&left), parts(&right));
    loop {
        let (mine, theirs) = match (left_parts.next(), right_parts.next()) {
            (Some(mine), Some(theirs)) => (mine, theirs),
            _ => return left.cmp(&right),
        };
        if mine == theirs {
            continue;
        }
        let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        return match (mine, theirs) {
            ("-", _) => Ordering::Less,
            (_, "-") => Ordering::Greater,
            (".", _) => Ordering::Less,
            (_, ".") => Ordering::Greater,
            // Numbers with a leading zero are compared as strings, like fractions.
            _ if is_number(mine) && is_number(theirs) => {
                if mine.starts_with('0') || theirs.starts_with('0') {
                    mine.cmp(theirs)
                } else {
                    mine.len().cmp(&theirs.len()).then_with(|| mine.cmp(theirs))
                }
            }
            _ => mine.to_uppercase().cmp(&theirs.to_uppercase()),
        };
    }
}

/// Splits a version into `-`, `.`, runs of digits, and runs of anything else.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match first {
            '-' | '.' => 1,
            _ => {
                let is_same =
                    |c: char| !matches!(c, '-' | '.') && c.is_ascii_digit() == first.is_ascii_digit();
                rest.find(|c| !is_same(c)).unwrap_or(rest.len())
            }
        };
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(part)
    })
}

/// Removes trailing zeros and dots of the part before the first `-`, and all trailing `-`.
fn without_trailing_zeroes(text: &str) -> String {
    let (version, suffix) = match text.find('-') {
        Some(dash) => text.split_at(dash),
        None => (text, ""),
    };
    format!("{}{}", version.trim_end_matches(['.', '0']), suffix.trim_end_matches('-'))
}
