//! Token boundaries that libyaml accepts and YAML 1.2 does not: `"a"#b` is a string and a comment, and `*a:`
//! is the key `*a`. A space is inserted at each of them before parsing.

use granit_parser::ErrorKind;
use syntax::TextRange;

use super::{Anchors, YamlReader, is_after_document};
use crate::data::{DataFinding, DataFindingKind, DataNode};

/// Maximum number of spaces inserted into a file; each of them requires parsing the file again.
const MAX_SPACES: usize = 64;

/// File contents with inserted spaces.
pub(super) struct SpacedText {
    pub(super) text: String,
    /// Offsets of the inserted spaces, in order.
    spaces: Vec<usize>,
}

impl SpacedText {
    /// Maps an offset to the offset in the file.
    pub(super) fn original(&self, at: usize) -> usize {
        at - self.spaces.partition_point(|space| *space < at)
    }

    fn insert(&mut self, at: usize) {
        self.text.insert(at, ' ');
        let index = self.spaces.partition_point(|space| *space < at);
        self.spaces[index..].iter_mut().for_each(|space| *space += 1);
        self.spaces.insert(index, at);
    }
}

/// Result of parsing a file.
pub(super) struct YamlReading {
    pub(super) root: Result<Option<DataNode>, DataFinding>,
    pub(super) findings: Vec<DataFinding>,
    pub(super) anchors: Anchors,
}

/// Parses the first document of `text`, which begins at `offset` in the file.
pub(super) fn read(text: &str, offset: usize, anchors: Anchors) -> YamlReading {
    let mut spaced = SpacedText { text: text.to_owned(), spaces: Vec::new() };
    loop {
        let mut reader = YamlReader::new(&spaced, offset);
        reader.anchors = anchors.clone();
        let result = reader.document();
        let space = match &result {
            Err(error) if matches!(error.kind(), ErrorKind::CommentNotSeparated) => {
                error.marker().byte_offset()
            }
            Err(error) if matches!(error.kind(), ErrorKind::SimpleKeyExpected) => {
                error.marker().byte_offset().and_then(|at| glued_colon_before(&spaced.text, at))
            }
            _ => reader.glued_colon,
        };
        let document_error = result.as_ref().err().filter(|error| is_after_document(error));
        let end = document_error.and_then(|error| start_of_line(&spaced.text, error.marker().byte_offset()?));
        let (findings, known) = (reader.findings, reader.anchors);
        if let Some(at) = space.filter(|at| spaced.text.is_char_boundary(*at))
            && spaced.spaces.len() < MAX_SPACES
        {
            spaced.insert(at);
            continue;
        }
        // The part after the first document is ignored.
        if let Some(end) = end.filter(|end| (1..spaced.text.len()).contains(end)) {
            spaced.text.truncate(end);
            continue;
        }
        let root = result.map_err(|error| {
            let at = spaced.original(error.marker().byte_offset().unwrap_or(0)).min(text.len());
            syntax_finding(text, offset, at, message_of(&error.info()))
        });
        return YamlReading { root, findings, anchors: known };
    }
}

/// Returns the offset of the `:` after an alias that is a key (`*a: `), in the line at `at` or the line
/// before.
fn glued_colon_before(text: &str, at: usize) -> Option<usize> {
    let line = start_of_line(text, at)?;
    let before = start_of_line(text, line.saturating_sub(1))?;
    let end = text[line..].find('\n').map_or(text.len(), |end| line + end);
    let mut aliases = text[before..end].match_indices('*').map(|(star, _)| before + star + 1);
    aliases.find_map(|start| {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let name = &text[start..start + text[start..].find(|c| !is_of_name(c))?];
        let rest = text[start + name.len()..].strip_prefix(':')?;
        let is_key = rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']);
        let is_known = || text[..start].contains(&format!("&{name}"));
        (is_key && !name.is_empty() && is_known()).then_some(start + name.len())
    })
}

fn start_of_line(text: &str, at: usize) -> Option<usize> {
    Some(text.get(..at)?.rfind('\n').map_or(0, |end| end + 1))
}

/// Rewords an error of the parser: the problem first, characters in backticks.
fn message_of(info: &str) -> String {
    let parts = info.strip_prefix("while ").and_then(|it| it.split_once(", "));
    let (context, problem) = parts.map_or((None, info), |(context, problem)| (Some(context), problem));
    let rest =
        problem.strip_prefix("did not find expected").or(problem.strip_prefix("did not find the expected"));
    let problem = rest.map_or_else(|| problem.to_owned(), |rest| format!("expected{rest}"));
    let mut message = String::with_capacity(info.len());
    let mut quoted = false;
    for (at, c) in problem.char_indices() {
        // Only single characters are quoted, so that an apostrophe in a word stays.
        let opens = problem[at..].chars().nth(2) == Some('\'');
        match c {
            '\'' if quoted || opens => {
                quoted = !quoted;
                message.push('`');
            }
            c => message.push(c),
        }
    }
    match context {
        Some(context) => format!("{message} while {context}"),
        None => message,
    }
}

fn syntax_finding(text: &str, offset: usize, at: usize, message: String) -> DataFinding {
    // At the end of the file, report the last character that is not whitespace.
    let rest = &text[at..];
    let (at, len) = match rest.chars().next().filter(|it| !it.is_whitespace()) {
        Some(first) => {
            let word = rest.find([' ', '\t', '\r', '\n', ',', ':', ']', '}']).unwrap_or(rest.len());
            (at, word.max(first.len_utf8()))
        }
        None => {
            let last = text[..at].trim_end().char_indices().last();
            last.map_or((at, 0), |(at, last)| (at, last.len_utf8()))
        }
    };
    let start = (offset + at) as u32;
    DataFinding { kind: DataFindingKind::Syntax, range: TextRange::new(start, start + len as u32), message }
}
