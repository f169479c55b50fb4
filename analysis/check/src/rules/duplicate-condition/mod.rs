#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Body, Expr, ExprId, VariableRef};

use crate::Diagnostic;
use crate::context::RuleContext;

/// Maximum number of later branches that a condition is compared with.
const MAX_BRANCHES: usize = 100;

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in context.definitions.iter().filter(|it| !it.is_broken) {
        let body = &*definition.body;
        for (_, expr) in body.exprs.iter() {
            let Expr::If { condition, otherwise, .. } = expr else { continue };
            let later = later_conditions(body, *otherwise).take(MAX_BRANCHES);
            // The next equal condition; further ones repeat that one.
            let Some(repeated) = later.into_iter().find(|it| are_same(body, *condition, *it)) else {
                continue;
            };
            let (Some(range), Some(earlier)) = (definition.range(repeated), definition.range(*condition))
            else {
                continue;
            };
            let message = "duplicate condition; this branch is never evaluated";
            let diagnostic = Diagnostic::new(Code::DuplicateCondition, range, message);
            found.push(diagnostic.with_related(earlier, "first tested here"));
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

/// Returns the conditions of the `elsif` branches that begin in the `otherwise` of an `if`.
fn later_conditions(body: &Body, otherwise: Option<ExprId>) -> impl Iterator<Item = ExprId> + '_ {
    let mut next = otherwise;
    std::iter::from_fn(move || match &body[next?] {
        Expr::If { condition, otherwise, .. } => {
            next = *otherwise;
            Some(*condition)
        }
        _ => None,
    })
}

/// Returns true if two conditions consist of equal variables, constants, and operators, so that they have the same
/// value. Groups of matches are excluded: a condition in between may set them.
fn are_same(body: &Body, a: ExprId, b: ExprId) -> bool {
    let are_all_same = |a: &[ExprId], b: &[ExprId]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_same(body, *a, *b))
    };
    match (&body[a], &body[b]) {
        (Expr::Variable(VariableRef::Match(_) | VariableRef::Missing), _) => false,
        (Expr::Variable(a), Expr::Variable(b)) => a == b,
        (Expr::TypeReference(a), Expr::TypeReference(b)) => a == b,
        (Expr::Unary { operator: of_a, operand: a }, Expr::Unary { operator: of_b, operand: b }) => {
            of_a == of_b && are_same(body, *a, *b)
        }
        (
            Expr::Binary { operator: of_a, lhs: left_a, rhs: right_a },
            Expr::Binary { operator: of_b, lhs: left_b, rhs: right_b },
        ) => of_a == of_b && are_same(body, *left_a, *left_b) && are_same(body, *right_a, *right_b),
        (Expr::Access { lhs: a, keys: of_a }, Expr::Access { lhs: b, keys: of_b }) => {
            are_same(body, *a, *b) && are_all_same(of_a, of_b)
        }
        (Expr::Array(a), Expr::Array(b)) => are_all_same(a, b),
        (a, b) => a.is_constant() && a == b,
    }
}
