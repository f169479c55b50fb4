//! Trees of an open file before its last edit. They are the base of incremental parsing, so that an edit
//! costs only what it touches.
//!
//! They never affect results: an incrementally parsed tree equals a freshly parsed one
//! ([`syntax::Parse::edited`]), so no query depends on them.

use std::sync::{Arc, Mutex, PoisonError};

use hir::DefinitionKey;
use rustc_hash::FxHashMap;
use syntax::{Language, Parse, TextEdit};

/// Maximum number of trees; beyond it all are dropped, as most belong to parts that were renamed.
const MAX_TREES: usize = 1024;

#[derive(Default, Debug)]
struct Trees {
    by_part: FxHashMap<Option<DefinitionKey>, Parse>,
    /// A tree of the file, and its top-level definitions.
    definitions: Option<(Parse, Vec<DefinitionKey>)>,
    /// Last edit of the file, until its text is parsed.
    edit: Option<Arc<TextEdit>>,
}

/// Last trees of one file; empty while it is not open.
#[derive(Default, Debug)]
pub struct LastTrees(Mutex<Option<Box<Trees>>>);

impl LastTrees {
    /// Starts or stops keeping trees.
    pub(crate) fn set_open(&self, is_open: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = is_open.then(Box::default);
    }

    /// Records the last edit of the file.
    pub(crate) fn set_edit(&self, edit: Arc<TextEdit>) {
        if let Some(trees) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            trees.edit = Some(edit);
        }
    }

    /// Returns the text of a part. If it equals the text of the part's last tree, that allocation is shared,
    /// which makes later comparisons cheap.
    pub(crate) fn text(&self, part: &DefinitionKey, text: &str) -> Arc<str> {
        let trees = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = trees.as_ref().and_then(|trees| trees.by_part.get(&Some(part.clone())));
        match last.map(Parse::text).filter(|last| ***last == *text) {
            Some(last) => last.clone(),
            None => text.into(),
        }
    }

    /// Returns the top-level definitions of a file, given its tree.
    pub(crate) fn definitions(&self, parse: &Parse) -> Vec<DefinitionKey> {
        let trees = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = trees().as_mut().and_then(|trees| trees.definitions.take());
        let keys = hir::top_definitions(parse, last.as_ref().map(|(parse, keys)| (parse, &**keys)));
        if let Some(trees) = trees().as_mut() {
            trees.definitions = Some((parse.clone(), keys.clone()));
        }
        keys
    }

    /// Parses a text: that of the file, or that of the named `part`.
    pub(crate) fn parse(&self, part: Option<&DefinitionKey>, text: &Arc<str>, language: Language) -> Parse {
        let trees = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, edit) = match trees().as_mut() {
            Some(trees) => {
                let edit = if part.is_none() { trees.edit.take() } else { None };
                (trees.by_part.remove(&part.cloned()), edit)
            }
            None => (None, None),
        };
        let parse = match last.filter(|last| last.language() == language) {
            Some(last) => last.edited_by(edit.as_deref(), text),
            None => syntax::parse_shared(text, language),
        };
        if let Some(trees) = trees().as_mut() {
            if trees.by_part.len() >= MAX_TREES {
                trees.by_part.clear();
            }
            trees.by_part.insert(part.cloned(), parse.clone());
        }
        parse
    }
}
