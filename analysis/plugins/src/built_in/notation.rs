//! Parser for the data files in `data/`: one entry per line, children indented by two spaces.
//!
//! ```text
//! # a comment
//! type exec
//!   | Documentation in Markdown.
//!   parameter command namevar
//!     | Documentation of the entry above.
//! ```
//!
//! A line is a keyword and the rest. The readers of the individual files define the keywords.

/// Line with its children.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NotationEntry {
    /// Keyword, such as `parameter`.
    pub(super) word: &'static str,
    /// Rest of the line, such as `command namevar`.
    pub(super) rest: &'static str,
    /// Documentation in Markdown, without a final newline.
    pub(super) documentation: String,
    pub(super) below: Vec<NotationEntry>,
    /// Line number, from 1.
    pub(super) line: usize,
}

impl NotationEntry {
    /// Iterates over the children with the keyword `word`.
    pub(super) fn all<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a NotationEntry> {
        self.below.iter().filter(move |it| it.word == word)
    }

    /// Returns the rest of the first child with the keyword `word`.
    pub(super) fn get(&self, word: &str) -> Option<&'static str> {
        self.below.iter().find(|it| it.word == word).map(|it| it.rest)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.get(word).is_some()
    }

    /// Splits the rest after its first word.
    pub(super) fn name_and_rest(&self) -> (&'static str, &'static str) {
        self.rest.split_once(' ').unwrap_or((self.rest, ""))
    }

    /// Iterates over the words after the keyword in all children with the keyword `word`.
    pub(super) fn words_of<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        self.all(word).flat_map(|it| it.rest.split(' ')).filter(|it| !it.is_empty())
    }
}

/// Parses a file. The error contains the number of the malformed line.
pub(super) fn read(text: &'static str) -> Result<Vec<NotationEntry>, String> {
    // Open entries from the outermost to the innermost, which is the last one read.
    let mut open: Vec<NotationEntry> = Vec::new();
    let mut finished = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        let content = text.trim_start_matches(' ');
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let indentation = text.len() - content.len();
        let level = indentation / 2;
        if !indentation.is_multiple_of(2) || level > open.len() {
            return Err(format!("line {line}: wrong indentation"));
        }
        close(&mut open, &mut finished, level);
        if let Some(words) = content.strip_prefix('|') {
            let entry = open.last_mut().ok_or_else(|| format!("line {line}: documentation of nothing"))?;
            if !entry.below.is_empty() {
                return Err(format!("line {line}: documentation comes first"));
            }
            if !entry.documentation.is_empty() {
                entry.documentation.push('\n');
            }
            entry.documentation.push_str(words.strip_prefix(' ').unwrap_or(words));
        } else {
            let (word, rest) = content.split_once(' ').unwrap_or((content, ""));
            open.push(NotationEntry { word, rest, documentation: String::new(), below: Vec::new(), line });
        }
    }
    close(&mut open, &mut finished, 0);
    Ok(finished)
}

fn close(open: &mut Vec<NotationEntry>, finished: &mut Vec<NotationEntry>, level: usize) {
    while open.len() > level {
        if let Some(entry) = open.pop() {
            open.last_mut().map_or(&mut *finished, |outer| &mut outer.below).push(entry);
        }
    }
}

#[cfg(test)]
#[path = "notation_tests.rs"]
mod tests;
