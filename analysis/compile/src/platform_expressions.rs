//! Expressions that depend on the platform alone: their values on a platform are known without a compile.

pub(crate) mod values;

use std::sync::Arc;

use eval::{Evaluator, FrameId};
use hir::{Body, Expr, ExprId, VariableRef};
use project::{Db, DefinitionId};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{BinaryOperator, UnaryOperator};
use types::Value;

/// Returns the largest expressions of a definition that depend only on facts, variables of precomputed
/// classes, and constants, assuming that the names in it resolve to these.
#[salsa::tracked(returns(clone))]
pub fn platform_expressions(db: &dyn Db, definition: DefinitionId) -> Arc<FxHashSet<ExprId>> {
    let _span = tracing::info_span!("platform_expressions").entered();
    let body = project::body(db, definition);
    // Operands precede their operators.
    let mut kinds: FxHashMap<ExprId, PlatformDependence> = FxHashMap::default();
    for (id, expr) in body.exprs.iter() {
        if let Some(kind) = kind_of(&body, expr, &kinds) {
            kinds.insert(id, kind);
        }
    }
    let parts: FxHashSet<ExprId> = kinds.keys().flat_map(|id| operands(&body[*id])).collect();
    let choices = choices(&body);
    // Reads of variables are recorded anyway.
    let is_recorded = |id: &ExprId| !matches!(body[*id], Expr::Variable(_)) || choices.contains_key(id);
    let of_platform =
        kinds.iter().filter(|(_, kind)| **kind != PlatformDependence::Constant).map(|(id, _)| *id);
    Arc::new(of_platform.filter(|id| !parts.contains(id) && is_recorded(id)).collect())
}

/// Dependence of an expression on the platform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum PlatformDependence {
    Constant,
    Platform,
    /// A match: it also sets match variables.
    Match,
}

/// Classifies an expression, given the `kinds` of earlier ones; `None` if it does not depend on the platform
/// alone.
fn kind_of(
    body: &Body,
    expr: &Expr,
    kinds: &FxHashMap<ExprId, PlatformDependence>,
) -> Option<PlatformDependence> {
    let of_operands = || {
        let mut kinds = operands(expr).into_iter().map(|id| kinds.get(&id).copied());
        kinds.try_fold(PlatformDependence::Constant, |all, kind| {
            kind.filter(|it| *it != PlatformDependence::Match).map(|it| all.max(it))
        })
    };
    let is_versioncmp = |functor: ExprId| matches!(&body[functor], Expr::Name(name) if name == "versioncmp");
    match expr {
        // Matching against one sets match variables.
        Expr::Regex(_) => None,
        Expr::Variable(VariableRef::Qualified { .. } | VariableRef::Free(_)) => {
            Some(PlatformDependence::Platform)
        }
        Expr::Binary { operator: BinaryOperator::Match | BinaryOperator::NoMatch, lhs, rhs } => {
            let is_plain =
                kinds.get(lhs) == Some(&PlatformDependence::Platform) && matches!(body[*rhs], Expr::Regex(_));
            is_plain.then_some(PlatformDependence::Match)
        }
        Expr::Call { functor, lambda: None, .. } if is_versioncmp(*functor) => of_operands(),
        Expr::Unary { operator: UnaryOperator::Not, .. }
        | Expr::Array(_)
        | Expr::Access { .. }
        | Expr::Binary { .. } => of_operands(),
        other => other.is_constant().then_some(PlatformDependence::Constant),
    }
}

fn operands(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Array(elements) => elements.to_vec(),
        Expr::Access { lhs, keys } => [&[*lhs], &keys[..]].concat(),
        Expr::Unary { operand, .. } => vec![*operand],
        Expr::Binary { lhs, rhs, .. } => vec![*lhs, *rhs],
        Expr::Call { arguments, .. } => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// Alternatives of a `case` or selector.
struct Choice<'b> {
    /// Options of each alternative.
    options: Vec<&'b [ExprId]>,
    /// True for a selector, where a value without an alternative is an error that contains the value.
    is_selector: bool,
}

/// Returns the choices between constants, by the tested expression.
fn choices(body: &Body) -> FxHashMap<ExprId, Choice<'_>> {
    let choices = body.exprs.iter().filter_map(|(_, expr)| {
        let (test, options, is_selector): (_, Vec<&[ExprId]>, _) = match expr {
            Expr::Case { test, options } => (test, options.iter().map(|it| &*it.values).collect(), false),
            Expr::Selector { lhs, entries } => {
                (lhs, entries.iter().map(|(option, _)| std::slice::from_ref(option)).collect(), true)
            }
            _ => return None,
        };
        let is_plain = options.iter().copied().flatten().all(|id| body[*id].is_constant());
        is_plain.then_some((*test, Choice { options, is_selector }))
    });
    choices.collect()
}

impl Choice<'_> {
    /// Returns the index of the alternative for a value, plus the value itself if it remains visible; `None`
    /// if the choice is unclear.
    fn value(
        &self,
        evaluator: &mut Evaluator<'_>,
        frame: FrameId,
        body: &Body,
        value: Value,
    ) -> Option<Value> {
        let mut chosen = None;
        for (index, options) in self.options.iter().enumerate() {
            if evaluator.option_matches(frame, &value, options).ok()?? {
                chosen = Some(index);
                break;
            }
        }
        let is = |options: &&[ExprId], what: fn(&Expr) -> bool| options.iter().any(|id| what(&body[*id]));
        let chosen = chosen
            .or_else(|| self.options.iter().rposition(|options| is(options, |it| *it == Expr::Default)));
        let seen = match chosen {
            // Match variables expose the value.
            Some(index) => is(&self.options[index], |it| matches!(it, Expr::Regex(_))),
            None => self.is_selector,
        };
        let number = chosen.map_or(Value::Undef, |index| Value::Integer(index as i64));
        Some(Value::array(vec![number, if seen { value } else { Value::Undef }]))
    }
}
