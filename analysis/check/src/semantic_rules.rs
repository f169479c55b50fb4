//! Findings in a file that depend on the names and declarations in other files.

mod plan_code;

use std::sync::Arc;

use project::{Db, File, FileKind};

use crate::Diagnostic;
use crate::bolt_rules::{BoltFile, bolt_diagnostics};
use crate::context::Section;
use crate::data_rules::data_diagnostics;
use crate::file_findings;
use crate::metadata_rules::metadata_diagnostics;
use crate::puppetfile_rules::puppetfile_diagnostics;
use crate::ruby_rules::ruby_diagnostics;
use crate::sections::section_findings;
use crate::task_rules::task_diagnostics;
use crate::template_rules::template_diagnostics;
use crate::upgrade::{fixtures_diagnostics, test_diagnostics};

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    semantic_diagnostics::set_lru_capacity(db, files);
}

/// Returns the findings about names and declarations in one file, by position; none for files that are too
/// large.
#[salsa::tracked(returns(clone), lru = 0)]
pub fn semantic_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    let _span = tracing::info_span!("semantic_diagnostics").entered();
    if let Some(kind) = BoltFile::of(db, file) {
        let mut found = bolt_diagnostics(db, file, kind);
        if kind == BoltFile::Plan {
            plan_code::check(db, file, &mut found);
        }
        return found.into();
    }
    match project::file_kind(db, file) {
        FileKind::ModuleMetadata => return metadata_diagnostics(db, file).into(),
        FileKind::TaskMetadata => return task_diagnostics(db, file).into(),
        FileKind::Puppetfile => return puppetfile_diagnostics(db, file).into(),
        FileKind::HieraConfiguration | FileKind::Data => return data_diagnostics(db, file).into(),
        FileKind::ErbTemplate => return template_diagnostics(db, file).into(),
        FileKind::RubyPlugin => return ruby_diagnostics(db, file).into(),
        FileKind::Spec => return test_diagnostics(db, file).into(),
        FileKind::Fixtures => return fixtures_diagnostics(db, file).into(),
        kind if !kind.is_source() => return Arc::new([]),
        _ => {}
    }
    let sections = Section::of_file(db, file).into_iter();
    let found: Vec<_> = sections.map(|section| (section.start(db), section_findings(db, section))).collect();
    file_findings::of_sections(db, file, &found).into()
}
