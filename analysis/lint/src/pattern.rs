//! Path patterns.

/// Returns true if a path matches a pattern like Ruby's `File.fnmatch` without flags: `*` matches any text
/// including `/`, `?` matches any character, and `[a-z]` matches one of a set.
pub fn path_fits(pattern: &[u8], path: &[u8]) -> bool {
    // Backtracking position after the last star.
    let mut retry: Option<(usize, usize)> = None;
    let (mut at, mut in_path) = (0, 0);
    while in_path < path.len() {
        if pattern.get(at) == Some(&b'*') {
            retry = Some((at + 1, in_path));
            at += 1;
        } else if let Some(length) = fits(&pattern[at..], path[in_path]) {
            at += length;
            in_path += 1;
        } else if let Some((after_star, from)) = retry {
            retry = Some((after_star, from + 1));
            at = after_star;
            in_path = from + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|it| *it == b'*')
}

/// Returns the length of the first element of the pattern if it matches the byte.
fn fits(pattern: &[u8], byte: u8) -> Option<usize> {
    match pattern {
        [b'?', ..] => Some(1),
        [b'\\', escaped, ..] => (*escaped == byte).then_some(2),
        [b'[', set @ ..] => {
            let end = set.iter().skip(1).position(|it| *it == b']')? + 1;
            let (negated, set) = match &set[..end] {
                [b'!' | b'^', rest @ ..] => (true, rest),
                all => (false, all),
            };
            let is_range = |it: &[u8]| matches!(it, [from, b'-', to] if (*from..=*to).contains(&byte));
            let is_in = set.contains(&byte) || set.windows(3).any(is_range);
            (is_in != negated).then_some(end + 2)
        }
        [literal, ..] => (*literal == byte).then_some(1),
        [] => None,
    }
}
