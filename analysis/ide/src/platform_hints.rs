//! What variables of a class are worth on the platforms of its module, between the words.

use eval::{Fact, World};
use hir::{Expr, ExprId, VariableRef};
use project::{Db, DefinitionId};
use syntax::TextRange;

use crate::class_catalogs;
use crate::facts::{self, Evaluated};
use crate::inlay_hints::{InlayHint, InlayHintKind, MOST, is_literal};

/// More different values are counted, not shown.
const MOST_DIFFERENT: usize = 3;

/// Behind each variable that is set in a class: what it was worth when the class was compiled for the platforms. Nothing where
/// it is written there, and nothing where it is known on no platform.
pub(crate) fn platform_hints(
    db: &dyn Db,
    class: DefinitionId,
    range: TextRange,
    hints: &mut Vec<InlayHint>,
) -> Option<()> {
    let module_class = class_catalogs::class_of(db, class)?;
    let alone = Evaluated::new(db, class);
    let places = places(&alone, range);
    if places.is_empty() {
        return None;
    }
    let environment = module_class.environment.0;
    let mut compiled = Vec::new();
    for (number, platform) in eval::class_platforms(db, environment, module_class.module) {
        let summary = eval::remembered_values_in_class(db, environment, class, number);
        compiled.push((platform, summary.map(|summary| Evaluated { summary, ..alone.clone() })));
    }
    eval::with_world(db, class, |world| {
        for place in &places {
            let mut shown: Vec<(String, Vec<&str>)> = Vec::new();
            for (platform, evaluated) in &compiled {
                let fact = evaluated
                    .as_ref()
                    .and_then(|evaluated| evaluated.summary.fact(place.assignment).cloned());
                let Some(text) = fact.and_then(|fact| known_text(&fact, world)) else { continue };
                match shown.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, platforms)) => platforms.push(platform.as_str()),
                    None => shown.push((text, vec![platform.as_str()])),
                }
            }
            if let Some(text) = summed_up(&shown, compiled.len(), place.is_written) {
                hints.push(InlayHint { offset: place.offset, kind: InlayHintKind::Platforms, text });
            }
        }
    })
}

/// An assignment, whose value each platform has.
struct Place {
    offset: u32,
    assignment: ExprId,
    /// Does the text say the value?
    is_written: bool,
}

fn places(evaluated: &Evaluated, range: TextRange) -> Vec<Place> {
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
        places.push(Place { offset: whole.range.end, assignment, is_written });
    }
    places
}

/// The one value of a fact.
fn known_text(fact: &Fact, world: &World<'_>) -> Option<String> {
    match facts::known_values(fact)?.as_slice() {
        [value] => Some(facts::short_value(value, MOST, world)),
        _ => None,
    }
}

/// Values with their platforms, of `all` that there are.
fn summed_up(shown: &[(String, Vec<&str>)], all: usize, is_written: bool) -> Option<String> {
    let part = |(value, platforms): &(String, Vec<&str>)| match platforms.as_slice() {
        [only] => format!("{value} on {only}"),
        several => format!("{value} on {} platforms", several.len()),
    };
    match shown {
        [] => None,
        [(value, platforms)] if platforms.len() == all => (!is_written).then(|| format!("= {value}")),
        [(_, _)] if is_written => None,
        several => {
            let mut parts: Vec<String> = several.iter().take(MOST_DIFFERENT).map(part).collect();
            if several.len() > MOST_DIFFERENT {
                parts.push(format!("{} other values", several.len() - MOST_DIFFERENT));
            }
            Some(format!("= {}", parts.join(", ")))
        }
    }
}
