//! Targets of assignments.

use codes::{Code, with_help};
use syntax::TextRange;
use syntax::ast::{AccessOrCallArgument, AssignmentExpr, AssignmentOperator, AstNode, Expr};

use super::context::Walk;
use super::names;

pub(super) fn check(walk: &mut Walk<'_>, assignment: &AssignmentExpr, in_parameter_default: bool) {
    let Some(operator) = assignment.operator() else { return };
    let operator_range =
        assignment.operator_token().map_or_else(|| assignment.syntax().text_range(), |it| it.text_range());
    if in_parameter_default {
        let message = with_help("assignment in a parameter default", "assign the variable in the body");
        walk.error(Code::IllegalAssignmentContext, assignment.syntax().text_range(), message);
    }
    match operator {
        AssignmentOperator::Assign => {
            if let Some(target) = assignment.lhs() {
                check_target(walk, &target);
            }
        }
        AssignmentOperator::Append | AssignmentOperator::Delete => {
            let (text, plain) = (operator.text(), operator.text().trim_end_matches('='));
            let message = with_help(
                format!("unsupported operator `{text}`"),
                format!("assign the result of `{plain}` to a new variable"),
            );
            walk.error(Code::AppendsDeletesNoLongerSupported, operator_range, message);
        }
    }
}

fn check_target(walk: &mut Walk<'_>, target: &Expr) {
    let range = target.syntax().text_range();
    match target {
        Expr::VariableExpr(variable) => {
            let Some(token) = variable.token() else { return };
            let name = names::variable_name(&token);
            if names::is_match_variable(name) {
                let message = with_help(
                    format!("cannot assign match variable `${name}`"),
                    "use a name that begins with a lowercase letter",
                );
                walk.error(Code::IllegalNumericAssignment, range, message);
            } else if name.contains("::") {
                let own = name.rsplit("::").next().unwrap_or(name);
                let message = with_help(
                    format!("cannot assign `${name}` in another scope"),
                    format!("assign `${own}`"),
                );
                walk.error(Code::CrossScopeAssignment, range, message);
            }
        }
        Expr::AccessExpr(_) => {
            let message = with_help(
                "cannot assign an element of an array or hash",
                "build a new value and assign that",
            );
            walk.error(Code::IllegalIndexedAssignment, range, message);
        }
        Expr::ArrayExpr(array) => {
            for element in array.elements() {
                match element {
                    AccessOrCallArgument::Expr(element) => check_target(walk, &element),
                    AccessOrCallArgument::BareHash(_) => report_not_assignable(walk, element.range()),
                }
            }
        }
        _ => report_not_assignable(walk, range),
    }
}

fn report_not_assignable(walk: &mut Walk<'_>, range: TextRange) {
    let message =
        with_help("invalid left-hand side of assignment", "use a variable or an array of variables");
    walk.error(Code::IllegalAssignment, range, message);
}
