//! Findings that matter for an upgrade to a later Puppet version.

mod computed;
pub(crate) mod data;
mod fixtures;
mod puppet_code;
mod spec;

use codes::Code;
use project::LintLevel;
use validation::{PuppetVersion, VersionDifference};

use crate::{Diagnostic, DiagnosticTag, FixData};

pub(crate) use computed::computed_facts;
pub(crate) use fixtures::fixtures_diagnostics;
pub(crate) use spec::test_diagnostics;

/// Findings that the earlier version has as well: what replaces the code works in both versions.
const REPLACED: [Code; 5] = [
    Code::Deprecation,
    Code::LegacyFact,
    Code::MetadataVersionBound,
    Code::RemovedFunction,
    Code::RemovedRubyApi,
];

/// Findings that the earlier version has as well, and that the setting `strict_variables` makes fatal.
const STRICT_VARIABLES: [Code; 2] = [Code::UnknownTemplateVariable, Code::UnknownVariable];

/// Returns true for findings that both versions have, about code and data to be replaced.
fn is_replaced(diagnostic: &Diagnostic) -> bool {
    REPLACED.contains(&diagnostic.code) || is_old_hiera(diagnostic)
}

/// Returns true for the findings about versions 3 and 4 of `hiera.yaml`.
fn is_old_hiera(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == Code::HieraConfiguration && diagnostic.tag == Some(DiagnosticTag::Deprecated)
}

/// Returns true for legacy facts in tests, whose fixes are the only ones of the rule with several edits.
fn is_in_test(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == Code::LegacyFact && matches!(diagnostic.data, Some(FixData::Edits { .. }))
}

/// Versions to upgrade from and to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UpgradePath {
    pub from: PuppetVersion,
    pub to: PuppetVersion,
}

impl UpgradePath {
    /// Returns true for findings that are fixed to prepare an upgrade.
    pub fn is_fixed(diagnostic: &Diagnostic) -> bool {
        is_replaced(diagnostic) || diagnostic.code == Code::NumericCoercion
    }

    /// Returns true for findings whose fix a comparison of catalogs can prove: none shows that a module works
    /// with another version, that a server reads a configuration, or that a test passes.
    pub fn is_provable(diagnostic: &Diagnostic) -> bool {
        UpgradePath::is_fixed(diagnostic)
            && diagnostic.code != Code::MetadataVersionBound
            && !is_old_hiera(diagnostic)
            && !is_in_test(diagnostic)
    }

    /// Returns true for findings that are reported although the earlier version has them.
    pub fn reports_known(self, diagnostic: &Diagnostic) -> bool {
        let is_new = |it: VersionDifference| self.to.has(it) && !self.from.has(it);
        is_replaced(diagnostic)
            || STRICT_VARIABLES.contains(&diagnostic.code) && is_new(VersionDifference::StrictVariables)
    }

    /// Returns the findings of the later version that an editor shows in addition to `shown`, those of the
    /// earlier one, as hints that name the version.
    pub fn hints(self, shown: &[Diagnostic], later: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_shown = |it: &Diagnostic| {
            let is_same = |other: &Diagnostic| other.code == it.code && other.range == it.range;
            if self.reports_known(it) { shown.iter().any(is_same) } else { shown.contains(it) }
        };
        let hint = |it: Diagnostic| {
            let mut hint = it.at_level(LintLevel::Hint)?;
            hint.message.insert_str(0, &format!("{}: ", self.to.product()));
            Some(hint)
        };
        later.into_iter().filter(|it| !is_shown(it)).filter_map(hint).collect()
    }
}
