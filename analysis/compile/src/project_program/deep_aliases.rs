//! Type aliases that stand for so many others, one within the next, that nobody follows them.

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, DefinitionSummary, Expr};
use project::{Db, DefinitionId, File};
use rustc_hash::FxHashSet;

/// A file with fewer definitions has no such alias, and aliases are followed so far.
const MAX_NESTED: usize = 100;

/// Does an alias lead through more than so many others of its file?
pub(crate) fn lies_too_deep(db: &dyn Db, alias: DefinitionId) -> bool {
    let deep = deep_aliases(db, alias.file(db));
    !deep.is_empty() && deep.contains(alias.key(db))
}

#[salsa::tracked(returns(ref))]
fn deep_aliases(db: &dyn Db, file: File) -> Arc<FxHashSet<DefinitionKey>> {
    let summary = project::item_summary(db, file);
    let definitions = &summary.definitions;
    if definitions.len() <= MAX_NESTED {
        return Arc::default();
    }
    let named: Vec<Vec<usize>> = definitions
        .iter()
        .map(|definition| aliases_named_by(definition).filter_map(|key| summary.place(&key)).collect())
        .collect();
    let heights = heights(&named);
    let deep = definitions.iter().zip(heights).filter(|(_, height)| *height > MAX_NESTED);
    Arc::new(deep.map(|(definition, _)| definition.key.clone()).collect())
}

/// The keys that aliases would have whose names stand in an alias.
fn aliases_named_by(definition: &DefinitionSummary) -> impl Iterator<Item = DefinitionKey> {
    let is_alias = definition.key.kind == DefinitionKind::TypeAlias;
    let names = definition.types.iter().filter(move |_| is_alias);
    names.filter_map(|(_, expr)| match expr {
        Expr::TypeReference(name) => {
            Some(DefinitionKey { kind: DefinitionKind::TypeAlias, name: hir::fold_name(name), ordinal: 0 })
        }
        _ => None,
    })
}

/// How long the longest way from each place is along `next`. Where a way comes back to itself it ends.
fn heights(next: &[Vec<usize>]) -> Vec<usize> {
    let mut heights: Vec<Option<usize>> = vec![None; next.len()];
    let mut is_under_way = vec![false; next.len()];
    for start in 0..next.len() {
        let mut way = vec![(start, 0)];
        while let Some((place, taken)) = way.pop() {
            if taken == 0 && (heights[place].is_some() || is_under_way[place]) {
                continue;
            }
            is_under_way[place] = true;
            match next[place].get(taken) {
                Some(inner) => {
                    way.push((place, taken + 1));
                    way.push((*inner, 0));
                }
                None => {
                    let inner = next[place].iter().map(|it| heights[*it].map_or(0, |height| height + 1));
                    heights[place] = Some(inner.max().unwrap_or(0));
                    is_under_way[place] = false;
                }
            }
        }
    }
    heights.into_iter().map(Option::unwrap_or_default).collect()
}
