//! What the rules on names find in one section of a file.

use std::sync::Arc;

use project::{Db, File, FilePart};

use crate::context::{RuleContext, Section};
use crate::findings::SectionFindings;
use crate::rules;

/// What the rules find in a section, in its offsets.
pub(crate) fn section_findings<'db>(db: &'db dyn Db, section: Section<'db>) -> Arc<SectionFindings> {
    match section {
        Section::Part(part) => part_findings(db, part),
        Section::Whole(file) => whole_findings(db, file),
        Section::Main(_) => Arc::new(find(db, section)),
    }
}

/// What an edit elsewhere in the file does not change.
#[salsa::tracked(returns(clone))]
fn part_findings<'db>(db: &'db dyn Db, part: FilePart<'db>) -> Arc<SectionFindings> {
    Arc::new(find(db, Section::Part(part)))
}

/// What a file shows, and which modules it misses, is asked one after the other.
#[salsa::tracked(returns(clone), lru = 64)]
fn whole_findings(db: &dyn Db, file: File) -> Arc<SectionFindings> {
    Arc::new(find(db, Section::Whole(file)))
}

fn find<'db>(db: &'db dyn Db, section: Section<'db>) -> SectionFindings {
    let _span = tracing::info_span!("section_findings").entered();
    let Some(mut context) = RuleContext::new(db, section) else { return SectionFindings::default() };
    for (rule, check) in rules::NAME_CHECKS.iter().enumerate() {
        context.rule = rule;
        check(&mut context);
    }
    context.finish()
}
