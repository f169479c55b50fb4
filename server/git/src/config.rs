//! Git's configuration files, as far as values are asked for. Files that they include are not read.

use std::env;
use std::path::{Path, PathBuf};

use crate::small_file;

/// Keys and values in the order of the file; the last one counts.
#[derive(Clone, Default, Debug)]
pub(crate) struct GitConfig {
    /// Keys are `section.name` or `section.subsection.name`; all but subsections in small letters.
    values: Vec<(String, String)>,
}

impl GitConfig {
    /// Reads a file; one that is not there says nothing.
    pub(crate) fn read(path: &Path) -> anyhow::Result<GitConfig> {
        Ok(small_file::text_if_there(path)?.map(|text| GitConfig::parse(&text)).unwrap_or_default())
    }

    /// Takes what is understood; Git would end at the first line that is not.
    pub(crate) fn parse(text: &str) -> GitConfig {
        let mut config = GitConfig::default();
        let mut section = String::new();
        let mut lines = text.trim_start_matches('\u{feff}').lines();
        while let Some(line) = lines.next() {
            let mut rest = line.trim_start();
            if let Some(header) = rest.strip_prefix('[') {
                let (name, behind) = section_name(header);
                section = name;
                rest = behind.trim_start();
            }
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            if name.is_empty() {
                continue;
            }
            let value = match behind.trim_start().strip_prefix('=') {
                Some(written) => value(written, &mut lines),
                // A name alone is true.
                None => "true".to_owned(),
            };
            config.values.push((format!("{section}.{}", name.to_ascii_lowercase()), value));
        }
        config
    }

    /// Puts what another file says above this one.
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

/// What the machine's and the user's own files say.
pub(crate) fn of_user() -> GitConfig {
    let home = || env::home_dir().filter(|it| it.is_absolute());
    let configured = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|it| it.is_absolute());
    let configured = configured.or_else(|| Some(home()?.join(".config")));
    let machine = Some(PathBuf::from("/etc/gitconfig"));
    let of_home = home().map(|it| it.join(".gitconfig"));
    let mut config = GitConfig::default();
    for path in [machine, configured.map(|it| it.join("git/config")), of_home].into_iter().flatten() {
        config.add(GitConfig::read(&path).unwrap_or_default());
    }
    config
}

pub(crate) fn is_true(value: &str) -> bool {
    ["true", "yes", "on"].iter().any(|it| value.eq_ignore_ascii_case(it))
        || value.parse::<i64>().is_ok_and(|number| number != 0)
}

/// The name of a section behind its `[`, and what follows its `]`.
fn section_name(header: &str) -> (String, &str) {
    let end = header.find([']', '"']).unwrap_or(header.len());
    let name = header[..end].trim().to_ascii_lowercase();
    let Some(quoted) = header[end..].strip_prefix('"') else {
        return (name, header[end..].trim_start_matches(']'));
    };
    let mut subsection = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => subsection.extend(letters.next().map(|(_, it)| it)),
            '"' => {
                let behind = quoted[at + 1..].trim_start();
                return (format!("{name}.{subsection}"), behind.strip_prefix(']').unwrap_or(behind));
            }
            letter => subsection.push(letter),
        }
    }
    (format!("{name}.{subsection}"), "")
}

/// What is written behind a `=`, over several lines where each ends in `\`.
fn value<'t>(written: &'t str, lines: &mut impl Iterator<Item = &'t str>) -> String {
    let (mut value, mut is_quoted) = (String::new(), false);
    // What blanks at the end may still be cut off down to.
    let mut kept = 0;
    let mut line = written.trim_start();
    loop {
        let mut letters = line.chars();
        let mut goes_on = false;
        while let Some(letter) = letters.next() {
            match letter {
                '"' => is_quoted = !is_quoted,
                ';' | '#' if !is_quoted => break,
                '\\' => match letters.next() {
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('b') => value.push('\u{8}'),
                    Some(other) => value.push(other),
                    None => goes_on = true,
                },
                letter => value.push(letter),
            }
            if is_quoted || !letter.is_whitespace() {
                kept = value.len();
            }
        }
        match goes_on.then(|| lines.next()).flatten() {
            Some(next) => line = next,
            None => break,
        }
    }
    value.truncate(kept);
    value
}
