//! What rules found in the sections of a file.

use hir::Name;
use syntax::TextRange;

use crate::Diagnostic;

/// What was found in one section, in its offsets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SectionFindings {
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Modules that are used and not there.
    pub(crate) missing_modules: Vec<NotedModule>,
    /// Modules that are used, and the metadata do not say so.
    pub(crate) undeclared_modules: Vec<NotedModule>,
}

/// A module of which the file says something once, at the first place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotedModule {
    pub(crate) module: Name,
    /// The place of the rule that noted it: what the first rule notes comes first.
    pub(crate) rule: usize,
    pub(crate) range: TextRange,
    /// Does it stand in a statement with a syntax error? Then nothing is said.
    pub(crate) is_hidden: bool,
}

/// Brings findings into the order of the text.
pub(crate) fn sort(found: &mut Vec<Diagnostic>) {
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity(), it.code));
    found.dedup();
}
