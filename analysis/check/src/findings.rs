//! Findings of the rules on names, before they are merged per file.

use hir::Name;
use syntax::TextRange;

use crate::Diagnostic;

/// Findings in one section, with ranges relative to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SectionFindings {
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Modules that are used but not installed.
    pub(crate) missing_modules: Vec<NotedModule>,
    /// Modules that are used but not declared in the metadata.
    pub(crate) undeclared_modules: Vec<NotedModule>,
}

/// Use of a module. A file reports only the first one for each module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotedModule {
    pub(crate) module: Name,
    /// Index of the rule that recorded it; uses recorded by earlier rules come first.
    pub(crate) rule: usize,
    pub(crate) range: TextRange,
    /// True if it is in a statement with a syntax error, where nothing is reported.
    pub(crate) is_hidden: bool,
}

/// Sorts findings by position and removes duplicates.
pub(crate) fn sort(found: &mut Vec<Diagnostic>) {
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity(), it.code));
    found.dedup();
}
