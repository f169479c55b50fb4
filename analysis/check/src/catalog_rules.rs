//! Findings from compiling the classes of a module. This is slow, so editors request it after a save.

use std::sync::Arc;

use compile::PartCompile;
use project::{Db, Environment, File};

use crate::Diagnostic;
use crate::rules::failing_class::{failing_classes, is_role};
use crate::rules::failing_node::failing_nodes;
use crate::rules::failures::{Breadth, is_of_project};

/// Returns the failures of compiles whose innermost actionable location is in a file, by position.
#[salsa::tracked(returns(clone))]
pub fn catalog_diagnostics(db: &dyn Db, file: File, breadth: Breadth) -> Arc<[Diagnostic]> {
    if !project::file_kind(db, file).is_source() || file.is_large(db) {
        return Arc::new([]);
    }
    let mut diagnostics = failing_classes(db, file, breadth);
    // Failures of classes are usually the cause of failures of nodes.
    let of_nodes = failing_nodes(db, file, breadth).into_iter();
    let of_nodes: Vec<Diagnostic> =
        of_nodes.filter(|it| !diagnostics.iter().any(|known| known.range == it.range)).collect();
    diagnostics.extend(of_nodes);
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end));
    diagnostics.into()
}

/// Returns the compiles that [`catalog_diagnostics`] of a file starts with for [`Breadth::Nearby`], so that
/// several threads can run them in advance.
pub fn compiles_ahead(db: &dyn Db, file: File) -> Vec<(Environment, PartCompile)> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let mut parts = Vec::new();
    if !is_role(db, file) {
        parts = compile::parts_of_files(db, std::iter::once(file));
    }
    if is_of_project(db, environment, file) {
        let nearby = compile::nearby_parts(db, environment, file).into_iter();
        parts.extend(nearby.map(|part| (environment, part)));
    }
    parts
}
