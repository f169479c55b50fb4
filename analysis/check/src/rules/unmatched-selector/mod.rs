#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use eval::{RecordedValue, World};
use hir::{Body, DefinitionKind, Expr, ExprId, VariableRef};
use syntax::ast::BinaryOperator;
use syntax::{Severity, TextRange};
use types::{Type, Value};

use super::value_mismatch::check_with_world;
use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Reports selectors without an entry for a value that the type of their control expression allows.
pub(super) fn check_values(context: &mut RuleContext<'_>) {
    check_with_world(context, |_, expr| matches!(expr, Expr::Selector { .. }), check_definition);
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let body = &*definition.body;
    let summary = compile::summary(context.db, definition.id);
    for (_, expr) in body.exprs.iter() {
        let Expr::Selector { lhs, entries } = expr else { continue };
        let Some(mut left) = summary.value(*lhs).and_then(|recorded| unknown_values(recorded, world)) else {
            continue;
        };
        let matchings: Option<Vec<Value>> = entries.iter().map(|(it, _)| literal(&body[*it])).collect();
        let Some(matchings) = matchings else { continue };
        let has_value = definition.key.kind != DefinitionKind::Function
            && default_of(body, *lhs).is_some_and(|it| body[it] != Expr::Undef);
        if has_value {
            left.retain(|value| !value.is_undef());
        }
        left.retain(|value| !matchings.iter().any(|it| takes(it, value)));
        let Some(range) = definition.range(*lhs) else { continue };
        if left.is_empty() || is_asked_before(definition, *lhs) {
            continue;
        }
        let left: Vec<String> =
            left.iter().map(|it| format!("`{}`", types::text::to_notation(it, world))).collect();
        let message = format!("non-exhaustive selector: {} not covered", left.join(", "));
        let diagnostic = Diagnostic::new(Code::UnmatchedSelector, range, message);
        found.push(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Warning));
    }
}

/// Returns all possible values of an expression of which only the type is known. Known values are handled by
/// evaluation.
fn unknown_values(recorded: &RecordedValue, world: &World<'_>) -> Option<Vec<Value>> {
    match recorded {
        RecordedValue::Type(ty) => values_of(ty),
        RecordedValue::Values(values) => {
            let unknown = values.iter().filter(|it| matches!(it, Value::Unknown(_)));
            let types = unknown.map(|it| values_of(&types::infer::infer(it, world)));
            Some(types.collect::<Option<Vec<_>>>()?.concat())
        }
    }
}

/// Returns all values of a type; `None` if there are too many.
fn values_of(ty: &Type) -> Option<Vec<Value>> {
    match ty {
        Type::Boolean(None) => Some(vec![Value::Boolean(true), Value::Boolean(false)]),
        Type::Boolean(Some(value)) => Some(vec![Value::Boolean(*value)]),
        Type::Undef => Some(vec![Value::Undef]),
        Type::LiteralString(text) => Some(vec![Value::string(text.clone())]),
        Type::Enum(it) if !it.case_insensitive && !it.values.is_empty() => {
            Some(it.values.iter().map(|it| Value::string(it.clone())).collect())
        }
        Type::Variant(types) => Some(types.iter().map(values_of).collect::<Option<Vec<_>>>()?.concat()),
        Type::Optional(Some(ty)) => Some([values_of(ty)?, vec![Value::Undef]].concat()),
        _ => None,
    }
}

/// Returns the default of a parameter. In classes and defined types it also replaces an explicit `undef`.
fn default_of(body: &Body, variable: ExprId) -> Option<ExprId> {
    let Expr::Variable(VariableRef::Slot(slot)) = body[variable] else { return None };
    body.parameters.iter().find(|it| it.slot == slot)?.default
}

/// Returns the value that an entry matches, if it is a literal.
fn literal(matching: &Expr) -> Option<Value> {
    match matching {
        Expr::Boolean(value) => Some(Value::Boolean(*value)),
        Expr::Undef => Some(Value::Undef),
        Expr::String(text) | Expr::Name(text) => Some(Value::string(text.clone())),
        _ => None,
    }
}

fn takes(matching: &Value, value: &Value) -> bool {
    match (matching, value) {
        (Value::String(a), Value::String(b)) => a.to_lowercase() == b.to_lowercase(),
        (a, b) => a == b,
    }
}

/// Returns true if an earlier condition tests the same variable, which may then have fewer values.
fn is_asked_before(definition: &SectionDefinition<'_>, control: ExprId) -> bool {
    let body = &*definition.body;
    let Expr::Variable(variable) = &body[control] else { return false };
    let Some(range_of_control) = definition.range(control) else { return true };
    let conditions = body.exprs.iter().filter_map(|(_, it)| definition.range(condition(body, it)?));
    let before: Vec<TextRange> = conditions.filter(|it| it.start < range_of_control.start).collect();
    let same = body.exprs.iter().filter(|(_, it)| matches!(it, Expr::Variable(it) if it == variable));
    let mut ranges = same.filter_map(|(id, _)| definition.range(id));
    ranges.any(|range| before.iter().any(|it| it.contains_range(range)))
}

/// Returns the control expression of a conditional.
fn condition(body: &Body, expr: &Expr) -> Option<ExprId> {
    match expr {
        Expr::If { condition, .. } | Expr::Unless { condition, .. } => Some(*condition),
        Expr::Case { test, .. } => Some(*test),
        Expr::Selector { lhs, .. } if !matches!(body[*lhs], Expr::Variable(_)) => Some(*lhs),
        Expr::Binary { operator: BinaryOperator::And | BinaryOperator::Or, lhs, .. } => Some(*lhs),
        _ => None,
    }
}
