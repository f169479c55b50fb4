#![doc = include_str!("page.md")]

use codes::Code;
use hir::Expr;
use syntax::ast::UnaryOperator;

use crate::Diagnostic;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in context.definitions.iter().filter(|it| !it.is_broken) {
        let body = &*definition.body;
        let negated = |expr: &Expr| match expr {
            Expr::Unary { operator: UnaryOperator::Not, operand } => Some(*operand),
            _ => None,
        };
        for (id, expr) in body.exprs.iter() {
            let is_double = negated(expr).and_then(|it| negated(&body[it])).is_some();
            if let Some(range) = definition.range(id).filter(|_| is_double) {
                let message = "double negation only converts the value to a Boolean";
                found.push(Diagnostic::new(Code::DoubleNegation, range, message));
            }
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}
