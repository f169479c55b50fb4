//! What compiling the classes of a module shows. It takes long: editors ask for it behind a save.

use std::sync::Arc;

use project::{Db, File};

use crate::{Diagnostic, rules};

/// The failures of compiles whose innermost useful place lies in a file, by position.
#[salsa::tracked(returns(clone))]
pub fn catalog_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    if !project::file_kind(db, file).is_source() || file.is_large(db) {
        return Arc::new([]);
    }
    let mut diagnostics = rules::failing_classes(db, file);
    diagnostics.extend(rules::failing_nodes(db, file));
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end));
    diagnostics.into()
}
