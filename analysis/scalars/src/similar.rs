//! Suggestions for misspelled names.
//!
//! The distance equals `osa_distance` of the `strsim` crate (verified by a test), except that it ignores case
//! and is computed only up to a limit: few of thousands of names are close.

use smol_str::SmolStr;

/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Returns the known names that differ from `name` by a few letters, most similar first.
pub fn similar<K: AsRef<str>>(name: &str, known: impl Iterator<Item = K>) -> Vec<SmolStr> {
    let limit = match name.len() {
        0..=2 => return Vec::new(),
        3..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    let letters = letters_of(name);
    let mut found: Vec<(usize, SmolStr)> = Vec::new();
    for known in known {
        let known = known.as_ref();
        if known.len().abs_diff(name.len()) <= limit
            && known != name
            && may_be_near(letters, letters_of(known), limit)
            && let Some(distance) = distance(name, known, limit)
        {
            found.push((distance, known.into()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MAX_SUGGESTIONS);
    found.into_iter().map(|(_, name)| name).collect()
}

/// Returns a bit set of the case-insensitive letters in a name; some letters share a bit.
fn letters_of(name: &str) -> u64 {
    name.bytes().fold(0, |letters, byte| letters | 1 << (byte.to_ascii_lowercase() & 63))
}

/// Returns false if the distance certainly exceeds `limit`: each edit removes at most one letter and adds at
/// most one.
fn may_be_near(a: u64, b: u64, limit: usize) -> bool {
    (a & !b).count_ones() as usize <= limit && (b & !a).count_ones() as usize <= limit
}

/// Returns the number of insertions, deletions, substitutions and transpositions of adjacent letters, or
/// `None` if it exceeds `limit`. Only the band around the diagonal of the table is computed.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = |(x, y): &(&u8, &u8)| x.eq_ignore_ascii_case(y);
    let front = a.iter().zip(b).take_while(same).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let far = limit + 1;
    let mut rows = [vec![far; b.len() + 1], (0..=b.len()).collect(), vec![far; b.len() + 1]];
    for i in 1..=a.len() {
        let (from, to) = (i.saturating_sub(limit).max(1), (i + limit).min(b.len()));
        let [before_last, last, row] = &mut rows;
        row.fill(far);
        row[0] = i;
        let mut nearest = i;
        for j in from..=to {
            let changed = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            let mut steps = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + changed);
            if i > 1
                && j > 1
                && a[i - 1].eq_ignore_ascii_case(&b[j - 2])
                && a[i - 2].eq_ignore_ascii_case(&b[j - 1])
            {
                steps = steps.min(before_last[j - 2] + 1);
            }
            row[j] = steps;
            nearest = nearest.min(steps);
        }
        if nearest > limit {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][b.len()]).filter(|steps| *steps <= limit)
}

/// Minimum length of a name that counts as misspelled; shorter names that differ in one letter are usually
/// unrelated.
const MIN_MISSPELLED_LENGTH: usize = 4;

/// Returns true if the names differ by a single insertion, deletion, substitution or transposition of
/// adjacent letters.
pub fn is_misspelled(name: &str, known: &str) -> bool {
    let (name, known) = (name.as_bytes(), known.as_bytes());
    if known.len() < MIN_MISSPELLED_LENGTH || name.len().abs_diff(known.len()) > 1 || name == known {
        return false;
    }
    let start = name.iter().zip(known).take_while(|(a, b)| a == b).count();
    let (name, known) = (&name[start..], &known[start..]);
    match (name, known) {
        ([a, b, name @ ..], [c, d, known @ ..]) if (a, b) == (d, c) && name == known => true,
        ([_, name @ ..], [_, known @ ..]) if name == known => true,
        ([_, name @ ..], known) if name == known => true,
        (name, [_, known @ ..]) => name == known,
        _ => false,
    }
}

#[cfg(test)]
#[path = "similar_tests.rs"]
mod tests;
