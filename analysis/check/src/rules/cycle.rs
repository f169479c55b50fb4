#![doc = include_str!("../../pages/definition-cycle.md")]

use codes::Code;
use hir::{Access, DefinitionKind, Expr, NameUseKind};
use project::{DefinitionId, NameKind};

use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Chains longer than this are looked at no further.
const MAX_LENGTH: usize = 100;

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for (index, definition) in context.definitions.iter().enumerate() {
        if definition.key.kind == DefinitionKind::TypeAlias {
            found.extend(check_alias(context, definition));
            continue;
        }
        if definition.key.kind != DefinitionKind::Class || definition.body.inherits.is_none() {
            continue;
        }
        let Some(way) = inherits_itself(context, definition.id) else { continue };
        let parent = definition.body.inherits.as_deref().map(hir::fold_name).unwrap_or_default();
        let named =
            context.uses.iter().filter(|it| it.kind == NameUseKind::Class && it.access == Access::Read);
        let Some(place) = named.filter(|it| it.name == parent).find(|it| it.definition == index as u32)
        else {
            continue;
        };
        let message = format!("the class inherits from itself: {}", way.join(", which inherits "));
        found.push(Diagnostic::new(Code::DefinitionCycle, place.range, message));
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

/// An alias that stands for nothing but itself. Inside of another type its name may stand.
fn check_alias(context: &RuleContext<'_>, definition: &SectionDefinition<'_>) -> Option<Diagnostic> {
    let db = context.db;
    let name_of = |name: &str| types::display::capitalized_segments(name);
    let mut way = vec![name_of(&definition.key.name)];
    let mut current = definition.id;
    while way.len() < MAX_LENGTH {
        let signature = project::signature(db, current).as_ref()?;
        let Expr::TypeReference(aliased) = &signature.types[signature.aliased?] else { return None };
        current = project::resolve_in_file(db, current.file(db), NameKind::TypeAlias, aliased)?;
        way.push(name_of(&current.key(db).name));
        if current == definition.id {
            let range = definition.range(definition.body.root)?;
            let message = format!("the alias stands for nothing but itself: {}", way.join(", which is "));
            return Some(Diagnostic::new(Code::DefinitionCycle, range, message));
        }
    }
    None
}

/// The names on the way from a class back to it.
fn inherits_itself(context: &RuleContext<'_>, class: DefinitionId) -> Option<Vec<String>> {
    let db = context.db;
    let mut way = vec![class.key(db).name.to_string()];
    let mut current = class;
    while way.len() < MAX_LENGTH {
        let signature = project::signature(db, current).as_ref()?;
        let parent = signature.inherits.as_ref()?;
        current = project::resolve_in_file(db, current.file(db), NameKind::Class, parent)?;
        way.push(current.key(db).name.to_string());
        if current == class {
            return Some(way);
        }
    }
    None
}
