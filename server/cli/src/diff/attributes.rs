//! What a repository's `.gitattributes` say of how a checkout writes files otherwise than they are kept.

use std::path::Path;

use git::{ObjectContents, Repository, RevisionTree};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The attributes that change what a checkout writes.
const KNOWN: [&str; 4] = ["eol", "filter", "ident", "working-tree-encoding"];

/// A longer file of attributes is none.
const MAX_LENGTH: u64 = 1 << 20;

/// The attributes of the files of a revision.
#[derive(Default)]
pub(super) struct CheckoutAttributes {
    /// Each later line goes before those above it.
    lines: Vec<AttributeLine>,
}

struct AttributeLine {
    /// The folder that it counts in, with a `/` behind it.
    folder: String,
    pattern: Gitignore,
    /// Without a value where an attribute is not set.
    set: Vec<(&'static str, Option<String>)>,
}

/// How a checkout writes a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FileAttributes {
    /// All lines end in CR LF.
    pub(super) has_crlf: bool,
    /// `$Id$` becomes the name of the object.
    pub(super) is_identified: bool,
    /// A program or an encoding makes something else of it: what does, in words.
    pub(super) otherwise: Option<String>,
}

impl CheckoutAttributes {
    /// Takes in what a revision of a repository says; `prefix` is the repository's folder, with a `/` behind it.
    pub(super) fn take(&mut self, prefix: &str, repository: &Repository, tree: &RevisionTree) {
        let is_attributes = |path: &str| path.rsplit('/').next() == Some(".gitattributes");
        let mut files: Vec<(&String, _)> = tree
            .entries
            .iter()
            .filter(|(path, _)| is_attributes(path))
            .map(|(path, it)| (path, it.object))
            .collect();
        // The nearest counts most.
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

    /// `folder` ends in `/`; empty for the top.
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

    /// How a checkout writes a file.
    pub(super) fn of(&self, path: &str) -> FileAttributes {
        let value = |name: &str| {
            let fits = |it: &&AttributeLine| {
                path.starts_with(&it.folder) && it.pattern.matched(Path::new(path), false).is_ignore()
            };
            let lines = self.lines.iter().rev().filter(fits);
            let mut set = lines.filter_map(|it| it.set.iter().rev().find(|(known, _)| *known == name));
            set.next().and_then(|(_, value)| value.as_deref())
        };
        let filter = value("filter").map(|name| format!("the filter `{name}`"));
        let encoding = value("working-tree-encoding").map(|name| format!("the encoding {name}"));
        FileAttributes {
            has_crlf: value("eol") == Some("crlf"),
            is_identified: value("ident").is_some(),
            otherwise: filter.or(encoding),
        }
    }
}

/// An attribute as a line sets it: `ident`, `-ident`, `filter=lfs`.
fn attribute(word: &str) -> Option<(&'static str, Option<String>)> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (word.trim_start_matches(['-', '!']), (!word.starts_with(['-', '!'])).then(String::new)),
    };
    Some((KNOWN.into_iter().find(|it| *it == name)?, value))
}

/// A text with the name of its object where `$Id$` stands.
pub(super) fn identified(text: &[u8], object: &str) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.windows(3).position(|it| it == b"$Id") {
        written.extend_from_slice(&rest[..at]);
        let behind = &rest[at + 3..];
        let end = behind.iter().position(|byte| matches!(byte, b'$' | b'\n'));
        let is_mark =
            matches!(behind.first(), Some(b'$' | b':')) && end.is_some_and(|end| behind[end] == b'$');
        match end.filter(|_| is_mark) {
            Some(end) => {
                written.extend_from_slice(format!("$Id: {object} $").as_bytes());
                rest = &behind[end + 1..];
            }
            None => {
                written.extend_from_slice(b"$Id");
                rest = behind;
            }
        }
    }
    written.extend_from_slice(rest);
    written
}

#[cfg(test)]
#[path = "attributes_tests.rs"]
mod tests;
