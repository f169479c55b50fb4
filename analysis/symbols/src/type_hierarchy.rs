//! Which class inherits which.

use hir::DefinitionKind;
use project::{Db, DefinitionId, File, NameKind};

use crate::navigation::{self, NavigationTarget};
use crate::search;
use crate::symbol::{self, Symbol};

/// A class in the hierarchy, or a function, class or other definition in a hierarchy of calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HierarchyItem {
    /// As it is written, with its namespace.
    pub name: String,
    /// [`DefinitionKind::Main`] is a whole file: a template, or what stands outside of all definitions.
    pub kind: DefinitionKind,
    pub target: NavigationTarget,
}

/// The class at an offset, or that the word there names.
pub fn prepare(db: &dyn Db, file: File, offset: u32) -> Option<HierarchyItem> {
    item(db, class_at(db, file, offset)?)
}

/// The class that a class inherits; `offset` is where its name stands.
pub fn supertypes(db: &dyn Db, file: File, offset: u32) -> Vec<HierarchyItem> {
    let Some(class) = class_at(db, file, offset) else { return Vec::new() };
    let parent = project::signature(db, class).as_ref().and_then(|it| it.inherits.clone());
    let parent = parent.and_then(|name| project::resolve_in_file(db, class.file(db), NameKind::Class, &name));
    parent.and_then(|it| item(db, it)).into_iter().collect()
}

/// The classes that inherit a class; `offset` is where its name stands.
pub fn subtypes(db: &dyn Db, file: File, offset: u32) -> Vec<HierarchyItem> {
    let Some(class) = class_at(db, file, offset) else { return Vec::new() };
    direct_heirs(db, class).into_iter().filter_map(|it| item(db, it)).collect()
}

/// The classes that name `class` behind `inherits`, by path.
pub(crate) fn direct_heirs(db: &dyn Db, class: DefinitionId) -> Vec<DefinitionId> {
    let name = &class.key(db).name;
    let mut found = Vec::new();
    for file in search::candidate_files(db, class.file(db), &Symbol::Definition(class)) {
        for definition in project::definitions(db, file) {
            let Some(signature) = project::signature(db, definition) else { continue };
            let inherits = signature.inherits.as_ref();
            let is_heir = inherits.is_some_and(|it| hir::fold_name(it) == *name)
                && project::resolve_in_file(db, file, NameKind::Class, name) == Some(class);
            if is_heir {
                found.push(definition);
            }
        }
    }
    found
}

/// The classes that inherit a class, directly or not.
pub fn all_heirs(db: &dyn Db, class: DefinitionId) -> Vec<DefinitionId> {
    let mut found = vec![class];
    let mut next = 0;
    while let Some(class) = found.get(next).copied() {
        next += 1;
        for heir in direct_heirs(db, class) {
            if !found.contains(&heir) {
                found.push(heir);
            }
        }
    }
    found.remove(0);
    found
}

fn class_at(db: &dyn Db, file: File, offset: u32) -> Option<DefinitionId> {
    let name_use = symbol::name_use_at(db, file, offset)?;
    match symbol::resolve(db, file, &name_use)? {
        Symbol::Definition(definition) if definition.key(db).kind == DefinitionKind::Class => {
            Some(definition)
        }
        _ => None,
    }
}

/// A definition as an item; `None` for types, which call nothing.
pub fn item(db: &dyn Db, definition: DefinitionId) -> Option<HierarchyItem> {
    let key = definition.key(db);
    let name = match key.kind {
        DefinitionKind::TypeAlias | DefinitionKind::TypeMapping | DefinitionKind::TypeDefinition => {
            return None;
        }
        DefinitionKind::Main => definition.file(db).path(db).file_name().to_owned(),
        DefinitionKind::Node => key.name.to_string(),
        _ => project::signature(db, definition).as_ref()?.name.to_string(),
    };
    Some(HierarchyItem { name, kind: key.kind, target: navigation::definition_target(db, definition)? })
}
