//! What a check has to say, and what would mend it.

use crate::Level;
use crate::manifest::Manifest;

/// A change of the text: the bytes from `start` to `end` give way to `text`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// The first byte that goes.
    pub start: u32,
    /// One behind the last byte that goes.
    pub end: u32,
    /// What comes in their place.
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

/// Something that a check has found.
#[derive(Clone, Debug)]
pub struct StyleFinding {
    /// The check, as puppet-lint calls it.
    pub check: &'static str,
    /// How bad it is.
    pub level: Level,
    /// A comment in the manifest says that it is not to be told, with the reason that the comment gives.
    pub ignored: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The bytes that are meant.
    pub range: std::ops::Range<u32>,
    /// What is wrong.
    pub message: String,
    /// What mends it; empty where nothing does.
    pub fix: Vec<Edit>,
}

/// Takes down what one check finds.
pub(crate) struct CheckReport<'m, 't> {
    manifest: &'m Manifest<'t>,
    check: &'static str,
    level: Level,
    pub(crate) findings: Vec<StyleFinding>,
    /// What is found when there are enough findings.
    spare: StyleFinding,
}

/// A check tells no more of a file than this.
const MAX_FINDINGS: usize = 10_000;

impl<'m, 't> CheckReport<'m, 't> {
    pub(crate) fn new(manifest: &'m Manifest<'t>, check: &'static str, level: Level) -> CheckReport<'m, 't> {
        let spare = StyleFinding::new(check, level, (1, 1), 0..0, String::new());
        CheckReport { manifest, check, level, findings: Vec::new(), spare }
    }

    /// Something is wrong at a token.
    pub(crate) fn at(&mut self, token: usize, message: impl Into<String>) -> &mut StyleFinding {
        let token = *self.manifest.tokens.get(token);
        self.place(token.line, token.column, token.start..token.end, message)
    }

    /// Something is wrong at a place.
    pub(crate) fn place(
        &mut self,
        line: u32,
        column: u32,
        range: std::ops::Range<u32>,
        message: impl Into<String>,
    ) -> &mut StyleFinding {
        let finding = StyleFinding::new(self.check, self.level, (line, column), range, message.into());
        if self.findings.len() == MAX_FINDINGS {
            self.spare = finding;
            return &mut self.spare;
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
        (line, column): (u32, u32),
        range: std::ops::Range<u32>,
        message: String,
    ) -> StyleFinding {
        StyleFinding { check, level, ignored: None, line, column, range, message, fix: Vec::new() }
    }

    pub(crate) fn fix(&mut self, edits: impl IntoIterator<Item = Edit>) {
        self.fix.extend(edits);
    }
}

/// The text after the fixes of all findings. A fix that touches one that was made before it is left out: it may be found
/// again in the text that comes out.
pub fn apply<'f>(text: &str, findings: impl IntoIterator<Item = &'f StyleFinding>) -> String {
    let mut taken: Vec<(&Edit, usize)> = Vec::new();
    for finding in findings {
        let touches = |edit: &Edit| {
            let at = taken.partition_point(|(it, _)| it.end <= edit.start && it.start < edit.start.max(1));
            taken[at.saturating_sub(1)..]
                .iter()
                .take_while(|(it, _)| it.start <= edit.end)
                .any(|(it, _)| overlap(it, edit))
        };
        if finding.fix.iter().any(touches) {
            continue;
        }
        for edit in &finding.fix {
            let order = taken.len();
            let at = taken.partition_point(|(it, _)| (it.start, it.end) <= (edit.start, edit.end));
            taken.insert(at, (edit, order));
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

/// Whether two edits change the same bytes, or insert at the same place.
fn overlap(one: &Edit, other: &Edit) -> bool {
    one.start < other.end && other.start < one.end || one.start == other.start && one.end == other.end
}
