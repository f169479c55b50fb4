//! The trees of an open file before its last edit: what the next ones are made of, so that an edit costs what it touches.
//!
//! Never the truth: a tree made of an older one is equal to one made anew ([`syntax::Parse::edited`]). So no query depends on
//! what is kept here.

use std::sync::{Arc, Mutex, PoisonError};

use hir::DefinitionKey;
use rustc_hash::FxHashMap;
use syntax::{Language, Parse};

/// With more trees than this all are forgotten: parts that are called otherwise by now.
const MAX_TREES: usize = 1024;

#[derive(Default, Debug)]
struct Trees {
    by_part: FxHashMap<Option<DefinitionKey>, Parse>,
    /// A tree of the file, and the definitions at its top.
    definitions: Option<(Parse, Vec<DefinitionKey>)>,
}

/// The last trees of one file; none while it is not open.
#[derive(Default, Debug)]
pub struct LastTrees(Mutex<Option<Box<Trees>>>);

impl LastTrees {
    /// Keeps trees from now on, or no longer.
    pub(crate) fn set_open(&self, is_open: bool) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = is_open.then(Box::default);
    }

    /// The text of a part; the one that its last tree was made of where that is equal, so that nobody compares the two again.
    pub(crate) fn text(&self, part: &DefinitionKey, text: &str) -> Arc<str> {
        let trees = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = trees.as_ref().and_then(|trees| trees.by_part.get(&Some(part.clone())));
        match last.map(Parse::text).filter(|last| ***last == *text) {
            Some(last) => last.clone(),
            None => text.into(),
        }
    }

    /// The definitions at the top of a file, of which this is the tree.
    pub(crate) fn definitions(&self, parse: &Parse) -> Vec<DefinitionKey> {
        let trees = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = trees().as_mut().and_then(|trees| trees.definitions.take());
        let keys = hir::top_definitions(parse, last.as_ref().map(|(parse, keys)| (parse, &**keys)));
        if let Some(trees) = trees().as_mut() {
            trees.definitions = Some((parse.clone(), keys.clone()));
        }
        keys
    }

    /// The tree of a text: the file's, or that of the `part` of this name.
    pub(crate) fn parse(&self, part: Option<&DefinitionKey>, text: &Arc<str>, language: Language) -> Parse {
        let trees = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = trees().as_mut().and_then(|trees| trees.by_part.remove(&part.cloned()));
        let parse = match last.filter(|last| last.language() == language) {
            Some(last) => last.edited(text),
            None => syntax::parse(text, language),
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
