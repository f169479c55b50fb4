//! What is known of a text's layout, and handed on to the next version of it.

use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData};
use rustc_hash::FxHashMap;

use crate::TextRange;
use crate::recovery::neatness::Neatness;

/// What was worked out about the layout of a text. Says nothing that the text does not say: all are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownLayout {
    pub(super) neatness: Option<Arc<Neatness>>,
    pub(super) statements: Arc<KnownStatements>,
}

impl PartialEq for KnownLayout {
    fn eq(&self, _: &KnownLayout) -> bool {
        true
    }
}

impl Eq for KnownLayout {}

impl KnownLayout {
    pub(crate) fn new(neatness: Option<Neatness>) -> KnownLayout {
        KnownLayout { neatness: neatness.map(Arc::new), statements: Arc::default() }
    }

    /// The same for a newer version of the text, in which `old` became `new`.
    pub(super) fn edited(&self, text: &str, old: TextRange, new: TextRange) -> KnownLayout {
        let neatness = self.neatness.as_ref().map(|it| Arc::new(it.edited(text, old, new)));
        KnownLayout { neatness, statements: self.statements.clone() }
    }
}

/// Where a statement stands, as far as its layout is judged by that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Standing {
    /// How far its line is indented; `None` where it is not the first on it.
    pub(super) indentation: Option<u32>,
    /// The same for what ends the block around it.
    pub(super) around: Option<u32>,
}

/// Whether statements end where their layout ends them. Each is kept with its node, so that no other one can have its address.
pub(super) type KnownStatements = FxHashMap<(usize, Standing), (GreenNode, bool)>;

/// What is known of statements, and what was asked.
pub(super) struct AskedStatements<'k> {
    known: &'k KnownStatements,
    pub(super) asked: KnownStatements,
}

impl<'k> AskedStatements<'k> {
    pub(super) fn new(known: &'k KnownStatements) -> AskedStatements<'k> {
        AskedStatements { known, asked: KnownStatements::default() }
    }

    /// What is known of a statement, or else is found.
    pub(super) fn get(
        &mut self,
        node: &GreenNodeData,
        standing: Standing,
        find: impl FnOnce() -> bool,
    ) -> bool {
        let key = (std::ptr::from_ref(node) as usize, standing);
        let (kept, answer) = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => (node.to_owned(), find()),
        };
        self.asked.insert(key, (kept, answer));
        answer
    }
}
