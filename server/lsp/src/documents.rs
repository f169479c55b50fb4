//! Open documents with the client's texts, in a table shared by all threads.
//!
//! The handlers of `didOpen`, `didChange` and `didClose` write to it, in the order of the messages. Any
//! thread may read it at any time and gets one version of a document with consistent text, version and lines;
//! the table is never locked for long. Analysis
//! results follow once the main loop has applied the text to the database.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dashmap::{DashMap, DashSet};
use ide::{ClassStatus, FilePath, TextDigest, Tier};
use lsp_types::{Position, Uri};
use rustc_hash::FxBuildHasher;
use serde::Deserialize;
use syntax::{ColumnUnit, LineMap, TextEdit, TextRange};

use super::published_diagnostic::PublishedDiagnostic;
use crate::convert;

/// A version of an open file.
#[derive(Debug)]
pub(crate) struct Document {
    /// URI as written by the client; responses use the same.
    pub(super) uri: Uri,
    /// The client's version number.
    pub(super) version: i32,
    /// Our version number, unique in the session.
    pub(super) generation: u64,
    pub(super) text: Arc<str>,
    lines: OnceLock<Arc<LineMap>>,
    digest: OnceLock<TextDigest>,
    /// Edits since the previous version, in order; `None` if the whole text was replaced.
    pub(super) edits: Option<Vec<TypedEdit>>,
    /// The edit since the previous version if it is the only one, until all diagnostics have been published.
    edit: Mutex<Option<Arc<TextEdit>>>,
    /// Diagnostics published last, for any version.
    pub(super) published: Arc<Mutex<Published>>,
}

impl Document {
    /// Returns the line index, computed on first use.
    pub(super) fn lines(&self) -> &Arc<LineMap> {
        self.lines.get_or_init(|| Arc::new(LineMap::new(&self.text)))
    }

    /// Returns whether its diagnostics differ from those found, because the user is typing.
    pub(super) fn is_provisional(&self) -> bool {
        !self.published.lock().unwrap_or_else(PoisonError::into_inner).provisional.is_empty()
    }

    /// Returns the edit since the previous version if it is the only one, and comparisons may still need it.
    pub(super) fn edit(&self) -> Option<Arc<TextEdit>> {
        self.edit.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Frees the previous text.
    pub(super) fn drop_edit(&self) {
        *self.edit.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn digest(&self) -> TextDigest {
        *self.digest.get_or_init(|| TextDigest::of(&self.text))
    }
}

/// Replaced part of a text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TypedEdit {
    pub(super) start: u32,
    /// End of the part in the text before.
    pub(super) old_end: u32,
    /// End of the part in the text afterwards.
    pub(super) new_end: u32,
    /// Likely location of the cursor afterwards.
    pub(super) cursor: u32,
}

impl TypedEdit {
    /// Returns the location of an offset after the edit; an offset inside the replaced part moves to its end.
    pub(super) fn moved(self, offset: u32) -> u32 {
        if offset < self.start { offset } else { self.new_end + offset.saturating_sub(self.old_end) }
    }
}

/// Returns the likely location of the cursor in a text that was just inserted: between the parts of a pair that an editor
/// closed, on the new line between two brackets, otherwise at the end.
fn cursor_in(inserted: &str) -> u32 {
    const PAIRS: [&str; 5] = ["{}", "[]", "()", "''", "\"\""];
    let at = match inserted.trim_end_matches([' ', '\t']).strip_suffix('\n') {
        _ if PAIRS.contains(&inserted) => 1,
        Some(first) if first.contains('\n') && first.trim().is_empty() => first.trim_end_matches('\r').len(),
        _ => inserted.len(),
    };
    at as u32
}

/// Published state of a file.
#[derive(Debug, Default)]
pub(super) struct Published {
    /// Generation of the text, and the serialized diagnostics.
    pub(super) state: Option<(u64, Box<[u8]>)>,
    /// Last published diagnostics of each tier, with the text they were computed for.
    pub(super) tiers: BTreeMap<Tier, (Arc<str>, Arc<[PublishedDiagnostic]>)>,
    /// Tiers with diagnostics that are withheld while the user types, or that a syntax error mutes.
    pub(super) provisional: BTreeSet<Tier>,
    /// Last compile results of its classes; `None` before the first compile.
    pub(super) classes: Option<Vec<ClassStatus>>,
    /// True once the file is closed; nothing is published afterwards.
    pub(super) is_closed: bool,
}

/// A change of a document. Unlike the type of `lsp_types`, it accepts positions out of range, so that one of
/// them does not invalidate the whole edit.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ContentChange {
    /// Range to replace; the whole text if absent.
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

impl LooseRange {
    fn nearest(self) -> (Position, Position) {
        let (start, end) = (self.start.nearest(), self.end.nearest());
        if end < start { (end, start) } else { (start, end) }
    }
}

impl LoosePosition {
    fn nearest(self) -> Position {
        let nearest = |number: i64| number.clamp(0, i64::from(u32::MAX)) as u32;
        Position { line: nearest(self.line), character: nearest(self.character) }
    }
}

/// All open files by path. Clones share the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenDocuments {
    open: Arc<DashMap<FilePath, Arc<Document>, FxBuildHasher>>,
    /// Open documents without a file that are not Puppet code.
    ignored: Arc<DashSet<FilePath, FxBuildHasher>>,
    last_generation: Arc<AtomicU64>,
}

impl OpenDocuments {
    /// Returns the newest version of the open file at a path.
    pub(super) fn get(&self, path: &FilePath) -> Option<Arc<Document>> {
        self.open.get(path).map(|it| it.value().clone())
    }

    /// Returns whether `document` is the newest version of the file at a path.
    pub(super) fn is_newest(&self, path: &FilePath, document: &Document) -> bool {
        self.open.get(path).is_some_and(|it| it.generation == document.generation)
    }

    /// Opens a file. Returns the document, and whether the file was already open (its text is replaced).
    pub(crate) fn open(&self, path: FilePath, uri: Uri, version: i32, text: String) -> (Arc<Document>, bool) {
        let document =
            self.document(uri, version, ChangedText::of(text.into()), OnceLock::new(), Arc::default());
        let before = self.open.insert(path, document.clone());
        (document, before.is_some())
    }

    /// Applies changes in order. Returns the new version; `None` if the file is not open.
    pub(crate) fn change(
        &self,
        path: &FilePath,
        version: i32,
        changes: Vec<ContentChange>,
        unit: ColumnUnit,
    ) -> Option<Arc<Document>> {
        let old = self.get(path)?;
        let mut changed = changed(&old, changes, unit);
        let digest = match (old.digest.get(), changed.edits.as_deref()) {
            // The text is the same, or differs in one place.
            (Some(digest), Some([])) => OnceLock::from(*digest),
            (Some(digest), Some([edit])) => {
                let range = TextRange::new(edit.start, edit.old_end);
                OnceLock::from(digest.edited(&old.text, range, &changed.text, edit.new_end - edit.start))
            }
            _ => OnceLock::new(),
        };
        changed.edit = changed.only_edit(&old.text);
        let document = self.document(old.uri.clone(), version, changed, digest, old.published.clone());
        self.open.insert(path.clone(), document.clone());
        Some(document)
    }

    /// Notes that a document is not Puppet code.
    pub(crate) fn ignore(&self, path: FilePath) {
        self.ignored.insert(path);
    }

    pub(crate) fn is_ignored(&self, path: &FilePath) -> bool {
        self.ignored.contains(path)
    }

    /// Forgets that a document is ignored. Returns true if it was.
    pub(crate) fn stop_ignoring(&self, path: &FilePath) -> bool {
        self.ignored.remove(path).is_some()
    }

    /// Closes a file.
    pub(crate) fn close(&self, path: &FilePath) {
        self.open.remove(path);
    }

    fn document(
        &self,
        uri: Uri,
        version: i32,
        changed: ChangedText,
        digest: OnceLock<TextDigest>,
        published: Arc<Mutex<Published>>,
    ) -> Arc<Document> {
        let generation = self.last_generation.fetch_add(1, Ordering::Relaxed) + 1;
        let ChangedText { text, lines, edits, edit } = changed;
        let edit = Mutex::new(edit);
        Arc::new(Document { uri, version, generation, text, lines, digest, edits, edit, published })
    }
}

/// Text of a new version of a document.
struct ChangedText {
    text: Arc<str>,
    lines: OnceLock<Arc<LineMap>>,
    edits: Option<Vec<TypedEdit>>,
    edit: Option<Arc<TextEdit>>,
}

impl ChangedText {
    /// A text that replaces the previous one as a whole.
    fn of(text: Arc<str>) -> ChangedText {
        ChangedText { text, lines: OnceLock::new(), edits: None, edit: None }
    }

    /// Returns the edit of the text `old` if it is the only one.
    fn only_edit(&self, old: &Arc<str>) -> Option<Arc<TextEdit>> {
        let (Some([edit]), Some(lines)) = (self.edits.as_deref(), self.lines.get()) else { return None };
        let (range, inserted) = (TextRange::new(edit.start, edit.old_end), edit.new_end - edit.start);
        Some(Arc::new(TextEdit::new(old.clone(), self.text.clone(), lines.clone(), range, inserted)))
    }
}

/// Returns the text and lines of a document after `changes`, each relative to the result of the previous
/// ones.
fn changed(document: &Document, changes: Vec<ContentChange>, unit: ColumnUnit) -> ChangedText {
    // Changes before the last full replacement do not matter.
    let replacement = changes.iter().rposition(|it| it.range.is_none());
    let first = replacement.unwrap_or(0);
    let mut edits = replacement.is_none().then(Vec::new);
    let mut text: Option<String> = None;
    let mut lines = document.lines().clone();
    for change in changes.into_iter().skip(first) {
        let before = text.as_deref().unwrap_or(&document.text);
        let Some(range) = change.range else {
            lines = Arc::new(LineMap::new(&change.text));
            text = Some(change.text);
            continue;
        };
        let (from, to) = replaced(before, &lines, range, unit);
        let after = [&before[..from], &change.text, &before[to..]].concat();
        let range = TextRange::new(from as u32, to as u32);
        let inserted = change.text.len() as u32;
        lines = Arc::new(lines.edited(&after, range, inserted));
        text = Some(after);
        if let Some(edits) = &mut edits {
            edits.push(TypedEdit {
                start: range.start,
                old_end: range.end,
                new_end: range.start + inserted,
                cursor: range.start + cursor_in(&change.text),
            });
        }
    }
    let text = text.map_or_else(|| document.text.clone(), Arc::from);
    ChangedText { text, lines: lines.into(), edits, edit: None }
}

/// Returns the byte offsets of a range.
fn replaced(text: &str, lines: &LineMap, range: LooseRange, unit: ColumnUnit) -> (usize, usize) {
    let (start, end) = range.nearest();
    let from = convert::offset(text, lines, start, unit) as usize;
    let to = convert::offset(text, lines, end, unit) as usize;
    (from, to.max(from))
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
