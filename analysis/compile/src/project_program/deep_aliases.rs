//! Type aliases that nest so deeply that they are not expanded.

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, DefinitionSummary, Expr};
use project::{Db, DefinitionId, File};
use rustc_hash::FxHashSet;

/// Maximum nesting depth of aliases that are expanded. A file with fewer definitions cannot exceed it.
const MAX_NESTED: usize = 100;

/// Returns true if an alias leads through more than [`MAX_NESTED`] others of its file.
pub(crate) fn nests_too_deep(db: &dyn Db, alias: DefinitionId) -> bool {
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
        .map(|definition| aliases_named_by(definition).filter_map(|key| summary.position(&key)).collect())
        .collect();
    let heights = heights(&named);
    let deep = definitions.iter().zip(heights).filter(|(_, height)| *height > MAX_NESTED);
    Arc::new(deep.map(|(definition, _)| definition.key.clone()).collect())
}

/// Returns the keys of the potential aliases that an alias refers to.
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

/// Returns the length of the longest path from each node along `next`. Paths end where they would close a
/// cycle.
fn heights(next: &[Vec<usize>]) -> Vec<usize> {
    let mut heights: Vec<Option<usize>> = vec![None; next.len()];
    let mut is_on_path = vec![false; next.len()];
    for start in 0..next.len() {
        let mut path = vec![(start, 0)];
        while let Some((place, taken)) = path.pop() {
            if taken == 0 && (heights[place].is_some() || is_on_path[place]) {
                continue;
            }
            is_on_path[place] = true;
            match next[place].get(taken) {
                Some(inner) => {
                    path.push((place, taken + 1));
                    path.push((*inner, 0));
                }
                None => {
                    let inner = next[place].iter().map(|it| heights[*it].map_or(0, |height| height + 1));
                    heights[place] = Some(inner.max().unwrap_or(0));
                    is_on_path[place] = false;
                }
            }
        }
    }
    heights.into_iter().map(Option::unwrap_or_default).collect()
}
