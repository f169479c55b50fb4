//! What variables and parameters of a class are worth on the platforms of its module, between the words.

use eval::{RecordedValue, World};
use hir::{Expr, ExprId, SlotId, VariableRef};
use project::{Db, DefinitionId};
use symbols::recorded_value::{self, Evaluated};
use syntax::{AstNode, SyntaxNode, TextRange, ast};

use crate::class_catalogs;
use crate::inlay_hints::{InlayHint, InlayHintKind, MAX_COUNT, is_literal};

/// More different values are counted, not shown.
const MAX_DIFFERENT: usize = 3;

/// Behind each variable that is set in a class: what it was worth when the class was compiled for the platforms. Nothing where
/// it is written there, and nothing where it is known on no platform. Behind a parameter only what differs, and is known on all
/// of them.
pub(crate) fn platform_hints(
    db: &dyn Db,
    class: DefinitionId,
    root: &SyntaxNode,
    range: TextRange,
    hints: &mut Vec<InlayHint>,
) -> Option<()> {
    let module_class = class_catalogs::class_of(db, class)?;
    let alone = Evaluated::new(db, class);
    let mut places = places(&alone, range);
    places.extend(parameters(&alone, root, range));
    if places.is_empty() {
        return None;
    }
    let environment = module_class.environment.0;
    let mut compiled = Vec::new();
    for (facts, platform) in compile::class_platforms(db, environment, module_class.module) {
        let summary = compile::values_in_class(db, environment, class, facts);
        compiled.push((platform, summary.map(|summary| Evaluated { summary, ..alone.clone() })));
    }
    compile::with_world(db, class, |world| {
        for place in &places {
            let mut shown: Vec<(String, Vec<&str>)> = Vec::new();
            for (platform, evaluated) in &compiled {
                let worth = evaluated.as_ref().and_then(|evaluated| {
                    match place.what {
                        What::Assignment { expr, .. } => evaluated.summary.worth(expr),
                        What::Parameter(slot) => evaluated.summary.parameter(slot),
                    }
                    .cloned()
                });
                let Some(text) = worth.and_then(|worth| known_text(&worth, world)) else { continue };
                match shown.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, platforms)) => platforms.push(platform.as_str()),
                    None => shown.push((text, vec![platform.as_str()])),
                }
            }
            if let Some(text) = summed_up(&shown, compiled.len(), &place.what) {
                hints.push(InlayHint { offset: place.offset, kind: InlayHintKind::Platforms, text });
            }
        }
    })
}

/// What has a value on each platform, and where its hint stands.
struct HintPlace {
    offset: u32,
    what: What,
}

enum What {
    /// `is_written`: does the text say the value?
    Assignment {
        expr: ExprId,
        is_written: bool,
    },
    Parameter(SlotId),
}

fn places(evaluated: &Evaluated, range: TextRange) -> Vec<HintPlace> {
    let is_asked = |own: TextRange| own.start <= range.end && range.start <= own.end;
    let mut places = Vec::new();
    for (assignment, expr) in evaluated.body.exprs.iter() {
        let Expr::Assignment { lhs, rhs, .. } = expr else { continue };
        let is_variable =
            matches!(evaluated.body[*lhs], Expr::Variable(VariableRef::Slot(_) | VariableRef::Free(_)));
        let Some(whole) = evaluated.map.node(assignment).filter(|it| is_variable && is_asked(it.range))
        else {
            continue;
        };
        let is_written = is_literal(evaluated, *rhs);
        let what = What::Assignment { expr: assignment, is_written };
        places.push(HintPlace { offset: whole.range.end, what });
    }
    places
}

/// The parameters of a class. Those with a written default can differ, too: by data of the module.
fn parameters(evaluated: &Evaluated, root: &SyntaxNode, range: TextRange) -> Vec<HintPlace> {
    let node = evaluated.map.definition().and_then(|it| it.to_node(root));
    let list = node.and_then(ast::Definition::cast).and_then(|it| it.parameters());
    let nodes = list.iter().flat_map(ast::ParameterList::parameters);
    let places = evaluated.body.parameters.iter().zip(nodes).map(|(parameter, node)| {
        let own = node.syntax().text_range();
        (own, HintPlace { offset: own.end, what: What::Parameter(parameter.slot) })
    });
    places
        .filter(|(own, _)| own.start <= range.end && range.start <= own.end)
        .map(|(_, place)| place)
        .collect()
}

/// The one value of a fact.
fn known_text(worth: &RecordedValue, world: &World<'_>) -> Option<String> {
    match recorded_value::known_values(worth)?.as_slice() {
        [value] => Some(recorded_value::short_value(value, MAX_COUNT, world)),
        _ => None,
    }
}

/// Values with their platforms, of `all` that there are.
fn summed_up(shown: &[(String, Vec<&str>)], all: usize, what: &What) -> Option<String> {
    let part = |(value, platforms): &(String, Vec<&str>)| match platforms.as_slice() {
        [only] => format!("{value} on {only}"),
        several => format!("{value} on {} platforms", several.len()),
    };
    let is_written = matches!(what, What::Assignment { is_written: true, .. });
    let known: usize = shown.iter().map(|(_, platforms)| platforms.len()).sum();
    match shown {
        [] => None,
        [_] if matches!(what, What::Parameter(_)) => None,
        _ if matches!(what, What::Parameter(_)) && known < all => None,
        [(value, platforms)] if platforms.len() == all => (!is_written).then(|| format!("= {value}")),
        [(_, _)] if is_written => None,
        several => {
            let mut parts: Vec<String> = several.iter().take(MAX_DIFFERENT).map(part).collect();
            if several.len() > MAX_DIFFERENT {
                parts.push(format!("{} other values", several.len() - MAX_DIFFERENT));
            }
            Some(format!("= {}", parts.join(", ")))
        }
    }
}
