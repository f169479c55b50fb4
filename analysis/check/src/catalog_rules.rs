//! What compiling the classes of a module shows. It takes long: editors ask for it behind a save.

use std::sync::Arc;

use compile::PartCompile;
use project::{Db, Environment, File};

use crate::{Diagnostic, rules};

/// Whose compiles the failures in a file are looked for in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Breadth {
    /// Those of the classes of its module: so it is for files that are not open.
    Module,
    /// Those of the roles and nodes that lead to the file too, as far as names show it, and some at most: so it is in an editor.
    Nearby,
    /// Those of all roles and nodes too.
    All,
}

/// The failures of compiles whose innermost useful place lies in a file, by position.
#[salsa::tracked(returns(clone))]
pub fn catalog_diagnostics(db: &dyn Db, file: File, breadth: Breadth) -> Arc<[Diagnostic]> {
    if !project::file_kind(db, file).is_source() || file.is_large(db) {
        return Arc::new([]);
    }
    let mut diagnostics = rules::failing_classes(db, file, breadth);
    // A node fails for the reasons for which its classes do.
    let of_nodes = rules::failing_nodes(db, file, breadth).into_iter();
    let of_nodes: Vec<Diagnostic> =
        of_nodes.filter(|it| !diagnostics.iter().any(|known| known.range == it.range)).collect();
    diagnostics.extend(of_nodes);
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end));
    diagnostics.into()
}

/// The compiles that [`catalog_diagnostics`] of a file asks for first, with [`Breadth::Nearby`]: several threads may do them before.
pub fn compiles_ahead(db: &dyn Db, file: File) -> Vec<(Environment, PartCompile)> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let mut parts = Vec::new();
    if !rules::is_role(db, file) {
        parts = compile::parts_of_files(db, std::iter::once(file));
    }
    if rules::is_of_project(db, environment, file) {
        let nearby = compile::nearby_parts(db, environment, file).into_iter();
        parts.extend(nearby.map(|part| (environment, part)));
    }
    parts
}
