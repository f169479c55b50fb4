//! Definition that the rules look at.

use std::sync::Arc;

use codes::Code;
use compile::Summary;
use hir::{Body, ExprId};
use syntax::TextRange;

use super::values::NamedValue;
use crate::Diagnostic;
use crate::context::SectionDefinition;
use crate::rules::value_mismatch::AttributeList;

/// Definition that the rules look at, and their findings.
pub(super) struct Inspection<'a> {
    pub(super) definition: &'a SectionDefinition<'a>,
    pub(super) body: &'a Body,
    pub(super) summary: Arc<Summary>,
    pub(super) resources: &'a [AttributeList<'a>],
    pub(super) named: &'a [NamedValue<'a>],
    pub(super) commands: &'a [ShellCommand],
    pub(super) enabled: &'a [Code],
    pub(super) found: Vec<Diagnostic>,
}

impl Inspection<'_> {
    pub(super) fn report(&mut self, code: Code, expr: ExprId, message: impl Into<String>) {
        if let Some(range) = self.definition.range(expr) {
            self.report_range(code, range, message);
        }
    }

    pub(super) fn report_range(&mut self, code: Code, range: TextRange, message: impl Into<String>) {
        let is_known = self.found.iter().any(|it| it.code == code && it.range == range);
        if !is_known {
            self.found.push(Diagnostic::new(code, range, message));
        }
    }
}

/// Command of an `exec` or `cron` resource, or a condition of one.
pub(super) struct ShellCommand {
    pub(super) expr: ExprId,
    pub(super) text: String,
}
