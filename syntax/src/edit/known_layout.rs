//! Layout facts that are passed on to the next version of a text.

use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData};
use rustc_hash::FxHashMap;

use crate::recovery::indentation_stats::IndentationStats;
use crate::{Language, TextRange};

/// Cached facts about the layout of a text. They are derived from the text, so all values compare equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownLayout {
    indentation_stats: Option<Arc<IndentationStats>>,
    statements: Arc<KnownStatements>,
}

impl PartialEq for KnownLayout {
    fn eq(&self, _: &KnownLayout) -> bool {
        true
    }
}

impl Eq for KnownLayout {}

impl KnownLayout {
    pub(crate) fn new(indentation_stats: Option<IndentationStats>) -> KnownLayout {
        KnownLayout { indentation_stats: indentation_stats.map(Arc::new), statements: Arc::default() }
    }

    /// Returns true if the indentation of `text`, which these facts are about, follows its structure. Computes that on
    /// first use.
    pub(super) fn is_consistent(&mut self, text: &str, language: Language) -> bool {
        self.indentation_stats
            .get_or_insert_with(|| Arc::new(IndentationStats::of(text, language)))
            .is_consistent()
    }

    /// Runs a check of statements with the known ones. Keeps those that it looked up if it succeeds, or if it looked up
    /// more than were known.
    pub(super) fn check_statements(&mut self, check: impl FnOnce(&mut StatementLookup<'_>) -> bool) -> bool {
        let known = self.statements.clone();
        let mut statements = StatementLookup::new(&known);
        let is_successful = check(&mut statements);
        // The layout may have changed at the statement that was examined first, so keep the facts in any case.
        if is_successful || statements.used.len() > known.len() {
            self.statements = Arc::new(statements.used);
        }
        is_successful
    }

    /// Updates the facts for a newer version of the text in which `old` became `new`.
    pub(super) fn edited(&self, text: &str, old: TextRange, new: TextRange) -> KnownLayout {
        let indentation_stats = self.indentation_stats.as_ref().map(|it| Arc::new(it.edited(text, old, new)));
        KnownLayout { indentation_stats, statements: self.statements.clone() }
    }
}

/// Indentation context of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct StatementIndentation {
    /// Indentation of its line; `None` if it is not the first token on it.
    pub(super) indentation: Option<u32>,
    /// Indentation of the line that closes the enclosing block.
    pub(super) around: Option<u32>,
}

/// True for statements that end where their layout suggests. Each entry keeps its node alive, so that no
/// other node can have the same address.
type KnownStatements = FxHashMap<(usize, StatementIndentation), (GreenNode, bool)>;

/// Known statements and those looked up.
pub(super) struct StatementLookup<'k> {
    known: &'k KnownStatements,
    used: KnownStatements,
}

impl<'k> StatementLookup<'k> {
    fn new(known: &'k KnownStatements) -> StatementLookup<'k> {
        StatementLookup { known, used: KnownStatements::default() }
    }

    /// Returns the known answer for a statement, or computes it with `find`.
    pub(super) fn get(
        &mut self,
        node: &GreenNodeData,
        indentation_context: StatementIndentation,
        find: impl FnOnce() -> bool,
    ) -> bool {
        let key = (std::ptr::from_ref(node) as usize, indentation_context);
        let (kept, answer) = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => (node.to_owned(), find()),
        };
        self.used.insert(key, (kept, answer));
        answer
    }
}
