//! `.editorconfig`: the indentation and the length of lines that it wants for a file.

use std::path::Path;

use super::format::FormatLayer;
use crate::path_policy::{TrustedFolders, read_regular_text};

const FILE_NAME: &str = ".editorconfig";

/// Longer files say nothing.
const MAX_FILE_SIZE: u64 = 1 << 16;

/// Above this many folders nobody looks.
const MAX_FOLDERS: usize = 64;

/// Longer patterns match nothing, nor do those with more alternatives.
const MAX_PATTERN_LENGTH: usize = 256;
const MAX_ALTERNATIVES: usize = 64;

/// What the `.editorconfig` files of a file's folders say: nearer ones win, up to one that says `root = true`.
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

/// What a text says about a path below its folder, and whether it is the last one to be read.
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

/// Is the pattern of a section one for the path?
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

/// The patterns that the first `{a,b}` of a pattern stands for.
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

/// A pattern without alternatives; one without `/` is for the name of the file.
fn matches_plain(pattern: &str, path: &str) -> bool {
    let path = match pattern.contains('/') {
        true => path,
        false => path.rsplit('/').next().unwrap_or(path),
    };
    let pattern: Vec<char> = pattern.trim_start_matches('/').chars().collect();
    let path: Vec<char> = path.chars().collect();
    // For each beginning of the path: does what was read of the pattern match it?
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let crosses = pattern[at] == '*' && pattern.get(at + 1) == Some(&'*');
        let mut next = vec![false; path.len() + 1];
        for end in 0..=path.len() {
            next[end] = match pattern[at] {
                '*' => {
                    let goes_on = end > 0 && next[end - 1] && (crosses || path[end - 1] != '/');
                    reached[end] || goes_on
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
