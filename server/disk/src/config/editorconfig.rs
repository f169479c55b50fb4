//! Indentation and line length from `.editorconfig`.

use std::path::Path;

use super::format::FormatLayer;
use crate::path_policy::{TrustedFolders, read_regular_text};

const FILE_NAME: &str = ".editorconfig";

/// Maximum size of a file in bytes; longer ones are ignored.
const MAX_FILE_SIZE: u64 = 1 << 16;

/// Maximum number of parent folders searched.
const MAX_FOLDERS: usize = 64;

/// Maximum length of a pattern; longer ones match nothing.
const MAX_PATTERN_LENGTH: usize = 256;

/// Maximum number of alternatives in a pattern; patterns with more match nothing.
const MAX_ALTERNATIVES: usize = 64;

/// Returns the settings for a file from the `.editorconfig` files of its folders. Nearer ones take
/// precedence, up to one with `root = true`.
pub(super) fn format_layer(file: &Path, trusted: &TrustedFolders) -> FormatLayer {
    let mut layer = FormatLayer::default();
    for folder in file.ancestors().skip(1).take(MAX_FOLDERS) {
        let Ok(target) = trusted.admit(&folder.join(FILE_NAME)) else { continue };
        let Ok(text) = read_regular_text(&target, MAX_FILE_SIZE) else { continue };
        let Ok(relative) = file.strip_prefix(folder) else { break };
        let relative = relative.to_string_lossy().replace('\\', "/");
        let (found, is_root) = read(&text, &relative);
        layer = found.under(layer);
        if is_root {
            break;
        }
    }
    layer
}

/// Parses a file for a path relative to its folder. The flag is true for `root = true`.
fn read(text: &str, path: &str) -> (FormatLayer, bool) {
    let (mut layer, mut is_root) = (FormatLayer::default(), false);
    let mut is_meant = None;
    for line in text.lines().map(str::trim) {
        if let Some(pattern) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            is_meant = Some(matches(pattern, path));
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with(['#', ';'])) else {
            continue;
        };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
        match (is_meant, key.as_str()) {
            (None, "root") => is_root = value == "true",
            (Some(true), "indent_size") => layer.indent = value.parse().ok(),
            (Some(true), "max_line_length") => {
                layer.width = if value == "off" { Some(u32::MAX) } else { value.parse().ok() };
            }
            _ => {}
        }
    }
    (layer, is_root)
}

/// Returns true if the pattern of a section matches the path.
fn matches(pattern: &str, path: &str) -> bool {
    if pattern.len() > MAX_PATTERN_LENGTH {
        return false;
    }
    let mut patterns = vec![pattern.to_owned()];
    let mut at = 0;
    while let Some(pattern) = patterns.get(at).cloned() {
        match alternatives(&pattern) {
            Some(_) if patterns.len() > MAX_ALTERNATIVES => return false,
            Some(more) => patterns.extend(more),
            None if matches_plain(&pattern, path) => return true,
            None => {}
        }
        at += 1;
    }
    false
}

/// Expands the first `{a,b}` of a pattern.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let open = pattern.find('{')?;
    let mut depth = 0;
    let mut starts = vec![open + 1];
    let close = pattern.bytes().enumerate().skip(open).find_map(|(at, byte)| {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 1 => starts.push(at + 1),
            b'}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let ends = starts[1..].iter().map(|it| it - 1).chain([close]);
    let (head, tail) = (&pattern[..open], &pattern[close + 1..]);
    Some(
        starts
            .iter()
            .zip(ends)
            .map(|(start, end)| format!("{head}{}{tail}", &pattern[*start..end]))
            .collect(),
    )
}

/// Matches a pattern without alternatives; one without `/` is matched against the file name.
fn matches_plain(pattern: &str, path: &str) -> bool {
    let path = if pattern.contains('/') { path } else { path.rsplit('/').next().unwrap_or(path) };
    let pattern: Vec<char> = pattern.trim_start_matches('/').chars().collect();
    let path: Vec<char> = path.chars().collect();
    // For each prefix of the path: true if the part of the pattern processed so far matches it.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let crosses = pattern[at] == '*' && pattern.get(at + 1) == Some(&'*');
        let mut next = vec![false; path.len() + 1];
        for end in 0..=path.len() {
            next[end] = match pattern[at] {
                '*' => {
                    let continues = end > 0 && next[end - 1] && (crosses || path[end - 1] != '/');
                    reached[end] || continues
                }
                '?' => end > 0 && reached[end - 1] && path[end - 1] != '/',
                character => end > 0 && reached[end - 1] && path[end - 1] == character,
            };
        }
        reached = next;
        at += if crosses { 2 } else { 1 };
    }
    reached[path.len()]
}

#[cfg(test)]
#[path = "editorconfig_tests.rs"]
mod tests;
