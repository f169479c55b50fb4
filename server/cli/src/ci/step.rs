//! Steps of the run, and their results.

use crate::CommandOutcome;
use crate::compile::matrix::NothingToCompile;
use clap::ValueEnum;

/// A step of the run.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CiStep {
    Format,
    Lint,
    Check,
    Compile,
    Diff,
}

/// Result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepStatus {
    Passed,
    Failed,
    /// Something could not be read.
    Unusable,
    /// There are differences.
    Differs,
    /// Nothing failed or differs, but parts of some catalogs are unknown.
    Open,
    Skipped(&'static str),
}

/// A step that has run.
pub(super) struct StepResult {
    pub(super) step: CiStep,
    pub(super) status: StepStatus,
    /// Arguments that repeat the step, for display.
    pub(super) command: String,
    pub(super) output: String,
}

impl CiStep {
    pub(super) const ALL: [CiStep; 5] =
        [CiStep::Format, CiStep::Lint, CiStep::Check, CiStep::Compile, CiStep::Diff];

    pub(super) fn name(self) -> &'static str {
        match self {
            CiStep::Format => "format",
            CiStep::Lint => "lint",
            CiStep::Check => "check",
            CiStep::Compile => "compile",
            CiStep::Diff => "diff",
        }
    }
}

impl StepStatus {
    pub(super) fn of(step: CiStep, outcome: &anyhow::Result<CommandOutcome>, output: &str) -> StepStatus {
        match outcome {
            Ok(CommandOutcome::Clean) if step == CiStep::Compile && has_open_catalogs(output) => {
                StepStatus::Open
            }
            Ok(CommandOutcome::Clean) => StepStatus::Passed,
            Ok(CommandOutcome::Findings) if step == CiStep::Diff => StepStatus::Differs,
            Ok(CommandOutcome::Inconclusive) if step == CiStep::Diff => StepStatus::Open,
            Ok(CommandOutcome::Findings | CommandOutcome::Inconclusive) => StepStatus::Failed,
            // A file with a syntax error cannot be formatted, which `check` reports as well.
            Ok(CommandOutcome::Failure) if step == CiStep::Format => StepStatus::Failed,
            Ok(CommandOutcome::Failure) => StepStatus::Unusable,
            Err(error) if error.is::<NothingToCompile>() => StepStatus::Skipped("nothing to compile"),
            Err(_) => StepStatus::Unusable,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            StepStatus::Passed => "passed",
            StepStatus::Failed => "failed",
            StepStatus::Unusable => "unusable input",
            StepStatus::Differs => "see the differences",
            StepStatus::Open => "inconclusive: some catalogs are open",
            StepStatus::Skipped(reason) => reason,
        }
    }
}

/// Returns true if the output of `compile --all` says that parts of some catalogs are unknown.
pub(super) fn has_open_catalogs(output: &str) -> bool {
    if let Ok(catalogs) = serde_json::from_str::<Vec<serde_json::Value>>(output) {
        let is_open = |it: &serde_json::Value| it["open"].as_array().is_some_and(|open| !open.is_empty());
        return catalogs.iter().any(is_open);
    }
    let summary = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    summary.rsplit(", ").next().is_some_and(|it| it.ends_with(" open"))
}
