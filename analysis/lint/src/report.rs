//! Findings of the checks, and their fixes.

use crate::Level;
use crate::manifest::Manifest;

/// Replacement of the bytes from `start` to `end` by `text`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// Start of the replaced range.
    pub start: u32,
    /// End of the replaced range, exclusive.
    pub end: u32,
    /// Replacement text.
    pub text: String,
}

impl Edit {
    pub(crate) fn replace(start: u32, end: u32, text: impl Into<String>) -> Edit {
        Edit { start, end, text: text.into() }
    }

    pub(crate) fn insert(at: u32, text: impl Into<String>) -> Edit {
        Edit::replace(at, at, text)
    }

    pub(crate) fn remove(start: u32, end: u32) -> Edit {
        Edit::replace(start, end, "")
    }
}

/// Finding of a check.
#[derive(Clone, Debug)]
pub struct StyleFinding {
    /// Name of the check in puppet-lint.
    pub check: &'static str,
    pub level: Level,
    /// Reason given by a control comment that hides the finding.
    pub ignored: Option<String>,
    /// Line, 1-based.
    pub line: u32,
    /// Column in characters, 1-based.
    pub column: u32,
    /// Range in bytes.
    pub range: std::ops::Range<u32>,
    pub message: String,
    /// Edits that fix the problem; empty if there is no fix.
    pub fix: Vec<Edit>,
    /// True if this fix may change behavior, although those of the check usually do not.
    pub is_unsafe: bool,
}

/// Collector of the findings of one check.
pub(crate) struct CheckReport<'m, 't> {
    manifest: &'m Manifest<'t>,
    check: &'static str,
    level: Level,
    pub(crate) findings: Vec<StyleFinding>,
    /// Discarded finding, once the limit is reached.
    discarded: StyleFinding,
}

/// Maximum number of findings of a check per file.
const MAX_FINDINGS: usize = 10_000;

impl<'m, 't> CheckReport<'m, 't> {
    pub(crate) fn new(manifest: &'m Manifest<'t>, check: &'static str, level: Level) -> CheckReport<'m, 't> {
        let discarded = StyleFinding::new(check, level, 1, 1, 0..0, String::new());
        CheckReport { manifest, check, level, findings: Vec::new(), discarded }
    }

    /// Reports a problem at a token.
    pub(crate) fn at(&mut self, token: usize, message: impl Into<String>) -> &mut StyleFinding {
        let token = *self.manifest.tokens.get(token);
        self.at_range(token.line, token.column, token.start..token.end, message)
    }

    /// Reports a problem at a range.
    pub(crate) fn at_range(
        &mut self,
        line: u32,
        column: u32,
        range: std::ops::Range<u32>,
        message: impl Into<String>,
    ) -> &mut StyleFinding {
        let finding = StyleFinding::new(self.check, self.level, line, column, range, message.into());
        if self.findings.len() == MAX_FINDINGS {
            self.discarded = finding;
            return &mut self.discarded;
        }
        let at = self.findings.len();
        self.findings.push(finding);
        &mut self.findings[at]
    }
}

impl StyleFinding {
    pub(crate) fn new(
        check: &'static str,
        level: Level,
        line: u32,
        column: u32,
        range: std::ops::Range<u32>,
        message: String,
    ) -> StyleFinding {
        StyleFinding {
            check,
            level,
            ignored: None,
            line,
            column,
            range,
            message,
            fix: Vec::new(),
            is_unsafe: false,
        }
    }

    pub(crate) fn fix(&mut self, edits: impl IntoIterator<Item = Edit>) {
        self.fix.extend(edits);
    }
}

/// Returns the text with the fixes of all findings applied.
///
/// A fix that overlaps an earlier one, or touches one of another check, is skipped; the problem may be found
/// again in the result.
pub fn apply<'f>(text: &str, findings: impl IntoIterator<Item = &'f StyleFinding>) -> String {
    let mut taken: Vec<(&Edit, &str)> = Vec::new();
    for finding in findings {
        let conflicts = |edit: &Edit| {
            let at = taken.partition_point(|(it, _)| it.end < edit.start);
            taken[at..].iter().take_while(|(it, _)| it.start <= edit.end).any(|(it, check)| {
                // Within a check, adjacent edits belong to different problems.
                *check != finding.check || overlap(it, edit)
            })
        };
        if finding.fix.iter().any(conflicts) {
            continue;
        }
        for edit in &finding.fix {
            let at = taken.partition_point(|(it, _)| (it.start, it.end) <= (edit.start, edit.end));
            taken.insert(at, (edit, finding.check));
        }
    }
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (edit, _) in taken {
        result.push_str(&text[at..edit.start as usize]);
        result.push_str(&edit.text);
        at = edit.end as usize;
    }
    result.push_str(&text[at..]);
    result
}

/// Returns true if two edits change the same bytes, or insert at the same offset.
fn overlap(one: &Edit, other: &Edit) -> bool {
    one.start < other.end && other.start < one.end || one.start == other.start && one.end == other.end
}
