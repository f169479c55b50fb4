//! Most recently parsed trees of each thread. The queries about a closed file (names, bodies, errors) come in
//! quick succession, and its tree is not kept otherwise.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use syntax::{Language, Parse};

/// Maximum total text length of the kept trees in bytes, except for a single larger text.
const MAX_BYTES: usize = 1 << 20;
/// Maximum number of kept trees: a lookup compares the text with that of each.
const MAX_TREES: usize = 256;

struct RecentTree {
    text: Arc<str>,
    language: Language,
    parse: Parse,
}

thread_local! {
    static RECENT: RefCell<VecDeque<RecentTree>> = const { RefCell::new(VecDeque::new()) };
}

/// Returns the tree of a text, if this thread has recently parsed the same text.
pub(crate) fn find(text: &Arc<str>, language: Language) -> Option<Parse> {
    RECENT.with_borrow_mut(|recent| {
        // A packed text that was unpacked again has another address.
        let is_same = |it: &RecentTree| Arc::ptr_eq(&it.text, text) || it.text == *text;
        let is_it = |it: &RecentTree| it.language == language && is_same(it);
        let found = recent.remove(recent.iter().position(is_it)?)?;
        let parse = found.parse.clone();
        recent.push_front(found);
        Some(parse)
    })
}

/// Parses a text and keeps the tree for [`find`].
pub(crate) fn make(text: &Arc<str>, language: Language) -> Parse {
    let parse = syntax::parse(text, language);
    let tree = RecentTree { text: text.clone(), language, parse: parse.clone() };
    let evicted = RECENT.with_borrow_mut(|recent| {
        recent.push_front(tree);
        let mut bytes = 0;
        let kept = recent.iter().take(MAX_TREES).take_while(|it| {
            bytes += it.text.len();
            bytes <= MAX_BYTES
        });
        let kept = kept.count().max(1);
        recent.split_off(kept)
    });
    // Dropping a deep tree takes a while, so it happens outside the borrow.
    drop(evicted);
    parse
}

#[cfg(test)]
#[path = "recent_trees_tests.rs"]
mod tests;
