//! Qualified variables: `$class::variable`.

use std::sync::Arc;

use hir::{DefinitionKind, Name, ScopeId};
use project::{Db, DefinitionId, NameKind};
use rustc_hash::FxHashSet;
use syntax::SyntaxKind;

use crate::item::{CompletionItem, CompletionKind};
use crate::{CompletionRequest, environment};

/// Returns the variables that a class sets in its own scope, parameters first.
#[salsa::tracked(returns(clone), lru = 512)]
pub(crate) fn of_class(db: &dyn Db, class: DefinitionId) -> Arc<[Name]> {
    let body = project::body(db, class);
    let own = body.slots.iter().filter(|slot| slot.scope == ScopeId::ROOT && !slot.name.is_empty());
    own.map(|slot| slot.name.clone()).collect()
}

/// Returns the variables of the class that is already typed, or those of the classes that are likely to be
/// meant.
pub(crate) fn items(request: &CompletionRequest<'_>, typed: &str) -> Vec<CompletionItem> {
    let prefix = if typed.starts_with("::") { "::" } else { "" };
    let typed = typed.strip_prefix("::").unwrap_or(typed);
    let mut items = Vec::new();
    let scope = typed.rsplit_once("::").map(|(scope, _)| scope);
    let classes = match scope {
        Some(scope) => {
            let below = scopes_below(request, scope, prefix);
            let begun = below.iter().filter_map(|it| it.label.trim_start_matches("::").strip_suffix("::"));
            let begun: Vec<Name> = begun.filter(|it| it.starts_with(typed)).map(Name::new).collect();
            items.extend(below);
            let own = std::iter::once(Name::new(scope));
            own.chain(begun.into_iter().filter(|_| typed.len() > scope.len() + 2).take(MAX_PARTIAL_CLASSES))
                .collect()
        }
        None if prefix.is_empty() || !typed.is_empty() => likely_classes(request),
        None => Vec::new(),
    };
    for class in classes {
        let Some(found) = project::resolve_in_file(request.db, request.file, NameKind::Class, &class) else {
            continue;
        };
        for name in of_class(request.db, found).iter() {
            let item = CompletionItem::new(CompletionKind::Variable, format!("{prefix}{class}::{name}"));
            items.push(item.owner(format!("class {class}")).tier(match scope {
                Some(scope) if class == scope => 0,
                Some(_) => 1,
                None => 2,
            }));
        }
    }
    items
}

/// Maximum number of partially typed classes whose variables are listed.
const MAX_PARTIAL_CLASSES: usize = 8;

/// Returns the classes in a namespace, whose variables can be read as well.
fn scopes_below(request: &CompletionRequest<'_>, scope: &str, prefix: &str) -> Vec<CompletionItem> {
    let classes = environment::definitions(request.db, request.file, DefinitionKind::Class);
    let inner = format!("{scope}::");
    let below = classes.into_iter().filter(|it| it.name.starts_with(&inner));
    below
        .map(|class| {
            CompletionItem::new(CompletionKind::Class, format!("{prefix}{}::", class.name))
                .detail("class")
                .tier(3)
        })
        .collect()
}

/// Returns the classes of this module that contain variables for others, and those that the file mentions.
fn likely_classes(request: &CompletionRequest<'_>) -> Vec<Name> {
    let mut classes: Vec<Name> = Vec::new();
    if let Some(module) = environment::own_module(request.db, request.file) {
        classes.extend([module.clone(), format!("{module}::params").into()]);
        classes.push(format!("{module}::globals").into());
    }
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    for token in request.root.descendants_with_tokens().filter_map(|it| it.into_token()) {
        let name = match token.kind() {
            SyntaxKind::VARIABLE => {
                let text = token.text().trim_start_matches('$').trim_start_matches("::");
                text.rsplit_once("::").map(|(scope, _)| scope.to_owned())
            }
            SyntaxKind::NAME if token.text().contains("::") => {
                Some(token.text().trim_start_matches("::").to_owned())
            }
            _ => None,
        };
        if let Some(name) = name
            && seen.insert(Name::new(&name))
        {
            classes.push(name.into());
        }
    }
    let mut seen = FxHashSet::default();
    classes.retain(|class| seen.insert(class.clone()));
    classes
}
