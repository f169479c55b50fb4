//! Inlay hints for the values of class variables and parameters on the platforms of the module.

use eval::{RecordedValue, World};
use hir::{Expr, ExprId, SlotId, VariableRef};
use project::{Db, DefinitionId};
use symbols::recorded_value::{self, Evaluated};
use syntax::{AstNode, SyntaxNode, TextRange, ast};

use super::hint::{InlayHint, InlayHintKind, MAX_HINT_LENGTH, is_literal};
use crate::class_catalogs;

/// Maximum number of distinct values to show; further values are only counted.
const MAX_DISTINCT_VALUES: usize = 3;

/// Adds a hint after each variable assigned in a class, with its values from the compiles for the platforms.
/// There is no hint for a literal, or if the value is not known on any platform. Parameters get a hint only
/// if the value differs and is known on all platforms.
pub(crate) fn platform_hints(
    db: &dyn Db,
    class: DefinitionId,
    root: &SyntaxNode,
    range: TextRange,
    hints: &mut Vec<InlayHint>,
) -> Option<()> {
    let module_class = class_catalogs::class_of(db, class).filter(|it| it.module.is_some())?;
    let alone = Evaluated::new(db, class);
    let mut locations = assignments(&alone, range);
    locations.extend(parameters(&alone, root, range));
    if locations.is_empty() {
        return None;
    }
    let environment = module_class.environment.0;
    let mut compiled = Vec::new();
    for (facts, platform) in compile::class_platforms(db, environment, module_class.module) {
        let summary = compile::values_in_class(db, environment, class, facts);
        compiled.push((platform, summary.map(|summary| Evaluated { summary, ..alone.clone() })));
    }
    compile::with_world(db, class, |world| {
        for location in &locations {
            let mut shown: Vec<(String, Vec<&str>)> = Vec::new();
            for (platform, evaluated) in &compiled {
                let recorded = evaluated.as_ref().and_then(|evaluated| {
                    match location.subject {
                        HintSubject::Assignment { expr, .. } => evaluated.summary.value(expr),
                        HintSubject::Parameter(slot) => evaluated.summary.parameter(slot),
                    }
                    .cloned()
                });
                let Some(text) = recorded.and_then(|recorded| known_text(&recorded, world)) else { continue };
                match shown.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, platforms)) => platforms.push(platform.as_str()),
                    None => shown.push((text, vec![platform.as_str()])),
                }
            }
            if let Some(text) = summarize(&shown, compiled.len(), &location.subject) {
                hints.push(InlayHint {
                    offset: location.offset,
                    kind: InlayHintKind::Platforms,
                    text,
                    insertion: None,
                });
            }
        }
    })
}

/// An expression with a value on each platform, and the offset of its hint.
struct HintLocation {
    offset: u32,
    subject: HintSubject,
}

enum HintSubject {
    /// `is_written`: true if the assigned expression is a literal.
    Assignment {
        expr: ExprId,
        is_written: bool,
    },
    Parameter(SlotId),
}

fn assignments(evaluated: &Evaluated, range: TextRange) -> Vec<HintLocation> {
    let is_in_range = |own: TextRange| own.start <= range.end && range.start <= own.end;
    let mut locations = Vec::new();
    for (assignment, expr) in evaluated.body.exprs.iter() {
        let Expr::Assignment { lhs, rhs, .. } = expr else { continue };
        let is_variable =
            matches!(evaluated.body[*lhs], Expr::Variable(VariableRef::Slot(_) | VariableRef::Free(_)));
        let Some(whole) = evaluated.map.node(assignment).filter(|it| is_variable && is_in_range(it.range))
        else {
            continue;
        };
        let is_written = is_literal(evaluated, *rhs);
        let subject = HintSubject::Assignment { expr: assignment, is_written };
        locations.push(HintLocation { offset: whole.range.end, subject });
    }
    locations
}

/// Returns the class parameters in `range`. Those with a default are included because module data may
/// override it.
fn parameters(evaluated: &Evaluated, root: &SyntaxNode, range: TextRange) -> Vec<HintLocation> {
    let node = evaluated.map.definition().and_then(|it| it.to_node(root));
    let list = node.and_then(ast::Definition::cast).and_then(|it| it.parameters());
    let nodes = list.iter().flat_map(ast::ParameterList::parameters);
    let locations = evaluated.body.parameters.iter().zip(nodes).map(|(parameter, node)| {
        let own = node.syntax().text_range();
        (own, HintLocation { offset: own.end, subject: HintSubject::Parameter(parameter.slot) })
    });
    locations
        .filter(|(own, _)| own.start <= range.end && range.start <= own.end)
        .map(|(_, location)| location)
        .collect()
}

/// Formats the recorded value if there is exactly one.
fn known_text(recorded: &RecordedValue, world: &World<'_>) -> Option<String> {
    match recorded_value::known_values(recorded)?.as_slice() {
        [value] => Some(recorded_value::short_value(value, MAX_HINT_LENGTH, world)),
        _ => None,
    }
}

/// Summarizes values with their platforms; `all` is the total number of platforms.
fn summarize(shown: &[(String, Vec<&str>)], all: usize, subject: &HintSubject) -> Option<String> {
    let part = |(value, platforms): &(String, Vec<&str>)| match platforms.as_slice() {
        [only] => format!("{value} on {only}"),
        several => format!("{value} on {} platforms", several.len()),
    };
    let is_written = matches!(subject, HintSubject::Assignment { is_written: true, .. });
    let known: usize = shown.iter().map(|(_, platforms)| platforms.len()).sum();
    match shown {
        [] => None,
        [_] if matches!(subject, HintSubject::Parameter(_)) => None,
        _ if matches!(subject, HintSubject::Parameter(_)) && known < all => None,
        [(value, platforms)] if platforms.len() == all => (!is_written).then(|| format!("= {value}")),
        [(_, _)] if is_written => None,
        several => {
            let mut parts: Vec<String> = several.iter().take(MAX_DISTINCT_VALUES).map(part).collect();
            if several.len() > MAX_DISTINCT_VALUES {
                parts.push(format!("{} more", several.len() - MAX_DISTINCT_VALUES));
            }
            Some(format!("= {}", parts.join(", ")))
        }
    }
}
