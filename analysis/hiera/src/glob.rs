//! File name patterns with the semantics of Ruby's `Dir.glob`, as specified in Ruby's documentation of that
//! method.
//!
//! No library implements Ruby's rules. Of the 289 recorded patterns (`tests/conformance/globs.rb`), `glob`
//! finds the same files for 192 and `globset` for 167, regardless of order. Alternatives, sets and hidden
//! files differ.

use smol_str::SmolStr;

/// Returns the paths that match a pattern, in the order in which Ruby lists them. Names that begin with a dot
/// match only if the pattern has the dot too.
pub fn matching<'p>(pattern: &str, paths: impl Iterator<Item = &'p str>) -> Vec<SmolStr> {
    let patterns = alternatives(pattern);
    let mut all: Vec<&str> = paths.collect();
    // Sort by folder: the contents of `a` come before `a.yaml`.
    all.sort_unstable_by(|one, other| one.split('/').cmp(other.split('/')));
    let mut found: Vec<(usize, &str)> = Vec::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let segments: Vec<&str> = pattern.split('/').collect();
        for path in &all {
            let names: Vec<&str> = path.split('/').collect();
            if matches_path(&segments, &names) {
                found.push((index, path));
            }
        }
    }
    // Ruby lists the alternatives one after another within each folder searched, except for patterns that
    // match folders at any depth (`**`).
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

/// Expands alternatives: `a{b,c}` becomes `ab` and `ac`.
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
            let (front, tail) = (&pattern[..open], &pattern[start..]);
            return parts
                .iter()
                .take(64)
                .flat_map(|part| alternatives(&format!("{front}{part}{tail}")))
                .take(256)
                .collect();
        }
    }
    vec![pattern.to_owned()]
}

/// Iterates over the characters that are not escaped by a backslash, with their offsets.
fn unescaped(pattern: &str) -> impl Iterator<Item = (usize, char)> {
    let mut is_escaped = false;
    pattern.char_indices().filter(move |(_, character)| {
        let was_escaped = std::mem::replace(&mut is_escaped, false);
        is_escaped = *character == '\\' && !was_escaped;
        !was_escaped
    })
}

fn matches_path(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) if !rest.is_empty() => {
            matches_path(rest, path)
                || path
                    .split_first()
                    .is_some_and(|(name, tail)| !name.starts_with('.') && matches_path(pattern, tail))
        }
        (Some((first, rest)), Some((name, tail))) => matches_name(first, name) && matches_path(rest, tail),
        _ => false,
    }
}

/// Returns true if a name matches a pattern without folders.
fn matches_name(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // Last `*` seen and the end of its match: backtracking to the last one suffices.
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
                Some((tail, matched_end)) => {
                    *matched_end += 1;
                    at = *tail;
                    in_name = *matched_end;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|it| *it == '*')
}

/// Returns the length of the pattern element that matches `character`; `None` if it does not match.
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
                    // Both ends are included, whichever is larger.
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

/// Returns true if a text matches a pattern, where each `*` matches any string.
pub fn matches_wildcards(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}
