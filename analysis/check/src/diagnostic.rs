//! What rules have to say.

use codes::{Code, DowngradeReason, Severity};
use project::LintLevel;
use project::vfs::FilePath;
use smol_str::SmolStr;
use syntax::TextRange;

/// One finding in one file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The rule: see [`crate::rule`].
    pub code: Code,
    severity: Severity,
    pub range: TextRange,
    /// What is wrong and what to do.
    pub message: String,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    pub tag: Option<DiagnosticTag>,
    /// What a fix needs to know.
    pub data: Option<FixData>,
}

/// A place that belongs to a finding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Related {
    /// The file; `None` for the one of the finding.
    pub path: Option<FilePath>,
    pub range: TextRange,
    pub message: String,
}

/// How an editor shows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiagnosticTag {
    /// Nobody would miss it: faded.
    Unnecessary,
    /// Struck through.
    Deprecated,
}

/// What a name that is not there is the name of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnknownNameKind {
    Class,
    /// A defined type, or a resource type written in Ruby.
    ResourceType,
    Function,
    DataType,
    Variable,
    Fact,
    /// An attribute of a resource type, a parameter of a class, defined type or template.
    Attribute,
    Template,
    /// What a module's `files` folder serves.
    ServedFile,
}

/// What a fix needs to know, beside the rule and the range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FixData {
    /// Nothing has that name; similar ones that exist, the most similar first.
    UnknownName { kind: UnknownNameKind, name: SmolStr, similar: Vec<SmolStr> },
    /// Parameters that have to be given, each with its type as text where one is declared.
    MissingParameters(Vec<(SmolStr, Option<SmolStr>)>),
    /// Write this text in place of the range.
    ReplaceWith { range: TextRange, text: SmolStr },
    /// What a check of style wants: all of the edits or none, in the order of the text.
    Edits { edits: Vec<(TextRange, SmolStr)>, is_safe: bool },
    /// Take the range away.
    Remove(TextRange),
    /// The module is used, but `metadata.json` does not say so.
    MissingDependency { module: SmolStr },
}

impl Diagnostic {
    /// As severe as the row of the code says.
    pub fn new(code: Code, range: TextRange, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        let severity = code.severity();
        Diagnostic { code, severity, range, message, related: Vec::new(), tag: None, data: None }
    }

    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// DowngradeReason than its row, for a reason that the row names.
    pub(crate) fn downgraded(self, reason: DowngradeReason, severity: Severity) -> Diagnostic {
        Diagnostic { severity: self.code.downgraded(reason, severity), ..self }
    }

    /// As severe as the settings want it; `None`: they want none of it.
    pub(crate) fn at_level(self, level: LintLevel) -> Option<Diagnostic> {
        let severity = match level {
            LintLevel::Off => return None,
            LintLevel::Hint => Severity::Hint,
            LintLevel::Warning => Severity::Warning,
            LintLevel::Error => Severity::Error,
        };
        Some(Diagnostic { severity, ..self })
    }

    /// Adds a related place of the same file.
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Diagnostic {
        self.related.push(Related { path: None, range, message: message.into() });
        self
    }

    /// Adds a related place of another file.
    pub fn with_related_in(
        mut self,
        path: FilePath,
        range: TextRange,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.related.push(Related { path: Some(path), range, message: message.into() });
        self
    }

    /// The same for a text in which all of it stands `offset` bytes further on.
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
