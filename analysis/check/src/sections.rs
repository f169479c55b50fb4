//! Runs the rules on names in one section of a file.

use std::sync::Arc;

use project::{Db, File, FilePart};

use crate::context::{RuleContext, Section};
use crate::findings::SectionFindings;
use crate::rules;

/// Returns the findings in a section, with ranges relative to it.
pub(crate) fn section_findings<'db>(db: &'db dyn Db, section: Section<'db>) -> Arc<SectionFindings> {
    match section {
        Section::Part(part) => part_findings(db, part),
        Section::Whole(file) => whole_findings(db, file),
        Section::Main(_) | Section::YamlPlan(_) => Arc::new(find(db, section)),
    }
}

/// A query per part, so that an edit elsewhere in the file does not invalidate it.
#[salsa::tracked(returns(clone))]
fn part_findings<'db>(db: &'db dyn Db, part: FilePart<'db>) -> Arc<SectionFindings> {
    Arc::new(find(db, Section::Part(part)))
}

/// Cached briefly, because the findings of a file and its missing modules are computed in succession.
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
