//! Repeated edits of a source: the incrementally updated tree equals the tree of the new source.

use std::sync::Arc;

use crate::text_of_pieces;
use syntax::{Language, parse};

/// Runs the target. The first byte gives the length of the source and its language. Edits follow:
/// position, number of bytes removed, inserted bytes.
pub(crate) fn run(bytes: &[u8]) {
    let Some((head, bytes)) = bytes.split_first() else { return };
    let language = match head % 8 {
        0 => Language::Epp,
        1 => Language::Plan,
        _ => Language::Manifest,
    };
    let (first, edits) = bytes.split_at(bytes.len() / 2);
    let mut text: Arc<str> = text_of_pieces(first).into();
    let mut tree = parse(&text, language);
    for edit in edits.chunks(6) {
        let number = |at: usize| edit.get(at).copied().unwrap_or_default() as usize;
        let mut from = text.len() * (number(0) * 256 + number(1)) / 65_536;
        let mut to = (from + number(2) % 16).min(text.len());
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        let typed = text_of_pieces(edit.get(3..).unwrap_or_default());
        text = [&text[..from], &typed, &text[to.max(from)..]].concat().into();
        tree = tree.edited(&text);
        assert_eq!(tree, parse(&text, language), "{text:?}");
    }
}
