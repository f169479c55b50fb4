//! Names that look like another one: what somebody may have meant.

use smol_str::SmolStr;

/// How many are told at most.
const MOST: usize = 3;

/// The names that differ from `name` by a few letters, the most similar first.
pub fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<SmolStr> {
    let limit = match name.len() {
        0..=2 => return Vec::new(),
        3..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    let letters = letters_of(name);
    let mut found: Vec<(usize, &str)> = known
        .filter(|known| known.len().abs_diff(name.len()) <= limit && *known != name)
        .filter(|known| may_be_near(letters, letters_of(known), limit))
        .filter_map(|known| Some((distance(name, known, limit)?, known)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    found.into_iter().map(|(_, name)| name.into()).collect()
}

/// Which letters a name has, in any case, as a set of bits; some share one.
fn letters_of(name: &str) -> u64 {
    name.bytes().fold(0, |letters, byte| letters | 1 << (byte.to_ascii_lowercase() & 63))
}

/// Each step from one name to another takes at most one letter away, and brings at most one.
fn may_be_near(a: u64, b: u64, limit: usize) -> bool {
    (a & !b).count_ones() as usize <= limit && (b & !a).count_ones() as usize <= limit
}

/// How many letters have to be added, taken away, changed or swapped with their neighbour; `None` above `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let distance = strsim::osa_distance(&a.to_ascii_lowercase(), &b.to_ascii_lowercase());
    (distance <= limit).then_some(distance)
}

/// `; did you mean 'x'?` with the most similar one of the known names, or nothing.
pub(crate) fn advice<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    suggestion(&similar(name, known))
}

/// `; did you mean 'x'?`, or nothing.
pub fn suggestion(similar: &[SmolStr]) -> String {
    match similar.first() {
        Some(first) => format!("; did you mean '{first}'?"),
        None => String::new(),
    }
}

#[cfg(test)]
#[path = "similar_tests.rs"]
mod tests;
