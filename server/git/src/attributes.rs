//! Git attributes (`.gitattributes`) that make a checkout write files differently from their objects.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::{ObjectContents, Repository, RevisionTree};

/// Attributes that affect a checkout.
const KNOWN: [&str; 4] = ["eol", "filter", "ident", "working-tree-encoding"];

/// Maximum size of an attributes file in bytes; longer files are ignored.
const MAX_LENGTH: u64 = 1 << 20;

/// Attributes of the files of a revision.
#[derive(Default)]
pub struct CheckoutAttributes {
    /// Lines in ascending order of precedence.
    lines: Vec<AttributeLine>,
}

struct AttributeLine {
    /// Folder that the line applies to, with a trailing `/`.
    folder: String,
    pattern: Gitignore,
    /// Attributes with their values; `None` for unset ones.
    set: Vec<(&'static str, Option<String>)>,
}

/// Conversions of a file on checkout.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileAttributes {
    /// All lines end in CR LF.
    pub has_crlf: bool,
    /// `$Id$` is replaced by the object name.
    pub is_identified: bool,
    /// Description of the filter or encoding that changes the contents.
    pub conversion: Option<String>,
}

impl CheckoutAttributes {
    /// Adds the attributes of a revision. `prefix` is the folder of the repository with a trailing `/`.
    pub fn take(&mut self, prefix: &str, repository: &Repository, tree: &RevisionTree) {
        let is_attributes = |path: &str| path.rsplit('/').next() == Some(".gitattributes");
        let mut files: Vec<(&String, _)> = tree
            .entries
            .iter()
            .filter(|(path, _)| is_attributes(path))
            .map(|(path, it)| (path, it.object))
            .collect();
        // The nearest file takes precedence.
        files.sort_by_key(|(path, _)| path.matches('/').count());
        for (path, object) in files {
            if let Ok(ObjectContents::Bytes(text)) = repository.read(object, MAX_LENGTH) {
                let folder = path.strip_suffix(".gitattributes").unwrap_or_default();
                self.take_text(&format!("{prefix}{folder}"), &String::from_utf8_lossy(&text));
            }
        }
        if let Some(text) = repository.own_attributes() {
            self.take_text(prefix, &text);
        }
    }

    /// Adds the lines of an attributes file. `folder` ends in `/`, or is empty for the top folder.
    fn take_text(&mut self, folder: &str, text: &str) {
        for line in text.lines().map(str::trim).filter(|it| !it.starts_with(['#', '[', '!'])) {
            let mut words = line.split_whitespace();
            let Some(pattern) = words.next() else { continue };
            let set: Vec<_> = words.filter_map(attribute).collect();
            let root = if folder.is_empty() { "." } else { folder.trim_end_matches('/') };
            let mut builder = GitignoreBuilder::new(root);
            let pattern =
                builder.add_line(None, pattern.trim_matches('"')).ok().and_then(|it| it.build().ok());
            if let Some(pattern) = pattern.filter(|_| !set.is_empty()) {
                self.lines.push(AttributeLine { folder: folder.to_owned(), pattern, set });
            }
        }
    }

    /// Returns the conversions of a file.
    pub fn of(&self, path: &str) -> FileAttributes {
        let value = |name: &str| {
            let fits = |it: &&AttributeLine| {
                path.starts_with(&it.folder) && it.pattern.matched(Path::new(path), false).is_ignore()
            };
            let lines = self.lines.iter().rev().filter(fits);
            let mut set = lines.filter_map(|it| it.set.iter().rev().find(|(known, _)| *known == name));
            set.next().and_then(|(_, value)| value.as_deref())
        };
        let filter = value("filter").map(|name| format!("the filter `{name}`"));
        let encoding = value("working-tree-encoding").map(|name| format!("the encoding `{name}`"));
        FileAttributes {
            has_crlf: value("eol") == Some("crlf"),
            is_identified: value("ident").is_some(),
            conversion: filter.or(encoding),
        }
    }
}

/// Parses an attribute: `ident`, `-ident`, `filter=lfs`.
fn attribute(word: &str) -> Option<(&'static str, Option<String>)> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (word.trim_start_matches(['-', '!']), (!word.starts_with(['-', '!'])).then(String::new)),
    };
    Some((KNOWN.into_iter().find(|it| *it == name)?, value))
}

/// Replaces `$Id$` by the object name.
pub fn identified(text: &[u8], object: &str) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.windows(3).position(|it| it == b"$Id") {
        written.extend_from_slice(&rest[..at]);
        let tail = &rest[at + 3..];
        let end = tail.iter().position(|byte| matches!(byte, b'$' | b'\n'));
        let is_mark = matches!(tail.first(), Some(b'$' | b':')) && end.is_some_and(|end| tail[end] == b'$');
        match end.filter(|_| is_mark) {
            Some(end) => {
                written.extend_from_slice(format!("$Id: {object} $").as_bytes());
                rest = &tail[end + 1..];
            }
            None => {
                written.extend_from_slice(b"$Id");
                rest = tail;
            }
        }
    }
    written.extend_from_slice(rest);
    written
}

#[cfg(test)]
#[path = "attributes_tests.rs"]
mod tests;
