//! The files that are open in the client, with their texts as the client has them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ide::{ClassStatus, Diagnostic, FilePath, Tier};
use lsp_types::{Position, Uri};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use syntax::{ColumnUnit, LineMap};

use crate::convert;

/// An open file.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// As the client wrote it; answers use the same.
    pub(super) uri: Uri,
    /// The client's number for the text, for the client.
    pub(super) version: i32,
    /// Our number for the text: no two texts of a session share one.
    pub(super) generation: u64,
    pub(super) text: Arc<str>,
    /// What was published last.
    pub(super) published: Arc<Mutex<Published>>,
}

/// What the client was told about a file.
#[derive(Debug, Default)]
pub(super) struct Published {
    /// The text's number, and a fingerprint of the diagnostics.
    pub(super) state: Option<(u64, u64)>,
    /// What each tier found last, and in which text.
    pub(super) tiers: BTreeMap<Tier, (Arc<str>, Vec<Diagnostic>)>,
    /// How its classes compiled last; `None` before they did.
    pub(super) classes: Option<Vec<ClassStatus>>,
    /// Nothing is published any more.
    pub(super) is_closed: bool,
}

/// A change of a document's text. Unlike the protocol's own type it takes numbers that make no sense, so that one of
/// them does not cost the whole edit.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ContentChange {
    /// What is replaced; without it the whole text.
    #[serde(default)]
    range: Option<LooseRange>,
    text: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct LooseRange {
    start: LoosePosition,
    end: LoosePosition,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct LoosePosition {
    line: i64,
    character: i64,
}

impl LoosePosition {
    fn nearest(self) -> Position {
        let nearest = |number: i64| number.clamp(0, i64::from(u32::MAX)) as u32;
        Position { line: nearest(self.line), character: nearest(self.character) }
    }
}

/// An open file, as those who answer questions need it.
#[derive(Clone, Debug)]
pub(super) struct OpenDocument {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) published: Arc<Mutex<Published>>,
}

/// The open files by path.
pub(super) type OpenDocuments = Arc<FxHashMap<FilePath, OpenDocument>>;

/// All open files by path.
#[derive(Default)]
pub(super) struct Documents {
    open: FxHashMap<FilePath, Document>,
    last_generation: u64,
}

impl Documents {
    pub(super) fn get(&self, path: &FilePath) -> Option<&Document> {
        self.open.get(path)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&FilePath, &Document)> {
        self.open.iter()
    }

    /// What the client calls its open files.
    pub(super) fn open_documents(&self) -> OpenDocuments {
        let open = |it: &Document| OpenDocument {
            uri: it.uri.clone(),
            version: it.version,
            published: it.published.clone(),
        };
        Arc::new(self.open.iter().map(|(path, it)| (path.clone(), open(it))).collect())
    }

    /// The number of the text that is open at a path; it changes with every change.
    pub(super) fn generation(&self, path: &FilePath) -> Option<u64> {
        self.get(path).map(|it| it.generation)
    }

    /// Opens a file; returns whether it was open already (its text is replaced).
    pub(super) fn open(&mut self, path: FilePath, uri: Uri, version: i32, text: String) -> bool {
        let generation = self.next_generation();
        let document = Document { uri, version, generation, text: text.into(), published: Arc::default() };
        self.open.insert(path, document).is_some()
    }

    /// Applies changes one after the other; the new text, `None` where the file is not open.
    pub(super) fn change(
        &mut self,
        path: &FilePath,
        version: i32,
        changes: Vec<ContentChange>,
        unit: ColumnUnit,
    ) -> Option<Arc<str>> {
        let generation = self.next_generation();
        let document = self.open.get_mut(path)?;
        document.text = changed(&document.text, changes, unit);
        document.version = version;
        document.generation = generation;
        Some(document.text.clone())
    }

    /// Closes a file and returns what was open.
    pub(super) fn close(&mut self, path: &FilePath) -> Option<Document> {
        self.open.remove(path)
    }

    fn next_generation(&mut self) -> u64 {
        self.last_generation += 1;
        self.last_generation
    }
}

/// `text` after all `changes`, each relative to the text that the ones before it have left.
fn changed(text: &Arc<str>, changes: Vec<ContentChange>, unit: ColumnUnit) -> Arc<str> {
    // Only what comes after the last whole text matters.
    let first = changes.iter().rposition(|it| it.range.is_none()).unwrap_or(0);
    let mut text = text.to_string();
    let mut lines = None;
    // Above this line the map still fits; editors send the changes of many cursors from the last to the first.
    let mut valid_above = 0;
    for change in changes.into_iter().skip(first) {
        let Some(range) = change.range else {
            text = change.text;
            lines = None;
            continue;
        };
        let (start, end) = (range.start.nearest(), range.end.nearest());
        let (start, end) = if end < start { (end, start) } else { (start, end) };
        if end.line >= valid_above {
            lines = None;
        }
        let map = lines.get_or_insert_with(|| LineMap::new(&text));
        let from = convert::offset(&text, map, start, unit) as usize;
        let to = convert::offset(&text, map, end, unit) as usize;
        text.replace_range(from..to.max(from), &change.text);
        valid_above = start.line;
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(range: Option<[i64; 4]>, text: &str) -> ContentChange {
        let position = |line, character| LoosePosition { line, character };
        let range = range.map(|it| LooseRange { start: position(it[0], it[1]), end: position(it[2], it[3]) });
        ContentChange { range, text: text.to_owned() }
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let text = "eins\nzw\u{e4}i \u{1f600} x\ndrei\n";
        for (changes, expected) in [
            (vec![], text),
            (vec![change(Some([0, 0, 0, 4]), "one")], "one\nzw\u{e4}i \u{1f600} x\ndrei\n"),
            (vec![change(Some([1, 5, 1, 7]), "!")], "eins\nzw\u{e4}i ! x\ndrei\n"),
            // From the last to the first, then from the first to the last.
            (
                vec![change(Some([2, 0, 2, 1]), "D"), change(Some([0, 0, 0, 1]), "E\n")],
                "E\nins\nzw\u{e4}i \u{1f600} x\nDrei\n",
            ),
            (
                vec![change(Some([0, 0, 0, 1]), "E\n"), change(Some([3, 0, 3, 1]), "D")],
                "E\nins\nzw\u{e4}i \u{1f600} x\nDrei\n",
            ),
            // The whole text, then a part of it.
            (
                vec![
                    change(Some([0, 0, 3, 0]), "gone"),
                    change(None, "a\nb"),
                    change(Some([1, 0, 1, 1]), "c"),
                ],
                "a\nc",
            ),
            // Out of range: the nearest place; the wrong way round: the same range.
            (vec![change(Some([99, 0, 99, 9]), "end")], "eins\nzw\u{e4}i \u{1f600} x\ndrei\nend"),
            (vec![change(Some([0, 99, 1, 0]), "")], "einszw\u{e4}i \u{1f600} x\ndrei\n"),
            (vec![change(Some([-1, -5, 0, 1]), "E")], "Eins\nzw\u{e4}i \u{1f600} x\ndrei\n"),
            (vec![change(Some([0, 3, 0, 1]), "")], "es\nzw\u{e4}i \u{1f600} x\ndrei\n"),
            (vec![change(Some([0, 0, 1 << 40, 0]), "")], ""),
        ] {
            let found = changed(&text.into(), changes.clone(), ColumnUnit::Utf16);
            assert_eq!(&*found, expected, "{changes:?}");
        }
    }
}
