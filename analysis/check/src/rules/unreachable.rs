#![doc = include_str!("../../pages/unreachable-code.md")]

use codes::Code;
use hir::{Body, Expr, ExprId};
use syntax::TextRange;
use syntax::ast::UnaryOperator;

use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, DiagnosticTag};

/// Functions after which nothing behind the call is evaluated.
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
            // Definitions are not evaluated where they stand.
            let behind = leaving.map_or(&[][..], |at| &statements[at + 1..]);
            let behind: Vec<ExprId> = behind
                .iter()
                .copied()
                .filter(|it| !matches!(body[*it], Expr::Definition(_) | Expr::Missing))
                .collect();
            let ranges = behind.iter().filter_map(|it| definition.range(*it));
            if let Some(range) = ranges.reduce(TextRange::cover) {
                let message = "this is never reached: what stands before it always leaves";
                found.push(Diagnostic::new(Code::UnreachableCode, range, message));
            }
        }
        Expr::If { condition, then, otherwise } => match constant(body, *condition) {
            Some(true) => otherwise
                .iter()
                .for_each(|it| report(*it, "the condition is always true, so this is never reached")),
            Some(false) => report(*then, "the condition is always false, so this is never reached"),
            None => {}
        },
        Expr::Unless { condition, then, otherwise } => match constant(body, *condition) {
            Some(true) => report(*then, "the condition is always true, so this is never reached"),
            Some(false) => otherwise
                .iter()
                .for_each(|it| report(*it, "the condition is always false, so this is never reached")),
            None => {}
        },
        Expr::Case { options, .. } => {
            let values = options.iter().flat_map(|it| it.values.iter()).copied();
            repeated(body, values).for_each(|it| report(it, "an option above takes this value already"));
        }
        Expr::Selector { entries, .. } => {
            let values = entries.iter().map(|(matching, _)| *matching);
            repeated(body, values).for_each(|it| report(it, "an entry above takes this value already"));
        }
        _ => {}
    }
}

/// The texts among `values` that stand there before.
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

/// Does a statement end the body, whatever the values?
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
