//! What a file shows together with the names and declarations of all others.

use std::sync::Arc;

use project::{Db, File, FileKind};

use crate::context::Context;
use crate::data_rules::data_diagnostics;
use crate::metadata_rules::metadata_diagnostics;
use crate::puppetfile_rules::puppetfile_diagnostics;
use crate::template_rules::template_diagnostics;
use crate::{Diagnostic, rules};

/// Findings about names and declarations in one file, by position. Nothing for files that are too large.
#[salsa::tracked(returns(clone))]
pub fn semantic_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    match project::file_kind(db, file) {
        FileKind::ModuleMetadata => return metadata_diagnostics(db, file).into(),
        FileKind::Puppetfile => return puppetfile_diagnostics(db, file).into(),
        FileKind::HieraConfiguration | FileKind::Data => return data_diagnostics(db, file).into(),
        FileKind::ErbTemplate => return template_diagnostics(db, file).into(),
        kind if !kind.is_source() => return Arc::new([]),
        _ => {}
    }
    let Some(mut context) = Context::new(db, file) else { return Arc::new([]) };
    for check in rules::NAME_CHECKS {
        check(&mut context);
    }
    context.finish()
}
