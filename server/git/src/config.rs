//! Parser for Git's configuration files. Included files are not read.

use std::env;
use std::path::{Path, PathBuf};

use crate::small_file;

/// Keys and values in file order; the last one of a key takes precedence.
#[derive(Clone, Default, Debug)]
pub(crate) struct GitConfig {
    /// Keys are `section.name` or `section.subsection.name`, in lowercase except for the subsection.
    values: Vec<(String, String)>,
}

impl GitConfig {
    /// Reads a file; empty if it does not exist.
    pub(crate) fn read(path: &Path) -> anyhow::Result<GitConfig> {
        Ok(small_file::read_optional_text(path)?.map(|text| GitConfig::parse(&text)).unwrap_or_default())
    }

    /// Parses a configuration file, skipping invalid lines. Git would stop at the first one.
    pub(crate) fn parse(text: &str) -> GitConfig {
        let mut config = GitConfig::default();
        let mut section = String::new();
        let mut lines = text.trim_start_matches('\u{feff}').lines();
        while let Some(line) = lines.next() {
            let mut rest = line.trim_start();
            if let Some(header) = rest.strip_prefix('[') {
                let (name, rest_of_line) = section_name(header);
                section = name;
                rest = rest_of_line.trim_start();
            }
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            let (name, rest_of_line) = rest.split_at(end);
            if name.is_empty() {
                continue;
            }
            let value = match rest_of_line.trim_start().strip_prefix('=') {
                Some(written) => value(written, &mut lines),
                // A name without a value means true.
                None => "true".to_owned(),
            };
            config.values.push((format!("{section}.{}", name.to_ascii_lowercase()), value));
        }
        config
    }

    /// Adds the values of another file, which take precedence.
    pub(crate) fn add(&mut self, other: GitConfig) {
        self.values.extend(other.values);
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.values.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.get(key).is_some_and(is_true)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(key, _)| key.as_str())
    }
}

/// Reads the configuration of the system and the user.
pub(crate) fn user_config() -> GitConfig {
    let home = || env::home_dir().filter(|it| it.is_absolute());
    let configured = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|it| it.is_absolute());
    let configured = configured.or_else(|| Some(home()?.join(".config")));
    let machine = Some(PathBuf::from("/etc/gitconfig"));
    let home_file = home().map(|it| it.join(".gitconfig"));
    let mut config = GitConfig::default();
    for path in [machine, configured.map(|it| it.join("git/config")), home_file].into_iter().flatten() {
        config.add(GitConfig::read(&path).unwrap_or_default());
    }
    config
}

pub(crate) fn is_true(value: &str) -> bool {
    ["true", "yes", "on"].iter().any(|it| value.eq_ignore_ascii_case(it))
        || value.parse::<i64>().is_ok_and(|number| number != 0)
}

/// Parses the rest of a section header after `[`. Returns the name and the text after `]`.
fn section_name(header: &str) -> (String, &str) {
    let end = header.find([']', '"']).unwrap_or(header.len());
    let name = header[..end].trim().to_ascii_lowercase();
    let Some(quoted) = header[end..].strip_prefix('"') else {
        return (name, header[end..].trim_start_matches(']'));
    };
    let mut subsection = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => subsection.extend(chars.next().map(|(_, it)| it)),
            '"' => {
                let rest_of_line = quoted[at + 1..].trim_start();
                return (
                    format!("{name}.{subsection}"),
                    rest_of_line.strip_prefix(']').unwrap_or(rest_of_line),
                );
            }
            c => subsection.push(c),
        }
    }
    (format!("{name}.{subsection}"), "")
}

/// Parses the value after a `=`, which is continued on the next line if the line ends in `\`.
fn value<'t>(written: &'t str, lines: &mut impl Iterator<Item = &'t str>) -> String {
    let (mut value, mut is_quoted) = (String::new(), false);
    // Length of the value without trailing whitespace.
    let mut kept = 0;
    let mut line = written.trim_start();
    loop {
        let mut chars = line.chars();
        let mut is_continued = false;
        while let Some(c) = chars.next() {
            match c {
                '"' => is_quoted = !is_quoted,
                ';' | '#' if !is_quoted => break,
                '\\' => match chars.next() {
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('b') => value.push('\u{8}'),
                    Some(other) => value.push(other),
                    None => is_continued = true,
                },
                c => value.push(c),
            }
            if is_quoted || !c.is_whitespace() {
                kept = value.len();
            }
        }
        match is_continued.then(|| lines.next()).flatten() {
            Some(next) => line = next,
            None => break,
        }
    }
    value.truncate(kept);
    value
}
