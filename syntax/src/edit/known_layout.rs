//! Layout facts that are passed on to the next version of a text.

use std::sync::{Arc, Mutex, PoisonError};

use rowan::{GreenNode, GreenNodeData};
use rustc_hash::FxHashMap;

use crate::recovery::indentation_stats::IndentationStats;
use crate::{Language, TextRange};

/// Cached facts about the layout of a text. They are derived from the text, so all values compare equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownLayout {
    indentation_stats: Option<Arc<IndentationStats>>,
    /// Shared by all versions of the text.
    statements: Arc<Mutex<KnownStatements>>,
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

    /// Runs a check of statements with the known ones, and drops those that are no longer looked up.
    pub(super) fn check_statements(&self, check: impl FnOnce(&mut KnownStatements) -> bool) -> bool {
        let mut statements = self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        statements.begin_check();
        let is_successful = check(&mut statements);
        statements.drop_unused();
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

/// Statements with known answers to whether they end where their layout suggests. An answer depends only on the
/// statement and its indentation context.
#[derive(Debug, Default)]
pub(super) struct KnownStatements {
    answers: FxHashMap<(usize, StatementIndentation), KnownStatement>,
    /// Number of the current check.
    check: u32,
    /// Statements looked up by the current check, and by the check that looked up most.
    looked_up: usize,
    most_looked_up: usize,
}

#[derive(Debug)]
struct KnownStatement {
    /// Keeps the node alive, so that no other node can have the same address.
    _node: GreenNode,
    ends_at_layout: bool,
    /// Number of the last check that looked it up.
    check: u32,
}

impl KnownStatements {
    /// Minimum number of answers to drop.
    const MIN_DROPPED: usize = 64;

    fn begin_check(&mut self) {
        self.check = self.check.wrapping_add(1);
        self.looked_up = 0;
    }

    /// Drops the answers that the current check did not look up once they are the majority.
    fn drop_unused(&mut self) {
        self.most_looked_up = self.most_looked_up.max(self.looked_up);
        if self.answers.len() > 2 * self.most_looked_up + Self::MIN_DROPPED {
            let check = self.check;
            self.answers.retain(|_, it| it.check == check);
        }
    }

    /// Returns the known answer for a statement, or computes it with `find`.
    pub(super) fn get(
        &mut self,
        node: &GreenNodeData,
        indentation_context: StatementIndentation,
        find: impl FnOnce() -> bool,
    ) -> bool {
        self.looked_up += 1;
        let key = (std::ptr::from_ref(node) as usize, indentation_context);
        let check = self.check;
        let known = self.answers.entry(key).or_insert_with(|| KnownStatement {
            _node: node.to_owned(),
            ends_at_layout: find(),
            check,
        });
        known.check = check;
        known.ends_at_layout
    }
}
