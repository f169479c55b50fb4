//! Expressions that a program wants to know of: what was learnt of the platform meanwhile.

use hir::{Expr, ExprId};
use syntax::ast::BinaryOperator;
use types::Value;

use crate::error::Outcome;
use crate::evaluator::Evaluator;
use crate::frame::FrameId;
use crate::program::Unit;

impl Evaluator<'_> {
    /// Evaluates, and tells the program what was learnt of the platform.
    pub(crate) fn platform_expression(&mut self, unit: &Unit, frame: FrameId, expr: ExprId) -> Outcome {
        let program = self.world.program;
        program.begin_platform_expression();
        self.sees_platform_only = self.paths.is_empty();
        let result = self.evaluate_expr(unit, frame, expr);
        // What matched is seen behind a match.
        let is_match = |operator: &BinaryOperator, value: &Value| match operator {
            BinaryOperator::Match => *value != Value::Boolean(false),
            BinaryOperator::NoMatch => *value != Value::Boolean(true),
            _ => false,
        };
        let leaves_match = match (&unit.body[expr], &result) {
            (Expr::Binary { operator, .. }, Ok(value)) => is_match(operator, value),
            _ => false,
        };
        let is_known = result.as_ref().is_ok_and(Value::is_known);
        let says_all = std::mem::take(&mut self.sees_platform_only) && is_known && !leaves_match;
        program.end_platform_expression(unit, expr, says_all);
        result
    }
}
