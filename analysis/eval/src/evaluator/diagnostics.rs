//! Output of a run besides its value and its catalog.

use codes::Code;
use hir::{ExprId, SlotId};
use types::{TypeEnvironment, Value};

use crate::error::{Certainty, EvaluationError, ExprPlace, Finding, LogEntry, LogLevel};
use crate::program::UnitId;
use crate::record::unwrapped::UnwrappedStrings;
use crate::record::{RubyReason, ValueRecorder};

/// Logs, findings, and recorded values.
#[derive(Default)]
pub struct Diagnostics {
    logs: Vec<LogEntry>,
    findings: Vec<Finding>,
    /// Recorder for the values of one definition's expressions, if the caller needs them.
    pub recorder: Option<ValueRecorder>,
    /// Reasons that calls of functions in Ruby gave no known value.
    pub ruby_reasons: Vec<RubyReason>,
    unwrapped: UnwrappedStrings,
}

impl Diagnostics {
    pub fn logs(&self) -> &[LogEntry] {
        &self.logs
    }

    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub(crate) fn take_logs(&mut self) -> Vec<LogEntry> {
        std::mem::take(&mut self.logs)
    }

    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    pub(crate) fn log(&mut self, place: ExprPlace, level: LogLevel, message: String) {
        self.logs.push(LogEntry { level, message, place });
    }

    pub(crate) fn has_logged(&self, message: &str) -> bool {
        self.logs.iter().any(|entry| entry.message == message)
    }

    /// Reports an error that does not end the evaluation.
    pub(super) fn report(&mut self, error: EvaluationError, certainty: Certainty) {
        // Deprecations depend on the installed version of stdlib, and a plug-in in Ruby may define any name.
        let depends =
            matches!(error.code, Code::Deprecation | Code::UnknownFunction | Code::UnknownResourceType);
        let certainty = if depends { Certainty::Possible } else { certainty };
        // An exceeded limit is a property of this evaluator, not of the program.
        let is_bound =
            matches!(error.code, Code::TooManySteps | Code::TooDeep | Code::TooLarge | Code::RegexpLimit);
        let is_known = |known: &Finding| known.error.place == error.place && known.error.code == error.code;
        if !error.is_silent && !is_bound && !self.findings.iter().any(is_known) {
            self.findings.push(Finding { error, certainty });
        }
    }

    /// Records the value of an expression, if the values of its unit are recorded.
    pub(crate) fn note_value(
        &mut self,
        unit: UnitId,
        expr: ExprId,
        value: &Value,
        env: &dyn TypeEnvironment,
    ) {
        if let Some(recorder) = self.recorder.as_mut().filter(|it| it.unit == unit) {
            recorder.note(expr, value, env);
        }
    }

    /// Records the value of a parameter, if the values of its unit are recorded.
    pub(crate) fn note_parameter(
        &mut self,
        unit: UnitId,
        slot: SlotId,
        value: &Value,
        env: &dyn TypeEnvironment,
    ) {
        if let Some(recorder) = self.recorder.as_mut().filter(|it| it.unit == unit) {
            recorder.note_parameter(slot, value, env);
        }
    }

    /// Records the content of an unwrapped `Sensitive`.
    pub fn note_unwrapped(&mut self, inside: &Value) {
        self.unwrapped.note(inside);
    }

    pub(super) fn unwrapped(&self) -> &UnwrappedStrings {
        &self.unwrapped
    }

    /// Masks secrets that code has unwrapped in a message.
    pub(crate) fn mask_message(&self, message: &mut String) {
        self.unwrapped.mask(message);
    }

    /// Masks secrets that code has unwrapped in an error, in the logs, and in the findings.
    pub(super) fn mask(&mut self, error: Option<&mut EvaluationError>) {
        let errors = error.into_iter().map(|it| &mut it.message);
        let logs = self.logs.iter_mut().map(|it| &mut it.message);
        let findings = self.findings.iter_mut().map(|it| &mut it.error.message);
        errors.chain(logs).chain(findings).for_each(|message| self.unwrapped.mask(message));
    }
}
