//! What may stand left of `=`.

use codes::Code;
use syntax::TextRange;
use syntax::ast::{AccessOrCallArgument, AssignmentExpr, AssignmentOperator, AstNode, Expr};

use super::names;
use super::walk::Walk;

pub(super) fn check(walk: &mut Walk<'_>, assignment: &AssignmentExpr, in_parameter_default: bool) {
    let Some(operator) = assignment.operator() else { return };
    let operator_range =
        assignment.operator_token().map_or_else(|| assignment.syntax().text_range(), |it| it.text_range());
    if in_parameter_default {
        let message = "A variable cannot be assigned in the default of a parameter. Assign it in the body.";
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
            let message =
                format!("Puppet has no `{text}`. Assign the result of `{plain}` to a new variable.");
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
                let message = format!(
                    "`${name}` is set by matches and cannot be assigned. Choose a name with letters."
                );
                walk.error(Code::IllegalNumericAssignment, range, message);
            } else if name.contains("::") {
                let own = name.rsplit("::").next().unwrap_or(name);
                let message = format!(
                    "`${name}` belongs to another scope and cannot be assigned here. Assign `${own}`."
                );
                walk.error(Code::CrossScopeAssignment, range, message);
            }
        }
        Expr::AccessExpr(_) => {
            let message =
                "An element of an array or hash cannot be assigned. Build a new value and assign that.";
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
    let message = "Only a variable, or a list of variables, can stand left of `=`.";
    walk.error(Code::IllegalAssignment, range, message);
}
