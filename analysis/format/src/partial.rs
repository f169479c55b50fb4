//! Edits of the statements that keep their meaning, if those of the whole text do not.

use syntax::SyntaxKind::{BLOCK, SOURCE_FILE};
use syntax::{FlatNode, TextRange};

use crate::edits::{FormatEdit, apply};
use crate::parsed::ParsedText;
use crate::{Formatted, UnformattedReason, meaning};

/// Maximum number of attempts. Each parses the whole text.
const MAX_ATTEMPTS: usize = 200;

/// Edits of a statement without those of the statements in it.
struct StatementEdits {
    statement: TextRange,
    edits: Vec<FormatEdit>,
}

/// Returns the edits without those of the statements whose meaning they change.
pub(crate) fn without_changed_statements(
    source: &ParsedText,
    edits: Vec<FormatEdit>,
    mut unformatted: Vec<(TextRange, UnformattedReason)>,
) -> Formatted {
    let groups = by_statement(source, edits);
    let mut attempts = 0;
    let mut changed = Vec::new();
    find_changed(source, &groups, 0..groups.len(), &mut changed, &mut attempts);
    let is_kept = |at: &usize| !changed.contains(at);
    let kept = (0..groups.len()).filter(is_kept).map(|at| &groups[at]);
    let kept: Vec<&StatementEdits> = kept.collect();
    if attempts >= MAX_ATTEMPTS || !keeps_meaning(source, &kept) {
        let whole = TextRange::new(0, source.text().len() as u32);
        return Formatted { edits: Vec::new(), unformatted: vec![(whole, UnformattedReason::Meaning)] };
    }
    unformatted.extend(changed.iter().map(|at| (groups[*at].statement, UnformattedReason::Meaning)));
    unformatted.sort_by_key(|(range, _)| range.start);
    Formatted { edits: merged(&kept), unformatted }
}

/// Finds the statements in a range of the groups whose edits change the meaning, by halving.
fn find_changed(
    source: &ParsedText,
    groups: &[StatementEdits],
    range: std::ops::Range<usize>,
    changed: &mut Vec<usize>,
    attempts: &mut usize,
) {
    *attempts += 1;
    let tried: Vec<&StatementEdits> = groups[range.clone()].iter().collect();
    if *attempts >= MAX_ATTEMPTS || keeps_meaning(source, &tried) {
        return;
    }
    if range.len() == 1 {
        changed.push(range.start);
        return;
    }
    let middle = range.start + range.len() / 2;
    find_changed(source, groups, range.start..middle, changed, attempts);
    find_changed(source, groups, middle..range.end, changed, attempts);
}

fn keeps_meaning(source: &ParsedText, groups: &[&StatementEdits]) -> bool {
    let text = apply(source.text(), &merged(groups));
    meaning::is_same(source, &ParsedText::parse(&text, source.language))
}

fn merged(groups: &[&StatementEdits]) -> Vec<FormatEdit> {
    let mut edits: Vec<FormatEdit> = groups.iter().flat_map(|it| it.edits.iter().cloned()).collect();
    edits.sort_by_key(|it| (it.start, it.end));
    edits
}

/// Groups edits by the innermost statement that ends after their start.
fn by_statement(source: &ParsedText, edits: Vec<FormatEdit>) -> Vec<StatementEdits> {
    let mut statements = Vec::new();
    collect_statements(&source.tree.root(), &mut statements);
    let whole = TextRange::new(0, source.text().len() as u32);
    let mut groups: Vec<StatementEdits> = Vec::new();
    let mut index = rustc_hash::FxHashMap::default();
    for edit in edits {
        // Statements are in pre-order: of those that contain the edit, the last one is the innermost. An edit
        // between statements belongs to the next one.
        let contains = |it: &&TextRange| it.start <= edit.start && edit.start < it.end;
        let end = statements.partition_point(|it: &TextRange| it.start <= edit.start);
        let inside = statements[..end].iter().rev().find(contains);
        let statement = inside.or(statements.get(end)).copied().unwrap_or(whole);
        let at = *index.entry((statement.start, statement.end)).or_insert_with(|| {
            groups.push(StatementEdits { statement, edits: Vec::new() });
            groups.len() - 1
        });
        groups[at].edits.push(edit);
    }
    groups
}

fn collect_statements(node: &FlatNode<'_>, found: &mut Vec<TextRange>) {
    for child in node.children() {
        if matches!(node.kind(), SOURCE_FILE | BLOCK) {
            found.push(child.text_range());
        }
        collect_statements(&child, found);
    }
}
