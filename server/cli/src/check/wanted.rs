//! Selection of the findings to report.

use crate::check::arguments::{CheckArguments, MinLevel};
use crate::check::baseline::Baseline;
use crate::check::reporting::is_unchecked;
use crate::check::since::LinesSince;
use crate::check::sources::SourcesToCheck;
use crate::printed_diagnostic::PrintedDiagnostic;
use codes::Code;
use ide::{Settings, UNUSED_ITEMS};
use std::path::Path;
use syntax::Severity;

/// Filter for findings.
pub(super) struct WantedFindings<'a> {
    pub(super) arguments: &'a CheckArguments,
    /// Maximum amount of work for evaluating code.
    pub(super) evaluation_limit: u64,
    baseline: Option<Baseline>,
    since: Option<LinesSince>,
}

impl WantedFindings<'_> {
    pub(super) fn new<'a>(
        arguments: &'a CheckArguments,
        sources: &SourcesToCheck,
    ) -> anyhow::Result<WantedFindings<'a>> {
        let length = sources.texts.iter().map(|(_, text)| text.len()).sum();
        let baseline = arguments.baseline.as_deref().filter(|_| !arguments.write_baseline);
        let since = arguments.since.as_deref();
        Ok(WantedFindings {
            arguments,
            evaluation_limit: compile::summary_limit(length),
            baseline: baseline.map(Baseline::read).transpose()?,
            since: since.map(|it| LinesSince::new(it, &sources.texts)).transpose()?,
        })
    }

    fn takes_hints(&self) -> bool {
        let arguments = self.arguments;
        arguments.upgrade_to.is_some() || arguments.hints || arguments.min_level == MinLevel::Hint
    }

    /// Returns true if findings about items that no node can reach may be reported. They are hints by default.
    pub(super) fn reports_unused(&self, settings: &Settings) -> bool {
        let is_set = |code: &Code| settings.lint_levels.contains_key(code.as_str());
        self.takes_hints() || UNUSED_ITEMS.iter().any(is_set)
    }

    /// Returns the findings to report, and the number of those below the level of `--min-level`.
    pub(super) fn of(
        &self,
        path: &Path,
        mut found: Vec<PrintedDiagnostic>,
    ) -> (Vec<PrintedDiagnostic>, usize) {
        let takes_hints = self.takes_hints();
        found.retain(|it| takes_hints || it.severity != Severity::Hint);
        found.retain(|it| !self.arguments.style_only || it.code.is_style());
        if let Some(since) = &self.since {
            found = since.only_changed(path, found);
        }
        if let Some(baseline) = &self.baseline {
            found = baseline.without_known(path, found);
        }
        let all = found.len();
        let only_errors = self.arguments.min_level == MinLevel::Error;
        found.retain(|it| !only_errors || it.severity == Severity::Error || is_unchecked(it));
        let hidden = all - found.len();
        (found, hidden)
    }
}
