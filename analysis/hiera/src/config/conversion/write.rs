//! Text of converted configurations.

use std::fmt::Write;

use syntax::TextRange;

use super::{ConvertedLevel, ConvertedPath};

/// Words that YAML does not read as strings.
const NOT_STRINGS: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "none"];

/// ConfigComments of the old configuration.
#[derive(Default)]
pub(super) struct ConfigComments {
    /// Those before the hierarchy.
    head: Vec<String>,
    /// Those of paths, each with the start of the path.
    of_paths: Vec<(u32, String)>,
    tail: Vec<String>,
}

/// Assigns the comments of a configuration to the paths that they precede or follow; `hierarchy` is the offset
/// of the hierarchy.
pub(super) fn comments(text: &str, hierarchy: u32, levels: &[ConvertedLevel]) -> ConfigComments {
    let mut comments = ConfigComments::default();
    let mut starts: Vec<TextRange> = levels.iter().flat_map(|it| &it.paths).map(|it| it.range).collect();
    starts.sort_unstable_by_key(|it| it.start);
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (offset, offset + line.len() as u32);
        offset = end;
        let last_on_line = starts.iter().rev().find(|it| start <= it.start && it.end <= end);
        let rest = last_on_line.map_or(line, |it| &line[(it.end - start) as usize..]).trim();
        if !rest.starts_with('#') {
            continue;
        }
        let comment = rest.to_owned();
        let next = starts.iter().find(|it| it.start >= start);
        match (last_on_line.or(next), start >= hierarchy) {
            (Some(path), true) => comments.of_paths.push((path.start, comment)),
            (None, true) => comments.tail.push(comment),
            _ => comments.head.push(comment),
        }
    }
    comments
}

/// Returns the text of the configuration.
pub(super) fn configuration(levels: &[ConvertedLevel], comments: &ConfigComments, hint: &[String]) -> String {
    let mut out = String::from("---\n");
    for line in comments.head.iter().chain(hint) {
        let _ = writeln!(out, "{line}");
    }
    out.push_str("version: 5\n");
    let Some(first) = levels.first() else { return out + "hierarchy: []\n" };
    let _ = writeln!(out, "defaults:\n  datadir: {}", scalar(&first.datadir));
    let _ = writeln!(out, "  {}: {}", first.function.0, scalar(&first.function.1));
    out.push_str("hierarchy:\n");
    for level in levels {
        write_level(level, first, comments, &mut out);
    }
    for comment in &comments.tail {
        let _ = writeln!(out, "{comment}");
    }
    out
}

fn write_level(level: &ConvertedLevel, first: &ConvertedLevel, comments: &ConfigComments, out: &mut String) {
    let write_comments = |paths: &[ConvertedPath], indentation: &str, out: &mut String| {
        let is_of = |at: u32| paths.iter().any(|it| it.range.start == at);
        for (_, comment) in comments.of_paths.iter().filter(|(at, _)| is_of(*at)) {
            let _ = writeln!(out, "{indentation}{comment}");
        }
    };
    if level.has_one_path {
        write_comments(&level.paths, "  ", out);
    }
    let _ = writeln!(out, "  - name: {}", scalar(&level.name));
    let (key, function) = &level.function;
    if level.function != first.function {
        let _ = writeln!(out, "    {key}: {}", scalar(function));
    }
    if level.datadir != first.datadir {
        let _ = writeln!(out, "    datadir: {}", scalar(&level.datadir));
    }
    match level.paths.as_slice() {
        [path] if level.has_one_path => {
            let _ = writeln!(out, "    path: {}", scalar(&path.text));
        }
        paths => {
            out.push_str("    paths:\n");
            for path in paths {
                write_comments(std::slice::from_ref(path), "      ", out);
                let _ = writeln!(out, "      - {}", scalar(&path.text));
            }
        }
    }
    if !level.options.is_empty() {
        out.push_str("    options:\n");
        for (key, value) in &level.options {
            let _ = writeln!(out, "      {key}: {}", scalar(value));
        }
    }
}

/// Returns a string as a YAML scalar.
fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/')
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"_-./".contains(&it))
        && !NOT_STRINGS.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for it in text.chars() {
        match it {
            '"' | '\\' => out.extend(['\\', it]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            it if it.is_control() => {
                let _ = write!(out, "\\u{:04x}", it as u32);
            }
            it => out.push(it),
        }
    }
    out + "\""
}
