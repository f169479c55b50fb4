//! Names that look like another one: what somebody may have meant.

use smol_str::SmolStr;

/// How many are told at most.
const MOST: usize = 3;

/// The names that differ from `name` by a few letters, the most similar first.
pub(crate) fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<SmolStr> {
    let limit = match name.len() {
        0..=2 => return Vec::new(),
        3..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    let letters = letters_of(name);
    let mut rows = Rows::default();
    let mut found: Vec<(usize, &str)> = known
        .filter(|known| known.len().abs_diff(name.len()) <= limit && *known != name)
        .filter(|known| may_be_near(letters, letters_of(known), limit))
        .filter_map(|known| Some((distance(name, known, limit, &mut rows)?, known)))
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

/// Room for the rows of [`distance`].
#[derive(Default)]
struct Rows {
    before: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

/// How many letters have to be added, taken away, changed or swapped with their neighbour; `None` above `limit`.
fn distance(a: &str, b: &str, limit: usize, rows: &mut Rows) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let Rows { before, last, row } = rows;
    last.clear();
    last.extend(0..=b.len());
    for (i, from) in a.iter().enumerate() {
        row.clear();
        row.push(i + 1);
        for (j, to) in b.iter().enumerate() {
            let changed = last[j] + usize::from(!from.eq_ignore_ascii_case(to));
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        if row.iter().min().is_some_and(|least| *least > limit) {
            return None;
        }
        std::mem::swap(before, last);
        std::mem::swap(last, row);
    }
    last.last().copied().filter(|distance| *distance <= limit)
}

/// `; did you mean 'x'?`, or nothing.
pub(crate) fn suggestion(similar: &[SmolStr]) -> String {
    match similar.first() {
        Some(first) => format!("; did you mean '{first}'?"),
        None => String::new(),
    }
}

#[cfg(test)]
#[path = "similar_tests.rs"]
mod tests;
