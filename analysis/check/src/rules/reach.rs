//! Determines whether code runs whenever its definition is evaluated.

use syntax::ast::{self, ArgumentList, AstNode, Expr};
use syntax::{Severity, SyntaxNode, TextRange};

use crate::context::RuleContext;

/// Condition under which code is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    Always,
    /// Depends on a condition or a loop.
    Sometimes,
    /// Argument of a function that tests for existence.
    Asked,
}

impl Reach {
    /// Returns `Error` for code that is always evaluated, else `Warning`.
    pub(crate) fn severity(self) -> Severity {
        match self {
            Reach::Always => Severity::Error,
            Reach::Sometimes | Reach::Asked => Severity::Warning,
        }
    }
}

/// Returns the condition under which the code at a range is evaluated.
pub(crate) fn reach(context: &RuleContext<'_>, range: TextRange) -> Reach {
    use syntax::SyntaxKind::*;
    let Some(element) = context.tree().covering_element(range) else { return Reach::Sometimes };
    let mut node = match element.into_node() {
        Some(node) => node,
        None => match context.tree().covering_element(range).and_then(|it| it.parent()) {
            Some(node) => node,
            None => return Reach::Sometimes,
        },
    };
    let mut reach = Reach::Always;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            IF_EXPR | UNLESS_EXPR | ELSIF_CLAUSE if node.kind() == BLOCK || node.kind() == ELSE_CLAUSE => {
                reach = Reach::Sometimes;
            }
            IF_EXPR if node.kind() == ELSIF_CLAUSE => reach = Reach::Sometimes,
            CASE_OPTION | SELECTOR_ENTRY | LAMBDA | COLLECT_EXPR => reach = Reach::Sometimes,
            // The right operand of `and` and `or`.
            BINARY_EXPR if parent.children().next().as_ref() != Some(&node) && is_logical(&parent) => {
                reach = Reach::Sometimes;
            }
            CALL_EXPR | METHOD_CALL_EXPR | STATEMENT_CALL if is_question(&parent) => return Reach::Asked,
            // A default is only evaluated if no value is given.
            PARAMETER if is_default(&parent, &node) => reach = Reach::Sometimes,
            CLASS_DEFINITION | DEFINED_TYPE | FUNCTION_DEFINITION | PLAN_DEFINITION | NODE_DEFINITION => {
                return reach;
            }
            _ => {}
        }
        node = parent;
    }
    reach
}

fn is_default(parameter: &SyntaxNode, node: &SyntaxNode) -> bool {
    let variable = parameter.token(syntax::SyntaxKind::VARIABLE);
    variable.is_some_and(|it| it.text_range().end <= node.text_range().start)
}

fn is_logical(node: &SyntaxNode) -> bool {
    use ast::BinaryOperator::{And, Or};
    let operator = ast::BinaryExpr::cast(node.clone()).and_then(|it| it.operator());
    matches!(operator, Some(And | Or))
}

/// Returns true for calls that test for existence.
fn is_question(call: &SyntaxNode) -> bool {
    let name = match Expr::cast(call.clone()) {
        Some(Expr::CallExpr(call)) => call.functor().map(|it| it.syntax().text().to_owned()),
        Some(Expr::StatementCall(call)) => call.name().map(|it| it.text()),
        Some(Expr::MethodCallExpr(call)) => call.name_token().map(|it| it.text().to_owned()),
        _ => None,
    };
    match name.as_deref() {
        Some(
            "defined"
            | "defined_with_params"
            | "getvar"
            | "is_type"
            | "type_exists"
            | "function_exists"
            | "find_file",
        ) => true,
        // It returns the contents of the first file that exists.
        Some("file") => has_several_arguments(call),
        _ => false,
    }
}

fn has_several_arguments(call: &SyntaxNode) -> bool {
    call.children().find_map(ArgumentList::cast).is_some_and(|it| it.arguments().len() > 1)
}
