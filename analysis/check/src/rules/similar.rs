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
    let mut found: Vec<(usize, &str)> = known
        .filter(|known| known.len().abs_diff(name.len()) <= limit && *known != name)
        .filter_map(|known| Some((distance(name, known, limit)?, known)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    found.into_iter().map(|(_, name)| name.into()).collect()
}

/// How many letters have to be added, taken away, changed or swapped with their neighbour; `None` above `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
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
        before = std::mem::replace(&mut last, row);
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
mod tests {
    use super::*;

    #[test]
    fn a_few_letters() {
        let known = ["apache", "apache::vhost", "nginx", "ensure", "owner"];
        for (name, expected) in [
            ("apach", Some("apache")),
            ("apcahe", Some("apache")),
            ("apache::vhsot", Some("apache::vhost")),
            ("ngnx", Some("nginx")),
            ("enuser", Some("ensure")),
            ("en", None),
            ("group", None),
            ("apache", None),
        ] {
            let found = similar(name, known.into_iter());
            assert_eq!(found.first().map(|it| it.as_str()), expected, "{name}");
        }
    }
}
