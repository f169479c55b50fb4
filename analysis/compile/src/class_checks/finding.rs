//! Failures and outcomes of compiles.

use crate::summaries::ExprLocation;
use codes::Code;
use eval::DEPENDENCY_CYCLE;
use std::sync::Arc;

/// Reason why a class or node cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileFinding {
    pub code: Code,
    pub message: String,
    /// Location of the failure, then the calls, includes and declarations that led there, innermost first.
    /// For a dependency cycle, the relationships, then the resources.
    pub places: Vec<ExprLocation>,
    /// Location of the first declaration of a duplicate resource, and its callers, innermost first.
    pub earlier: Vec<ExprLocation>,
    /// Further resources that no agent accepts, if that is the reason.
    pub further: Vec<CompileFinding>,
}

impl CompileFinding {
    /// Returns true for a duplicate declaration.
    pub fn is_duplicate(&self) -> bool {
        self.code == Code::DuplicateDeclaration
    }

    /// Returns true if the failure may be intended by users of the code for reasons outside the project: a
    /// deliberate failure, or a Hiera key that is missing from the data here.
    pub fn may_be_intended(&self) -> bool {
        matches!(self.code, eval::DELIBERATE_FAILURE | functions::MISSING_DATA)
    }

    /// Returns true for a dependency cycle.
    pub fn is_cycle(&self) -> bool {
        self.code == DEPENDENCY_CYCLE
    }

    /// Returns true if no agent accepts a resource, although the catalog compiles.
    pub fn is_refusal(&self) -> bool {
        self.code == Code::ResourceValue
    }

    /// Returns this failure and the further ones.
    pub fn all(&self) -> impl Iterator<Item = &CompileFinding> {
        std::iter::once(self).chain(&self.further)
    }

    /// Returns true if both report the same mistake, regardless of the callers.
    pub(crate) fn is_like(&self, other: &CompileFinding) -> bool {
        self.code == other.code
            && self.message == other.message
            && self.places.first() == other.places.first()
    }
}

/// Outcome of a compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CompileOutcome {
    Compiles,
    Fails(Arc<CompileFinding>),
    /// Inconclusive, with the reasons: a required file has syntax errors, a limit was reached, the failure is
    /// not certain, or a definition is missing.
    Inconclusive(Arc<[String]>),
}
