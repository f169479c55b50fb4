//! File name patterns as Ruby's `Dir.glob` reads them. Specification: the chapter on `Dir.glob` in Ruby's documentation.
//!
//! Ruby's rules are those of no library: of the 289 patterns that are recorded (`tests/conformance/globs.rb`), `glob` finds the same
//! files for 192 and `globset` for 167, whatever their order. Alternatives, sets and hidden files differ.

use smol_str::SmolStr;

/// The paths that fit a pattern, in the order in which Ruby lists them. Names that begin with a dot need one in the
/// pattern.
pub fn matching<'p>(pattern: &str, paths: impl Iterator<Item = &'p str>) -> Vec<SmolStr> {
    let patterns = alternatives(pattern);
    let mut all: Vec<&str> = paths.collect();
    // Folder by folder: what is in `a` comes before `a.yaml`.
    all.sort_unstable_by(|one, other| one.split('/').cmp(other.split('/')));
    let mut found: Vec<(usize, &str)> = Vec::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let segments: Vec<&str> = pattern.split('/').collect();
        for path in &all {
            let names: Vec<&str> = path.split('/').collect();
            if fits(&segments, &names) {
                found.push((index, path));
            }
        }
    }
    // Alternatives come one after the other in each of the folders that they are looked for in, but for folders of all depths.
    let before = pattern.split('{').next().unwrap_or_default();
    if patterns.len() > 1 && before.contains("**") {
        found.sort_by(|(_, one), (_, other)| one.split('/').cmp(other.split('/')));
    } else if patterns.len() > 1 {
        let depth = before.matches('/').count();
        let folder = |path| str::split(path, '/').take(depth);
        found.sort_by(|(index, one), (other_index, other)| {
            folder(one).cmp(folder(other)).then(index.cmp(other_index))
        });
    }
    found.into_iter().map(|(_, path)| path.into()).collect()
}

/// `a{b,c}` as `ab` and `ac`.
fn alternatives(pattern: &str) -> Vec<String> {
    let plain = || unescaped(pattern);
    let Some((open, _)) = plain().find(|(_, character)| *character == '{') else {
        return vec![pattern.to_owned()];
    };
    let mut depth = 0;
    let mut parts = Vec::new();
    let mut start = open + 1;
    for (at, character) in plain().skip_while(|(at, _)| *at < open) {
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

/// The characters before which no backslash stands, and where they are.
fn unescaped(pattern: &str) -> impl Iterator<Item = (usize, char)> {
    let mut is_escaped = false;
    pattern.char_indices().filter(move |(_, character)| {
        let was_escaped = std::mem::replace(&mut is_escaped, false);
        is_escaped = *character == '\\' && !was_escaped;
        !was_escaped
    })
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
            let end = pattern.iter().position(|it| *it == ']')?;
            let inner = &pattern[1..end];
            let (negated, inner) = match inner.first() {
                Some('!' | '^') => (true, &inner[1..]),
                _ => (false, inner),
            };
            let mut is_in = false;
            let mut at = 0;
            while at < inner.len() {
                if inner.get(at + 1) == Some(&'-') && at + 2 < inner.len() {
                    // The ends belong to it in whichever order they stand.
                    let (first, last) = (inner[at], inner[at + 2]);
                    is_in |= (first..=last).contains(&character) || [first, last].contains(&character);
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
