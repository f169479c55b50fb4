//! Data model of diagnostics.

use codes::{Code, DowngradeReason, Severity};
use project::LintLevel;
use project::vfs::FilePath;
use smol_str::SmolStr;
use syntax::TextRange;

/// Diagnostic in a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The rule; see [`crate::rule`].
    pub code: Code,
    severity: Severity,
    pub range: TextRange,
    /// Statement of the problem, followed by lines of advice (see [`codes::with_help`]).
    pub message: String,
    /// Labels of other locations.
    pub related: Vec<Related>,
    pub tag: Option<DiagnosticTag>,
    /// Input of a quick fix.
    pub data: Option<FixData>,
}

/// Label of another location of a diagnostic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Related {
    /// File of the location; `None` for the file of the diagnostic.
    pub path: Option<FilePath>,
    pub range: TextRange,
    pub message: String,
}

/// Presentation in an editor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiagnosticTag {
    /// Code that can be removed; faded.
    Unnecessary,
    /// Deprecated code; struck through.
    Deprecated,
}

/// Kind of an unknown name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnknownNameKind {
    Class,
    /// A defined type, or a resource type written in Ruby.
    ResourceType,
    Function,
    DataType,
    Variable,
    Fact,
    /// An attribute of a resource type, or a parameter of a class, defined type or template.
    Attribute,
    Template,
    /// A file in the `files` folder of a module.
    ServedFile,
    /// A Bolt task.
    Task,
    /// A Bolt plan.
    Plan,
}

/// Input of a quick fix, in addition to the rule and the range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FixData {
    /// An unknown name and similar known names, most similar first.
    UnknownName { kind: UnknownNameKind, name: SmolStr, similar: Vec<SmolStr> },
    /// Missing required parameters, each with the source text of its declared type.
    MissingParameters(Vec<(SmolStr, Option<SmolStr>)>),
    /// Replacement of a range.
    ReplaceWith { range: TextRange, text: SmolStr },
    /// Edits of a style check, by position. Either all or none are applied.
    Edits { edits: Vec<(TextRange, SmolStr)>, is_safe: bool },
    /// Removal of a range.
    Remove(TextRange),
    /// A module that is used but not declared in `metadata.json`.
    MissingDependency { module: SmolStr },
}

impl Diagnostic {
    /// Creates a diagnostic with the severity of its code.
    pub fn new(code: Code, range: TextRange, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        let severity = code.severity();
        Diagnostic { code, severity, range, message, related: Vec::new(), tag: None, data: None }
    }

    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Lowers the severity for a reason that the row of the code lists.
    pub(crate) fn downgraded(self, reason: DowngradeReason, severity: Severity) -> Diagnostic {
        Diagnostic { severity: self.code.downgraded(reason, severity), ..self }
    }

    /// Sets the severity to a configured level; `None` if the rule is turned off.
    pub(crate) fn at_level(self, level: LintLevel) -> Option<Diagnostic> {
        let severity = match level {
            LintLevel::Off => return None,
            LintLevel::Hint => Severity::Hint,
            LintLevel::Warning => Severity::Warning,
            LintLevel::Error => Severity::Error,
        };
        Some(Diagnostic { severity, ..self })
    }

    /// Adds a label in the same file.
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Diagnostic {
        self.related.push(Related { path: None, range, message: message.into() });
        self
    }

    /// Adds a label in another file.
    pub fn with_related_in(
        mut self,
        path: FilePath,
        range: TextRange,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.related.push(Related { path: Some(path), range, message: message.into() });
        self
    }

    /// Returns the diagnostic with all ranges in the same file moved forward by `offset` bytes.
    pub(crate) fn shifted(&self, offset: u32) -> Diagnostic {
        let mut shifted = self.clone();
        shifted.range = self.range.shifted(offset);
        for related in shifted.related.iter_mut().filter(|it| it.path.is_none()) {
            related.range = related.range.shifted(offset);
        }
        match &mut shifted.data {
            Some(FixData::ReplaceWith { range, .. } | FixData::Remove(range)) => {
                *range = range.shifted(offset)
            }
            Some(FixData::Edits { edits, .. }) => {
                edits.iter_mut().for_each(|(range, _)| *range = range.shifted(offset));
            }
            _ => {}
        }
        shifted
    }

    pub fn with_tag(self, tag: DiagnosticTag) -> Diagnostic {
        Diagnostic { tag: Some(tag), ..self }
    }

    pub fn with_data(self, data: FixData) -> Diagnostic {
        Diagnostic { data: Some(data), ..self }
    }
}

impl From<&syntax::TextFinding> for Diagnostic {
    fn from(found: &syntax::TextFinding) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(found.code, found.range, found.message.clone());
        diagnostic.severity = found.severity();
        let related = found.related.iter();
        diagnostic.related = related
            .map(|(range, message)| Related { path: None, range: *range, message: message.clone() })
            .collect();
        if found.severity() == Severity::Deprecation {
            diagnostic.tag = Some(DiagnosticTag::Deprecated);
        }
        diagnostic
    }
}
