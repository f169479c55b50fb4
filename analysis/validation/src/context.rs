//! State of the walk, and what several rules need of it.

use std::collections::VecDeque;

use codes::{Code, with_help};
use syntax::ast::{AstNode, HeredocHeader, ParameterList};
use syntax::{Language, SyntaxNode, TextFinding, TextRange};

use super::findings::{ScopedFindings, StatementScopeId};
use super::{PuppetVersion, Strict, ValidationSettings};

/// State of the walk.
pub(super) struct Walk<'a> {
    pub(super) findings: ScopedFindings,
    pub(super) settings: &'a ValidationSettings,
    pub(super) language: Language,
    /// Number of heredocs around the text.
    pub(super) nesting: u32,
    /// True in the default value of a parameter, outside of lambdas.
    pub(super) in_parameter_default: bool,
    /// True in the block of an `apply`.
    pub(super) in_apply: bool,
    /// Heredocs whose texts have not been visited yet, in order.
    pub(super) pending_heredocs: VecDeque<PendingHeredoc>,
}

impl Walk<'_> {
    pub(super) fn error(&mut self, code: Code, range: TextRange, message: impl Into<String>) {
        self.findings.report(TextFinding::new(code, range, message));
    }

    /// Returns true in a plan outside of `apply` blocks, where the catalog cannot be modified.
    pub(super) fn is_script(&self) -> bool {
        self.language == Language::Plan && !self.in_apply
    }

    pub(super) fn strict(&self) -> Strict {
        self.settings.strict
    }

    pub(super) fn version(&self) -> PuppetVersion {
        self.settings.version
    }
}

/// Heredoc whose text comes later in the file, and the state of the walk at its use.
pub(super) struct PendingHeredoc {
    pub(super) header: HeredocHeader,
    pub(super) in_parameter_default: bool,
    pub(super) in_apply: bool,
    pub(super) statement: StatementScopeId,
}

pub(super) fn resource_without_title(name: TextRange) -> TextFinding {
    let message = with_help("resource without a title", "add a title and a colon before the attributes");
    TextFinding::new(Code::ResourceWithoutTitle, name, message)
}

/// Returns the parameters of a definition, template or lambda.
pub(super) fn parameter_list(node: &SyntaxNode) -> Option<ParameterList> {
    node.children().find_map(ParameterList::cast)
}
