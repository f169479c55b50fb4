#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Body, Expr, ExprId};
use syntax::TextRange;
use syntax::ast::UnaryOperator;

use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, DiagnosticTag};

/// Functions that do not return to the statement after the call.
const LEAVES: &[&str] = &["fail", "return", "next", "break"];

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in &context.definitions {
        if definition.is_broken {
            continue;
        }
        for (_, expr) in definition.body.exprs.iter() {
            check_expr(definition, expr, &mut found);
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic.with_tag(DiagnosticTag::Unnecessary)));
}

fn check_expr(definition: &SectionDefinition<'_>, expr: &Expr, found: &mut Vec<Diagnostic>) {
    let body = &*definition.body;
    let mut report = |expr: ExprId, message: &str| {
        if let Some(range) = definition.range(expr) {
            found.push(Diagnostic::new(Code::UnreachableCode, range, message));
        }
    };
    match expr {
        Expr::Block(statements) => {
            let leaving = statements.iter().position(|it| leaves(body, *it));
            // Definitions are not evaluated at their location.
            let after = leaving.map_or(&[][..], |at| &statements[at + 1..]);
            let after: Vec<ExprId> = after
                .iter()
                .copied()
                .filter(|it| !matches!(body[*it], Expr::Definition(_) | Expr::Missing))
                .collect();
            let ranges = after.iter().filter_map(|it| definition.range(*it));
            if let Some(range) = ranges.reduce(TextRange::cover) {
                let message = "unreachable code; the statement before it never continues";
                found.push(Diagnostic::new(Code::UnreachableCode, range, message));
            }
        }
        Expr::If { condition, then, otherwise } => match constant(body, *condition) {
            Some(true) => {
                otherwise.iter().for_each(|it| report(*it, "unreachable code; the condition is always true"))
            }
            Some(false) => report(*then, "unreachable code; the condition is always false"),
            None => {}
        },
        Expr::Unless { condition, then, otherwise } => match constant(body, *condition) {
            Some(true) => report(*then, "unreachable code; the condition is always true"),
            Some(false) => {
                otherwise.iter().for_each(|it| report(*it, "unreachable code; the condition is always false"))
            }
            None => {}
        },
        Expr::Case { options, .. } => {
            let values = options.iter().flat_map(|it| it.values.iter()).copied();
            repeated(body, values)
                .for_each(|it| report(it, "unreachable option; an earlier option matches this value"));
        }
        Expr::Selector { entries, .. } => {
            let values = entries.iter().map(|(matching, _)| *matching);
            repeated(body, values)
                .for_each(|it| report(it, "unreachable entry; an earlier entry matches this value"));
        }
        _ => {}
    }
}

/// Returns the strings in `values` that repeat an earlier one.
fn repeated<'b>(
    body: &'b Body,
    values: impl Iterator<Item = ExprId> + 'b,
) -> impl Iterator<Item = ExprId> + 'b {
    let mut seen: Vec<&str> = Vec::new();
    values.filter(move |value| {
        let (Expr::String(text) | Expr::Name(text)) = &body[*value] else { return false };
        let is_repeated = seen.iter().any(|it| it.eq_ignore_ascii_case(text));
        if !is_repeated {
            seen.push(text);
        }
        is_repeated
    })
}

/// Returns true if a statement leaves the body for every possible value.
fn leaves(body: &Body, statement: ExprId) -> bool {
    match &body[statement] {
        Expr::Call { functor, .. } => {
            matches!(&body[*functor], Expr::Name(name) if LEAVES.contains(&name.strip_prefix("::").unwrap_or(name)))
        }
        Expr::Block(statements) => statements.iter().any(|it| leaves(body, *it)),
        Expr::If { then, otherwise: Some(otherwise), .. }
        | Expr::Unless { then, otherwise: Some(otherwise), .. } => {
            leaves(body, *then) && leaves(body, *otherwise)
        }
        Expr::Case { options, .. } => {
            let has_default =
                options.iter().flat_map(|it| it.values.iter()).any(|it| matches!(body[*it], Expr::Default));
            has_default && options.iter().all(|it| leaves(body, it.block))
        }
        _ => false,
    }
}

fn constant(body: &Body, condition: ExprId) -> Option<bool> {
    match &body[condition] {
        Expr::Boolean(value) => Some(*value),
        Expr::Undef => Some(false),
        Expr::Unary { operator: UnaryOperator::Not, operand } => constant(body, *operand).map(|it| !it),
        _ => None,
    }
}
