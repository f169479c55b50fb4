//! The trees of an open file before its last edit: what the next ones are made of, so that an edit costs what it touches.
//!
//! Never the truth: a tree made of an older one is equal to one made anew ([`syntax::Parse::edited`]).

use std::sync::{Arc, Mutex, PoisonError};

use hir::DefinitionKey;
use rustc_hash::FxHashMap;
use syntax::{Language, Parse};

/// With more trees than this all are forgotten: parts that are called otherwise by now.
const MOST_TREES: usize = 1024;

/// A handle to the last trees of one open file.
#[derive(Clone, Default, Debug)]
pub struct LastTrees(Arc<Mutex<FxHashMap<Option<DefinitionKey>, Parse>>>);

impl LastTrees {
    /// The tree of a text: the file's, or that of the `part` of this name.
    pub(crate) fn parse(&self, part: Option<&DefinitionKey>, text: &Arc<str>, language: Language) -> Parse {
        let trees = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = trees().remove(&part.cloned());
        let parse = match last.filter(|last| last.language() == language) {
            Some(last) => last.edited(text),
            None => syntax::parse(text, language),
        };
        let mut trees = trees();
        if trees.len() >= MOST_TREES {
            trees.clear();
        }
        trees.insert(part.cloned(), parse.clone());
        parse
    }
}
