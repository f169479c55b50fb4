//! Expressions that the program tracks: it records which properties of the platform their evaluation read.

use std::sync::Arc;

use types::Value;

use crate::error::Outcome;
use crate::evaluator::Evaluator;
use crate::frame::Site;
use crate::program::Unit;

impl Evaluator<'_> {
    /// Evaluates a tracked expression and reports the platform properties that it read to the program.
    pub(crate) fn platform_expression(&mut self, unit: &Unit, site: Site) -> Outcome {
        let program = self.world.program;
        program.begin_platform_expression();
        self.dependencies.begin_platform_expression(self.variables.narrowed.is_empty());
        let (result, leaves_match) = self.evaluate_for_match(unit, site);
        let is_known = result.as_ref().is_ok_and(Value::is_known);
        let is_of_platform = self.dependencies.end_platform_expression();
        let says_all = is_of_platform && is_known && !leaves_match;
        program.end_platform_expression(unit, site.expr, says_all);
        result
    }

    /// Evaluates an expression. Also returns true if the expression changes the current regular expression
    /// match.
    fn evaluate_for_match(&mut self, unit: &Unit, site: Site) -> (Outcome, bool) {
        let before = self.frame(site.frame).matched.clone();
        let result = self.evaluate_expr(unit, site);
        let leaves_match = match (before, &self.frame(site.frame).matched) {
            (Some(before), Some(after)) => !Arc::ptr_eq(&before, after),
            (before, after) => before.is_some() || after.is_some(),
        };
        (result, leaves_match)
    }

    /// Returns the value of an expression that only reads variables of the top scope and of classes.
    ///
    /// Returns `None` if the value is unknown, or if the expression has side effects or reads anything else.
    pub fn value_by_variables(&mut self, site: Site) -> Option<Value> {
        let unit = self.unit(site.frame).clone();
        let (result, leaves_match) = self.evaluate_for_match(&unit, site);
        let (logs, findings) = (self.diagnostics.take_logs(), self.diagnostics.take_findings());
        let is_silent = logs.is_empty() && findings.is_empty();
        result
            .ok()
            .filter(|value| value.is_known() && !value.contains_iterator() && !leaves_match && is_silent)
    }
}
