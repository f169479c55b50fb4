//! File name patterns as Ruby's `Dir.glob` reads them.

use smol_str::SmolStr;

/// The paths that fit a pattern, in the order in which Ruby lists them. Names that begin with a dot need one in the
/// pattern.
pub fn matching<'p>(pattern: &str, paths: impl Iterator<Item = &'p str>) -> Vec<SmolStr> {
    let patterns = alternatives(pattern);
    let mut all: Vec<&str> = paths.collect();
    // Folder by folder: what is in `a` comes before `a.yaml`.
    all.sort_unstable_by(|one, other| one.split('/').cmp(other.split('/')));
    let mut found: Vec<SmolStr> = Vec::new();
    for pattern in &patterns {
        let segments: Vec<&str> = pattern.split('/').collect();
        for path in &all {
            let names: Vec<&str> = path.split('/').collect();
            if fits(&segments, &names) {
                found.push((*path).into());
            }
        }
    }
    // Alternatives come one after the other, unless they are looked for in several folders.
    let literal = pattern.split('{').next().unwrap_or_default();
    if patterns.len() > 1 && literal.contains(['*', '?', '[']) {
        found.sort_by(|one, other| one.split('/').cmp(other.split('/')));
    }
    found
}

/// `a{b,c}` as `ab` and `ac`.
fn alternatives(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.to_owned()] };
    let mut depth = 0;
    let mut parts = Vec::new();
    let mut start = open + 1;
    for (at, character) in pattern[open..].char_indices().map(|(at, it)| (at + open, it)) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 1 && character == ',' || depth == 0 {
            parts.push(&pattern[start..at]);
            start = at + 1;
        }
        if depth == 0 {
            let (front, behind) = (&pattern[..open], &pattern[start..]);
            return parts
                .iter()
                .take(64)
                .flat_map(|part| alternatives(&format!("{front}{part}{behind}")))
                .take(256)
                .collect();
        }
    }
    vec![pattern.to_owned()]
}

fn fits(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) if !rest.is_empty() => {
            fits(rest, path)
                || path
                    .split_first()
                    .is_some_and(|(name, behind)| !name.starts_with('.') && fits(pattern, behind))
        }
        (Some((first, rest)), Some((name, behind))) => fits_name(first, name) && fits(rest, behind),
        _ => false,
    }
}

/// Does a name fit a pattern without folders?
fn fits_name(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // Where the last `*` stood, and what it had taken: one step back is enough.
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        match one(&pattern[at..], name[in_name]) {
            _ if pattern.get(at) == Some(&'*') => {
                star = Some((at + 1, in_name));
                at += 1;
            }
            Some(len) => {
                at += len;
                in_name += 1;
            }
            None => match &mut star {
                Some((behind, taken)) => {
                    *taken += 1;
                    at = *behind;
                    in_name = *taken;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|it| *it == '*')
}

/// How much of a pattern stands for a character; `None` when it stands for another one.
fn one(pattern: &[char], character: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '\\' => (pattern.get(1) == Some(&character)).then_some(2),
        '[' => {
            let end = pattern.iter().skip(2).position(|it| *it == ']')? + 2;
            let inner = &pattern[1..end];
            let (negated, inner) = match inner.first() {
                Some('!' | '^') => (true, &inner[1..]),
                _ => (false, inner),
            };
            let mut is_in = false;
            let mut at = 0;
            while at < inner.len() {
                if inner.get(at + 1) == Some(&'-') && at + 2 < inner.len() {
                    is_in |= (inner[at]..=inner[at + 2]).contains(&character);
                    at += 3;
                } else {
                    is_in |= inner[at] == character;
                    at += 1;
                }
            }
            (is_in != negated).then_some(end + 1)
        }
        literal => (*literal == character).then_some(1),
    }
}
