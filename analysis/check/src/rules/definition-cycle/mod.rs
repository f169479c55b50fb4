#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Access, DefinitionKind, Expr, Name, NameUseKind};
use project::{DefinitionId, NameKind};

use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Maximum length of a chain that is followed.
const MAX_CHAIN_LENGTH: usize = 100;

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
        let Some(cycle) = inherits_itself(context, definition.id) else { continue };
        let parent = definition.body.inherits.as_deref().map(hir::fold_name).unwrap_or_default();
        let named =
            context.uses.iter().filter(|it| it.kind == NameUseKind::Class && it.access == Access::Read);
        let Some(parent_use) = named.filter(|it| it.name == parent).find(|it| it.definition == index as u32)
        else {
            continue;
        };
        let message = format!("class inherits from itself: {}", describe_cycle(&cycle));
        found.push(Diagnostic::new(Code::DefinitionCycle, parent_use.range, message));
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

/// Reports an alias that resolves to itself. Recursion inside of another type is allowed.
fn check_alias(context: &RuleContext<'_>, definition: &SectionDefinition<'_>) -> Option<Diagnostic> {
    let db = context.db;
    let name_of = |name: &str| types::display::capitalized_segments(name);
    let mut cycle = vec![name_of(&definition.key.name)];
    let mut current = definition.id;
    while cycle.len() < MAX_CHAIN_LENGTH {
        let signature = project::signature(db, current).as_ref()?;
        let Expr::TypeReference(aliased) = &signature.types[signature.aliased?] else { return None };
        current = project::resolve_in_file(db, current.file(db), NameKind::TypeAlias, aliased)?;
        cycle.push(name_of(&current.key(db).name));
        if current == definition.id {
            let range = definition.range(definition.body.root)?;
            let message = format!("type alias refers to itself: {}", describe_cycle(&cycle));
            return Some(Diagnostic::new(Code::DefinitionCycle, range, message));
        }
    }
    None
}

/// Formats a cycle for a message: `` `a` -> `b` -> `a` ``.
fn describe_cycle(names: &[Name]) -> String {
    let quoted: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    quoted.join(" -> ")
}

/// Returns the names on the path from a class back to itself through `inherits`.
fn inherits_itself(context: &RuleContext<'_>, class: DefinitionId) -> Option<Vec<Name>> {
    let db = context.db;
    let mut cycle = vec![class.key(db).name.clone()];
    let mut current = class;
    while cycle.len() < MAX_CHAIN_LENGTH {
        let signature = project::signature(db, current).as_ref()?;
        let parent = signature.inherits.as_ref()?;
        current = project::resolve_in_file(db, current.file(db), NameKind::Class, parent)?;
        cycle.push(current.key(db).name.clone());
        if current == class {
            return Some(cycle);
        }
    }
    None
}
