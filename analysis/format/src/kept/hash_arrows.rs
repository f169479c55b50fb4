//! Columns of `=>` in hashes and selectors outside of resources: kept where the author has aligned them.

use syntax::SyntaxKind::{FAT_ARROW, HASH_EXPR, KEYED_ENTRY, RESOURCE_BODY, SELECTOR_ENTRY, SELECTOR_EXPR};
use syntax::{FlatElement, FlatNode, TextRange};

use crate::builder::{DocumentBuilder, children};
use crate::document::width;

/// Number of lines of which at least two thirds must be in a column.
const THIRDS: usize = 3;

/// Maximum number of lines that move because of a line that does not fit into their column.
const SHORT_RUN: usize = 8;

/// Entry that begins a line, with its arrow on the line of its key.
#[derive(Clone, Copy)]
struct KeyedLine {
    /// Index of the element.
    index: usize,
    range: TextRange,
    /// Column of the arrow, counted from the key.
    column: u32,
    /// Minimum column.
    minimum: u32,
}

/// Space before an arrow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptArrow {
    /// None, since the arrow is in the column of the others only without it.
    Tight,
    /// Number of spaces in addition to a single one.
    Padded(u32),
}

impl DocumentBuilder<'_> {
    /// Returns the space before the arrow of each element of a hash or selector, by the columns of the author: in each
    /// run of adjacent lines, one column or none. Returns `None` if the arrows of the whole list are to be aligned.
    pub(crate) fn kept_arrows(&self, elements: &[FlatElement<'_>]) -> Option<Vec<KeptArrow>> {
        let list = elements.iter().find_map(FlatElement::as_node).and_then(FlatNode::parent)?;
        let is_kept = matches!(list.kind(), HASH_EXPR | SELECTOR_EXPR) && self.options.align_arrows;
        if !is_kept || is_in_resource(&list) {
            return None;
        }
        let nodes = elements.iter().enumerate().filter_map(|(at, it)| Some((at, it.as_node()?)));
        let lines: Vec<KeyedLine> =
            nodes.map(|(at, node)| self.keyed_line(at, node)).collect::<Option<_>>()?;
        let mut kept = vec![KeptArrow::Padded(0); elements.len()];
        for run in lines.chunk_by(|before, next| self.are_adjacent(before.range, next.range)) {
            let column = run_column(run, &lines);
            for line in run {
                // Several lines that do not fit into the column may have their own.
                let is_group = run.iter().filter(|it| it.column == line.column).count() > 1;
                let wanted = column.map(|it| if line.minimum > it && is_group { line.column } else { it });
                kept[line.index] = match column {
                    Some(column) if line.column == column && column + 1 == line.minimum => KeptArrow::Tight,
                    _ => KeptArrow::Padded(wanted.unwrap_or(0).saturating_sub(line.minimum)),
                };
            }
        }
        Some(kept)
    }

    fn keyed_line(&self, index: usize, node: &FlatNode<'_>) -> Option<KeyedLine> {
        let parts = children(node);
        let range = node.text_range();
        let [key, arrow, ..] = parts.as_slice() else { return None };
        let is_entry = matches!(node.kind(), KEYED_ENTRY | SELECTOR_ENTRY) && arrow.kind() == FAT_ARROW;
        let before = &self.text[self.line_start(range.start)..range.start as usize];
        let head = &self.text[range.start as usize..arrow.text_range().start as usize];
        if !is_entry || !before.trim().is_empty() || head.contains(['\n', '#', '\t']) || head.contains("/*") {
            return None;
        }
        Some(KeyedLine { index, range, column: width(head), minimum: self.formatted_width(key)? + 1 })
    }
}

/// Returns the column of a run of a list; `None` if its arrows are not aligned.
fn run_column(run: &[KeyedLine], list: &[KeyedLine]) -> Option<u32> {
    if let [line] = run {
        let is_shared = list.iter().filter(|it| it.column == line.column).count() > 1;
        return Some(line.column).filter(|_| is_shared);
    }
    let tight = run.iter().filter(|it| it.column < it.minimum).count();
    if run.iter().all(|it| it.column <= it.minimum) && tight * 2 <= run.len() {
        return None;
    }
    let members = |column: u32| run.iter().filter(|it| it.column == column).count();
    let shared = run.iter().map(|it| it.column).max_by_key(|it| members(*it))?;
    let widest = run.iter().map(|it| it.minimum).max()?;
    let is_column = members(shared) > 1 && members(shared) * THIRDS >= run.len() * 2;
    // If a line is where the longest key requires it, the column of the others has needless spaces.
    let in_list = list.iter().filter(|it| it.column == shared).count();
    let is_needed = shared == widest || in_list > members(shared) || members(widest) == 0;
    let fits = widest <= shared && is_needed;
    if is_column && (fits || run.len() > SHORT_RUN) { Some(shared) } else { Some(widest) }
}

/// Returns true for a hash in an attribute, whose arrows are aligned as the check `arrow_alignment` requires.
pub(crate) fn is_in_resource(list: &FlatNode<'_>) -> bool {
    std::iter::successors(list.parent(), FlatNode::parent).any(|it| it.kind() == RESOURCE_BODY)
}
