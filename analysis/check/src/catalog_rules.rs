//! What compiling the classes of a module shows. It takes long: editors ask for it behind a save.

use std::sync::Arc;

use compile::PartCompile;
use project::{Db, Environment, File};

use crate::{Diagnostic, rules};

/// The failures of compiles whose innermost useful place lies in a file, by position.
#[salsa::tracked(returns(clone))]
pub fn catalog_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    if !project::file_kind(db, file).is_source() || file.is_large(db) {
        return Arc::new([]);
    }
    let mut diagnostics = rules::failing_classes(db, file);
    // A node fails for the reasons for which its classes do.
    let of_nodes = rules::failing_nodes(db, file).into_iter();
    let of_nodes: Vec<Diagnostic> =
        of_nodes.filter(|it| !diagnostics.iter().any(|known| known.range == it.range)).collect();
    diagnostics.extend(of_nodes);
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end));
    diagnostics.into()
}

/// The compiles that [`catalog_diagnostics`] of a file asks for first: several threads may do them before.
pub fn compiles_ahead(db: &dyn Db, file: File) -> Vec<(Environment, PartCompile)> {
    compile::parts_of_files(db, rules::files_compiled_for(db, file).into_iter())
}
