//! The trees that a thread has made last. What is asked of a closed file (its names, its bodies, its errors) is asked in
//! short order, and no tree of it is to be kept.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use syntax::{Language, Parse};

/// How many bytes of text the trees stand for at most, one larger text apart.
const MAX_BYTES: usize = 1 << 20;
/// So many trees are kept: each text is compared with those of all.
const MAX_TREES: usize = 256;

struct RecentTree {
    text: Arc<str>,
    language: Language,
    parse: Parse,
}

thread_local! {
    static RECENT: RefCell<VecDeque<RecentTree>> = const { RefCell::new(VecDeque::new()) };
}

/// The tree of a text, if this thread has just made it of the same text.
pub(crate) fn find(text: &Arc<str>, language: Language) -> Option<Parse> {
    RECENT.with_borrow_mut(|recent| {
        // A packed text that was unpacked again lies elsewhere.
        let is_same = |it: &RecentTree| Arc::ptr_eq(&it.text, text) || it.text == *text;
        let is_it = |it: &RecentTree| it.language == language && is_same(it);
        let found = recent.remove(recent.iter().position(is_it)?)?;
        let parse = found.parse.clone();
        recent.push_front(found);
        Some(parse)
    })
}

/// Makes the tree of a text, for [`find`] to find it.
pub(crate) fn make(text: &Arc<str>, language: Language) -> Parse {
    let parse = syntax::parse(text, language);
    let tree = RecentTree { text: text.clone(), language, parse: parse.clone() };
    let forgotten = RECENT.with_borrow_mut(|recent| {
        recent.push_front(tree);
        let mut bytes = 0;
        let kept = recent.iter().take(MAX_TREES).take_while(|it| {
            bytes += it.text.len();
            bytes <= MAX_BYTES
        });
        let kept = kept.count().max(1);
        recent.split_off(kept)
    });
    // Dropping a deep tree takes a while, and must not be seen by who asks meanwhile.
    drop(forgotten);
    parse
}

#[cfg(test)]
#[path = "recent_trees_tests.rs"]
mod tests;
