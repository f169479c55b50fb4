//! What a file shows together with the names and declarations of all others.

use std::sync::Arc;

use project::{Db, File, FileKind, FilePart};

use crate::context::{RuleContext, Section};
use crate::data_rules::data_diagnostics;
use crate::findings::SectionFindings;
use crate::metadata_rules::metadata_diagnostics;
use crate::puppetfile_rules::puppetfile_diagnostics;
use crate::template_rules::template_diagnostics;
use crate::{Diagnostic, findings, rules};

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
    let sections = Section::of_file(db, file).into_iter();
    let found: Vec<_> = sections.map(|section| (section.start(db), section_findings(db, section))).collect();
    findings::of_sections(db, file, &found).into()
}

pub(crate) fn section_findings<'db>(db: &'db dyn Db, section: Section<'db>) -> Arc<SectionFindings> {
    match section {
        Section::Part(part) => part_findings(db, part),
        Section::Whole(_) | Section::Main(_) => Arc::new(find(db, section)),
    }
}

/// What an edit elsewhere in the file does not change.
#[salsa::tracked(returns(clone))]
fn part_findings<'db>(db: &'db dyn Db, part: FilePart<'db>) -> Arc<SectionFindings> {
    Arc::new(find(db, Section::Part(part)))
}

fn find<'db>(db: &'db dyn Db, section: Section<'db>) -> SectionFindings {
    let Some(mut context) = RuleContext::new(db, section) else { return SectionFindings::default() };
    for (rule, check) in rules::NAME_CHECKS.iter().enumerate() {
        context.rule = rule;
        check(&mut context);
    }
    context.finish()
}
